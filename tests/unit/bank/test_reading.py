"""Reading a bank: notes, texts, bodies, and what pointers lead to."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank, State, addresses
from tacit.errors import (
    BankNotFound,
    DuplicateId,
    FormatTooNew,
    NoteNotFound,
    NoteSyntaxError,
    PathRefused,
    PointerDangling,
    PointerRefused,
    SettingRefused,
)
from tacit.note.model import Kind, Layer, Note
from tests.cli.runner import fingerprint, note_text, write
from tests.unit.bank.conftest import note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_open_needs_a_bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-01: without a bank there is an error that names the place."""
    monkeypatch.delenv("TACIT_BANK", raising=False)
    monkeypatch.chdir(tmp_path)

    with pytest.raises(BankNotFound) as by_name:
        Bank.open(tmp_path / "nowhere")
    with pytest.raises(BankNotFound) as by_walking:
        Bank.open()

    assert "nowhere" in by_name.value.message
    assert f"{tmp_path} or above" in by_walking.value.message


def test_open_by_variable(bank: Bank, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-01: TACIT_BANK names the bank for Python too."""
    monkeypatch.setenv("TACIT_BANK", str(tmp_path))

    assert Bank.open().root == bank.root


def test_open_by_walking_up(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-01: the bank is found from a folder below."""
    monkeypatch.chdir(bank.root / "details")

    assert Bank.open().root == bank.root


def test_settings_that_vanish(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tacit.toml that goes away between looking and reading is no bank."""
    monkeypatch.setattr("tacit.fsio.read", lambda *_, **__: None)

    with pytest.raises(BankNotFound):
        Bank.open(bank.root)


@pytest.mark.parametrize(
    ("text", "error"), [(b"format = 2\n", FormatTooNew), (b"format\n", SettingRefused), (b"\xff", SettingRefused)]
)
def test_open_refuses_what_it_does_not_know(bank: Bank, text: bytes, error: type[Exception]) -> None:
    """B-03: a newer or unreadable format is refused, and nothing is changed."""
    (bank.root / "tacit.toml").write_bytes(text)
    before = fingerprint(bank.root)

    with pytest.raises(error):
        Bank.open(bank.root)

    assert fingerprint(bank.root) == before


def test_notes_are_those_of_l0_to_l2(bank: Bank) -> None:
    """Notes come by id, from the three layers that are listed, wherever their files lie there."""
    write(bank.root / "L0_core/values.md", "# Values\n")
    write(bank.root / "L3_episodic/EP-1.md", note_text("MEM-episode"))
    bank.add([note("MEM-b"), note("MEM-a", layer=Layer.PROCEDURAL)])

    assert [(each.id, each.layer) for each in bank.notes()] == [
        ("CORE-values", Layer.CORE),
        ("MEM-a", Layer.PROCEDURAL),
        ("MEM-b", Layer.DECLARATIVE),
    ]


def test_edits_by_hand_are_seen_at_once(bank: Bank) -> None:
    """Nothing is kept between calls: what a person saves is there in the next answer."""
    path = write(bank.root / "L1_declarative/hand.md", note_text("MEM-hand", "Before"))
    before = bank.get("MEM-hand").title
    write(path, note_text("MEM-hand", "After"))

    assert (before, bank.get("MEM-hand").title) == ("Before", "After")
    path.unlink()
    with pytest.raises(NoteNotFound):
        bank.get("MEM-hand")


def test_note_comes_back_whole(bank: Bank) -> None:
    """N-01: every field and section that was given comes back."""
    given = Note(
        id="MEM-whole",
        title="Whole",
        kind=Kind.TECH,
        tags=("a", "b"),
        when_to_load=("one", "two", "three"),
        one_liner="Do it.",
        decision="Because.",
        signals="Seen.",
        alternatives="Not that.",
        counter_signals="Unless.",
        fact="It happened.",
        principle="So do.",
        evidence="There.",
        pointers="mem://L1/MEM-whole",
    )
    bank.add([given])

    found = bank.get("MEM-whole")

    assert {name: getattr(found, name) for name in ("decision", "signals", "evidence", "tags", "when_to_load")} == {
        name: getattr(given, name) for name in ("decision", "signals", "evidence", "tags", "when_to_load")
    }
    assert (found.file, found.created) == ("L1_declarative/MEM-whole.md", "2026-01-02T03:04:05Z")


def test_text_and_body(bank: Bank) -> None:
    """The text is the file, the body what stands below the front matter; of a core document both are the file."""
    write(bank.root / "L1_declarative/hand.md", note_text())
    write(bank.root / "L0_core/values.md", "# Values\n")

    assert bank.text("MEM-hand") == note_text()
    assert bank.body("MEM-hand") == note_text().partition("---\n\n")[2].join(["\n", ""])
    assert bank.text("CORE-values") == bank.body("CORE-values") == "# Values\n"
    assert bank.get("CORE-values").title == "Values"


def test_locate_by_id_and_path(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note is found by its id, its path in the bank, its absolute path, and its path from here."""
    write(bank.root / "L2_procedural/by-hand.md", note_text("MEM-hand"))
    monkeypatch.chdir(bank.root / "L2_procedural")

    for name in ("MEM-hand", "L2_procedural/by-hand.md", str(bank.root / "L2_procedural/by-hand.md"), "./by-hand.md"):
        assert bank.locate(name) == "L2_procedural/by-hand.md"


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "L1_declarative/../../x", "a/../../../x"])
def test_path_outside_is_refused(bank: Bank, name: str) -> None:
    """A path that leaves the bank is refused, whether there is something or not."""
    with pytest.raises(PathRefused):
        bank.locate(name)


