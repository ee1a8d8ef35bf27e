"""OpenCode's plugin, run by Node as OpenCode runs it, with the real hook behind it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tacit import Bank
from tacit.hosts import launcher, shipped
from tacit.note.model import Note
from tests.hooks.events import PROMPT

if TYPE_CHECKING:
    from pathlib import Path

# A host with one session of the user's, and one in which an agent works for another.
_HOST = """
import { TacitPlugin } from "./tacit.mjs"
const sessions = { own: {}, task: { parentID: "own" } }
const client = { session: { get: async ({ path }) => ({ data: sessions[path.id] }) } }
const plugin = await TacitPlugin({ directory: process.argv[2], client })
const said = {}
for (const sessionID of ["own", "task", "unknown"]) {
  const output = { message: { id: `m-${sessionID}` }, parts: [{ type: "text", text: process.argv[3] }] }
  await plugin["chat.message"]({ sessionID }, output)
  said[sessionID] = output.parts.slice(1).map((part) => part.text)
}
console.log(JSON.stringify(said))
"""


@pytest.mark.parametrize("is_installed", [True, False])
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not here")
def test_what_one_agent_says_to_another_is_not_taken_for_the_users_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_installed: bool
) -> None:
    """P-03: a session that an agent opened for another is not heard; the user's own is, and is told what fits.

    Where nothing was installed, as with the plugin of a checkout, it calls the `tacit` on the PATH.
    """
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TACIT_RUNTIME_DIR", "/nowhere/" + "x" * 120)
    (tmp_path / ".git").mkdir()
    bank = Bank.init(tmp_path)
    bank.add([Note(id="", title="Packages", when_to_load=("adding a package",), one_liner="Use pnpm, never npm.")])
    script = launcher.path(tmp_path / "home") if is_installed else tmp_path / "bin/tacit"
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    script.parent.mkdir(parents=True)
    script.write_text(launcher.script(tmp_path / "home"), encoding="utf-8")
    script.chmod(0o755)
    (tmp_path / "tacit.mjs").write_text(shipped.text("opencode/tacit.js"), encoding="utf-8")
    (tmp_path / "host.mjs").write_text(_HOST, encoding="utf-8")

    run = subprocess.run(["node", tmp_path / "host.mjs", tmp_path, PROMPT], capture_output=True, check=True, timeout=60)
    said = json.loads(run.stdout)
    assert "Use pnpm, never npm." in "".join(said["own"])
    assert said["task"] == []
    assert "Use pnpm, never npm." in "".join(said["unknown"])
    assert bank.session("task").prompts() == ()
