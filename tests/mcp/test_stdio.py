"""`tacit mcp` as hosts start it: a real process, with a real daemon and without one."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client

from tacit import link
from tests.mcp.clients import COMMAND, SOURCE, User, call, called, process, talk
from tests.mcp.daemons import daemon
from tests.project.loaded import modules_loaded_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp.client.stdio import StdioServerParameters

    from tacit.bank import Bank

READER = {"recall", "search", "show", "propose", "remember", "review", "task"}
# So long that no socket has room for it: then there is no daemon, and none is started.
NO_DAEMON = {"TACIT_RUNTIME_DIR": "/nowhere/" + "x" * 120}


@pytest.fixture(scope="module")
def runtime() -> Iterator[dict[str, str]]:
    """A daemon for all tests of this file; its socket needs a short path."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder, daemon(Path(folder) / "run"):
        yield {"TACIT_RUNTIME_DIR": f"{folder}/run"}


def at(bank: Bank, environment: dict[str, str], *words: str) -> StdioServerParameters:
    """`tacit mcp` for a bank."""
    return process(["--bank", str(bank.root), *words], environment)


def status(runtime: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the daemon says of itself."""
    monkeypatch.setenv("TACIT_RUNTIME_DIR", runtime["TACIT_RUNTIME_DIR"])
    return dict(json.loads(link.ask(b"status") or b"{}"))


def test_the_daemon_serves_both_eras(
    bank: Bank, runtime: dict[str, str], era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V-01: stdio through the daemon, with discovery and with the older handshake."""

    async def look(client: Client) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    assert talk(at(bank, runtime), look, era=era) == READER
    assert call(at(bank, runtime), "review", era=era)["notes"] == 1
    assert str(bank.root) in status(runtime, monkeypatch)["banks"]


def test_without_a_daemon_it_serves_by_itself(bank: Bank, era: str) -> None:
    """V-01: the first start of all answers too, in a process of its own."""
    assert call(at(bank, NO_DAEMON), "review", era=era)["notes"] == 1


# A session that began alone, and sees the daemon of the tests from the message on that holds one of these words.
_LATER = """
import sys
from tacit.cli import mcp_pipe
from tacit.mcp_server import alone
place, role, *words = sys.argv[1:]
go = mcp_pipe._hand_over(place, role)
alone.stdio(place, role, lambda heard, rest: go(heard, rest) if any(word.encode() in rest for word in words) else None)
"""


def later(bank: Bank, environment: dict[str, str], *words: str) -> StdioServerParameters:
    """A session that the daemon goes on with."""
    server = at(bank, environment)
    return server.model_copy(
        update={"command": sys.executable, "args": ["-c", _LATER, str(bank.root), "reader", *words]}
    )


def test_the_daemon_goes_on_with_a_session_that_began_without_it(
    bank: Bank, runtime: dict[str, str], era: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V-01: models and words of a bank are held once, and the host notices nothing."""

    async def look(client: Client) -> tuple[set[str], list[Any]]:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        return tools, [await client.call_tool("review", {}) for _ in range(2)]

    tools, (one, other) = talk(later(bank, runtime, '"tools/call"'), look, era=era)
    assert tools == READER
    assert one.structured_content == other.structured_content
    assert not one.is_error
    assert str(bank.root) in status(runtime, monkeypatch)["banks"]


def test_what_is_open_is_finished_where_it_began(
    bank: Bank, runtime: dict[str, str], payload: dict[str, Any], era: str
) -> None:
    """Q-03, V-01: a form that was put before the daemon came is answered to the session that put it."""
    server = later(bank, runtime, '"requestState"', '"result"')
    (result,) = call(server, "propose", era=era, user=User("confirm"), payloads=[payload])["results"]
    assert result["written"]


@pytest.mark.parametrize("where", ["daemon", "alone"])
def test_the_gate_asks_through_the_pipe(
    bank: Bank, runtime: dict[str, str], payload: dict[str, Any], era: str, where: str
) -> None:
    """Q-03, V-01: a question goes to the user and back, over a real process, in both eras."""
    environment = runtime if where == "daemon" else NO_DAEMON
    (result,) = call(at(bank, environment), "propose", era=era, user=User("confirm"), payloads=[payload])["results"]
    assert result["written"]
    assert len(bank.notes()) == 2


def test_the_role_is_that_of_the_command(bank: Bank, runtime: dict[str, str]) -> None:
    """K-02: --role, else TACIT_ROLE, else reader."""
    assert call(at(bank, runtime, "--role=memory"), "review")["role"] == "memory"
    assert call(at(bank, {**runtime, "TACIT_ROLE": "orchestrator"}), "review")["role"] == "orchestrator"
    assert "role.refused" in called(at(bank, runtime), "maintain", act="reindex")[0]


def test_the_workspace_is_found(bank: Bank, runtime: dict[str, str], tmp_path: Path) -> None:
    """V-01: the bank is the one named, else that of the project the host names, else the one where it was started."""
    project = tmp_path / "project"
    shutil.copytree(bank.root, project / ".memory")
    (project / "src").mkdir()
    for environment, cwd in (
        ({"TACIT_BANK": str(bank.root)}, tmp_path),
        ({"CLAUDE_PROJECT_DIR": str(project)}, tmp_path),
        ({}, project / "src"),
    ):
        assert call(process([], {**runtime, **environment}, cwd=cwd), "review")["notes"] == 1
    assert "bank.not_found" in called(process([], runtime, cwd=tmp_path), "review")[0]


def test_two_hosts_at_once(bank: Bank, runtime: dict[str, str], payload: dict[str, Any]) -> None:
    """Q-05, V-01: two processes on one bank, both asked about the same words: one note."""

    async def race() -> list[Any]:
        user = User("confirm")
        async with (
            Client(at(bank, runtime), mode="auto", elicitation_callback=user) as one,
            Client(at(bank, runtime), mode="legacy", elicitation_callback=user) as two,
        ):
            return await asyncio.gather(
                *(client.call_tool("propose", {"payloads": [payload]}) for client in (one, two))
            )

    results = asyncio.run(race())
    assert not any(result.is_error for result in results)
    assert len(bank.notes()) == 2


def test_the_end_of_input_ends_the_process(bank: Bank, runtime: dict[str, str]) -> None:
    """V-01: a host that goes away leaves nothing behind; a line that is no message harms nobody."""
    started = at(bank, runtime)
    run = subprocess.run(
        [started.command, *started.args], env=started.env, input=b"not json\n", capture_output=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert call(at(bank, runtime), "review")["notes"] == 1


@pytest.mark.parametrize("has_daemon", [True, False])
def test_without_standard_input_there_is_nothing_to_do(
    bank: Bank, runtime: dict[str, str], *, has_daemon: bool
) -> None:
    """V-01: a process that was started without one ends at once and in silence, daemon or not."""
    started = at(bank, runtime if has_daemon else NO_DAEMON)
    words = ["sh", "-c", 'exec "$@" <&-', "sh", started.command, *started.args]
    run = subprocess.run(words, env=started.env, capture_output=True, check=False, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    ("words", "environment"), [(["--role", "zzz"], {}), (["--role=zzz"], {}), ([], {"TACIT_ROLE": "zzz"})]
)
def test_a_role_that_is_none_is_refused(bank: Bank, words: list[str], environment: dict[str, str]) -> None:
    """K-02: whoever misspells a role hears which there are, and does not work in another one unawares."""
    started = at(bank, {**NO_DAEMON, **environment}, *words)
    run = subprocess.run(
        [started.command, *started.args], env=started.env, input=b"", capture_output=True, check=False, timeout=60
    )
    assert run.returncode != 0
    assert b"reader" in run.stderr
    assert b"orchestrator" in run.stderr


@pytest.mark.parametrize("has_daemon", [True, False])
def test_half_a_character_gets_its_answer(bank: Bank, runtime: dict[str, str], *, has_daemon: bool) -> None:
    """V-01: a client that cuts a text in the middle of a character is answered like any other."""
    started = at(bank, runtime if has_daemon else NO_DAEMON)
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    looking = {"name": "search", "arguments": {"query": "packages \ud83d pnpm"}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": looking},
    ]
    with subprocess.Popen(
        [started.command, *started.args], env=started.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        for message in messages:
            run.stdin.write(json.dumps(message).encode() + b"\n")
            run.stdin.flush()
        run.stdout.readline()
        answer = json.loads(run.stdout.readline())
        run.stdin.close()
    assert answer["id"] == 2
    assert "notes" in answer["result"]["structuredContent"]


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the place of the daemon that was there, so that none which a session starts finds room."""
    (lock,) = folder.glob("run/*.lock")
    with lock.open("rb+") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


@pytest.mark.parametrize("begins", ["daemon", "alone"])
def test_a_killed_daemon_is_not_noticed(bank: Bank, era: str, begins: str) -> None:
    """V-01: a server whose daemon goes away while nothing is asked answers by itself, as if nothing had happened."""
    made = tempfile.TemporaryDirectory(prefix="tacit-", ignore_cleanup_errors=True)
    with made as folder, daemon(Path(folder) / "run") as running:
        environment = {"TACIT_RUNTIME_DIR": f"{folder}/run"}
        server = at(bank, environment) if begins == "daemon" else later(bank, environment, '"tools/call"')

        async def look(client: Client) -> list[Any]:
            before = await client.call_tool("review", {})
            running.kill()
            running.wait()
            with only_one(Path(folder)):
                return [before, *[await client.call_tool("review", {}) for _ in range(2)]]

        before, *after = talk(server, look, era=era)
        assert not before.is_error
        assert all(each.structured_content == before.structured_content for each in after)


def test_a_daemon_killed_at_work_ends_the_pipe(bank: Bank) -> None:
    """V-01: a host that waits for an answer is not left waiting; it starts the server anew."""
    with tempfile.TemporaryDirectory(prefix="tacit-") as folder, daemon(Path(folder) / "run") as running:
        started = at(bank, {"TACIT_RUNTIME_DIR": f"{folder}/run"})
        with subprocess.Popen(
            [started.command, *started.args], env=started.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as pipe:
            assert pipe.stdin is not None
            assert pipe.stdout is not None
            pipe.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            pipe.stdin.flush()
            assert json.loads(pipe.stdout.readline())["id"] == 1
            os.kill(running.pid, signal.SIGSTOP)
            pipe.stdin.write(b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
            pipe.stdin.flush()
            running.kill()
            assert pipe.stdout.read() == b""
            assert pipe.wait() == 0


def test_the_short_way_loads_next_to_nothing(
    bank: Bank, runtime: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """V-01: through the daemon, neither the SDK nor click, typing or asyncio is loaded."""
    monkeypatch.setenv("TACIT_RUNTIME_DIR", runtime["TACIT_RUNTIME_DIR"])
    here = f"import sys; sys.path.insert(0, {str(SOURCE)!r}); "
    code = here + f"from tacit.cli import main; main(['mcp', '--bank', {str(bank.root)!r}])"
    loaded = {name.partition(".")[0] for name in modules_loaded_by(code)}
    assert not loaded & {"mcp", "pydantic", "click", "asyncio", "socket", "typing", "pathlib", "subprocess"}


def test_without_the_extra_it_says_how_to_get_it(bank: Bank) -> None:
    """V-01: one sentence, the next step, and an exit code of its own."""
    hidden = "import sys; sys.modules['mcp'] = None; import importlib.util as u; u.find_spec = lambda *_: None; "
    run = subprocess.run(
        [sys.executable, "-c", hidden + COMMAND[1], "mcp", "--bank", str(bank.root)],
        env={**os.environ, **NO_DAEMON, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert run.returncode == 13
    assert run.stdout == ""
    assert "pip install" in run.stderr
    assert "mcp>=" in run.stderr
