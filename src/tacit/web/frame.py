"""What surrounds every view: head, navigation, what was just done, and the choice of language and theme."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from tacit.messages import language, on_page
from tacit.web.markup import EMPTY, Safe, h, joined
from tacit.web.visit import LANGUAGES, THEMES

if TYPE_CHECKING:
    from tacit.web.visit import View, Visit

PARTS = {
    "inbox": "/",
    "notes": "/notes",
    "search": "/search",
    "health": "/health",
    "audit": "/audit",
    "tasks": "/tasks",
}
_KEYS = ("j", "k", "y", "n", "t", "d", "u", "e", "slash", "g", "question")

_PAGE = (
    '<!doctype html><html lang="{lang}" data-theme="{theme}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title} · Tacit</title>'
    '<link rel="stylesheet" href="/static/page.css"><link rel="icon" href="/static/icon.svg">'
    '<script src="/static/page.js" defer></script></head>'
    '<body data-pulse="{pulse}" data-part="{here}"><a class="skip" href="#main">{skip}</a>'
    '<header class="top"><a class="brand" href="/">Tacit <span lang="zh">心有灵犀</span></a>'
    '<nav aria-label="{nav}"><ul>{parts}</ul></nav><div class="side">{state}{switches}</div></header>'
    '<div id="told" role="status" aria-live="polite">{told}</div>'
    '<main id="main" tabindex="-1">{main}</main>{keys}'
    '<template id="texts" data-offline="{offline}" data-arrived="{arrived}" data-gone="{gone}"></template>'
    "</body></html>"
)


def page(visit: Visit, view: View) -> Safe:
    """Return a whole page."""
    waiting = len(visit.waiting()) if visit.bank.state.may_read else 0
    return h(
        _PAGE,
        lang="zh-CN" if language() == "zh" else "en",
        theme=visit.theme,
        title=view.title,
        pulse=visit.bank.pulse(),
        here=view.here,
        skip=on_page("skip"),
        nav=on_page("nav"),
        parts=joined(_part(name, view.here, waiting) for name in visit.parts or PARTS),
        state=visit.aside
        or h(
            '<a class="state state-{state}" href="/health#state">{text}</a>',
            state=visit.bank.state,
            text=on_page("state.now", state=visit.bank.state),
        ),
        switches=_switches(visit),
        told=_told(visit),
        main=view.main,
        keys=_keys(),
        offline=on_page("offline"),
        arrived=on_page("arrived"),
        gone=on_page("gone"),
    )


def _part(name: str, here: str, waiting: int) -> Safe:
    count = EMPTY
    if name == "inbox":
        count = h(
            ' <span class="count" id="waiting-count" {hidden}><span class="sr">{label} </span>{waiting}</span>',
            hidden=EMPTY if waiting else Safe("hidden"),
            label=on_page("inbox.count"),
            waiting=waiting,
        )
    return h(
        '<li><a href="{path}" data-part="{name}" {current}>{text}{count}</a></li>',
        path=PARTS[name],
        name=name,
        current=Safe('aria-current="page"') if name == here else EMPTY,
        text=on_page(f"part.{name}"),
        count=count,
    )


def _switches(visit: Visit) -> Safe:
    """Return the choice of language and theme."""
    spoken = language()
    languages = joined(
        h(
            '<button name="language" value="{code}" lang="{code}" {pressed}>{text}</button>',
            code=code,
            text=text,
            pressed=Safe(f'aria-pressed="{"true" if code == spoken else "false"}"'),
        )
        for code, text in LANGUAGES.items()
    )
    following = THEMES[(THEMES.index(visit.theme) + 1) % len(THEMES)]
    theme = h(
        '<button name="theme" value="{following}" title="{title}" aria-label="{title}">{sign}</button>',
        following=following,
        title=on_page("theme.now", now=on_page(f"theme.{visit.theme}"), following=on_page(f"theme.{following}")),
        sign={"auto": "◐", "light": "☀", "dark": "☾"}[visit.theme],
    )
    back = f"{visit.path}?{urlencode(visit.query)}"
    return joined(
        [
            visit.form_to("/language", languages, kind="switch", back=back),
            visit.form_to("/theme", theme, kind="switch", back=back),
        ]
    )


def _told(visit: Visit) -> Safe:
    told = visit.session.told.get(visit.query.get("told", ""))
    if told is None:
        return EMPTY
    act = EMPTY
    if told.undo:
        act = visit.form_to(
            "/undo",
            h('<button data-key="u">{text} <kbd>u</kbd></button>', text=on_page("undo")),
            operation=told.undo,
            back=visit.path,
        )
    elif told.again:
        act = visit.form_to(
            "/again",
            h('<button data-key="u">{text} <kbd>u</kbd></button>', text=on_page("again")),
            proposal=told.again,
        )
    return h('<div class="told"><p tabindex="-1" autofocus>{text}</p>{act}</div>', text=told.text, act=act)


def _keys() -> Safe:
    """Return the list of keys, which opens by `?`, with a switch that turns them off."""
    rows = joined(h("<dt>{keys}</dt><dd>{text}</dd>", keys=_names(name), text=on_page(f"key.{name}")) for name in _KEYS)
    return h(
        '<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">{title}</h2><dl>{rows}</dl>'
        '<label><input type="checkbox" id="keys-on" checked> {switch}</label>'
        '<form method="dialog"><button>{close}</button></form></dialog>',
        title=on_page("keys"),
        rows=rows,
        switch=on_page("keys.switch"),
        close=on_page("close"),
    )


def _names(name: str) -> Safe:
    shown = {"slash": "/", "t": "t · o · b", "question": "?", "g": "g i · g n · g s · g h · g a · g t"}.get(name, name)
    return joined((h("<kbd>{key}</kbd>", key=key) for key in shown.split(" · ")), " ")
