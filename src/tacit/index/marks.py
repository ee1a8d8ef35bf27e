"""The marks of a vector's document in one byte: its timing, whether it is archived or quarantined, its script."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tacit.index.contract import QUARANTINED

if TYPE_CHECKING:
    from tacit.index.contract import Filter, Nearness

_TIMINGS = {"pre": 1, "post": 2, "both": 16}
_ARCHIVED = 4
_LATIN = 8
_QUARANTINED = 32
_STATUSES = {"archive": _ARCHIVED, QUARANTINED: _QUARANTINED}


class Fitting(NamedTuple):
    """The marks that a row must have to be found: all of the first, one of the second, none of the third."""

    needed: int
    any_of: int
    refused: int


def of(timing: str, status: str, is_latin: object) -> int:
    """Return the marks of a document."""
    return _TIMINGS[timing] | _STATUSES.get(status, 0) | (_LATIN if is_latin else 0)


def fitting(wanted: Filter, near: Nearness) -> Fitting:
    """Return the marks of the documents that a question is about."""
    archived, quarantined = 0 if wanted.archived else _ARCHIVED, 0 if wanted.quarantined else _QUARANTINED
    latin, other = (_LATIN, 0) if near.latin_documents else (0, _LATIN)
    return Fitting(latin, sum(_TIMINGS[timing] for timing in wanted.timings), archived | quarantined | other)
