"""What the package says about itself."""

from __future__ import annotations

import io
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

import tacit

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
OWN_EXTRAS = {"tacit[semantic,mcp,web,server]"}
PINS = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()


def normal(name: str) -> str:
    """A distribution's name as registries compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_version_has_one_home() -> None:
    """The version is written once, in the package, and looks like one."""
    assert "version" in PROJECT["dynamic"]
    assert PYPROJECT["tool"]["hatch"]["version"]["path"] == "src/tacit/__init__.py"
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", tacit.__version__)


def test_named_files_exist() -> None:
    """The files that the metadata names are there, and so is the marker that makes our types public."""
    for name in (PROJECT["readme"], *PROJECT["license-files"], "src/tacit/py.typed"):
        assert (ROOT / name).is_file(), name


def test_the_package_fits_a_megabyte() -> None:
    """Without models the wheel stays below one megabyte: all files packed as in a wheel, and a line about each."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        files = [path for path in (ROOT / "src/tacit").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        for path in files:
            archive.write(path, path.relative_to(ROOT / "src"))
    assert len(content.getvalue()) + 50 * len(files) < 1_000_000


def test_wheel_holds_only_the_package() -> None:
    """Tests, evals and benchmarks stay out of what users install."""
    assert PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["src/tacit"]}


def test_command_leads_to_the_terminal() -> None:
    """The one script is `tacit`, and it starts the cli."""
    assert PROJECT["scripts"] == {"tacit": "tacit.cli:main"}


@pytest.mark.parametrize("requirement", sorted({*sum(EXTRAS.values(), PROJECT["dependencies"])} - OWN_EXTRAS))
def test_dependency_has_a_floor_and_a_pin(requirement: str) -> None:
    """A dependency states the oldest version that works, no newest one, and has an exact pin for our own gates."""
    found = re.fullmatch(r"([\w.-]+)(?:\[[\w,-]+\])?>=[\d.]+", requirement)
    assert found, requirement
    assert normal(found[1]) in {normal(pin.partition("==")[0]) for pin in PINS}


def test_test_tools_are_no_runtime_dependency() -> None:
    """Nothing that only developers need is installed for users."""
    runtime = {normal(one.partition(">=")[0]) for one in PROJECT["dependencies"]}
    assert runtime & {normal(one.partition(">=")[0]) for one in EXTRAS["dev"]} == set()


@pytest.mark.parametrize("pin", PINS)
def test_pin_is_exact_and_plain(pin: str) -> None:
    """A pin is a name and a version: no address, no hash, no option."""
    assert re.fullmatch(r"[\w.-]+==[\w.]+", pin)
