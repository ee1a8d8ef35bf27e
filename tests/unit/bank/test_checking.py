"""What check and doctor find, in the files and in what git is about to commit."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank, Check, Problem, doctor, skeleton
from tacit.bank import check as checks
from tacit.errors import BankNotFound
from tacit.store.layout import FORMAT_VERSION
from tests.cli.runner import environment, fingerprint, note_text, write
from tests.unit.bank.conftest import note

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.store.transaction import Transaction


def codes(found: tuple[int, list[Problem]]) -> list[tuple[str, str, int]]:
    """Code, file and line of each problem."""
    return [(problem.code, problem.file, problem.line) for problem in found[1]]


def by_name(found: list[Check]) -> dict[str, Check]:
    """The checks of the doctor by their names."""
    return {check.name: check for check in found}


# ── check ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_dangling_pointers_are_found(bank: Bank) -> None:
    """Z-01: each pointer in a note is followed; those that lead nowhere are named with their line."""
    write(bank.root / "L3_episodic/EP-1.md", "---\nid: EP-1\ntitle: An episode\n---\n")
    write(bank.root / "L0_core/values.md", "# Values\n\nSee (mem://L1/MEM-a), mem://L0/CORE-values.\n")
    write(
        bank.root / "L1_declarative/MEM-a.md",
        f"{note_text('MEM-a')}\n## Pointers\n\n"
        "- mem://L1/MEM-a#one-liner and `mem://L3/EP-1`\n"
        "- mem://L1/MEM-gone\n"
        "- mem://L2/MEM-a\n"
        "- mem://L9/MEM-a, mem://L3/EP-2.\n",
    )
    bank.heal()

    assert codes(bank.check()) == [
        ("pointer.dangling", "L1_declarative/MEM-a.md", 17),
        ("pointer.dangling", "L1_declarative/MEM-a.md", 18),
        ("pointer.refused", "L1_declarative/MEM-a.md", 19),
        ("pointer.dangling", "L1_declarative/MEM-a.md", 19),
    ]


def test_every_problem_says_what_to_do(bank: Bank) -> None:
    """N-05: each problem has code, file, message and hint."""
    write(bank.root / "L1_declarative/broken.md", "no note")
    write(bank.root / "L1_declarative/stray.txt", "text")
    write(bank.root / "L1_declarative/one.md", note_text("MEM-twice"))
    write(bank.root / "L1_declarative/two.md", note_text("MEM-twice"))
    write(bank.root / "conflicts/OP-1-x.md", "theirs")
    write(bank.root / "tacit.toml", "format = 1\nlanguage = 'fr'\n")
    log = bank.root / ".local/audit/audit-000001.ndjson"
    log.write_bytes(log.read_bytes().replace(b"init", b"tini"))

    count, problems = Bank.open(bank.root, heal=False).check()

    assert count == 2
    assert [problem.code for problem in problems] == [
        *("note.syntax", "id.duplicate", "setting.refused", "index.stale", "layout.stray", "store.conflict"),
        "audit.damaged",
    ]
    assert all(problem.file and problem.message and problem.hint for problem in problems)


def test_log_that_was_cut_is_found(bank: Bank) -> None:
    """A-02: lines that are missing at the end of the log show, for the trash knows of later operations."""
    bank.add([note("MEM-a")])
    log = bank.root / ".local/audit/audit-000001.ndjson"
    log.write_bytes(log.read_bytes().splitlines(keepends=True)[0])

    assert codes(bank.check()) == [("audit.damaged", ".local/audit", 0)]


@pytest.mark.parametrize("later", [False, True])
def test_log_that_was_removed_is_found(bank: Bank, reopen: Callable[[], Bank], *, later: bool) -> None:
    """A-02: a log that is gone altogether shows, at once and after it went on; so does its hole without the trash."""
    bank.add([note("MEM-a")])
    (bank.root / ".local/audit/audit-000001.ndjson").unlink()
    again = reopen()
    if later:
        again.add([note("MEM-b")])

    found = again.check()[1]
    assert [problem.code for problem in found] == ["audit.damaged"] * (2 if later else 1)
    assert "lines of 2 operations that the trash knows are missing" in found[-1].message
    assert not by_name(again.doctor())["audit"].ok
    if later:
        again.empty_trash(days=0)
        assert codes(again.check()) == [("audit.damaged", ".local/audit/audit-000001.ndjson", 1)]


def test_log_that_was_cut_is_found_after_later_writes(bank: Bank, reopen: Callable[[], Bank]) -> None:
    """A-02: who cuts off the end of the log does not hide it by what is written next."""
    bank.add([note("MEM-a"), note("MEM-b")])
    log = bank.root / ".local/audit/audit-000001.ndjson"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    again = reopen()
    again.add([note("MEM-c")])

    assert codes(again.check()) == [("audit.damaged", ".local/audit", 0)]
    assert again.chain()[1] != []


def test_check_writes_nothing(bank: Bank) -> None:
    """Check reads every file anew and leaves no trace, not even a cache."""
    for number in range(60):
        write(bank.root / f"L1_declarative/MEM-{number}.md", note_text(f"MEM-{number}"))
    before = fingerprint(bank.root)

    assert codes(bank.check()) == [("index.stale", "INDEX.md", 0)]
    bank.doctor()

    assert fingerprint(bank.root) == before


def test_check_is_not_fooled_by_writers(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that comes in between makes check look again, and for ever only a bounded number of times."""
    bank.add([note("MEM-a")])
    seen: list[int] = []
    moments = iter(range(1000))

    def looked(*_: object) -> tuple[int, list[Problem]]:
        seen.append(1)
        return len(seen), []

    monkeypatch.setattr(checks, "_files", looked)
    monkeypatch.setattr(bank._store, "moment", lambda: next(moments))

    assert bank.check() == (11, [])


