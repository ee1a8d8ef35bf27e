"""No text makes a guard slow: each rule ends on hostile input of any length."""

from __future__ import annotations

import sys

import pytest

from tacit.guards import inspect, redact
from tacit.guards.anchors import MAX_LINE, Rule, compiled, lines_at, lines_with
from tacit.guards.instructions import RULES
from tacit.guards.personal import NATIONAL, National
from tacit.guards.secrets import SHAPES
from tests.project.loaded import modules_loaded_by

HOSTILE = {
    "one letter": "a",
    "spaces": " ",
    "digits": "4 ",
    "grouped digits": "4111-",
    "dots": "a.",
    "base64": "eyJ",
    "dotted": "eyJaaaaaaaaaaaa.",
    "address": "://a:",
    "at": "a@",
    "names": "password ",
    "assignments": "token=",
    "quotes": "'\"`",
    "prefixes": "ghp_sk-xoxb-",
    "accounts": "GB29 ",
    "negations": "do not tell ",
    "ignoring": "ignore all the ",
    "fetching": "always curl |",
    "tags": "<|",
    "begin": "-----BEGIN PRIVATE KEY-----",
    "putty": "PuTTY-User-Key-File-1:",
    "invisible": "\u200b",
    "joiners": "\u200d\u0640",
    "Cyrillic": "a\u0430",
    "Chinese": "忽略所有密码是",
    "headers": "Authorization: Basic ",
    "pieces": "a-",
    "values first": "a1b2c3d4 is the root password ",
    "long values first": "a" * 63 + "1 as a-",
    "Chinese values first": "用a1b2c3d4作为数据库的密码",
    "digits behind words": "密码482913次",
    "Chinese digits": "号4",
    "Chinese addresses": "邮a@b",
    "strokes": "\\_",
    "many strokes": "\\\\\\-a",
}

ALL = (*SHAPES, *RULES)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_end(name: str) -> None:
    """X-05: 100 KB of one thing again and again, on one line and on many, are looked at and let go."""
    piece = HOSTILE[name]
    for text in (piece * (100_000 // len(piece)), f"{piece}\n" * (100_000 // (len(piece) + 1))):
        inspect({"": text})
        redact(text)


@pytest.mark.parametrize("rule", ALL, ids=[f"{number} {rule.name}" for number, rule in enumerate(ALL)])
def test_no_rule_grows_out_of_bounds(rule: Rule) -> None:
    """X-05: each pattern ends on the longest line it can meet, made of hostile pieces or of its own anchors."""
    for piece in (*HOSTILE.values(), *rule.anchors, *(f"{anchor} a" for anchor in rule.anchors)):
        for length in (MAX_LINE // 4, MAX_LINE):
            line = (piece * (length // len(piece) + 1))[:length]
            list(compiled(rule.pattern).finditer(line))


@pytest.mark.parametrize("kind", NATIONAL, ids=lambda kind: kind.rule)
def test_national_numbers_are_bounded(kind: National) -> None:
    """X-05: the same for the numbers of people."""
    for piece in HOSTILE.values():
        list(compiled(kind.pattern).finditer((piece * MAX_LINE)[:MAX_LINE]))


def test_lines_are_given_once_and_in_pieces() -> None:
    """A line with two anchors comes once; one that is too long comes in pieces that cover it and overlap."""
    assert list(lines_with("a key\nb\nkey token", ("key", "token"), "a key\nb\nkey token")) == [
        (0, "a key"),
        (8, "key token"),
    ]
    long = "".join(chr(97 + place % 26) for place in range(10_000))
    pieces = list(lines_at(long, [5, 9000]))
    assert all(len(piece) <= MAX_LINE and long[offset : offset + len(piece)] == piece for offset, piece in pieces)
    assert {place for offset, piece in pieces for place in range(offset, offset + len(piece))} == set(range(10_000))


def test_guards_load_nothing_but_the_standard_library() -> None:
    """A hook can afford them."""
    roots = {name.partition(".")[0] for name in modules_loaded_by("import tacit.guards")}
    assert roots - sys.stdlib_module_names - {"_virtualenv"} == {"tacit"}
