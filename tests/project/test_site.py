"""The website that is made of the documents: all pages are there, and every link on them leads somewhere."""

from __future__ import annotations

from collections import defaultdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

pytest.importorskip("markdown_it", reason="markdown-it-py is not installed")

from scripts import make_site

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


class Look(HTMLParser):
    """What a page links to, loads, and can be linked to by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's id and where it leads."""
        given = {name: value or "" for name, value in attrs}
        self.names |= {given["id"]} if "id" in given else set()
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif "src" in given or "href" in given:
            self.loaded.append(given.get("src") or given["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, made once."""
    folder = tmp_path_factory.mktemp("site")
    make_site.make(folder)
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Look]:
    """Every page, looked at."""
    return {path: Look(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def test_every_document_is_a_page(site: Path) -> None:
    """No document is left out, in either language."""
    assert [path for path in DOCUMENTS if not (site / make_site.url_of(path)).is_file()] == []


def test_every_link_leads_somewhere(pages: dict[Path, Look]) -> None:
    """A link within the site leads to a file of it, and its anchor to an element there."""
    lost = defaultdict(list)
    for path, look in pages.items():
        for link in [*look.links, *look.loaded]:
            file, _, anchor = unquote(link).partition("#")
            if ":" in file:
                continue
            target = (path.parent / file).resolve() if file else path
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].names):
                lost[path.name].append(link)
    assert lost == {}


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Look]) -> None:
    """Styles, scripts and pictures are the site's own."""
    assert [each for look in pages.values() for each in look.loaded if ":" in each or each.startswith("//")] == []


def test_each_page_leads_to_its_other_language_and_to_all_others(site: Path, pages: dict[Path, Look]) -> None:
    """The start pages know each other, and from a page the navigation reaches every document."""
    start, chinese = (pages[site / name].links for name in ("index.html", "index.zh-CN.html"))

    assert "index.zh-CN.html" in start
    assert "index.html" in chinese
    assert {"docs/guide.html", "docs/reference/commands.html", "ARCHITECTURE.html"} <= set(start)
    assert {"docs/guide.zh-CN.html", "docs/reference/commands.html"} <= set(chinese)


def test_search_knows_every_page(site: Path, pages: dict[Path, Look]) -> None:
    """What the search looks through names each page once."""
    text = (site / "search.js").read_text(encoding="utf-8")

    assert text.count('"url": ') == len(pages)
