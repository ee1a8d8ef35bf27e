"""Notes that try to run, load or send something: as text they are shown, as anything else they are nothing."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Context
from tacit.note.model import Note
from tacit.web import markdown
from tests.web.attacks import ATTACKS
from tests.web.visitors import uv_payload

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tests.web.visitors import Visitor

# What the page itself is made of.
TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "link",
        "script",
        "body",
        "header",
        "nav",
        "main",
        "section",
        "article",
        "aside",
    ),
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "a", "ul", "ol", "li", "dl", "dt", "dd", "span", "div", "blockquote"),
    *("form", "input", "button", "label", "select", "option", "textarea", "fieldset", "legend", "dialog", "template"),
    *(
        "details",
        "summary",
        "table",
        "caption",
        "colgroup",
        "col",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "time",
        "code",
        "pre",
        "kbd",
    ),
    *("ins", "del", "mark", "strong", "em", "s", "hr", "br", "svg", "rect", "line", "polygon", "polyline", "text"),
}
LEADS = ("/", "#", "https://", "http://", "mailto:")
SCRIPT = {"src": "/static/page.js", "defer": None}


class Reader(HTMLParser):
    """Reads a page as a browser would, and notes what must not be there."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        if tag not in TAGS:
            self.found.append(f"<{tag}>")
        if tag == "script" and dict(attrs) != SCRIPT:
            self.found.append("script")
        for name, value in attrs:
            if name.startswith("on") or name in ("style", "srcdoc", "formaction", "ping"):
                self.found.append(f"{tag} {name}")
            wanted = LEADS if name == "href" else ("/",)
            leads_off = (value or "").startswith("//") or not (value or "").startswith(wanted)
            if name in ("href", "src", "action") and leads_off:
                self.found.append(f"{tag} {name}={value}")


def faults(page: str) -> list[str]:
    """Return what of a page could run, load or send."""
    reader = Reader()
    reader.feed(page)
    return reader.found


def test_there_are_enough_attacks() -> None:
    """U-01: at least forty, each different."""
    assert len(set(ATTACKS)) >= 40


@pytest.mark.parametrize("attack", ATTACKS)
def test_rendered_markdown_is_harmless(attack: str) -> None:
    """X-02: the text of a note becomes no element that could do anything."""
    assert faults(markdown.render(attack)) == []
    assert faults(markdown.render(f"# {attack}\n\n- {attack}\n\n| a |\n|---|\n| {attack} |\n")) == []


def test_hostile_notes_are_harmless_on_every_page(bank: Bank, visitor: Visitor) -> None:
    """U-01: titles, tags, texts and proposals of hostile notes are text on every page that shows them."""
    notes = [
        Note(
            id=f"MEM-evil{number:04d}",
            title=attack.replace("\n", " ").strip()[:180] or "x",
            when_to_load=(attack.replace("\n", " "),),
            one_liner=attack.replace("\n", " "),
            decision=attack,
            evidence=attack,
            tags=("evil", "x'\"><svg/onload=1>"[: 4 + number % 10]),
        )
        for number, attack in enumerate(ATTACKS)
    ]
    added = 0
    for note in notes:
        try:
            bank.add([note])
            added += 1
        except Exception as error:  # noqa: BLE001  what a guard refuses never gets here
            assert "refused" in getattr(error, "code", "") or "syntax" in getattr(error, "code", ""), error  # noqa: PT017
    assert added >= 40
    for attack in ATTACKS[:8]:
        text = attack.replace("\n", " ")
        bank.propose([{**uv_payload(), "scene": f"scene {text}", "origin": {"text": attack}}], Context("talk"))
    pages = ["/", "/notes", "/notes?page=2", "/search?words=evil+script+alert", "/health", "/audit"]
    pages += ["/audit?words=<script>", "/notes?words=%22%3E%3Cscript%3Ex%3C/script%3E&tag=%22%3E%3Cimg%20src=x%3E"]
    pages += [f"/inbox/{one.proposal_id}" for one in bank.pending()]
    pages += [f"/notes/{one.id}{ending}" for one in bank.notes() for ending in ("", "/edit")]
    for path in pages:
        page = visitor.get(path)
        assert page.status_code == 200, (path, page.text[:200])
        assert faults(page.text) == [], path


def test_reader_sees_what_would_be_harmful() -> None:
    """The check finds each thing that it is meant to find."""
    harmful = ["<script>x", "<img src=x>", "<a href='javascript:x'>", "<a href='//x'>", "<p onclick=x>", "<p style=x>"]
    harmful += ["<form action='https://x'>", "<iframe srcdoc=x>"]
    assert all(faults(each) for each in harmful)


def test_links_to_notes_and_to_the_web_stay() -> None:
    """U-01: what a note points to can be followed; other sites learn nothing of where one came from."""
    made = markdown.render(
        "See mem://L1/MEM-abcd1234#one-liner, [docs](https://example.org) and `mem://L1/MEM-code1234`."
    )

    assert '<a href="/notes/MEM-abcd1234"' in made
    assert 'href="https://example.org" rel="noopener noreferrer nofollow"' in made
    assert "<code>mem://L1/MEM-code1234</code>" in made


def test_headings_stay_in_order() -> None:
    """U-01: the headings of a note follow the one of the page without a gap, for those who jump between them."""
    made = markdown.render("#### deep\n\n# top\n\n### below\n")

    assert ["<h2>deep</h2>" in made, "<h2>top</h2>" in made, "<h3>below</h3>" in made] == [True] * 3


def test_what_turns_text_around_is_shown_as_such() -> None:
    """X-02: characters that change the direction of writing cannot hide what a note says."""
    assert "\u202e" not in markdown.render("safe \u202e evil")
