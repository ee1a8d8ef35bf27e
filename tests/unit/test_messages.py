"""Both languages say the same."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

import tacit
from tacit import errors
from tacit.errors import BankNotFound, PayloadRefused, TacitError
from tacit.messages import (
    chinese,
    chinese_errors,
    english,
    explain,
    language,
    on_page,
    page,
    say,
    speaking,
)
from tacit.text.tokens import has_cjk


def placeholders(text: str) -> set[str]:
    """The names that a template needs."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def all_errors(root: type[TacitError] = TacitError) -> list[type[TacitError]]:
    """Every error class that has a code of its own."""
    found = [root] if "code" in vars(root) else []
    return found + [each for child in root.__subclasses__() for each in all_errors(child)]


def test_languages_have_the_same_messages() -> None:
    """Q-07: each message exists in English and Chinese with the same blanks to fill."""
    assert chinese.MESSAGES.keys() == english.MESSAGES.keys()
    for key, text in english.MESSAGES.items():
        assert placeholders(chinese.MESSAGES[key]) == placeholders(text), key


def test_one_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-07: one of a thing is named so in English, and every other number in the plural."""
    monkeypatch.setenv("TACIT_LANG", "en")
    said = [say("check.found", problems=count, count=3 - count) for count in (0, 1, 2)]
    assert said == ["0 problems in 3 notes.", "1 problem in 2 notes.", "2 problems in 1 note."]
    assert say("task.resumed", task="T", title="a", entries=1, notes=0) == "T goes on: a. 1 entry, 0 notes loaded."


def test_page_has_the_same_texts_in_both_languages() -> None:
    """U-01: each text of the review page exists in English and Chinese with the same blanks to fill."""
    for key, (english_text, chinese_text) in page.TEXTS.items():
        assert placeholders(chinese_text) == placeholders(english_text), key


def test_reader_is_spoken_to_in_their_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q-07: who reads a page in another language than the machine's gets theirs, and only while they read."""
    monkeypatch.setenv("TACIT_LANG", "en")
    with speaking("zh"):
        assert on_page("part.inbox") == "待答"
        assert say("state", state="ON") == "[记忆库: ON]"
    assert on_page("part.inbox") == "Inbox"


@pytest.mark.parametrize("kind", all_errors(), ids=lambda kind: kind.__name__)
def test_every_error_speaks_chinese(kind: type[TacitError]) -> None:
    """Each code has a Chinese sentence and hint that need nothing the error does not carry."""
    sentence, hint = chinese_errors.ERRORS[kind.code]

    assert placeholders(sentence) <= placeholders(kind.template)
    assert placeholders(hint) <= placeholders(kind.template) | placeholders(kind.hint)
    assert bool(hint) == bool(kind.hint)


def test_every_error_has_a_next_step() -> None:
    """What to do about it is said with every error; after a no there is nothing, and the root is never raised."""
    assert [kind.code for kind in all_errors() if not kind.hint] == ["tacit.error", "gate.declined"]


def test_error_tree_in_the_docstring_is_true() -> None:
    """The tree drawn on top of errors.py names every class with its code, and its exit code above it."""
    tree = errors.__doc__ or ""
    for kind in all_errors():
        if kind is not TacitError:
            is_drawn = rf"\b{kind.__name__} +(?:exit {kind.exit_code} +)?{re.escape(kind.code)}(?:\s|$)"
            assert re.search(is_drawn, tree) or kind.__subclasses__(), kind.__name__


def test_codes_are_unique() -> None:
    """A code names one error."""
    codes = [kind.code for kind in all_errors()]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize(
    ("wish", "environment", "expected"),
    [
        ("zh", {}, "zh"),
        ("auto", {"TACIT_LANG": "zh"}, "zh"),
        ("auto", {"LANG": "zh_CN.UTF-8"}, "zh"),
        ("auto", {"LC_ALL": "C", "LANG": "zh_CN.UTF-8"}, "en"),
        ("auto", {}, "en"),
        ("en", {"LANG": "zh_CN.UTF-8"}, "en"),
    ],
)
def test_language_follows_wish_then_environment(
    monkeypatch: pytest.MonkeyPatch, wish: str, environment: dict[str, str], expected: str
) -> None:
    """Q-07: people are spoken to in their language."""
    for name in ("TACIT_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert language(wish) == expected


def test_messages_and_errors_come_in_both_languages() -> None:
    """Q-07: the same message and the same error in two languages."""
    error = BankNotFound(place="here")

    assert say("state", "en", state="ON") == "[memory: ON]"
    assert say("state", "zh", state="ON") == "[记忆库: ON]"
    assert explain(error, "en")[0] == "There is no bank at here."
    assert "没有记忆库" in explain(error, "zh")[0]


def _said(call: ast.Call) -> list[str]:
    """What a call hands on as the reason and the mend of a refused payload, with 7 for what is filled in."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    given = call.args[1:3] if name == "_refuse" else []
    if name in ("PayloadRefused", "ProposalVoid"):
        given = [each.value for each in call.keywords if each.arg in ("reason", "fix")]
    return [
        "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in getattr(each, "values", [each]))
        for each in given
        if isinstance(each, ast.Constant | ast.JoinedStr)
    ]


def test_what_is_wrong_with_a_payload_is_told_in_chinese() -> None:
    """Q-07: the reason and what to mend too, wherever a payload or a proposal is turned away."""
    paths = (Path(tacit.__file__).parent / room for room in ("note", "bank", "govern", "cli"))
    trees = (ast.parse(path.read_text(encoding="utf-8")) for room in paths for path in room.rglob("*.py"))
    calls = (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call))
    said = {text for call in calls for text in _said(call)}
    assert len(said) > 30
    assert [text for text in said if not has_cjk(str(chinese_errors.detail(text)))] == []


def test_a_detail_keeps_its_numbers_and_what_is_not_listed_is_left() -> None:
    """Q-07: what an error names word for word stays as it is."""
    refused = PayloadRefused(field="tags", reason="has 40 items", fix="give at most 32")
    assert explain(refused, "zh") == ("tags：有 40 项。", "请修正该载荷：最多给出 32。")
    assert chinese_errors.detail("give one of low, high") == "从中选一个：low, high"
    assert chinese_errors.detail("secret (github-token)") == "密钥或密码 (github-token)"
    assert chinese_errors.detail("scene, line 3") == "scene 第 3 行"
    assert chinese_errors.detail("pnpm gives 3") == "pnpm gives 3"
    assert chinese_errors.detail(3) == 3
