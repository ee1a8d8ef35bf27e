"""Where a part of Tacit lacks its libraries, each command on the way says so, with the line that brings them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank import extras, models
from tacit.bank.recalling import IndexStatus
from tacit.hosts import examine
from tests.cli.runner import tacit

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def bare(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bank, and a Tacit that was installed without extras."""
    monkeypatch.setattr(extras, "is_here", lambda _: False)
    monkeypatch.setattr(examine, "fire", lambda line, _: {"event": line.split()[2], "host": line.split()[4]})
    return root


@pytest.mark.parametrize(("word", "extra"), [("ui", "web"), ("mcp", "mcp"), ("serve", "server")])
def test_command_that_needs_an_extra(word: str, extra: str) -> None:
    """The error names the extra and gives the line."""
    arguments = ("--http", "8123") if word == "mcp" else ()
    done = tacit(word, *arguments)

    assert (done.code, done.error_code) == (13, "extra.missing")
    assert f"Install it: {extras.how(extra)}\n" in done.err


def test_host_is_wired_and_its_server_missed() -> None:
    """A host is wired all the same, as hooks need no extra; that its server cannot start is told, by doctor too."""
    installed = tacit("install", "claude", "--yes")
    looked = tacit("doctor")

    assert installed.code == 0
    assert f"needs the extra `mcp`, which is not installed: {extras.how('mcp')}\n" in installed.out
    assert looked.code == 1
    assert f"BAD  mcp: hosts cannot start the MCP server, the extra `mcp` is not installed: {extras.how('mcp')}\n" in (
        looked.out
    )


def test_steps_after_an_installation_are_not_told_before_it() -> None:
    """Where only the plan was shown, nothing is said of what follows once it is done."""
    assert tacit("install", "claude", "--json").document["next"] == [
        f"The MCP server of the memory needs the extra `mcp`, which is not installed: {extras.how('mcp')}"
    ]


def test_models_are_fetched_and_their_libraries_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models come as asked, with the line that makes them useful; state does not count them before."""
    monkeypatch.setattr(models, "get", lambda *_, **__: None)

    done = tacit("model", "get")

    assert done.code == 0
    assert f"until then keywords answer alone: {extras.how('semantic')}\n" in done.err
    assert tacit("state").out == "[memory: ON]\nAnswering by keywords alone.\n"


def test_index_says_what_a_model_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that cannot be used for want of libraries is followed by the next step."""
    lame = IndexStatus(1, {}, "keywords alone", (), {"m": "The model m cannot be used: numpy is not installed."})
    monkeypatch.setattr("tacit.bank.Bank.index_status", lambda _: lame)

    assert tacit("index", "status").out.endswith(f"keywords answer alone: {extras.how('semantic')}\n")
