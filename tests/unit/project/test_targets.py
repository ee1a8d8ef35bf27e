"""Pointers into a project: which texts are one, and where they lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.project import targets
from tacit.project.targets import Project, Stale, Target

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("- src/a.py", Target("src/a.py")),
        ("* `src/a.py#Run.go` starts it", Target("src/a.py", "Run.go")),
        ("src/a.py:12-20", Target("src/a.py", line=12)),
        ("- Makefile.am:3", Target("Makefile.am", line=3)),
        ("- setup.py", Target("setup.py")),
    ],
)
def test_a_path_first_on_a_line_is_a_target(line: str, target: Target) -> None:
    """Z-03: a file, a symbol in it or a line of it, with or without a bullet and words behind it."""
    assert targets.named(line) == [target]


@pytest.mark.parametrize(
    "line", ["", "- https://example.org/a.py", "- mem://L1/MEM-a", "- Node.js is used", "- and/or", "- see src/a.py"]
)
def test_prose_and_addresses_are_no_targets(line: str) -> None:
    """What only looks like a path is left alone."""
    assert targets.named(line) == []


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with two files."""
    for name, text in {
        "src/one.py": "class Engine:\n    def start(self):\n        pass\n",
        "src/deep/two.py": "def spin_up():\n    pass\n\nLIMIT = 3",
        "node_modules/one.js": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Project(tmp_path, without=".memory")


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (Target("src/one.py"), None),
        (Target("src/one.py", "Engine.start"), None),
        (Target("src/deep/two.py", line=4), None),
        (Target("src/deep/two.py", line=5), Stale("the file has 4 lines", "src/deep/two.py:4")),
        (Target("src/one.py", "Engin"), Stale("the symbol is not in the file", "src/one.py#Engine")),
        (Target("src/one.py", "spin_up"), Stale("the symbol is not in the file", "src/deep/two.py#spin_up")),
        (Target("src/one.py", "nowhere_at_all"), Stale("the symbol is not in the file", "")),
        (Target("lib/two.py", "spin_up"), Stale("the file is not there", "src/deep/two.py#spin_up")),
        (Target("src/onee.py"), Stale("the file is not there", "src/one.py")),
        (Target("zzz.rs"), Stale("the file is not there", "")),
        (Target("../secret.txt"), Stale("the file is not there", "")),
    ],
)
def test_a_target_is_there_or_stale_with_the_nearest(project: Project, target: Target, found: Stale | None) -> None:
    """Z-03: what vanished is told, with where it may be now."""
    assert project.look(target) == found


def test_blank_lines_without_end_are_read_once(tmp_path: Path) -> None:
    """Z-03: however many lines of a file are empty, each is looked at once."""
    (tmp_path / "long.py").write_text(f"{200_000 * chr(10)}{50_000 * 'word '}\ndef there(): ...\n", encoding="utf-8")
    assert Project(tmp_path, without=".memory").look(Target("long.py", "there")) is None
