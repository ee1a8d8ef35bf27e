"""Let two branches meet, many times, and count where INDEX.md conflicts or is wrong after the next open.

    python -m tests.git.campaign --trials 60 --json FILE

Each trial has its own seed: two branches each add two notes, edit one and remove none or one; every fourth time both
edit the same note. Then one branch takes the other in by merge, rebase or cherry-pick.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from tacit import fsio
from tacit.bank import Bank
from tests.git.repositories import begin, commit_all, git, unmerged
from tests.store.banks import Ticks, note, tree

if TYPE_CHECKING:
    from collections.abc import Iterator

WAYS = ("merge", "rebase", "cherry-pick")
# What is counted, in the order of the table. The first four must be 0.
COUNTED = (
    "INDEX conflicts",
    "wrong INDEX after the next open",
    "written while unfinished",
    "note conflicts not shown",
    "note conflicts shown",
    "stale INDEX before the open",
)
MUST_BE_ZERO = COUNTED[:4]
BASE = [f"base{number}" for number in range(8)]
INDEX = ".memory/INDEX.md"


@contextmanager
def disk_that_does_not_wait() -> Iterator[None]:
    """Nothing here loses power, so nothing waits for the disk."""
    with patch.object(os, "fsync", lambda _: None), patch.object(os, "sync", lambda: None):
        yield


class Trial:
    """Two branches of one repository, and what became of them."""

    def __init__(self, root: Path, way: str, seed: int) -> None:
        self._root = root
        self._way = way
        self._chance = random.Random(f"{way} {seed}")  # noqa: S311  the same trial every time
        self._clash = seed % 4 == 3
        self.found: Counter[str] = Counter()

    def run(self) -> Counter[str]:
        """Make the branches, bring them together, look at everything on the way."""
        names = self._chance.sample(BASE, 5)
        shared = names.pop()
        expected = {f"MEM-{name}" for name in BASE}
        for branch, own in (("left", names[:2]), ("right", names[2:])):
            git(self._root, "checkout", "--quiet", "-b", branch, "main")
            expected = self._work(branch, own, shared, expected)
        self._meet()
        while unmerged(self._root):
            self._look_at_conflicts()
            self._resolve()
        self._look_at_the_end(expected)
        return self.found

    def _open(self, salt: str) -> Bank:
        ticks = Ticks()
        drawn = random.Random(f"{salt} {self._chance.random()}")  # noqa: S311  as above
        return Bank.open(self._root, clock=ticks.clock, new_id=lambda: f"{drawn.randrange(36**6):08x}")

    def _work(self, branch: str, own: list[str], shared: str, expected: set[str]) -> set[str]:
        """Work on one branch, a commit for each act; return the ids that should be there in the end."""
        bank = self._open(branch)
        edited, removed = own
        acts = [
            "add",
            "edit",
            *(["remove"] if self._chance.random() < 0.5 else []),
            *(["clash"] if self._clash else []),
        ]
        self._chance.shuffle(acts)
        for act in acts:
            if act == "add":
                new = [note("", id="", title=f"{branch} {self._chance.random()}") for _ in range(2)]
                expected = expected | set(bank.add(new).note_ids)
            elif act == "edit":
                _retitle(bank, edited, f"Edited on {branch}")
            elif act == "clash":
                _retitle(bank, shared, f"{branch} knows better")
            else:
                bank.delete(f"MEM-{removed}")
                expected = expected - {f"MEM-{removed}"}
            commit_all(self._root, f"{branch}: {act}")
        return expected

    def _meet(self) -> None:
        here, there = self._chance.sample(["left", "right"], 2)
        git(self._root, "checkout", "--quiet", here)
        if self._way == "merge":
            git(self._root, "merge", "--quiet", "--no-edit", there, may_fail=True)
        elif self._way == "rebase":
            how = self._chance.choice(["--merge", "--apply"])
            git(self._root, "rebase", "--quiet", how, there, may_fail=True)
        else:
            git(self._root, "cherry-pick", f"main..{there}", may_fail=True)

    def _look_at_conflicts(self) -> None:
        conflicts = unmerged(self._root)
        self.found["INDEX conflicts"] += INDEX in conflicts
        before = tree(self._root / ".memory")
        bank = self._open("looking")
        listed = {each.id for each in bank.notes()}
        told = {(problem.file, problem.code) for problem in bank.check()[1]}
        self.found["written while unfinished"] += tree(self._root / ".memory") != before
        for path in conflicts:
            name = Path(path).stem
            if path == INDEX:
                continue
            shown = name not in listed and (f"L1_declarative/{name}.md", "note.conflicted") in told
            self.found["note conflicts shown" if shown else "note conflicts not shown"] += 1

    def _resolve(self) -> None:
        """Take one of the two versions of each file, as a person would, and go on."""
        for path in unmerged(self._root):
            git(self._root, "checkout", self._chance.choice(["--ours", "--theirs"]), "--", path)
        git(self._root, "add", "--all")
        if self._way == "merge":
            git(self._root, "commit", "--quiet", "--no-edit", "--no-verify")
        else:
            git(self._root, self._way, "--continue", may_fail=True)
            if not unmerged(self._root) and self._unfinished():
                git(self._root, self._way, "--skip", may_fail=True)  # the version that was taken left nothing to commit

    def _unfinished(self) -> bool:
        return any(
            (self._root / ".git" / name).exists() for name in ("CHERRY_PICK_HEAD", "rebase-merge", "rebase-apply")
        )

    def _look_at_the_end(self, expected: set[str]) -> None:
        index = self._root / INDEX
        assert not self._unfinished(), "git did not come to an end"
        self.found["stale INDEX before the open"] += any(
            problem.code == "index.stale" for problem in Bank.open(self._root, heal=False).check()[1]
        )
        bank = self._open("end")
        count, problems = bank.check()
        right = {each.id for each in bank.notes()} == expected and (count, problems) == (len(expected), [])
        rows = index.read_text(encoding="utf-8").splitlines()
        right = right and sorted(row.split(" ")[1] for row in rows if row.startswith("| MEM-")) == sorted(expected)
        self.found["wrong INDEX after the next open"] += not right


def _retitle(bank: Bank, name: str, title: str) -> None:
    path = bank.root / "L1_declarative" / f"MEM-{name}.md"
    content = path.read_bytes()
    lines = [f"title: {title}".encode() if line.startswith(b"title: ") else line for line in content.split(b"\n")]
    bank.rewrite(f"MEM-{name}", b"\n".join(lines), base=fsio.digest(content))


def make_pattern(folder: Path) -> Path:
    """Make the repository that every trial starts from."""
    root = begin(folder / "pattern")
    ticks = Ticks()
    bank = Bank.init(root, clock=ticks.clock, new_id=ticks.new_id)
    bank.add([note(name) for name in BASE])
    commit_all(root, "a bank with notes")
    return root


def run(way: str, trials: range, folder: Path, pattern: Path) -> Counter[str]:
    """Run trials of one way in `folder`; return what was counted, a number for each of COUNTED."""
    found = Counter(dict.fromkeys(COUNTED, 0))
    with disk_that_does_not_wait():
        for seed in trials:
            root = folder / f"{way}-{seed}"
            shutil.copytree(pattern, root, symlinks=True)
            found.update(Trial(root, way, seed).run())
            shutil.rmtree(root)
    return found


def main(words: list[str]) -> int:
    """Run the campaign, print the table, write the numbers down."""
    parser = argparse.ArgumentParser(description="Bring two branches of a bank together, many times.")
    parser.add_argument("--trials", type=int, default=60, help="how many of each way")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="tacit-git-") as folder:
        pattern = make_pattern(Path(folder))
        found = {way: run(way, range(options.trials), Path(folder), pattern) for way in WAYS}
    width = max(map(len, COUNTED))
    sys.stdout.write(f"{'':{width}}  {'  '.join(f'{way:>11}' for way in WAYS)}\n")
    for name in COUNTED:
        sys.stdout.write(f"{name:{width}}  {'  '.join(f'{found[way][name]:>11}' for way in WAYS)}\n")
    ok = not any(found[way][name] for way in WAYS for name in MUST_BE_ZERO)
    if options.json:
        git_version = git(Path.cwd(), "--version").split()[-1]
        document = {"schema": "tacit.git-campaign/1", "ok": ok, "git": git_version, "trials": options.trials}
        options.json.write_text(json.dumps({**document, "found": found}, indent=2) + "\n", encoding="utf-8")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
