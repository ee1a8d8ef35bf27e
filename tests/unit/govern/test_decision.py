"""From scores, evidence and neighbours to what should happen, and whether the user is asked."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tacit.govern.decision import Case, Decision, Verdict, decide
from tacit.govern.evidence import Evidence
from tacit.govern.relation import STRICTNESS, Judgement, stricter
from tacit.govern.scorecard import Allowed, Scorecard, Scores
from tacit.note.payload import Relation, Source, parse

SURE = Evidence(words="use pnpm", literal=True)
DECIDING = replace(SURE, decides=True)
MEMBERS: dict[str, Any] = {
    "scene": "installing",
    "principles": ["use pnpm"],
    "choice": "use pnpm",
    "source": "auto",
    "confidence": "high",
}


def card(allowed: Allowed = Allowed.BOTH, rule: str = "fact_and_principle") -> Scorecard:
    """A scorecard that allows this."""
    return Scorecard(Scores(2, 2, 2, 2, 2), (), allowed, rule, brought=False)


def near(relation: Relation, note_id: str = "MEM-old", *rules: str, adds: bool = True) -> Judgement:
    """A neighbour."""
    return Judgement(note_id, relation, 0.9, adds=adds, rules=rules)


def case(*neighbours: Judgement, **members: Any) -> Case:  # noqa: ANN401  the members of a case and of a payload
    """A payload that would be written without a word, but for what is given."""
    fields = {name: members.pop(name) for name in list(members) if name in Case.__dataclass_fields__}
    ready = {"card": card(), "evidence": SURE, "neighbours": neighbours, "by_hand": False, **fields}
    return Case(payload=parse({**MEMBERS, **members}), **ready)


def test_new_and_clear() -> None:
    """Q-01: high confidence, literal and verified words, no hedging, no conflict: written without a word."""
    assert decide(case()) == Decision(Verdict.NEW, ask=False, reasons=("clear",))


def test_a_candidate_that_is_there_already_is_no_second_note() -> None:
    """G-02, G-04: what contradicts it, or says the same by the caller's word, is asked about as two notes."""
    same, said = near(Relation.SAME, "MEM-same", adds=False), near(Relation.SAME, "MEM-said", "caller")
    against = near(Relation.CONFLICTING, "MEM-against")
    found = decide(case(against, same))
    assert (found.verdict, found.asked_as, found.target, found.standing) == (
        *(Verdict.VETO, "conflict"),
        *("MEM-against", "MEM-same"),
    )
    found = decide(case(same, said))
    assert (found.verdict, found.asked_as, found.target, found.standing) == (
        *(Verdict.MERGE, "join"),
        *("MEM-said", "MEM-same"),
    )
    assert decide(case(same, near(Relation.SAME, "MEM-other"))).verdict is Verdict.DEDUPE
    assert decide(case(against, said)).asked_as == "veto"


def test_a_team_note_is_none_of_two_that_are_asked_about() -> None:
    """G-05: no answer changes a team note."""
    same, said = near(Relation.SAME, "MEM-same", adds=False), near(Relation.SAME, "MEM-said", "caller")
    against = near(Relation.CONFLICTING, "MEM-against")
    for team, verdict in (("MEM-same", Verdict.VETO), ("MEM-against", Verdict.VETO)):
        found = decide(case(against, same, foreign=frozenset({team})))
        assert (found.verdict, found.standing) == (verdict, "")
    for team in ("MEM-same", "MEM-said"):
        assert decide(case(same, said, foreign=frozenset({team}))).verdict is Verdict.DEDUPE


