"""One writer at a time: fair, bounded, and freed by the kernel."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from tacit.errors import BankBusy
from tacit.store.lock import WriterLock

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import sys, time
from pathlib import Path
from tacit.store.lock import WriterLock
lock = WriterLock(Path(sys.argv[1]), timeout_s=10, act="hold")
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> subprocess.Popen[bytes]:
    """Another process that holds the lock until it is killed."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def stop(process: subprocess.Popen[bytes]) -> None:
    """Kill the holder and collect it."""
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_wait_is_bounded_and_names_the_holder(tmp_path: Path, holder: subprocess.Popen[bytes]) -> None:
    """T-02: a lock held too long ends in one error that says who holds it."""
    with pytest.raises(BankBusy) as caught:
        WriterLock(tmp_path, timeout_s=0.05, act="test").acquire()

    assert f"process {holder.pid}, hold" in caught.value.message
    stop(holder)


def test_lock_of_a_killed_process_is_free_at_once(tmp_path: Path, holder: subprocess.Popen[bytes]) -> None:
    """T-02: a dead process cannot hold the lock; there is nothing to break or to wait for."""
    stop(holder)
    lock = WriterLock(tmp_path, timeout_s=0, act="test")

    assert lock.try_acquire()
    lock.release()


def test_waiter_gets_the_lock_when_it_is_released(tmp_path: Path) -> None:
    """A waiting writer goes on as soon as the holder is done."""
    first = WriterLock(tmp_path, timeout_s=10, act="first")
    first.acquire()
    second = WriterLock(tmp_path, timeout_s=30, act="second")
    waiting = threading.Thread(target=second.acquire)
    waiting.start()
    while not at_the_turnstile(tmp_path):
        threading.Event().wait(0.005)

    first.release()
    waiting.join(30)

    assert not WriterLock(tmp_path, timeout_s=0, act="third").try_acquire()
    second.release()


def test_newcomer_does_not_overtake_a_waiter(tmp_path: Path) -> None:
    """T-02: whoever waits is served first, even if the lock is free for a moment."""
    turnstile = os.open(tmp_path / "lock.turnstile", os.O_RDWR | os.O_CREAT)
    fcntl.flock(turnstile, fcntl.LOCK_EX)

    assert not WriterLock(tmp_path, timeout_s=0, act="newcomer").try_acquire()
    os.close(turnstile)


def test_lock_that_comes_too_late_is_given_back(tmp_path: Path) -> None:
    """A wait that was given up leaves no lock behind when its turn comes."""
    first = WriterLock(tmp_path, timeout_s=10, act="first")
    first.acquire()
    with pytest.raises(BankBusy):
        WriterLock(tmp_path, timeout_s=0, act="second").acquire()

    first.release()

    third = WriterLock(tmp_path, timeout_s=30, act="third")
    third.acquire()
    third.release()


def test_child_process_does_not_inherit_the_lock(tmp_path: Path) -> None:
    """A process that we start does not keep the bank locked after us."""
    lock = WriterLock(tmp_path, timeout_s=0, act="parent")
    lock.acquire()
    script = "import sys; print('up', flush=True); sys.stdin.read()"
    pipe = subprocess.PIPE
    child = subprocess.Popen([sys.executable, "-c", script], stdin=pipe, stdout=pipe, close_fds=False)
    assert child.stdout is not None
    child.stdout.readline()  # only now has the new program started and closed what is not to be inherited

    lock.release()

    assert WriterLock(tmp_path, timeout_s=0, act="other").try_acquire()
    child.communicate(b"")


def test_refusal_by_the_kernel_reaches_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system that cannot lock ends in that error, not in a wait."""
    held = WriterLock(tmp_path, timeout_s=0, act="holder")
    held.acquire()
    real = fcntl.flock

    def refuse(descriptor: int, operation: int) -> None:
        if operation == fcntl.LOCK_EX:
            raise OSError(errno.ENOLCK, "No locks available")
        real(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", refuse)

    with pytest.raises(OSError, match="No locks"):
        WriterLock(tmp_path, timeout_s=30, act="test").acquire()
    held.release()


def test_unreadable_holder_is_unknown(tmp_path: Path) -> None:
    """What stands in the lock file is information only; nonsense in it harms nobody."""
    held = WriterLock(tmp_path, timeout_s=0, act="holder")
    held.acquire()
    (tmp_path / "lock").write_bytes(b"\xff nonsense")

    with pytest.raises(BankBusy) as caught:
        WriterLock(tmp_path, timeout_s=0, act="test").acquire()

    assert "unknown" in caught.value.message
    held.release()


def at_the_turnstile(directory: Path) -> bool:
    """Whether somebody stands at the turnstile."""
    descriptor = os.open(directory / "lock.turnstile", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
