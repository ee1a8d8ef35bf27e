"""How the bank is: its state, how it grew, what is recalled and what never, and what is wrong in it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tacit.bank import State
from tacit.messages import language, on_page
from tacit.web import pictures
from tacit.web.markup import EMPTY, Safe, h, joined, link, quiet
from tacit.web.visit import View, moment, word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.bank.figures import NoteUse, Stats
    from tacit.note.model import Summary
    from tacit.web.visit import Visit

_SHOWN = 20
_DAYS = 90

# How each finding of a long look is shown, by the name of the look.
_FINDINGS = {
    "upkeep": '<li>{question} <span class="quiet">{reasons}</span> {notes}</li>',
    "problems": '<li><code>{code}</code> {told} <span class="quiet">{hint}</span></li>',
    "drift": '<li><code>{file}{line}</code> {description} <span class="quiet">{minimal_fix}</span></li>',
}


def show(visit: Visit) -> View:
    """Return the state switch, and where the bank may be read its numbers and what is wrong."""
    told = EMPTY
    if visit.bank.state.may_read:
        stats = visit.kept.get("stats", visit.bank.stamp(), visit.bank.stats)
        told = joined(
            [
                _tiles(stats, len(visit.waiting())),
                _growth(stats),
                _recalls(stats),
                _unused(stats),
                _answers(stats),
                _shape(visit.bank.notes()),
                *(_looked(visit, name, item) for name, item in _FINDINGS.items()),
            ]
        )
    other = visit.form_to("/link", h("<button>{it}</button>", it=on_page("link.make")))
    main = h(
        '<h1>{title}</h1>{state}<div class="health">{told}</div><section><h2>{link}</h2>{other}</section>',
        title=on_page("part.health"),
        state=_state(visit),
        told=told,
        link=on_page("link"),
        other=other,
    )
    return View(title=on_page("part.health"), main=main, here="health")


def _state(visit: Visit) -> Safe:
    now = visit.bank.state
    buttons = joined(
        h(
            '<button name="state" value="{state}" {pressed}><strong>{state}</strong> <span>{text}</span></button>',
            state=state,
            pressed=Safe(f'aria-pressed="{"true" if state is now else "false"}"'),
            text=on_page(f"state.{state}"),
        )
        for state in State
    )
    missing = EMPTY if visit.bank.has_state else h('<p class="warning">{it}</p>', it=on_page("state.missing"))
    return h(
        '<section id="state"><h2>{title}</h2>{missing}{form}</section>',
        title=on_page("state"),
        missing=missing,
        form=visit.form_to("/state", buttons, kind="states"),
    )


def _tiles(stats: Stats, waiting: int) -> Safe:
    shown = (
        ("health.notes", stats.notes),
        ("health.waiting", waiting),
        ("health.recalls", stats.recalls),
        ("health.silent", stats.silent),
        ("health.sessions", stats.sessions),
        ("health.tokens", stats.injected_tokens),
    )
    tiles = joined(
        h("<div><dt>{name}</dt><dd>{value:,}</dd></div>", name=on_page(name), value=value) for name, value in shown
    )
    return h('<dl class="tiles">{tiles}</dl>', tiles=tiles)


def _section(title: str, inside: Safe) -> Safe:
    return h("<section><h2>{title}</h2>{inside}</section>", title=on_page(title), inside=inside)


def _growth(stats: Stats) -> Safe:
    days = stats.days[-_DAYS:]
    if not days:
        return EMPTY
    label = on_page("health.growth.label", first=days[0].notes, last=days[-1].notes, day=days[-1].day)
    head = [on_page(f"health.{name}") for name in ("day", "notes", "created", "removed")]
    table = pictures.numbers(
        head, [(day.day, day.notes, day.created, day.removed) for day in days[::-1]], title=on_page("health.numbers")
    )
    picture = pictures.growth([(day.day, day.notes) for day in days], label=label)
    return _section("health.growth", joined([picture, table]))


def _recalls(stats: Stats) -> Safe:
    days = [day for day in stats.days[-_DAYS:] if day.recalls]
    if not days:
        return _section("health.recalled", quiet(on_page("health.recalled.none")))
    label = on_page("health.recalled.label", recalls=stats.recalls, silent=stats.silent)
    picture = pictures.columns(
        [(day.day, (day.said, max(day.recalls - day.said, 0))) for day in days], kinds=("said", "silent"), label=label
    )
    legend = h(
        '<p class="legend"><span class="said"></span>{said} <span class="silent"></span>{silent}</p>',
        said=on_page("health.said"),
        silent=on_page("health.silences"),
    )
    head = [on_page(f"health.{name}") for name in ("day", "recalls", "said", "chars")]
    table = pictures.numbers(
        head, [(day.day, day.recalls, day.said, day.chars) for day in days[::-1]], title=on_page("health.numbers")
    )
    why = _counts(stats.silences, "recall")
    return _section("health.recalled", joined([picture, legend, table, why, _most(stats.recalled)]))


def _most(recalled: Sequence[NoteUse]) -> Safe:
    if not recalled:
        return EMPTY
    most = recalled[0].recalls or 1
    rows = joined(
        h(
            '<tr><th scope="row"><a href="{address}">{title}</a></th><td class="number">{count:,}</td><td>{bar}</td>'
            "<td>{last}</td></tr>",
            address=link("/notes", use.id),
            title=use.title or use.id,
            count=use.recalls,
            bar=pictures.bar(use.recalls, most=most, label=on_page("health.times", count=use.recalls)),
            last=moment(use.last),
        )
        for use in recalled[:_SHOWN]
    )
    return h(
        '<table class="scores"><caption>{caption}</caption><tbody>{rows}</tbody></table>',
        caption=on_page("health.most"),
        rows=rows,
    )


def _unused(stats: Stats) -> Safe:
    unused = stats.never_recalled
    if not unused:
        return EMPTY
    items = joined(
        h('<li><a href="{address}">{title}</a></li>', address=link("/notes", use.id), title=use.title or use.id)
        for use in unused[:_SHOWN]
    )
    more = len(unused) - _SHOWN
    return _section(
        "health.unused",
        h(
            "<p>{text}</p><ul>{items}</ul>{more}",
            text=on_page("health.unused.text", count=f"{len(unused):,}"),
            items=items,
            more=quiet(on_page("more", count=f"{more:,}")) if more > 0 else EMPTY,
        ),
    )


def _answers(stats: Stats) -> Safe:
    return _section("health.answers", _counts(stats.answers, "answer")) if stats.answers else EMPTY


def _counts(counts: Mapping[str, int], group: str) -> Safe:
    if not counts:
        return EMPTY
    most = max(counts.values()) or 1
    rows = joined(
        h(
            '<tr><th scope="row">{name}</th><td class="number">{count:,}</td><td>{bar}</td></tr>',
            name=word(group, name),
            count=count,
            bar=pictures.bar(count, most=most, label=f"{word(group, name)}: {count:,}"),
        )
        for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    )
    return h('<table class="scores"><tbody>{rows}</tbody></table>', rows=rows)


def _shape(notes: Sequence[Summary]) -> Safe:
    """Return how many notes there are of each layer, kind, status and strength."""
    if not notes:
        return EMPTY
    groups = joined(
        h(
            "<div><h3>{title}</h3>{counts}</div>",
            title=on_page(f"field.{name}"),
            counts=_counts(Counter(str(getattr(note, name)) for note in notes), name),
        )
        for name in ("layer", "kind", "status", "strength")
    )
    return _section("health.shape", h('<div class="groups">{groups}</div>', groups=groups))


def _looked(visit: Visit, name: str, item: str) -> Safe:
    """Return what a long look found last, each finding by a template, and a line where a newer look is under way."""
    looked, is_current = visit.slow.last(name, visit.bank.pulse(), language())
    parts = [EMPTY if is_current else h('<p class="quiet" data-busy>{it}</p>', it=on_page("health.looking"))]
    if looked is not None and looked.error:
        parts.append(h('<p class="warning">{it}</p>', it=looked.error))
    elif looked is not None and not looked.counts:
        parts.append(h('<p class="good">{it}</p>', it=on_page(f"health.{name}.none")))
    elif looked is not None:
        items = joined(h(item, **_shown(each)) for each in looked.found)
        more = sum(looked.counts.values()) - len(looked.found)
        parts += [_counts(looked.counts, name), h("<ul>{items}</ul>", items=items)]
        parts += [quiet(on_page("more", count=f"{more:,}"))] if more else []
    return _section(f"health.{name}", joined(parts))


def _shown(finding: Mapping[str, Any]) -> dict[str, object]:
    """Return the members of a finding as they are filled in: the line with its colon, notes as links."""
    notes = joined(
        (h('<a href="{address}">{id}</a>', address=link("/notes", each), id=each) for each in finding.get("notes", ())),
        " ",
    )
    place = f":{finding['line']}" if finding.get("line") else ""
    return {**finding, "line": place, "notes": notes, "reasons": " ".join(finding.get("reasons", ()))}