@pytest.mark.parametrize(
    ("reason", "members"),
    [
        ("confidence", {"confidence": "medium"}),
        ("confidence", {"confidence": "low"}),
        ("confidence", {"confidence": None}),
        ("confidence", {"confidence": 0.79}),
        ("evidence.not_typed", {"evidence": replace(SURE, doubt="not_typed")}),
        ("evidence.no_prompt_seen", {"evidence": replace(SURE, doubt="no_prompt_seen")}),
        ("evidence.no_words", {"evidence": Evidence(doubt="no_words")}),
        ("evidence.inferred", {"evidence": replace(SURE, literal=False)}),
        ("evidence.hedged", {"evidence": replace(SURE, hedged=True)}),
        ("guard.asks", {"suspicious": True}),
        ("source.init", {"source": "init"}),
        ("source.distill", {"source": "distill"}),
        ("source.extract", {"source": "extract"}),
        ("score.unverifiable_but_asked", {"card": card(Allowed.CONFIRM, "unverifiable_but_asked")}),
    ],
)
def test_one_missing_condition_is_enough_to_ask(reason: str, members: dict[str, object]) -> None:
    """Q-01: whichever condition is missing, the user is asked, and the reason names it."""
    assert decide(case(**members)) == Decision(Verdict.NEW, ask=True, reasons=(reason,))


def test_what_is_typed_by_hand_is_written() -> None:
    """Q-01: the user's own command writes a new note, whatever an agent's payload would have to prove."""
    unsure = {"confidence": None, "source": "remember", "evidence": replace(SURE, literal=False, hedged=True)}

    assert decide(case(by_hand=True, **unsure)) == Decision(Verdict.NEW, ask=False, reasons=("clear",))


@pytest.mark.parametrize("rule", ["too_little", "one_off", "unverifiable"])
def test_low_scores_are_dropped(rule: str) -> None:
    """S-02: what the scores do not allow is not written, and the reason names the rule."""
    low = card(Allowed.SKIP, rule)

    assert decide(case(card=low)) == Decision(Verdict.SKIP, ask=False, reasons=(f"score.{rule}",))


@pytest.mark.parametrize("members", [{"by_hand": True}, {"source": "remember"}, {"source": "choice"}])
def test_low_scores_of_what_was_asked_for_become_a_question(members: dict[str, object]) -> None:
    """S-04: what the user asked for is never dropped silently; the question says why."""
    made = decide(case(card=card(Allowed.SKIP, "too_little"), **members))

    assert (made.verdict, made.ask, made.reasons[0]) == (Verdict.NEW, True, "score.too_little")


def test_by_hand_asked_each_time() -> None:
    """S-04, Q-06: what was declined is skipped for an agent, and asked again when the user asks for it by hand."""
    low = card(Allowed.SKIP, "too_little")

    assert decide(case(declined=True)) == Decision(Verdict.SKIP, ask=False, reasons=("declined",))
    assert decide(case(declined=True, by_hand=True, card=low)).ask


def test_missing_evidence_drops() -> None:
    """P-03: an automatic payload without its evidence is dropped with the reason."""
    missing = Evidence(missing="claim")

    assert decide(case(evidence=missing)) == Decision(Verdict.SKIP, ask=False, reasons=("evidence.missing",))


def test_dedupe() -> None:
    """G-02: same and nothing new is told apart at once, and nothing is asked."""
    same = near(Relation.SAME, "MEM-old", "same_scene", "adds_nothing", adds=False)

    assert decide(case(same)) == Decision(
        Verdict.DEDUPE, ask=False, reasons=("relation.same_scene", "relation.adds_nothing"), target="MEM-old"
    )


def test_merge() -> None:
    """G-02: same scenario and conclusion with something new is a merge, and asked even by hand."""
    same = near(Relation.SAME, "MEM-old", "adds")

    for by_hand in (True, False):
        assert decide(case(same, by_hand=by_hand)) == Decision(
            Verdict.MERGE, ask=True, reasons=("relation.adds",), target="MEM-old", superseded=("MEM-old",)
        )


def test_replace_needs_words_that_decide() -> None:
    """G-02: replace is proposed only where the user's verified words decide."""
    against = near(Relation.CONFLICTING, "MEM-old", "polarity")
    also = near(Relation.COMPLEMENTARY, "MEM-side")

    assert decide(case(against, also, evidence=DECIDING)) == Decision(
        Verdict.REPLACE,
        ask=True,
        reasons=("relation.polarity", "words.decide"),
        target="MEM-old",
        superseded=("MEM-old",),
        related=("MEM-side",),
    )


