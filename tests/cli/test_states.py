"""K-01: what each state of the bank allows, for every command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tests.cli.runner import Person, fingerprint, note_text, tacit, write

if TYPE_CHECKING:
    from pathlib import Path

ID = "MEM-state"
NEW = ("new", "--title", "T", "--when", "w", "--one-liner", "l")
WRITING = {
    "new": NEW,
    "edit": ("edit", ID),
    "tag": ("tag", ID, "x"),
    "move": ("move", ID, "--layer", "L2"),
    "archive": ("archive", ID),
    "delete": ("delete", ID),
    "restore": ("restore", "MEM-gone"),
    "trash empty": ("trash", "empty", "--days", "0"),
    "undo": ("undo",),
    "config": ("config", "language", "zh"),
    "purge": ("purge", ID),
    "task start": ("task", "start", "T"),
    "task note": ("task", "note", "T"),
    "task resume": ("task", "resume"),
    "task finish": ("task", "finish"),
    "task clear": ("task", "clear"),
}
READING = {
    "list": ("list",),
    "show": ("show", ID),
    "show a pointer": ("show", f"mem://L1/{ID}#title"),
    "trash list": ("trash", "list"),
    "log of a note": ("log", ID),
    "task list": ("task", "list"),
}
LOOKING = {
    "log": ("log",),
    "check": ("check",),
    "doctor": ("doctor",),
    "state": ("state",),
    "config": ("config",),
}
# What memory.lock holds → the state that it means.
LOCKS = {
    "OFF": (b"OFF\n", "OFF"),
    "PAUSED": (b"PAUSED\n", "PAUSED"),
    "PADDING": (b"PADDING\n", "PADDING"),
    "missing": (None, "PAUSED"),
    "garbage": (b"\xff\x00 maybe", "PAUSED"),
    "empty": (b"", "PAUSED"),
}
STATES = pytest.mark.parametrize("lock", LOCKS)


@pytest.fixture
def bank(root: Path) -> Path:
    """A bank with a note and a removed one."""
    for note_id in (ID, "MEM-gone"):
        write(root / f"L1_declarative/{note_id}.md", note_text(note_id))
    Bank.open(root).delete("MEM-gone")
    return root


def put(bank: Path, lock: str) -> str:
    """Let memory.lock be so; return the state that this means."""
    content, state = LOCKS[lock]
    if content is None:
        (bank / "memory.lock").unlink()
    else:
        (bank / "memory.lock").write_bytes(content)
    return state


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING)
@STATES
@pytest.mark.usefixtures("person")
def test_writing_is_refused_unless_on(
    bank: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], lock: str
) -> None:
    """In every state but ON a command that writes is refused, says the state, and changes nothing."""
    state = put(bank, lock)
    if lock in ("missing", "garbage", "empty"):
        monkeypatch.setattr("tacit.fsio.open_terminal", lambda: None)  # with one, the user would be asked
    before = fingerprint(bank)

    result = tacit(*words)

    assert (result.code, result.out) == (8, "")
    assert result.error_code == "state.refused"
    assert f"[memory: {state}]" in result.err
    assert "`tacit state on` turns it on." in result.err
    assert fingerprint(bank) == before


@pytest.mark.parametrize("words", WRITING.values(), ids=WRITING)
def test_nobody_is_asked_in_vain(bank: Path, person: Person, words: tuple[str, ...]) -> None:
    """A command that the state forbids says so before it asks a person or opens an editor."""
    put(bank, "PAUSED")

    assert tacit(*words).error_code == "state.refused"
    assert person.was_asked() == ""


@pytest.mark.parametrize("words", READING.values(), ids=READING)
@STATES
def test_reading_is_refused_when_off(bank: Path, words: tuple[str, ...], lock: str) -> None:
    """What a note says is shown in every state but OFF."""
    state = put(bank, lock)
    before = fingerprint(bank)

    result = tacit(*words)

    assert result.code == (8 if state == "OFF" else 0)
    assert ("[memory: OFF]" in result.err) == (state == "OFF")
    assert ("no state yet" in result.err) == (lock in ("missing", "garbage", "empty"))
    assert fingerprint(bank) == before


@pytest.mark.parametrize("words", LOOKING.values(), ids=LOOKING)
@STATES
def test_looking_at_the_bank_itself_works_in_every_state(bank: Path, words: tuple[str, ...], lock: str) -> None:
    """What tells about the bank and not what its notes say works whatever the state."""
    put(bank, lock)
    before = fingerprint(bank)

    assert tacit(*words).code == 0
    assert fingerprint(bank) == before


@STATES
def test_stale_index_is_left_alone_unless_on(bank: Path, lock: str) -> None:
    """I-02: only a bank that may be written is healed; otherwise the stale INDEX.md is reported."""
    write(bank / "L2_procedural/MEM-late.md", note_text("MEM-late"))
    put(bank, lock)
    before = fingerprint(bank)

    tacit("list")
    refused = tacit("check", "--fix")

    assert refused.error_code == "state.refused"
    assert tacit("check").code == 1
    assert fingerprint(bank) == before


@STATES
def test_any_state_can_be_left(bank: Path, lock: str) -> None:
    """`tacit state on` works in every state."""
    put(bank, lock)

    assert tacit("state", "on").out == "[memory: ON]\n"
    assert tacit(*NEW).code == 0


@pytest.mark.parametrize("lock", ["OFF", "PAUSED"])
def test_init_does_not_write_into_a_bank_at_rest(bank: Path, lock: str) -> None:
    """A bank that was turned off or paused is left alone by init too."""
    put(bank, lock)
    (bank / "README.md").unlink()
    before = fingerprint(bank)

    result = tacit("init", "--yes")

    assert (result.code, result.error_code) == (8, "state.refused")
    assert fingerprint(bank) == before


@pytest.mark.parametrize("lock", ["PADDING", "missing"])
def test_init_fills_a_bank_that_waits_for_it(bank: Path, lock: str) -> None:
    """While a bank is being filled init may write; where it has no state init sets ON."""
    put(bank, lock)
    (bank / "README.md").unlink()

    assert tacit("init", "--yes").code == 0
    assert (bank / "README.md").is_file()
    assert (bank / "memory.lock").read_text(encoding="utf-8").strip() == ("PADDING" if lock == "PADDING" else "ON")


@pytest.mark.parametrize("kind", ["directory", "symlink", "fifo"])
def test_state_that_is_no_file_is_paused(bank: Path, kind: str) -> None:
    """K-01: a memory.lock that cannot be read means PAUSED, and reading goes on."""
    lock = bank / "memory.lock"
    lock.unlink()
    if kind == "directory":
        lock.mkdir()
    elif kind == "symlink":
        lock.symlink_to(write(bank.parent / "elsewhere", "ON\n"))
    else:
        os.mkfifo(lock)
    before = fingerprint(bank)

    read, written = tacit("list"), tacit(*NEW)

    assert read.code == 0
    assert ID in read.out
    assert (written.code, written.error_code) == (8, "state.refused")
    assert fingerprint(bank) == before


@pytest.mark.parametrize("who", ["paused", "reader"])
def test_stale_index_that_may_not_be_healed_is_told(root: Path, monkeypatch: pytest.MonkeyPatch, who: str) -> None:
    """I-02: who may not heal INDEX.md says that it is stale; the next command that may write heals it."""
    stale = "INDEX.md is stale; the next command that may write heals it."
    if who == "paused":
        assert tacit("state", "paused").code == 0
    else:
        monkeypatch.setenv("TACIT_ROLE", "reader")
    assert tacit("list").err == ""
    assert stale not in tacit("status").out
    index = root / "INDEX.md"
    healthy = index.read_bytes()
    index.write_bytes(healthy + b"junk\n")

    listed, status = tacit("list"), tacit("status")

    assert listed.err == f"{stale}\n"
    assert stale in status.out
    assert index.read_bytes() != healthy
    monkeypatch.delenv("TACIT_ROLE", raising=False)
    assert tacit("state", "on").code == 0
    assert tacit("list").err == ""
    assert index.read_bytes() == healthy
