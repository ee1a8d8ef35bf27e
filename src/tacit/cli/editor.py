"""The person's editor: open a text, and lose nothing of what comes back that may be kept."""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import contextmanager
from itertools import chain, count
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.cli import terminal
from tacit.errors import Declined, EditorFailed, GuardRefused, InputRefused
from tacit.formats import native
from tacit.messages import explain, say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.bank import Bank
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