# ── what git is about to commit ───────────────────────────────────────────────────────────────────────────────────────


def git(folder: Path, *words: str) -> None:
    """Run git there."""
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, env=environment())


@pytest.fixture
def repository(bank: Bank) -> Bank:
    """The bank in a git work tree, everything added."""
    git(bank.root.parent, "init", "-q")
    bank.add([note("MEM-a")])
    git(bank.root.parent, "add", "-A")
    return bank


def test_staged_notes_are_checked(repository: Bank) -> None:
    """What is staged counts, not what lies in the work tree."""
    path = repository.root / "L1_declarative/MEM-a.md"
    good = path.read_bytes()
    assert repository.check(staged=True) == (1, [])

    write(path, "broken")
    assert repository.check(staged=True) == (1, [])

    git(repository.root.parent, "add", "-A")
    write(path, good)
    assert codes(repository.check(staged=True)) == [
        ("note.syntax", "L1_declarative/MEM-a.md", 1),
        ("index.stale", "INDEX.md", 0),
    ]


def test_stale_index_is_found_in_the_commit(repository: Bank) -> None:
    """I-02: a note that is committed without its row is found before the commit."""
    git(repository.root.parent, "rm", "-q", "--cached", str(repository.root / "INDEX.md"))

    assert codes(repository.check(staged=True)) == [("index.stale", "INDEX.md", 0)]


def test_nothing_staged_is_fine(bank: Bank) -> None:
    """A commit without the bank is not about the bank."""
    git(bank.root.parent, "init", "-q")

    assert bank.check(staged=True) == (0, [])


def test_staged_without_git(bank: Bank) -> None:
    """Outside git there is nothing staged, which is an error and not an all-clear."""
    with pytest.raises(BankNotFound, match="no git work tree"):
        bank.check(staged=True)


# ── doctor ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_doctor_finds_each_broken_promise(bank: Bank) -> None:
    """Each promise that does not hold is named: notes, index, log, trash."""
    bank.add([note("MEM-a")])
    bank.tag("MEM-a", add=["x"])
    for part in bank.root.glob(".trash/tx-*/[0-9]*"):
        part.unlink()
    log = bank.root / ".local/audit/audit-000001.ndjson"
    log.write_bytes(log.read_bytes().replace(b'"operation":"create"', b'"operation":"forged"'))
    (bank.root / "INDEX.md").unlink()

    found = by_name(bank.doctor())

    assert {name for name, check in found.items() if not check.ok} == {"notes", "index", "audit", "undo"}
    assert found["undo"].detail == "1 old versions are missing"
    assert found["audit"].detail == "line 2 was changed"


def test_doctor_finds_links(bank: Bank) -> None:
    """A directory of the bank that leads out of it is named."""
    shutil.rmtree(bank.root / "staging")
    (bank.root / "staging").symlink_to(bank.root.parent)

    found = by_name(bank.doctor())["paths"]

    assert not found.ok
    assert "staging" in found.detail


