"""A page stays small however large the bank is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tacit.note.model import Note
from tests.web.visitors import Visitor

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 500_000
VIEWS = ("/", "/notes", "/notes?page=7", "/search?words=retries+of+service", "/health", "/audit", "/tasks")


def sizes(root: Path, count: int) -> dict[str, int]:
    """Return how large each view of a bank with so many notes is."""
    bank = Bank.init(root)
    body = "Retries grow exponentially and stop early, because the service sheds load by hanging.\n\n" * 4
    notes = [
        Note(
            id="",
            title=f"How service {number} handles its retries and time-outs",
            when_to_load=(f"changing the client of service {number}",),
            one_liner=f"Service {number} is called with at most {number % 7} retries.",
            decision=body,
            tags=(f"tag-{number % 500}",),
        )
        for number in range(count)
    ]
    added = bank.add(notes)
    views = (*VIEWS, f"/notes/{added.note_ids[0]}", f"/audit/{added.operation_id}")
    visitor = Visitor(root).enter()
    try:
        return {view: len(visitor.get(view).content) for view in views}
    finally:
        visitor.leave()


def test_lists_are_cut(tmp_path: Path) -> None:
    """X-05: no view of a bank with many notes lists them all."""
    assert max(sizes(tmp_path / ".memory", 400).values()) < MOST_BYTES / 4


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_ten_thousand_notes(tmp_path: Path) -> None:
    """U-01: with ten thousand notes no view is larger than half a megabyte."""
    assert {view: size for view, size in sizes(tmp_path / ".memory", 10_000).items() if size > MOST_BYTES} == {}
