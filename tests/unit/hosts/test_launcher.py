"""The script that hosts call: it leads to Tacit, and to nothing where Tacit is gone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tacit.hosts import launcher


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script in a home of its own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    made = launcher.path(tmp_path / ".tacit")
    made.parent.mkdir(parents=True)
    made.write_text(launcher.script(tmp_path / ".tacit"), encoding="utf-8")
    made.chmod(0o755)
    return made


def run(*words: str | Path, **variables: str) -> tuple[int, str]:
    """Run a command with an empty event; return its exit code and output."""
    done = subprocess.run(
        words,
        input="{}",
        capture_output=True,
        encoding="utf-8",
        check=False,
        env={"PATH": "/usr/bin:/bin", **variables},
    )
    return done.returncode, done.stdout


def test_it_leads_to_the_command(script: Path) -> None:
    """Whatever is no hook goes to the command."""
    code, out = run(script, "--version")
    assert (code, out.partition(" ")[0]) == (0, "tacit")


def test_a_hook_that_is_turned_off_says_nothing(script: Path) -> None:
    """The hook's way reads its environment as ever."""
    assert run(script, "hook", "prompt", TACIT_DISABLE="1") == (0, "")


def test_without_tacit_a_hook_is_silent(script: Path) -> None:
    """Where the interpreter or the package is gone, a host goes on as if nothing were wired."""
    text = script.read_text(encoding="utf-8")
    script.write_text(text.replace("script=", "script=/gone"), encoding="utf-8")
    assert run(script, "hook", "prompt") == (0, "")


def test_the_line_of_a_hook_never_fails(tmp_path: Path) -> None:
    """W-02: in a clone, where the script is not there at all, the line ends well and prints nothing."""
    line = f"{launcher.hook_word(Path.home() / '.tacit')} hook prompt --host claude || true"
    assert run("sh", "-c", line, HOME=str(tmp_path)) == (0, "")


def test_the_server_is_started_without_this_users_home_where_others_share_the_file(tmp_path: Path) -> None:
    """In a project's file the words are the same for everybody; in the user's own they are direct."""
    usual = Path.home() / ".tacit"
    assert launcher.server_words(usual, is_shared=True) == ("sh", "-c", 'exec "$HOME/.tacit/bin/tacit" mcp')
    assert launcher.server_words(usual, is_shared=False) == (str(usual / "bin/tacit"), "mcp")
    assert launcher.server_words(tmp_path, is_shared=True) == (str(tmp_path / "bin/tacit"), "mcp")
