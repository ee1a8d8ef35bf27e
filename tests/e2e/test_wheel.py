"""What a user installs: the wheel in a clean environment, from the first command to undo."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

import tacit as package
from tests.cli import runner
from tests.cli.runner import at_terminal, environment
from tests.e2e.conftest import pip

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
SOURCE = Path(__file__).parents[2] / "src"
EVERY_MODULE = """
import importlib, pkgutil, tacit
for module in pkgutil.walk_packages(tacit.__path__, "tacit.", onerror=lambda _: None):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        assert not (error.name or "").startswith("tacit"), error
        print(".".join(module.name.split(".")[:2]) + ": " + module.name, error.name)
"""
SESSION = """
import sys, tacit
from tacit.note.model import Note
bank = tacit.Bank.init(sys.argv[1])
bank.add([Note(id="", title="T", when_to_load=("w",), one_liner="l")])
print(len(tacit.Bank.open(sys.argv[1]).notes()))
"""


def test_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    """All modules and the licence are in the wheel; no test, benchmark or private file is."""
    names = zipfile.ZipFile(wheel).namelist()

    shipped = {name for name in names if not name.startswith(f"tacit-{package.__version__}.dist-info/")}
    assert shipped == {path.relative_to(SOURCE).as_posix() for path in (SOURCE / "tacit").rglob("*.py")} | {
        name for name in shipped if name.startswith("tacit/") and not name.endswith(".py")
    }
    assert f"tacit-{package.__version__}.dist-info/licenses/LICENSE" in names


def test_wheel_is_small(wheel: Path) -> None:
    """Without models the wheel stays below one megabyte."""
    assert wheel.stat().st_size < 1_000_000


def test_wheel_is_the_same_wherever_it_is_built(wheel: Path, tmp_path: Path) -> None:
    """A copy of the source with other times and other permissions gives the same bytes."""
    copy = tmp_path / "copy"
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        copy.mkdir(exist_ok=True)
        shutil.copyfile(SOURCE.parent / name, copy / name)
    shutil.copytree(SOURCE, copy / "src", ignore=shutil.ignore_patterns("__pycache__"), copy_function=shutil.copyfile)
    for path in copy.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)

    pip(Path(sys.executable), "wheel", "--no-deps", "-w", str(tmp_path), str(copy))

    assert sha256((tmp_path / wheel.name).read_bytes()).digest() == sha256(wheel.read_bytes()).digest()


def test_every_module_of_the_core_can_be_imported_without_extras(installed: Path) -> None:
    """Nothing but the parts that an extra stands for needs more than the three dependencies of the core."""
    done = subprocess.run(
        [installed / "python", "-W", "error", "-c", EVERY_MODULE],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=environment(),
    )

    assert (done.returncode, done.stderr) == (0, "")
    rooms = {line.partition(": ")[0] for line in done.stdout.splitlines()}
    assert rooms <= {"tacit.index", "tacit.mcp_server", "tacit.daemon", "tacit.web", "tacit.server"}, done.stdout


def test_clean_environment_holds_the_core_alone(installed: Path) -> None:
    """A user gets the three dependencies of the core, and no tool of the developers."""
    listing = subprocess.run(
        [installed / "python", "-m", "pip", "list", "--format=json"],
        capture_output=True,
        check=True,
        env=environment(),
    ).stdout

    names = {entry["name"].lower() for entry in json.loads(listing)} - {"pip", "setuptools", "wheel"}
    assert names == {"tacit", "click", "pyyaml", "tomlkit"}


def test_first_session(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Init, new, list, check, undo and doctor work with what the wheel brings."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runner, "TACIT", str(installed / "tacit"))
    run = runner.process

    assert run("--version").out == f"tacit {package.__version__}\n"
    assert run("init", "--yes", "--json").document["bank"] == str(tmp_path / ".memory")
    written = run("new", "--title", "数据库", "--when", "w", "--one-liner", "l", "--json").document
    assert [note["id"] for note in run("list", "--json").document["notes"]] == [written["id"]]
    assert run("config", "trash.retention_days", "90").code == 0
    assert run("check").code == 0

    refused = run("undo")
    undone = at_terminal("undo", written["operation_id"], "--json", answers=["y"])

    assert (refused.code, refused.error_code) == (9, "gate.proposed")
    assert undone.document["undone"] == written["operation_id"]
    assert run("list", "--json").document["notes"] == []
    assert run("doctor").code == 0


def test_python_session(installed: Path, tmp_path: Path) -> None:
    """The public names work from the wheel, and types come along."""
    done = subprocess.run(
        [installed / "python", "-W", "error", "-c", SESSION, tmp_path / "m"],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=environment(),
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")
