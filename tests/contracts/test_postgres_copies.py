"""What a process keeps of banks in memory: never older than the database, and never more than it may."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tacit.index import vectors
from tacit.index.contract import Filter, Nearness, Vectors
from tests.contracts.index_suite import document, unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.index.postgres.door import Door

psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'tacit[server]'")
pytestmark = pytest.mark.postgres
LATIN = Nearness(latin_documents=True, latin_query=True)


@pytest.fixture
def doors(url: str) -> Iterator[tuple[Door, Door]]:
    """Two processes."""
    from tacit.index.postgres.door import Door

    made = Door(url), Door(url)
    yield made
    for door in made:
        door.close()


def test_another_process_is_heard_at_once(doors: tuple[Door, Door]) -> None:
    """Y-03: what one process wrote, every other one finds with its next question: words, vectors, and what is gone."""
    from tacit.index.postgres.index import PostgresIndex

    bank = uuid4()
    one, other = (PostgresIndex(door, bank) for door in doors)
    one.update([document("a", "red green"), document("b", "red blue")], [])
    one.put_vectors("m", {"a": Vectors([unit(1, 0)]), "b": Vectors([unit(0, 1)])})
    assert list(other.by_vector("m", unit(0, 1), 1, Filter(), LATIN).scores) == ["b"]
    assert set(other.by_keywords(["red"], 5, Filter())) == {"a", "b"}
    one.update([document("c", "red")], ["b"])
    one.put_vectors("m", {"c": Vectors([unit(0, 1)])})
    assert list(other.by_vector("m", unit(0, 1), 1, Filter(), LATIN).scores) == ["c"]
    assert set(other.by_keywords(["red"], 5, Filter())) == {"a", "c"}
    assert set(other.coverage(["red"], ["a", "b", "c"])) == {"a", "c"}
    assert set(other.find(["b", "c"])) == {"c"}


def test_one_act_sees_one_state_until_it_writes(doors: tuple[Door, Door]) -> None:
    """Y-03: an index for one act asks for the state once; its own change it sees."""
    from tacit.index.postgres.index import PostgresIndex

    bank = uuid4()
    steady, other = PostgresIndex(doors[0], bank, steady=True), PostgresIndex(doors[1], bank)
    other.update([document("a", "red")], [])
    assert set(steady.by_keywords(["red"], 5, Filter())) == {"a"}
    other.update([document("b", "red")], [])
    assert set(steady.by_keywords(["red"], 5, Filter())) == {"a"}
    steady.update([document("c", "red")], [])
    assert set(steady.by_keywords(["red"], 5, Filter())) == {"a", "b", "c"}


def test_what_is_asked_again_is_not_read_again(doors: tuple[Door, Door], monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: a question of a bank at a known state needs no exchange with the database."""
    from tacit.index.postgres.door import Door
    from tacit.index.postgres.index import PostgresIndex

    bank = uuid4()
    index = PostgresIndex(doors[0], bank, steady=True)
    index.update([document("a", "red green")], [])
    index.put_vectors("m", {"a": Vectors([unit(1, 0)])})

    def question() -> tuple[object, ...]:
        words = index.by_keywords(["red", "none"], 5, Filter())
        near = index.by_vector("m", unit(1, 0), 5, Filter(), LATIN, also=["a", "nobody"])
        return words, near, index.find(["a", "nobody"]), index.coverage(["red"], ["a"]), index.origins([])

    first = question()
    monkeypatch.setattr(Door, "looked", None)
    assert question() == first


