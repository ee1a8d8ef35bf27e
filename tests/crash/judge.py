"""Say whether a bank that was broken and opened again keeps its promises."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.audit.log import AuditLog
from tacit.bank import State, writing
from tacit.errors import BankBusy, TacitError
from tacit.store import journal
from tests.crash.model import take_snapshot
from tests.crash.scratch import Tree, write_tree
from tests.crash.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.model import Model, Snapshot

BAD, LOST, DOUBLED, STUCK = "bad", "lost", "doubled", "stuck"
_NOTES = ("L0_core/", "L1_declarative/", "L2_procedural/", "memory.lock", "tacit.toml")
_TRASH = ".trash/"
# What an operation may say when the disk refuses something: done, nothing was changed, or committed all the same.
_CLEAN = ("ACK", "store.io", "store.committed_completing", "store.busy")


@dataclass(frozen=True, slots=True)
class Finding:
    """A promise that was not kept."""

    sort: str
    text: str

    def __str__(self) -> str:
        return f"{self.sort}: {self.text}"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What may be found: at least `acked` operations of the model, and at most `reach` more.

    After a power cut a file that was to vanish from a finished transaction may be back; it is of no consequence.
    """

    model: Model
    acked: int
    reach: int = 1
    power_cut: bool = False


def recover(root: Path, salt: str = "recovery") -> list[Finding]:
    """Open the bank as the next command would, and have INDEX.md mended; return what went wrong in doing so."""
    world = World(salt)
    try:
        bank = world.open(root)
        world.begin(1)
        writing.heal(bank._store)  # whatever the state: here the lists must be right in the end
    except BankBusy as error:
        return [Finding(STUCK, f"the bank cannot be opened: {error}")]
    except Exception as error:  # noqa: BLE001  whatever it is, a user would meet it
        return [Finding(BAD, f"recovery raised {type(error).__name__}: {error}")]
    return []


def examine(root: Path, expected: Expectation) -> list[Finding]:
    """Return every promise that the recovered bank at `root` breaks."""
    found = take_snapshot(root)
    reached, findings = judge_log(found, expected)
    findings += judge_chain(root)
    findings += _judge_files(found, expected, reached)
    if not findings:
        findings += _judge_second_recovery(root, found)
    if not findings and expected.model.can_undo(reached):
        findings += _judge_undo(root, found, expected.model, reached)
    return findings


def after_refusal(model: Model, said: list[str]) -> tuple[Expectation, list[Finding]]:
    """Return what must be found after the disk refused something to the only operation of the model.

    `said` are the outcomes of the operation: of its first try, and of the second if there was one.
    """
    if model.operations[0].kind == "heal":  # never a failure: what is not mended now is mended later
        return Expectation(model, acked=0, reach=1), []
    findings = [Finding(BAD, f"not a clean error: {word}") for word in said if word not in _CLEAN]
    if not said:
        return Expectation(model, acked=0), [Finding(BAD, "the process ended without a word")]
    if "store.busy" in said:
        findings.append(Finding(STUCK, "the bank stays locked after an error"))
    reached = int(any(word in ("ACK", "store.committed_completing") for word in said))
    if said == ["store.io"] * 2:
        findings.append(Finding(STUCK, "the operation fails again although the disk has mended"))
    return Expectation(model, acked=reached, reach=0), findings


def judge_log(found: Snapshot, expected: Expectation) -> tuple[int, list[Finding]]:
    """Return how many operations the log tells of, and what is wrong with it."""
    snapshots = expected.model.snapshots
    log = found.log
    reached = max((number for number, each in enumerate(snapshots) if log.startswith(each.log)), default=-1)
    if reached < 0:
        return 0, [Finding(LOST, "the log has lost its beginning")]
    findings = []
    if reached < expected.acked:
        findings.append(Finding(LOST, f"{expected.acked} operations were acknowledged, {reached} are there"))
    if reached > expected.acked + expected.reach:
        findings.append(Finding(BAD, f"operation {reached} is there before anybody began it"))
    known = {_members(line).get("operation_id") for line in snapshots[reached].log.splitlines()}
    for line in log[len(snapshots[reached].log) :].splitlines():
        members = _members(line)
        if members.get("operation_id") in known:
            findings.append(Finding(DOUBLED, f"{members.get('operation_id')} is told twice"))
        elif members.get("operation") != "heal":
            findings.append(Finding(BAD, f"the log has a line that nobody wrote: {line[:80]!r}"))
        known.add(members.get("operation_id"))
    return reached, findings


