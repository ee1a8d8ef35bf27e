"""What became of all hosts, as a table for people: printed, and kept among the documents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.e2e.hosts.journey import STEPS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tests.e2e.hosts.hosts import Host
    from tests.e2e.hosts.journey import Step

# What a page about a host shows of a transcript: each step up to where it goes into detail.
_SHOWN = {"recall": None, "propose": None, "answer": "\n---\n", "dialog": "\n(log: "}
_BLANK_LINES = re.compile(r"\n{3,}")
_HEAD = """# Proof with the real clients

Made by `make e2e`; do not edit. Each host is the real client from npm in a network namespace with loopback alone, and
talks to a scripted model there: what the table says was seen in the requests that reached the model, in the bank's
files and in its log. No step looks at what a client says about itself.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One host with what became of its steps, and how long all of them took."""

    host: Host
    steps: Sequence[Step]
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether a step failed."""
        return any(step.outcome == "fail" for step in self.steps)


def matrix(rows: Sequence[Row], *, taken: str) -> str:
    """Return the document: the table, the reasons of what did not pass, and where the transcripts are."""
    titles = [f"{row.host.title} {row.host.package.version}" for row in rows]
    lines = [_line("step", *titles), _line(*["---"] * (len(rows) + 1))]
    lines += [_line(told, *(_of(row, name).outcome for row in rows)) for name, told in STEPS.items()]
    lines.append(_line("seconds", *(f"{row.seconds:.0f}" for row in rows)))
    reasons = [
        f"- {row.host.title}, *{step.name}* {step.outcome}: {step.reason.partition(chr(10))[0]}"
        for row in rows
        for step in row.steps
        if step.reason
    ]
    told = ["Not passed:", "", *reasons] if reasons else ["Everything passed."]
    links = ", ".join(f"[{row.host.title}](transcripts/{row.host.name}.txt)" for row in rows)
    return "\n".join([_HEAD, taken, "", *lines, "", *told, "", f"Transcripts: {links}.", ""])


def summary(rows: Sequence[Row]) -> str:
    """Return the table for a terminal: a line for each host and for each reason."""
    lines = []
    for row in rows:
        passed = sum(step.outcome == "pass" for step in row.steps)
        lines.append(f"{row.host.title} {row.host.package.version}: {passed} passed, {row.seconds:.0f} s")
        lines += [f"    {step.name}: {step.outcome}. {step.reason}" for step in row.steps if step.reason]
    return "\n".join(lines)


def cleaned(text: str, places: Mapping[Path, str]) -> str:
    """Return a transcript without paths of this machine, trailing blanks and long gaps."""
    for place, name in sorted(places.items(), key=lambda each: -len(str(each[0]))):
        text = text.replace(str(place), name)
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    return _BLANK_LINES.sub("\n\n", text)


def shown(page: str, host: Host, transcript: str) -> str:
    """Return a host's page with the telling part of a transcript in its place; as it is, if it has no place for it."""
    start, end = f"<!-- transcript of the real client: {host.name} -->\n", "<!-- end -->"
    before, found, rest = page.partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        return page
    parts = []
    for name, detail in _SHOWN.items():
        _, taken, told = transcript.partition(f"\n# {STEPS[name]}\n")
        told = told.partition("\n# ")[0]
        if taken and told:
            parts.append(f"# {STEPS[name]}\n{told.partition(detail)[0] if detail else told}")
    said = f"Shortened; [all of it](transcripts/{host.name}.txt), and [the steps of all hosts](matrix.md).\n"
    return f"{before}{start}{said}\n```text\n{chr(10).join(parts)}\n```\n{end}{after}"


def _of(row: Row, name: str) -> Step:
    return next(step for step in row.steps if step.name == name)


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
