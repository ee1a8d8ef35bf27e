"""What the user's words turn down besides what they choose."""

from __future__ import annotations

import time

import pytest

from tacit.govern import relation
from tacit.govern.statement import turned_down
from tacit.note.model import Note
from tacit.note.payload import Relation


def note(scene: str, choice: str, evidence: str = "") -> Note:
    """A note of a scene and a choice."""
    return Note(id="MEM-0001", title=scene, one_liner=choice, when_to_load=(scene,), decision=choice, evidence=evidence)


@pytest.mark.parametrize(
    ("words", "thing"),
    [
        ("Instead of Jenkins we build with Buildkite now.", "jenkin"),
        ("we're moving the workers away from Sidekiq to Temporal", "sidekiq"),
        ("please replace Moment with date-fns everywhere", "moment"),
        ("We no longer support Windows 7, 10 is the minimum", "7"),
        ("go to Ruby 3.3, 3.1 is end of life", "3.1"),
        ("stop using yarn, pnpm it is", "yarn"),
        ("测试统一用 Vitest，不再用 Jest 了", "jest"),
        ("把 MySQL 换成 PostgreSQL", "mysql"),
        ("消息队列用 Kafka 替代 RabbitMQ", "rabbitmq"),
        ("flake8 不用了，改成 ruff", "flake8"),
    ],
)
def test_words_name_what_is_over(words: str, thing: str) -> None:
    """G-02: whoever changes their mind mostly names what they leave."""
    assert any(thing in {*each.words} for each in turned_down(words))


@pytest.mark.parametrize(
    "words", ["We build with Buildkite.", "let's do it", "不对", "one worker per queue", "去掉了吧", "no longer."]
)
def test_most_words_turn_nothing_down(words: str) -> None:
    """G-02: nothing is made up that the user did not name."""
    assert turned_down(words) == ()


def test_what_the_words_turn_down_is_a_conflict() -> None:
    """G-02: the payload need not repeat what the user said about the old choice."""
    old, new = note("CI of the mobile apps", "Bitrise"), note("mobile CI", "GitHub Actions on macOS runners")
    assert relation.judge(new, old).relation is not Relation.CONFLICTING
    found = relation.judge(new, old, words="Instead of Bitrise we use GitHub Actions now")
    assert (found.relation, found.rules) == (Relation.CONFLICTING, ("rejects_the_choice",))


def test_words_about_something_else_change_nothing() -> None:
    """G-02: what the words turn down counts only where the note chose it."""
    old, new = note("logs of the shop", "JSON lines"), note("logs of the shop", "kept for ten days")
    words = "logs of the shop are kept for ten days, no longer use Splunk"
    assert relation.judge(new, old, words=words) == relation.judge(new, old)


def test_a_quote_that_names_the_old_value_does_not_hide_the_new_one() -> None:
    """G-02: the evidence is no part of what a note says: who changes a rule quotes the old one."""
    old = note("Ruby version of the shop", "Ruby 3.1.")
    new = note("Ruby version of the shop", "Ruby 3.3.", "> go to Ruby 3.3, 3.1 is end of life")
    assert relation.judge(new, old).relation is Relation.CONFLICTING


@pytest.mark.parametrize("piece", ["no longer ", "moving from ", "replace a ", "从", "不再用"])
def test_long_words_are_read_in_time(piece: str) -> None:
    """X-01: adversarial words cost time in proportion to their length."""
    times = []
    for count in (500, 4000):
        began = time.process_time()
        turned_down(piece * count)
        times.append(time.process_time() - began)
    assert times[1] < 40 * max(times[0], 0.005)