def test_broken_note_says_why(bank: Bank) -> None:
    """N-05: who asks for a broken note by its path or by the id in its name hears what is wrong with it."""
    write(bank.root / "L1_declarative/MEM-broken.md", "no note")

    for name in ("MEM-broken", "L1_declarative/MEM-broken.md"):
        with pytest.raises(NoteSyntaxError):
            bank.get(name)


def test_unknown_note_names_the_nearest(bank: Bank) -> None:
    """An unknown id is answered with the nearest one, if one is near."""
    bank.add([note("MEM-deploy")])
    write(bank.root / "L0_core/values.md", "# Values\n")

    with pytest.raises(NoteNotFound, match="nearest is MEM-deploy"):
        bank.get("MEM-deplay")
    with pytest.raises(NoteNotFound, match="nearest is CORE-values"):
        bank.get("CORE-value")
    with pytest.raises(NoteNotFound, match=r"no note zzz\."):
        bank.get("zzz")


def test_duplicate_ids_are_told_and_not_guessed(bank: Bank) -> None:
    """Two files with one id: the list shows the one that bears the name, asking for the id is refused, paths work."""
    write(bank.root / "L1_declarative/aaa.md", note_text("MEM-twice", "Other"))
    write(bank.root / "L2_procedural/MEM-twice.md", note_text("MEM-twice", "Named"))

    assert [each.title for each in bank.notes()] == ["Named"]
    with pytest.raises(DuplicateId) as caught:
        bank.get("MEM-twice")
    assert caught.value.details["winner"] == "L2_procedural/MEM-twice.md"
    assert bank.get("L1_declarative/aaa.md").title == "Other"
    assert [problem.code for problem in bank.check()[1]] == ["id.duplicate", "index.stale"]


# ── pointers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def pointed(bank: Bank) -> Bank:
    """A bank with a note that has sections of its own, in Chinese too."""
    text = note_text("MEM-p", "Pointed", tags="[a, b]") + (
        "\n### Signals\n\nYou see it.\n\n## My Own Section\n\nOwn.\n\n## 数据库 迁移\n\n先写回滚脚本。\n"
    )
    write(bank.root / "L2_procedural/MEM-p.md", text)
    write(bank.root / "L0_core/values.md", "# Values\n")
    return bank


