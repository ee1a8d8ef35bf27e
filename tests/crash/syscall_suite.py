"""Real processes, killed or refused by the kernel at each system call that touches the bank (needs strace)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.crash import plants
from tests.crash.judge import STUCK, Expectation, Finding, after_refusal, examine, recover
from tests.crash.model import of_every_kind
from tests.crash.report import Outcome, share_out
from tests.crash.scratch import dice, scratch, write_tree
from tests.crash.worker import command

if TYPE_CHECKING:
    from tests.crash.model import Model

NAME = "syscalls"
QUICK, FULL = 44, 520
_PATIENCE_S = 60
_CALLS = (
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "rename",
    "renameat2",
    "link",
    "linkat",
    "unlink",
    "mkdir",
    "rmdir",
    "ftruncate",
    "flock",
    "fchmod",
)
_NEVER_FULL = ("unlink", "rmdir", "ftruncate", "flock", "fchmod")
_CALL = re.compile(r"(?:\d+ +)?(\w+)\(")
_REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class _Fault:
    """What the kernel does to which call of which operation."""

    operation: int
    call: str
    when: int
    what: str

    def __str__(self) -> str:
        return f"operation {self.operation}, {self.call} number {self.when}: {self.what}"


def run(budget: int, seed: int = 1, plant: str = "", *, until_caught: bool = False) -> Outcome:
    """Inject about `budget` faults."""
    if shutil.which("strace") is None:
        return Outcome(NAME, skipped="strace is not installed")
    return share_out(NAME, partial(_shard, budget, seed, plant, until_caught))


def _shard(budget: int, seed: int, plant: str, until_caught: bool, number: int) -> Outcome:  # noqa: FBT001  see run
    outcome = Outcome(NAME)
    with scratch() as place:
        model = of_every_kind(place / "twin", seed)
        mine = [each for each in range(len(model.operations)) if each % 2 == number]
        chance = dice(NAME, seed, number)
        for each in chance.sample(mine, len(mine)):
            faults = _faults(place, model, each, plant)
            if not faults:
                return Outcome(NAME, skipped="strace may not trace here")
            for fault in chance.sample(faults, min(budget // 2 // len(mine) + 1, len(faults))):
                _inject(outcome, place, model, fault, plant, again=chance.random() < 0.5)
                if until_caught and outcome.failed:
                    return outcome
    return outcome


def _faults(place: Path, model: Model, number: int, plant: str) -> list[_Fault]:
    """Return all that can go wrong in an operation, from a run in which nothing does."""
    root = place / "bank"
    write_tree(root, model.snapshots[number].files)
    _, log = _trace(place, model, number, [], plant=plant)
    faults = []
    counts: Counter[str] = Counter()
    for line in log:
        match = _CALL.match(line)
        if match is None:
            continue
        call = match[1]
        counts[call] += 1
        if str(root) in line and (call != "openat" or "O_CREAT" in line):
            whats = ["signal=KILL", "error=EIO", *([] if call in _NEVER_FULL else ["error=ENOSPC"])]
            whats += ["error=EINVAL"] if call == "renameat2" else []
            faults += [_Fault(number, call, counts[call], what) for what in whats]
    return faults


def _trace(
    place: Path, model: Model, number: int, injection: list[str], *, plant: str, again: bool = False
) -> tuple[list[str], list[str]]:
    """Run an operation under strace; return what it said, and the system calls."""
    log = place / "calls"
    words = ["strace", "-f", "-qq", "-y", "-o", str(log), "-e", f"trace={','.join(_CALLS)}", *injection]
    words += command(model.operations[number], place / "bank", number + 1, plant=plant, again=again)
    done = subprocess.run(
        words,
        cwd=_REPOSITORY,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
        capture_output=True,
        timeout=_PATIENCE_S,
        check=False,
        encoding="utf-8",
    )
    said = done.stdout.split()
    if "Traceback" in done.stderr:
        said.append(done.stderr.strip().splitlines()[-1])
    return said, log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []


def _inject(outcome: Outcome, place: Path, model: Model, fault: _Fault, plant: str, *, again: bool) -> None:
    root = place / "bank"
    write_tree(root, model.snapshots[fault.operation].files)
    injection = ["-e", f"inject={fault.call}:{fault.what}:when={fault.when}"]
    try:
        said, log = _trace(place, model, fault.operation, injection, plant=plant, again=again)
    except subprocess.TimeoutExpired:
        outcome.add(str(fault), [Finding(STUCK, f"the process did not end within {_PATIENCE_S} s")])
        return
    met = [line for line in log if "(INJECTED)" in line or (fault.what == "signal=KILL" and "killed by" in line)]
    if not met or (fault.call == "openat" and "INJECTED" in met[0] and "O_CREAT" not in met[0]):
        outcome.count("not_met")  # the calls of two runs are not always the same
        return
    part = model.part(fault.operation)
    kind = part.operations[0].kind
    outcome.count("killed" if "KILL" in fault.what else "refused")
    with plants.applied(plant):
        findings = recover(root)
        if not findings:
            if "KILL" in fault.what:
                expected = Expectation(part, acked=len(said))
            else:
                expected, findings = after_refusal(part, said)
            findings = findings + examine(root, expected)
    outcome.add(f"{kind} {fault}{' again' * again}, said {said}", findings)
