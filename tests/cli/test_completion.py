"""Completion as the shells themselves ask for it: each script is run by its shell, where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from tacit.bank import Bank
from tacit.cli import completing
from tacit.cli.app import COMMANDS, app
from tacit.note.model import Note
from tacit.settings import SETTINGS
from tests.cli.runner import TACIT, environment, tacit
from tests.project.loaded import modules_loaded_by

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

BASH = """
eval "$(tacit completion bash)"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_tacit_completion tacit
printf '%s\\n' "${COMPREPLY[@]}"
"""
# zsh asks its completion system for the words; they are shown instead of offered.
ZSH = """
compdef() { : }
_describe() { print -l -- "${(@P)3}" }
compadd() { print -l -- "${(@P)argv[-1]}" }
eval "$(tacit completion zsh)"
words=("$@") CURRENT=$#
_tacit_completion
"""
FISH = """
tacit completion fish | source
complete --do-complete "$argv"
"""


def asked(shell: str, *words: str) -> list[str]:
    """Return what a shell would offer for the last of the words, without the descriptions."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script, given = {
        "bash": (BASH, ["_", *words]),
        "zsh": (ZSH, ["_", *words]),
        "fish": (FISH, [" ".join(words)]),
    }[shell]
    path = f"{Path(TACIT).parent}{os.pathsep}{os.environ['PATH']}"
    plain = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [shell, *plain, "-c", script, *given],
        env=environment(PATH=path),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    return [line.partition("\t")[0].partition(":")[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shell_completes_commands_options_and_values(shell: str, root: Path) -> None:
    """Each shell offers commands, options, hosts and the ids of the bank's notes."""
    Bank.open(root).add([Note(id="MEM-one", title="One", when_to_load=("w",), one_liner="l")])

    assert asked(shell, "tacit", "rec") == ["recall"]
    assert "--layer" in asked(shell, "tacit", "move", "--")
    assert asked(shell, "tacit", "install", "cl") == ["claude", "cline"]
    assert asked(shell, "tacit", "show", "MEM-") == ["MEM-one"]
    assert set(asked(shell, "tacit", "")) == set(COMMANDS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_is_also_a_document(shell: str) -> None:
    """Programs get the script as JSON."""
    document = tacit("completion", shell, "--json").document

    assert document["shell"] == shell
    assert document["script"].strip() == tacit("completion", shell).out.strip()


def test_unknown_shell_is_refused() -> None:
    """A shell that has no script is named with those that have one."""
    done = tacit("completion", "tcsh")

    assert done.code == 2
    assert "'bash', 'zsh', 'fish'" in done.err


def test_completing_a_command_loads_none() -> None:
    """Offering the commands imports no command and no bank."""
    code = "from tacit.cli.app import app; import click; assert app.shell_complete(click.Context(app), 're')"

    assert not {name for name in modules_loaded_by(code) if name.startswith(("tacit.bank", "tacit.cli.frame"))}


def test_options_of_tacit_itself_are_completed() -> None:
    """Before a command, options are offered."""
    assert "--version" in {item.value for item in app.shell_complete(click.Context(app), "--")}


@pytest.mark.parametrize(
    ("offer", "begun", "offered"),
    [
        (completing.note_ids, "", []),
        (completing.setting_names, "trash.", [each.name for each in SETTINGS if each.name.startswith("trash.")]),
        (completing.model_names, "arc", ["arctic-embed-s"]),
    ],
    ids=["no bank", "settings", "models"],
)
def test_values_that_are_offered(
    project: Path,  # without a bank
    offer: Callable[..., list[CompletionItem]],
    begun: str,
    offered: list[str],
) -> None:
    """Settings and models are offered by name; without a bank there is no note to offer, and that is no error."""
    assert project.is_dir()
    parameter = click.Argument(["what"])
    assert [item.value for item in offer(click.Context(app), parameter, begun)] == offered
