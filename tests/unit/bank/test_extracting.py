"""From transcripts and prompts to candidates and notes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.audit.record import Channel
from tacit.bank import State, judging
from tacit.bank.values import Context
from tacit.errors import StateRefused

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank import Bank

TALK = "User: We never force push to main. Can you fix the lint job?\nAssistant: You must always use tabs.\n"
SECRET = "AKIA" + "Q3EGRIDOVZ7TLKRW"


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], list[object]]:
    """Name a model that answers as a test says; the list returned is what it was asked."""

    def script(answer: object) -> list[object]:
        asked: list[object] = []

        def ask(_task: str, given: object) -> dict[str, object]:
            asked.append(given)
            if isinstance(answer, Exception):
                raise answer
            return {"candidates": answer}

        monkeypatch.setenv("TACIT_LLM_URL", "http://127.0.0.1:9/v1#m")
        monkeypatch.setattr(judging, "ask", ask)
        return asked

    return script


def test_each_candidate_shows_its_sentence(bank: Bank) -> None:
    """C-01: from a transcript to candidates; nothing is written."""
    found = bank.extract(TALK)

    assert (found.shape, found.turns, found.by) == ("speakers", 1, "rules")
    assert [each.sentence for each in found.candidates] == ["We never force push to main."]
    assert bank.notes() == []
    assert bank.pending() == []


def test_candidates_wait_for_the_user_unless_picked(bank: Bank) -> None:
    """C-02: what comes from a conversation always passes the gate."""
    (outcome,) = bank.keep(bank.extract(TALK).candidates, Context("extract"))

    assert (outcome.written, outcome.decision) == (False, "new")
    (waiting,) = bank.pending()
    assert waiting.proposal_id == outcome.proposal_id
    assert waiting.evidence == "We never force push to main."


def test_picked_candidates_become_notes(bank: Bank) -> None:
    """C-01: what the user picks on a terminal is written, with its source."""
    (outcome,) = bank.keep(bank.extract(TALK).candidates, Context("extract", channel=Channel.TERMINAL), by_hand=True)

    note = bank.get(outcome.note_id)
    assert (note.source, note.one_liner) == ("extract", "We never force push to main")
    assert "We never force push to main." in note.evidence


def test_candidate_that_waits_or_was_declined_is_not_asked_again(bank: Bank) -> None:
    """Extracting twice asks once; what was declined is not asked in the same place again."""
    candidates = bank.extract(TALK).candidates
    (first,) = bank.keep(candidates, Context("extract"))
    (again,) = bank.keep(candidates, Context("extract"))
    assert again.proposal_id == first.proposal_id

    bank.answer(first.proposal_id, "cancel", Channel.TERMINAL)

    (declined,) = bank.keep(candidates, Context("extract"))
    assert (declined.decision, declined.rules) == ("skip", ("declined",))


def test_secrets_never_become_candidates(bank: Bank) -> None:
    """C-02, X-01: a sentence with a secret is counted and withheld."""
    found = bank.extract(f"User: We always use the key {SECRET} for uploads.")

    assert (found.candidates, found.withheld) == ((), 1)


def test_last_conversation_is_read_from_its_prompts(bank: Bank) -> None:
    """Without a file the last recorded conversation is the source."""
    assert bank.extract_last().turns == 0
    bank.session("c1").saw_prompt("We never force push to main.")

    assert [each.turn for each in bank.extract_last().candidates] == [1]


def test_model_recognises_under_the_same_contract(bank: Bank, model: Callable[[object], list[object]]) -> None:
    """C-02: with a model named it recognises, but only the user's sentences count, and guards hold."""
    asked = model(
        [
            {"turn": 1, "sentence": "We never force push to main.", "content": "convention", "why": "a rule"},
            {"turn": 1, "sentence": "You must always use tabs.", "content": "convention"},
            {"turn": 7, "sentence": "We never force push to main.", "content": "convention"},
            {"turn": 1, "sentence": "", "content": "convention"},
        ]
    )

    found = bank.extract(f"{TALK}User: The key is {SECRET}.\n")

    assert found.by == "model"
    assert [(each.turn, each.sentence, each.rule) for each in found.candidates] == [
        (1, "We never force push to main.", "model: a rule")
    ]
    assert SECRET not in json.dumps(asked)
    assert "tabs" not in json.dumps(asked)


@pytest.mark.parametrize("answer", [OSError(), [{"turn": 1}], [{"turn": 1, "sentence": "We", "content": "odd"}], "x"])
def test_model_that_fails_leaves_it_to_the_rules(
    bank: Bank, model: Callable[[object], list[object]], answer: object
) -> None:
    """C-02: a model that cannot be asked or makes no sense changes nothing."""
    model(answer)

    found = bank.extract(TALK)

    assert (found.by, len(found.candidates)) == ("rules", 1)


def test_long_talk_reaches_a_model_by_its_end(bank: Bank, model: Callable[[object], list[object]]) -> None:
    """What is too long to be asked loses its beginning."""
    asked = model([])
    turns = "".join(f"User: Sentence number {number} {'word ' * 2000}.\n" for number in range(10))

    bank.extract(turns)

    (given,) = asked
    assert isinstance(given, list)
    assert 0 < len(given) < 10
    assert given[-1]["turn"] == 10


def test_suggestion_comes_once_and_only_if_wanted(bank: Bank) -> None:
    """The stop of an agent says once that something is worth keeping; it is off by default."""
    bank.session("c1").saw_prompt("We never force push to main.")
    assert bank.suggestion("c1") == ""

    bank.set_setting("capture.suggest", "on")

    assert "We never force push to main." in bank.suggestion("c1")
    assert bank.suggestion("c1") == ""
    assert bank.suggestion("c2") == ""


def test_paused_bank_extracts_and_keeps_nothing(bank: Bank) -> None:
    """The state of the bank holds here too."""
    candidates = bank.extract(TALK).candidates
    bank.set_state(State.PAUSED)

    with pytest.raises(StateRefused):
        bank.keep(candidates, Context())


def test_project_suggests_first_notes(bank: Bank) -> None:
    """C-01: what the project says about itself, without what a guard objects to."""
    project = bank.root.parent
    (project / "README.md").write_text(
        f"# Shop\n\nThe shop sells books to people who read a lot.\n\n## Deployment\n\nUse the key {SECRET} there.\n",
        encoding="utf-8",
    )
    (project / "src").mkdir()
    (project / "src/app.py").write_text("", encoding="utf-8")

    found = bank.starters()

    assert [each.topic for each in found] == ["goals", "architecture"]
    (outcome, _) = bank.keep(found, Context(channel=Channel.TERMINAL), by_hand=True)
    assert bank.get(outcome.note_id).source == "init"
