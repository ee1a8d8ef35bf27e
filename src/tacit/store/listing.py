"""Which file speaks for each id, and INDEX.md: made of all notes once, then of what has changed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tacit.formats import index_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# So many rows make a page: a note that comes or goes changes one page, and the others stay as they are.
_PAGE = 256


class Listed(Protocol):
    """What a list of notes needs to know of each."""

    @property
    def id(self) -> str:
        """The id that the note bears."""

    @property
    def row(self) -> str:
        """Its row of INDEX.md."""


class _Page(NamedTuple):
    """Some notes in the order of their ids, one at least, and their part of INDEX.md."""

    ids: list[str]
    rows: list[str]
    content: bytes


class Listing:
    """The notes by id at one moment; never changed, for several looks may share it."""

    def __init__(self, winners: dict[str, str], pages: list[_Page]) -> None:
        self.winners = winners
        self._pages = pages

    @classmethod
    def of(cls, seen: Mapping[str, Listed]) -> Listing:
        """List notes by their files. Where two claim one id, the file that bears the id's name wins, then the first."""
        winners: dict[str, str] = {}
        for file in sorted(seen):
            note_id = seen[file].id
            if note_id not in winners or file.endswith(f"/{note_id}.md"):
                winners[note_id] = file
        ids = sorted(winners)
        return cls(winners, _pages(ids, [seen[winners[note_id]].row for note_id in ids]))

    def after(self, before: Mapping[str, Listed], now: Mapping[str, Listed], files: Iterable[str]) -> Listing | None:
        """Return the listing that follows this one, which is of `before`, once these files are as they are in `now`.

        None if two files claim an id, then or now: which of them wins takes a look at all.
        """
        if len(self.winners) != len(before):
            return None
        changed = Listing(dict(self.winners), list(self._pages))
        for file in files:
            if file in before:
                changed._drop(before[file].id)
        for file in files:
            if file in now and not changed._add(now[file], file):
                return None
        return changed

    def index(self) -> bytes:
        """Return what INDEX.md must be."""
        return index_table.assemble(page.content for page in self._pages)

    def _drop(self, note_id: str) -> None:
        number, place = self._find(note_id)
        ids, rows, _ = self._pages[number]
        del self.winners[note_id]
        self._pages[number : number + 1] = _pages(ids[:place] + ids[place + 1 :], rows[:place] + rows[place + 1 :])

    def _add(self, note: Listed, file: str) -> bool:
        """Take a note in; False if another has its id."""
        if note.id in self.winners:
            return False
        self.winners[note.id] = file
        number, place = self._find(note.id)
        ids, rows, _ = self._pages[number] if self._pages else ([], [], b"")
        self._pages[number : number + 1] = _pages(
            [*ids[:place], note.id, *ids[place:]], [*rows[:place], note.row, *rows[place:]]
        )
        return True

    def _find(self, note_id: str) -> tuple[int, int]:
        """Return on which page an id stands or would stand, and where on it."""
        number = max(0, bisect_right(self._pages, note_id, key=lambda page: page.ids[0]) - 1)
        return number, bisect_left(self._pages[number].ids, note_id) if self._pages else 0


def _pages(ids: list[str], rows: list[str]) -> list[_Page]:
    """Return notes as pages; those of one page that has grown stay together up to twice the size."""
    size = _PAGE if len(ids) > 2 * _PAGE else 2 * _PAGE
    starts = range(0, len(ids), size)
    return [
        _Page(ids[start : start + size], rows[start : start + size], index_table.page(rows[start : start + size]))
        for start in starts
    ]
