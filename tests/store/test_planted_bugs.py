"""The crash suites can see: every bug that is planted into the store on purpose is caught by one of them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.plants import PLANTS

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.parametrize("plant", PLANTS)
def test_planted_bug_is_caught(plant: str, tmp_path: Path) -> None:
    """A suite that is given a store with this bug finds a broken promise."""
    file = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.campaign", "--only", "plants", "--plant", plant, "--json", str(file)],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert file.exists(), done.stdout + done.stderr
    caught = json.loads(file.read_text(encoding="utf-8"))["planted"][plant]
    if "skipped" in caught:
        pytest.skip(caught["skipped"])
    assert caught, f"{PLANTS[plant].what}: no suite noticed"
    assert caught["suite"] in PLANTS[plant].suites


def test_there_are_plants_of_every_sort() -> None:
    """At least a dozen bugs are planted, and every suite has one that it must find."""
    assert len(PLANTS) >= 12
    wanted = {"fork", "alice", "syscalls", "processes", "disk", "editor"}
    assert wanted == {plant.suites[0] for plant in PLANTS.values()}
