"""The inbox: what is shown of a question, and what each answer does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank, Context
from tacit.errors import ProposalNotFound
from tacit.web.inbox import evidence
from tests.web.visitors import RULE, SAID, text_of, uv_payload

if TYPE_CHECKING:
    from tests.web.visitors import Visitor


def test_question_with_all_that_it_rests_on(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: a proposal shows its question, the diff, the user's words, the scorecard and the neighbours."""
    new, *_ = questions

    page = visitor.get(f"/inbox/{new}").text
    said = text_of(page)

    assert "Remember “writing SQL: always put keywords in capitals”?" in said
    assert "The agent is not fully sure." in said
    assert f"<mark>{SAID[:RULE]}</mark>" in page
    assert "## One-liner" in said
    assert "decision gain 2" in said
    assert "when writing a migration" in said
    assert "unrelated" in said
    assert "Yes, do it y" in said


def test_newest_question_stands_first(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: the inbox lists every proposal and opens the first one."""
    page = visitor.get("/").text

    listed = re.findall(r'data-row[^>]*>|href="/inbox/(P-\w+)"', page)
    assert {one for one in listed if one} == set(questions)
    assert page.count('aria-current="true"') == 1


def test_merge_is_shown_side_by_side(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: what a merge changes is marked by words."""
    page = visitor.get(f"/inbox/{questions[2]}").text

    assert "<ins>" in page
    assert '<tr class="changed">' in page


def test_yes_writes_the_note_as_the_users_word(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """Q-03: an answer on the page is the user's, through the channel `web`; it can be undone right after."""
    said = visitor.answer(questions[0], "confirm")

    note = next(one for one in bank.notes() if "in capitals" in one.title)
    assert note.confirmed.startswith("web ")
    answered = [one for one in bank.log() if one.event == "memory_proposal_answered"]
    assert [(one.channel, one.assurance) for one in answered] == [("web", "terminal")]
    assert "Done: New: writing SQL: always put keywords in capitals" in said
    assert "Undo u" in said


def test_undo_takes_an_answer_back(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: undo right after an answer leaves the bank as it was."""
    before = {one.id for one in bank.notes()}
    page = visitor.post("/answer", fields_of(visitor, questions[0], "confirm"))
    told = visitor.get(page.headers["location"]).text
    operation = re.search(r'name="operation" value="(OP-\w+)"', told)
    assert operation is not None

    said = visitor.press("/undo", {"operation": operation[1]})

    assert f"Taken back: {operation[1]}" in said
    assert {one.id for one in bank.notes()} == before
    assert bank.log()[-1].channel == "web"


def test_no_can_be_taken_back_too(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: a question that was declined can be let wait again, and be answered with yes."""
    new = questions[0]
    said = visitor.answer(new, "cancel")
    assert "Left as it was: writing SQL: always put keywords in capitals." in said
    assert new not in {one.proposal_id for one in bank.pending()}

    said = visitor.press("/again", {"proposal": new})

    assert "The question waits again." in said
    waiting = {one.proposal_id for one in bank.pending()}
    (again,) = waiting - set(questions)
    assert "Done" in visitor.answer(again, "confirm")


def test_only_what_was_declined_here_waits_again(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """A proposal that this page did not decline cannot be brought back."""
    assert visitor.post("/again", {"proposal": questions[0]}).status_code == 404


@pytest.mark.parametrize("option", ["take_new", "keep_old", "both", "cancel"])
def test_every_answer_to_a_conflict(visitor: Visitor, bank: Bank, questions: tuple[str, str, str], option: str) -> None:
    """G-02: each answer of a conflict does what its button says."""
    visitor.answer(questions[1], option)

    titles = [one.title for one in bank.notes()]
    assert ("adding a package: use npm" in titles) == (option in ("take_new", "both"))
    assert ("When adding a package: use pnpm instead of npm" in titles) == (option != "take_new")


def test_after_an_answer_the_next_question_follows(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: answering one question after the other needs no other click."""
    waiting = re.findall(r'href="/inbox/(P-\w+)"', visitor.get("/").text)

    sent = visitor.post("/answer", fields_of(visitor, waiting[0], "cancel"))

    assert sent.headers["location"].startswith(f"/inbox/{waiting[1]}?told=")
    assert set(waiting) == set(questions)


def test_second_answer_is_told(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """Q-04: two browsers answer the same question: one wins, the other is told, and nothing is done twice."""
    fields = fields_of(visitor, questions[0], "confirm")
    visitor.post("/answer", fields)
    lines = len(bank.log())

    said = visitor.press("/answer", {**fields, "option": "cancel"})

    assert f"{questions[0]} was already answered elsewhere" in said
    assert any("in capitals" in one.title for one in bank.notes())
    assert {one.event for one in bank.log()[lines:]} <= {"memory_answer_refused"}


def test_what_was_not_shown_is_not_answered(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """Q-04: an answer is bound to the digest of what was shown; without it, or with another, nothing is done."""
    for shown in ("", "0" * 64):
        sent = visitor.post("/answer", {"proposal": questions[0], "option": "confirm", "shown": shown})
        assert sent.status_code == 409
    assert len(bank.pending()) == 3


def test_changed_bank_asks_again(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """Q-05: if the bank changed meanwhile the question is asked anew, and the page shows it."""
    fields = fields_of(visitor, questions[2], "confirm")
    old = next(one for one in bank.notes() if "pnpm" in one.title)
    bank.set_fields(old.id, "tag", tags=("packages",))

    said = visitor.press("/answer", fields)

    assert "The bank has changed since." in said
    assert not any("shared with CI" in one.title for one in bank.notes())


def test_an_act_on_what_is_gone_is_put_aside(bank: Bank, visitor: Visitor) -> None:
    """Q-05: the page says why a question waits no more; nobody has answered it elsewhere."""
    old = next(one for one in bank.notes() if "pnpm" in one.title)
    fields = fields_of(visitor, bank.propose_act("archive", old.id), "confirm")
    bank.delete(old.id)

    said = visitor.press("/answer", fields)

    assert "it was put aside, because the bank has changed since" in said
    assert "elsewhere" not in said


def test_unknown_option_changes_nothing(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """Q-02: meaning hangs on ids; one that the question does not offer is refused."""
    assert visitor.post("/answer", fields_of(visitor, questions[0], "both")).status_code == 400
    assert visitor.post("/answer", fields_of(visitor, questions[0], "show_diff")).status_code == 303
    assert len(bank.pending()) == 3


def test_act_that_waits_is_shown(bank: Bank, visitor: Visitor) -> None:
    """U-01: a delete that somebody asked for without a terminal can be answered here."""
    proposal = bank.propose_act("delete", "MEM-reindex1")

    assert "Move “缓存失效时重建索引”" in visitor.see(f"/inbox/{proposal}")
    visitor.answer(proposal, "confirm")

    assert "MEM-reindex1" not in {one.id for one in bank.notes()}


def test_empty_inbox_says_so(visitor: Visitor) -> None:
    """C-05: an inbox without questions says what will come there."""
    assert "No question is waiting" in visitor.see("/")


def test_proposal_that_never_was(visitor: Visitor) -> None:
    """A proposal that is not there is told as such."""
    page = visitor.get("/inbox/P-never")

    assert page.status_code == 404
    assert ProposalNotFound.code in page.text


def test_page_is_as_sure_as_the_terminal(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """Q-04: where the settings ask for the most that can be set, an answer on the page still counts."""
    bank.set_setting("gate.new", "terminal")

    assert "Done" in visitor.answer(questions[0], "confirm")


def test_many_questions_come_in_pages(bank: Bank, visitor: Visitor) -> None:
    """X-05: a list that grows is cut into pages."""
    for number in range(52):
        bank.propose(
            [
                {
                    **uv_payload(),
                    "scene": f"adding dependency number {number}",
                    "choice": f"use tool{number}",
                    "principles": [f"use tool{number}"],
                }
            ]
        )
    waiting = len(bank.pending())
    assert waiting > 50

    first, second = visitor.get("/").text, visitor.get("/?page=2").text

    assert (first.count("data-row"), second.count("data-row")) == (50, waiting - 50)
    assert visitor.get("/?page=9").text.count("data-row") == waiting - 50  # the last one, where there are no more
    (*_, oldest) = re.findall(r'href="(/inbox/[^"]+)" data-row', second)
    assert f'href="{oldest}" data-row aria-current="true"' in visitor.get(oldest).text


@pytest.mark.parametrize(
    ("text", "spans", "choice", "expected"),
    [
        ("Use uv. Then lunch.", [{"start": 0, "end": 7}], "use uv", ["Use uv."]),
        ("Use uv. Then lunch.", [], "use uv", ["Use uv."]),
        ("Use uv. Then lunch.", [{"start": 0, "end": 19}], "use uv", ["Use uv."]),
        ("Use uv. Then lunch.", [{"start": 5, "end": 99}, {"start": "a"}, 7], "use uv", ["Use uv."]),
        ("先吃饭。以后都用 uv 装包。", [], "用 uv", ["以后都用 uv 装包。"]),
        ("Nothing alike.", [], "用 uv", []),
    ],
)
def test_evidence_is_found_in_the_words(text: str, spans: list[object], choice: str, expected: list[str]) -> None:
    """U-01: the quoted place is marked; where all or nothing is quoted, the sentence nearest to the choice."""
    assert [text[start:end] for start, end in evidence(text, spans, choice)] == expected


def fields_of(visitor: Visitor, proposal: str, option: str) -> dict[str, str]:
    """Return the form of an answer as the page shows it."""
    shown = re.search(r'name="shown" value="(\w+)"', visitor.get(f"/inbox/{proposal}").text)
    assert shown is not None
    return {"proposal": proposal, "option": option, "shown": shown[1]}


def test_question_of_the_personal_bank(bank: Bank, visitor: Visitor) -> None:
    """Y-02: what is for the user alone is asked on the page of any project, answered there, and taken back there."""
    (outcome,) = bank.propose([{**uv_payload(), "apply": "personal"}], Context("talk"))
    personal = Bank.open(outcome.bank)

    assert "Remember “writing SQL: always put keywords in capitals”?" in visitor.see(f"/inbox/{outcome.proposal_id}")
    assert "questions waiting 1" in visitor.see("/health")
    visitor.answer(outcome.proposal_id, "cancel")
    visitor.press("/again", {"proposal": outcome.proposal_id})
    (again,) = personal.pending()
    said = visitor.answer(again.proposal_id, "confirm")

    assert "Done: New" in said
    assert [one.title for one in personal.notes()] == ["writing SQL: always put keywords in capitals"]
    written = visitor.see(f"/notes/{personal.notes()[0].id}")
    assert f"A note of another bank; to change it add `--bank {personal.root}`." in written
    assert "Move to the trash" not in written
    visitor.press("/undo", {"operation": personal.log()[-1].operation_id})
    assert personal.notes() == []
