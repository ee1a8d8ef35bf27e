"""Which file speaks for each id, and INDEX.md: made of all notes once, then of what has changed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
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
    """Some notes in the order of their ids, one at least, with their files, their rows and their part of INDEX.md."""

    ids: list[str]
    files: list[str]
    rows: list[str]
    content: bytes


class Listing:
    """The notes by id at one moment; never changed, for several looks may share it."""

    def __init__(self, pages: list[_Page], count: int) -> None:
        self._pages = pages
        self._count = count

    @classmethod
    def of(cls, seen: Mapping[str, Listed]) -> Listing:
        """List notes by their files. Where two claim one id, the file that bears the id's name wins, then the first."""
        winners: dict[str, str] = {}
        for file in sorted(seen):
            note_id = seen[file].id
            if note_id not in winners or file.endswith(f"/{note_id}.md"):
                winners[note_id] = file
        in_order = sorted(winners.items())
        return cls(_pages([(note_id, file, seen[file].row) for note_id, file in in_order]), len(winners))

    @cached_property
    def winners(self) -> dict[str, str]:
        """Id → file, of all notes."""
        return {note_id: file for page in self._pages for note_id, file in zip(page.ids, page.files, strict=True)}

    def file_of(self, note_id: str) -> str:
        """Return the file of one note, empty if there is none."""
        number, place = self._find(note_id)
        return self._pages[number].files[place] if self._has(note_id, number, place) else ""

    def after(self, before: Mapping[str, Listed], now: Mapping[str, Listed], files: Iterable[str]) -> Listing | None:
        """Return the listing that follows this one, which is of `before`, once these files are as they are in `now`.

        None if two files claim an id, then or now: which of them wins takes a look at all.
        """
        if self._count != len(before):
            return None
        changed = Listing(list(self._pages), self._count)
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
        notes = self._notes(number)
        self._pages[number : number + 1] = _pages([*notes[:place], *notes[place + 1 :]])
        self._count -= 1

    def _add(self, note: Listed, file: str) -> bool:
        """Take a note in; False if another has its id."""
        number, place = self._find(note.id)
        if self._has(note.id, number, place):
            return False
        notes = self._notes(number)
        self._pages[number : number + 1] = _pages([*notes[:place], (note.id, file, note.row), *notes[place:]])
        self._count += 1
        return True

    def _find(self, note_id: str) -> tuple[int, int]:
        """Return on which page an id stands or would stand, and where on it."""
        number = max(0, bisect_right(self._pages, note_id, key=lambda page: page.ids[0]) - 1)
        return number, bisect_left(self._pages[number].ids, note_id) if self._pages else 0

    def _has(self, note_id: str, number: int, place: int) -> bool:
        return bool(self._pages) and self._pages[number].ids[place : place + 1] == [note_id]

    def _notes(self, number: int) -> list[tuple[str, str, str]]:
        page = self._pages[number : number + 1]
        return [note for each in page for note in zip(each.ids, each.files, each.rows, strict=True)]


def _pages(notes: list[tuple[str, str, str]]) -> list[_Page]:
    """Return notes, each with id, file and row, as pages; one that has grown stays whole up to twice the size."""
    size = _PAGE if len(notes) > 2 * _PAGE else 2 * _PAGE
    made = []
    for start in range(0, len(notes), size):
        ids, files, rows = map(list, zip(*notes[start : start + size], strict=True))
        made.append(_Page(ids, files, rows, index_table.page(rows)))
    return made
