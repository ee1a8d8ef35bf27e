"""The notes of the bank as a list that can be narrowed down."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tacit.messages import on_page, say
from tacit.note.model import Audience, Kind, Layer, Status, Strength
from tacit.web.markup import EMPTY, Safe, h, joined, link
from tacit.web.visit import View, badge, filters, moment, pages, select, word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from enum import StrEnum

    from tacit.note.model import Summary
    from tacit.web.visit import Visit

PER_PAGE = 50
_MOST_TAGS = 100
_FILTERS: dict[str, type[StrEnum]] = {
    "layer": Layer,
    "kind": Kind,
    "status": Status,
    "audience": Audience,
    "strength": Strength,
}
_LAYERS = (Layer.CORE, Layer.DECLARATIVE, Layer.PROCEDURAL)


def show(visit: Visit) -> View:
    """Return the notes that pass the filters, the last changed first."""
    everything = visit.bank.notes()
    chosen = {name: visit.query.get(name, "") for name in (*_FILTERS, "tag", "words")}
    found = sorted(_narrowed(everything, chosen), key=lambda note: (note.updated, note.id), reverse=True)
    start = visit.start(len(found), PER_PAGE)
    left_out = visit.bank.left_out()
    main = h(
        '<header class="bar-top"><h1>{title}</h1><p class="quiet">{count}</p></header>{filters}{left_out}'
        '<ol class="notes">{rows}</ol>{none}{pages}',
        title=on_page("part.notes"),
        count=on_page("notes.count", count=f"{len(found):,}", total=f"{len(everything):,}"),
        filters=_filters(everything, chosen),
        left_out=_left_out(left_out),
        rows=joined(_row(note) for note in found[start : start + PER_PAGE]),
        none=EMPTY
        if found
        else h('<p class="empty">{it}</p>', it=on_page("notes.none") if everything else say("empty.notes")),
        pages=pages(visit, len(found), PER_PAGE, link("/notes", **chosen) if any(chosen.values()) else "/notes?"),
    )
    return View(title=on_page("part.notes"), main=main, here="notes")


def _narrowed(notes: Iterable[Summary], chosen: dict[str, str]) -> list[Summary]:
    words = chosen["words"].lower().split()
    return [
        note
        for note in notes
        if all(not chosen[name] or str(getattr(note, name)) == chosen[name] for name in _FILTERS)
        and (not chosen["tag"] or chosen["tag"] in note.tags)
        and all(word in f"{note.title}\n{note.when_to_load}\n{note.one_liner}\n{note.id}".lower() for word in words)
    ]


def _filters(notes: Sequence[Summary], chosen: dict[str, str]) -> Safe:
    selects = [
        select(name, [(str(value), word(name, value)) for value in (_LAYERS if name == "layer" else values)], chosen)
        for name, values in _FILTERS.items()
    ]
    tags = Counter(tag for note in notes for tag in note.tags)
    if tags:
        selects.append(select("tag", [(tag, f"{tag} ({n:,})") for tag, n in tags.most_common(_MOST_TAGS)], chosen))
    return filters("/notes", chosen, selects)


def _left_out(errors: Sequence[Exception]) -> Safe:
    if not errors:
        return EMPTY
    return h(
        '<details class="warning"><summary>{title}</summary><ul>{items}</ul></details>',
        title=on_page("notes.left_out", count=len(errors)),
        items=joined(h("<li>{it}</li>", it=error) for error in errors[:PER_PAGE]),
    )


def _row(note: Summary) -> Safe:
    return h(
        '<li><a data-row href="{address}"><span class="title">{title}</span><span class="line">{one_liner}</span></a>'
        '<span class="meta">{layer} {kind} {strength} {status} {when}</span></li>',
        address=link("/notes", note.id),
        title=note.title,
        one_liner=note.one_liner,
        layer=badge("layer", note.layer),
        kind=badge("kind", note.kind),
        strength=badge("strength", note.strength),
        status=badge("status", note.status) if note.status is not Status.ACTIVE else "",
        when=moment(note.updated),
    )
