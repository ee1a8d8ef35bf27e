"""Five scores and what they allow: all 243 vectors, and estimates that can be explained."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from tacit.govern.scorecard import RULES, Allowed, Rule, Scores, estimate, outcome, score
from tacit.note.payload import Payload, parse

VECTORS = [Scores(*each) for each in product(range(3), repeat=5)]
PAYLOAD: dict[str, Any] = {
    "scene": "installing packages in the web client",
    "principles": ["use pnpm to install packages", "use npm"],
    "choice": "use pnpm to install packages",
    "source": "remember",
}


def payload(**members: object) -> Payload:
    """A payload that is worth keeping, but for these members."""
    return parse({**PAYLOAD, **members})


def ruled(vector: Scores, *, asked: bool) -> Allowed:
    """S-02 once more, in the words of the specification and apart from the code under test."""
    d1, d2, _, d4, d5 = vector
    total = sum(vector)
    if d4 == 0:
        return Allowed.CONFIRM if asked else Allowed.SKIP
    if d5 == 0:
        return Allowed.WEAK if d1 == 2 and d2 in (1, 2) else Allowed.SKIP
    if total <= 3:
        return Allowed.SKIP
    if total in (8, 9, 10) and d2 in (1, 2):
        return Allowed.BOTH
    if total >= 6 and d1 + d2 in (3, 4):
        return Allowed.PRINCIPLE
    return Allowed.FACT


@pytest.mark.parametrize("asked", [True, False])
def test_every_vector_has_one_outcome(asked: bool) -> None:  # noqa: FBT001  both halves of the table
    """S-02, S-03: each of the 243 vectors has exactly the outcome that the rules give, asked for or not."""
    assert len(set(VECTORS)) == 243
    assert {vector: outcome(vector, asked=asked).allowed for vector in VECTORS} == {
        vector: ruled(vector, asked=asked) for vector in VECTORS
    }


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_decides_something(rule: Rule) -> None:
    """S-03: no line of the table is dead."""
    assert any(outcome(vector, asked=asked) is rule for vector in VECTORS for asked in (True, False))


def test_what_cannot_be_checked_is_never_a_principle() -> None:
    """S-02: D4 = 0 is not written, except what the user asked for, which becomes a fact to confirm."""
    found = Counter(
        outcome(vector, asked=asked).allowed for vector in VECTORS for asked in (True, False) if vector.d4 == 0
    )

    assert found == {Allowed.CONFIRM: 81, Allowed.SKIP: 81}


@pytest.mark.parametrize("vector", VECTORS[::7], ids=lambda vector: "".join(map(str, vector)))
def test_scores_that_are_brought_are_used_unchanged(vector: Scores) -> None:
    """S-01: the value was judged upstream; Tacit neither lifts nor lowers it."""
    card = score(payload(scores={**vector._asdict(), "total": vector.total}), asked=False)

    assert card.scores == vector
    assert card.brought
    assert card.reasons == ()
    assert card.allowed is outcome(vector, asked=False).allowed


@pytest.mark.parametrize(
    ("dimension", "reason", "points", "members"),
    [
        (0, "d1.alternatives", 2, {}),
        (0, "d1.rule", 2, {"choice": "never use npm", "principles": ["never use npm"]}),
        (0, "d1.rule", 2, {"choice": "always use pnpm", "principles": ["always use pnpm"]}),
        (0, "d1.statement", 1, {"choice": "use pnpm", "principles": ["use pnpm"]}),
        (0, "d1.empty", 0, {"choice": "use", "principles": ["use"]}),
        (0, "d1.empty", 0, {"scene": "hm", "choice": "hm", "principles": ["hm"]}),
        (3, "d4.vague", 0, {"scene": "好的", "choice": "好的", "principles": ["好的"]}),
        (1, "d2.project", 1, {}),
        (1, "d2.beyond_project", 2, {"apply": "team"}),
        (1, "d2.beyond_project", 2, {"scope": "broad"}),
        (1, "d2.one_task", 0, {"choice": "use pnpm today", "principles": ["use pnpm today"]}),
        (
            1,
            "d2.task",
            0,
            {"choice": "step 1 copy the table, step 2 drop the old", "scene": "this migration", "principles": ["it"]},
        ),
        (2, "d3.clear", 2, {}),
        (2, "d3.vague", 1, {"scene": "use"}),
        (2, "d3.none", 0, {"scene": "!"}),
        (3, "d4.concrete", 2, {}),
        (3, "d4.concrete", 2, {"choice": "wait", "fact": "It took 5 s."}),
        (3, "d4.concrete", 2, {"choice": "never wait"}),
        (3, "d4.some", 1, {"choice": "wait"}),
        (3, "d4.vague", 0, {"choice": "write good code"}),
        (3, "d4.vague", 0, {"choice": "use"}),
        (4, "d5.usual", 1, {}),
        (4, "d5.standing", 2, {"origin": {"text": "From now on use pnpm."}}),
        (4, "d5.standing", 2, {"choice": "always use pnpm"}),
        (4, "d5.one_off", 0, {"scene": "this time"}),
        (4, "d5.one_off", 0, {"origin": {"text": "Use pnpm today."}}),
        (4, "d5.standing", 2, {"origin": {"text": "Use pnpm as of today."}}),
        (4, "d5.standing", 2, {"origin": {"text": "从今天起用 pnpm。"}}),
    ],
)
def test_estimates_are_explained(dimension: int, reason: str, points: int, members: dict[str, object]) -> None:
    """S-01: without scores Tacit estimates each dimension, and names the reason."""
    scores, reasons = estimate(payload(**members))

    assert (scores[dimension], reasons[dimension]) == (points, reason)


def test_estimates_are_deterministic() -> None:
    """S-01: the same payload has the same scores each time."""
    card = score(payload(), asked=True)

    assert card == score(payload(), asked=True)
    assert not card.brought
    assert len(card.reasons) == 5


@pytest.mark.parametrize("said", ["x", "hm", "Hm, hm", "asdf", "42", "ok", "好", "好的", "嗯嗯嗯"])
def test_words_that_say_nothing_are_asked_about(said: str) -> None:
    """S-02, S-04: what names nothing that could be followed is no note unless the user says so."""
    card = score(payload(scene=said, choice=said, principles=[said]), asked=True)

    assert (card.allowed, card.rule) == (Allowed.CONFIRM, "unverifiable_but_asked")


@pytest.mark.parametrize("said", ["use pnpm", "no tabs", "用 pnpm", "禁用lodash", "先测试", "禁止提交到 main"])
def test_short_remarks_are_enough(said: str) -> None:
    """S-02: two words, a word and a character, or three characters can say what to do."""
    assert score(payload(scene=said, choice=said, principles=[said]), asked=True).allowed is not Allowed.CONFIRM


@pytest.mark.parametrize(
    "choice",
    [
        "step 1 copy the orders table, step 2 drop the old column",
        "first copy the table, then switch the reads, then drop it",
        "先备份数据再切换读写最后删除旧表",
    ],
)
def test_task_detail_is_no_note(choice: str) -> None:
    """M-03: one migration's steps, or one task's order of work, are not written."""
    card = score(
        payload(choice=choice, principles=[choice, "do it by hand"], scene="this migration, 这次"), asked=False
    )

    assert card.allowed is Allowed.SKIP
