"""What the writers and the reader of the process suite do."""

from __future__ import annotations

import os
import re
import time
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import Bank
from tacit.errors import BankBusy, ChangedMeanwhile, TacitError
from tests.crash import plants, systems
from tests.crash.operations import make_note

if TYPE_CHECKING:
    from pathlib import Path

COUNTER = "MEM-counter"
# Two notes that are always written together and carry the same number.
PAIR = ("MEM-left", "MEM-right")
PAIR_OPERATION = "pair"
_NUMBER = re.compile(r"^title: Note (\d+)$", re.MULTILINE)
# So many notes of one seat stay; older ones are removed again.
_KEPT = 5
# Between the two notes of the pair, and while a note is edited, there is time for somebody else.
_DISTRACTION_S = 0.001


class _Acks:
    """A file beside the bank that says what was acknowledged; one process writes it, a line at a time."""

    def __init__(self, place: Path, name: str) -> None:
        self._file = os.open(place / "acks" / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def note(self, *words: str) -> None:
        os.write(self._file, (" ".join(words) + "\n").encode())


def write_on(place: Path, name: str, plant: str) -> None:
    """Write until asked to end: a note of one's own, the counter, the pair, and remove a note now and then."""
    acks = _Acks(place, name)
    turn = 0
    with plants.applied(plant):
        try:
            bank = Bank.open(place / "bank")
            while not (place / "end").exists():
                turn += 1
                started = time.monotonic()
                _one_turn(bank, acks, f"MEM-{name}-{turn}")
                acks.note("slowest", f"{time.monotonic() - started:.3f}")
        except BankBusy as error:
            acks.note("busy", str(error))
        except Exception as error:  # noqa: BLE001  whatever it is, the judge wants to know
            acks.note("error", type(error).__name__, str(error).replace("\n", " "))


def _one_turn(bank: Bank, acks: _Acks, note_id: str) -> None:
    acks.note("note", bank.add([make_note(note_id)]).operation_id, note_id)
    acks.note("count", count_up(bank))
    acks.note("pair", _write_pair(bank))
    seat = note_id.partition("x")[0]
    mine = [note.id for note in bank.notes() if note.id.startswith(f"{seat}x")]
    if len(mine) > _KEPT:
        victim = min(mine, key=lambda each: [int(part) for part in re.findall(r"\d+", each)])
        try:
            acks.note("gone", bank.delete(victim).operation_id, victim)
        except TacitError as error:
            if error.code != "note.not_found":
                raise


def count_up(bank: Bank) -> str:
    """Add one to the counter, as a person would: read, edit, save; and again if somebody else was faster."""
    while True:
        text = bank.text(COUNTER)
        time.sleep(_DISTRACTION_S)
        try:
            return bank.rewrite(COUNTER, _counted(text), base=fsio.digest(text.encode())).operation_id
        except ChangedMeanwhile:
            continue


def _counted(text: str) -> bytes:
    return _NUMBER.sub(lambda match: f"title: Note {int(match[1]) + 1}", text, count=1).encode()


def _write_pair(bank: Bank) -> str:
    """Add one to both notes of the pair in one transaction."""
    with systems.distracted(_DISTRACTION_S), bank._store.writing(PAIR_OPERATION) as transaction:
        for note_id in PAIR:
            file = f"L1_declarative/{note_id}.md"
            content = _counted((transaction.read(file) or b"").decode())
            transaction.put(file, content, note_id=note_id)
            transaction.record(Record(event=Event.NOTE_UPDATED, operation=PAIR_OPERATION, note_id=note_id, file=file))
        transaction.commit()
    return transaction.operation_id


def read_on(place: Path, plant: str) -> None:
    """Read until asked to end, and tell of every look that showed half of a transaction."""
    acks = _Acks(place, "reader")
    looks = 0
    with plants.applied(plant):
        bank = Bank.open(place / "bank", heal=False)
        while not (place / "end").exists():
            looks += 1
            if looks % 20 == 0:
                bank = Bank.open(place / "bank", heal=False)
            try:
                titles = {note.id: note.title for note in bank.notes()}
            except Exception as error:  # noqa: BLE001  whatever it is, the judge wants to know
                acks.note("error", type(error).__name__, str(error).replace("\n", " "))
                continue
            left, right = (titles.get(note_id, "nothing") for note_id in PAIR)
            if left != right:
                acks.note("half", left.replace(" ", "_"), right.replace(" ", "_"))
    acks.note("looks", str(looks))