@pytest.mark.parametrize(
    ("evidence", "why"),
    [
        (SURE, "words.undecided"),
        (replace(DECIDING, doubt="not_typed"), "words.unverified"),
        (Evidence(doubt="no_words"), "words.unverified"),
    ],
)
def test_veto_otherwise(evidence: Evidence, why: str) -> None:
    """G-02: a conflict that the user's verified words do not decide is a veto that says what is missing."""
    against = near(Relation.CONFLICTING, "MEM-old", "polarity")

    for by_hand in (True, False):
        made = decide(case(against, evidence=evidence, by_hand=by_hand))
        assert (made.verdict, made.ask, made.reasons) == (Verdict.VETO, True, ("relation.polarity", why))


def test_complementary_is_new_with_a_pointer() -> None:
    """G-02: what adds to a neighbour is a new note that names it."""
    made = decide(case(near(Relation.COMPLEMENTARY, "MEM-side"), near(Relation.UNRELATED, "MEM-far")))

    assert made == Decision(Verdict.NEW, ask=False, reasons=("clear",), related=("MEM-side",))


def test_a_conflict_outranks_a_likeness() -> None:
    """G-02: a candidate that repeats one note and contradicts another is asked about as a conflict."""
    made = decide(case(near(Relation.SAME, "MEM-same", adds=False), near(Relation.CONFLICTING, "MEM-old")))

    assert (made.verdict, made.target) == (Verdict.VETO, "MEM-old")


def test_team_notes_are_never_changed() -> None:
    """G-05: a conflict with a team note is told, what is added to one becomes a note of the project's own."""
    team = frozenset({"MEM-old"})
    against = decide(case(near(Relation.CONFLICTING), evidence=DECIDING, foreign=team))
    again = decide(case(near(Relation.SAME), foreign=team))

    assert (against.verdict, against.superseded, against.reasons) == (Verdict.VETO, (), ("team_note",))
    assert (again.verdict, again.ask, again.related, again.superseded) == (Verdict.NEW, True, ("MEM-old",), ())


@pytest.mark.parametrize(("found", "brought"), list(product(Relation, [None, *Relation])))
def test_the_stricter_judgement_wins(found: Relation, brought: Relation | None) -> None:
    """G-04: an agent can raise a question, never wave one away."""
    heard = stricter(near(found), brought)

    assert STRICTNESS.index(heard.relation) == max(
        STRICTNESS.index(found), -1 if brought is None else STRICTNESS.index(brought)
    )
    assert ("caller" in heard.rules) is (heard.relation is not found)


def test_only_clear_new_notes_and_duplicates_pass_unasked() -> None:
    """Q-01: over every mix of relation, evidence, confidence, source and score nothing else is done without asking."""
    evidences = [
        Evidence("", doubt, "words", decides, hedged, literal)
        for doubt in ("", "not_typed")
        for decides, hedged, literal in product([True, False], repeat=3)
    ]
    silent = 0
    for relation, evidence, confidence, source, allowed, suspicious in product(
        [None, *Relation], evidences, ["low", "medium", "high"], Source, Allowed, [True, False]
    ):
        neighbours = [] if relation is None else [near(relation)]
        made = decide(
            case(
                *neighbours,
                evidence=evidence,
                confidence=confidence,
                source=str(source),
                card=card(allowed, "too_little"),
                suspicious=suspicious,
            )
        )
        if made.verdict in (Verdict.MERGE, Verdict.REPLACE, Verdict.VETO):
            assert made.ask
        elif made.verdict is Verdict.NEW and not made.ask:
            silent += 1
            assert confidence == "high"
            assert evidence.verified
            assert evidence.literal
            assert not evidence.hedged
            assert not suspicious
            assert relation is not Relation.CONFLICTING
            assert source not in (Source.INIT, Source.DISTILL, Source.EXTRACT)
            assert allowed not in (Allowed.SKIP, Allowed.CONFIRM)
    assert silent
