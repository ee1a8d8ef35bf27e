"""B-03: a bank of every released format stays here as files, and is read and changed as it always was."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tacit.note.model import Kind, Layer, Status, Strength
from tacit.settings import parse
from tacit.store.layout import FORMAT_VERSION
from tests.cli.runner import fingerprint

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).parent
LATER = "2030-01-01T00:00:00Z"
FILES = {
    "MEM-4f2k9a1c": "L1_declarative/MEM-4f2k9a1c.md",
    "MEM-bom00001": "L1_declarative/MEM-bom00001.md",
    "MEM-c81d55e0": "L2_procedural/MEM-c81d55e0.md",
    "MEM-crlf0001": "L1_declarative/MEM-crlf0001.md",
    "MEM-hand0001": "L1_declarative/by-hand.md",
    "MEM-no-orm01": "L1_declarative/MEM-no-orm01.md",
    "MEM-pipe0001": "L2_procedural/odd (name), 1.md",
    "MEM-zh-pnpm": "L1_declarative/包管理.md",
    "MEM-zhmigrat": "L2_procedural/MEM-zhmigrat.md",
}


@pytest.fixture
def bank(tmp_path: Path) -> Bank:
    """A copy of the bank of format 1, as a clone that was turned on."""
    root = tmp_path / ".memory"
    shutil.copytree(GOLDEN / "bank-v1", root)
    (root / "memory.lock").write_text("ON\n", encoding="utf-8")
    return Bank.open(root, clock=lambda: LATER)


def test_every_released_format_has_a_bank() -> None:
    """B-03: there is one golden bank for each format from the first to the present one, and it says so itself."""
    found = {int(path.name.removeprefix("bank-v")): path for path in GOLDEN.glob("bank-v*")}

    assert sorted(found) == list(range(1, FORMAT_VERSION + 1))
    for version, path in found.items():
        assert parse((path / "tacit.toml").read_text(encoding="utf-8")).format == version


def test_git_left_the_bytes_alone() -> None:
    """The files are what they were made to be: line ends, byte order mark and missing newline survived the checkout."""
    crlf, bom, no_end = (
        (GOLDEN / "bank-v1" / FILES[name]).read_bytes() for name in ("MEM-crlf0001", "MEM-bom00001", "MEM-c81d55e0")
    )

    assert crlf.count(b"\r\n") == crlf.count(b"\n") > 10
    assert bom.startswith(b"\xef\xbb\xbf---\n")
    assert not no_end.endswith(b"\n")


def test_opening_changes_nothing(bank: Bank) -> None:
    """A bank that is in order is opened, listed and checked without a byte being written; its INDEX.md is right."""
    before = fingerprint(bank.root)
    opened = Bank.open(bank.root)

    assert [note.id for note in opened.notes()] == ["CORE-identity", *FILES]
    assert opened.check() == (10, [])
    assert fingerprint(bank.root) == before
    assert (bank.root / "INDEX.md").read_bytes() == (GOLDEN / "bank-v1/INDEX.md").read_bytes()


def test_what_the_notes_say(bank: Bank) -> None:
    """Values, lists, defaults and sections of format 1 are read as they were meant, in English and Chinese."""
    whole = bank.get("MEM-4f2k9a1c")
    hand = bank.get("MEM-hand0001")
    chinese = bank.get("MEM-zhmigrat")

    assert (whole.kind, whole.strength, whole.layer) == (Kind.DECISION, Strength.ENFORCED, Layer.DECLARATIVE)
    assert (whole.tags, whole.supersedes) == (("billing", "types"), ("MEM-1a0old00",))
    assert whole.confirmed == "terminal 2025-11-04T09:12:44Z"
    assert whole.signals == "A column, field or parameter called amount, price, fee or total."
    assert whole.fact.startswith("On 2025-10-28")
    assert (hand.title, hand.kind) == ("Timeouts: the caller decides", Kind.HEURISTIC)
    assert hand.when_to_load == ("calling another service",)
    assert hand.one_liner == "Pass the deadline of the request on; never start a fresh timeout inside."
    assert chinese.one_liner == "先写回滚脚本，再执行迁移；两者在同一个提交里。"
    assert chinese.counter_signals == "只加索引、不锁表的改动。"
    assert bank.get("MEM-pipe0001").title == "Escape `|`, \\ and <b> in tables"
    assert bank.get("MEM-crlf0001").status is Status.LOCAL
    assert bank.settings.number("trash.retention_days") == 45


def test_prohibition_is_a_note(bank: Bank) -> None:
    """N-06: what is not to be done is memory too, with the cases in which it does not hold."""
    note = bank.get("MEM-no-orm01")

    assert note.one_liner.startswith("Do not use the ORM")
    assert note.counter_signals == "- fewer than a hundred rows\n- the admin screens, which are no importer"


def test_pointers_lead_somewhere(bank: Bank) -> None:
    """Z-01: pointers inside the bank are resolved, to sections of either script."""
    assert bank.resolve("mem://L2/MEM-c81d55e0#one-liner") == "Roll back first, look for the cause after."
    assert bank.resolve("mem://L2/MEM-zhmigrat#备注") == "参见 mem://L1/MEM-zh-pnpm。"
    assert bank.resolve("mem://L1/MEM-hand0001#history-of-this-rule") == "It began as a comment in a review."


def lines(content: bytes) -> list[bytes]:
    """The lines of a file, with their ends."""
    return re.findall(rb"[^\n]*\n|[^\n]+$", content)


@pytest.mark.parametrize("note_id", FILES)
def test_changing_one_field_changes_that_field(bank: Bank, note_id: str) -> None:
    """N-04: setting the scope touches the lines of scope and time and no other byte of any file of the bank."""
    before = fingerprint(bank.root)
    old = (bank.root / FILES[note_id]).read_bytes()

    bank.set_fields(note_id, "set", scope="broad" if note_id != "MEM-4f2k9a1c" else "medium")

    new = (bank.root / FILES[note_id]).read_bytes()
    gone = [line for line in lines(old) if line not in lines(new)]
    come = [line for line in lines(new) if line not in lines(old)]
    assert {line.partition(b":")[0] for line in gone} <= {b"scope", b"updated"}
    assert {line.partition(b":")[0] for line in come} == {b"scope", b"updated"}
    assert [line for line in lines(old) if line not in gone] == [line for line in lines(new) if line not in come]
    end = b"\r\n" if note_id == "MEM-crlf0001" else b"\n"
    assert all(line.endswith(end) and line.count(b"\r") == end.count(b"\r") for line in come)
    assert changed_files(before, fingerprint(bank.root)) == {FILES[note_id], "INDEX.md"}
    assert bank.check() == (10, [])


@pytest.mark.parametrize(
    "change",
    [
        lambda bank: bank.tag("MEM-hand0001", add=["x"]),
        lambda bank: bank.archive("MEM-crlf0001"),
        lambda bank: bank.move("MEM-zhmigrat", Layer.DECLARATIVE),
        lambda bank: bank.delete("MEM-bom00001"),
        lambda bank: bank.set_setting("language", "zh"),
    ],
    ids=["tag", "archive", "move", "delete", "config"],
)
def test_undo_brings_every_byte_back(bank: Bank, change: Callable[[Bank], object]) -> None:
    """A-03: whatever was done to an old bank, undo gives back the bytes that were released."""
    before = fingerprint(bank.root)

    change(bank)
    assert changed_files(before, fingerprint(bank.root)) != set()
    bank.undo()

    assert changed_files(before, fingerprint(bank.root)) == set()


def changed_files(before: dict[str, str], after: dict[str, str]) -> set[str]:
    """The files of a bank, without its private parts, in which two looks differ."""
    differing = {name for name, _ in before.items() ^ after.items()}
    private = (".local", ".trash", "staging", "L3_episodic", "L4_working")
    return {name for name in differing if not name.startswith(private) and name != "details"}
