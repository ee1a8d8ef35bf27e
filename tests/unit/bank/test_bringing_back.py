"""Bringing back where the bank is not what it was: which files go, what is in the way, and what is said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank import State
from tacit.errors import UndoBlocked
from tacit.note.model import Layer
from tests.cli.runner import note_text, write
from tests.unit.bank.conftest import note
from tests.unit.bank.test_reversal import visible

if TYPE_CHECKING:
    from tacit.bank import Bank

FILE = "L1_declarative/MEM-a.md"
OTHER = "L1_declarative/renamed.md"


@pytest.fixture
def kept(bank: Bank) -> Bank:
    """A bank with a note MEM-a."""
    bank.add([note("MEM-a", "First")])
    return bank


# ── the log of a note ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_log_tells_edits_by_hand_apart(kept: Bank) -> None:
    """A-03: what was edited past Tacit is not told as what the operation before it did."""
    kept.tag("MEM-a", add=["x"])
    path = kept.root / FILE
    path.write_text(path.read_text(encoding="utf-8").replace("First", "By hand"), encoding="utf-8")

    assert kept.log("MEM-a", diffs=True)[-1].diff.startswith("(the file was edited past Tacit afterwards;")

    kept.archive("MEM-a")
    created, tagged, archived = (entry.diff for entry in kept.log("MEM-a", diffs=True))
    assert "+title: First" in created
    assert tagged.startswith("(")
    assert "By hand" not in archived
    assert "+status: archive" in archived


def test_log_tells_what_is_known_in_spite_of_an_edit(kept: Bank) -> None:
    """A-03: a version that the trash still has is compared with, whatever was edited later."""
    kept.tag("MEM-a", add=["x"])
    kept.undo()
    path = kept.root / FILE
    path.write_text(path.read_text(encoding="utf-8").replace("First", "By hand"), encoding="utf-8")

    created, tagged, undone = (entry.diff for entry in kept.log("MEM-a", diffs=True))

    assert "-  - x" in undone
    assert "+  - x" in tagged
    assert "By hand" not in created + tagged + undone


def test_log_tells_each_line_of_an_operation_its_own_file(kept: Bank) -> None:
    """A-03: an undone move is told as one file that came and one that went."""
    kept.move("MEM-a", Layer.PROCEDURAL)
    kept.undo()

    life = kept.log("MEM-a", diffs=True)

    moved = life[1].diff.splitlines()
    assert [line for line in moved if line.startswith(("--- ", "+++ "))] == [
        f"--- {FILE}",
        "+++ /dev/null",
        "--- /dev/null",
        f"+++ {FILE.replace('L1_declarative', 'L2_procedural')}",
    ]
    signs = {entry.event: {line[0] for line in entry.diff.splitlines()} for entry in life[2:]}
    assert signs == {"memory_note_created": {"@", "+"}, "memory_note_deleted": {"@", "-"}}


# ── ids that live elsewhere by now ────────────────────────────────────────────────────────────────────────────────────


def test_the_trash_names_the_files_that_would_go(kept: Bank) -> None:
    """T-04: all files that bear the id, under whatever name, and what stands in the place of the note."""
    kept.delete("MEM-a")
    assert kept.trash()[0].standing == ()
    write(kept.root / OTHER, note_text("MEM-a", "Renamed"))
    write(kept.root / FILE, note_text("MEM-b", "Another"))

    [item] = kept.trash()

    assert (item.taken, item.standing) == (True, (FILE, OTHER))


def test_restore_leaves_no_second_file_of_the_id(kept: Bank) -> None:
    """T-04, N-03: told to, it takes out every file of the id; one undo brings all of them back."""
    kept.delete("MEM-a")
    write(kept.root / OTHER, note_text("MEM-a", "Renamed"))
    write(kept.root / "L2_procedural/copy.md", note_text("MEM-a", "Copied"))
    before = {name: what for name, what in visible(kept.root).items() if name != "INDEX.md"}

    with pytest.raises(UndoBlocked, match="renamed"):
        kept.restore("MEM-a")
    kept.restore("MEM-a", over=True)

    assert [(each.title, each.file) for each in kept.notes()] == [("First", FILE)]
    assert kept.check()[1] == []
    kept.undo()
    assert {name: what for name, what in visible(kept.root).items() if name != "INDEX.md"} == before


def test_undo_makes_no_double_id(kept: Bank) -> None:
    """N-03: a note does not come back beside another file that bears its id by now."""
    kept.delete("MEM-a")
    write(kept.root / OTHER, note_text("MEM-a", "Renamed"))
    before = visible(kept.root)

    with pytest.raises(UndoBlocked, match=r"renamed\.md bears the id MEM-a by now"):
        kept.undo()

    assert visible(kept.root) == before
    (kept.root / OTHER).unlink()
    kept.undo()
    assert [each.file for each in kept.notes()] == [FILE]


# ── what can be undone ────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_cannot_be_undone_is_known_before_anybody_is_asked(kept: Bank) -> None:
    """A-03: the operation that came after it is named, or that the file was edited past Tacit."""
    first = kept.archive("MEM-a").operation_id
    kept.tag("MEM-a", add=["x"])
    later = kept.log()[-1].operation_id

    with pytest.raises(UndoBlocked, match=rf"MEM-a\.md was changed since, by {later} \(tag\)"):
        kept.undoable(first)

    path = kept.root / FILE
    path.write_text(path.read_text(encoding="utf-8").replace("First", "By hand"), encoding="utf-8")
    with pytest.raises(UndoBlocked, match=r"MEM-a\.md was changed since, past Tacit"):
        kept.undoable()
    with pytest.raises(UndoBlocked, match=r"MEM-a\.md was changed since, past Tacit"):
        kept.propose_act("undo", "")


@pytest.mark.parametrize("removed", [False, True])
def test_undo_passes_over_what_a_purge_took(kept: Bank, removed: bool) -> None:  # noqa: FBT001  a case of pytest's
    """A-03, T-05: of a purged note nothing comes back, so the operation before is meant; asked for one it says why."""
    before = kept.archive("MEM-a").operation_id
    kept.add([note("MEM-b", "Leaked")])
    kept.tag("MEM-b", add=["x"])
    last = kept.log()[-1].operation_id
    if removed:
        kept.delete("MEM-b")
    kept.purge("MEM-b")
    purged = kept.log()[-1].operation_id

    assert kept.undoable().journal.operation_id == before
    with pytest.raises(UndoBlocked, match=rf"{last} cannot be undone: .* by {'OP-.* .delete' if removed else purged}"):
        kept.undo(last)


def test_undo_passes_over_changes_of_the_state(kept: Bank) -> None:
    """A-03, K-01: what `tacit state` did it takes back itself; by its id it can still be undone."""
    kept.tag("MEM-a", add=["x"])
    tagged = kept.log()[-1].operation_id
    kept.set_state(State.PAUSED)
    on = kept.set_state(State.ON)

    assert kept.undoable().journal.operation_id == tagged
    kept.undo(on.operation_id)
    assert kept.state is State.PAUSED
