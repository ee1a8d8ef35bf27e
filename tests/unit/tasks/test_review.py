"""Which entries of a task are worth a note."""

from __future__ import annotations

import pytest

from tacit.note.model import Layer
from tacit.tasks.review import Card, Left, point, review
from tacit.tasks.working import Entry, EntryKind

TS = "2026-01-02T03:04:05Z"


def judged(text: str, kind: EntryKind = EntryKind.FINDING) -> Card | Left:
    """What becomes of one entry."""
    cards, left = review([Entry(TS, kind, text)])
    (outcome,) = cards or left
    return outcome


@pytest.mark.parametrize(
    ("text", "rule", "layer"),
    [
        ("The importer must never run twice at the same time", "rule", Layer.DECLARATIVE),
        ("导入任务一律不要并行运行", "rule", Layer.DECLARATIVE),
        ("The build fails when the cache folder is missing", "cause", Layer.PROCEDURAL),
        ("超时的原因是连接池只有两个连接", "cause", Layer.PROCEDURAL),
        ("To rebuild the fixtures, run the seed script with a clean database", "how_to", Layer.PROCEDURAL),
        ("升级时先停写入再迁移数据库", "how_to", Layer.PROCEDURAL),
        ("The team prefers small migrations over one large one", "preference", Layer.DECLARATIVE),
        ("A tenant id is stored in the header of each request", "domain", Layer.DECLARATIVE),
    ],
)
def test_an_entry_with_a_sign_is_a_card_in_the_layer_of_its_rule(text: str, rule: str, layer: Layer) -> None:
    """L-02: rules, preferences and facts go to L1, causes and ways to do things to L2, each by a named rule."""
    card = judged(text)

    assert isinstance(card, Card)
    assert (card.rule, card.layer, card.text) == (rule, layer, text)


@pytest.mark.parametrize(
    ("text", "kind", "rule"),
    [
        ("ok then", EntryKind.FINDING, "too_short"),
        ("x" * 40 + " must " + "word " * 200, EntryKind.FINDING, "too_long"),
        ("Must we really keep the old table?", EntryKind.FINDING, "question"),
        ("Use the blue theme for the mockup because it prints well", EntryKind.INSTRUCTION, "for_this_task"),
        ("Next: the index must be dropped on the replica", EntryKind.FINDING, "progress"),
        ("今天先看订单表的索引和约束", EntryKind.FINDING, "progress"),
        ("The orders table has eleven columns and two triggers", EntryKind.FINDING, "no_sign"),
    ],
)
def test_what_belongs_to_the_task_alone_stays_there(text: str, kind: EntryKind, rule: str) -> None:
    """M-03: task detail, questions and scraps are no cards, and the rule that says so is named."""
    assert judged(text, kind) == Left(0, rule)


def test_an_instruction_for_good_is_a_card() -> None:
    """What the user wants from now on outlives the task in which they said it."""
    assert isinstance(judged("From now on write changelog lines in the present tense", EntryKind.INSTRUCTION), Card)


def test_a_conclusion_is_a_card_without_any_other_sign() -> None:
    """A conclusion is what the task was for."""
    card = judged("The orders table has eleven columns and two triggers", EntryKind.CONCLUSION)

    assert isinstance(card, Card)
    assert card.rule == "conclusion"


def test_what_was_said_before_is_no_second_card() -> None:
    """The same words, in a part that was reviewed already too, make one card."""
    entry = Entry(TS, EntryKind.FINDING, "The importer must never run twice")

    assert review([entry, entry]) == (
        [Card(0, entry.text, Layer.DECLARATIVE, review([entry])[0][0].kind, "rule")],
        [Left(1, "said_before")],
    )
    assert review([entry, entry], 1) == ([], [Left(1, "said_before")])


def test_the_point_ends_before_the_code() -> None:
    """What an entry says comes before its first blank line or code block."""
    assert point("Always run\nthe linter:\n```\nlint\n```") == "Always run the linter:"
    assert point("One.\n\nTwo.") == "One."
