"""Taking back: history, undo, restore, and the two acts that destroy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.audit.record import Channel
from tacit.bank import Bank, By, State
from tacit.errors import IdRefused, NoteNotFound, OperationNotFound, TrashPartGone, UndoBlocked
from tacit.note.model import Layer
from tests.cli.runner import fingerprint, note_text, write
from tests.files import holders
from tests.unit.bank.conftest import Clock, note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE = "L1_declarative/MEM-a.md"


@pytest.fixture
def kept(bank: Bank) -> Bank:
    """A bank with a note MEM-a."""
    bank.add([note("MEM-a", "First")])
    return bank


def events(bank: Bank) -> list[tuple[str, str]]:
    """Operation and event of each line of the log."""
    return [(entry.operation, entry.event.removeprefix("memory_")) for entry in bank.log()]


# ── history ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_log_tells_the_life_of_a_note(kept: Bank, clock: Clock) -> None:
    """A-03: each operation on a note is told with what it changed, through move, removal and return."""
    for act in (
        lambda: kept.tag("MEM-a", add=["x"]),
        lambda: kept.move("MEM-a", Layer.PROCEDURAL),
        lambda: kept.delete("MEM-a"),
        lambda: kept.restore("MEM-a"),
    ):
        clock.now = clock.now.replace("-02T", "-03T")
        act()

    life = kept.log("MEM-a", diffs=True)

    assert [entry.operation for entry in life] == ["create", "tag", "move", "delete", "restore"]
    created, tagged, moved, deleted, restored = (entry.diff for entry in life)
    assert "+title: First" in created
    assert "+  - x" in tagged
    assert "-title: First" in moved
    assert "+title: First" in moved
    assert "-title: First" in deleted
    assert "+title: First" in restored
    assert [entry.diff for entry in kept.log("MEM-a")] == [""] * 5


def test_log_of_the_bank_with_diffs(kept: Bank) -> None:
    """Operations that are about no note have no difference to tell."""
    kept.set_state(State.ON)
    kept.set_setting("language", "zh")

    life = kept.log(diffs=True)

    assert [(entry.operation, bool(entry.diff)) for entry in life] == [
        ("init", False),
        ("create", True),
        ("config", False),
    ]


def test_log_says_what_is_no_longer_kept(kept: Bank) -> None:
    """A-03: where the trash was emptied the life is still told, without the differences."""
    kept.tag("MEM-a", add=["x"])
    kept.empty_trash(days=0)
    kept.set_setting("language", "zh")

    assert [entry.diff for entry in kept.log("MEM-a", diffs=True)] == ["(no longer kept)"] * 2
    assert [entry.diff for entry in kept.log(diffs=True) if not entry.note_id] == [""] * 3


def test_log_with_a_part_that_is_gone(kept: Bank) -> None:
    """A part that somebody removed from the trash is told as such, and the rest goes on."""
    kept.tag("MEM-a", add=["x"])
    for part in kept.root.glob(".trash/tx-*/[0-9]*"):
        part.unlink()

    assert [entry.diff for entry in kept.log("MEM-a", diffs=True)][-1] == "(no longer kept)"


# ── undo ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_undo_reverses_each_kind_of_operation(kept: Bank) -> None:
    """A-03: add, tag, move, delete, state and settings are taken back to the same bytes."""
    write(kept.root / "tacit.toml", "# mine\nformat = 1\n")
    for act in (
        lambda: kept.add([note("MEM-b"), note("MEM-c")]),
        lambda: kept.tag("MEM-a", add=["x"]),
        lambda: kept.archive("MEM-a"),
        lambda: kept.move("MEM-a", Layer.PROCEDURAL),
        lambda: kept.delete("MEM-a"),
        lambda: kept.set_setting("language", "zh"),
    ):
        before = visible(kept.root)
        act()
        assert visible(kept.root) != before

        done = kept.undo()

        assert visible(kept.root) == before
        assert done.undone != done.operation_id
    assert kept.check()[1] == []


def visible(root: Path) -> dict[str, str]:
    """What a person sees of a bank."""
    private = (".trash", ".local", "staging")
    return {name: what for name, what in fingerprint(root).items() if not name.startswith(private)}


def test_undo_can_be_undone(kept: Bank) -> None:
    """A-03: undoing an undo brings the first operation back; the last one in effect is the default."""
    tagged = kept.tag("MEM-a", add=["x"])
    undo = kept.undo()
    redo = kept.undo(undo.operation_id)

    assert kept.get("MEM-a").tags == tagged.tags
    assert redo.undone == undo.operation_id
    assert kept.undoable().journal.operation == "tag"


def test_undo_goes_back_step_by_step(kept: Bank) -> None:
    """Called again and again, undo takes back one operation after the other until none is left."""
    kept.tag("MEM-a", add=["x"])
    kept.tag("MEM-a", add=["y"])

    seen = [kept.get("MEM-a").tags]
    for _ in range(2):
        kept.undo()
        seen.append(kept.get("MEM-a").tags)
    kept.undo()

    assert seen == [("x", "y"), ("x",), ()]
    assert kept.notes() == []
    with pytest.raises(OperationNotFound, match="no operation left to undo"):
        kept.undo()


def test_undo_of_the_state(kept: Bank) -> None:
    """A change of state is an operation like any other, if the bank may be written."""
    kept.set_state(State.PADDING)
    on = kept.set_state(State.ON)

    kept.undo(on.operation_id)

    assert kept.state is State.PADDING
    assert events(kept)[-1] == ("undo", "state_changed")


def test_undo_says_what_it_did(kept: Bank) -> None:
    """A-01: undo writes a line for each note, with the event it amounts to and who confirmed it."""
    kept.delete("MEM-a")
    kept.undo(by=By(Channel.TERMINAL))
    kept.set_setting("language", "zh")
    kept.undo()
    kept.tag("MEM-a", add=["x"])
    kept.undo()
    kept.undo()

    assert [each for each in events(kept) if each[0] == "undo"] == [
        ("undo", "note_created"),
        ("undo", "settings_changed"),
        ("undo", "note_updated"),
        ("undo", "note_deleted"),
    ]
    first = next(entry for entry in kept.log() if entry.operation == "undo")
    assert (first.event, first.channel) == ("memory_note_created", "terminal")
    assert first.reason.startswith("undoes OP-")


def test_undo_is_blocked_by_later_changes(kept: Bank) -> None:
    """A file that changed since is not overwritten; the error says which and what to do."""
    kept.tag("MEM-a", add=["x"])
    operation = kept.log()[-1].operation_id
    write(kept.root / FILE, note_text("MEM-a", "By hand"))

    with pytest.raises(UndoBlocked, match="was changed since"):
        kept.undo(operation)

    assert kept.get("MEM-a").title == "By hand"


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (None, "it made the bank"),
        (lambda bank: bank.purge("MEM-a"), "a purge is final"),
        (lambda bank: bank.empty_trash(days=0), "emptying the trash is final"),
    ],
    ids=["init", "purge", "trash empty"],
)
def test_what_is_final_stays(kept: Bank, act: Callable[[Bank], object] | None, reason: str) -> None:
    """What made the bank, a purge and an emptying cannot be taken back, and the error says so."""
    if act is not None:
        act(kept)
    operation = kept.log()[-1 if act else 0].operation_id

    with pytest.raises(UndoBlocked, match=reason):
        kept.undo(operation)


def test_healing_is_not_undone(kept: Bank) -> None:
    """INDEX.md follows from the notes; taking a healing back would make no sense."""
    (kept.root / "INDEX.md").write_bytes(b"stale")
    assert kept.heal()

    with pytest.raises(UndoBlocked, match="follows from the notes"):
        kept.undo(kept.log()[-1].operation_id)
    assert kept.undoable().journal.operation == "new"


def test_undo_after_the_trash_was_emptied(kept: Bank) -> None:
    """A-03: an operation whose parts were destroyed cannot be undone, and the error says why."""
    kept.delete("MEM-a")
    operation = kept.log()[-1].operation_id
    kept.empty_trash(days=0)

    with pytest.raises(UndoBlocked, match="was emptied"):
        kept.undoable(operation)
    with pytest.raises(OperationNotFound, match="OP-nothing"):
        kept.undoable("OP-nothing")


def test_undo_with_a_part_that_is_gone(kept: Bank) -> None:
    """A part that was removed or changed in the trash blocks the undo; nothing is half undone."""
    kept.delete("MEM-a")
    part = next(path for path in kept.root.glob(".trash/tx-*/[0-9]*") if b"First" in path.read_bytes())
    part.write_bytes(b"tampered")
    before = visible(kept.root)

    with pytest.raises(TrashPartGone, match="was changed"):
        kept.undo()
    part.unlink()
    with pytest.raises(TrashPartGone, match="was removed") as caught:
        kept.undo()

    assert f"git log -- {FILE}" in caught.value.next_step
    assert visible(kept.root) == before


# ── trash and restore ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_trash_lists_what_can_be_brought_back(kept: Bank) -> None:
    """T-04: the trash lists removed notes, newest first, with title and time, and whether their place is taken."""
    kept.add([note("MEM-b", "Second")])
    kept.delete("MEM-a")
    kept.delete("MEM-b")
    write(kept.root / FILE, note_text("MEM-other"))

    assert [(item.note_id, item.title, item.taken) for item in kept.trash()] == [
        ("MEM-b", "Second", False),
        ("MEM-a", "First", True),
    ]


def test_trash_lists_what_cannot_be_read(kept: Bank) -> None:
    """A removed file whose kept bytes were changed is listed without a title."""
    kept.delete("MEM-a")
    next(path for path in kept.root.glob(".trash/tx-*/[0-9]*") if b"First" in path.read_bytes()).write_bytes(b"x")

    assert [(item.note_id, item.title) for item in kept.trash()] == [("MEM-a", "")]


def test_trash_leaves_settings_out(kept: Bank) -> None:
    """Only notes are in the list; other files that an undo took out are not."""
    (kept.root / "memory.lock").unlink()
    kept.undo(kept.set_state(State.ON).operation_id)

    assert kept.trash() == []


@pytest.mark.parametrize("name", ["MEM-a", FILE])
def test_restore(kept: Bank, name: str) -> None:
    """T-04: a removed note comes back byte for byte, and INDEX.md with it."""
    before = visible(kept.root)
    kept.delete("MEM-a")

    done = kept.restore(name)

    assert done.note_ids == ("MEM-a",)
    assert visible(kept.root) == before
    with pytest.raises(NoteNotFound, match="in the trash"):
        kept.restore(name)


def test_restore_brings_the_newest_version(kept: Bank) -> None:
    """Removed twice, the later version comes back; the earlier one by its operation."""
    kept.delete("MEM-a")
    first = kept.log()[-1].operation_id
    kept.add([note("MEM-a", "Second")])
    kept.delete("MEM-a")

    kept.restore("MEM-a")

    assert kept.get("MEM-a").title == "Second"
    assert first in {entry.operation_id for entry in kept.log("MEM-a")}


def test_restore_never_overwrites_unasked(kept: Bank) -> None:
    """Without being told to, restore leaves what stands in the place; told to, it goes to the trash."""
    kept.delete("MEM-a")
    write(kept.root / FILE, note_text("MEM-a", "By hand"))

    with pytest.raises(UndoBlocked, match="stands in its place"):
        kept.restore("MEM-a")
    assert kept.get("MEM-a").title == "By hand"

    kept.restore("MEM-a", over=True)

    assert kept.get("MEM-a").title == "First"
    assert kept.log()[-1].event == "memory_note_updated"
    kept.undo()
    assert kept.get("MEM-a").title == "By hand"


def test_restore_where_the_id_lives_elsewhere(kept: Bank) -> None:
    """N-03: bringing a note back never makes its id stand twice."""
    kept.delete("MEM-a")
    write(kept.root / "L2_procedural/elsewhere.md", note_text("MEM-a", "Elsewhere"))

    with pytest.raises(UndoBlocked):
        kept.restore("MEM-a")
    kept.restore("MEM-a", over=True)

    assert [(each.id, each.title, each.file) for each in kept.notes()] == [("MEM-a", "First", FILE)]
    assert not (kept.root / "L2_procedural/elsewhere.md").exists()


# ── emptying and purging ──────────────────────────────────────────────────────────────────────────────────────────────


def test_retention(kept: Bank, clock: Clock) -> None:
    """A-03: the trash keeps for 30 days by default, or as long as is set or said."""
    kept.delete("MEM-a")
    clock.now = "2026-02-01T03:04:04Z"
    young = kept.expired()
    clock.now = "2026-02-01T03:04:05Z"
    old = kept.expired()
    kept.set_setting("trash.retention_days", "60")

    assert young == []
    assert len(old) == 3
    assert kept.expired() == []
    assert len(kept.expired(days=1)) == 3
    assert kept.empty_trash() == 0
    assert kept.empty_trash(days=1) == 3
    assert kept.trash() == []
    assert events(kept)[-1] == ("trash empty", "trash_emptied")


def test_purge_leaves_no_trace(kept: Bank) -> None:
    """T-05: notes, doubles, trash, drafts and caches hold no trace; the log says that it happened, not what it said."""
    kept.add([note("MEM-other", "Other")])
    kept.tag("MEM-a", add=["hunter2"])
    write(kept.root / "L2_procedural/double.md", note_text("MEM-a", "hunter2 again"))
    write(kept.root / ".local/edit/MEM-a-2.md", "hunter2 in a draft")
    write(kept.root / ".local/edit/new.md", "MEM-a has hunter2")
    write(kept.root / ".local/edit/MEM-other.md", "not mine")
    write(kept.root / f"conflicts/OP-1-{FILE.replace('/', '-')}", "hunter2 in a conflict")
    write(kept.root / ".local/scan.json", '["hunter2"]')

    file, parts = kept.purge("MEM-a")

    assert file == FILE
    assert "L2_procedural/double.md" in parts
    assert holders(kept.root, "hunter2") == []
    assert (kept.root / ".local/edit/MEM-other.md").exists()
    assert [each.id for each in kept.notes()] == ["MEM-other"]
    assert events(kept)[-1] == ("purge", "note_purged")
    assert all(check.ok for check in kept.doctor() if check.name in ("undo", "audit", "index"))


def test_purge_of_a_removed_note(kept: Bank) -> None:
    """T-05: what is only in the trash is purged from there."""
    kept.delete("MEM-a")

    file, parts = kept.purge("MEM-a")

    assert file == ""
    assert len(parts) == 2
    assert kept.trash() == []


def test_purge_of_what_never_was(kept: Bank) -> None:
    """An id that no note has or had is not found; purging twice harms nobody."""
    with pytest.raises(NoteNotFound):
        kept.purge("MEM-never")
    assert kept.purge("MEM-a") == (FILE, kept.traces("MEM-a")[1])
    assert kept.purge("MEM-a")[0] == ""


def test_purge_of_a_broken_note(kept: Bank) -> None:
    """T-05: a file that cannot be read may leak as well; it is known by its name."""
    write(kept.root / "L1_declarative/MEM-leak.md", "no note, but hunter2")

    assert kept.traces("MEM-leak")[:2] == ("L1_declarative/MEM-leak.md", [])
    kept.purge("MEM-leak")

    assert not (kept.root / "L1_declarative/MEM-leak.md").exists()


def test_purge_refuses_what_is_no_id(kept: Bank) -> None:
    """Nothing is destroyed by a path."""
    for name in (FILE, "../x", "MEM-", "*"):
        with pytest.raises(IdRefused):
            kept.purge(name)
