"""The person's editor: open a text, and lose nothing of what comes back."""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import contextmanager
from itertools import chain, count
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.errors import EditorFailed, TacitError
from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.bank import Bank


@contextmanager
def written(bank: Bank, name: str, content: bytes) -> Iterator[bytes]:
    """Give what the person made of `content` in $VISUAL or $EDITOR.

    If the editor or the block that uses its text fails, what was typed is kept in a file whose place is told; no later
    edit overwrites it.
    """
    folder = bank.root / ".local" / "edit"
    fsio.make_directory(folder, mode=0o700)
    draft = _free(folder, name)
    fsio.create(draft, content, sync=False)
    try:
        _run(draft)
        yield fsio.read(draft) or b""
    except TacitError:
        if fsio.read(draft) != content:
            click.echo(say("edit.kept", file=draft), err=True)
            raise
        fsio.remove(draft)
        raise
    fsio.remove(draft)


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
