"""Taking back: undo, restore, and what is destroyed for good."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.errors import NoteNotFound, OperationNotFound, TrashPartGone, UndoBlocked
from tacit.note.model import Layer
from tacit.store import trash
from tests.store.banks import Killed, ids, note, path_of, reopen, tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank import Bank

SECRET = "hunter2-swordfish"


def notes_of(bank: Bank) -> dict[str, str]:
    """The note files with their content, and INDEX.md."""
    folders = ("L1_declarative", "L2_procedural", "INDEX.md")
    return {path: text for path, text in tree(bank.root).items() if path.startswith(folders)}


# ── Undo ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def edit(bank: Bank) -> None:
    """Save a new text of a note."""
    content = path_of(bank, "a").read_bytes()
    bank.rewrite("MEM-a", content.replace(b"Look twice.", b"Look again."), base=fsio.digest(content))


OPERATIONS: dict[str, Callable[[Bank], object]] = {
    "add": lambda bank: bank.add([note("x"), note("y", layer=Layer.PROCEDURAL)]),
    "edit": edit,
    "archive": lambda bank: bank.archive("MEM-a"),
    "tag": lambda bank: bank.tag("MEM-a", add=["new"]),
    "move": lambda bank: bank.move("MEM-a", Layer.PROCEDURAL),
    "delete": lambda bank: bank.delete("MEM-a"),
    "restore": lambda bank: bank.restore("MEM-gone"),
}


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with two notes and a removed one."""
    bank.add([note("a"), note("b"), note("gone")])
    bank.delete("MEM-gone")
    return bank


@pytest.mark.parametrize("operation", OPERATIONS)
def test_undo_brings_every_byte_back_and_can_be_undone(filled: Bank, operation: str) -> None:
    """A-03: any operation is reversed as a new, audited one, and so is that one."""
    before = notes_of(filled)
    OPERATIONS[operation](filled)
    after = notes_of(filled)

    undone = filled.undo()
    assert notes_of(filled) == before
    redone = filled.undo(undone.operation_id)

    assert notes_of(filled) == after
    assert redone.undone == undone.operation_id
    assert filled.undo().undone == undone.undone
    assert notes_of(filled) == before
    assert reopen(filled).check()[1] == []
    assert filled.log()[-1].operation == "undo"


def test_undo_twice_goes_further_back(bank: Bank) -> None:
    """A-03: each undo takes back the last operation that is in effect, down to the empty bank and no further."""
    made = [bank.add([note(name)]).operation_id for name in "abc"]

    assert [bank.undo().undone for _ in made] == made[::-1]

    assert ids(bank) == []
    with pytest.raises(OperationNotFound):
        bank.undo()


def test_undo_never_replaces_a_later_change(filled: Bank) -> None:
    """A-03, T-03: where a file was changed since, by us or by hand, the undo is refused and says which."""
    first = filled.archive("MEM-a").operation_id
    filled.tag("MEM-a", add=["later"])
    before = tree(filled.root)
    with pytest.raises(UndoBlocked, match=r"MEM-a\.md was changed since"):
        filled.undo(first)
    assert tree(filled.root) == before

    path_of(filled, "a").write_bytes(b"by hand")
    with pytest.raises(UndoBlocked, match="changed since"):
        filled.undo()


def test_undo_of_several_files_is_all_or_nothing(bank: Bank) -> None:
    """T-01: one file in the way stops the undo of them all."""
    bank.add([note("a"), note("b")])
    path_of(bank, "b").unlink()

    with pytest.raises(UndoBlocked, match=r"MEM-b\.md"):
        bank.undo()

    assert ids(reopen(bank)) == ["MEM-a"]


def test_healing_is_not_what_undo_means(filled: Bank) -> None:
    """I-02, A-03: INDEX.md follows from the notes, so the last operation of a person is what is taken back."""
    last = filled.archive("MEM-a").operation_id
    (filled.root / "INDEX.md").unlink()

    assert reopen(filled).undo().undone == last


def test_final_operations_are_not_undone(filled: Bank) -> None:
    """A-03, T-05: neither the making of the bank, nor a purge, nor healing is taken back; each says why."""
    filled.purge("MEM-b")
    (filled.root / "INDEX.md").unlink()
    reopen(filled)
    by_operation = {entry.operation: entry.operation_id for entry in filled.log()}

    for operation in ("init", "purge", "heal"):
        with pytest.raises(UndoBlocked):
            filled.undo(by_operation[operation])
    with pytest.raises(OperationNotFound):
        filled.undo("OP-unknown")


@pytest.mark.parametrize("harm", ["gone", "changed"])
def test_undo_needs_what_the_trash_kept(filled: Bank, harm: str) -> None:
    """A-03: without the old version, or with another one in its place, nothing is brought back."""
    done = filled.delete("MEM-a")
    [kept] = [
        each for each in trash.newest_first(filled._store.layout) if each.journal.operation_id == done.operation_id
    ]
    [staged] = [kept.directory / change.staged for change in kept.journal.changes if not change.derived]
    if harm == "gone":
        staged.unlink()
    else:
        staged.write_bytes(b"something else")

    with pytest.raises(TrashPartGone):
        filled.undo()
    assert ids(filled) == ["MEM-b"]


