"""What speaks for which reading of two notes that no clear rule decides."""

from __future__ import annotations

from tacit.govern import relation, weighing
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
    assert found.keys() == weighing.BY_WORDS.keys() - {"bias"}


def test_two_notes_about_one_thing_mostly_both_hold() -> None:
    """G-01: a conflict that nothing names must stand out; one about a named opposite need not."""
    new = note("the importer runs", "never start a second one on the same file")
    old = note("changing the importer", "keep the order of the files")
    assert relation.judge(new, old).relation is Relation.COMPLEMENTARY
    near = dict.fromkeys(weighing.BY_WORDS.keys() - {"bias"}, 0.0) | {"topic": 0.45}
    assert weighing.reading(near, same=False, named=False) is Reading.BESIDE
    assert weighing.reading(near, same=False) is Reading.CONFLICT
    assert weighing.reading(near | {"topic": 0.6}, same=False, named=False) is Reading.CONFLICT
