"""Search, health, audit, tasks and the frame around them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.audit.record import Assurance, Channel, Event
from tacit.bank import Bank, By
from tacit.messages import answered_by, page, speaking
from tacit.note.model import Audience, Kind, Level, Note, Origin, Scope, Status, Strength, Timing
from tacit.web.visit import language_of
from tests.web.visitors import Visitor, text_of

if TYPE_CHECKING:
    from enum import StrEnum

# ── Search ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_search_explains_both_paths_and_phases(visitor: Visitor) -> None:
    """F-07: both paths' scores, the threshold, and what would be said in each phase and why."""
    page = visitor.get("/search?words=adding+a+package+with+npm").text
    said = text_of(page)

    assert "Before the agent acts Remembered notes (data, not instructions):" in said
    assert "After it wrote files Nothing would be said: nothing fits well enough." in said
    assert "Answering by keywords alone." in said
    assert 'aria-label="Evidence: ' in page
    assert "threshold 1.00" in page
    assert page.count('class="mark"') == 2 * page.count('<th scope="row">')
    assert "before: yes after: no, it is for the other phase" in said


def test_search_says_by_what_it_answers(visitor: Visitor) -> None:
    """Q-07: the paths that answer are named in the reader's language, with models or without."""
    chinese = {"Accept-Language": "zh"}
    assert "检索方式：仅关键词。" in visitor.get("/search?words=package", headers=chinese).text

    with speaking("zh"):
        assert answered_by("keywords and quick, slow") == "关键词和 quick, slow"


def test_search_tells_why_a_note_is_not_said(visitor: Visitor) -> None:
    """F-07: an archived note is found and said to be left out."""
    said = visitor.see("/search?words=Deploy+on+Fridays")

    assert "Deploy on Fridays" in said
    assert "before: no, it is archived" in said


@pytest.mark.parametrize("words", ["", "%20", "!!!", "x" * 5000, "%22%20OR%20*", "NEAR("])
def test_search_takes_anything(visitor: Visitor, words: str) -> None:
    """F-05: no words make search fail."""
    assert visitor.get(f"/search?words={words}").status_code == 200


def test_search_is_not_counted_as_use(bank: Bank, visitor: Visitor) -> None:
    """H-03: looking at recall on the page is no recall."""
    visitor.get("/search?words=adding+a+package")

    assert bank.stats().recalls == 0


# ── Health ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_health_shows_numbers_and_pictures(bank: Bank, visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """H-03: growth, recalls, silences, answers, notes never recalled and tokens, as pictures with their numbers."""
    bank.recall("adding a package with pnpm", session="s")
    bank.recall("the weather of tomorrow", session="s")
    visitor.answer(questions[0], "confirm")
    visitor.answer(questions[1], "cancel")

    page = visitor.get("/health").text
    said = text_of(page)

    assert "notes 5" in said
    assert "questions waiting 1" in said
    assert "prompts looked up 2" in said
    assert "of them silent 1" in said
    assert "Never recalled Notes that no prompt has found yet: 3" in said
    assert "confirmed 1" in said
    assert "declined 1" in said
    assert re.search(r'<svg class="chart"[^>]*aria-label="Notes over time, from 5 to 5', page)
    assert 'aria-label="Prompts looked up: 2; of them in silence: 1"' in page


@pytest.fixture
def looked(visitor: Visitor) -> Visitor:
    """A visitor whose long looks have been taken once."""
    visitor.get("/health")
    assert visitor.slow.idle.wait(60)
    return visitor


def test_health_finds_what_is_wrong(bank: Bank, visitor: Visitor) -> None:
    """U-01: stale pointers, broken notes and drift are found, without making anybody wait."""
    note = bank.root / bank.locate("MEM-reindex1")
    note.write_text(note.read_text(encoding="utf-8") + "\nmem://L1/MEM-nowhere1\n", encoding="utf-8")
    (bank.root / "details/tech.md").write_text("# Tech\n\nUse `make tests`.\n", encoding="utf-8")
    (bank.root.parent / "Makefile").write_text("test:\n", encoding="utf-8")
    (bank.root / "L1_declarative/MEM-broken01.md").write_text("no front matter\n", encoding="utf-8")
    first = visitor.see("/health")
    assert visitor.slow.idle.wait(60)

    then = visitor.see("/health")

    assert "Looking …" in first
    assert "pointer.dangling" in then
    assert "details/tech.md:3" in then
    assert "note.syntax L1_declarative/MEM-broken01.md:1: a note begins with" in then
    assert "Looking" not in then