def test_order_survives_a_deleted_log(filled: Bank) -> None:
    """A-03: without .local the log begins anew, and undo still takes back the last operation."""
    shutil.rmtree(filled.root / ".local")
    again = reopen(filled)
    later = [again.add([note(name)]).operation_id for name in "xyz"]

    assert [again.undo().undone for _ in later] == later[::-1]
    assert ids(again) == ["MEM-a", "MEM-b"]


# ── Restore ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("by", ["id", "path", "operation"])
def test_removed_note_comes_back(filled: Bank, by: str) -> None:
    """T-04: a removed note is brought back by its id, its path or the operation, byte for byte."""
    before = notes_of(filled)
    done = filled.delete("MEM-a")
    names = {"id": "MEM-a", "path": "L1_declarative/MEM-a.md", "operation": done.operation_id}
    newest = filled.trash()[0]
    assert (newest.note_id, newest.title, newest.taken) == ("MEM-a", "About a", False)

    filled.restore(names[by])

    assert notes_of(filled) == before
    assert [item.note_id for item in filled.trash()] == ["MEM-gone"]
    with pytest.raises(NoteNotFound):
        filled.restore(names[by])


def test_newest_removed_version_comes_back(filled: Bank) -> None:
    """T-04: a note that was removed twice has two versions in the trash; the newest is meant."""
    filled.delete("MEM-a")
    filled.restore("MEM-a")
    edit(filled)
    filled.delete("MEM-a")

    filled.restore("MEM-a")

    assert filled.get("MEM-a").one_liner == "Look again."


def test_restore_asks_before_it_replaces(filled: Bank) -> None:
    """T-04: what stands in the place stays, unless the user said over; then it is in the trash."""
    filled.delete("MEM-a")
    filled.add([note("a", title="A new one", layer=Layer.PROCEDURAL)])
    assert [item.taken for item in filled.trash()] == [True, False]
    with pytest.raises(UndoBlocked, match="stands in its place"):
        filled.restore("MEM-a")

    filled.restore("MEM-a", over=True)

    assert filled.get("MEM-a").title == "About a"
    assert filled.check()[1] == []
    filled.undo()
    assert filled.get("MEM-a").title == "A new one"


def test_moved_note_is_not_in_the_trash(filled: Bank) -> None:
    """T-04: a file that left its place because the note moved was not removed."""
    filled.move("MEM-a", Layer.PROCEDURAL)

    assert [item.note_id for item in filled.trash()] == ["MEM-gone"]


def test_only_notes_are_offered(filled: Bank) -> None:
    """The trash lists notes; a state that was taken back is none."""
    with pytest.raises(NoteNotFound):
        filled.restore("memory.lock")
    (filled.root / "memory.lock").unlink()
    filled.undo(filled.set_state(filled.state.ON).operation_id)

    assert [item.note_id for item in filled.trash()] == ["MEM-gone"]


def test_trash_that_is_gone_is_empty(filled: Bank) -> None:
    """T-04: without a trash there is nothing to restore, and everything else works."""
    shutil.rmtree(filled.root / ".trash")
    assert filled.trash() == []
    assert trash.last_number(filled._store.layout) == 0

    filled.delete("MEM-a")

    assert [item.note_id for item in filled.trash()] == ["MEM-a"]


def test_other_things_in_the_trash_are_passed_over(filled: Bank) -> None:
    """T-04: a folder of somebody else's, or one whose record is damaged, offers nothing and stops nothing."""
    (filled.root / ".trash" / "tx-mine").mkdir()
    damaged = filled.root / ".trash" / "tx-0000000099-OP-x"
    damaged.mkdir()
    (damaged / "journal.json").write_bytes(b"nonsense")

    assert [item.note_id for item in filled.trash()] == ["MEM-gone"]
    filled.delete("MEM-a")
    assert filled.undo().note_ids == ("MEM-a",)


def test_emptying_destroys_what_is_old_and_says_so(filled: Bank) -> None:
    """T-04, A-03: emptying is the only thing that destroys; what it took cannot be undone, and the refusal says why."""
    removal = next(entry.operation_id for entry in filled.log() if entry.operation == "delete")
    assert filled.empty_trash() == 0

    assert filled.empty_trash(days=0) == 3

    assert filled.trash() == []
    with pytest.raises(UndoBlocked, match="emptied"):
        filled.undo(removal)
    assert filled.check() == (2, [])


# ── Purge ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def leaks(bank: Bank, text: str = SECRET) -> list[str]:
    """Every file of the bank that holds the text, in its content or in its name."""
    return [path for path, told in tree(bank.root).items() if text in told or text in path]


