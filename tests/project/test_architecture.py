"""The shape of the source: who may import whom, and what a module looks like."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/tacit"
MODULES = sorted(SOURCE.rglob("*.py"))
# What stands beside the source is read by people too.
FOLDERS = ("tests", "benchmarks", "evals", "scripts")
BESIDE = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
MAX_LINES = 500
MAX_CHARTER = 120
# Names that say nothing about what is inside.
EMPTY_NAMES = re.compile(r"(util|helper|manager|service|processor)s?|base|common|data|info|misc")


def name_of(path: Path) -> str:
    """The path as shown in a test id."""
    return path.relative_to(SOURCE if path.is_relative_to(SOURCE) else ROOT).as_posix()


def test_import_contracts_are_kept() -> None:
    """Imports point down, thinking rooms do no I/O, siblings form no cycle."""
    run = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_has_a_charter(path: Path) -> None:
    """The first docstring line of a module is one short sentence that says what it is for."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring, "no docstring"
    charter = docstring.splitlines()[0]
    assert len(charter) <= MAX_CHARTER
    assert re.fullmatch(r"[^.!?].*[.!?]", charter), "a sentence has an end"
    assert not re.search(r"[.!?]\s+[A-Z]", charter), "one sentence, not two"


@pytest.mark.parametrize("path", [*MODULES, *BESIDE], ids=name_of)
def test_module_fits_in_one_head(path: Path) -> None:
    """No module is longer than 500 lines, and no file of tests, benchmarks, evals and scripts."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_names_say_what_is_inside() -> None:
    """No module or package is called utils, helper, manager or another word that would fit anything."""
    names = {part for path in MODULES for part in path.relative_to(SOURCE).with_suffix("").parts}
    assert [name for name in sorted(names) if EMPTY_NAMES.fullmatch(name)] == []
