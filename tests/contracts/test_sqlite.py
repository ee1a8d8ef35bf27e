"""The index in SQLite: the suite of all backends, and what only a file can suffer."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from itertools import count
from typing import TYPE_CHECKING

import numpy
import pytest

from tacit.bank.wiring import open_index
from tacit.index import sqlite
from tacit.index.contract import Filter, Nearness, Vectors
from tacit.index.sqlite import SqliteIndex
from tests.contracts.index_suite import IndexSuite, document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tacit.index.contract import Index

KILLS = 40


@pytest.fixture(params=["sqlite-file", "sqlite-memory"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """Where the index is."""
    return tmp_path / "index.db" if request.param == "sqlite-file" else None


@pytest.fixture
def opened() -> Iterator[Callable[[Path | None], SqliteIndex]]:
    """Open indexes that are closed in the end."""
    every: list[SqliteIndex] = []

    def open_one(path: Path | None) -> SqliteIndex:
        every.append(SqliteIndex(path))
        return every[-1]

    yield open_one
    for each in every:
        each.close()


@pytest.fixture
def index(path: Path | None, opened: Callable[[Path | None], SqliteIndex]) -> Index:
    """The index under test."""
    return opened(path)


@pytest.fixture
def another(path: Path | None, index: Index, opened: Callable[[Path | None], SqliteIndex]) -> Index | None:
    """A second connection to it."""
    del index
    return None if path is None else opened(path)


@pytest.fixture
def fresh(path: Path | None, opened: Callable[[Path | None], SqliteIndex]) -> Callable[[], Index]:
    """New indexes of the same kind."""
    numbers = count()
    return lambda: opened(None if path is None else path.with_name(f"fresh-{next(numbers)}.db"))


class TestSqlite(IndexSuite):
    """SQLite keeps the contract."""


def filled(path: Path) -> None:
    """Make an index with something in it."""
    index = SqliteIndex(path)
    index.update([document(f"d{number}", f"word{number}") for number in range(300)], [])
    index.close()


@pytest.mark.parametrize("content", [b"", b"garbage" * 1000, b"SQLite format 3\x00" + b"\xff" * 5000, None])
def test_what_is_no_index_is_made_anew(tmp_path: Path, content: bytes | None) -> None:
    """B-04: an empty, foreign or truncated file is replaced by a new index."""
    path = tmp_path / "index.db"
    filled(path)
    whole = path.read_bytes()
    path.write_bytes(whole[:1000] if content is None else content)
    index = open_index(path)
    assert index.known() == {}
    index.update([document("a")], [])
    index.close()
    again = open_index(path)
    assert again.known() == {"a": "1"}
    assert again.damage() == []
    again.close()


def test_another_version_is_made_anew(tmp_path: Path) -> None:
    """B-04: an index of an older or newer Tacit is not understood half, but made again."""
    path = tmp_path / "index.db"
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    index = open_index(path)
    assert index.known() == {}
    index.close()


def test_a_missing_folder_is_made(tmp_path: Path) -> None:
    """B-04: a fresh clone has no place for the index yet."""
    index = open_index(tmp_path / ".local" / "index.db")
    index.close()
    assert (tmp_path / ".local" / "index.db").is_file()


def test_memory_where_no_file_can_be_written(tmp_path: Path) -> None:
    """F-05: a place that takes no file stops no search."""
    (tmp_path / "file").write_bytes(b"")
    index = open_index(tmp_path / "file" / "index.db")
    index.update([document("a", "red")], [])
    assert list(index.by_keywords(["red"], 5, Filter())) == ["a"]
    index.close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_memory_in_a_read_only_folder(tmp_path: Path) -> None:
    """F-05: a bank that may not be written can be searched."""
    filled(tmp_path / "index.db")
    tmp_path.chmod(0o500)
    try:
        index = open_index(tmp_path / "index.db")
        index.update([document("a", "red")], [])
        assert "a" in index.by_keywords(["red"], 5, Filter())
        index.close()
    finally:
        tmp_path.chmod(0o700)


def test_read_only_database_is_answered_from_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05: the same where SQLite itself says that it cannot write."""
    prepare = SqliteIndex._prepare

    def refuse(index: SqliteIndex) -> None:
        if index._connection.execute("PRAGMA database_list").fetchone()[2]:
            message = "attempt to write a readonly database"
            raise sqlite3.OperationalError(message)
        prepare(index)

    monkeypatch.setattr(SqliteIndex, "_prepare", refuse)
    index = open_index(tmp_path / "index.db")
    index.update([document("a", "red")], [])
    assert index.counts().documents == 1
    index.close()


