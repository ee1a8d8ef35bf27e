"""What must hold after many processes wrote to one bank and were killed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tacit.audit import record
from tacit.store.layout import Layout
from tacit.store.scan import scan
from tests.crash.judge import BAD, DOUBLED, LOST, STUCK, Finding, judge_chain, recover
from tests.crash.model import take_snapshot
from tests.crash.process_work import COUNTER, PAIR

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crash.report import Outcome

_LONGEST_WAIT_S = 10.0


def judge_bank(root: Path, acks: Path, outcome: Outcome) -> list[Finding]:
    """Return what is wrong with the bank, given what each process was told."""
    findings = recover(root)
    if findings:
        return findings
    said = [line.split() for file in sorted(acks.iterdir()) if file.name != "reader" for line in _lines(file)]
    files = take_snapshot(root)
    lines = [members for line in files.log.splitlines() if (members := record.parse(line))]
    titles = {seen.id: str(seen.summary().title) for seen in scan(Layout(root)).seen.values()}
    findings += judge_chain(root)
    findings += _judge_acks(said, lines, set(titles))
    findings += _judge_numbers(lines, titles)
    findings += _judge_waits(said)
    twice = Counter((line["operation_id"], line["event"], line["file"]) for line in lines)
    findings += [Finding(DOUBLED, f"{key} is told {count} times") for key, count in twice.items() if count > 1]
    if files.files.get("INDEX.md") != scan(Layout(root)).index():
        findings.append(Finding(BAD, "INDEX.md does not say what the notes say"))
    left = [name for name in files.files if name.startswith(("staging/", "conflicts/")) and name[-1] != "/"]
    findings += [Finding(STUCK, f"{name} is left") for name in left if not name.endswith("/.gitignore")]
    outcome.count("acknowledged", sum(words[0] in ("note", "count", "pair", "gone") for words in said))
    outcome.count("operations", len({line["operation_id"] for line in lines}))
    return findings


def judge_reader(file: Path, outcome: Outcome) -> list[Finding]:
    """Return what the reader saw that nobody should see."""
    said = [line.split() for line in _lines(file)]
    outcome.count("looks", sum(int(words[1]) for words in said if words[0] == "looks"))
    return [Finding(BAD, f"a reader saw: {' '.join(words)}") for words in said if words[0] in ("half", "error")]


def _lines(file: Path) -> list[str]:
    """Return the whole lines of a file whose writer may have died."""
    return [line for line in file.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]


def _judge_acks(said: list[list[str]], lines: list[dict], notes: set[str]) -> list[Finding]:
    known = {line["operation_id"] for line in lines}
    removed = {line["note_id"] for line in lines if line["event"] == "memory_note_deleted"}
    findings = []
    for word, *rest in said:
        match word:
            case "note" | "count" | "pair" | "gone" if not known.issuperset(rest[:1] or [""]):
                findings.append(Finding(LOST, f"{word} {rest[:1]} was acknowledged and is not in the log"))
            case "note" if rest[1] not in notes | removed:
                findings.append(Finding(LOST, f"{rest[1]} was acknowledged and is not there"))
            case "gone" if rest[1] in notes:
                findings.append(Finding(BAD, f"{rest[1]} was removed and is there"))
            case "busy":
                findings.append(Finding(STUCK, " ".join(rest)))
            case "error":
                findings.append(Finding(BAD, f"a writer met {' '.join(rest)}"))
            case _:
                pass
    return findings


def _judge_numbers(lines: list[dict], titles: dict[str, str]) -> list[Finding]:
    findings = []
    for note_id in (COUNTER, *PAIR):
        told = sum(line["note_id"] == note_id and line["event"] == "memory_note_updated" for line in lines)
        if titles.get(note_id) != f"Note {told}":
            findings.append(Finding(LOST, f"{note_id} says {titles.get(note_id)!r}, {told} changes of it are told"))
    return findings


def _judge_waits(said: list[list[str]]) -> list[Finding]:
    waits = [float(rest[0]) for word, *rest in said if word == "slowest"]
    return [Finding(STUCK, f"an operation took {wait} s") for wait in waits if wait > 4 * _LONGEST_WAIT_S]