def _members(line: bytes) -> dict[str, object]:
    try:
        members = json.loads(line)
    except ValueError:
        return {}
    return members if isinstance(members, dict) else {}


def judge_chain(root: Path) -> list[Finding]:
    """Return every place where the log is not what was written."""
    _, damages = AuditLog(root / ".local/audit", segment_bytes=1).verify()
    return [Finding(BAD, f"the log is damaged: {damage.reason}") for damage in damages]


def _judge_files(found: Snapshot, expected: Expectation, reached: int) -> list[Finding]:
    wanted = expected.model.snapshots[reached].shared
    there = found.shared
    healed = _heals(there, wanted)
    purged = [each.target for each in expected.model.operations[:reached] if each.kind == "purge"]
    findings = []
    for name in sorted({*wanted, *there}):
        if there.get(name) == wanted.get(name) or name.startswith(healed):
            continue
        if expected.power_cut and name not in wanted and _is_leftover(name, there, purged):
            continue
        sort = STUCK if name.startswith("staging/") else LOST if name not in there else BAD
        what = "missing" if name not in there else "too much" if name not in wanted else "not as it was written"
        findings.append(Finding(sort, f"{name} is {what} after operation {reached}"))
    return findings


def _heals(there: Tree, wanted: Tree) -> tuple[str, ...]:
    """Return the directories in the trash of the healing that the recovery itself did."""
    extra = [name for name in there if name.startswith(_TRASH) and name.count("/") == 2 and name.endswith("/")]
    return tuple(
        name
        for name in extra
        if name not in wanted and b'"operation": "heal"' in there.get(f"{name}{journal.NAME}", b"")
    )


def _is_leftover(name: str, there: Tree, purged: list[str]) -> bool:
    """Whether a file in the trash is the staged copy of what was new or derived in a finished transaction.

    Of a purged note not even that may come back.
    """
    directory, _, staged = name.removesuffix(".aside").rpartition("/")
    if not directory.startswith(_TRASH):
        return False
    record = _members(there.get(f"{directory}/{journal.NAME}", b"").partition(b"\n")[2])
    changes = record.get("changes")
    return isinstance(changes, list) and any(
        change["staged"] == staged and (change["derived"] or change["old"] is None) and change["note_id"] not in purged
        for change in changes
    )


def _judge_second_recovery(root: Path, found: Snapshot) -> list[Finding]:
    findings = recover(root, "again")
    if not findings and take_snapshot(root).files != found.files:
        findings.append(Finding(BAD, "a second recovery changes what the first one left"))
    return findings


def _judge_undo(root: Path, found: Snapshot, model: Model, reached: int) -> list[Finding]:
    """The last operation, undone on a copy, must give the notes as they were before it."""
    copy = root.with_name(f"{root.name}-undone")
    write_tree(copy, found.files)
    world = World("undo")
    try:
        bank = world.open(copy)
        if bank.state is not State.ON:
            return []
        bank.undo(model.snapshots[reached].operation_id)
    except TacitError as error:
        return [Finding(LOST, f"operation {reached} cannot be undone: {error}")]
    if notes_of(take_snapshot(copy)) != notes_of(model.snapshots[reached - 1]):
        return [Finding(BAD, f"undoing operation {reached} does not give what was before it")]
    return []


def notes_of(snapshot: Snapshot) -> Tree:
    """Return the files that people care for: notes, state and settings."""
    return {name: content for name, content in snapshot.files.items() if name.startswith(_NOTES)}
