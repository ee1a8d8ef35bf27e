"""A disk that is full, and files that may not grow: a clean error, and a bank that is unchanged or completed."""

from __future__ import annotations

import os
import resource
import subprocess
from functools import partial
from typing import TYPE_CHECKING

from tests.crash import plants
from tests.crash.children import accident, in_child
from tests.crash.judge import BAD, Finding, after_refusal, examine, recover
from tests.crash.model import of_every_kind
from tests.crash.operations import attempt
from tests.crash.report import Outcome, share_out
from tests.crash.scratch import dice, scratch, write_tree
from tests.crash.world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crash.model import Model

NAME = "disk"
QUICK, FULL = 40, 320
_PAGE = 4096


def run(budget: int, seed: int = 1, plant: str = "", *, until_caught: bool = False) -> Outcome:
    """Try about `budget` operations: a half on a full disk, where one can be mounted, a half with a limit on files."""
    return share_out(NAME, partial(_shard, budget // 2, seed, plant, until_caught))


def _shard(budget: int, seed: int, plant: str, until_caught: bool, number: int) -> Outcome:  # noqa: FBT001  see run
    outcome = Outcome(NAME)
    chance = dice(NAME, seed, number)
    full = True
    with scratch() as place:
        model = of_every_kind(place / "twin", seed)
        turn = 0
        while outcome.faults < budget and not (until_caught and outcome.failed):
            turn += 1
            at = chance.randrange(len(model.operations))
            if turn % 2 and full:
                full = _on_full_disk(outcome, place, model, at, chance.randrange(14), plant)
            else:
                _with_small_files(outcome, place, model, at, chance.randrange(1, 6000), plant)
    if not full:
        outcome.figures["full_disk_not_tried"] = 1  # mounting needs root
    return outcome


def _with_small_files(outcome: Outcome, place: Path, model: Model, at: int, limit: int, plant: str) -> None:
    """Carry an operation out where no file may be longer than `limit` bytes."""
    root = place / "bank"
    write_tree(root, model.snapshots[at].files)

    def work(say: Callable[[str], None]) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        _try(root, model, at, plant, say)

    said, ending = in_child(work)
    outcome.count("small_files")
    what = f"{model.operations[at].kind} with files of at most {limit} bytes"
    outcome.add(f"{what}, said {said}", accident(said, ending) or _judge(root, model, at, said, plant))


def _on_full_disk(outcome: Outcome, place: Path, model: Model, at: int, pages: int, plant: str) -> bool:
    """Carry an operation out on a disk with so many free pages; return whether a disk could be had."""
    disk = place / "disk"
    disk.mkdir(exist_ok=True)
    if _mount("mount", "-t", "tmpfs", "-o", "size=16M", "tacit-crash", str(disk)) != 0:
        return False
    try:
        root = disk / "bank"
        write_tree(root, model.snapshots[at].files)
        used = os.statvfs(disk)
        size = (used.f_blocks - used.f_bfree + pages) * used.f_frsize
        _mount("mount", "-o", f"remount,size={size}", str(disk))
        said, ending = in_child(partial(_try, root, model, at, plant))
        readable, _ = in_child(partial(_read, root, plant))
        _mount("mount", "-o", "remount,size=32M", str(disk))
        findings = accident(said, ending) or _judge(root, model, at, said, plant)
        if readable != ["readable"]:
            findings = [*findings, Finding(BAD, f"the bank cannot be read on a full disk: {readable}")]
        outcome.count("full_disk")
        outcome.add(f"{model.operations[at].kind} with {pages} free pages, said {said}", findings)
    finally:
        _mount("umount", "-l", str(disk))
    return True


def _mount(*words: str) -> int:
    return subprocess.run(words, capture_output=True, check=False).returncode


def _try(root: Path, model: Model, at: int, plant: str, say: Callable[[str], None]) -> None:
    with plants.applied(plant):
        world = World()
        bank = world.open(root)
        world.begin(at + 1)
        say(attempt(bank, model.operations[at]))


def _read(root: Path, plant: str, say: Callable[[str], None]) -> None:
    with plants.applied(plant):
        bank = World("reader").open(root)
        if bank.state.may_read:
            bank.notes()
        say("readable")


def _judge(root: Path, model: Model, at: int, said: list[str], plant: str) -> list[Finding]:
    part = model.part(at)
    expected, findings = after_refusal(part, said)
    with plants.applied(plant):
        return findings + (recover(root) or examine(root, expected))
