"""The context pack: a summary, verbatim evidence with its places, conflicts and open questions."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from tacit.entry import focus, routing
from tacit.text import clip, one_line
from tacit.text.tokens import has_cjk, phrases, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.entry.drift import Finding
    from tacit.entry.routing import Page

MOST_FILES = 10
MOST_LINES = 500
_MOST_EVIDENCE = 12
_EVIDENCE_OF_ONE = 3
_MOST_QUESTIONS = 6
_MOST_CONSTRAINTS = 5
_OPEN = re.compile(r"\b(?:TODO|TBD|FIXME|open question)\b|\?\s*$|？\s*$|待定|待确认|未决", re.IGNORECASE)
_CONFLICT_FIELDS = ("type", "severity", "description", "trust_source", "minimal_fix")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One claim and the very words it rests on; `line` counts from 1."""

    claim_id: str
    claim: str
    path: str
    line: int
    mtime: str
    quote: str


@dataclass(frozen=True, slots=True)
class Summary:
    """What the project is and what binds it, as the entry document says."""

    project: str
    focus: str
    stack: str
    constraints: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """A context pack, with the documents it was made from and how many lines of each were read."""

    summary: Summary
    evidence: tuple[Evidence, ...]
    conflicts: tuple[Finding, ...]
    open_questions: tuple[str, ...]
    files: tuple[tuple[str, int], ...]


def read_within(chosen: Sequence[Page]) -> list[tuple[Page, int]]:
    """Return the documents of a pack with the lines to be read of each: ten files, five hundred lines."""
    found: list[tuple[Page, int]] = []
    left = MOST_LINES
    for page in chosen[:MOST_FILES]:
        count = min(left, len(page.lines))
        if count:
            found.append((page, count))
        left -= count
    return found


def build(question: str, entry: str, taken: Sequence[tuple[Page, int]], conflicts: Sequence[Finding]) -> Pack:
    """Return the pack for a question from the lines that were read."""
    asked = set(tokens(question))
    evidence = [each for page, count in taken for each in _evidence(asked, page, count)][:_MOST_EVIDENCE]
    numbered = tuple(
        Evidence(f"C{number}", claim, page.file, line, page.mtime, quote)
        for number, (claim, page, line, quote) in enumerate(evidence, start=1)
    )
    return Pack(
        summarise(entry),
        numbered,
        tuple(conflicts),
        tuple(_open_questions(routing.topic(question), taken)),
        tuple((page.file, count) for page, count in taken),
    )


def summarise(entry: str) -> Summary:
    """Return project, focus, stack and constraints as the entry document says them."""
    said = dict(re.findall(r"^- (Project|Purpose|Stack): (.+)$", entry, re.MULTILINE))
    project = ": ".join(part for part in (said.get("Project", ""), said.get("Purpose", "")) if part)
    decisions = re.search(r"^## Decisions still binding\s*\n(.*?)(?=^#|^<!--|\Z)", entry, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^- (.+)$", decisions[1], re.MULTILINE) if decisions else []
    return Summary(project, focus.read(entry).focus, said.get("Stack", ""), tuple(lines[:_MOST_CONSTRAINTS]))


def render(pack: Pack, place: str) -> str:
    """Return a pack as a Markdown summary and one YAML block; paths are relative to `place`."""
    told = pack.summary
    lines = ["## Context", "", f"- Project: {told.project or 'not described'}", f"- Focus: {told.focus or 'none'}"]
    lines += [f"- Stack: {told.stack or 'not described'}"]
    lines += [f"- Constraint: {each}" for each in told.constraints]
    lines += [f"- Sources (in `{place}/`): {', '.join(f'`{file}`' for file, _ in pack.files)}", "", "```yaml"]
    lines += _yaml("evidence", [asdict(each) for each in pack.evidence])
    lines += _yaml("conflicts", [conflict(each) for each in pack.conflicts])
    lines += ["open_questions:" if pack.open_questions else "open_questions: []"]
    lines += [f"  - {_scalar(each)}" for each in pack.open_questions]
    return "\n".join([*lines, "```"])


def conflict(finding: Finding) -> dict[str, object]:
    """Return a finding as a pack names it, with where it stands."""
    return {name: str(getattr(finding, name)) for name in _CONFLICT_FIELDS} | {
        "path": finding.file,
        "line": finding.line,
    }


def _evidence(asked: set[str], page: Page, count: int) -> list[tuple[str, Page, int, str]]:
    scored = []
    for number, line in enumerate(page.lines[:count], start=1):
        if not line.strip() or line.lstrip().startswith(("#", "```", "<!--", "---", "|--", "| --")):
            continue
        hits = len(asked & set(tokens(line)))
        scored.append((hits, number, line))
    best = [each for each in sorted(scored, key=lambda each: (-each[0], each[1])) if each[0]][:_EVIDENCE_OF_ONE]
    chosen = sorted(best or scored[:1], key=lambda each: each[1])
    return [(_claim(line), page, number, line) for _, number, line in chosen]


def _claim(line: str) -> str:
    plain = re.sub(r"^\s*(?:[-*>]|\d+\.)\s+(?:\[[ xX]\] )?|[*`|]", "", line)
    return clip(one_line(plain), 200)


def _open_questions(question: str, taken: Sequence[tuple[Page, int]]) -> list[str]:
    found = [
        f"{_claim(line)} ({page.file}:{number})"
        for page, count in taken
        for number, line in enumerate(page.lines[:count], start=1)
        if _OPEN.search(line) and not line.startswith("#")
    ]
    said = {word for page, _ in taken for word in tokens(page.text)}
    silent = sorted(word for word in set(tokens(question)) - said if not has_cjk(word))
    pairs = {phrase: {word for word in tokens(phrase) if len(word) > 1} for phrase in phrases(question)}
    silent += [phrase for phrase, words in pairs.items() if said.isdisjoint(words)]
    if silent:
        found.append(f"No document that was read speaks of: {', '.join(silent)}")
    for page, count in taken:
        if count < len(page.lines):
            found.append(f"Lines {count + 1} to {len(page.lines)} of {page.file} were not read")
    return found[:_MOST_QUESTIONS]


def _yaml(name: str, rows: list[dict[str, object]]) -> list[str]:
    if not rows:
        return [f"{name}: []"]
    lines = [f"{name}:"]
    for row in rows:
        for place, (key, value) in enumerate(row.items()):
            lines.append(f"  {'- ' if place == 0 else '  '}{key}: {_scalar(value)}")
    return lines


def _scalar(value: object) -> str:
    """Return a value as YAML; JSON is YAML, whatever a quote holds."""
    return json.dumps(value, ensure_ascii=False)


def direct(chosen: Sequence[Page]) -> list[tuple[Page, str, int]]:
    """Return each document to be read directly, its text and how many of its lines that are."""
    return [(page, *routing.excerpt(page)) for page in chosen]
