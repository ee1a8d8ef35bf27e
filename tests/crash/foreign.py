"""A person saves a note between a crash and the recovery: what they wrote must stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.store.layout import Layout
from tacit.store.scan import scan
from tests.crash.judge import BAD, LOST, STUCK, Expectation, Finding, judge_chain, judge_log
from tests.crash.model import take_snapshot

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from tests.crash.model import Model

_LAYERS = ("L1_declarative/", "L2_procedural/")
_THEIRS = b"\nSaved by a person between the crash and the recovery.\n"


@dataclass(frozen=True, slots=True)
class ForeignSave:
    """What a person saved, and whether the operation before it was in place by then."""

    file: str
    content: bytes
    settled: bool


def save(root: Path, model: Model, acked: int, chance: random.Random) -> ForeignSave | None:
    """Save a note that the interrupted operation is about, with an addition of one's own, if there is one."""
    before, after = model.snapshots[acked].files, model.snapshots[acked + 1].files
    touched = [name for name in sorted({*before, *after}) if name.startswith(_LAYERS) and name.endswith(".md")]
    touched = [name for name in touched if before.get(name) != after.get(name)]
    if not touched:
        return None
    name = chance.choice(touched)
    settled = take_snapshot(root).log.startswith(model.snapshots[acked + 1].log)
    if model.operations[acked].kind == "purge" and not settled:
        return None  # a purge that is under way destroys what stands there, whoever wrote it
    content = after.get(name, before.get(name, b"")) + _THEIRS
    temporary = root / f"{name}.saving"
    temporary.write_bytes(content)
    temporary.rename(root / name)
    return ForeignSave(name, content, settled)


def judge(root: Path, model: Model, acked: int, saved: ForeignSave) -> list[Finding]:
    """Return what is wrong after a recovery that met a foreign save."""
    found = take_snapshot(root)
    reached, findings = judge_log(found, Expectation(model, acked))
    findings += judge_chain(root)
    files = found.files
    if files.get(saved.file) != saved.content:
        findings.append(Finding(LOST, f"{saved.file} is no longer what a person saved"))
    left = [name for name in files if name.startswith("staging/") and name not in ("staging/", "staging/.gitignore")]
    findings += [Finding(STUCK, f"{name} is left") for name in left]
    if saved.settled and "conflicts/" in files:
        findings.append(Finding(BAD, "an operation that was in place already was put in place again"))
    for name, content in model.snapshots[reached].files.items():
        if name.startswith(_LAYERS) and name != saved.file and files.get(name) != content:
            findings.append(Finding(BAD, f"{name} is not what operation {reached} left"))
    if files.get("INDEX.md") != scan(Layout(root)).index():
        findings.append(Finding(BAD, "INDEX.md does not say what the notes say"))
    return findings
