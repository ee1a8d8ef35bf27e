"""The warm bank behind its socket."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING

import pytest

from tacit import Bank, link
from tacit.bank.recalling import Recaller
from tacit.bank.reindex import Reindexer
from tacit.daemon.banks import WarmBanks
from tacit.daemon.server import Server
from tacit.hooks import script
from tacit.note.model import Note

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A private place for the socket, whose path must be short, and no models."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as short:
        place = Path(short) / "run"
        monkeypatch.setenv("TACIT_RUNTIME_DIR", str(place))
        monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
        yield place


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a bank of one note."""
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    note = Note(id="", title="Packages", when_to_load=("adding a package",), one_liner="Use pnpm, never npm.")
    Bank.init(root).add([note])
    return root


@pytest.fixture
def daemon(runtime: Path) -> Iterator[Server]:
    """A daemon that runs in this process."""
    assert runtime.name == "run"
    server = Server(link.address(), WarmBanks())
    thread = threading.Thread(target=server.run)
    thread.start()
    while link.ask(b"status") is None:
        assert thread.is_alive()
    yield server
    link.ask(b"stop")
    thread.join(timeout=30)
    assert not thread.is_alive()


def event(project: Path, session: str, prompt: str = "adding a package for retries") -> bytes:
    """A prompt as Claude Code sends it."""
    members = {"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": str(project), "prompt": prompt}
    return json.dumps(members).encode()


def fire(project: Path, session: str) -> bytes | None:
    """Send a prompt to the daemon."""
    return link.ask(b"hook", b"prompt\n--host\nclaude", b"", event(project, session))


@pytest.mark.usefixtures("daemon")
def test_daemon_answers_and_says_what_it_holds(project: Path) -> None:
    """A hook hears the note, and the status names the bank."""
    assert b"Use pnpm" in (fire(project, "one") or b"")
    status = json.loads(link.ask(b"status") or b"{}")
    assert status["banks"] == [str(project / ".memory")]
    assert status["pid"] == os.getpid()


@pytest.mark.usefixtures("daemon")
def test_daemon_sees_what_others_write(project: Path) -> None:
    """A note written by another process is recalled by the next prompt."""
    fire(project, "one")
    note = Note(id="", title="Ports", when_to_load=("local port of redis",), one_liner="Redis listens on 6390.")
    Bank.open(project).add([note])
    asked = link.ask(b"hook", b"prompt", b"CLAUDECODE=1", event(project, "two", "which local port has redis?"))
    assert b"6390" in (asked or b"")


@pytest.mark.usefixtures("daemon")
def test_sixty_four_hooks_at_once_are_all_answered(project: Path) -> None:
    """Whoever asks at the same time is answered, each in its own session."""
    fire(project, "warm")
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda number: fire(project, f"session {number}"), range(64)))
    assert all(answer and b"Use pnpm" in answer for answer in answers)