@pytest.mark.parametrize(
    ("pointer", "text"),
    [
        ("mem://L2/MEM-p#title", "Pointed"),
        ("mem://procedural/MEM-p#TITLE", "Pointed"),
        ("mem://L2_procedural/MEM-p#tags", "a\nb"),
        ("mem://L2/MEM-p#one-liner", "Test it."),
        ("mem://L2/MEM-p#when-to-load", "- when testing"),
        ("mem://L2/MEM-p#signals", "You see it."),
        ("mem://L2/MEM-p#my-own-section", "Own."),
        ("mem://L2/MEM-p#数据库-迁移", "先写回滚脚本。"),
        ("mem://L2/MEM-p#status", "active"),
        ("mem://L0/CORE-values", "# Values\n"),
    ],
)
def test_pointer_leads_to_a_section_or_field(pointed: Bank, pointer: str, text: str) -> None:
    """Z-01: sections and fields are addressed by their names, known or not, in any script."""
    assert pointed.resolve(pointer) == text


def test_pointer_without_path_leads_to_the_note(pointed: Bank) -> None:
    """Z-01: a pointer without a path is the note."""
    assert pointed.resolve("mem://L2/MEM-p") == pointed.text("MEM-p")


@pytest.mark.parametrize(
    ("pointer", "nearest"),
    [
        ("mem://L2/MEM-q", "; the nearest is mem://L2/MEM-p"),
        ("mem://L1/MEM-p#title", "; mem://L2/MEM-p#title does"),
        ("mem://L2/MEM-p#signal", "; the nearest is signals"),
        ("mem://L2/MEM-p#zzzzzz", "; the nearest is mem://L2/MEM-p"),
        ("mem://L1/MEM-zzzzzzzzzzzzzzzz", "; the nearest is mem://L2/MEM-p"),
        ("mem://L0/CORE-valuez", "; the nearest is mem://L0/CORE-values"),
        ("mem://L0/CORE-values#title", "; the nearest is mem://L0/CORE-values"),
        ("mem://L4/a-task-with-a-long-name", ""),
    ],
)
def test_dangling_pointer_names_the_nearest(pointed: Bank, pointer: str, nearest: str) -> None:
    """Z-01: a pointer that leads nowhere is an error with the nearest target that exists."""
    with pytest.raises(PointerDangling) as caught:
        pointed.resolve(pointer)

    assert caught.value.details["nearest"] == nearest


@pytest.mark.parametrize(
    "text", ["mem://", "mem://L1", "mem://L5/MEM-a", "mem://L1/../a", "mem://L0/MEM-a", "L1/MEM-a"]
)
def test_no_pointer_at_all(pointed: Bank, text: str) -> None:
    """Z-01: a text that is no pointer is refused with what a pointer looks like."""
    with pytest.raises(PointerRefused):
        pointed.resolve(text)


# ── state ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("content", [b"", b"\xff", b"maybe", None])
def test_unreadable_state_is_paused(bank: Bank, content: bytes | None) -> None:
    """K-01: a missing or unreadable state means PAUSED, and that there is none is known."""
    (bank.root / "memory.lock").unlink()
    if content is not None:
        (bank.root / "memory.lock").write_bytes(content)

    assert (bank.state, bank.has_state) == (State.PAUSED, False)


@pytest.mark.parametrize("content", [b"ON", b" on \n", b"On\r\n"])
def test_state_is_read_leniently(bank: Bank, content: bytes) -> None:
    """K-01: a person may write the state by hand."""
    (bank.root / "memory.lock").write_bytes(content)

    assert (bank.state, bank.has_state) == (State.ON, True)


