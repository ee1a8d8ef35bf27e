"""Bring real memory banks over and measure what is lost; with the figures of drift and of the session start.

python -m evals.entry --data DIR [--json FILE]     DIR holds `stores/memory-bank/<project>/memory-bank/`
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path

from evals.drift import run as drift
from tacit.bank import Bank
from tacit.entry import blocks

USER_BLOCK = "<!-- USER_BLOCK_START -->\nmine,  with two blanks \t\n\n- and a list\n<!-- USER_BLOCK_END -->\n"


def lines_of(folder: Path) -> Counter[str]:
    """Return the lines that are not blank in all Markdown files of a folder, each as often as it stands there."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*.md"):
        found.update(line for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return found


def snapshot(root: Path) -> dict[str, str]:
    """Return what the files of a project hold, without git's and the bank's private parts."""
    private = (".git/", ".memory/.local/", ".memory/.trash/", ".memory/staging/")
    names = {path: path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    return {name: sha256(path.read_bytes()).hexdigest() for path, name in names.items() if not name.startswith(private)}


def brought_over(store: Path, place: Path, *, in_git: bool) -> dict[str, object]:
    """Bring one bank over and return what became of its lines."""
    project = place / store.name
    shutil.copytree(store, project, copy_function=shutil.copyfile)
    for path in (project, *project.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    old = project / "memory-bank"
    entry = old / "MEMORY.md"
    if entry.exists():
        entry.write_text(f"{entry.read_text(encoding='utf-8')}\n{USER_BLOCK}", encoding="utf-8")
    before = lines_of(old)
    if in_git:
        for words in (
            ["init", "-q"],
            ["add", "-A"],
            ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
        ):
            subprocess.run(["git", "-C", project, *words], check=True, capture_output=True)  # noqa: S603, S607  our own words
    bank = Bank.init(project / ".memory")
    done = bank.entry.refresh()
    after = lines_of(project)
    markers = [part.text for part in blocks.parse((bank.root / "MEMORY.md").read_text(encoding="utf-8"), "").users()]
    state = snapshot(project)
    again = bank.entry.refresh()
    return {
        "case": done.case,
        "lines": sum(before.values()),
        "lost": sum((before - after).values()),
        "left_behind": sum(1 for path in old.rglob("*") if path.is_file()) if old.exists() else 0,
        "user_block_kept": not entry_had_block(store) or "mine,  with two blanks \t\n\n- and a list\n" in markers,
        "second_run_applied": again.applied,
        "second_run_changed": snapshot(project) != state,
    }


def entry_had_block(store: Path) -> bool:
    """Whether a bank has an entry document, to which a user block was added."""
    return (store / "memory-bank/MEMORY.md").exists()


def main() -> None:
    """Measure, print and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--json", type=Path, default=Path(__file__).parents[1] / "results/entry.json")
    given = parser.parse_args()
    rows = []
    for in_git in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            stores = sorted((given.data / "stores/memory-bank").iterdir())
            rows += [
                {"bank": number, "in_git": in_git, **brought_over(store, Path(folder), in_git=in_git)}
                for number, store in enumerate(stores, start=1)
            ]
    figures = {"migration": rows, "drift": drift.measure()}
    text = json.dumps(figures, indent=2, ensure_ascii=False)
    given.json.parent.mkdir(exist_ok=True)
    given.json.write_text(f"{text}\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
