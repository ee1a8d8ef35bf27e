"""The person's editor: open a text, and lose nothing of what comes back."""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from tacit import fsio
from tacit.errors import TacitError
from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tacit.bank import Bank


@contextmanager
def written(bank: Bank, name: str, content: bytes) -> Iterator[bytes]:
    """Give what the person made of `content` in $VISUAL or $EDITOR.

    If the block that uses it fails, the text is kept in a file whose place is told.
    """
    folder = bank.root / ".local" / "edit"
    fsio.make_directory(folder, mode=0o700)
    draft = folder / name
    fsio.remove(draft)
    fsio.create(draft, content, sync=False)
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    try:
        subprocess.run([*words, os.fspath(draft)], check=True)  # noqa: S603  the person's own editor
    except (OSError, subprocess.CalledProcessError) as error:
        message = f"The editor {words[0]!r} did not finish: {error}. Set EDITOR to the one you use."
        raise click.ClickException(message) from error
    try:
        yield fsio.read(draft) or b""
    except TacitError:
        click.echo(say("edit.kept", file=draft), err=True)
        raise
    fsio.remove(draft)
