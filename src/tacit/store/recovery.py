"""What a crash left: committed transactions are completed, the others are discarded."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import unwritable
from tacit.store import apply, journal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.audit.log import AuditLog
    from tacit.store.journal import Journal
    from tacit.store.layout import Layout


def recover(layout: Layout, log: AuditLog) -> list[str]:
    """Complete or discard every transaction that was left, in the order of their commits.

    Needs the writer lock. May itself be interrupted anywhere: the next recovery goes on where it stopped.
    Returns the conflict copies that had to be made.
    """
    kept: list[str] = []
    for directory in left_over(layout):
        if not (directory / journal.NAME).exists():
            fsio.remove_tree(directory)
            continue
        record = journal.read(directory)
        if record is None:
            # A journal appears only after its bytes were synced, so this is damage by the disk or by hand.
            fsio.make_directory(layout.conflicts, mode=0o700)
            layout.hide()
            fsio.rename(directory, layout.conflicts / f"damaged-{directory.name}")
            kept.append(f"conflicts/damaged-{directory.name}")
            continue
        # Its writer may have died before the journal's name was durable, and all that follows must not outlive it.
        fsio.sync_directory(directory)
        kept += apply.roll_forward(layout, log, directory, record)
    return kept


def left_over(layout: Layout) -> list[Path]:
    """Return the directories of unfinished transactions, oldest first; empty means that there is nothing to do."""
    try:
        names = os.listdir(layout.staging)  # noqa: PTH208  every read of a file asks this, and it is hardly ever one
        return [layout.staging / name for name in sorted(names) if name.startswith("tx-")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise unwritable(error) from error


def committed(layout: Layout) -> Iterator[tuple[Path, Journal]]:
    """Yield the transactions that are committed and not yet finished, oldest first, without touching them."""
    for directory in left_over(layout):
        record = journal.read(directory)
        if record is not None:
            yield directory, record