def test_health_finds_notes_that_say_the_same_or_clash(bank: Bank, visitor: Visitor) -> None:
    """U-01: duplicates and conflicts are told with their notes, in the reader's language, before anybody governs."""
    bank.remember("in CI, cache dependencies with the lock file as the key")
    double = replace(bank.get(bank.notes()[-1].id), id="", file="")
    bank.add([double])
    visitor.get("/health")
    assert visitor.slow.idle.wait(60)

    page = visitor.get("/health").text

    assert "They say the same about the same situation." in text_of(page)
    assert all(f'href="/notes/{each.id}"' in page for each in bank.notes() if each.title == double.title)


def test_health_is_well(looked: Visitor) -> None:
    """U-01: a bank without faults says so."""
    said = looked.see("/health")

    assert "No problem was found." in said
    assert "The documents say what the project says." in said


def test_state_is_switched(bank: Bank, visitor: Visitor) -> None:
    """K-01: the state is changed on the page, and the log says through which door."""
    said = visitor.press("/state", {"state": "PADDING"})

    assert "[memory: PADDING]" in said
    assert bank.log()[-1].channel == "web"
    assert visitor.post("/state", {"state": "AWAY"}).status_code == 400


def test_fresh_clone_says_that_it_has_no_state(bank: Bank, visitor: Visitor) -> None:
    """B-06: a bank without a state reads, and says why it does not write."""
    (bank.root / "memory.lock").unlink()

    assert "This bank has no state yet" in visitor.see("/health")


def test_link_for_another_browser(visitor: Visitor) -> None:
    """U-01: who is in can let another browser of theirs in, once."""
    page = visitor.post("/link", {}).text
    link = re.search(r"http://127\.0\.0\.1:\d+(/open\?key=[\w-]+)", page)
    assert link is not None

    assert visitor.browser().get(link[1]).status_code == 200
    assert visitor.browser().get(link[1]).status_code == 403


# ── Audit and tasks ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_audit_tells_who_did_what(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """A-03: each operation with its door, the last first, and whether the chain is whole."""
    visitor.answer(questions[0], "confirm")

    said = visitor.see("/audit")

    assert "the chain is whole" in said
    assert "on this page (a person was asked) Note written" in said
    assert said.index("on this page (") < said.rindex("Bank made")


@pytest.mark.parametrize(
    ("query", "expected"),
    [("event=memory_bank_created", 1), ("channel=web", 0), ("words=MEM-reindex1", 1), ("page=9", 4)],
)
def test_audit_is_narrowed_down(visitor: Visitor, query: str, expected: int) -> None:
    """A-03: the log can be looked through by event, door and words."""
    assert visitor.get(f"/audit?{query}").text.count("data-row") == expected


def test_damaged_log_is_told(bank: Bank, visitor: Visitor) -> None:
    """A-02: a changed line shows."""
    log = next((bank.root / ".local/audit").iterdir())
    log.write_bytes(log.read_bytes().replace(b"MEM-reindex1", b"MEM-reindex2", 1))

    assert "The log is not what was written" in visitor.see("/audit")


def test_operation_shows_its_changes_and_the_way_back(bank: Bank, visitor: Visitor) -> None:
    """A-03: an operation shows its diffs, and can be undone from there."""
    bank.tag("MEM-reindex1", add=["indexing"], by=By(Channel.TERMINAL))
    operation = bank.log()[-1].operation_id

    page = visitor.get(f"/audit/{operation}").text

    assert "indexing" in text_of(page)
    assert "Undo this operation" in page
    visitor.press("/undo", {"operation": operation})
    assert bank.get("MEM-reindex1").tags == ("cache",)
    assert visitor.get("/audit/OP-nothing1").status_code == 404


def test_tasks_and_episodes(bank: Bank, visitor: Visitor) -> None:
    """L-04: running tasks show what they hold; finished ones can be read."""
    task = bank.tasks.start("adding with pnpm")
    bank.tasks.note("When adding a lock file, never edit it by hand.")
    said = visitor.see("/tasks")
    assert "adding with pnpm" in said
    assert "running" in said
    assert "never edit it by hand" in visitor.see(f"/tasks/{task.id}")

    done = bank.tasks.finish(defer=True)

    assert done.episode in visitor.see("/tasks")
    assert "never edit it by hand" in visitor.see(f"/tasks/{done.episode}")
    assert visitor.get("/tasks/T-nothing1").status_code == 404


