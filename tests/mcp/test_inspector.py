"""The protocol's own inspector talks to `tacit mcp`, where node and the inspector are at hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp.clients import COMMAND, SOURCE
from tests.mcp.test_stdio import NO_DAEMON

if TYPE_CHECKING:
    from tacit.bank import Bank


@pytest.fixture(scope="module")
def inspector() -> list[str]:
    """The command of the inspector: TACIT_TEST_INSPECTOR, or what npx has without fetching anything."""
    named = os.environ.get("TACIT_TEST_INSPECTOR")
    if named:
        return [named]
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("npx is not installed")
    command = [npx, "--no-install", "@modelcontextprotocol/inspector"]
    if subprocess.run([*command, "--help"], capture_output=True, check=False, timeout=60).returncode:
        pytest.skip("the MCP Inspector is not installed; name one with TACIT_TEST_INSPECTOR")
    return command


def inspect(inspector: list[str], bank: Bank, *words: str) -> dict[str, Any]:
    """What the inspector prints for one method."""
    server = [sys.executable, *COMMAND, "--bank", str(bank.root)]
    run = subprocess.run(
        [*inspector, "--cli", *server, *words],
        env={**os.environ, **NO_DAEMON, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout))


def test_the_inspector_lists_and_calls(inspector: list[str], bank: Bank) -> None:
    """V-01: its tools are listed and called by the protocol's own client."""
    tools = inspect(inspector, bank, "--method", "tools/list")["tools"]
    assert {"recall", "propose", "review"} <= {tool["name"] for tool in tools}
    called = inspect(inspector, bank, "--method", "tools/call", "--tool-name", "review")
    assert called["structuredContent"]["notes"] == 1
