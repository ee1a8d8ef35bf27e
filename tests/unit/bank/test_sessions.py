"""What the user typed, kept on this machine for a while."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from tacit.bank.sessions import Session
from tacit.guards import MAX_TEXT
from tests.files import holders
from tests.unit.guards.planted import key_block

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank import Bank
    from tests.unit.bank.conftest import Clock

SECRET = "AKIA" + "Q3EGRIDOVZ7TLKRW"
SEVEN_DAYS = "2026-01-09T03:04:05Z"


def files(bank: Bank) -> list[Path]:
    """The records of conversations."""
    return sorted((bank.root / ".local/sessions").iterdir())


def age(bank: Bank) -> None:
    """Let every record be as old as the bank's clock says it was made."""
    for path in files(bank):
        os.utime(path, (1_767_323_045, 1_767_323_045))  # 2026-01-02T03:04:05Z


def test_prompts_are_kept_in_order(bank: Bank) -> None:
    """P-04: the hook keeps the user's last prompts; blank ones are none, and a new process reads them too."""
    for words in ("one", "  ", "two"):
        bank.session("c1").saw_prompt(words)

    assert Session(bank._store, "c1").prompts() == ("one", "two")
    assert bank.session("c2").prompts() == ()


def test_prompts_are_bounded(bank: Bank) -> None:
    """X-05: the last twenty prompts are kept, and of each the first 20,000 characters."""
    session = bank.session("c1")
    for number in range(25):
        session.saw_prompt(f"{number} {'x' * 30_000}")

    kept = session.prompts()
    assert len(kept) == 20
    assert kept[0].startswith("5 ")
    assert {len(each) for each in kept} == {20_000}


def test_secrets_are_cut_out(bank: Bank) -> None:
    """P-06, X-01: recorded prompts pass the secret guard; no file of the bank holds the secret."""
    bank.session("c1").saw_prompt(f"use the key {SECRET} for the upload")

    (kept,) = bank.session("c1").prompts()
    assert SECRET not in kept
    assert kept.startswith("use the key [removed: ")
    assert holders(bank.root, SECRET) == []


@pytest.mark.parametrize("part", [4, 10, 19])
def test_a_secret_at_the_cut_is_not_kept_by_half(bank: Bank, part: int) -> None:
    """P-06, X-01: a prompt is redacted before it is cut, or half a secret would not be known as one."""
    lead = "word " * 4_000
    bank.session("c1").saw_prompt(f"{lead[: 20_000 - part - 1]} {SECRET} and more")

    (kept,) = bank.session("c1").prompts()
    assert len(kept) == 20_000
    assert SECRET[:4] not in kept
    assert holders(bank.root, SECRET[:4]) == []


def test_a_secret_at_the_bound_of_a_very_long_prompt(bank: Bank) -> None:
    """P-06, X-05: what stands before the cut only because much was removed is redacted too."""
    block = key_block(lines=200)
    prompt = (f"{block}\n" * 5)[: MAX_TEXT - 12] + f" {SECRET} and more" * 100_000
    bank.session("c1").saw_prompt(prompt)

    (kept,) = bank.session("c1").prompts()
    assert kept.endswith("[removed: too-long]")
    assert SECRET[:4] not in kept


def test_records_are_private(bank: Bank) -> None:
    """P-06: recorded prompts stay on this machine, readable for their owner alone, and out of git."""
    bank.session("c1").saw_prompt("hello")
    (path,) = files(bank)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert ".local/" in (bank.root / ".gitignore").read_text(encoding="utf-8")
    assert "c1" not in path.name


def test_without_a_name_nothing_is_kept(bank: Bank) -> None:
    """P-04: a prompt of no known conversation verifies nothing."""
    session = bank.session("")
    session.saw_prompt("hello")
    session.decline("key")

    assert session.prompts() == ()
    assert not session.declined("key")
    assert not (bank.root / ".local/sessions").exists()


