"""The search index of a bank: in step with the files, and made anew whatever happened to it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank, freshness, reindex, wiring
from tacit.index import sqlite
from tacit.store import watch
from tests.unit.bank import concepts
from tests.unit.bank.concepts import PROMPT, deploy, said

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A fixture is found by its name in the file that uses it.
no_models = concepts.no_models
embedder = concepts.embedder
filled = concepts.filled


def test_foreign_edits_are_seen(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """B-04: an edit with any editor and a deletion count at the next question."""
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]
    file = filled.root / filled.locate("MEM-deploy")
    file.write_text(file.read_text(encoding="utf-8").replace("idle colour", "turquoise zone"), encoding="utf-8")
    assert [hit.id for hit in reopen().search("turquoise")] == ["MEM-deploy"]
    file.unlink()
    assert reopen().search("turquoise") == []
    assert filled.search("turquoise") == []


def test_a_long_lived_process_catches_up(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: a process that stays open sees an edit in place after a while, and at once when it looks anew."""
    filled.search("deploy")
    file = filled.root / filled.locate("MEM-deploy")
    content = file.read_text(encoding="utf-8").replace("idle colour", "turquoise zone")
    with file.open("w", encoding="utf-8") as same:
        same.write(content)
    filled.reindex()
    assert [hit.id for hit in filled.search("turquoise")] == ["MEM-deploy"]
    monkeypatch.setattr(reindex, "_REST", 0.0)
    filled.recaller.reindexer._due = 0.0
    with file.open("w", encoding="utf-8") as same:
        same.write(content.replace("turquoise", "magenta"))
    assert [hit.id for hit in filled.search("magenta")] == ["MEM-deploy"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of changes in this way")
def test_a_long_lived_process_is_told_of_an_edit(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: where the kernel tells of changes, an edit in place is seen at once, and no other file is looked at."""
    monkeypatch.setattr(watch, "is_local", lambda _: True)
    monkeypatch.setattr(reindex, "REST", 10.0**9)
    filled.warm()
    filled.search("deploy")
    monkeypatch.setattr(freshness, "differences", None)
    file = filled.root / filled.locate("MEM-deploy")
    content = file.read_text(encoding="utf-8").replace("idle colour", "turquoise zone")
    with file.open("w", encoding="utf-8") as same:
        same.write(content)
    filled.recaller.reindexer.catch_up(force=True)
    assert [hit.id for hit in filled.search("turquoise")] == ["MEM-deploy"]
    filled.delete("MEM-deploy")
    assert filled.search("turquoise") == []


def test_git_checkout_is_seen(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """B-04: another branch is another set of notes."""

    def git(*words: str) -> None:
        line = ["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false", *words]
        subprocess.run(line, cwd=filled.root, check=True, capture_output=True)

    git("init", "-b", "one")
    git("add", "-A")
    git("commit", "-m", "notes")
    git("checkout", "-b", "two")
    filled.delete("MEM-database")
    filled.search("deploy")
    git("add", "-A")
    git("commit", "-m", "fewer")
    assert filled.search("postgres migration") == []
    git("checkout", "one")
    assert [hit.id for hit in reopen().search("postgres migration")] == ["MEM-database"]
    git("checkout", "two")
    assert reopen().search("postgres migration") == []


QUERIES = ("deploy billing", "postgres migration", "清洗咖啡机", "service column", "ship it", "nothing at all")


@pytest.mark.usefixtures("embedder")
def test_deleted_index_answers_as_before(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """B-04: the index can be deleted at any time; the next question is answered exactly as before."""
    filled.tag("MEM-database", add=["schema"])
    filled.archive("MEM-zh")
    before = [filled.search(query) for query in QUERIES]
    shutil.rmtree(filled.root / ".local")
    assert [reopen().search(query) for query in QUERIES] == before
    assert [filled.search(query) for query in QUERIES] == before
    filled.rebuild_index()
    assert [filled.search(query) for query in QUERIES] == before


@pytest.mark.parametrize("damage", ["garbage", "truncated", "tables", "words"])
def test_damaged_index_is_made_anew(filled: Bank, reopen: Callable[[], Bank], damage: str) -> None:
    """B-04: whatever happened to the index, the answer is right."""
    before = [filled.search(query) for query in QUERIES]
    filled.recaller.reindexer.index.close()
    path = filled.root / ".local/index.db"
    if damage == "garbage":
        path.write_bytes(b"garbage" * 3000)
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        connection = sqlite3.connect(path)
        connection.execute("DROP TABLE documents" if damage == "tables" else "DROP TABLE frequencies")
        connection.commit()
        connection.close()
    again = reopen()
    assert [again.search(query) for query in QUERIES] == before
    assert said(again.recall(PROMPT)) == ["MEM-deploy"]
    assert again.index_status().damage == ()


def test_a_disk_that_takes_no_index(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05: where the index cannot be written, memory answers."""
    kept = wiring.open_index

    class Full(sqlite3.OperationalError):
        pass

    def refuse(*_: object) -> None:
        raise Full

    def open_index(path: Path | None) -> object:
        index = kept(path)
        if path is not None:
            monkeypatch.setattr(index, "update", refuse)
        return index

    monkeypatch.setattr(reindex, "open_index", open_index)
    assert [hit.id for hit in filled.search("postgres")] == ["MEM-database"]
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]


def test_a_note_that_changes_under_the_eyes(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: a note that broke between the look and the reading is left for the next look."""
    monkeypatch.setattr(filled._store, "read", lambda _: b"no note")
    assert filled.search("postgres") == []
    monkeypatch.undo()
    assert [hit.id for hit in Bank.open(filled.root).search("postgres")] == ["MEM-database"]


def save_in_place(bank: Bank, old: str, new: str) -> None:
    """Save a note as an editor does that writes over the file: no folder changes with it."""
    file = bank.root / bank.locate("MEM-deploy")
    content = file.read_text(encoding="utf-8").replace(old, new)
    with file.open("w", encoding="utf-8") as same:
        same.write(content)


def test_nothing_is_said_that_the_file_does_not_say(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: between two looks too, what is said is what stands in the file; a note that went is not said."""
    filled.search("deploy")
    monkeypatch.setattr(filled.recaller.reindexer, "_due", time.monotonic() + 3600)
    save_in_place(filled, "idle colour", "turquoise zone")
    assert "turquoise zone" in filled.recall(PROMPT).injection
    monkeypatch.setattr(filled.recaller.reindexer, "_due", time.monotonic() + 3600)
    (filled.root / filled.locate("MEM-deploy")).unlink()
    filled.recaller.reindexer._seen = filled.recaller.reindexer._signs()
    assert said(filled.recall(PROMPT)) == []


def test_a_large_bank_takes_the_logs_word(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: where a look takes long, only the files that the log names are looked at, until the next look is due."""
    monkeypatch.setattr(reindex, "_QUICK_S", 0.0)
    filled.search("deploy")
    reindexer = filled.recaller.reindexer
    reindexer._due = time.monotonic() + 3600
    with monkeypatch.context() as patched:
        patched.setattr(freshness, "differences", pytest.fail)
        filled.add([deploy(id="MEM-new", title="Zebra crossing", when_to_load=("at a zebra crossing",))])
        assert filled.search("zebra crossing")[0].id == "MEM-new"
        filled.delete("MEM-new")
        assert all(hit.id != "MEM-new" for hit in filled.search("zebra crossing"))
    foreign = filled.root / "L1_declarative/MEM-foreign.md"
    content = (filled.root / filled.locate("MEM-deploy")).read_text(encoding="utf-8")
    foreign.write_text(content.replace("MEM-deploy", "MEM-foreign"), encoding="utf-8")
    assert "MEM-foreign" in [hit.id for hit in filled.search(PROMPT)]


def test_index_that_no_disk_takes_is_told(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: where no file can be written the status says so."""
    monkeypatch.setattr(filled.recaller.reindexer, "_path", filled.root / "nowhere/index.db")

    assert filled.recaller.reindexer.backend == "memory"


def test_an_index_that_is_being_written_is_not_damaged(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: while another process writes the index, what it holds answers, and nobody deletes it."""
    monkeypatch.setattr(sqlite, "_BUSY_S", 0.0)
    filled.reindex()
    path = filled.root / ".local/index.db"
    before = path.stat().st_ino
    filled.tag("MEM-zh", add=["x"])
    writer = sqlite3.connect(path, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    found = [hit.id for hit in Bank.open(filled.root).search("deploy the billing service")]
    writer.execute("ROLLBACK")
    writer.close()
    assert found[0] == "MEM-deploy"
    assert path.stat().st_ino == before


def test_index_is_private(filled: Bank) -> None:
    """B-04: the index holds the words of every note, and is for its user alone."""
    filled.search(PROMPT)

    files = [path for path in (filled.root / ".local").iterdir() if path.name == "index.db"]
    assert [path.name for path in files if path.stat().st_mode & 0o077] == []
    assert files != []
