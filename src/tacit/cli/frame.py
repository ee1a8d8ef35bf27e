"""What all commands have in common: the bank, the way out, and how errors end."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.audit.record import Channel
from tacit.bank import Bank, By, State
from tacit.cli import terminal
from tacit.cli.output import Output
from tacit.errors import TacitError
from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable

    Act = Callable[..., "int | None"]

# The word of somebody who typed a command; nobody was asked.
COMMAND = By(Channel.COMMAND)


class Frame:
    """The surroundings of one command."""

    def __init__(self, bank: Path | None, output: Output) -> None:
        self.bank_path = bank
        self.out = output

    def open(self, *, to_write: bool = False, heal: bool = True) -> Bank:
        """Open the bank; where it has no state yet and is to be written, ask on the terminal whether to turn it on."""
        bank = Bank.open(self.bank_path, heal=heal, one_question=not to_write)
        for file in bank.kept_aside:
            self.out.warn(say("heal.conflict", file=file))
        if not bank.has_state:
            self.out.warn(say("state.missing"))
            if to_write and terminal.is_there():
                terminal.ask("turn on", say("state.ask"))
                bank.set_state(State.ON, by=By(Channel.TERMINAL))
        return bank

    def ask(self, act: str, question: str) -> By:
        """Ask a person on the controlling terminal; return whose word it is. Raises TerminalNeeded or Declined."""
        terminal.ask(act, question)
        return By(Channel.TERMINAL)


def bank_command(name: str, *, example: str, word: str = "") -> Callable[[Act], click.Command]:
    """Make a command of a function: `--bank` and `--json`, an example in the help, errors as sentences and codes."""

    def make(act: Act) -> click.Command:
        @click.option(
            "--bank",
            type=click.Path(path_type=Path),
            envvar="TACIT_BANK",
            help="Directory of the bank (default: the nearest going up).",
        )
        @click.option("--json", "as_json", is_flag=True, help="Print one JSON document for programs.")
        @functools.wraps(act)
        def run(bank: Path | None, *, as_json: bool, **options: object) -> None:
            output = Output(word or name, as_json=as_json)
            try:
                code = act(Frame(bank, output), **options)
            except TacitError as error:
                output.fail(error)
                sys.exit(error.exit_code)
            except BrokenPipeError:
                sys.exit(0)
            sys.exit(code or 0)

        return click.command(name, epilog=f"Example: {example}", help=act.__doc__)(run)

    return make
