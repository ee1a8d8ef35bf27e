"""Search and recall over a bank, with models that are small, deterministic and know four things."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy
import pytest

from tacit.bank import Bank, Check, freshness, meanings, models, reindex, wiring
from tacit.errors import ModelUnusable, StateRefused
from tacit.index import sqlite
from tacit.index.embed.port import PAIRS, Descriptor
from tacit.mcp_server.door import OwnBank
from tacit.note.model import Layer, Note, Status, Timing
from tacit.recall import rank
from tacit.store import disk
from tacit.web.keeper import Keeper

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.bank.recalling import Recall
    from tacit.index.embed.port import Embedder, Vector

CONCEPTS = (
    ("deploy", "ship", "rollout", "部署", "发布"),
    ("database", "postgres", "migration", "数据库"),
    ("coffee", "espresso", "咖啡"),
    ("lint", "style", "formatter"),
)
FAKE = Descriptor(name="fake", kind="bert", pairs=PAIRS, files={"model.onnx": "f" * 64})


class FakeEmbedder:
    """Knows the concepts above; everything else is one and the same to it."""

    def __init__(self) -> None:
        self.fails = False

    def query(self, text: str) -> Vector:
        """The concepts of a text, as directions."""
        if self.fails:
            raise ModelUnusable(name="fake", reason="test")
        vector = numpy.zeros(len(CONCEPTS) + 1, numpy.float32)
        for number, words in enumerate(CONCEPTS):
            vector[number] = sum(text.lower().count(word) for word in words)
        if not vector.any():
            vector[-1] = 1
        unit: Vector = vector / numpy.linalg.norm(vector)
        return unit

    passage = query


@pytest.fixture(autouse=True)
def no_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This machine has no models, unless a test says so."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> FakeEmbedder:
    """A machine with one model."""
    made = FakeEmbedder()

    def load(descriptor: Descriptor, folder: Path) -> Embedder:
        assert (descriptor.name, folder.name) == ("fake", "fake")
        return made

    monkeypatch.setattr(models, "installed", lambda: [FAKE])
    monkeypatch.setattr(meanings, "load", load)
    return made


def deploy(**fields: object) -> Note:
    """How we deploy."""
    members = {
        "id": "MEM-deploy",
        "title": "Deploy with blue-green switches",
        "when_to_load": ("before a deploy of the billing service",),
        "one_liner": "Deploy to the idle colour first.",
        "timing": Timing.BOTH,
        **fields,
    }
    return Note(**members)  # type: ignore[arg-type]


DATABASE = Note(
    id="MEM-database",
    title="Database migrations run in two steps",
    when_to_load=("writing a postgres migration",),
    one_liner="First add the column, then drop the old one.",
)
CHINESE = Note(id="MEM-zh", title="咖啡机的清洗", when_to_load=("清洗咖啡机",), one_liner="每周五用柠檬酸清洗咖啡机。")


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with three notes."""
    bank.add([deploy(), DATABASE, CHINESE])
    return bank


def said(recall: Recall) -> list[str]:
    """The ids of what was said."""
    assert recall.abstained == (not recall.notes)
    assert bool(recall.injection) == bool(recall.notes)
    return [hit.id for hit in recall.notes]


# Search and recall by keywords


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


def test_search_by_keywords(filled: Bank) -> None:
    """F-08: without any model the keywords answer, in both languages."""
    assert [hit.id for hit in filled.search("postgres migration column")][:1] == ["MEM-database"]
    assert [hit.id for hit in filled.search("清洗咖啡机")][:1] == ["MEM-zh"]
    hit = filled.search("deploy billing")[0]
    assert (hit.title, hit.file.endswith(".md"), hit.semantic) == ("Deploy with blue-green switches", True, 0.0)
    assert 0 < hit.keyword <= 1


def test_search_has_a_limit(filled: Bank) -> None:
    """F-07: as many hits as were asked for, and nothing for nothing."""
    filled.add([deploy(id=f"MEM-{number}", title=f"Deploy number {number}") for number in range(12)])
    assert len(filled.search("deploy", 3)) == 3
    assert len(filled.search("deploy", 100_000)) == 13
    assert filled.search("") == []


def test_recall_says_one_line_with_id_and_path(filled: Bank) -> None:
    """J-01: one line with the id and the path, and why."""
    recall = filled.recall("how do we deploy the billing service?")
    assert said(recall) == ["MEM-deploy"]
    assert recall.reason == "found"
    assert f"[MEM-deploy] .memory/{recall.notes[0].file}" in recall.injection
    assert recall.injection.count("\n") == 1


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("thanks!", "nothing to look for"),
        ("", "nothing to look for"),
        ("what is the capital of Peru?", "nothing fits well enough"),
    ],
)
def test_silence_has_a_reason(filled: Bank, prompt: str, reason: str) -> None:
    """F-04: silence when nothing fits is a result."""
    recall = filled.recall(prompt)
    assert said(recall) == []
    assert recall.reason == reason


def test_recall_reads_context(filled: Bank) -> None:
    """F-01: "continue" is read with what was said before."""
    assert said(filled.recall("continue", turns=["how do we deploy the billing service?"])) == ["MEM-deploy"]
    assert said(filled.recall("continue")) == []


