"""Make the documents a website: every page in both languages, navigation, and a search that works without a server.

python scripts/make_site.py [FOLDER]     by default to build/site
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import json
import re
import shutil
import sys
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

ROOT = Path(__file__).parents[1]
ADDRESS = re.compile(r"[a-z]+:|#")
WORDS = {
    "en": {"search": "Search", "other": "简体中文", "none": "Nothing was found."},
    "zh": {"search": "搜索", "other": "English", "none": "没有找到。"},
}
# Folder → what its pages are about, in the order of the navigation.
PARTS = {
    "docs": ("Use", "使用"),
    "docs/hosts": ("Coding agents", "编码智能体"),
    "docs/coming-from": ("Coming from", "从别处迁移"),
    "docs/reference": ("Reference", "参考"),
    "": ("The project", "项目"),
    "docs/design": ("Design", "设计"),
    "evals/recall": ("Measuring", "衡量"),
}
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


class Page(NamedTuple):
    """One document as a page: where it stands, where it goes, and what is on it."""

    source: Path
    url: str
    language: str
    title: str
    tokens: list[Token]

    @property
    def folder(self) -> str:
        """The folder of the document, which names its part of the navigation."""
        parent = self.source.parent.relative_to(ROOT).as_posix()
        return "" if parent == "." else parent


def slug(heading: str) -> str:
    """Return the name by which a heading is linked to, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def url_of(source: Path) -> str:
    """Return where a file of the repository stands on the site."""
    path = source.relative_to(ROOT)
    name = path.name.replace("README", "index")
    return (path.with_name(name).with_suffix(".html") if path.suffix == ".md" else path).as_posix()


def read(source: Path) -> Page:
    """Return a document with its headings named and its links leading to pages."""
    tokens = MARKDOWN.parse(source.read_text(encoding="utf-8"))
    language = "zh" if source.name.endswith(".zh-CN.md") else "en"
    title, seen = source.stem, set[str]()
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            text = "".join(child.content for child in following.children or [])
            name = slug(text)
            token.attrSet("id", name if name not in seen else f"{name}-{len(seen)}")
            title = text if token.tag == "h1" and not seen else title
            seen.add(name)
        for child in token.children or []:
            for attribute in ("href", "src"):
                target = child.attrGet(attribute)
                if isinstance(target, str) and not ADDRESS.match(target):
                    child.attrSet(attribute, _link(source, target))
    return Page(source, url_of(source), language, title, tokens)


def _link(source: Path, target: str) -> str:
    file, mark, anchor = target.partition("#")
    return f"{_up(Path(url_of(source)).parent)}{url_of((source.parent / file).resolve())}{mark}{anchor}"


def _up(folder: Path) -> str:
    return "../" * len(folder.parts)


def targets(source: Path) -> set[Path]:
    """Return the files of the repository that a document leads to."""
    inline = MARKDOWN.parse(source.read_text(encoding="utf-8"))
    found = [child.attrGet(name) for token in inline for child in token.children or [] for name in ("href", "src")]
    paths = [
        (source.parent / each.partition("#")[0]).resolve()
        for each in found
        if isinstance(each, str) and not ADDRESS.match(each)
    ]
    return {path for path in paths if path.is_file() and path.is_relative_to(ROOT)}


def gathered() -> tuple[list[Page], set[Path]]:
    """Return all documents that can be reached from the README, and the other files that they lead to."""
    ahead, seen = [ROOT / "README.md"], set[Path]()
    while ahead:
        source = ahead.pop()
        if source not in seen:
            seen.add(source)
            ahead += targets(source) if source.suffix == ".md" else []
    documents = sorted(path for path in seen if path.suffix == ".md")
    return [read(path) for path in documents], seen - set(documents)


def twin(page: Page, pages: Iterable[Page]) -> Page | None:
    """Return the same document in the other language, if there is one."""
    name = page.source.name
    other = name.replace(".zh-CN.md", ".md") if page.language == "zh" else name.replace(".md", ".zh-CN.md")
    return next((each for each in pages if each.source == page.source.with_name(other)), None)


def navigation(page: Page, pages: list[Page]) -> str:
    """Return the list of all pages, each in the language of this one where it has it."""
    shown = [each for each in pages if each.language == page.language or twin(each, pages) is None]
    order = {folder: number for number, folder in enumerate(PARTS)}
    shown.sort(key=lambda each: (order.get(each.folder, len(order)), "index" not in each.url, each.url))
    parts = []
    for folder, members in groupby(shown, key=lambda each: each.folder):
        name = PARTS.get(folder, (folder, folder))[page.language == "zh"]
        lines = "".join(
            f'<li><a href="{_up(Path(page.url).parent)}{each.url}"{" aria-current=page" if each is page else ""}>'
            f"{escape(each.title)}</a></li>"
            for each in members
        )
        parts.append(f"<h2>{escape(name)}</h2><ul>{lines}</ul>")
    return "".join(parts)


def rendered(page: Page, pages: list[Page]) -> str:
    """Return a page as HTML; nothing on it comes from another machine."""
    words, up = WORDS[page.language], _up(Path(page.url).parent)
    other = twin(page, pages)
    switch = f'<a href="{up}{other.url}">{words["other"]}</a>' if other else ""
    body = MARKDOWN.renderer.render(page.tokens, MARKDOWN.options, {})
    return (
        f'<!doctype html><html lang="{"zh-CN" if page.language == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(page.title)}</title>'
        f'<link rel="stylesheet" href="{up}style.css"></head><body><div class="all"><nav>{switch}'
        f'<input type="search" placeholder="{words["search"]}" aria-label="{words["search"]}" data-up="{up}"'
        f' data-lang="{page.language}" data-none="{words["none"]}"><ul id="found"></ul>{navigation(page, pages)}</nav>'
        f'<main>{body}</main></div><script src="{up}site.js"></script></body></html>\n'
    )


def make(folder: Path) -> int:
    """Write the site into an empty folder; return how many pages it has."""
    pages, files = gathered()
    made = {page.url: rendered(page, pages) for page in pages}
    entries = [
        {"url": page.url, "title": page.title, "lang": page.language, "text": _text(page).lower()} for page in pages
    ]
    made |= {name: (ROOT / "scripts/site" / name).read_text(encoding="utf-8") for name in ("style.css", "site.js")}
    made["search.js"] = f"window.PAGES = {json.dumps(entries, ensure_ascii=False)};\n"
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for path in files:
        target = folder / url_of(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return len(pages)


def _text(page: Page) -> str:
    return " ".join(token.content for token in page.tokens if token.content and token.type != "html_block")


def main() -> None:
    """Make the site anew."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "site"
    if folder.exists():
        shutil.rmtree(folder)  # noqa: TID251  made by an earlier run
    count = make(folder)
    sys.stdout.write(f"wrote {count} pages; open {folder / 'index.html'}\n")


if __name__ == "__main__":
    main()
