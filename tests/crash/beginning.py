"""The making of a bank, interrupted: making it again must give the whole bank, once."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from tacit.bank import Bank
from tacit.errors import TacitError
from tests.crash import plants
from tests.crash.children import accident, in_child
from tests.crash.failpoints import Failpoint, watching
from tests.crash.judge import BAD, DOUBLED, LOST, STUCK, Finding, judge_chain
from tests.crash.model import take_snapshot
from tests.crash.operations import make_note
from tests.crash.power_cut import Disk
from tests.crash.recorder import Recorder
from tests.crash.scratch import scratch, write_tree
from tests.crash.world import World

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

    from tests.crash.report import Outcome
    from tests.crash.scratch import Tree

_STEPS = 75
_STATES = 10
_FIRST_NOTE = "MEM-after"


def make(root: Path, salt: str = "") -> Bank:
    """Make the bank, or what is missing of it."""
    world = World(salt)
    return Bank.init(root, clock=world.clock, new_id=world.new_id)


def kill(outcome: Outcome, place: Path, chance: random.Random, plant: str) -> None:
    """Die while a bank is made, once or more often."""
    root = place / "new"
    write_tree(root, {})
    story = []
    for attempt in range(chance.choice((1, 1, 2, 3))):
        step, torn = chance.randint(1, _STEPS), chance.random() < 0.3
        story.append(f"step {step}{' torn' * torn}")
        said, ending = in_child(partial(_make_and_die, root, f"init{attempt}", step, plant, torn=torn))
        if strange := accident(said, ending):
            outcome.add(f"init, {', '.join(story)}", strange)
            return
    with plants.applied(plant):
        outcome.add(f"init, {', '.join(story)}", _judge(root, made=False))


def _make_and_die(root: Path, salt: str, step: int, plant: str, _: Callable[[str], None], *, torn: bool) -> None:
    with plants.applied(plant), watching(Failpoint(step, torn=torn)):
        make(root, salt)


def cut(outcome: Outcome, place: Path, chance: random.Random, plant: str) -> None:
    """Die while a bank is made, make it again, add a note; the power fails somewhere in that."""
    root = place / "new"
    events = place / "init-events"
    events.unlink(missing_ok=True)
    write_tree(root, {})
    recorder = Recorder(root, events)
    step = chance.randint(1, _STEPS)

    def die(_: Callable[[str], None]) -> None:
        with plants.applied(plant), recorder.recording(), watching(Failpoint(step)):
            make(root)

    def go_on(_: Callable[[str], None]) -> None:
        with plants.applied(plant), recorder.recording():
            bank = make(root, "again")
            recorder.ack()
            bank.add([make_note(_FIRST_NOTE)])
            recorder.ack()

    strange = [finding for work in (die, go_on) for finding in accident(*in_child(work))]
    if strange:
        outcome.add(f"init killed at step {step}", strange)
        return
    disk = Disk({})
    acked = 0
    states: list[tuple[str, int, Tree]] = []
    for number, event in enumerate(recorder.events()):
        if event == ("ack",):
            acked += 1
        else:
            disk.follow(event)
        states += [(f"event {number} {event[:2]}, {story}", acked, tree) for story, tree in disk.states(chance, 3)]
    for story, acks, tree in chance.sample(states, min(_STATES, len(states))):
        write_tree(root, tree)
        with plants.applied(plant):
            outcome.add(f"init killed at step {step}, {story}", _judge(root, made=acks > 0, added=acks > 1))


def _judge(root: Path, *, made: bool, added: bool = False) -> list[Finding]:
    try:
        if made:
            World("open").open(root)
        bank = make(root, "last")
    except (TacitError, OSError, ValueError) as error:
        return [Finding(LOST if made else BAD, f"{type(error).__name__}: {error}")]
    found = take_snapshot(root)
    findings = judge_chain(root)
    told = [json.loads(line)["operation_id"] for line in found.log.splitlines()]
    if not told or len(set(told)) != len(told):
        findings.append(Finding(DOUBLED if told else LOST, f"the log tells {len(told)} times of the beginning"))
    for name, content in _wanted().items():
        if not name.startswith((".trash/", "INDEX.md")) and found.shared.get(name) != content:
            findings.append(Finding(BAD, f"{name} is missing or wrong"))
    findings += [Finding(STUCK, f"{name} is left") for name in found.files if name.startswith("staging/tx")]
    if "conflicts/" in found.files:
        findings.append(Finding(BAD, "there is a conflict with nobody"))
    ids = [note.id for note in bank.notes()]
    if added and _FIRST_NOTE not in ids:
        findings.append(Finding(LOST, "the first note is gone"))
    if bank.check()[1]:
        findings.append(Finding(BAD, f"the check finds {bank.check()[1][0].message}"))
    return findings


_made: list[Tree] = []


def _wanted() -> Tree:
    if not _made:
        with scratch() as place:
            make(place / "bank")
            _made.append(take_snapshot(place / "bank").shared)
    return _made[0]
