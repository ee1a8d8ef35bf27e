"""One request as the views see it, and what they answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from tacit.audit.record import Channel
from tacit.bank import By
from tacit.messages import on_page
from tacit.web.markup import EMPTY, Safe, h, hidden, joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from tacit.bank import Bank
    from tacit.govern.proposal import Proposal
    from tacit.web.doorkeeper import Doorkeeper, Session
    from tacit.web.keeper import Kept, Slow

WEB = By(Channel.WEB)
LANGUAGES = {"en": "English", "zh": "中文"}
THEMES = ("auto", "light", "dark")
_WEIGHTED = re.compile(r"\s*([a-zA-Z-]+|\*)\s*(?:;\s*q\s*=\s*([\d.]+))?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """A request that was let in: the bank, the browser's session, and what was asked for."""

    bank: Bank
    session: Session
    door: Doorkeeper
    slow: Slow
    kept: Kept
    path: str
    language: str
    theme: str = "auto"
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    # On a server: which parts there are, and what stands in place of the bank's state. Notes are then changed by
    # answers alone, and nothing is known of what was said and done elsewhere.
    parts: Sequence[str] = ()
    aside: Safe = EMPTY

    def banks(self) -> list[Bank]:
        """Return the bank, and the user's own beside it if there is one that may be read."""
        if self.aside:
            return [self.bank]
        personal = cast("Bank | None", self.bank.personal)
        return [self.bank, *([personal] if personal is not None and personal.state.may_read else [])]

    def waiting(self) -> list[tuple[Bank, Proposal]]:
        """Return the questions that wait, newest first, each with the bank that asks it."""
        found = [(bank, each) for bank in self.banks() for each in bank.asked()]
        return sorted(found, key=lambda pair: (pair[1].created, pair[1].id), reverse=True)

    def start(self, total: int, per_page: int) -> int:
        """Return where in a list the wanted page begins; past its end it is the last one."""
        wanted = self.query.get("page", "1")[:7]
        number = int(wanted) if wanted.isascii() and wanted.isdigit() else 1
        return max(0, min(number - 1, (total - 1) // per_page)) * per_page

    def form_to(self, action: str, inside: Safe, *, kind: str = "", **fields: str) -> Safe:
        """Return a form of this session's own; only such forms are taken."""
        return h(
            '<form method="post" action="{action}" class="{kind}">{hidden}{inside}</form>',
            action=action,
            kind=kind,
            hidden=hidden({"csrf": self.session.csrf, **fields}),
            inside=inside,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A page: its title, what stands in the middle, and to which part of the page it belongs."""

    title: str
    main: Safe
    here: str = ""
    status: int = 200


@dataclass(frozen=True, slots=True)
class Moved:
    """Where to go after an act."""

    to: str


@dataclass(frozen=True, slots=True)
class Preferred:
    """A wish of how the page looks, to be remembered by the browser."""

    name: str
    value: str
    to: str


Answer = View | Moved | Preferred


def preferred(request: Request) -> tuple[str, str]:
    """Return the language and the theme of a browser: as it was chosen on the page, else as it asks for."""
    theme = request.cookies.get("tacit_theme", "")
    language = language_of(request.cookies.get("tacit_language", ""), request.headers.get("accept-language", ""))
    return language, theme if theme in THEMES else THEMES[0]


def language_of(chosen: str, accepted: str) -> str:
    """Return the language that was chosen on the page, else the one the browser asks for first, else `auto`."""
    if chosen in LANGUAGES:
        return chosen
    wishes = []
    for number, part in enumerate(accepted[:500].split(",")):
        match = _WEIGHTED.fullmatch(part)
        try:
            weight = float(match[2] or 1) if match else 0.0
        except ValueError:
            weight = 0.0
        if match and weight > 0:
            wishes.append((-weight, number, match[1].lower().partition("-")[0]))
    return next((language for _, _, language in sorted(wishes) if language in LANGUAGES), "auto")


def moment(ts: str) -> Safe:
    """Return a time as people of this machine's time zone read it; what is none is shown as it is."""
    try:
        local = datetime.fromisoformat(ts).replace(tzinfo=UTC).astimezone()
    except ValueError:
        return h("{ts}", ts=ts)
    return h('<time datetime="{ts}">{text}</time>', ts=ts, text=local.strftime("%Y-%m-%d %H:%M"))


def badge(group: str, value: object) -> Safe:
    """Return a word of a note's front matter or of a decision as a small label, in the reader's language."""
    return h('<span class="badge {group}-{value}">{text}</span>', group=group, value=value, text=word(group, value))


def word(group: str, value: object) -> str:
    """Return a word such as a kind or a status in the reader's language; as it is, if it has no translation."""
    try:
        return on_page(f"{group}.{value}")
    except KeyError:
        return str(value)


def pages(visit: Visit, total: int, per_page: int, address: str) -> Safe:
    """Return the links to the pages before and after; `address` has a query already or ends with `?`."""
    last = max(1, -(-total // per_page))
    here = visit.start(total, per_page) // per_page + 1
    if last == 1:
        return EMPTY
    between = "" if address.endswith("?") else "&"
    step = '<a class="button" rel="{rel}" href="{address}{between}page={number}">{text}</a>'
    before = h(step, rel="prev", address=address, between=between, number=here - 1, text=on_page("pages.before"))
    after = h(step, rel="next", address=address, between=between, number=here + 1, text=on_page("pages.after"))
    return h(
        '<nav class="pages" aria-label="{label}">{before}<span>{here}</span>{after}</nav>',
        label=on_page("pages.label"),
        before=before if here > 1 else "",
        here=on_page("pages.here", number=here, last=last),
        after=after if here < last else "",
    )


def select(name: str, options: Sequence[tuple[str, str]], chosen: dict[str, str]) -> Safe:
    """Return a choice of values with their texts; the one chosen before is chosen again."""
    return h(
        '<label>{label}<select name="{name}"><option value="">{any}</option>{options}</select></label>',
        label=on_page(f"field.{name}"),
        name=name,
        any=on_page("notes.any"),
        options=joined(
            h(
                '<option value="{value}" {selected}>{text}</option>',
                value=value,
                text=text,
                selected=Safe("selected") if chosen[name] == value else EMPTY,
            )
            for value, text in options
        ),
    )


def filters(action: str, chosen: dict[str, str], selects: Sequence[Safe]) -> Safe:
    """Return a form that narrows a list down by words and by choices of values."""
    return h(
        '<form class="filters" method="get" action="{action}" role="search" aria-label="{label}">'
        '<label>{words_label}<input type="search" name="words" value="{words}" data-search></label>{selects}'
        "<button>{apply}</button></form>",
        action=action,
        label=on_page("notes.filter"),
        words_label=on_page("notes.words"),
        words=chosen["words"],
        selects=joined(selects),
        apply=on_page("notes.apply"),
    )
