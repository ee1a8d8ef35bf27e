"""A person's editor saves a note again and again while the store rewrites it: no save may vanish."""

from __future__ import annotations

import json
import os
import signal
import time
from functools import partial
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import Bank
from tacit.errors import TacitError
from tests.crash import plants, systems
from tests.crash.judge import BAD, LOST, Finding, judge_chain
from tests.crash.operations import make_note
from tests.crash.report import Outcome, share_out
from tests.crash.scratch import dice, scratch

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "editor"
QUICK, FULL = 60, 1_500
_NOTE = "MEM-edited"
_MAX_SAVES_OF_ONE_NOTE = 150
# A person who saves now in bursts, now at leisure; and a machine that turns to something else around an exchange.
_PAUSES_S = (0.0, 0.001, 0.004, 0.008, 0.012)
_DISTRACTION_S = 0.002
_EXPECTED = ("store.changed", "store.conflict", "note.empty", "note.syntax", "note.not_found")


def run(budget: int, seed: int = 1, plant: str = "", *, until_caught: bool = False) -> Outcome:
    """Have about `budget` saves meet the store, those by renaming and those in place in turn."""
    del seed  # two processes race here; no seed could repeat it
    if fsio._swap() is None:
        return Outcome(NAME, skipped="this system cannot exchange files")
    return share_out(NAME, partial(_shard, budget // 2, plant, until_caught))


def _shard(budget: int, plant: str, until_caught: bool, number: int) -> Outcome:  # noqa: FBT001  see run
    outcome = Outcome(NAME)
    turn = number
    with scratch() as place:
        while outcome.faults < budget and not (until_caught and outcome.failed):
            turn += 1
            # Saves in place tear what the store reads; what becomes of them is counted, not judged.
            in_place = turn % 3 == 0
            saves = min(_MAX_SAVES_OF_ONE_NOTE, budget // 3 + 1)
            _meet(outcome, place / f"bank{turn}", saves, plant, in_place=in_place)
    return outcome


def _meet(outcome: Outcome, root: Path, saves: int, plant: str, *, in_place: bool) -> None:
    bank = Bank.init(root)
    bank.add([make_note(_NOTE)])
    file = root / bank.locate(_NOTE)
    replaced = root.with_name(f"{root.name}-replaced")
    replaced.touch()
    editor = os.fork()
    if editor == 0:
        try:
            _edit(file, saves, replaced, in_place=in_place)
        finally:
            os._exit(0)
    with plants.applied(plant), systems.distracted(_DISTRACTION_S):
        strange = _rewrite_until_gone(bank, editor, outcome)
    found = replaced.read_bytes() + b"\n".join(_versions(root, file))
    lost = [number for number in range(saves) if _token(number) not in found]
    outcome.faults += saves
    outcome.count("saves_in_place" if in_place else "saves_by_rename", saves)
    outcome.count("saves_in_place_lost" if in_place else "saves_by_rename_lost", len(lost))
    findings = strange + judge_chain(root)
    if not in_place:
        findings += [Finding(LOST, f"save {number} is in no version of the note") for number in lost]
    outcome.blame("saving in place" if in_place else "saving by rename", findings)


def _token(number: int) -> bytes:
    return b"<save %d>" % number


def _edit(file: Path, saves: int, replaced: Path, *, in_place: bool) -> None:
    """Save the note so often, each time with another word; `replaced` gets what a save by renaming replaced.

    A save is a rename that also hands out what stood there before: what this editor overwrote itself, the store
    did not lose.
    """
    chance = dice(file)
    content = file.read_bytes()
    swap = fsio._swap()
    assert swap is not None
    temporary = file.with_name(".edited.swp")
    with replaced.open("ab") as out:
        for number in range(saves):
            mine = content + _token(number) + b"\n"
            if in_place:
                with file.open("r+b") as there:
                    out.write(there.read())
                    there.seek(0)
                    there.write(mine)
                    there.truncate()
            else:
                temporary.write_bytes(mine)
                swap(os.fsencode(temporary), os.fsencode(file))
                out.write(temporary.read_bytes())
                temporary.unlink()
            time.sleep(chance.choice(_PAUSES_S))


def _rewrite_until_gone(bank: Bank, editor: int, outcome: Outcome) -> list[Finding]:
    """Rewrite the note while the editor runs; return the errors that a person should not have seen."""
    strange: list[Finding] = []
    deadline = time.monotonic() + 60
    turn = 0
    while os.waitpid(editor, os.WNOHANG) == (0, 0):
        turn += 1
        if time.monotonic() > deadline:
            os.kill(editor, signal.SIGKILL)
        try:
            text = bank.text(_NOTE)
            content = text.replace("## Decision\n", f"## Decision\n\nTurn {turn}.\n", 1)[:60_000].encode()
            bank.rewrite(_NOTE, content, base=fsio.digest(text.encode()))
            outcome.count("rewrites")
        except TacitError as error:
            outcome.count(error.code)
            if error.code not in _EXPECTED:
                strange.append(Finding(BAD, f"{error.code}: {error}"))
    return strange


def _versions(root: Path, file: Path) -> Iterator[bytes]:
    """Yield the note as it is, what was kept aside, and the old versions that the trash can give back."""
    yield file.read_bytes()
    for path in (root / "conflicts").glob("*"):
        yield path.read_bytes()
    for directory in (root / ".trash").glob("[!.]*"):
        record = json.loads((directory / "journal.json").read_bytes().partition(b"\n")[2])
        for change in record["changes"]:
            content = fsio.read(directory / change["staged"])
            if content is not None and fsio.digest(content) == change["old"]:
                yield content
