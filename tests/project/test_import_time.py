"""What runs for every prompt, or at every command, starts light. Measured in modules, never in seconds."""

from __future__ import annotations

import pytest

from tests.project.loaded import modules_loaded_by

HEAVY = {"mcp", "numpy", "psycopg", "pydantic", "sqlite3", "starlette", "tomlkit", "yaml"}


def roots(modules: set[str]) -> set[str]:
    """The top-level packages of these modules."""
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("module", ["tacit.hooks", "tacit.cli"])
def test_door_imports_nothing_heavy(module: str) -> None:
    """Importing the hooks or the terminal's front loads no parser, database or server package."""
    assert roots(modules_loaded_by(f"import {module}")) & HEAVY == set()


def test_version_needs_no_click() -> None:
    """`tacit --version` answers before the command-line library is loaded."""
    loaded = roots(modules_loaded_by("from tacit.cli import main; main(['--version'])"))
    assert loaded & {*HEAVY, "click"} == set()
