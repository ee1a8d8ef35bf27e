"""What was done to the bank, by whom and through which door, with the way back."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from tacit.audit.record import Channel, Event
from tacit.errors import OperationNotFound, TacitError
from tacit.messages import on_page
from tacit.web import diff
from tacit.web.markup import EMPTY, Safe, h, joined, link, quiet
from tacit.web.visit import View, filters, moment, pages, select, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.bank.values import LogEntry
    from tacit.web.visit import Visit

PER_PAGE = 50
_DIGEST = re.compile(r"(sha256:[0-9a-f]{8})[0-9a-f]{56}")
_SHOWN_LINES = 3
# Each costs a look through all that the trash keeps, which is long after an operation on thousands of notes.
_SHOWN_DIFFS, _SHOWN_OF_MANY = 20, 3


def show(visit: Visit) -> View:
    """Return the operations that pass the filters, the last first."""
    chosen = {name: visit.query.get(name, "") for name in ("event", "channel", "words")}
    entries = [entry for entry in visit.bank.log() if _fits(entry, chosen)]
    operations = [list(lines) for _, lines in groupby(entries, key=lambda entry: entry.operation_id)][::-1]
    start = visit.start(len(operations), PER_PAGE)
    main = h(
        '<header class="bar-top"><h1>{title}</h1><p class="quiet">{count}</p></header>{chain}{filters}'
        '<ol class="operations">{rows}</ol>{pages}',
        title=on_page("part.audit"),
        count=on_page("audit.count", count=f"{len(operations):,}"),
        chain=_chain(visit),
        filters=_filters(chosen),
        rows=joined(_operation(lines) for lines in operations[start : start + PER_PAGE]),
        pages=pages(visit, len(operations), PER_PAGE, link("/audit", **chosen) if any(chosen.values()) else "/audit?"),
    )
    return View(title=on_page("part.audit"), main=main, here="audit")


def operation(visit: Visit) -> View:
    """Return one operation, with what it changed and a button that takes it back."""
    wanted = visit.names["operation"]
    lines = [entry for entry in visit.bank.log() if entry.operation_id == wanted]
    if not lines:
        raise OperationNotFound(id=wanted, left="")
    notes = list(dict.fromkeys(entry.note_id for entry in lines if entry.note_id))
    shown = notes if len(notes) <= _SHOWN_DIFFS else notes[:_SHOWN_OF_MANY]
    diffs = joined(_diffs(visit, note_id, wanted) for note_id in shown) if visit.bank.state.may_read else EMPTY
    main = h(
        '<article><header><p class="meta">{when} · {door}</p><h1><code>{id}</code></h1></header>{undo}'
        "{lines}{diffs}</article>",
        when=moment(lines[0].ts),
        door=_door(lines[0]),
        id=wanted,
        undo=_undo(visit, wanted),
        lines=_lines(lines, PER_PAGE),
        diffs=diffs,
    )
    return View(title=wanted, main=main, here="audit")


def _fits(entry: LogEntry, chosen: dict[str, str]) -> bool:
    words = f"{entry.operation_id} {entry.note_id} {entry.file} {entry.reason}".lower()
    return (
        (not chosen["event"] or entry.event == chosen["event"])
        and (not chosen["channel"] or entry.channel == chosen["channel"])
        and all(each in words for each in chosen["words"].lower().split())
    )


def _chain(visit: Visit) -> Safe:
    lines, damages = visit.kept.get("chain", visit.bank.log_stamp(), visit.bank.chain)
    if not damages:
        return h('<p class="good">{it}</p>', it=on_page("audit.intact", lines=f"{lines:,}"))
    return h(
        '<section class="warning"><p>{text}</p><ul>{items}</ul></section>',
        text=on_page("audit.damaged"),
        items=joined(
            h("<li>{place}{reason}</li>", place=f"{each.file}:{each.line}: " if each.file else "", reason=each.reason)
            for each in damages[:PER_PAGE]
        ),
    )


def _filters(chosen: dict[str, str]) -> Safe:
    event = select("event", [(str(event), word("event", event)) for event in Event], chosen)
    channel = select("channel", [(str(each), word("channel", each)) for each in Channel], chosen)
    return filters("/audit", chosen, [event, channel])


def _operation(lines: Sequence[LogEntry]) -> Safe:
    first = lines[0]
    return h(
        '<li><p class="meta"><a data-row href="{address}"><code>{id}</code></a> {when} · {door}</p>{lines}</li>',
        address=link("/audit", first.operation_id),
        id=first.operation_id,
        when=moment(first.ts),
        door=_door(first),
        lines=_lines(lines, _SHOWN_LINES),
    )


def _lines(lines: Sequence[LogEntry], most: int) -> Safe:
    more = len(lines) - most
    return h(
        '<ul class="lines">{lines}</ul>{more}',
        lines=joined(_line(entry) for entry in lines[:most]),
        more=quiet(on_page("more", count=f"{more:,}")) if more > 0 else EMPTY,
    )


def _door(entry: LogEntry) -> str:
    return on_page("by", door=word("channel", entry.channel), assurance=word("assurance", entry.assurance))


def _line(entry: LogEntry) -> Safe:
    about = h("<code>{it}</code>", it=entry.file)
    if entry.note_id:
        about = h('<a href="{address}"><code>{id}</code></a>', address=link("/notes", entry.note_id), id=entry.note_id)
    return h(
        '<li><strong>{event}</strong> {about} <span class="quiet">{reason}</span></li>',
        event=word("event", entry.event),
        about=about,
        reason=_DIGEST.sub(r"\1…", entry.reason),
    )


def _undo(visit: Visit, wanted: str) -> Safe:
    try:
        visit.bank.undoable(wanted)
    except TacitError:
        return EMPTY
    return visit.form_to(
        "/undo", h("<button>{it}</button>", it=on_page("audit.undo")), operation=wanted, back=visit.path
    )


def _diffs(visit: Visit, note_id: str, wanted: str) -> Safe:
    told = [entry for entry in visit.bank.log(note_id, diffs=True) if entry.operation_id == wanted and entry.diff]
    return joined(
        h(
            '<section><h2><a href="{address}">{id}</a></h2>{diff}</section>',
            address=link("/notes", note_id),
            id=note_id,
            diff=quiet(on_page("diff.gone")) if entry.diff.startswith("(") else diff.render(entry.diff),
        )
        for entry in told
    )
