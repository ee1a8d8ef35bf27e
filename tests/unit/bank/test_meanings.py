"""Search and recall by meaning, with models that are small, deterministic and know four things."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy
import pytest

from tacit.bank import Bank, Check, meanings, models, recalling, reindex
from tacit.index import sqlite
from tacit.mcp_server.door import OwnBank
from tacit.note.model import Note
from tacit.web.keeper import Keeper
from tests.unit.bank import concepts
from tests.unit.bank.concepts import DATABASE, FAKE, PROMPT, FakeEmbedder, deploy, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.index.embed.port import Embedder

# A fixture is found by its name in the file that uses it.
no_models = concepts.no_models
embedder = concepts.embedder
filled = concepts.filled


@pytest.mark.usefixtures("embedder")
def test_who_has_no_time_for_models_keeps_their_vectors(filled: Bank) -> None:
    """F-07: a hook that answers by keywords takes in what changed, and leaves the vectors to those who made them."""
    filled.recall("how do we ship?")
    before = filled.recaller.reindexer.index.counts().vectors
    hurried = Bank.open(filled.root)
    hurried.without_models()
    hurried.add([Note(id="MEM-new", title="Tea", when_to_load=("making tea",), one_liner="Boil water.")])
    assert said(hurried.recall("making tea")) == ["MEM-new"]
    assert before == filled.recaller.reindexer.index.counts().vectors != {}


@pytest.mark.usefixtures("embedder")
def test_meaning_finds_other_words(filled: Bank) -> None:
    """F-02: a note is found by what it means, without a common word, across languages too."""
    recall = filled.recall("ship a rollout", explain=True)
    assert said(recall) == ["MEM-deploy"]
    assert recall.mode == "keywords and fake"
    assert recall.notes[0].semantic > 0
    assert recall.notes[0].keyword == 0
    assert said(filled.recall("怎么发布")) == ["MEM-deploy"]
    assert said(filled.recall("make me an espresso")) == ["MEM-zh"]
    assert said(filled.recall("capital of Peru")) == []


def test_loading_a_model_takes_nothing_of_the_time_for_vectors(
    filled: Bank, reopen: Callable[[], Bank], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-08, B-04: the first answer is as right as the second, after a new note and without an index."""

    def load(*_: object) -> Embedder:
        time.sleep(0.05)
        return FakeEmbedder()

    monkeypatch.setattr(models, "installed", lambda: [FAKE])
    monkeypatch.setattr(meanings, "load", load)
    monkeypatch.setattr(recalling, "_EMBED_S", 0.04)
    monkeypatch.setattr(reindex.Reindexer, "embed_in_background", lambda _: None)
    for _ in range(2):
        monkeypatch.setattr(meanings, "_LOADED", {})
        bank = reopen()
        assert said(bank.recall("make me an espresso")) == ["MEM-zh"]
        (filled.root / ".local/index.db").unlink()


@pytest.mark.usefixtures("embedder")
def test_the_newest_note_gets_its_vectors_however_little_time_there_is(bank: Bank) -> None:
    """F-08: what was just written is found by its meaning; what is older follows."""
    bank.add([deploy(), DATABASE])
    bank.recaller.reindexer.catch_up()
    assert bank.recaller.reindexer.embed(9, budget_s=0.0) == 1


@pytest.mark.usefixtures("embedder")
def test_the_nearer_one_comes_first(filled: Bank) -> None:
    """F-03: both paths rank together."""
    hits = filled.search("ship the postgres rollout rollout")
    assert [hit.id for hit in hits][:2] == ["MEM-deploy", "MEM-database"]
    assert hits[0].score >= hits[1].score


def test_failing_model_leaves_keywords(filled: Bank, embedder: FakeEmbedder) -> None:
    """F-05: if the semantic path fails, the keyword path alone answers."""
    filled.reindex()
    embedder.fails = True
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]
    assert said(filled.recall("ship a rollout")) == []
    assert [hit.id for hit in filled.search("postgres")] == ["MEM-database"]
    embedder.fails = False
    assert said(filled.recall("ship a rollout")) == ["MEM-deploy"]


def test_model_of_another_size_leaves_keywords(
    filled: Bank, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-05: a model that answers what cannot be compared is like one that fails."""
    filled.reindex()
    monkeypatch.setattr(embedder, "query", lambda _: numpy.ones(3, numpy.float32))
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]


def test_unusable_model_is_told(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-09: a model that cannot be loaded is named with its reason, and keywords answer."""
    monkeypatch.setattr(models, "installed", lambda: [FAKE])
    status = filled.index_status()
    assert status.mode == "keywords alone"
    assert "model.onnx is missing" in status.unusable["fake"]
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]


