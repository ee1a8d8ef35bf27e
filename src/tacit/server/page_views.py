"""What only the page of a server shows: the way in and out, and what came of an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse

from tacit.messages import language, on_page, speaking
from tacit.messages.page import TEXTS
from tacit.web import acts
from tacit.web.markup import EMPTY, Safe, h, hidden, joined, link
from tacit.web.visit import View, word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.errors import TacitError
    from tacit.server.visit import Refused
    from tacit.web.doorkeeper import Session
    from tacit.web.visit import Visit

SIGN_IN, SIGN_OUT = "/sign-in", "/sign-out"
_FIELDS = {"organisation": "text", "bank": "text", "token": "password"}
_DOOR = (
    '<!doctype html><html lang="{lang}" data-theme="{theme}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title} · Tacit</title>'
    '<link rel="stylesheet" href="/static/page.css"><link rel="icon" href="/static/icon.svg"></head><body>'
    '<header class="top"><span class="brand">Tacit <span lang="zh">心有灵犀</span></span></header>'
    '<main id="main"><section class="empty"><h1>{title}</h1><p>{text}</p>{refused}'
    '<form method="post" action="{action}" class="filters" autocomplete="off">{fields}<button>{title}</button></form>'
    "</section></main></body></html>"
)


def sign_in(spoken: str, theme: str, *, refused: bool = False) -> HTMLResponse:
    """Return the form that takes a token; with `refused` it says that the one before was none."""
    with speaking(spoken):
        fields = joined(
            h(
                '<label>{label}<input name="{name}" type="{type}" required></label>',
                label=on_page(f"sign_in.{name}"),
                name=name,
                type=kind,
            )
            for name, kind in _FIELDS.items()
        )
        page = h(
            _DOOR,
            lang="zh-CN" if language() == "zh" else "en",
            theme=theme,
            title=on_page("sign_in"),
            text=on_page("sign_in.text"),
            refused=h('<p class="warning" role="alert">{it}</p>', it=on_page("sign_in.refused")) if refused else EMPTY,
            action=SIGN_IN,
            fields=fields,
        )
    return HTMLResponse(page, 403 if refused else 200)


def aside(session: Session, place: str) -> Safe:
    """Return which bank is looked at, and the way out."""
    return h(
        '<span class="state">{place}</span><form method="post" action="{action}" class="switch">{hidden}'
        "<button>{text}</button></form>",
        place=place,
        action=SIGN_OUT,
        hidden=hidden({"csrf": session.csrf}),
        text=on_page("sign_out"),
    )


def answered(told: Mapping[str, Any], visit: Visit) -> View:
    """Return what came of an answer, and where the change is."""
    del visit
    decision = word("decision", told["decision"])
    where = EMPTY
    match told["status"]:
        case "applied":
            title, text = on_page("answered.kept", decision=decision, id=told["note_id"]), ""
            if told["branch"]:
                text = on_page("answered.branch", branch=told["branch"], commit=told["commit"][:12])
            where = h(
                '<a class="button" href="{address}">{text}</a>',
                address=link("/inbox", told["proposal"], "patch"),
                text=on_page("answered.patch"),
            )
        case "declined":
            title, text = on_page("answered.left"), ""
        case "asked_again":
            title, text = on_page("answered.again"), ""
        case _:
            title, text = on_page("answered.anew", decision=decision), ""
    return _said(title, text, where)


def refused(why: Refused, visit: Visit) -> View:
    """Return why an answer did not count."""
    del visit
    key = f"refused.{why.code}"
    return _said(on_page("failed"), on_page(key) if key in TEXTS else str(why), EMPTY, why.status)


def failed(error: TacitError, visit: Visit) -> View:
    """Return what went wrong with an answer, and what to do."""
    del visit
    return acts.failed(error)


def _said(title: str, text: str, where: Safe, status: int = 200) -> View:
    main = h(
        '<section class="empty"><h1>{title}</h1><p>{text}</p><p>{where} <a class="button" href="/">{back}</a></p>'
        "</section>",
        title=title,
        text=text,
        where=where,
        back=on_page("part.inbox"),
    )
    return View(title=title, main=main, here="inbox", status=status)
