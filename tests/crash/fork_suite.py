"""Die at the k-th change of the disk, die again while recovering, and compare with the run where nothing died."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tests.crash import beginning, foreign, plants, systems
from tests.crash.children import accident, in_child
from tests.crash.failpoints import KILLED, Failpoint, watching
from tests.crash.judge import Expectation, Finding, examine, recover
from tests.crash.model import Model, by_chance, of_every_kind
from tests.crash.operations import ACK, perform
from tests.crash.report import Outcome, share_out
from tests.crash.scratch import dice, scratch, write_tree
from tests.crash.world import World

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

NAME = "fork"
QUICK, FULL = 320, 11_000
_LENGTH = 16
_FAULTS_PER_MODEL = 60
_RECOVERY_STEPS = 24
_SYSTEMS = (*[systems.THIS] * 8, systems.NO_EXCHANGE, systems.NO_LINKS)
# How often the making of a bank is interrupted.
_BEGINNINGS = 0.05
# How often a person saves a note between the crash and the recovery; then the crash is near the operation's end.
_BY_HAND = 0.15
_TELLING = ("purge", "create", "bulk")
_LAST_STEPS = (4, 4, 14)


def run(budget: int, seed: int = 1, plant: str = "", *, until_caught: bool = False) -> Outcome:
    """Inject at least `budget` faults."""
    return share_out(NAME, partial(_shard, budget // 2, seed, plant, until_caught))


def _shard(budget: int, seed: int, plant: str, until_caught: bool, number: int) -> Outcome:  # noqa: FBT001  see run
    outcome = Outcome(NAME)
    gc.freeze()  # what is there already is left alone in every child
    with scratch() as place:
        round_ = 0
        while outcome.faults < budget and not (until_caught and outcome.failed):
            key = (seed, number, round_)
            build = of_every_kind if round_ == 0 else partial(by_chance, length=_LENGTH)
            model = build(place / f"twin{round_}", seed=key)
            chance = dice("fork", *key)
            goal = min(budget, outcome.faults + _FAULTS_PER_MODEL)
            while outcome.faults < goal and not (until_caught and outcome.failed):
                if chance.random() < _BEGINNINGS:
                    beginning.kill(outcome, place, chance, plant)
                else:
                    _Trial(model, place / "bank", chance, plant).run(outcome)
            round_ += 1
    return outcome


@dataclass(slots=True)
class _Trial:
    """One run that is killed, with all that follows."""

    model: Model
    root: Path
    chance: random.Random
    plant: str
    story: list[str] = field(default_factory=list)

    def run(self, outcome: Outcome) -> None:
        by_hand = self.chance.random() < _BY_HAND
        start = self._start(telling=by_hand and self.chance.random() < 0.5)
        end = min(start + self.chance.choice((1, 1, 2)), len(self.model.operations))
        if by_hand:
            end = start + 1
        steps = sum(self.model.steps[start:end])
        step = self.chance.randint(max(1, steps - self.chance.choice(_LAST_STEPS)) if by_hand else 1, steps)
        torn = self.chance.random() < 0.35
        system = self.chance.choice(_SYSTEMS)
        kinds = "+".join(operation.kind for operation in self.model.operations[start:end])
        self.story.append(f"{kinds} from {start}, step {step}{' torn' * torn}{f', {system}' * bool(system)}")
        write_tree(self.root, self.model.snapshots[start].files)
        said, ending = in_child(partial(self._work, start, end, step, torn=torn, system=system))
        if strange := accident(said, ending):
            outcome.add(self._told(), strange)
            return
        outcome.faults += ending == KILLED
        acked = start + len(said)
        saved = None
        if ending == KILLED and by_hand:
            saved = foreign.save(self.root, self.model, acked, self.chance)
            self.story.append(f"foreign save of {saved.file}" if saved else "")
        outcome.blame(self._told(), self._recover(outcome, acked, saved, system=system))

    def _start(self, *, telling: bool) -> int:
        """Return the operation to begin with; a telling one is such that doing it twice would show."""
        numbers = range(len(self.model.operations))
        some = [number for number in numbers if self.model.operations[number].kind in _TELLING] if telling else []
        return self.chance.choice(some or numbers)

    def _work(self, start: int, end: int, step: int, say: Callable[[str], None], *, torn: bool, system: str) -> None:
        with plants.applied(self.plant), systems.on(system):
            world = World()
            bank = world.open(self.root)
            with watching(Failpoint(step, torn=torn)):
                for number in range(start, end):
                    world.begin(number + 1)
                    perform(bank, self.model.operations[number])
                    say(ACK)

    def _recover(
        self, outcome: Outcome, acked: int, saved: foreign.ForeignSave | None, *, system: str
    ) -> list[Finding]:
        for attempt in range(self.chance.choice((0, 0, 1, 2))):
            step = self.chance.randint(1, _RECOVERY_STEPS)
            torn = self.chance.random() < 0.35
            self.story.append(f"recovery {attempt}, step {step}")
            said, ending = in_child(
                partial(self._recover_and_die, f"recovery{attempt}", step, torn=torn, system=system)
            )
            if strange := accident(said, ending):
                return strange
            outcome.faults += ending == KILLED
        with plants.applied(self.plant), systems.on(system):
            findings = recover(self.root, "last")
            if findings:
                return findings
            if saved:
                return foreign.judge(self.root, self.model, acked, saved)
            return examine(self.root, Expectation(self.model, acked))

    def _recover_and_die(self, salt: str, step: int, _: Callable[[str], None], *, torn: bool, system: str) -> None:
        with plants.applied(self.plant), systems.on(system), watching(Failpoint(step, torn=torn)):
            recover(self.root, salt)

    def _told(self) -> str:
        return ", ".join(part for part in self.story if part)
