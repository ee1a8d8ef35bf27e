"""What speaks for which reading of two notes that no clear rule decides."""

from __future__ import annotations

import pytest

from tacit.govern import relation, signals, weighing, weights
from tacit.govern.relation import Floors
from tacit.govern.weighing import Reading
from tacit.note.model import Note
from tacit.note.payload import Relation


def note(when: str, decision: str, alternatives: str = "") -> Note:
    """A note of which only scene, choice and what was turned down matter."""
    return Note(
        id="MEM-x",
        title=decision,
        when_to_load=(when,),
        one_liner=f"{when}: {decision}",
        decision=decision,
        alternatives=alternatives,
    )


def test_a_clear_rule_leaves_nothing_to_weigh() -> None:
    """G-03: where the structure decides, no signal is weighed; elsewhere each has its value."""
    new, old = note("adding a package", "use npm"), note("adding a package", "use pnpm", "- use npm")
    assert relation.weighed(new, old, None, Floors()) is None
    found = relation.weighed(note("the importer runs", "log it"), note("changing the importer", "ask"), None, Floors())
    assert found is not None
    assert found.keys() == weights.BY_WORDS[0].keys() - {"bias"}


def test_two_notes_about_one_thing_mostly_both_hold() -> None:
    """G-01: what is about one thing and settles two questions is left alone."""
    new = note("the importer runs", "never start a second one on the same file")
    old = note("changing the importer", "keep the order of the files")
    assert relation.judge(new, old).relation is Relation.COMPLEMENTARY


def test_the_first_reader_is_heard_unless_the_second_is_sure() -> None:
    """G-01: two who share their words are left alone, what nothing names is asked about; in doubt the first decides."""
    sides = (relation.side(note("deploys", "on Monday")), relation.side(note("deploys", "on Tuesday at noon")))
    found = signals.read(*sides, signals.measure(*sides, None), Floors())
    spoken = weighing.second(found)
    assert spoken.keys() == set(Reading)
    assert spoken[Reading.CONFLICT] > spoken[Reading.BESIDE] + weighing.ASKS
    for heard in Reading:
        assert weighing.reading(heard, found, set(Reading)) is Reading.CONFLICT
        assert weighing.reading(heard, found, {Reading.BESIDE}) is heard


@pytest.mark.parametrize(
    ("heard", "beside", "same", "conflict", "expected"),
    [
        (Reading.SAME, 2.0, 0.4, 0.0, Reading.BESIDE),
        (Reading.CONFLICT, 2.0, 0.4, 0.0, Reading.BESIDE),
        (Reading.SAME, 2.0, 0.6, 0.0, Reading.SAME),
        (Reading.BESIDE, 0.0, 1.9, 0.0, Reading.BESIDE),
        (Reading.BESIDE, 0.0, 2.1, 0.0, Reading.SAME),
        (Reading.SAME, 0.0, 0.0, 0.4, Reading.SAME),
        (Reading.SAME, 0.0, 0.0, 0.6, Reading.CONFLICT),
        (Reading.CONFLICT, 0.0, 0.6, 0.0, Reading.SAME),
    ],
)
def test_how_sure_the_second_must_be(
    monkeypatch: pytest.MonkeyPatch, heard: Reading, beside: float, same: float, conflict: float, expected: Reading
) -> None:
    """G-01: to leave alone, to ask, and to turn one question into the other, each has its measure."""
    spoken = {Reading.BESIDE: beside, Reading.SAME: same, Reading.CONFLICT: conflict}
    monkeypatch.setattr(weighing, "second", lambda _: spoken)
    assert weighing.reading(heard, {}, set(Reading)) is expected


def test_every_signal_is_weighed_with_and_without_a_model() -> None:
    """G-02: the tables name what is measured, no more and no less, and have a number for every unit."""
    words, with_model = weights.BY_WORDS, weights.WITH_MODEL
    assert with_model[0].keys() - words[0].keys() == {"topic_meaning", "choice_meaning"}
    for units, readings in (words, with_model):
        lengths = {len(row.split()) for row in units.values()}
        assert len(lengths) == 1
        assert {len(row.split()) for row in readings.values()} == {lengths.pop() + 1}
        assert readings.keys() == set(Reading)
