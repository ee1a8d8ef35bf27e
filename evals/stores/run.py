"""Import of real memory stores: no line lost, nothing doubled, twice is once, and round trips without a changed byte.

The stores lie in `<data>/stores/<kind>/<store>/`, as they stood in their repositories.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.bank import Bank, By
from tacit.bank.exporting import FORMATS

if TYPE_CHECKING:
    from tacit.bank.importing import Imported

_WORD = re.compile(r"\w+")
# `- **Key**: value` and `key: value`: in a note the key is a field, so that its value counts.
_KEYED = re.compile(
    r"\s*(?:[-*]\s+)?(?:\*\*)?[\w -]{1,30}?(?:\*\*)?\s*[:：](?:\*\*)?\s+(.*)|\s*(?:[-*]\s+)?\*\*[^*]+\*\*\s*[:：]\s*"
)
_LONG = 40
_HERE = ("L1_declarative", "L2_procedural", "details", "references", "MEMORY.md")


def main(data: Path | None, only: list[str]) -> dict[str, Any]:
    """Measure every store in a bank of its own, then all of them in one bank, and print a table."""
    folder = (data or Path()) / "stores"
    stores = sorted(path for path in folder.glob("*/*") if path.is_dir() and (not only or path.name in only))
    if not data or not stores:
        print("  (no stores: give --data)")
        return {"stores": []}
    rows = []
    with tempfile.TemporaryDirectory(prefix="tacit-stores-") as scratch:
        for store in stores:
            bank = Bank.init(Path(scratch) / store.name / ".memory")
            rows.append(measured(store, bank))
            rows[-1]["stable"] = [name for name in FORMATS if is_stable(bank, name, Path(scratch) / store.name)]
            _print(rows[-1])
        together = Bank.init(Path(scratch) / "together" / ".memory")
        whole = [measured(store, together, edit=False) for store in stores]
    total = {key: sum(row[key] for row in rows) for key in ("lines", "literal", "worded", "refused_lines", "missing")}
    shared = {key: sum(row[key] for row in whole) for key in ("missing", "doubled", "again", "questions")}
    print(f"  all: {total}; all in one bank: {shared}")
    return {"stores": rows, "total": total, "in_one_bank": shared}


def measured(store: Path, bank: Bank, *, edit: bool = True) -> dict[str, Any]:
    """Import a store and look for each of its lines; import it again, also after every note was edited."""
    done = bank.importer.run(store, by=By())
    source = {path.relative_to(store).as_posix(): path.read_text(encoding="utf-8") for path in _files(store)}
    found = lines_found(source, bank, done)
    again = bank.importer.run(store, by=By())
    later = _after_edits(store, bank) if edit else 0
    return {
        "store": store.name,
        "format": done.plan.format,
        "notes": len(done.plan.notes),
        "documents": len(done.plan.documents),
        "refused": len(done.plan.refused),
        "questions": len(done.plan.questions),
        **found,
        "again": len(again.plan.notes) + len(again.plan.documents) + len(again.plan.questions),
        "after_edits": later,
    }


def lines_found(source: dict[str, str], bank: Bank, done: Imported) -> dict[str, Any]:
    """Count the lines that stand in the bank word for word, by their words, in a refused file, or nowhere."""
    texts = [path.read_text(encoding="utf-8") for name in _HERE for path in _files(bank.root / name)]
    literal = {line.strip() for text in texts for line in text.splitlines()}
    worded = " ".join(f"\n{' '.join(_words(text))}\n" for text in texts)
    refused = {item for item, _ in (*done.plan.refused, *done.plan.left_out)}
    counts: Counter[str] = Counter()
    missing = []
    for file, text in source.items():
        for line in filter(None, map(str.strip, text.splitlines())):
            counts["lines"] += 1
            if file in refused:
                counts["refused_lines"] += 1
            elif line in literal:
                counts["literal"] += 1
            elif _is_worded(line, worded):
                counts["worded"] += 1
            else:
                missing.append(f"{file}: {line[:100]}")
    there = Counter(
        line.strip() for text in texts for line in text.partition("\n---\n")[2].splitlines() or text.splitlines()
    )
    here = Counter(line.strip() for text in source.values() for line in text.splitlines())
    doubled = [line for line, count in there.items() if len(line) >= _LONG and count > here[line] > 0]
    for each in missing[:5]:
        print(f"    missing {each}")
    names = ("lines", "literal", "worded", "refused_lines")
    return {**{name: counts[name] for name in names}, "missing": len(missing), "doubled": len(doubled)}


def is_stable(bank: Bank, name: str, scratch: Path) -> bool:
    """Whether export, import into an empty bank and export again give the same bytes."""
    first, second = scratch / f"{name}-1", scratch / f"{name}-2"
    bank.exporter.write(bank.exporter.plan(name, first))
    other = Bank.init(scratch / f"{name}-bank" / ".memory")
    if any(first.rglob("*.*")):
        other.importer.run(first, name, by=By())
    other.exporter.write(other.exporter.plan(name, second))
    contents = [{path.relative_to(folder): path.read_bytes() for path in _files(folder)} for folder in (first, second)]
    return contents[0] == contents[1]


def _after_edits(store: Path, bank: Bank) -> int:
    for summary in bank.notes():
        path = bank.root / summary.file
        path.write_text(path.read_text(encoding="utf-8") + "\nA line of the user's.\n", encoding="utf-8")
    for path in _files(bank.root / "details"):
        path.write_text(path.read_text(encoding="utf-8") + "\nA line of the user's.\n", encoding="utf-8")
    plan = bank.importer.run(store, by=By()).plan
    return len(plan.notes) + len(plan.documents) + len(plan.questions)


def _is_worded(line: str, worded: str) -> bool:
    keyed = _KEYED.fullmatch(line)
    value = (keyed[1] or "") if keyed else line
    parts = [value] if " ".join(_words(value)) in worded else re.split("[,，、|;；]", value)
    return all(" ".join(_words(part)) in worded for part in parts)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _files(folder: Path) -> list[Path]:
    return [folder] if folder.is_file() else sorted(path for path in folder.rglob("*") if path.is_file())


def _print(row: dict[str, Any]) -> None:
    names = ("notes", "documents", "refused", "questions", "lines", "literal", "worded", "refused_lines", "missing")
    counts = " ".join(f"{name} {row[name]}" for name in (*names, "doubled", "again", "after_edits"))
    print(f"  {row['store'][:30]:30} {row['format']:14} {counts} stable {' '.join(row['stable'])}")