@pytest.fixture
def leaking(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> Bank:
    """A bank in which a secret went through everything that keeps something."""
    bank.add([note(f"{number:03d}") for number in range(60)])
    secret = note("1", title=f"Key {SECRET}", one_liner=f"Use {SECRET}.", when_to_load=(SECRET,), decision=SECRET)
    bank.add([secret, note("12", one_liner="Not a secret.")])
    path = path_of(bank, "1")
    text = path.read_bytes()
    bank.rewrite("MEM-1", text.replace(b"Use ", b"Take "), base=fsio.digest(text))
    bank.tag("MEM-1", add=[SECRET[:20]])
    bank.move("MEM-1", Layer.PROCEDURAL)
    bank.undo()
    bank.delete("MEM-1")
    bank.restore("MEM-1")
    conflicts = bank.root / "conflicts"
    conflicts.mkdir()
    for name in ("1", "12"):
        conflict = f"OP-x-L1_declarative-MEM-{name}.md"
        (conflicts / conflict).write_bytes(path_of(bank, name).read_bytes())
        damaged = conflicts / f"damaged-tx-0000000001-OP-{name}"
        damaged.mkdir()
        (damaged / "0").write_bytes(path_of(bank, name).read_bytes())
    drafts = bank.root / ".local" / "edit"
    drafts.mkdir()
    for name in ("1", "12"):
        (drafts / f"MEM-{name}.md").write_bytes(path_of(bank, name).read_bytes())
    (drafts / "MEM-1-2.md").write_bytes(f"half a note about {SECRET}".encode())
    reopen(bank).notes()
    with monkeypatch.context() as patch:
        patch.setattr(fsio, "_swapped", lambda *_: kill())
        patch.setattr(fsio, "remove", lambda _: None)
        with pytest.raises(Killed):
            bank._store.look(fresh=True)
    assert [path for path in leaks(bank) if path.endswith(".tmp")]
    assert ".local/scan.json" in leaks(bank)
    return bank


def kill() -> None:
    """End here."""
    raise Killed


def test_purge_leaves_nothing(leaking: Bank) -> None:
    """T-05: no byte of the note's content is left below the bank; what belongs to other notes is."""
    assert len(leaks(leaking)) > 8
    cached = (".local/scan.json", ".local/.scan.json")
    others = {path: told for path, told in tree(leaking.root).items() if "Not a secret." in told}

    leaking.purge("MEM-1")
    reopen(leaking).notes()

    assert leaks(leaking) == []
    after = tree(leaking.root)
    assert [path for path in others if after.get(path) != others[path] and not path.startswith(cached)] == []
    assert [(entry.event, entry.note_id) for entry in leaking.log("MEM-1")][-1] == ("memory_note_purged", "MEM-1")
    assert {problem.code for problem in leaking.check()[1]} == {"store.conflict"}


def test_purge_reaches_a_note_in_the_trash(leaking: Bank) -> None:
    """T-05: a note that was removed already leaves no trace either, and other notes keep theirs."""
    leaking.delete("MEM-1")
    kept = leaking.root / "conflicts" / "OP-x-L1_declarative-MEM-12.md"

    leaking.purge("MEM-1")

    assert leaks(leaking) == []
    assert kept.exists()


@pytest.mark.parametrize("removals", [0, 4])
def test_interrupted_purge_is_completed(leaking: Bank, monkeypatch: pytest.MonkeyPatch, removals: int) -> None:
    """T-01, T-05: a kill after the commit point delays a purge, it does not take it back."""
    real = fsio.remove_tree
    removed: list[Path] = []

    def remove_tree(path: Path) -> None:
        if len(removed) == removals:
            raise Killed
        removed.append(path)
        real(path)

    with monkeypatch.context() as patch:
        patch.setattr(fsio, "remove_tree", remove_tree)
        with pytest.raises(Killed):
            leaking.purge("MEM-1")
    assert leaks(leaking) != []

    reopen(leaking).notes()

    assert leaks(leaking) == []


def test_purge_of_a_broken_note_goes_by_its_name(bank: Bank) -> None:
    """T-05: a note that cannot be read may leak all the same."""
    path_of(bank, "1").write_text(f"no front matter, but {SECRET}", encoding="utf-8")

    file, _ = bank.purge("MEM-1")

    assert file == "L1_declarative/MEM-1.md"
    assert leaks(bank) == []


def test_purge_takes_every_copy(bank: Bank) -> None:
    """T-05: if two files claim the id, both are the leak."""
    bank.add([note("1", one_liner=SECRET)])
    path_of(bank, "copy").write_bytes(path_of(bank, "1").read_bytes())

    bank.purge("MEM-1")

    assert leaks(bank) == []


def test_purge_of_nothing_says_so(bank: Bank) -> None:
    """T-05: an id that nobody knows is an error, and nothing changes."""
    before = tree(bank.root)

    with pytest.raises(NoteNotFound):
        bank.purge("MEM-unknown")

    assert tree(bank.root) == before
