"""Extras: whether they are here, and the line that brings one into the environment that Tacit runs in."""

from __future__ import annotations

import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from tacit.bank import extras

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src/tacit"


def test_every_extra_is_known() -> None:
    """Each extra that users can install has its modules listed."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]

    assert sorted(extras.MODULES) == sorted(set(declared) - {"dev"})


def test_extra_is_here_if_all_of_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One module that is missing is enough for an extra to be missing."""
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "nh3" else name)

    assert extras.is_here("mcp")
    assert not extras.is_here("web")


@pytest.mark.parametrize(
    ("mark", "begins"),
    [
        ("pipx_metadata.json", "pipx inject tacit 'mcp>="),
        ("uv-receipt.toml", "uv pip install --python /opt/py/bin/python 'mcp>="),
        ("", "/opt/py/bin/python -m pip install 'mcp>="),
    ],
    ids=["pipx", "uv", "pip"],
)
def test_line_fits_the_way_of_installing(
    mark: str, begins: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pipx, uv and pip each have their own way to add to an environment, and none needs a copy of Tacit for it."""
    prefix = tmp_path / "tacit"
    prefix.mkdir()
    if mark:
        (prefix / mark).touch()
    monkeypatch.setattr(sys, "prefix", str(prefix))
    monkeypatch.setattr(sys, "executable", "/opt/py/bin/python")

    assert extras.how("mcp").startswith(begins)


def test_environment_without_pip_is_served_by_uv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that has no pip was made by uv."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(extras, "find_spec", lambda _: None)

    assert extras.how("web").startswith("uv pip install --python ")


def test_source_tree_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Tacit was never installed, its metadata is not there and the extra is named instead."""

    def unknown(_: str) -> list[str]:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", unknown)

    assert extras.how("web").endswith("'tacit[web]'")


def test_one_place_makes_the_error() -> None:
    """Whoever misses an extra goes through this module, so that each such error has the line that helps."""
    makers = [path for path in SOURCE.rglob("*.py") if "ExtraMissing(" in path.read_text(encoding="utf-8")]

    assert sorted(path.name for path in makers) == ["errors.py", "extras.py"]
