"""`tacit` alone: where you are and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank, State, extras, models
from tacit.cli import main
from tacit.note.model import Note
from tests.cli.runner import tacit, write
from tests.project.loaded import modules_loaded_by

if TYPE_CHECKING:
    from pathlib import Path

NOTE = Note(id="MEM-one", title="One", when_to_load=("adding a package",), one_liner="Use pnpm.")


@pytest.fixture(autouse=True)
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """All extras are here unless a test takes one away."""
    monkeypatch.setattr(extras, "is_here", lambda _: True)


def steps() -> list[str]:
    """Return the commands that status proposes."""
    return [each["command"] for each in tacit("status", "--json").document["next"]]


def test_without_a_bank_it_says_how_to_make_one(project: Path) -> None:
    """Where there is no bank that is said, and the next step with it; it is no error."""
    done = tacit()

    assert (done.code, done.err) == (0, "")
    assert f"Bank       none at {project} or above\n" in done.out
    assert "  tacit init  makes a bank here\n" in done.out
    assert done.out == tacit("status").out


def test_an_older_bank_is_brought_over_first(project: Path) -> None:
    """E-03: where there is a bank of an older structure, the next step is refresh; in a folder below too."""
    write(project / "memory-bank/other.md", "# No bank\n")
    assert steps() == ["tacit init"]
    write(project / "memory-bank/brief.md", "# Brief\n")

    assert steps() == ["tacit refresh"]
    assert "  tacit refresh  brings the older memory bank over" in tacit().out


def test_bank_that_was_named_must_exist(project: Path) -> None:
    """A bank that was named and is not there is an error with its next step."""
    done = tacit("status", "--bank", project / "nowhere")

    assert (done.code, done.error_code) == (4, "bank.not_found")


def test_bank_is_shown_at_a_glance(root: Path) -> None:
    """Bank, state, notes, questions, index, models, hosts and the next steps are on one screen."""
    Bank.open(root).add([NOTE])

    assert tacit("status").out == (
        "tacit 0.1.0\n"
        f"  Bank       {root}\n"
        "  State      ON\n"
        "  Notes      1\n"
        "  Questions  none\n"
        "  Index      not made yet; the first question makes it\n"
        "  Recall by  keywords alone\n"
        "  Hosts      none\n"
        "Next:\n"
        "  tacit install     lists the coding agents, and wires one to the memory\n"
        '  tacit recall "…"  says what is worth knowing before some work\n'
        "  tacit model get   lets notes be found by their meaning too\n"
        "All commands: tacit --help\n"
    )


def test_chinese(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in Chinese, in columns that count wide characters."""
    monkeypatch.setenv("TACIT_LANG", "zh")

    shown = tacit("status").out

    assert f"  记忆库        {root}\n" in shown
    assert "  待回答的问题  无\n" in shown
    assert "下一步：\n" in shown


def test_what_is_urgent_comes_first(root: Path) -> None:
    """Questions that wait, then files that are not in use, then what a new bank lacks; never more than three."""
    bank = Bank.open(root)
    assert steps() == ['tacit remember "…"', "tacit install", "tacit model get"]
    bank.add([NOTE])
    bank.propose_act("delete", "MEM-one")
    write(root / "L1_declarative/MEM-broken.md", "no note")

    assert steps() == ["tacit review", "tacit check", "tacit install"]


def test_hosts_that_are_wired_are_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was installed for this project is shown; a server that cannot start is the next step."""
    assert root.is_dir()
    assert tacit("install", "claude", "--yes").code == 0
    monkeypatch.setattr(extras, "is_here", lambda extra: extra != "mcp")

    assert tacit("status", "--json").document["hosts"] == [{"host": "claude", "scope": "project"}]
    assert steps()[1] == extras.how("mcp")


def test_models_need_their_libraries_first(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the libraries the step towards meaning is the line that brings them."""
    assert root.is_dir()
    monkeypatch.setattr(extras, "is_here", lambda extra: extra != "semantic")

    assert steps()[-1] == extras.how("semantic")
    assert models.mode_here() == "keywords alone"
    assert f"  {extras.how('semantic')}\n    lets notes be found by their meaning too\n" in tacit("status").out


@pytest.mark.parametrize("state", [State.OFF, State.PAUSED])
def test_bank_that_is_not_on_is_turned_on_first(root: Path, state: State) -> None:
    """A bank that may not be written has one next step; one that may not be read is not counted."""
    Bank.open(root).set_state(state)

    assert steps() == ["tacit state on"]
    assert f"Notes      {'-' if state is State.OFF else 0}\n" in tacit("status").out


def test_index_that_is_there_is_shown(root: Path) -> None:
    """After the first question the index is there."""
    bank = Bank.open(root)
    bank.add([NOTE])
    bank.recall("adding a package")

    assert tacit("status", "--json").document["index"] == "here"


def test_entry_point_without_words_shows_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`tacit` with nothing behind it is `tacit status`."""
    with pytest.raises(SystemExit) as ended:
        main([])

    assert ended.value.code == 0
    assert str(project) in capsys.readouterr().out


def test_it_starts_light(root: Path) -> None:
    """Nothing that judges, searches or serves is loaded to show where one is."""
    loaded = modules_loaded_by(f"from tacit.cli import main; main(['status', '--bank', {str(root)!r}])")

    heavy = ("numpy", "sqlite3", "yaml", "tomlkit", "mcp", "starlette", "importlib.metadata", "tacit.hosts.catalogue")
    assert not {name for name in loaded if name.startswith((*heavy, "tacit.govern.statement", "tacit.bank.recalling"))}


def test_misspelt_command_is_recognised() -> None:
    """A word that is nearly a command is answered with that command."""
    done = tacit("instal")

    assert done.code == 2
    assert "There is no command 'instal'. Did you mean `tacit install`?" in done.err


def test_words_of_other_tools_are_recognised() -> None:
    """Who types what other tools call it is told the word, and not one that only looks alike."""
    assert "Did you mean `tacit search`?" in tacit("find", "x").err
    assert "Did you mean `tacit delete`?" in tacit("rm", "x").err
    assert "Did you mean `tacit --help`?" in tacit("help").err
