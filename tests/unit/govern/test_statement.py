"""What a sentence says: words, their weights, and yes and no."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.govern import statement
from tacit.govern.statement import Weight

TUNING = Path(__file__).parents[3] / "tuning"
# Words that compounds are made of, and what joins them: flags, paths, versions, ranges, names.
WORDS = [
    "dry",
    "run",
    "read",
    "only",
    "self",
    "non",
    "based",
    "ed",
    "up",
    "in",
    "no",
    "don't",
    "Node",
    "v2",
    "3",
    "部署",
    "",
]
JOINTS = ["-", "--", "_", "/", "//", ".", "..", ":", "::", "+", "#", "@", "'", "\u2019", "\\", " ", ", ", "=", "%"]


def polarity(text: str, word: str) -> int:
    """Whether a text says yes or no to a word."""
    return statement.read(text).words[word].polarity


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("use mocks", "mock", 1),
        ("do not use mocks", "mock", -1),
        ("never mock", "mock", -1),
        ("hardly any mocks", "mock", -1),
        ("mocks are forbidden", "mock", -1),
        ("mocks are not forbidden", "mock", 1),
        ("mocks are no longer used", "mock", -1),
        ("stop using mocks", "mock", -1),
        ("there is no need to mock", "mock", -1),
        ("never deploy without a mock", "mock", 1),
        ("fakes instead of mocks", "mock", -1),
        ("instead of stubs use spies", "spi", 1),
        ("messages over HTTP", "messag", 1),
        ("no shortcuts except mocks", "mock", 0),
        ("mocks and no mocks", "mock", 0),
        ("not only mocks", "mock", 1),
        ("禁止使用反射", "反射", -1),
        ("不得不使用反射", "反射", 1),
        ("要不要反射", "反射", 1),
        ("用注解而不是反射", "反射", -1),
        ("不用注解，改用反射", "反射", 1),
        ("除了反射以外都不行", "反射", 0),
        ("反射已经废弃", "反射", -1),
    ],
)
def test_yes_and_no_are_read(text: str, word: str, expected: int) -> None:
    """G-03: negation, its idioms, contrast, passive, double negation and exceptions in both languages."""
    assert polarity(text, word) == expected


@pytest.mark.parametrize(
    ("text", "bare"),
    [("never", True), ("not allowed", True), ("一律不加", True), ("never again", True), ("no mocks", False)],
)
def test_a_no_can_stand_alone(text: str, bare: bool) -> None:  # noqa: FBT001
    """What it denies then stands in the scene."""
    assert statement.read(text).bare_no is bare


def test_words_have_weights() -> None:
    """Little words say little; names and numbers must be taken literally."""
    words = statement.read("we use Vault v1.2 with API keys at 30 px").words
    assert words["use"].weight == Weight.WEAK
    assert words["vault"].weight == Weight.NAME
    assert words["1.2"].weight == words["30"].weight == Weight.LITERAL
    assert statement.read("单据").words["单据"].weight == Weight.PAIR
    assert statement.read("喵").words.keys() == {"喵"}


def test_literals_and_negation_of_a_statement() -> None:
    """What is compared literally, and whether anything is denied."""
    read = statement.read("never open port 8080")
    assert read.literals == {"8080"}
    assert read.negative
    assert not statement.read("open port 8080").negative
    assert read.weight(["8080", "absent"]) == Weight.LITERAL


def test_compounds_that_describe_are_parted() -> None:
    """A compound that describes is two words, any other a name; among Chinese words it is always a name."""
    assert statement.read("customer-facing").words.keys() == {"user", "face"}
    assert statement.read("sealed-secrets").names == {"sealed-secrets"}
    assert "customer-facing" in statement.read("在 customer-facing 里").words


def test_a_flag_is_a_name() -> None:
    """A flag stays whole, though a compound of its words describes; so does what has two dashes in it."""
    assert statement.read("use --dry-run first").literals == {"--dry-run"}
    assert statement.read("a token--based login").words.keys() >= {"token", "base"}


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOINTS)), max_size=8))
def test_whatever_words_are_joined_by_can_be_read(parts: list[tuple[str, str]]) -> None:
    """No compound, flag, path or version breaks the reading, wherever its joints stand."""
    text = "".join(word + joint for word, joint in parts)
    for each in (text, text[::-1]):
        assert all(statement.read(each).words)


@pytest.mark.parametrize("folder", ["pairs", "banks"])
def test_what_people_write_can_be_read(folder: str) -> None:
    """Thousands of statements, notes and prompts by several authors: each can be read."""
    rows = [json.loads(line) for file in TUNING.glob(f"{folder}/*.jsonl") for line in _lines(file)]
    assert len(rows) > 1_000
    texts = {text for row in rows for text in _texts(row)}
    statement.read_all(tuple(texts))


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _texts(value: object) -> list[str]:
    """Return every text in a JSON value."""
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in values for text in _texts(each)]


def test_a_slash_at_the_end_belongs_to_the_name() -> None:
    """A prefix of branches is no common word; a path is the same with and without it."""
    assert statement.read("start with fix/ always").literals == {"fix/"}
    assert statement.read("tests/e2e/").literals == statement.read("tests/e2e").literals == {"tests/e2e"}


def test_statements_join() -> None:
    """Yes here and no there are both; an exception takes neither side."""
    both = statement.joined(statement.read("use mocks"), statement.read("no mocks"), statement.read("never"))
    assert both.words["mock"].polarity == 0
    assert both.bare_no
    one = statement.joined(statement.read("nothing except mocks"), statement.read("use mocks"))
    assert one.words["mock"].polarity == 1


def test_texts_are_read_together_as_alone() -> None:
    """Reading several at once changes nothing."""
    texts = ("keep the cache", "off the record", "三天", "")
    assert statement.read_all(texts) == tuple(map(statement.read, texts))


def test_shared_words_are_not_the_little_ones() -> None:
    """Two texts share something only in a word that tells something."""
    assert statement.read("use mocks").shares(statement.read("mocks"))
    assert not statement.read("use mocks").shares(statement.read("use spies"))


def test_pieces_are_words_and_characters() -> None:
    """In order, as they stand."""
    assert statement.pieces("build 构建 v2") == ["build", "构", "建", "v2"]