@pytest.mark.usefixtures("embedder")
def test_status_counts(filled: Bank) -> None:
    """F-09: the status says how much there is and which paths answer."""
    filled.reindex()
    status = filled.index_status()
    assert (status.documents, status.vectors, status.mode) == (3, {FAKE.identity: 3}, "keywords and fake")
    assert (status.damage, status.unusable) == ((), {})
    assert (status.backend, status.missing) == ("sqlite", {})


@pytest.mark.usefixtures("embedder")
def test_status_tells_how_many_vectors_are_to_come(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """F-09: what follows in the background has a progress of its own, and a daemon can be told to make it."""
    before = filled.index_status()
    warm = reopen()
    warm.recaller.follow()
    thread = warm.recaller.reindexer._background
    assert thread is not None
    thread.join(60)
    warm.recaller.follow()

    assert (dict(before.vectors), before.missing) == ({}, {FAKE.identity: 3})
    assert (warm.index_status().vectors, warm.index_status().missing) == ({FAKE.identity: 3}, {})
    assert warm.recaller.reindexer._background is thread  # nothing was left to do


def test_no_model_is_loaded_by_a_write(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-09: neither opening a bank nor writing to it loads a model."""

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(models, "installed", lambda: [FAKE])
    monkeypatch.setattr(meanings, "load", refuse)
    bank.add([deploy()])
    bank.archive("MEM-deploy")


@pytest.mark.usefixtures("embedder")
def test_vectors_follow_in_the_background(bank: Bank) -> None:
    """F-09: many new notes do not make anybody wait for all their vectors."""
    bank.add([deploy(id=f"MEM-{number}", title=f"Deploy number {number}") for number in range(60)])
    assert bank.search("ship a rollout")
    thread = bank.recaller.reindexer._background
    assert thread is not None
    bank.recaller.reindexer.embed_in_background()
    thread.join(60)
    assert bank.index_status().vectors == {FAKE.identity: 60}


def test_background_that_fails_is_quiet(bank: Bank, embedder: FakeEmbedder) -> None:
    """F-05: a model that fails while nobody asks tells nobody; whoever asks next begins again."""
    bank.add([deploy()])
    bank.recaller.reindexer.catch_up()
    assert bank.recaller.reindexer.models.tasks()
    embedder.fails = True
    bank.recaller.reindexer._follow()
    embedder.fails = False
    bank.reindex()
    assert bank.index_status().vectors == {FAKE.identity: 1}


@pytest.mark.usefixtures("embedder")
def test_a_rebuild_tells_how_far_it_is_and_words_are_found_meanwhile(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """F-08: long work says how far it is, with its vectors; as soon as the words are read, they are found."""
    other = reopen()
    other.recaller.is_hurried = True
    told: list[float] = []
    found: list[bool] = []

    def progress(done: int, total: int) -> None:
        told.append(done / total)
        found.append(bool(other.search(PROMPT)))

    filled.rebuild_index(progress=progress)
    assert told == sorted(told)
    assert told[0] < 0.1
    assert told[-1] == 1.0
    assert len(told) > 2
    assert all(found)


@pytest.mark.usefixtures("embedder")
def test_vectors_of_another_version_go(
    filled: Bank, reopen: Callable[[], Bank], monkeypatch: pytest.MonkeyPatch
) -> None:
    """B-04: a model takes the place of its other versions, whether a note changed since or not.

    Whoever has no model, in a container say, leaves the vectors to those who have it.
    """
    filled.reindex()
    whole = filled.index_status().vectors
    assert whole == {FAKE.identity: 3}
    with monkeypatch.context() as patched:
        patched.setattr(models, "installed", list)
        assert reopen().index_status().vectors == whole
    newer = replace(FAKE, files={"model.onnx": "e" * 64})
    monkeypatch.setattr(models, "installed", lambda: [newer])
    assert FAKE.identity not in reopen().index_status().vectors


@pytest.mark.usefixtures("embedder")
def test_vectors_wait_while_another_process_writes(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05: if vectors cannot be kept for the moment, keywords answer for their notes."""
    filled.index_status()

    def busy(*_: object) -> None:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise error

    monkeypatch.setattr(sqlite.SqliteIndex, "put_vectors", busy)
    monkeypatch.setattr(reindex.Reindexer, "embed_in_background", lambda _: None)
    assert filled.search("deploy the billing service")[0].id == "MEM-deploy"


@pytest.mark.usefixtures("embedder")
def test_what_stands_twice_is_read_once(filled: Bank) -> None:
    """F-09: a note that says no more than its summary gets one vector for both."""
    models = filled.recaller.reindexer.models
    models.pairs()
    assert len(models.vectors("fake", ("Ship", "Ship. Slowly.", "Ship. Slowly.")).rows) == 1
    assert len(models.vectors("fake", ("Ship", "Ship. Slowly.", "Ship. Slowly. By hand.")).rows) == 2


def test_banks_of_a_process_share_models(filled: Bank, embedder: FakeEmbedder, reopen: Callable[[], Bank]) -> None:
    """F-08: a model is loaded once, however many banks are open."""
    assert filled.recaller.mode() == "keywords and fake"
    loaded = filled.recaller.reindexer.models._loaded["fake"]
    other = reopen()
    other.recaller.mode()
    assert other.recaller.reindexer.models._loaded["fake"] is loaded is embedder


def test_doctor_tells_the_mode(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-09: the mode in use is said, and a model that is here and cannot be used is a promise broken."""

    def recall_check() -> Check:
        return next(check for check in Bank.open(filled.root).doctor() if check.name == "recall")

    assert (recall_check().ok, recall_check().detail) == (True, "answers by keywords alone")
    monkeypatch.setattr(models, "installed", lambda: [FAKE])
    assert not recall_check().ok
    assert "model.onnx is missing" in recall_check().detail
    assert models.mode_here() == "keywords and fake"


def test_a_model_that_comes_later_is_noticed(
    filled: Bank, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-09: a process that stays open uses a model as soon as it is there."""
    with monkeypatch.context() as patched:
        patched.setattr(models, "installed", list)
        bank = Bank.open(filled.root)
        assert said(bank.recall("ship a rollout")) == []
    monkeypatch.setattr(models, "stamp", lambda: 1)
    assert said(bank.recall("ship a rollout")) == ["MEM-deploy"]
    assert bank.recaller.reindexer.models._loaded["fake"] is embedder


@pytest.mark.usefixtures("embedder")
def test_a_process_that_stays_lets_slow_vectors_follow(bank: Bank) -> None:
    """F-09: in a warm process nobody waits for a slow model to read a new note."""
    bank.add([deploy()])
    bank.warm()
    bank.recaller.reindexer.catch_up()
    assert bank.recaller.reindexer.embed(9, quickly=True) == 0
    assert said(bank.recall(PROMPT)) == ["MEM-deploy"]
    thread = bank.recaller.reindexer._background
    assert thread is not None
    thread.join(60)
    assert bank.index_status().vectors == {FAKE.identity: 1}
    bank.recaller.reindexer._end_background()


@pytest.mark.usefixtures("embedder")
@pytest.mark.parametrize("served", [OwnBank, Keeper])
def test_whoever_serves_lets_slow_vectors_follow(bank: Bank, served: type[OwnBank | Keeper]) -> None:
    """F-09: an MCP server of one host and the review page stay too: they load no model before it is needed."""
    bank.add([deploy()])
    run = getattr(served(bank.root), "submit" if served is Keeper else "run")
    models_at_hand = run(lambda bank: bank.recaller.reindexer.models).result()
    assert not models_at_hand.ready
    found, background = run(lambda bank: (bank.search(PROMPT), bank.recaller.reindexer._background)).result()
    assert [hit.id for hit in found] == ["MEM-deploy"]
    background.join(60)
    assert bank.index_status().vectors == {FAKE.identity: 1}


def test_a_process_that_stays_is_set_up_for_it() -> None:
    """F-09: whoever waits is not kept by a thread that works behind, nor by a look for garbage."""
    code = (
        "import gc, sys; from tacit.index import process; process.settle();"
        "print(sys.getswitchinterval(), gc.get_threshold()[0], gc.get_freeze_count() > 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
    assert done.stdout.split() == ["0.001", "10000", "True"]


@pytest.mark.usefixtures("embedder")
def test_while_a_crowd_waits_keywords_answer(filled: Bank) -> None:
    """F-08: where many wait, models are left out for the moment."""
    filled.reindex()
    filled.recaller.is_hurried = True
    assert said(filled.recall("ship a rollout")) == []
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]
    filled.recaller.is_hurried = False
    assert said(filled.recall("ship a rollout")) == ["MEM-deploy"]