def test_a_server_reads_a_small_bank_whole(doors: tuple[Door, Door], monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: after its first question nothing more is read of a small bank, whatever is asked; a large one is not kept.

    Words of all scripts are found, in all of their blocks, and those that nobody wrote are not.
    """
    from tacit.index.postgres import reads
    from tacit.index.postgres.copies import Facts, Wanted
    from tacit.index.postgres.door import Door
    from tacit.index.postgres.index import PostgresIndex

    bank, words = uuid4(), ("red", "rouge", "红", "красный", "\U0001f534")
    PostgresIndex(doors[0], bank).update([document("gone", "red")], [])
    monkeypatch.setattr("tacit.index.postings.BLOCK", 2)
    PostgresIndex(doors[0], bank).update([document(f"d{at}", f"red {word}") for at, word in enumerate(words)], ["gone"])
    lazy = PostgresIndex(doors[1], bank)

    def answers(index: PostgresIndex) -> list[object]:
        asked = [index.by_keywords([word], 9, Filter()) for word in (*words, "re", "reds", "zzz")]
        return [*asked, index.find(["d1", "gone"]), index.coverage(["rouge"], ["d1", "d2"])]

    expected = answers(lazy)
    seen = reads.some(doors[1], bank, Wanted()).facts
    served = PostgresIndex(doors[0], bank, steady=True, seen=seen)
    served.by_keywords(["red"], 9, Filter())
    with monkeypatch.context() as cut:
        cut.setattr(Door, "looked", None)
        assert answers(served) == expected
    monkeypatch.setattr(reads, "WHOLE", 3)
    doors[0].copies.at(bank, Facts())
    assert answers(PostgresIndex(doors[0], bank, steady=True, seen=seen._replace(documents=1))) == expected


def test_memory_has_its_limit(url: str) -> None:
    """Y-03: beyond so many bytes the bank that was not asked for longest is forgotten, and read again when asked."""
    from tacit.index.postgres.door import Door
    from tacit.index.postgres.index import PostgresIndex

    door = Door(url, most_bytes=4_000)
    banks = [uuid4() for _ in range(5)]
    for bank in banks:
        index = PostgresIndex(door, bank)
        index.update([document("a", "red")], [])
        assert list(index.by_keywords(["red"], 5, Filter())) == ["a"]
    kept, size = door.copies.counts()
    assert (1 <= kept < 5, size <= 4_000) == (True, True)
    assert door.copies.latest(banks[0]) is None
    assert list(PostgresIndex(door, banks[0]).by_keywords(["red"], 5, Filter())) == ["a"]
    door.close()


def test_what_is_kept_does_not_slow_the_collector() -> None:
    """Y-03: Python's collector, which stops a whole process, does not go through the notes of a thousand banks."""
    from tacit.index.postgres.copies import KEY, Copy, Facts, Wanted

    kinds = ("L1", "active", "both", "project")
    rows = [(at, "red", f"k{at}", f"d{at}", f"n{at}", f"k{at}", *kinds, f"t{at}", "one", True) for at in range(1000)]
    copy = Copy(Facts())
    gc.collect()
    before = len(gc.get_objects())
    copy.add_documents(Wanted(), rows)
    copy.add_blocks((f"w{at}" for at in range(1000)), ((f"w{at}", 0, 1, b"1234") for at in range(1000)))
    del rows
    gc.collect()
    gc.collect()
    assert len(gc.get_objects()) - before < 500
    assert [row[KEY] for row in copy.documents([7]).values()] == ["k7"]


def test_further_blocks_are_read_too(doors: tuple[Door, Door], monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: in a large bank, words are looked for in all blocks, also in those that are not kept."""
    from tacit.index.postgres import reads
    from tacit.index.postgres.index import PostgresIndex

    monkeypatch.setattr(reads, "FIRST_BLOCKS", 0)
    bank = uuid4()
    index = PostgresIndex(doors[0], bank)
    index.update([document(f"d{number}", "red" if number % 2 else "blue") for number in range(30)], [])
    assert len(index.by_keywords(["red"], 50, Filter())) == 15
    assert index.damage() == []


def test_many_documents_are_found_at_once(doors: tuple[Door, Door]) -> None:
    """Y-03: whoever asks for all documents gets all, and memory does not keep them."""
    from tacit.index.postgres.index import PostgresIndex

    index = PostgresIndex(doors[0], uuid4())
    index.update([document(f"d{number}") for number in range(600)], [])
    assert len(index.find(index.known())) == 600
    assert doors[0].copies.latest(index._bank) is None


def test_a_bank_that_grows_is_read_otherwise(doors: tuple[Door, Door], monkeypatch: pytest.MonkeyPatch) -> None:
    """Y-03: once there are too many vectors to compare each, none are kept, and the nearest is the same."""
    from tacit.index.postgres.index import PostgresIndex

    index = PostgresIndex(doors[0], uuid4())
    index.update([document(f"d{number}") for number in range(20)], [])
    index.put_vectors("m", {f"d{number}": Vectors([unit(1, number)]) for number in range(20)})
    small = index.by_vector("m", unit(1, 7), 3, Filter(), LATIN)
    monkeypatch.setattr(vectors, "EXACT_ROWS", 10)
    index.update([document("more")], [])
    large = index.by_vector("m", unit(1, 7), 3, Filter(), LATIN)
    assert list(small.scores) == list(large.scores)
    assert large.scores == pytest.approx(dict(small.scores), abs=1e-3)


def test_connections_that_broke_are_replaced(doors: tuple[Door, Door], url: str) -> None:
    """Y-03: a database that was started again is asked again, for reading and for writing, and nobody notices."""
    from tacit.index.postgres.index import PostgresIndex

    index = PostgresIndex(doors[0], uuid4())
    for word, act in (("red", index.known), ("blue", lambda: index.update([document("b", "blue")], []))):
        index.update([document("a", word)], [])
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid()"
            )
        act()
    assert set(index.by_keywords(["blue"], 5, Filter())) == {"a", "b"}


def test_who_comes_while_the_database_is_away_does_not_wait_long(
    doors: tuple[Door, Door], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Y-03: once somebody has waited in vain, others are told at once; after an answer everybody waits again."""
    from psycopg_pool import PoolTimeout

    from tacit.errors import DatabaseUnusable
    from tacit.index.postgres.index import PostgresIndex

    door, waited = doors[0], []
    index, given, is_away = PostgresIndex(door, uuid4()), door._pool.getconn, True

    def getconn(wait_s: float) -> object:
        waited.append(wait_s)
        if is_away:
            raise PoolTimeout
        return given(wait_s)

    monkeypatch.setattr(door._pool, "getconn", getconn)
    for act in (index.known, lambda: index.by_keywords(["red"], 1, Filter())):
        with pytest.raises(DatabaseUnusable):
            act()
    is_away = False
    assert (index.known(), index.by_keywords(["red"], 1, Filter())) == ({}, {})
    assert (waited[0], waited[0] > 10 * waited[1], waited[2:]) == (5.0, True, [waited[1], 5.0])


def test_texts_come_back_as_they_were(doors: tuple[Door, Door]) -> None:
    """B-04: passages of any number and with any characters are kept apart, but for those no text may hold."""
    from tacit.index.postgres.index import PostgresIndex

    index = PostgresIndex(doors[0], uuid4())
    given = {"none": (), "empty": ("",), "odd": ('{"a", \\b}', "NULL", "两行\n"), "cut": ("a\x1eb\0c",)}
    index.update([document(key, passages=passages) for key, passages in given.items()], [])
    found = dict(index.without_vectors("m", 9, latin=None))
    assert found == {**given, "cut": ("a bc",)}
