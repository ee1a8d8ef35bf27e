"""The store survives: kills at every step, power cuts, refused system calls, crowds, full disks and editors.

Each test is the quick version of one suite of `python -m tests.crash.campaign`; it runs in a process of its own,
for the suites fork, patch `os` and kill.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


def run_quick(suite: str, place: Path) -> dict:
    """Run one suite; return its figures, or skip the test where the machine has not what the suite needs."""
    file = place / "figures.json"
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.campaign", "--quick", "--only", suite, "--json", str(file)],
        cwd=REPOSITORY,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert file.exists(), done.stdout + done.stderr
    (figures,) = json.loads(file.read_text(encoding="utf-8"))["suites"]
    if figures["skipped"]:
        pytest.skip(figures["skipped"])
    return figures


def assert_kept(figures: dict, *, faults: int) -> None:
    """Fail with the examples if a promise was broken, or if the suite did not do its work."""
    broken = {name: figures[name] for name in ("bad", "lost", "doubled", "stuck") if figures[name]}
    assert not broken, "\n".join(figures["examples"])
    assert figures["faults"] >= faults


def test_kill_at_any_step_leaves_all_or_nothing(tmp_path: Path) -> None:
    """A process that dies at any change of the disk, and dies again while recovering, leaves all of it or nothing."""
    assert_kept(run_quick("fork", tmp_path), faults=300)


@pytest.mark.powerloss
def test_power_cut_leaves_all_or_nothing(tmp_path: Path) -> None:
    """Whatever part of the un-synced changes reached the disk, what was acknowledged is there and whole."""
    assert_kept(run_quick("alice", tmp_path), faults=400)


def test_refused_system_call_is_a_clean_error(tmp_path: Path) -> None:
    """A kill or an error at any system call: unchanged and said so, or committed and said so."""
    assert_kept(run_quick("syscalls", tmp_path), faults=30)


def test_crowd_of_dying_writers_loses_nothing(tmp_path: Path) -> None:
    """Eight writers, killed at random: no acknowledged write is lost, none doubled, nobody waits for ever."""
    figures = run_quick("processes", tmp_path)
    assert_kept(figures, faults=20)
    assert figures["figures"]["looks"] > 0


def test_full_disk_is_a_clean_error(tmp_path: Path) -> None:
    """No space or too long a file: a clean error, and the bank is unchanged or completed once there is space."""
    assert_kept(run_quick("disk", tmp_path), faults=30)


def test_foreign_editor_loses_no_save(tmp_path: Path) -> None:
    """An editor that saves a note while the store rewrites it: each save stands, or is kept where people find it."""
    figures = run_quick("editor", tmp_path)
    assert_kept(figures, faults=60)
    assert figures["figures"]["saves_by_rename_lost"] == 0
