"""tacit completion: what a shell needs to complete Tacit's commands, options and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import ShellComplete, get_completion_class

from tacit.cli.frame import bank_command

if TYPE_CHECKING:
    from tacit.cli.frame import Frame

SHELLS = ("bash", "zsh", "fish")


@bank_command("completion", example="tacit completion bash")
@click.argument("shell", type=click.Choice(SHELLS))
def command(frame: Frame, shell: str) -> None:
    """Print the completion script of SHELL: commands, options, and values such as hosts and states.

    Put it where your shell looks for completions: for bash ~/.local/share/bash-completion/completions/tacit, for zsh
    a file _tacit in a directory of $fpath, for fish ~/.config/fish/completions/tacit.fish.
    """
    made = get_completion_class(shell)
    if made is None:  # click without this shell
        raise click.UsageError(shell)
    # The plain script: click's own `source` of bash starts a bash to look at its version.
    script = ShellComplete.source(made(click.Group(), {}, "tacit", "_TACIT_COMPLETE"))
    frame.out.give({"shell": shell, "script": script}, script.strip("\n"))
