"""What governance says and what it must not keep: a sentence for every rule, and no secret anywhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tacit.bank.values import By, Context
from tacit.errors import GuardRefused
from tacit.govern import decision, evidence, gate, relation, scorecard
from tacit.messages import chinese, english
from tests.files import holders
from tests.unit.bank.talk import PNPM, Talk, lines, payload

if TYPE_CHECKING:
    from types import ModuleType

    from tacit.bank import Bank

SECRET = "AKIA" + "Q3EGRIDOVZ7TLKRW"
SECRET_PLACES: dict[str, dict[str, Any]] = {
    name: {name: f"see {SECRET}"}
    for name in ("scene", "title", "evidence", "one_liner", "signals", "counter_signals", "fact", "principle")
} | {
    "choice": {"choice": f"use {SECRET}", "principles": [f"use {SECRET}"]},
    "principles": {"principles": [PNPM, SECRET]},
    "tags": {"tags": [SECRET]},
    "when_to_load": {"when_to_load": [SECRET]},
    "pointers": {"pointers": [SECRET]},
    "origin.text": {"origin": {"text": SECRET}},
    "origin.turn": {"origin": {"text": "x", "turn": SECRET}},
    "origin.spans": {"origin": {"text": "x", "spans": [{"start": 0, "end": 1, "label": SECRET}]}},
    "claim": {"claim": {"id": SECRET, "digest": "d"}},
    "an unknown member of origin": {"origin": {"text": "x", "note": SECRET}},
    "the total of the scores": {"scores": {"d1": 1, "d2": 1, "d3": 1, "d4": 1, "d5": 1, "total": SECRET}},
    "a reason beside a relation": {"relations": [{"id": "MEM-a", "relation": "same", "why": SECRET}]},
    "the name of an unknown field": {SECRET: 1},
    "the name of an unknown member": {"origin": {"text": "x", SECRET: 1}},
}


@pytest.mark.parametrize("place", sorted(SECRET_PLACES))
def test_secrets_never_reach_the_disk(bank: Bank, place: str) -> None:
    """X-01: a credential in any part of a payload is refused by kind and place, and no file holds it, nor the log."""
    talk = Talk(bank)
    made = talk.user(f"From now on {PNPM}.").agent(**{"source": "choice", "confidence": "low", **SECRET_PLACES[place]})

    assert made.decision == "refused"
    assert holders(talk.bank.root, SECRET) == []
    last = lines(talk.bank)[-1]
    assert (last["event"], last["note_id"], last["source"]) == ("memory_write_refused", "", "")


@pytest.mark.parametrize("name", ["conversation_id", "generation_id"])
def test_secrets_are_no_names_of_a_conversation(bank: Bank, name: str) -> None:
    """X-01: the log and a proposal name the conversation; a secret in its place is refused by kind and place."""
    made = bank.propose([payload("x", source="choice")], Context(**{name: SECRET}))[0]  # type: ignore[arg-type]

    assert (made.decision, made.rules) == ("refused", ("guard.refused",))
    assert made.reasons[0].startswith(f"{name}, line 1: ")
    assert holders(bank.root, SECRET) == []
    assert lines(bank)[-1]["event"] == "memory_write_refused"
    with pytest.raises(GuardRefused):
        By(**{name: SECRET})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["0b9c1f3e-7d2a-4c5b-9e8f-1a2b3c4d5e6f", "4242424242424242", "ses_7Qx2vK9mPz41LtRb"])
def test_hosts_may_name_conversations_as_they_like(bank: Bank, name: str) -> None:
    """A-01: long numbers, UUIDs and what looks random are names."""
    made = bank.propose([payload("x", source="choice")], Context(name, name))[0]

    assert made.decision != "refused"
    assert lines(bank)[-1]["conversation_id"] == name


def named_in(module: ModuleType, *calls: str) -> set[str]:
    """The names that a module's functions use as texts and never compare with, or those in calls of these ones."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    tree.body = [part for part in tree.body if not isinstance(part, ast.ClassDef)]
    parts: list[ast.AST] = [tree]
    if calls:
        parts = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in calls]
    compared = {inner for node in ast.walk(tree) if isinstance(node, ast.Compare) for inner in ast.walk(node)}
    texts = {
        node.value
        for part in parts
        for node in ast.walk(part)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in compared
    }
    return {text for text in texts if re.fullmatch(r"[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)?", text)}


def test_every_rule_has_its_sentence() -> None:
    """Q-07, G-06: each rule, question and option that the code can name has a sentence in both languages."""
    needed = {f"reason.score.{rule.name}" for rule in scorecard.RULES if rule.allowed in ("skip", "confirm")}
    needed |= {f"reason.{name}" for name in named_in(decision)}
    needed |= {f"reason.source.{source}" for source in decision._ALWAYS_ASKED}
    needed |= {f"reason.evidence.{name}" for name in named_in(evidence, "_read")}
    needed |= {f"reason.relation.{name}" for name in relation.RULES}
    assert len(needed) > 30
    needed |= {f"ask.{verdict}" for verdict in ("new", "merge", "replace", "veto")}
    needed |= {f"ask.{operation}" for operation in gate.SETTING}
    needed |= {f"option.{name}" for name in ("confirm", "cancel", "new_instead", "show_diff")}
    needed |= {f"option.{name}" for name in ("keep_old", "take_new", "both")}

    assert needed - english.MESSAGES.keys() == set()
    assert needed - chinese.MESSAGES.keys() == set()


@pytest.mark.parametrize("is_heard", [True, False])
def test_what_the_words_turn_down_is_asked_about(bank: Bank, is_heard: bool) -> None:  # noqa: FBT001  a case
    """G-02: the old choice that the words name is found, whether they were heard here or not; nothing is written."""
    talk = Talk(bank)
    old = {"scene": "CI of the mobile apps", "choice": "Bitrise", "principles": ["Bitrise"], "source": "remember"}
    assert talk.bank.remember(old).written
    talk.words = "Instead of Bitrise we use GitHub Actions on macOS runners."
    if is_heard:
        talk.user(talk.words)
    choice = "GitHub Actions on macOS runners"
    found = talk.agent(scene="mobile CI", choice=choice, principles=[choice])
    assert (found.decision in {"veto", "replace"}, found.written) == (True, False)
    assert found.neighbours[0].rules == ("rejects_the_choice",)
    assert len(talk.bank.notes()) == 1
