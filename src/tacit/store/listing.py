"""Which file speaks for each id, and INDEX.md: made of all notes once, then of what has changed."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Protocol

from tacit.formats import index_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Listed(Protocol):
    """What a list of notes needs to know of each."""

    @property
    def id(self) -> str:
        """The id that the note bears."""

    @property
    def row(self) -> str:
        """Its row of INDEX.md."""


class Listing:
    """The notes by id at one moment; never changed, for several looks may share it."""

    def __init__(self, winners: dict[str, str], ids: list[str], rows: list[str]) -> None:
        self.winners = winners
        self._ids = ids
        self._rows = rows

    @classmethod
    def of(cls, seen: Mapping[str, Listed]) -> Listing:
        """List notes by their files. Where two claim one id, the file that bears the id's name wins, then the first."""
        winners: dict[str, str] = {}
        for file in sorted(seen):
            note_id = seen[file].id
            if note_id not in winners or file.endswith(f"/{note_id}.md"):
                winners[note_id] = file
        ids = sorted(winners)
        return cls(winners, ids, [seen[winners[note_id]].row for note_id in ids])

    def after(self, before: Mapping[str, Listed], now: Mapping[str, Listed], files: Iterable[str]) -> Listing:
        """Return the listing of `now`, which differs from `before`, that this one is of, in these files alone."""
        if len(self.winners) != len(before):
            return Listing.of(now)  # two files claim an id, and either may have won
        changed = Listing(dict(self.winners), list(self._ids), list(self._rows))
        for file in files:
            if file in before:
                changed._drop(before[file].id)
        for file in files:
            if file in now and not changed._add(now[file], file):
                return Listing.of(now)
        return changed

    def index(self) -> bytes:
        """Return what INDEX.md must be."""
        return index_table.assemble(self._rows)

    def _drop(self, note_id: str) -> None:
        place = bisect_left(self._ids, note_id)
        del self.winners[note_id], self._ids[place], self._rows[place]

    def _add(self, note: Listed, file: str) -> bool:
        """Take a note in; False if another has its id."""
        if note.id in self.winners:
            return False
        place = bisect_left(self._ids, note.id)
        self.winners[note.id] = file
        self._ids.insert(place, note.id)
        self._rows.insert(place, note.row)
        return True