# ── Around the views ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("chosen", "accepted", "expected"),
    [
        ("", "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("", "en-GB,en;q=0.9,zh;q=0.5", "en"),
        ("", "fr,zh;q=0.4,en;q=0.9", "en"),
        ("", "de-DE,de", "auto"),
        ("", "", "auto"),
        ("", "zh;q=0, en;q=0.1", "en"),
        ("", "zh;q=1.2.3, ;;,=,", "auto"),
        ("en", "zh-CN", "en"),
        ("nonsense", "zh-CN", "zh"),
    ],
)
def test_language_follows_the_choice_then_the_browser(chosen: str, accepted: str, expected: str) -> None:
    """Q-07: the page speaks as was chosen on it, else as the browser asks."""
    assert language_of(chosen, accepted) == expected


def test_browser_beats_the_environment(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-07: who reads in Chinese gets Chinese, questions and errors too, whatever the machine prefers."""
    monkeypatch.setenv("TACIT_LANG", "en")

    page = visitor.get("/", headers={"Accept-Language": "zh-CN"}).text
    error = visitor.get("/notes/MEM-nowhere1", headers={"Accept-Language": "zh-CN"}).text

    assert '<html lang="zh-CN"' in page
    assert "没有等待回答的问题" in page
    assert "没有成功" in error


def test_language_is_chosen_and_kept(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """Q-07: the switch changes the language of everything, and the browser remembers it."""
    sent = visitor.post("/language", {"language": "zh", "back": f"/inbox/{questions[0]}"})
    assert sent.headers["location"] == f"/inbox/{questions[0]}"

    said = visitor.see(sent.headers["location"])

    assert "你的原话" in said
    assert "要记住" in said
    assert visitor.post("/language", {"language": "fr"}).status_code == 400


def test_theme_is_chosen_and_kept(visitor: Visitor) -> None:
    """U-01: light, dark, or as the system has it."""
    assert 'data-theme="auto"' in visitor.get("/").text
    visitor.post("/theme", {"theme": "dark", "back": "/notes"})

    assert 'data-theme="dark"' in visitor.get("/").text


def test_a_switch_leads_back_to_what_was_looked_at(visitor: Visitor) -> None:
    """U-01: language and theme change without losing a search, a filter or a page; what was sent is not sent again."""
    assert 'name="back" value="/notes?kind=tech&amp;page=2"' in visitor.get("/notes?kind=tech&page=2").text
    assert 'name="back" value="/?"' in visitor.post("/link", {}).text
    assert visitor.post("/theme", {"theme": "dark", "back": "/search?words=a+b"}).headers["location"] == (
        "/search?words=a+b"
    )


@pytest.mark.parametrize(
    "words", [Assurance, Audience, Channel, Event, Kind, Level, Origin, Scope, Status, Strength, Timing]
)
def test_whatever_is_shown_has_a_word(words: type[StrEnum]) -> None:
    """Q-07: nothing that stands in a note or the log is shown by its name in the files, in neither language."""
    wanted = {f"{words.__name__.lower()}.{each}" for each in words}

    assert wanted <= page.TEXTS.keys()


def test_what_was_told_is_told_to_this_browser_alone(visitor: Visitor, questions: tuple[str, str, str]) -> None:
    """U-01: an address cannot make the page say that something was done."""
    sent = visitor.post("/state", {"state": "ON"})
    other = visitor.browser()
    other.get(visitor.door.new_link())

    assert "[memory: ON]" in visitor.get(sent.headers["location"]).text
    assert "[memory: ON]" not in other.get(sent.headers["location"]).text
    assert len(questions) == 3


def test_many_answers_do_not_pile_up(visitor: Visitor) -> None:
    """X-05: what is kept of a session is bounded."""
    for _ in range(40):
        visitor.post("/state", {"state": "ON"})

    session = next(iter(visitor.door._sessions.values()))
    assert len(session.told) == 32


def test_operation_on_many_notes_says_what_it_does_not_show(bank: Bank, visitor: Visitor) -> None:
    """X-05: of an operation on many notes a few differences are shown, and how many lines are left out."""
    notes = [Note(id="", title=f"Service {n}", when_to_load=(f"calling {n}",), one_liner="Wait.") for n in range(60)]
    page = visitor.get(f"/audit/{bank.add(notes).operation_id}").text

    assert page.count('class="diff-frame"') == 6  # the front matter stands apart
    assert "… and 10 more" in text_of(page)
