"""Detail documents: the parts that each kind needs, how it is written, and the router of a crowded folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import DetailIncomplete, FieldRefused
from tacit.formats.core_document import find_headings
from tacit.text import one_line, slug

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_FILES = 8
STATUSES = ("proposed", "accepted", "in-progress", "done", "dropped")
_MAX_NAME = 60
# The title of a document is a heading of this level at most.
_TITLE_LEVEL = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a detail: its option, its heading, and the words by which a draft's heading is recognised."""

    option: str
    heading: str
    words: str


_WHAT = Part("what", "What", r"what|decision|summary|决定|决策|内容|是什么")
_WHY = Part("why", "Why", r"why|reason|rationale|context|motivation|原因|理由|为什么|背景")
PARTS: Mapping[str, tuple[Part, ...]] = {
    "decision": (
        _WHAT,
        _WHY,
        Part("tradeoff", "Trade-off", r"trade-?offs?|consequences?|cost|alternatives?|权衡|取舍|代价"),
        Part("range", "Range of use", r"range|scope|applies|where it holds|适用|范围"),
    ),
    "learning": (
        Part("symptom", "Symptom", r"symptoms?|problem|现象|症状|问题"),
        Part("cause", "Root cause", r"(?:root )?causes?|根因|原因"),
        Part("fix", "Fix", r"fix|solution|resolution|修复|解决|方案"),
        Part("prevention", "Prevention", r"prevention|prevent|avoid|预防|避免"),
    ),
    "requirement": (
        Part("what", "What", r"what|requirement|summary|内容|需求"),
        Part("criteria", "Criteria", r"(?:acceptance )?criteria|验收|标准"),
    ),
    "design": (_WHAT, _WHY),
}
# What a requirement's draft must have beside its parts; `add` writes these itself.
_KEPT = (Part("status", "Status", r"status|状态"), Part("history", "History", r"history|历史|变更"))
_FOLDERS = {"learning": "learnings", "requirement": "requirements", "design": "design"}
DECISIONS = "details/patterns.md"


def target(kind: str, title: str, taken: Sequence[str]) -> str:
    """Return the file for a new detail; decisions share one file, the others have one each."""
    if kind == "decision":
        return DECISIONS
    stem = slug(title)[:_MAX_NAME].strip("-") or kind
    stem = f"REQ-{stem}" if kind == "requirement" else stem
    name, number = f"details/{_FOLDERS[kind]}/{stem}.md", 1
    while name in taken:
        number += 1
        name = f"details/{_FOLDERS[kind]}/{stem}-{number}.md"
    return name


def missing(kind: str, parts: Mapping[str, str]) -> list[Part]:
    """Return the parts that a detail needs and that were not given."""
    return [part for part in PARTS[kind] if not parts.get(part.option, "").strip()]


def insist(kind: str, lacking: Sequence[Part], *, in_draft: bool = False) -> None:
    """Raise DetailIncomplete if anything is missing, naming all of it: headings of a draft, else options."""
    if lacking:
        names = ", ".join(part.heading.lower() for part in lacking)
        options = ", ".join(f"`## {part.heading}`" if in_draft else f"--{part.option}" for part in lacking)
        raise DetailIncomplete(kind=kind, missing=names, options=options)


def render(kind: str, title: str, parts: Mapping[str, str], ts: str) -> str:
    """Return a detail as Markdown; raise DetailIncomplete if a part is missing."""
    insist(kind, missing(kind, parts))
    name = one_line(title)
    if not name:
        raise FieldRefused(field="title", reason="a title is needed")
    level = "##" if kind == "decision" else "#"
    lines = [f"{level} {'Decision: ' if kind == 'decision' else ''}{name}", ""]
    if kind == "requirement":
        lines += ["Status: proposed", ""]
    for part in PARTS[kind]:
        lines += [f"{level}# {part.heading}", "", parts[part.option].strip(), ""]
    if kind == "requirement":
        lines += ["## History", "", f"- {ts[:10]} proposed", ""]
    else:
        lines += [f"Written: {ts[:10]}", ""]
    return "\n".join(lines)


def with_status(text: str, status: str, why: str, ts: str, file: str) -> str:
    """Return a requirement with another status and a line more in its history; raise FieldRefused if it cannot be."""
    if status not in STATUSES:
        raise FieldRefused(field="status", reason=f"{status!r} is not one of {', '.join(STATUSES)}")
    before = re.search(r"^(Status|状态)([:：][ \t]*)(.*?)[ \t]*$", text, re.MULTILINE)
    if before is None:
        raise FieldRefused(field=file, reason="this is no requirement: it has no line “Status: …”")
    if before[3] == status:
        return text
    text = f"{text[: before.start()]}{before[1]}{before[2]}{status}{text[before.end() :]}"
    line = f"- {ts[:10]} {before[3]} → {status}" + (f": {one_line(why)}" if why.strip() else "")
    heading = re.search(r"^##+ (?:History|历史|变更)[^\n]*\n", text, re.MULTILINE)
    if heading is None:
        return f"{text.rstrip()}\n\n## History\n\n{line}\n"
    body = re.split(r"^#", text[heading.end() :], maxsplit=1, flags=re.MULTILINE)[0]
    end = heading.end() + len(body.rstrip())
    rest = text[end:].lstrip("\n")
    return f"{text[:end]}\n{line}\n" + (f"\n{rest}" if rest else "")


def kind_of(file: str, text: str) -> str:
    """Return which kind a draft for a file is; empty where no parts are demanded."""
    folder = file.split("/")[1] if file.count("/") > 1 else ""
    for kind, place in _FOLDERS.items():
        if folder == place and kind != "design" and not file.endswith("/index.md"):
            return kind
    is_decision = folder == "decisions" or re.search(r"^#+ (?:Decision|决策|决定)[:：]", text, re.MULTILINE)
    return "decision" if is_decision else ""


def lacking(kind: str, text: str) -> list[Part]:
    """Return the parts that a draft of a kind does not have, by its headings and labels."""
    needed = (*PARTS[kind], *(_KEPT if kind == "requirement" else ()))
    labels = re.findall(
        r"^(?:#{1,6} +|[-*] +)?(?:\*\*)?([^\n:：*]{2,40}?)(?:\*\*)?(?:[:：]|[ \t]*$)", text, re.MULTILINE
    )
    if kind == "requirement":
        needed = tuple(part for part in needed if part.option != "what")
    return [
        part
        for part in needed
        if not any(re.match(rf"(?:{part.words})", label.strip(), re.IGNORECASE) for label in labels)
    ]


def router(folder: str, pages: Sequence[tuple[str, str]]) -> str:
    """Return the text of the router in a folder that holds many files: each with its title."""
    rules = [f"- About {one_line(title)}: read `{file.rpartition('/')[2]}`" for file, title in pages]
    return "\n".join([f"## What is in {folder}/", "", *rules, ""])


def heading(text: str, file: str) -> str:
    """Return the title of a document: its first heading, else its name."""
    titles = (each.title for each in find_headings("\n" + text)[0] if each.level <= _TITLE_LEVEL and each.title)
    return one_line(next(titles, "")) or file.rpartition("/")[2].removesuffix(".md")
