"""What a bank must look like after each operation: the same operations, carried out where nothing goes wrong."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.bank import Bank
from tacit.errors import TacitError
from tests.crash.failpoints import Failpoint, watching
from tests.crash.operations import KINDS, UNDOABLE, Operation, choose, perform, prepare
from tests.crash.scratch import Tree, dice, read_tree, write_tree
from tests.crash.world import World

if TYPE_CHECKING:
    from pathlib import Path

# The smallest segment that can be set, so that the audit log starts a new file every few operations.
_SETTINGS = {"audit.segment_bytes": "4096", "lock.timeout_s": "4"}
_AUDIT = ".local/audit/"


@dataclass(slots=True)
class Snapshot:
    """A bank at rest: all its files but for the locks and the cache."""

    files: Tree

    @property
    def shared(self) -> Tree:
        """The files without those that are private to this machine."""
        return {name: content for name, content in self.files.items() if not name.startswith(".local/")}

    @property
    def log(self) -> bytes:
        """The audit log as one text."""
        return b"".join(self.files[name] for name in sorted(self.files) if name.startswith(_AUDIT))

    @property
    def operation_id(self) -> str:
        """The operation that the last line of the log is about."""
        return str(json.loads(self.log.splitlines()[-1])["operation_id"])


@dataclass(slots=True)
class Model:
    """Operations, and the snapshots around them: operation `i` leads from `snapshots[i]` to `snapshots[i + 1]`."""

    operations: list[Operation] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)
    # How many changes of the disk each operation takes.
    steps: list[int] = field(default_factory=list)

    def part(self, number: int) -> Model:
        """Return the model of operation `number` alone, counted from 0."""
        return Model([self.operations[number]], self.snapshots[number : number + 2], [self.steps[number]])

    def can_undo(self, reached: int) -> bool:
        """Whether the last of `reached` operations must be one that can be undone."""
        return reached > 0 and self.operations[reached - 1].kind in UNDOABLE


def take_snapshot(root: Path) -> Snapshot:
    """Return the bank at `root` as a value."""
    return Snapshot({name: content for name, content in read_tree(root).items() if is_of_interest(name)})


def is_of_interest(name: str) -> bool:
    """Whether a file of a bank says something that must survive: not a lock, not a cache."""
    return not name.startswith(".local/") or name.startswith(_AUDIT) or name == ".local/"


def first_bank(place: Path) -> Snapshot:
    """Make a bank at `place` that has some life in it."""
    world = World("first")
    bank = Bank.init(place, clock=world.clock, new_id=world.new_id)
    for name, value in _SETTINGS.items():
        bank.set_setting(name, value)
    prepare(world.open(place))
    return take_snapshot(place)


def by_chance(place: Path, seed: object, length: int) -> Model:
    """Return a model of `length` operations chosen by chance, carried out in the directory `place`."""
    return _build(place, [""] * length, seed)


def of_every_kind(place: Path, seed: object = 0) -> Model:
    """Return a model with one operation of each kind."""
    return _build(place, list(KINDS), seed)


def _build(place: Path, kinds: list[str], seed: object) -> Model:
    model = Model(snapshots=[first_bank(place)])
    world = World()
    bank = world.open(place)
    chance = dice("choices", seed)
    for kind in kinds:
        number = len(model.operations) + 1
        world.begin(number)
        operation = choose(chance, bank, number, kind)
        if operation is None:
            continue
        try:
            with watching(Failpoint()) as count:
                perform(bank, operation)
        except TacitError:
            continue  # an undo that is blocked, say: it is no part of the model
        after = take_snapshot(place)
        if after.log == model.snapshots[-1].log:
            write_tree(place, model.snapshots[-1].files)
            bank = world.open(place)
            continue
        model.operations.append(operation)
        model.snapshots.append(after)
        model.steps.append(count.count)
    return model