def test_doctor_in_git(repository: Bank) -> None:
    """What is private must be ignored by git; the doctor asks git itself."""
    fine = by_name(repository.doctor())["git"]
    write(repository.root / ".gitignore", "/.local/\n")
    (repository.root / "staging/.gitignore").unlink()
    shown = by_name(repository.doctor())["git"]

    assert (fine.ok, fine.detail) == (True, "git ignores what is private to this machine")
    assert not shown.ok
    assert "memory.lock, staging/x, conflicts/x" in shown.detail


@pytest.mark.parametrize(
    ("mounts", "ok", "detail"),
    [
        ("/dev/a / ext4 rw 0 0\n", True, "local file system (ext4)"),
        ("/dev/a / ext4 rw 0 0\nserver:/x {root} nfs4 rw 0 0\n", False, "network file system (nfs4)"),
        ("server:/x / cifs rw 0 0\n/dev/b {parent} xfs rw 0 0\n", True, "local file system (xfs)"),
        ("/dev/b {parent}x nfs rw 0 0\n", True, "local file system"),
    ],
    ids=["local", "network", "nearest mount", "other mount"],
)
def test_doctor_knows_the_disk(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, mounts: str, detail: str, *, ok: bool
) -> None:
    """A bank on a network file system is warned about, for its locks may not hold."""
    text = mounts.format(root=bank.root, parent=bank.root.parent)
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: text)

    found = doctor._file_system(bank.root)

    assert found.ok == ok
    assert detail in found.detail


def test_doctor_on_another_system(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system does not tell its mounts nothing is claimed."""

    def refuse(*_: object, **__: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", refuse)

    assert doctor._file_system(bank.root) == Check("disk", ok=True, detail="local file system")


# ── upgrade ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_upgrade_goes_step_by_step(bank: Bank) -> None:
    """B-03: an older bank is upgraded by numbered steps, each a transaction of its own that says the new number."""
    write(bank.root / "tacit.toml", "# mine\nformat = 1\n")
    done: list[str] = []

    def step(name: str) -> Callable[[Transaction], None]:
        def change(transaction: Transaction) -> None:
            done.append(name)
            transaction.put("README.md", f"{name}\n".encode())

        return change

    left = skeleton.upgrade(bank._store, 1, steps={1: step("one"), 2: step("two")}, known=3)

    assert (left, done) == ([1, 2], ["one", "two"])
    assert (bank.root / "tacit.toml").read_text(encoding="utf-8") == "# mine\nformat = 3\n"
    assert (bank.root / "README.md").read_text(encoding="utf-8") == "two\n"
    assert [(entry.event, entry.reason) for entry in bank.log()[-2:]] == [
        ("memory_bank_upgraded", "format 1 to 2"),
        ("memory_bank_upgraded", "format 2 to 3"),
    ]


def test_upgrade_by_somebody_faster(bank: Bank) -> None:
    """B-03: two processes that open an old bank at once carry each step out once."""
    left = skeleton.upgrade(bank._store, 0, steps={}, known=1)

    assert left == []
    assert [entry.operation for entry in bank.log()] == ["init"]


def test_upgrade_that_fails_changes_nothing(bank: Bank) -> None:
    """B-03: a step that fails leaves the bank in its format."""
    before = fingerprint(bank.root)

    def fail(_: Transaction) -> None:
        raise KeyError

    with pytest.raises(KeyError):
        skeleton.upgrade(bank._store, 1, steps={1: fail}, known=2)

    assert fingerprint(bank.root) == before


def test_opening_upgrades_an_older_bank(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """B-03: opening a bank of an older format brings it up to date, if its state allows writing."""
    monkeypatch.setattr("tacit.bank.bank.FORMAT_VERSION", 2)
    monkeypatch.setattr("tacit.bank.wiring.FORMAT_VERSION", 2)
    steps = {1: lambda transaction: transaction.put("README.md", b"two\n")}
    real = skeleton.upgrade
    monkeypatch.setattr(skeleton, "upgrade", lambda store, found: real(store, found, steps=steps, known=2))

    opened = Bank.open(bank.root)

    assert opened.settings.format == 2
    assert (bank.root / "README.md").read_bytes() == b"two\n"


def test_there_is_a_step_for_every_format() -> None:
    """B-03: from each released format there is a way to the present one."""
    assert set(skeleton.STEPS) == set(range(1, FORMAT_VERSION))