@pytest.mark.usefixtures("daemon")
def test_vectors_follow_an_import(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-09: a daemon that is there makes what a bank lacks; where none is, one is started for it."""
    followed: Queue[Path] = Queue()
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(Recaller, "follow", lambda self: followed.put(self._store.layout.root))
    monkeypatch.setattr(link, "start", lambda *words: started.append(words))
    link.follow(str(project))
    link.follow(str(project / "nowhere"))

    assert followed.get(timeout=60) == project / ".memory"
    assert started == []
    with monkeypatch.context() as nobody_answers:
        nobody_answers.setattr(link, "ask", lambda *_: None)
        link.follow(str(project))
    assert started == [("follow", str(project))]


@pytest.mark.usefixtures("daemon")
def test_bank_that_moved_or_went_is_forgotten(project: Path) -> None:
    """A bank that is gone is silence; one that came back is found again."""
    assert fire(project, "one")
    moved = project.rename(project.with_name("elsewhere"))
    assert fire(project, "two") == b""
    assert fire(moved, "three")


@pytest.mark.usefixtures("daemon")
def test_a_bank_made_nearer_is_the_one_from_then_on(project: Path) -> None:
    """B-06: a folder that had the bank of its parents has its own once one is made there, and theirs when it goes."""
    inner = project / "inner"
    inner.mkdir()
    assert b"Use pnpm" in (fire(inner, "one") or b"")
    (inner / ".git").mkdir()
    own = Bank.init(inner)
    fire(inner, "two")
    assert json.loads(link.ask(b"status") or b"{}")["banks"] == [str(own.root)]
    shutil.rmtree(own.root)
    assert b"Use pnpm" in (fire(inner, "three") or b"")


@pytest.mark.usefixtures("daemon")
@pytest.mark.parametrize("noise", [b"", b"nonsense", b"ffffffff", b"00000004hook", b"0000000azzzz", b"-0000001"])
def test_noise_does_no_harm(project: Path, noise: bytes) -> None:
    """Whatever a client sends, the daemon goes on."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(link.address())
        connection.sendall(noise)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(100)
    assert fire(project, "after")


def test_dead_socket_is_replaced(runtime: Path, project: Path) -> None:
    """A socket that a killed daemon left does not keep the next one from its place."""
    assert runtime.name == "run"
    path = link.address()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left:
        left.bind(path)
    assert link.ask(b"status") is None
    server = Server(path, WarmBanks())
    thread = threading.Thread(target=server.run)
    thread.start()
    while link.ask(b"status") is None:
        assert thread.is_alive()
    assert fire(project, "one")
    link.ask(b"stop")
    thread.join(timeout=30)


def test_hung_daemon_is_waited_for_once(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """W-02: who waited in vain leaves a mark; for a minute hooks answer without the daemon, then one asks again."""
    alone: list[list[str]] = []
    monkeypatch.setattr(link, "_without_daemon", lambda arguments, *_: alone.append(arguments))
    monkeypatch.setattr(link, "_read_all", lambda _: b"{}")
    monkeypatch.setattr(link, "ask", partial(link.ask, timeout_s=0.1))
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as hung:
        hung.bind(link.address())
        hung.listen(8)
        hung.settimeout(0)
        link.hook(["prompt"])
        hung.accept()[0].close()
        link.hook(["prompt"])
        with pytest.raises(BlockingIOError):
            hung.accept()  # it was not even asked
        os.utime(runtime / "hung", (0, 0))
        link.hook(["prompt"])
        hung.accept()[0].close()
    assert alone == [["prompt"]] * 3


def test_daemon_ends_when_nobody_asks(runtime: Path) -> None:
    """After a while without a request it is gone, and its socket with it."""
    assert runtime.name == "run"
    now = [0.0]
    server = Server(link.address(), WarmBanks(), idle_s=10, clock=lambda: now[0])
    thread = threading.Thread(target=server.run)
    thread.start()
    now[0] = 11.0
    thread.join(timeout=30)
    assert not thread.is_alive()
    assert not Path(link.address()).exists()


@pytest.mark.parametrize("mode", [0o755, 0o770])
def test_directory_open_to_others_is_not_used(runtime: Path, mode: int) -> None:
    """Where others could put a socket of theirs, there is no daemon."""
    runtime.mkdir()
    runtime.chmod(mode)
    assert link.address() == ""
    assert link.ask(b"status") is None


def test_a_place_too_long_in_bytes_means_no_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket's path is counted in bytes: one that is short in characters alone would have each hook start in vain."""
    own = Path(f"/tmp/tacit-{os.getpid()}-{'目' * 25}")  # noqa: S108  gone below
    monkeypatch.setenv("TACIT_RUNTIME_DIR", str(own))
    try:
        assert link.address() == ""
    finally:
        own.rmdir()


def test_file_in_place_of_the_directory_means_no_daemon(runtime: Path) -> None:
    """An odd place is no place."""
    runtime.write_text("", encoding="utf-8")
    assert link.address() == ""


def run_hook(project: Path, session: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run the hook as a host does."""
    return subprocess.run(
        [sys.executable, "-I", "-S", script.__file__, "prompt", "--host", "claude"],
        input=event(project, session),
        capture_output=True,
        env={**os.environ, **variables},
        cwd="/",
        check=False,
        timeout=60,
    )


def test_a_hook_that_is_late_ends_in_silence() -> None:
    """W-02: hosts tell their user of a hook that takes too long; ours gives up before, and says nothing."""
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "tacit.hooks", "prompt"],
        stdin=subprocess.PIPE,  # an event that never ends
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.setitimer(signal.ITIMER_REAL, 2),  # noqa: PLW1509  as `link` does before it becomes this
    ) as late:
        assert (late.wait(60), late.stdout and late.stdout.read(), late.stderr and late.stderr.read()) == (0, b"", b"")


@pytest.mark.usefixtures("runtime")
def test_hook_answers_cold_and_starts_the_daemon(project: Path) -> None:
    """Without a daemon the hook answers by itself; soon one is there, and ends when it is told."""
    cold = run_hook(project, "one")
    assert (cold.returncode, cold.stderr) == (0, b"")
    assert b"Use pnpm" in cold.stdout
    patience = threading.Event()
    for _ in range(600):
        if link.ask(b"status"):
            break
        patience.wait(0.05)
    warm = run_hook(project, "two")
    assert (warm.returncode, warm.stderr) == (0, b"")
    assert b"Use pnpm" in warm.stdout
    assert link.ask(b"stop") is not None


@pytest.mark.usefixtures("daemon")
def test_hook_loads_next_to_nothing(project: Path) -> None:
    """W-02: with a daemon there, the hook's own process takes hardly longer than an empty Python."""
    words = [sys.executable, "-I", "-S", "-X", "importtime"]
    empty = subprocess.run([*words, "-c", "pass"], capture_output=True, check=True)
    hook = subprocess.run(
        [*words, script.__file__, "prompt", "--host", "claude"],
        input=event(project, "one"),
        capture_output=True,
        check=True,
        timeout=60,
    )
    before, loaded = (
        {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()} for done in (empty, hook)
    )
    assert b"Use pnpm" in hook.stdout
    assert loaded - before == {"__future__", "_socket"}


@pytest.mark.usefixtures("daemon")
def test_names_that_are_no_text_do_no_harm(project: Path) -> None:
    """A variable or an argument of odd bytes is passed on as it is."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", script.__file__, "prompt", b"--odd=\xff"],
        input=event(project, "one"),
        capture_output=True,
        env={**os.environb, b"CLAUDE_PROJECT_DIR": b"/odd/\xff"},
        check=True,
        timeout=60,
    )
    assert b"Use pnpm" in done.stdout


@pytest.mark.usefixtures("runtime")
def test_launcher_of_old_still_leads_here(project: Path) -> None:
    """A script in the user's home that was made before the hook had a file of its own calls `link.py`."""
    words = [sys.executable, "-I", "-S", link.__file__, "prompt", "--host", "claude"]
    variables = {**os.environ, "TACIT_RUNTIME_DIR": os.devnull}
    done = subprocess.run(words, input=event(project, "s"), capture_output=True, env=variables, check=True, timeout=60)
    assert b"Use pnpm" in done.stdout


@pytest.mark.usefixtures("runtime")
def test_disabled_hook_is_silent(project: Path) -> None:
    """A child agent of ours runs no hooks."""
    done = run_hook(project, "one", TACIT_DISABLE="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert link.ask(b"status") is None


@pytest.mark.usefixtures("runtime")
def test_what_an_act_wrote_is_found_without_another_look(project: Path) -> None:
    """Whoever types next need not wait until a new note is in the index."""
    banks = WarmBanks()
    note = Note(id="MEM-new", title="Ports", when_to_load=("choosing a port",), one_liner="Use 8443.")
    banks.work(project, lambda bank: bank and bank.add([note])).result()
    banks.work(project, lambda _: None).result()  # all that was to be done before it is done

    index = Bank.near(project).recaller.reindexer.index
    assert "L1_declarative/MEM-new.md" in index.known()


@pytest.mark.usefixtures("runtime")
def test_act_on_a_bank_that_cannot_be_indexed_is_done(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index is nobody's trouble who writes."""
    banks = WarmBanks()

    def fail(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(Reindexer, "catch_up", fail)
    for _ in range(2):
        assert banks.work(project, lambda bank: bank and len(bank.notes())).result() == 1
