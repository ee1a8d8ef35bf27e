"""The map from requirements to tests is whole and true."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MANIFEST = tomllib.loads((ROOT / "tests/requirements.toml").read_text(encoding="utf-8"))
EXPECTED_COUNT = 105
NUMBER = re.compile(r"[A-Z]-\d{2}")


def problem(number: str, entry: dict[str, Any]) -> str | None:
    """What is wrong with one table of the map, if anything."""
    if not NUMBER.fullmatch(number):
        return f"{number} is no requirement number"
    if set(entry) not in ({"open"}, {"tests"}):
        return f"{number} needs either `tests` or `open`, and nothing else; it has {sorted(entry)}"
    if not entry.get("tests") and not str(entry.get("open", "")).strip():
        return f"{number} lists no test and gives no reason"
    return next((f"{number}: {why}" for listed in entry.get("tests", []) if (why := missing(listed))), None)


def missing(listed: str) -> str | None:
    """Why `path::name` leads to no test, if it does not; the id of a parametrised case is left out of account."""
    path, *names = listed.partition("[")[0].split("::")
    if not names:
        return f"{listed} names no test"
    if not path.startswith("tests/") or not (ROOT / path).is_file():
        return f"{path} is no file under tests/"
    if not names[-1].lower().startswith("test"):
        return f"{listed} is not a test by its name"
    scope: list[ast.stmt] = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    for name in names:
        found = [
            node
            for node in scope
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name
        ]
        if not found:
            return f"{path} defines no {name}"
        scope = found[0].body
    return None


def test_each_requirement_is_proved_or_open() -> None:
    """R-01: each number has tests that exist, or a reason for having none yet, never both."""
    assert [why for number, entry in MANIFEST.items() if (why := problem(number, entry))] == []


def test_all_requirements_are_listed() -> None:
    """R-01: the map holds every number of the specification: per letter from 01 upwards, none left out."""
    assert len(MANIFEST) == EXPECTED_COUNT
    by_letter: dict[str, list[int]] = {}
    for number in MANIFEST:
        by_letter.setdefault(number[0], []).append(int(number[2:]))
    gaps = {letter for letter, found in by_letter.items() if sorted(found) != list(range(1, len(found) + 1))}
    assert gaps == set()


def test_tests_name_known_requirements() -> None:
    """R-01: a test that names a requirement in its docstring names one that exists."""
    unknown = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module):
                named = re.findall(rf"\b{NUMBER.pattern}\b", ast.get_docstring(node) or "")
                unknown += [f"{path.relative_to(ROOT)}: {number}" for number in named if number not in MANIFEST]
    assert unknown == []


@pytest.mark.parametrize(
    ("number", "entry", "complaint"),
    [
        ("B-1", {"open": "later"}, "no requirement number"),
        ("B-01", {}, "either"),
        ("B-01", {"open": "later", "tests": []}, "either"),
        ("B-01", {"open": " "}, "no reason"),
        ("B-01", {"tests": []}, "no test"),
        ("B-01", {"tests": ["tests/requirements.toml"]}, "names no test"),
        ("B-01", {"tests": ["tests/project/test_absent.py::test_it"]}, "no file"),
        ("B-01", {"tests": ["tests/project/test_requirements.py::test_absent"]}, "defines no"),
        ("B-01", {"tests": ["tests/project/test_requirements.py::missing"]}, "not a test"),
        ("B-01", {"tests": ["tests/project/test_requirements.py::test_faults_are_found[case]"]}, None),
    ],
)
def test_faults_are_found(number: str, entry: dict[str, Any], complaint: str | None) -> None:
    """A table that is wrong in any of the known ways is found out; a right one is left alone."""
    found = problem(number, entry)
    assert (found is None) if complaint is None else (found is not None and complaint in found)
