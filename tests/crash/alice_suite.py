"""From one recorded run, every state that a power cut may leave: recover from it and judge.

The idea is that of ALICE (Pillai and others, OSDI 2014): what was not synced may have reached the disk in any order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tests.crash import beginning, plants, systems
from tests.crash.children import accident, in_child
from tests.crash.failpoints import KILLED, Failpoint, watching
from tests.crash.judge import Expectation, examine, recover
from tests.crash.model import Model, is_of_interest, of_every_kind, take_snapshot
from tests.crash.operations import Operation, perform
from tests.crash.power_cut import Disk
from tests.crash.recorder import Recorder
from tests.crash.report import Outcome, share_out
from tests.crash.scratch import dice, scratch, write_tree
from tests.crash.world import World

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

    from tests.crash.recorder import Event
    from tests.crash.scratch import Tree

NAME = "alice"
QUICK, FULL = 420, 8_000
# At one moment at most this many states are looked at; after a kill, fewer, for there are many such runs.
_AT_ONE_MOMENT = 24
_AT_ONE_MOMENT_AFTER_A_KILL = 4
_FROM_ONE_RUN = 12
# What part of the states comes from which system. The rest comes from runs on this system in which a process is
# killed and the next one recovers, and then the power fails.
_SHARES = {systems.THIS: 0.5, systems.NO_EXCHANGE: 0.1, systems.NO_LINKS: 0.1}
# So many of these runs are about the making of a bank.
_BEGINNINGS = 0.15
_LATER = 90


@dataclass(slots=True)
class _State:
    """What a power cut left."""

    story: str
    acked: int
    tree: Tree


@dataclass(slots=True)
class _Trace:
    """What a run did to the disk, and what the bank must look like along the way."""

    model: Model
    start: Tree
    events: list[Event]
    # Before the first acknowledgement this many operations may be found more than acknowledged ones.
    reach: int = 1
    system: str = systems.THIS
    seen: set[int] = field(default_factory=set)

    def states(self, chance: random.Random, wanted: Callable[[int], bool], most: int) -> list[list[_State]]:
        """Return the states that are different from each other, by the operation in which the power fails."""
        disk = Disk(self.start)
        found: dict[int, list[_State]] = {}
        acked = 0
        for number, event in enumerate(self.events):
            if event == ("ack",):
                acked += 1
            else:
                disk.follow(event)
            if not wanted(acked) or (event[0] == "open" and True not in event):
                continue
            what = f"event {number} ({event[0]} {event[1] if len(event) > 1 else ''}) after operation {acked}"
            for story, tree in disk.states(chance, most):
                if self._is_new(acked, tree):
                    found.setdefault(acked, []).append(_State(f"{what}, {story}", acked, tree))
        return list(found.values())

    def _is_new(self, acked: int, tree: Tree) -> bool:
        key = hash((acked, frozenset(item for item in tree.items() if is_of_interest(item[0]))))
        if key in self.seen:
            return False
        self.seen.add(key)
        return True


def run(budget: int, seed: int = 1, plant: str = "", *, until_caught: bool = False) -> Outcome:
    """Judge about `budget` different states."""
    return share_out(NAME, partial(_shard, budget // 2, seed, plant, until_caught))


def _shard(budget: int, seed: int, plant: str, until_caught: bool, number: int) -> Outcome:  # noqa: FBT001  see run
    outcome = Outcome(NAME)
    chance = dice(NAME, seed, number)
    with scratch() as place:
        model = of_every_kind(place / "twin", seed)
        for system, part in _SHARES.items():
            trace = _record(place, model, plant, system)
            most = min(_AT_ONE_MOMENT, 1 + budget // 100)
            groups = trace.states(chance, lambda acked: acked % 2 == number, most)
            share = int(budget * part) // max(1, len(groups)) + 1
            for group in groups:
                for state in chance.sample(group, min(share, len(group))):
                    _judge(outcome, place, trace, state, plant)
                    if until_caught and outcome.failed:
                        return outcome
        while outcome.faults < budget and not (until_caught and outcome.failed):
            if chance.random() < _BEGINNINGS:
                beginning.cut(outcome, place, chance, plant)
            else:
                _cut_after_kill(outcome, place, model, chance, plant)
    return outcome


def _record(place: Path, model: Model, plant: str, system: str) -> _Trace:
    root = place / "recorded"
    (place / "events").unlink(missing_ok=True)
    write_tree(root, model.snapshots[0].files)
    recorder = Recorder(root, place / "events")

    def work(_: Callable[[str], None]) -> None:
        with plants.applied(plant), systems.on(system), recorder.recording():
            world = World()
            bank = world.open(root)
            for number, operation in enumerate(model.operations, 1):
                world.begin(number)
                perform(bank, operation)
                recorder.ack()

    said, ending = in_child(work)
    if ending != 0 and not plant:
        message = f"the recorded run ended with {ending}: {said}"
        raise RuntimeError(message)
    return _Trace(model, model.snapshots[0].files, recorder.events(), system=system)


def _cut_after_kill(outcome: Outcome, place: Path, model: Model, chance: random.Random, plant: str) -> None:
    """Kill an operation, let another process recover and go on; the power fails somewhere in that."""
    at = chance.randrange(len(model.operations) - 2)  # the last two turn the bank off and on
    step = chance.randint(1, model.steps[at])
    root = place / "recorded"
    (place / "events").unlink(missing_ok=True)
    write_tree(root, model.snapshots[at].files)
    recorder = Recorder(root, place / "events")

    def killed(_: Callable[[str], None]) -> None:
        world = World()
        with plants.applied(plant), recorder.recording(), watching(Failpoint(step)):
            world.begin(at + 1)
            perform(world.open(root), model.operations[at])

    def next_one(_: Callable[[str], None]) -> None:
        with plants.applied(plant), recorder.recording():
            recover(root, "between")
            world = World()
            world.begin(_LATER)
            perform(world.open(root), later)
            recorder.ack()

    later = Operation("create", "MEM-later", 2, "later")
    said, ending = in_child(killed)
    story = f"{model.operations[at].kind} killed at step {step}"
    words, last = in_child(next_one)
    if ending != KILLED or accident(words, last):
        outcome.blame(story, accident(said, ending) + accident(words, last))
        return
    final = take_snapshot(root)
    committed = final.log.startswith(model.snapshots[at + 1].log)
    follows = Model([*model.operations[at : at + committed], later], [*model.snapshots[at : at + 1 + committed], final])
    trace = _Trace(follows, model.snapshots[at].files, recorder.events(), reach=len(follows.operations))
    states = [state for group in trace.states(chance, lambda _: True, _AT_ONE_MOMENT_AFTER_A_KILL) for state in group]
    for state in chance.sample(states, min(_FROM_ONE_RUN, len(states))):
        state.acked *= len(follows.operations)
        state.story = f"{story}, then {state.story}"
        _judge(outcome, place, trace, state, plant)


def _judge(outcome: Outcome, place: Path, trace: _Trace, state: _State, plant: str) -> None:
    root = place / "bank"
    write_tree(root, state.tree)
    reach = trace.reach if state.acked == 0 else 1
    with plants.applied(plant), systems.on(trace.system):
        findings = recover(root) or examine(root, Expectation(trace.model, state.acked, reach, power_cut=True))
    outcome.add(f"{trace.system} {state.story}".strip(), findings)
