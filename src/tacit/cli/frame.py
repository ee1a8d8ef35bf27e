"""What all commands have in common: the bank, the way out, and how errors end."""

from __future__ import annotations

import functools
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tacit.audit.record import Channel
from tacit.bank import Bank, By, State
from tacit.cli import terminal
from tacit.cli.output import Output
from tacit.errors import TacitError, unwritable
from tacit.messages import prefer, say

if TYPE_CHECKING:
    from collections.abc import Callable

    Act = Callable[..., "int | None"]

# The word of somebody who typed a command; nobody was asked.
COMMAND = By(Channel.COMMAND)


class Frame:
    """The surroundings of one command."""

    def __init__(self, act: str, bank: Path | None, output: Output) -> None:
        self.act = act
        self.bank_path = bank
        self.out = output

    def open(self, *, to_write: bool = False, heal: bool = True, settle: bool = True) -> Bank:
        """Open the bank; to write, its state must allow it.

        Where it has no state yet and is to be written, the person is asked on the terminal whether to turn it on.
        """
        # A command that writes makes INDEX.md anew in its own transaction.
        bank = Bank.open(self.bank_path, settle=settle, heal=heal and not to_write, one_question=not to_write)
        prefer(bank.settings.text("language"))
        for file in bank.kept_aside:
            self.out.warn(say("heal.conflict", file=file))
        if not bank.has_state:
            self.out.warn(say("state.missing"))
            if to_write and terminal.is_there():
                terminal.ask("turn on", say("state.ask"))
                bank.set_state(State.ON, by=By(Channel.TERMINAL))
        if to_write:
            bank.must_be_writable(self.act)
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
            prefer("auto")
            try:
                code = act(Frame((word or name).replace("-", " "), bank, output), **options)
            except BrokenPipeError:
                sys.stdout = io.StringIO()  # what the real one has not written would be an error when Python ends
                sys.exit(0)
            except (TacitError, OSError) as error:
                told = unwritable(error) if isinstance(error, OSError) else error
                output.fail(told)
                sys.exit(told.exit_code)
            finally:
                prefer("auto")
            sys.exit(code or 0)

        return click.command(name, epilog=f"Example: {example}", help=act.__doc__)(run)

    return make
