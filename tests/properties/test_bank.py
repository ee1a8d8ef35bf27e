"""A bank against a plain dictionary: whatever people, editors and crashes do, the two say the same."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from tacit import fsio
from tacit.errors import NoteNotFound, OperationNotFound, UndoBlocked
from tacit.formats import index_table, native
from tacit.note.model import Layer, Note
from tacit.store import apply
from tacit.store import scan as scans
from tests.store.banks import Killed, make, note, reopen

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"

TITLES = ["Use pnpm", "迁移: 先写回滚", 'a | b `c` <br> \\ "d"', "- # not a list", "é" * 60]
FOLDERS = {Layer.DECLARATIVE: "L1_declarative", Layer.PROCEDURAL: "L2_procedural"}
BROKEN = {
    "note.syntax": b"just words\n",
    "note.empty": b"",
    "note.not_utf8": b"---\nid: MEM-x\n\xff\n",
    "note.conflicted": b"<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
}


@dataclass(frozen=True)
class Operation:
    """What one operation of the bank did to note files: path → (id, bytes before, bytes after)."""

    id: str
    changes: dict[str, tuple[str, bytes | None, bytes | None]]
    undoes: str = ""


class BankAndDictionary(RuleBasedStateMachine):
    """`files` is what must be on disk in L1 and L2; `broken` names those that are no notes, with the code for each."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="tacit-machine-"))
        self.bank = make(self.folder / "bank")
        self.files: dict[str, bytes] = {}
        self.broken: dict[str, str] = {}
        self.operations: list[Operation] = []
        self.made = 0

    def teardown(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.folder)

    # ── What the dictionary knows ─────────────────────────────────────────────────────────────────────────────────────

    def valid(self) -> dict[str, str]:
        """Id → path of the notes that are in order."""
        return {id_of(content): path for path, content in self.files.items() if path not in self.broken}

    def in_effect(self) -> list[Operation]:
        """The operations that no undo in effect has taken back, newest first."""
        undone: set[str] = set()
        found = []
        for operation in reversed(self.operations):
            if operation.id not in undone:
                found.append(operation)
                undone.add(operation.undoes)
        return found

    def removed(self) -> dict[str, tuple[str, bytes]]:
        """Id → path and bytes of what the trash can give back: the newest removal of each id."""
        found: dict[str, tuple[str, bytes]] = {}
        settled: set[str] = set()
        for operation in reversed(self.operations):
            standing = {note_id for note_id, _, new in operation.changes.values() if new is not None}
            for path, (note_id, old, new) in sorted(operation.changes.items()):
                if path not in settled and new is None and old is not None and note_id not in standing:
                    found.setdefault(note_id, (path, old))
                settled.add(path)
        return found

    def did(self, operation_id: str, *paths: str, undoes: str = "") -> None:
        """Write down what the bank just did to these files, as the disk shows it."""
        changes = {}
        for path in paths:
            old, new = self.files.pop(path, None), fsio.read(self.bank.root / path)
            changes[path] = (id_of(new or old or b""), old, new)
            if new is not None:
                self.files[path] = new
        self.operations.append(Operation(operation_id, changes, undoes))
        assert self.index_is_right(), "INDEX.md did not change in the same transaction"

    def index_is_right(self) -> bool:
        """Whether INDEX.md is what the valid notes of the dictionary make it."""
        notes = [native.parse(self.files[path], path).note for path in self.valid().values()]
        return fsio.read(self.bank.root / "INDEX.md") == index_table.render(notes)

    # ── What people do with Tacit ─────────────────────────────────────────────────────────────────────────────────────

    @rule(titles=st.lists(st.sampled_from(TITLES), min_size=1, max_size=3), layer=st.sampled_from(list(FOLDERS)))
    def add(self, titles: list[str], layer: Layer) -> None:
        """Write new notes."""
        done = self.bank.add(self.new_notes(titles, layer))
        self.did(done.operation_id, *done.files)
        assert [self.bank.get(note_id).title for note_id in done.note_ids] == titles

    def new_notes(self, titles: list[str], layer: Layer) -> list[Note]:
        """Notes with ids that were never used."""
        self.made += len(titles)
        return [note(f"{self.made - place:04d}", title=title, layer=layer) for place, title in enumerate(titles)]

    @precondition(lambda self: self.valid())
    @rule(data=st.data(), number=st.integers(0, 9))
    def rewrite(self, data: st.DataObject, number: int) -> None:
        """Change the text of a note."""
        note_id, path = data.draw(st.sampled_from(sorted(self.valid().items())))
        content = self.files[path]
        text = re.sub(rb"Look [^.\r]*\.", b"Look %d times." % number, content)
        done = self.bank.rewrite(note_id, text, base=fsio.digest(content))
        if text == content:
            assert done.operation_id == ""
            return
        self.did(done.operation_id, path)
        assert self.bank.get(note_id).one_liner == f"Look {number} times."
        assert b"\r\n" not in content or b"\r\n" in self.files[path], "the line ends were lost"

    @precondition(lambda self: self.valid())
    @rule(data=st.data(), tag=st.sampled_from(["one", "two", "数"]))
    def tag(self, data: st.DataObject, tag: str) -> None:
        """Add a tag, or take it away if it is there."""
        note_id, path = data.draw(st.sampled_from(sorted(self.valid().items())))
        before = self.bank.get(note_id).tags
        there = tag in before
        after = self.bank.tag(note_id, add=[] if there else [tag], remove=[tag] if there else []).tags
        assert set(after) == set(before) ^ {tag}
        self.did(self.bank.log()[-1].operation_id, path)

    @precondition(lambda self: self.valid())
    @rule(data=st.data())
    def archive(self, data: st.DataObject) -> None:
        """Archive a note; a second time nothing happens."""
        note_id, path = data.draw(st.sampled_from(sorted(self.valid().items())))
        done = self.bank.archive(note_id)
        if done.operation_id:
            self.did(done.operation_id, path)
        assert self.bank.get(note_id).status == "archive"

    @precondition(lambda self: self.valid())
    @rule(data=st.data(), layer=st.sampled_from(list(FOLDERS)))
    def move(self, data: st.DataObject, layer: Layer) -> None:
        """Move a note to a layer, which may be its own."""
        note_id, path = data.draw(st.sampled_from(sorted(self.valid().items())))
        target = f"{FOLDERS[layer]}/{note_id}.md"
        if target in self.broken:
            return
        done = self.bank.move(note_id, layer)
        assert done.files == (() if target == path else (path, target))
        if done.files:
            self.did(done.operation_id, *done.files)

    @precondition(lambda self: self.valid())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        """Remove a note."""
        note_id, path = data.draw(st.sampled_from(sorted(self.valid().items())))
        self.did(self.bank.delete(note_id).operation_id, path)
        assert path not in self.files

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        """Bring back the newest version of a removed note, unless something stands in its place."""
        removed = self.removed()
        known = sorted({*removed, *self.valid(), "MEM-never"})
        note_id = data.draw(st.sampled_from(known))
        if note_id not in removed:
            with pytest.raises(NoteNotFound):
                self.bank.restore(note_id)
            return
        path, content = removed[note_id]
        if note_id in self.valid() or path in self.files:
            with pytest.raises(UndoBlocked):
                self.bank.restore(note_id)
            return
        self.did(self.bank.restore(note_id).operation_id, path)
        assert self.files[path] == content

    @rule(data=st.data(), named=st.booleans())
    def undo(self, data: st.DataObject, *, named: bool) -> None:
        """Take back the last operation in effect, or any one that is named."""
        if named and self.operations:
            chosen = data.draw(st.sampled_from(self.operations))
        else:
            chosen = next((each for each in self.in_effect() if not each.undoes), Operation("", {}))
            named = False
        if not chosen.id:
            with pytest.raises(OperationNotFound):
                self.bank.undo()
            return
        word = chosen.id if named else ""
        if any(self.files.get(path) != new for path, (_, _, new) in chosen.changes.items()):
            with pytest.raises(UndoBlocked):
                self.bank.undo(word)
            return
        done = self.bank.undo(word)
        assert done.undone == chosen.id
        self.did(done.operation_id, *chosen.changes, undoes=chosen.id)
        for path, (_, old, _) in chosen.changes.items():
            assert self.files.get(path) == old

    # ── What editors, git and chance do ───────────────────────────────────────────────────────────────────────────────

    def write(self, path: str, content: bytes) -> None:
        """Save a file past Tacit, as careful editors do."""
        temporary = self.bank.root / f"{path}.tmp"
        temporary.write_bytes(content)
        temporary.rename(self.bank.root / path)
        self.files[path] = content

    @precondition(lambda self: self.valid())
    @rule(data=st.data(), ends=st.sampled_from([b"\n", b"\r\n"]), word=st.sampled_from([b"Edited", b"Changed"]))
    def foreign_edit(self, data: st.DataObject, ends: bytes, word: bytes) -> None:
        """Somebody changes title and line ends by hand."""
        path = data.draw(st.sampled_from(sorted(self.valid().values())))
        text = re.sub(rb"(?m)^title: [^\r\n]*", b"title: " + word, self.files[path])
        self.write(path, text.replace(b"\r\n", b"\n").replace(b"\n", ends))

    @precondition(lambda self: self.files)
    @rule(data=st.data())
    def foreign_delete(self, data: st.DataObject) -> None:
        """Somebody removes a file by hand."""
        path = data.draw(st.sampled_from(sorted(self.files)))
        (self.bank.root / path).unlink()
        del self.files[path]
        self.broken.pop(path, None)

    @precondition(lambda self: self.valid())
    @rule(data=st.data(), code=st.sampled_from(sorted(BROKEN)))
    def foreign_break(self, data: st.DataObject, code: str) -> None:
        """Somebody leaves a file that is no note."""
        path = data.draw(st.sampled_from(sorted(self.valid().values())))
        self.write(path, BROKEN[code])
        self.broken[path] = code

    @precondition(lambda self: self.broken)
    @rule(data=st.data())
    def foreign_mend(self, data: st.DataObject) -> None:
        """Somebody makes a note of a broken file again."""
        path = data.draw(st.sampled_from(sorted(self.broken)))
        note_id = Path(path).stem
        if note_id in self.valid():
            return
        self.write(path, native.compose(note(note_id.removeprefix("MEM-"), title="Mended")))
        del self.broken[path]

    @rule(content=st.sampled_from([None, b"", b"| a bad merge |\n"]))
    def foreign_index(self, content: bytes | None) -> None:
        """Somebody removes INDEX.md or spoils it."""
        index = self.bank.root / "INDEX.md"
        if content is None:
            index.unlink(missing_ok=True)
        else:
            index.write_bytes(content)

    @rule(content=st.sampled_from([None, b"", b'{"version": 1}']))
    def foreign_cache(self, content: bytes | None) -> None:
        """Somebody removes the cache of the scan or spoils it."""
        cache = self.bank.root / ".local" / "scan.json"
        if content is None:
            cache.unlink(missing_ok=True)
        else:
            cache.write_bytes(content)

    @rule()
    def reopen(self) -> None:
        """The next process opens the bank; INDEX.md is right then."""
        self.bank = reopen(self.bank)
        assert self.index_is_right()

    @rule(committed=st.booleans(), title=st.sampled_from(TITLES))
    def crash(self, title: str, *, committed: bool) -> None:
        """A writer is killed before or after its commit point; the next process opens the bank."""
        [new] = self.new_notes([title], Layer.DECLARATIVE)
        place = (
            patch.object(apply, "roll_forward", side_effect=Killed)
            if committed
            else patch.object(fsio, "sync_files", side_effect=Killed)
        )
        with place, pytest.raises(Killed):
            self.bank.add([new])
        self.bank = reopen(self.bank)
        if committed:
            self.did(self.bank.log()[-1].operation_id, f"L1_declarative/{new.id}.md")
        else:
            self.made -= 1

    # ── What always holds ─────────────────────────────────────────────────────────────────────────────────────────────

    @invariant()
    def bank_says_what_the_dictionary_says(self) -> None:
        """The list of notes is that of the dictionary, at once, whoever changed the files."""
        expected = [(note_id, title_of(self.files[path]), path) for note_id, path in sorted(self.valid().items())]
        assert [(each.id, each.title, each.file) for each in self.bank.notes()] == expected

    @invariant()
    def disk_holds_what_the_dictionary_holds(self) -> None:
        """Every byte of every note file is accounted for, and nothing else lies there."""
        found = {}
        for folder in FOLDERS.values():
            for path in (self.bank.root / folder).iterdir():
                found[f"{folder}/{path.name}"] = path.read_bytes()
        assert found == self.files
        assert not (self.bank.root / "conflicts").exists()
        assert list((self.bank.root / "staging").glob("[!.]*")) == []

    @invariant()
    def check_finds_what_was_planted(self) -> None:
        """All that is wrong is reported, and nothing that is right."""
        count, problems = self.bank.check()
        planted = set(self.broken.items()) | (set() if self.index_is_right() else {("INDEX.md", "index.stale")})
        assert {(problem.file, problem.code) for problem in problems} == planted
        assert len(problems) == len(planted)
        assert count == len(self.valid())

    @invariant()
    def log_is_whole(self) -> None:
        """The chain of the audit log is unbroken and names every operation, in order."""
        assert self.bank._store.log.verify()[1] == []
        told = dict.fromkeys(entry.operation_id for entry in self.bank.log() if entry.operation not in ("init", "heal"))
        assert list(told) == [operation.id for operation in self.operations]


def id_of(content: bytes) -> str:
    """The id that a note's file names."""
    found = re.search(rb"(?m)^id: (MEM-[^\r\n]*)", content)
    return found[1].decode() if found else ""


def title_of(content: bytes) -> str:
    """The title of a note, read by the parser that other tests are about."""
    return native.parse(content, "L1_declarative/x.md").note.title


@pytest.mark.timeout(0 if LONG else 120)
def test_bank_and_dictionary_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """N-05, I-02, T-01, T-03, A-02, A-03: notes, INDEX.md, problems and log agree with a dictionary throughout."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    monkeypatch.setattr(scans, "_WORTH_SAVING", 1)
    budget = (
        settings(max_examples=1500, stateful_step_count=60)
        if LONG
        else settings(max_examples=60, stateful_step_count=30)
    )

    run_state_machine_as_test(BankAndDictionary, settings=budget)