def test_changes_are_forgotten_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: the list of changes does not grow for ever; who looked too long ago reads all vectors again."""
    monkeypatch.setattr(sqlite, "_CHANGES", 3)
    mine, other = SqliteIndex(tmp_path / "index.db"), SqliteIndex(tmp_path / "index.db")
    vector = numpy.array([1.0, 0.0], numpy.float32)
    near = Nearness(latin_documents=True, latin_query=True)
    keys = [f"k{number}" for number in range(9)]
    mine.update([document(key, "word") for key in keys], [])
    mine.put_vectors("m", {"k0": Vectors([vector])})
    assert set(mine.by_vector("m", vector, 20, Filter(), near).scores) == {"k0"}
    for key in keys[1:]:
        other.put_vectors("m", {key: Vectors([vector])})
    assert set(mine.by_vector("m", vector, 20, Filter(), near).scores) == set(keys)
    assert mine._one("SELECT count(*) FROM changes WHERE 1 = ?", 1) == (3,)
    mine.close()
    other.close()


def test_damage_is_told(tmp_path: Path) -> None:
    """B-04: words that do not fit their index are found by the check."""
    path = tmp_path / "index.db"
    filled(path)
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM words WHERE number < 100")
    connection.commit()
    connection.close()
    index = SqliteIndex(path)
    assert index.damage()
    index.close()


WRITER = """
import random, sys
from pathlib import Path
from tacit.index.contract import Document
from tacit.index.sqlite import SqliteIndex
index = SqliteIndex(Path(sys.argv[1]))
chance = random.Random(int(sys.argv[2]))
texts = ("note_id", "file", "layer", "status", "timing", "origin", "title", "one_liner")
same = {**dict.fromkeys(texts, "both"), "is_latin": True, "passages": ("text",)}
print("ready", flush=True)
while True:
    put = [
        Document(key=f"d{chance.randrange(200)}", digest=words, words=words, **same)
        for words in (" ".join(f"word{chance.randrange(40)}" for _ in range(30)) for _ in range(chance.randrange(60)))
    ]
    index.update(put, [f"d{chance.randrange(200)}" for _ in range(10)])
"""


def test_kills_leave_a_sound_index(tmp_path: Path) -> None:
    """B-04: killed in the middle of updates, the index is whole and answers like one made of the same documents."""
    path = tmp_path / "index.db"
    for turn in range(KILLS):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(turn)], stdout=subprocess.PIPE)
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"ready\n"
        time.sleep(0.01 + 0.004 * turn)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        index = SqliteIndex(path)
        assert index.damage() == []
        rebuilt = SqliteIndex(None)
        rebuilt.update([document(key, digest, digest=digest) for key, digest in index.known().items()], [])
        assert index.counts() == rebuilt.counts()
        for asked in (["word1"], ["word2", "word3"], ["word30", "word4", "nothing"]):
            assert index.coverage(asked, index.known()) == rebuilt.coverage(asked, index.known())
            assert index.by_keywords(asked, 9, Filter()).keys() == rebuilt.by_keywords(asked, 9, Filter()).keys()
        index.close()
        rebuilt.close()
    assert path.stat().st_size > 10_000
