"""The protocol's own inspector talks to `tacit mcp`, where npm can fetch it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.mcp.clients import COMMAND, SOURCE
from tests.mcp.test_stdio import NO_DAEMON

if TYPE_CHECKING:
    from tacit.bank import Bank


VERSION = "0.15.0"
_FETCH_S = 180


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command of the inspector: TACIT_TEST_INSPECTOR, or one that npm puts beside the environment, once."""
    named = os.environ.get("TACIT_TEST_INSPECTOR")
    if named:
        return [named]
    place = Path(sys.prefix) / f"inspector-{VERSION}"
    if not place.exists():
        fetched = tmp_path_factory.mktemp("inspector") / "npm"
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(fetched)]
        try:
            subprocess.run(
                [*words, f"@modelcontextprotocol/inspector@{VERSION}"],
                capture_output=True,
                check=True,
                timeout=_FETCH_S,
            )
        except (OSError, subprocess.SubprocessError):
            pytest.skip("npm cannot fetch the MCP Inspector here; name one with TACIT_TEST_INSPECTOR")
        shutil.move(fetched, place)
    return [str(place / "node_modules/.bin/mcp-inspector")]


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