@pytest.mark.parametrize(
    ("state", "reads", "writes", "inits"),
    [
        (State.ON, True, True, True),
        (State.OFF, False, False, False),
        (State.PAUSED, True, False, False),
        (State.PADDING, True, False, True),
    ],
)
def test_what_a_state_allows(state: State, *, reads: bool, writes: bool, inits: bool) -> None:
    """K-01: ON reads and writes, OFF neither, PAUSED reads, PADDING lets only init and import write."""
    assert (state.may_read, state.may_write("new")) == (reads, writes)
    assert state.may_write("init") == state.may_write("import") == inits


# ── opening heals ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_opening_heals_a_stale_index(bank: Bank, reopen: Callable[[], Bank]) -> None:
    """I-02: a missing or stale INDEX.md is right again after the next open, and the log says so."""
    write(bank.root / "L1_declarative/hand.md", note_text())
    (bank.root / "INDEX.md").unlink()

    reopen()

    assert "MEM-hand" in (bank.root / "INDEX.md").read_text(encoding="utf-8")
    assert (bank.log()[-1].event, bank.log()[-1].operation) == ("memory_index_updated", "heal")
    assert not bank.heal()


def test_opening_leaves_a_merge_alone(bank: Bank, reopen: Callable[[], Bank]) -> None:
    """I-03: while git waits for a merge to be finished nothing is healed under its hands."""
    write(bank.root.parent / ".git/MERGE_HEAD", "0" * 40)
    write(bank.root / "L1_declarative/hand.md", note_text())
    before = fingerprint(bank.root)

    reopen().notes()

    assert fingerprint(bank.root) == before


def test_opening_without_healing_writes_nothing(bank: Bank) -> None:
    """I-02: who only looks may leave a stale INDEX.md as it is."""
    write(bank.root / "L1_declarative/hand.md", note_text())
    before = fingerprint(bank.root)

    assert [each.id for each in Bank.open(bank.root, heal=False).notes()] == ["MEM-hand"]
    assert fingerprint(bank.root) == before


def test_one_question_is_answered_from_one_look(bank: Bank) -> None:
    """A process that opens a bank to ask one thing is answered from the look that opening took; after writing, anew."""
    bank.add([note("MEM-a")])
    opened = Bank.open(bank.root, one_question=True)
    write(bank.root / "L1_declarative/late.md", note_text("MEM-late"))

    first = opened.notes()
    opened.tag("MEM-a", add=["x"])
    later = opened.notes()

    assert [each.id for each in first] == ["MEM-a"]
    assert [each.id for each in later] == ["MEM-a", "MEM-late"]


def test_index_that_somebody_else_healed(bank: Bank, reopen: Callable[[], Bank]) -> None:
    """I-02: where another process was faster there is nothing left to heal, and nothing to log."""
    write(bank.root / "L1_declarative/hand.md", note_text())
    seen = bank._store.look()
    reopen()
    lines = len(bank.log())
    bank._store.look = lambda **_: replace(seen, seen={})  # type: ignore[method-assign]

    assert not bank.heal()
    assert len(bank.log()) == lines


def test_note_that_keeps_moving(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note that is never where it was found a moment ago is not found, after a bounded number of looks."""
    bank.add([note("MEM-a")])
    monkeypatch.setattr(addresses, "locate", lambda *_: "L1_declarative/MEM-away.md")

    with pytest.raises(NoteNotFound):
        bank.get("MEM-a")


def test_unreadable_index_stops_no_reader(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """An INDEX.md without permission is reported by check; reading goes on."""
    bank.add([note("MEM-a")])
    real = os.open

    def refuse(path: str | os.PathLike[str], flags: int, *more: int) -> int:
        if os.fspath(path).endswith(".memory/INDEX.md"):
            raise PermissionError(13, "Permission denied", os.fspath(path))
        return real(path, flags, *more)

    monkeypatch.setattr(os, "open", refuse)

    assert not bank.heal()
    assert [each.id for each in Bank.open(bank.root).notes()] == ["MEM-a"]
    assert [(problem.code, problem.file) for problem in bank.check()[1]] == [("store.io", "INDEX.md")]