def test_explained(filled: Bank) -> None:
    """F-07: an explained recall names the paths, the scores and what became of each candidate."""
    filled.add([deploy(id="MEM-far", title="Rollback", when_to_load=("rollback",), one_liner="A deploy can go back.")])
    recall = filled.recall("deploy of the billing service", session="s", explain=True)
    verdicts = {hit.id: hit.verdict for hit in recall.considered}
    assert verdicts["MEM-deploy"] == "injected"
    assert verdicts["MEM-far"] in {"too little evidence", "behind the others"}
    assert recall.mode == "keywords alone"
    again = filled.recall("deploy of the billing service", session="s", explain=True)
    assert {hit.id: hit.verdict for hit in again.considered}["MEM-deploy"] == "already said"
    assert filled.recall("deploy of the billing service").considered == ()


# Once in a session

PROMPT = "how do we deploy the billing service?"


def test_once_in_a_session_and_phase(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """J-02: a note is said once in a session and phase, whichever process asks."""
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    again = reopen().recall(PROMPT, session="one")
    assert (said(again), again.reason) == ([], "already said in this session")
    assert said(filled.recall(PROMPT, "post", session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="two")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT)) == said(filled.recall(PROMPT)) == ["MEM-deploy"]


def test_again_when_the_note_changed(filled: Bank) -> None:
    """J-02: a note that changed is said again."""
    filled.recall(PROMPT, session="one")
    filled.tag("MEM-deploy", add=["new"])
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="one")) == []


def test_again_after_compaction(filled: Bank) -> None:
    """J-02: when the conversation was compacted, what was said is forgotten."""
    filled.recall(PROMPT, session="one")
    filled.recaller.forget_session("one")
    filled.recaller.forget_session("never heard of")
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pre": 3}', b"\xff"])
def test_spoilt_sessions_only_forget(filled: Bank, content: bytes) -> None:
    """B-04: what is in a session's file can cost a repetition, never an answer."""
    filled.recall(PROMPT, session="one")
    [file] = (filled.root / ".local/sessions").iterdir()
    file.write_bytes(content)
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="one")) == []


def test_sessions_that_cannot_be_kept(filled: Bank) -> None:
    """F-05: where no session can be written, the note may be said again."""
    (filled.root / ".local/sessions").write_bytes(b"")
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]


@pytest.mark.parametrize("session", ["../../x", "a/b", "\x00", "长" * 500, "x" * 100_000])
def test_session_names_lead_nowhere(filled: Bank, session: str) -> None:
    """F-05: a session may be called anything; its file has a name of ours."""
    assert said(filled.recall(PROMPT, session=session)) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session=session)) == []
    assert len(list((filled.root / ".local/sessions").iterdir())) == 1


# What may be said


@pytest.mark.parametrize(
    ("timing", "phases"), [(Timing.PRE, {"pre"}), (Timing.POST, {"post"}), (Timing.BOTH, {"pre", "post"})]
)
def test_phases(bank: Bank, timing: Timing, phases: set[str]) -> None:
    """F-06: `pre` serves notes with timing pre or both, `post` those with post or both."""
    bank.add([deploy(timing=timing)])
    assert {phase for phase in ("pre", "post") if said(bank.recall(PROMPT, phase))} == phases
    assert [hit.id for hit in bank.search(PROMPT)] == ["MEM-deploy"]


def test_archived_notes_are_out(filled: Bank) -> None:
    """F-06: archived notes are not recalled, and only found when asked for."""
    filled.archive("MEM-deploy")
    assert said(filled.recall(PROMPT)) == []
    assert filled.search("blue-green") == []
    assert [hit.id for hit in filled.search("blue-green", archived=True)] == ["MEM-deploy"]


def test_local_notes_rank_lower(bank: Bank) -> None:
    """F-06: a note marked local comes after an equal one that is not."""
    bank.add([deploy(id="MEM-a", status=Status.LOCAL), deploy(id="MEM-b")])
    assert [hit.id for hit in bank.search(PROMPT)] == ["MEM-b", "MEM-a"]


def test_sections_of_details(filled: Bank) -> None:
    """F-02: sections of details are found by their path, each on its own."""
    (filled.root / "details/network").mkdir(parents=True)
    text = "All.\n\n# Firewall\n\nPort 8443 is open to the proxies. More.\n\n## Empty\n\n## VPN\n\nAsk Wendy.\n"
    (filled.root / "details/network/ports.md").write_text(text, encoding="utf-8")
    hit = filled.search("which firewall port is open to proxies")[0]
    assert (hit.file, hit.title, hit.one_liner) == (
        "details/network/ports.md",
        "Firewall",
        "Port 8443 is open to the proxies.",
    )
    recall = filled.recall("which firewall port 8443 is open to the proxies?")
    assert recall.injection.endswith("- Port 8443 is open to the proxies. .memory/details/network/ports.md")
    (filled.root / "details/network/ports.md").write_text("# VPN\n\nAsk Wendy.\n", encoding="utf-8")
    filled.reindex()
    assert all(hit.title != "Firewall" for hit in filled.search("firewall port proxies"))
    assert filled.search("wendy vpn")[0].title == "VPN"


