"""The public API is a list, and this reads it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import tacit
from tests.project.loaded import modules_loaded_by

ROOT = Path(__file__).parents[2]


def test_list_and_lazy_names_agree() -> None:
    """`tacit.__all__` is exactly the lazily loaded names and the version, sorted, each once."""
    assert tacit.__all__ == sorted({*tacit._HOMES, "__version__"})
    assert dir(tacit) == tacit.__all__


def test_list_is_the_documented_one() -> None:
    """What is public is written down: a name that comes or goes changes a document that programs rely on."""
    section = (ROOT / "docs/scripting.md").read_text(encoding="utf-8").split("\n## From Python\n", 1)[1]
    documented = re.findall(r"^\| `(\w+)` \|", section.split("\n```", 1)[0], flags=re.MULTILINE)

    assert documented == tacit.__all__


def test_type_checker_sees_the_same_names() -> None:
    """What the type checker is told to import is what a program gets, from the same home."""
    assert tacit.__file__ is not None
    tree = ast.parse(Path(tacit.__file__).read_text(encoding="utf-8"))
    guarded = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for block in guarded for node in block.body if isinstance(node, ast.ImportFrom)]
    assert {alias.name: node.module for node in imports for alias in node.names} == tacit._HOMES


@pytest.mark.parametrize("name", tacit.__all__)
def test_name_can_be_had(name: str) -> None:
    """Every public name leads to something."""
    assert getattr(tacit, name) is not None


def test_unknown_name_is_an_attribute_error() -> None:
    """A name that is not public fails as in any other module."""
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(tacit, "nonsense")  # noqa: B009 - the point is the run-time lookup


def test_import_loads_no_room() -> None:
    """`import tacit` alone loads none of its rooms."""
    assert {name for name in modules_loaded_by("import tacit") if name.startswith("tacit.")} == set()
