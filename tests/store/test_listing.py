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
        listing = listing.after(bank, now, step) or Listing.of(now)
        bank = now
        assert listing.winners == Listing.of(now).winners
        assert listing.index() == Listing.of(now).index()


def test_a_long_list_changed_step_by_step_is_the_list_made_anew() -> None:
    """I-01: pages grow, part, shrink and go, and the list stays the one that is made anew."""
    bank: dict[str, Row] = {}
    listing = Listing.of(bank)
    numbers = [number * 7 % 1_500 for number in range(1_500)]
    steps = [numbers[start : start + 50] for start in range(0, 1_500, 50)]
    for turn, step in enumerate([*steps, *steps]):
        files = {f"L1_declarative/MEM-{number:04}.md": Row(f"MEM-{number:04}", f"| {number} |") for number in step}
        now = {**bank, **files} if turn < len(steps) else {file: bank[file] for file in bank.keys() - files.keys()}
        following = listing.after(bank, now, files)
        assert following is not None
        assert (following.winners, following.index()) == (Listing.of(now).winners, Listing.of(now).index())
        assert {each.id: following.file_of(each.id) for each in now.values()} == following.winners
        bank, listing = now, following
    assert not bank
    assert listing.file_of("MEM-0000") == ""


def test_a_list_is_not_changed_by_what_follows_it() -> None:
    """Several looks may share one list, so the next one is a list of its own."""
    bank = {"L1_declarative/MEM-a.md": Row("MEM-a", "| one |")}
    listing = Listing.of(bank)
    before = (dict(listing.winners), listing.index())

    listing.after(bank, {}, bank)

    assert (listing.winners, listing.index()) == before
