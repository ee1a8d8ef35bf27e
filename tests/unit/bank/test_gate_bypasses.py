"""Attempts to merge, replace, archive, delete or write without the user: none may succeed.

What an agent with a shell can do to the files themselves is the subject of SECURITY.md; here it has tools, payloads,
files of the private folders, settings and the environment.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tacit.bank.values import Answer, Outcome
from tacit.errors import ProposalNotFound, TacitError
from tacit.govern.proposal import Change, FileChange
from tests.unit.bank.attempts import ATTEMPTS, World
from tests.unit.bank.attempts_by_file import FORGERIES
from tests.unit.bank.attempts_by_word import FLAGS
from tests.unit.bank.talk import Talk, lines, shared_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.unit.bank.conftest import Clock


@pytest.fixture
def world(bank: Bank, reopen: Callable[[], Bank], clock: Clock, tmp_path: Path) -> World:
    """A bank in which proposals wait."""
    return World(bank, reopen, clock, tmp_path)


@pytest.mark.parametrize("name", sorted(ATTEMPTS))
def test_nothing_happens_without_the_user(world: World, name: str) -> None:
    """Q-01, Q-04: whatever is tried, nothing is applied, and every file that others see keeps its bytes."""
    log = len(lines(world.bank))
    try:
        found = ATTEMPTS[name](world)
    except TacitError:
        found = None
    for each in found if isinstance(found, list) else [found]:
        assert not isinstance(each, Outcome) or not each.written
        assert not isinstance(each, Answer) or each.status in ("shown", "asked_again")
    assert shared_files(world.bank.root) == world.before
    assert len(lines(world.bank)) >= log


@pytest.mark.parametrize(
    ("which", "option", "channel", "decision"),
    [
        ("merge", "confirm", "elicitation", "merge"),
        ("merge", "new_instead", "prompt", "new"),
        ("replace", "confirm", "prompt", "replace"),
        ("veto", "take_new", "web", "replace"),
        ("new", "confirm", "terminal", "new"),
        ("archive", "confirm", "elicitation", "archive"),
        ("delete", "confirm", "terminal", "delete"),
    ],
)
def test_the_user_gets_through(world: World, which: str, option: str, channel: str, decision: str) -> None:
    """Q-04: what all these attempts fail at, the user's answer through a sure channel does."""
    done = world.answer(getattr(world, which), option, channel)

    assert (done.status, done.decision) == ("applied", decision)
    assert shared_files(world.bank.root) != world.before


def test_what_the_log_vouches_for_gets_through(world: World) -> None:
    """Q-04: a proposal of Tacit's own that names a note is carried out, so the places above are why others are not."""
    file = FileChange(
        "L1_declarative/MEM-x.md", None, world.bank.text("MEM-other").replace("MEM-other", "MEM-x"), "MEM-x"
    )
    made = world.made_by_us(world.new, payload=None, options={"confirm": Change("archive", (file,)), "cancel": None})

    assert world.answer(made, "confirm", "terminal").status == "applied"


def test_there_are_many_attempts(capsys: pytest.CaptureFixture[str]) -> None:
    """Q-04: the table is long, and says how long."""
    with capsys.disabled():
        print(f"\n{len(ATTEMPTS)} attempts to get past the gate")  # noqa: T201  asked for: the count belongs in the run
    assert len(ATTEMPTS) >= 45 + len(FORGERIES) + len(FLAGS)


def test_two_threads_answer_at_once(world: World) -> None:
    """Q-04, T-02: of two answers at the same moment exactly one is carried out."""
    banks = [world.reopen(), world.reopen()]
    start = threading.Barrier(2)
    found: list[str] = []

    def answer(bank: Bank) -> None:
        start.wait()
        try:
            found.append(bank.answer(world.merge, "confirm", "terminal").status)
        except ProposalNotFound:
            found.append("not found")

    threads = [threading.Thread(target=answer, args=(bank,)) for bank in banks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(found) == ["applied", "not found"]
    assert len(world.bank.notes()) == 2


ANSWER = """
import sys
from tacit.bank import Bank
from tacit.errors import ProposalNotFound
bank = Bank.open(sys.argv[1])
sys.stdin.readline()
try:
    print(bank.answer(sys.argv[2], sys.argv[3], "terminal").status)
except ProposalNotFound:
    print("not found")
"""


def test_two_processes_answer_at_once(bank: Bank) -> None:
    """Q-04, T-02: so it is between processes, whatever each of them answers."""
    talk = Talk(Bank.open(bank.root))
    talk.written()
    made = talk.merge()
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", ANSWER, str(bank.root), made.proposal_id, option],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        for option in ("confirm", "new_instead")
    ]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()

    assert sorted(worker.communicate()[0].strip() for worker in workers) == ["applied", "not found"]
