"""What can be done to a bank, as values: chosen by chance or by kind, then carried out as often as needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import Bank, State
from tacit.errors import TacitError
from tacit.note.model import Layer, Note, Status

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

# Every kind of operation, in an order in which each finds what it needs in a bank that only `prepare` has filled.
KINDS = (
    "create",
    "bulk",
    "rewrite",
    "tag",
    "move",
    "delete",
    "restore",
    "undo",
    "redo",
    "archive",
    "config",
    "heal",
    "purge",
    "empty",
    "start",
    "jot",
    "finish",
    "pause",
    "resume",
)
# The kinds whose effect `undo` takes back; the others are final or leave nothing to take back.
UNDOABLE = frozenset(KINDS) - {"heal", "purge", "empty", "pause"}


# What a process says once an operation is acknowledged.
ACK = "ACK"


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation with all that it needs; `target` is a note, or for undo an operation, or empty for the last."""

    kind: str
    target: str = ""
    amount: int = 1
    mark: str = ""


def make_note(name: str, *, mark: str = "", lines: int = 1, layer: Layer = Layer.DECLARATIVE) -> Note:
    """Return a note that can be told from every other one by `mark`."""
    return Note(
        id=name,
        title=f"Note {mark or name}",
        layer=layer,
        when_to_load=(f"while testing {name}",),
        one_liner=f"Says {mark or name}.",
        decision="\n".join(f"Line {number} of {mark or name}." for number in range(lines)),
    )


def perform(bank: Bank, operation: Operation) -> None:
    """Carry an operation out; it counts once this returns."""
    _ACTS[operation.kind](bank, operation)


def attempt(bank: Bank, operation: Operation) -> str:
    """Carry an operation out; return ACK, or the code of the error that a user would see."""
    try:
        perform(bank, operation)
    except TacitError as error:
        return error.code
    return ACK


def prepare(bank: Bank) -> None:
    """Give an empty bank some life: notes in both layers, versions, a removed note."""
    bank.add([make_note(f"MEM-first{number}", lines=number * 20 + 1) for number in range(3)])
    bank.add([make_note("MEM-howto", layer=Layer.PROCEDURAL, lines=200)])
    for act in (Operation("rewrite", "MEM-first1", mark="v2"), Operation("delete", "MEM-first2")):
        perform(bank, act)


def choose(chance: random.Random, bank: Bank, number: int, kind: str = "") -> Operation | None:
    """Return an operation that should work on the bank as it is, of the given kind or any; None if none fits."""
    if bank.state is not State.ON:
        return Operation("resume", str(State.ON)) if kind in ("", "resume") else None
    kind = kind or chance.choice([each for each in KINDS if each != "resume"])
    mark = f"{kind}{number}"
    notes = [note for note in bank.notes() if note.layer is not Layer.CORE]
    match kind:
        case "create" | "bulk":
            return Operation(kind, f"MEM-{mark}", chance.choice((1, 2, 3)) if kind == "create" else 3, mark)
        case "restore":
            gone = [item for item in bank.trash() if not item.taken]
            return Operation(kind, chance.choice(gone).note_id) if gone else None
        case "undo" | "heal":
            return Operation(kind)
        case "redo":
            undone = [entry.operation_id for entry in bank.log() if entry.operation == "undo"]
            return Operation(kind, undone[-1]) if undone else None
        case "config" | "empty" | "pause":
            return _choose_for_the_bank(chance, kind)
        case "start" | "jot" | "finish":
            return _choose_task(chance, bank, kind, mark)
        case "archive":
            notes = [note for note in notes if note.status is not Status.ARCHIVE]
        case _:
            pass
    return Operation(kind, chance.choice(notes).id, chance.choice((1, 5, 400)), mark) if notes else None


def _choose_for_the_bank(chance: random.Random, kind: str) -> Operation:
    """Return an operation that is about no note and no task."""
    if kind == "config":
        return Operation(kind, "trash.retention_days", chance.randint(1, 900))
    if kind == "empty":
        return Operation(kind, amount=chance.randint(1, 4))
    return Operation(kind, str(chance.choice((State.OFF, State.PAUSED, State.PADDING))))


def _choose_task(chance: random.Random, bank: Bank, kind: str, mark: str) -> Operation | None:
    """Return an operation on a task, None if there is no task to do it to."""
    running = [task.id for task in bank.tasks.list()] if kind != "start" else [""]
    return Operation(kind, chance.choice(running), chance.choice((1, 5, 200)), mark) if running else None


def _create(bank: Bank, operation: Operation) -> None:
    layers = (Layer.DECLARATIVE, Layer.PROCEDURAL)
    bank.add(
        [
            make_note(f"{operation.target}-{number}", mark=f"{operation.mark}-{number}", layer=layers[number % 2])
            for number in range(operation.amount)
        ]
    )


def rewritten(text: str, mark: str, lines: int) -> bytes:
    """Return a note's text with another decision."""
    head, heading, _ = text.partition("## Decision\n")
    more = "\n".join(f"Rewritten by {mark}, line {number}." for number in range(lines))
    return f"{head}{heading}\n{more}\n".encode()


def _rewrite(bank: Bank, operation: Operation) -> None:
    text = bank.text(operation.target)
    content = rewritten(text, operation.mark, operation.amount)
    bank.rewrite(operation.target, content, base=fsio.digest(text.encode()))


def _move(bank: Bank, operation: Operation) -> None:
    here = next(note.layer for note in bank.notes() if note.id == operation.target)
    bank.move(operation.target, Layer.PROCEDURAL if here is Layer.DECLARATIVE else Layer.DECLARATIVE)


def _heal(bank: Bank, _: Operation) -> None:
    (bank.root / "INDEX.md").unlink(missing_ok=True)
    bank.heal()


def _jot(bank: Bank, operation: Operation) -> None:
    text = "\n".join(f"Done: {operation.mark}, line {number}." for number in range(operation.amount))
    bank.tasks.note(text, task=operation.target)


_ACTS: dict[str, Callable[[Bank, Operation], object]] = {
    "create": _create,
    "bulk": _create,
    "rewrite": _rewrite,
    "tag": lambda bank, operation: bank.tag(operation.target, add=[operation.mark]),
    "move": _move,
    "delete": lambda bank, operation: bank.delete(operation.target),
    "restore": lambda bank, operation: bank.restore(operation.target),
    "undo": lambda bank, operation: bank.undo(operation.target),
    "redo": lambda bank, operation: bank.undo(operation.target),
    "archive": lambda bank, operation: bank.archive(operation.target),
    "config": lambda bank, operation: bank.set_setting(operation.target, str(operation.amount)),
    "heal": _heal,
    "purge": lambda bank, operation: bank.purge(operation.target),
    "empty": lambda bank, operation: bank.empty_trash(days=operation.amount),
    "start": lambda bank, operation: bank.tasks.start(f"Task {operation.mark}"),
    "jot": _jot,
    "finish": lambda bank, operation: bank.tasks.finish(operation.target),
    "pause": lambda bank, operation: bank.set_state(State(operation.target)),
    "resume": lambda bank, operation: bank.set_state(State(operation.target)),
}
