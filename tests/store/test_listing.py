"""The list of notes: changed step by step it is the list that is made anew."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tacit.store.listing import Listing


class Row(NamedTuple):
    """A note, as far as a list of notes knows it."""

    id: str
    row: str


FILES = [f"{folder}/MEM-{name}.md" for folder in ("L1_declarative", "L2_procedural") for name in "abc"]
NOTES = st.builds(Row, st.sampled_from(["MEM-a", "MEM-b", "MEM-c", "CORE-d"]), st.sampled_from(["| one |", "| two |"]))
BANKS = st.dictionaries(st.sampled_from(FILES), NOTES)


@given(BANKS, st.lists(st.dictionaries(st.sampled_from(FILES), st.none() | NOTES), max_size=6))
def test_a_list_changed_step_by_step_is_the_list_made_anew(
    bank: dict[str, Row], steps: list[dict[str, Row | None]]
) -> None:
    """I-01, I-02: whichever way the list came about, ids that two files claim included, it says the same."""
    listing = Listing.of(bank)
    for step in steps:
        now = {file: note for file, note in {**bank, **step}.items() if note is not None}
        listing = listing.after(bank, now, step)
        bank = now
        assert listing.winners == Listing.of(now).winners
        assert listing.index() == Listing.of(now).index()


def test_a_list_is_not_changed_by_what_follows_it() -> None:
    """Several looks may share one list, so the next one is a list of its own."""
    bank = {"L1_declarative/MEM-a.md": Row("MEM-a", "| one |")}
    listing = Listing.of(bank)
    before = (dict(listing.winners), listing.index())

    listing.after(bank, {}, bank)

    assert (listing.winners, listing.index()) == before
