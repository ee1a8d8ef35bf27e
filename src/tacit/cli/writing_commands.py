"""Commands with which a person writes, in their editor: a new note, or one that is there."""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import contextmanager
from itertools import chain, count
from typing import TYPE_CHECKING, cast

import click

from tacit import fsio
from tacit.bank.history import diff
from tacit.cli import completing, terminal
from tacit.cli.frame import bank_command
from tacit.errors import Declined, EditorFailed, FieldRefused, GuardRefused, InputRefused, TerminalNeeded
from tacit.formats import native
from tacit.messages import explain, say
from tacit.note.model import (
    Audience,
    Kind,
    Layer,
    Level,
    Note,
    Portability,
    Scope,
    Status,
    Strength,
    Timing,
    from_plain,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from enum import StrEnum
    from pathlib import Path

    from tacit.bank import Bank, Committed
    from tacit.cli.frame import Frame
    from tacit.formats.native import Document

# Guards look at so much at once; what lies across a cut is seen with the part before it.
_PIECE_CHARS = 60_000
_OVERLAP_CHARS = 4_000


@contextmanager
def written(bank: Bank, name: str, content: bytes) -> Iterator[bytes]:
    """Give what the person made of `content` in $VISUAL or $EDITOR.

    If the editor or the block that uses its text fails, what was typed is kept in a file whose place is told; no later
    edit overwrites it. The editor works outside of the bank: a text that holds what must not be kept never gets there.
    """
    folder = fsio.make_private_directory()
    draft = folder / name
    try:
        fsio.create(draft, content, sync=False, mode=0o600)
        _type(bank, draft, content)
        yield fsio.read(draft) or b""
    except BaseException:  # what was typed outlives ^C as well
        _keep(bank, name, fsio.read(draft) or b"", content)
        raise
    finally:
        fsio.remove_tree(folder)


def parsed(content: bytes, file: str, next_step: str) -> Document:
    """Return the note that was typed for `file`; raise what is wrong as something of the text, not of the file."""
    try:
        return native.parse(content, file)
    except InputRefused as error:
        details = {**error.details, "file": say("edit.text"), "next_step": next_step}
        raise type(error)(**details) from None


def _type(bank: Bank, draft: Path, content: bytes) -> None:
    """Run the editor, and again as long as a guard refuses the text and the person wants to mend it."""
    while True:
        _run(draft)
        typed = fsio.read(draft) or b""
        if typed == content:
            return
        try:
            _look_at(bank, draft.name, typed)
        except GuardRefused as error:
            try:
                terminal.ask("edit", f"{explain(error)[0]} {say('edit.again')}")
            except Declined:
                raise error from None
        else:
            return


def _keep(bank: Bank, name: str, typed: bytes, content: bytes) -> None:
    """Keep what was typed in the bank's private part, unless it holds what must not be kept."""
    if typed == content:
        return
    try:
        _look_at(bank, name, typed)
    except GuardRefused:
        click.echo(say("edit.not_kept"), err=True)
        return
    folder = bank.root / ".local" / "edit"
    fsio.make_directory(folder, mode=0o700)
    kept = _free(folder, name)
    fsio.create(kept, typed, mode=0o600)
    click.echo(say("edit.kept", file=kept), err=True)


def _look_at(bank: Bank, name: str, typed: bytes) -> None:
    """Raise GuardRefused if a guard refuses any part of a text, however long it is."""
    text = typed.decode("utf-8", "replace")
    for start in range(0, max(len(text), 1), _PIECE_CHARS):
        bank.doubts({name: text[start : start + _PIECE_CHARS + _OVERLAP_CHARS]})


def _free(folder: Path, name: str) -> Path:
    """Return a path in `folder` that no kept text has: `name`, or with a number before its ending."""
    stem, _, ending = name.rpartition(".")
    names = chain([name], (f"{stem}-{number}.{ending}" for number in count(2)))
    return next(place for each in names if not (place := folder / each).exists())


def _run(draft: Path) -> None:
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        words = shlex.split(command)
        subprocess.run([*words, os.fspath(draft)], check=True)  # noqa: S603  the person's own editor
    except subprocess.CalledProcessError as error:
        raise EditorFailed(editor=command, reason=f"it ended with code {error.returncode}") from error
    except (OSError, ValueError) as error:
        raise EditorFailed(editor=command, reason=getattr(error, "strerror", None) or error) from error


def _choice(of: type[StrEnum]) -> click.Choice[str]:
    return click.Choice([str(value) for value in of])


@bank_command("new", example='tacit new --title Pnpm --when "adding a package" --one-liner "Use pnpm, never npm."')
@click.option("--title", help="A short name.")
@click.option("--when", "when_to_load", multiple=True, help="When it matters; may be given up to three times.")
@click.option("--one-liner", help="What to do then, in one sentence.")
@click.option("--kind", type=_choice(Kind), default=Kind.OTHER.value, show_default=True)
@click.option("--layer", type=click.Choice(["L1", "L2"]), default="L1", show_default=True)
@click.option("--level", type=_choice(Level), default=Level.PRINCIPLE.value, show_default=True)
@click.option("--status", type=_choice(Status), default=Status.ACTIVE.value, show_default=True)
@click.option("--strength", type=_choice(Strength), default=Strength.VALIDATED.value, show_default=True)
@click.option("--scope", type=_choice(Scope), default=Scope.MEDIUM.value, show_default=True)
@click.option("--audience", type=_choice(Audience), default=Audience.PROJECT.value, show_default=True)
@click.option("--portability", type=_choice(Portability), default=Portability.PROJECT_ONLY.value, show_default=True)
@click.option("--timing", type=_choice(Timing), default=Timing.PRE.value, show_default=True)
@click.option("--tag", "tags", multiple=True, help="May be given several times.")
@click.option("--decision", default="", help="What was decided, and why.")
@click.option("--signals", default="", help="How to recognise the situation.")
@click.option("--alternatives", default="", help="What was not chosen.")
@click.option("--counter-signals", default="", help="When it does not hold.")
@click.option("--fact", default="", help="What verifiably happened.")
@click.option("--principle", default="", help="What to do next time.")
@click.option("--evidence", default="", help="Where it comes from.")
@click.option("--pointers", default="", help="Where to read on.")
def new_command(frame: Frame, **options: str | tuple[str, ...] | None) -> None:
    """Write a note. Without --title, --when and --one-liner your editor opens with the template.

    A note of the audience `personal` goes to your personal bank.
    """
    bank = frame.open(to_write=True)
    if not any(options[name] for name in ("title", "when_to_load", "one_liner")) and terminal.is_there():
        home, done = _from_editor(frame, bank)
    else:
        home, done = _added(frame, bank, _from_options(options))
    note_id, file = done.note_ids[0], done.files[0] if home is bank else str(home.root / done.files[0])
    told = say("new.made", id=note_id, file=file)
    if home is not bank:
        told = say("outcome.personal", id=note_id, place=home.place)
    frame.out.give({"id": note_id, "file": file, "operation_id": done.operation_id}, told)


def _added(frame: Frame, bank: Bank, note: Note) -> tuple[Bank, Committed]:
    """Add a note; one for the user alone goes to the personal bank, never into a project's git."""
    from tacit.bank import company

    bank.must_be_writable("add")
    by = frame.settle_doubts("new", bank.doubts(note))
    own = cast("Bank | None", company.made(bank)) if note.audience is Audience.PERSONAL else None
    home = own or bank
    return home, home.add([note], by=by)


def _from_options(options: dict[str, str | tuple[str, ...] | None]) -> Note:
    missing = [f"--{name}" for name, key in _REQUIRED.items() if not options[key]]
    if missing:
        message = f"{', '.join(missing)} must be given where there is no terminal for the editor."
        raise click.UsageError(message)
    if len(options["when_to_load"] or ()) > _MOST_LINES:
        raise FieldRefused(field="when to load", reason=f"there are more than {_MOST_LINES} lines")
    return from_plain(Note, {"id": "", **options})


_REQUIRED = {"title": "title", "when": "when_to_load", "one-liner": "one_liner"}
_MOST_LINES = 3


def _from_editor(frame: Frame, bank: Bank) -> tuple[Bank, Committed]:
    """Let the person write the note into the template; what cannot be saved stays in a file that is named."""
    from dataclasses import replace

    template = fsio.read(bank.root / "references/note-template.md") or b""
    with written(bank, "new.md", template) as content:
        if content == template:
            raise Declined(act="new")
        note = parsed(content, f"{Layer.DECLARATIVE.folder}/new.md", say("edit.no_new")).note
        return _added(frame, bank, replace(note, id="" if note.id == "MEM-template" else note.id))


@bank_command("edit", example="tacit edit MEM-7k3f9x2q")
@click.argument("note_id", metavar="ID", shell_complete=completing.note_ids)
def edit_command(frame: Frame, note_id: str) -> None:
    """Open a note in $VISUAL or $EDITOR, show the difference, and save it after you said yes.

    If somebody else changed the note meanwhile nothing is written and your text is kept. A text that holds a secret is
    neither saved nor kept; you are asked whether to open your editor on it again.
    """
    bank = frame.open(to_write=True)
    file = bank.locate(note_id)
    if file.startswith(Layer.CORE.folder):
        raise FieldRefused(field=file, reason="a core document is no note; open the file itself in your editor")
    if not terminal.is_there():
        raise TerminalNeeded(act="edit")
    before = fsio.read(bank.root / file) or b""
    with written(bank, file.rpartition("/")[2], before) as after:
        parsed(after, file, say("edit.no_note", id=note_id))
        if after == before:
            frame.out.give({"id": note_id, "operation_id": "", "file": file}, say("edit.same"))
            return
        frame.settle_doubts("edit", bank.doubts({file: after.decode("utf-8", "replace")}))
        frame.out.diff(diff(before, after))
        by = frame.ask("edit", say("edit.ask", id=note_id))
        done = bank.rewrite(file, after, base=fsio.digest(before), by=by)
    document: dict[str, object] = {"id": done.note_ids[0], "operation_id": done.operation_id, "file": file}
    frame.out.give(document, say("edit.made", id=done.note_ids[0]))
