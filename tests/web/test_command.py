"""`tacit ui` as a process: what it prints, whom it serves, how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import urllib.error
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tacit.bank import extras
from tacit.web import serve
from tests.cli.runner import TACIT, environment, tacit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest

    from tacit.bank import Bank


@contextmanager
def running(root: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run `tacit ui` for a while."""
    process = subprocess.Popen(
        [TACIT, "ui", "--no-browser", "--bank", str(root), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=environment(),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def status_of(address: str) -> int:
    """Return with what an address answers."""
    try:
        with urllib.request.urlopen(address, timeout=30) as page:  # noqa: S310  our own address
            return int(page.status)
    except urllib.error.HTTPError as refused:
        refused.close()
        return refused.code


def test_link_is_printed_first_and_works_once(bank: Bank) -> None:
    """U-01: the first line is the link alone; it lets one browser in, and the process ends with ^C."""
    with running(bank.root) as process:
        assert process.stdout is not None
        link = process.stdout.readline().strip()
        assert link.startswith("http://127.0.0.1:")

        assert [status_of(link), status_of(link), status_of(link.partition("/open")[0])] == [200, 403, 403]
    assert process.returncode == 0


def test_json_and_port(bank: Bank) -> None:
    """U-01: for programs the link is in a document; the port can be chosen, and one that is taken is told."""
    with serve.listen(0) as free:
        port = free.getsockname()[1]
        taken = tacit("ui", "--no-browser", "--bank", bank.root, "--port", str(port))
    with running(bank.root, "--json", "--port", str(port)) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        while not lines[-1].startswith("}"):
            lines.append(process.stdout.readline())
    document = json.loads("".join(lines))

    assert document["schema"] == "tacit.ui/1"
    assert document["link"].startswith(f"http://127.0.0.1:{port}/open?key=")
    assert (taken.code, taken.error_code) == (7, "ui.port")


def test_browser_is_opened_on_the_link(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """U-01: without --no-browser the user's browser opens the link."""
    opened: list[str] = []

    def run(_: Bank, port: int, ready: Callable[[str], None]) -> None:
        ready(f"http://127.0.0.1:{port}/open?key=x")

    monkeypatch.setattr(serve, "run", run)
    monkeypatch.setattr("webbrowser.open", opened.append)

    done = tacit("ui", "--bank", bank.root, "--port", "8123")
    quiet = tacit("ui", "--bank", bank.root, "--no-browser")

    assert (done.code, done.out) == (0, "http://127.0.0.1:8123/open?key=x\n")
    assert opened == ["http://127.0.0.1:8123/open?key=x"]
    assert quiet.code == 0


def test_missing_libraries_are_named(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without what the page needs, the command says how to get it."""
    monkeypatch.setattr(extras, "find_spec", lambda _: None)

    done = tacit("ui", "--bank", bank.root)

    assert (done.code, done.error_code) == (13, "extra.missing")
    assert "starlette>=" in done.err