def test_declined_candidates(bank: Bank) -> None:
    """Q-06: what was declined is known in that conversation alone, up to 200 candidates."""
    session = bank.session("c1")
    session.saw_prompt("hello")
    for number in range(201):
        session.decline(f"key{number}")

    assert session.declined("key200")
    assert not session.declined("key0")
    assert not bank.session("c2").declined("key200")
    assert session.prompts() == ("hello",)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b'{"prompts": "all"}', b'{"prompts": [5]}', b"[" * 100_000, b"\xff"]
)
def test_a_spoilt_record_is_an_empty_one(bank: Bank, content: bytes) -> None:
    """P-04: what cannot be read verifies nothing, and the next prompt is kept again."""
    session = bank.session("c1")
    session.saw_prompt("hello")
    files(bank)[0].write_bytes(content)

    assert session.prompts() == ()
    session.saw_prompt("again")
    assert session.prompts() == ("again",)


def test_a_link_is_not_followed(bank: Bank, tmp_path: Path) -> None:
    """X-04: where a link stands for the folder of conversations nothing is written through it."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (bank.root / ".local/sessions").symlink_to(outside)
    bank.session("c1").saw_prompt("hello")

    assert list(outside.iterdir()) == []


def test_a_link_in_place_of_a_record(bank: Bank, tmp_path: Path) -> None:
    """X-04: nor is a record read or written through one."""
    outside = tmp_path / "prompts.json"
    outside.write_text('{"prompts": ["planted"]}', encoding="utf-8")
    bank.session("c1").saw_prompt("hello")
    (path,) = files(bank)
    path.unlink()
    path.symlink_to(outside)

    assert bank.session("c1").prompts() == ()
    bank.session("c1").saw_prompt("again")
    assert outside.read_text(encoding="utf-8") == '{"prompts": ["planted"]}'


def test_sessions_are_cleared(bank: Bank) -> None:
    """P-06: clearing forgets every conversation and says how many that were."""
    for name in ("c1", "c2"):
        bank.session(name).saw_prompt("hello")

    assert bank.forget_sessions() == 2
    (line,) = (each for each in bank.log() if each.event == "memory_sessions_cleared")
    assert "2 conversations" in line.reason
    assert bank.forget_sessions() == 0
    assert bank.session("c1").prompts() == ()


def test_nothing_to_clear(bank: Bank) -> None:
    """P-06: a bank without conversations has none to forget."""
    assert bank.forget_sessions() == bank.forget_sessions(older_than_days=1) == 0


def test_prompts_are_kept_for_seven_days(bank: Bank, clock: Clock) -> None:
    """P-06: whoever looks at a conversation first drops those that are over their time."""
    bank.session("c1").saw_prompt("hello")
    age(bank)
    clock.now = "2026-01-09T02:59:59Z"
    assert bank.session("c1").prompts() == ("hello",)

    clock.now = SEVEN_DAYS
    bank.session("c2")
    assert files(bank) == []


def test_a_process_that_stays_looks_for_old_prompts_once_an_hour(bank: Bank, clock: Clock) -> None:
    """P-06: a prompt need not wait until the records of all conversations were looked at."""
    clock.now = SEVEN_DAYS
    bank.session("c1").saw_prompt("hello")
    age(bank)
    bank.session("c1")
    assert files(bank)

    clock.now = SEVEN_DAYS.replace("T03", "T04")
    bank.session("c1")
    assert files(bank) == []


def test_what_changes_together_is_written_once(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """P-06: one prompt is one write, and a prompt that changes nothing is none."""
    written: list[dict[str, list[str]]] = []
    write = Session._write

    def counted(session: Session, members: dict[str, list[str]]) -> None:
        written.append(members)
        write(session, members)

    monkeypatch.setattr(Session, "_write", counted)
    session = bank.session("c1")
    with session.collected():
        assert session.is_first("turn 1", "hello")
        session.saw_prompt("hello")
        session.heard_state("ON")
        assert session.prompts() == ("hello",)
        assert written == []
    with session.collected():
        assert not session.is_first("turn 1", "hello")
    assert len(written) == 1
    assert bank.session("c1").prompts() == ("hello",)


def test_how_long_prompts_are_kept_can_be_set(bank: Bank, clock: Clock) -> None:
    """P-06: seven days are the default of a setting."""
    bank.set_setting("sessions.days", "30")
    bank.session("c1").saw_prompt("hello")
    age(bank)
    clock.now = SEVEN_DAYS

    assert bank.session("c1").prompts() == ("hello",)
