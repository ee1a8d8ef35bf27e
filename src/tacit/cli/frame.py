"""What all commands have in common: the bank, the way out, and how errors end."""

from __future__ import annotations

import functools
import io
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tacit.audit.record import Channel
from tacit.bank import Bank, By, State, guarding
from tacit.cli import terminal
from tacit.cli.output import Output
from tacit.errors import AnswerNeeded, GuardRefused, NoteNotFound, TacitError, unwritable
from tacit.messages import prefer, say

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.guards import Finding

    Act = Callable[..., "int | None"]

# The word of somebody who typed a command; nobody was asked.
COMMAND = By(Channel.COMMAND)


class Frame:
    """The surroundings of one command."""

    def __init__(self, act: str, bank: Path | None, output: Output) -> None:
        self.act = act
        self.bank_path = bank
        self.out = output
        self._opened: Bank | None = None

    def open(self, *, to_write: bool = False, heal: bool = True, settle: bool = True) -> Bank:
        """Open the bank; to write, its state must allow it.

        Where it has no state yet and is to be written, the person is asked on the terminal whether to turn it on.
        """
        # A command that writes makes INDEX.md anew in its own transaction.
        bank = Bank.open(self.bank_path, settle=settle, heal=heal and not to_write, one_question=not to_write)
        self._opened = bank
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
        elif heal and bank.has_stale_index():
            self.out.warn(say("heal.stale"))
        return bank

    def placed(self, error: TacitError) -> TacitError:
        """Return the error; where a note is missing that recall may name, one that says where it is."""
        if not isinstance(error, NoteNotFound) or self._opened is None:
            return error
        note_id = str(error.details["id"])
        with suppress(TacitError, OSError):
            found = self._opened.elsewhere(note_id)
            if found is not None:
                key = "note.of_bank" if found.place else "note.of_team"
                return NoteNotFound(id=note_id, nearest=say(key, id=note_id, bank=found.place))
        return error

    def ask(self, act: str, question: str) -> By:
        """Ask a person on the controlling terminal; return whose word it is. Raises TerminalNeeded or Declined."""
        terminal.ask(act, question)
        return By(Channel.TERMINAL)

    def ask_or_propose(self, bank: Bank, act: str, what: str, question: str) -> By:
        """Ask a person; where there is no terminal, keep the act as a proposal and raise AnswerNeeded."""
        if terminal.is_there():
            return self.ask(act, question)
        raise AnswerNeeded(act=act, proposal=bank.propose_act(act, what, by=COMMAND))

    def settle_doubts(self, act: str, findings: Sequence[Finding]) -> By:
        """Ask a person about what a guard doubts, and return whose word the text is.

        Raises GuardRefused where there is no terminal, Declined for a no.
        """
        if not findings:
            return COMMAND
        kinds = ", ".join(map(guarding.shown, findings))
        if not terminal.is_there():
            raise GuardRefused(place=guarding.place(findings[0]), kind=guarding.kind(findings[0]))
        return self.ask(act, say("guard.ask", kinds=kinds))


class NamedPath(click.Path):
    """A path as somebody named it. An empty one, a variable without a value say, would mean the working directory."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401  click's
        """Return the path; an empty one is a mistake."""
        if not value:
            self.fail("The path is empty; write . for this directory.", param, ctx)
        return super().convert(value, param, ctx)


def project_root() -> Path:
    """Return the root of the git project around the working directory, or that directory itself."""
    here = Path.cwd()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)


def bank_command(name: str, *, example: str, of: click.Group | None = None) -> Callable[[Act], click.Command]:
    """Make a command of a function: `--bank` and `--json`, an example in the help, errors as sentences and codes.

    One that is a part of another command is added to that.
    """
    words = f"{of.name} {name}" if of else name

    def make(act: Act) -> click.Command:
        @click.option(
            "--bank",
            type=NamedPath(path_type=Path),
            envvar="TACIT_BANK",
            help="Directory of the bank (default: the nearest going up).",
        )
        @click.option("--json", "as_json", is_flag=True, help="Print one JSON document for programs.")
        @functools.wraps(act)
        def run(bank: Path | None, *, as_json: bool, **options: object) -> None:
            output = Output(words.replace(" ", "-"), as_json=as_json)
            frame = Frame(words, bank, output)
            prefer("auto")
            try:
                code = act(frame, **options)
                output.finish()
            except BrokenPipeError:
                sys.stdout = io.StringIO()  # what the real one has not written would be an error when Python ends
                sys.exit(0)
            except (TacitError, OSError) as error:
                told = unwritable(error) if isinstance(error, OSError) else frame.placed(error)
                output.fail(told)
                sys.exit(told.exit_code)
            finally:
                prefer("auto")
            sys.exit(code or 0)

        whole = " ".join((act.__doc__ or "").partition("\n\n")[0].split())  # click would cut it off
        command = click.command(name, epilog=f"Example: {example}", help=act.__doc__, short_help=whole)(run)
        if of is not None:
            of.add_command(command)
        return command

    return make