def test_details_that_cannot_be_read(filled: Bank) -> None:
    """F-05: a detail file that is huge, binary or a link stops nothing."""
    (filled.root / "details/huge.md").write_bytes(b"# Firewall\nwords " * 60_000)
    (filled.root / "details/binary.md").write_bytes(b"\xff\xfe\x00" * 100)
    (filled.root / "details/link.md").symlink_to("/etc/passwd")
    (filled.root / "details/empty.md").write_bytes(b"")
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]
    assert filled.search("firewall") == []


def test_core_documents_are_not_recalled(filled: Bank) -> None:
    """J-03: the L0 core is said when a session starts, not found by chance."""
    assert all(not hit.file.startswith(Layer.CORE.folder) for hit in filled.search("memory core project team deploy"))


@pytest.mark.parametrize("state", ["OFF", "PADDING"])
def test_states_that_stay_silent(filled: Bank, state: str) -> None:
    """F-06: a bank that is off or being filled says nothing."""
    (filled.root / "memory.lock").write_text(f"{state}\n", encoding="utf-8")
    recall = filled.recall(PROMPT)
    assert (said(recall), recall.reason) == ([], f"the bank is {state}")


def test_a_bank_that_is_off_is_not_searched(filled: Bank) -> None:
    """F-06: search needs a bank that may be read; recall alone is silent."""
    (filled.root / "memory.lock").write_text("OFF\n", encoding="utf-8")
    for ask in (lambda: filled.search("deploy"), filled.index_status, filled.rebuild_index):
        with pytest.raises(StateRefused):
            ask()


def test_a_paused_bank_answers(filled: Bank) -> None:
    """F-06: paused, notes stay as they are and are read."""
    (filled.root / "memory.lock").write_text("PAUSED\n", encoding="utf-8")
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]


# In step with the files


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
    monkeypatch.setattr(disk, "is_local", lambda _: True)
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


# With a model


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


def test_index_that_no_disk_takes_is_told(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-04: where no file can be written the status says so."""
    monkeypatch.setattr(filled.recaller.reindexer, "_path", filled.root / "nowhere/index.db")

    assert filled.recaller.reindexer.backend == "memory"


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


# Never an error

STRANGE = [
    '" OR *', "NEAR(", "a AND NOT (b", "'; DROP TABLE documents; --",
    "title:x", "*", "", " ", "\x00\x01\x02",
    "\ud800 deploy",
    "👍🎉", "deploy " * 150_000, "数据" * 500_000, "\xff\xfe" * 1000, "```" * 1000, "%s %d {0} {x}", "../../etc/passwd",
]  # fmt: skip


@pytest.mark.usefixtures("embedder")
@pytest.mark.parametrize("prompt", STRANGE, ids=range(len(STRANGE)))
def test_no_prompt_is_an_error(filled: Bank, prompt: str) -> None:
    """F-05: operators, nothing, a megabyte, bytes and emoji are prompts like any other."""
    filled.search(prompt)
    recall = filled.recall(prompt, session=prompt[:50], turns=[prompt])
    assert not recall.reason.startswith("failed") or "\ud800" in prompt


def test_if_all_fails_silence(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05: if all fails, silence with the reason, never an error."""

    def refuse(**_: object) -> None:
        raise OSError(5, "the disk is gone")

    monkeypatch.setattr(filled.recaller.reindexer, "catch_up", refuse)
    recall = filled.recall(PROMPT)
    assert said(recall) == []
    assert "the disk is gone" in recall.reason


def test_index_is_private(filled: Bank) -> None:
    """B-04: the index holds the words of every note, and is for its user alone."""
    filled.search(PROMPT)

    files = [path for path in (filled.root / ".local").iterdir() if path.name == "index.db"]
    assert [path.name for path in files if path.stat().st_mode & 0o077] == []
    assert files != []


def test_sessions_are_private(filled: Bank) -> None:
    """B-04: what was shown is kept on this machine, for its user alone, without any text of a prompt."""
    filled.recall(PROMPT, session="one")
    [file] = (filled.root / ".local/sessions").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert list(json.loads(file.read_bytes())) == ["pre"]
    assert b"billing" not in file.read_bytes()


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
        "import gc, sys; from tacit.bank import staying; staying.settle();"
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


def test_the_numbers_of_recall_are_settings(reopen: Callable[[], Bank]) -> None:
    """F-03, F-04: how many notes are said, how meaning counts and how sure recall must be can be set."""
    bank = reopen()
    assert bank.recaller.rules == rank.Rules()
    bank.remember("when deploying the billing service, ask the on-call first")
    prompt = "deploying the billing service"
    assert len(bank.recall(prompt).notes) == 1
    bank.set_setting("recall.caution_percent", "400")
    assert reopen().recall(prompt).abstained
    bank.set_setting("recall.caution_percent", "100")
    bank.set_setting("recall.notes", "0")
    assert reopen().recall(prompt).abstained
    bank.set_setting("recall.meaning_percent", "30")
    assert reopen().recaller.rules.weight == 0.3
