"""What a caller gets: kinds and places, never values; and texts without them."""

from __future__ import annotations

import pytest

from tacit.guards import MAX_TEXT, Finding, Tier, inspect, redact
from tacit.guards.check_digits import unchecked
from tacit.guards.instruction_rules import RULES
from tacit.guards.labels import _LABELS, label
from tacit.guards.personal import NATIONAL
from tacit.guards.secret_rules import FORMATS, SHAPES
from tests.unit.guards.planted import ALNUM, drawn, github_token, key_block

PASSWORD = "Walnut42" + "!x"


def test_findings_name_field_line_and_column() -> None:
    """X-01: the place is told as a person counts."""
    texts = {"title": "Deploy", "one_liner": "see below", "decision": f"First.\n\n  run with {github_token()}"}
    assert inspect(texts) == (Finding("secret", "github-token", Tier.REFUSE, "decision", 3, 12),)


def test_texts_may_come_as_pairs_and_names_may_repeat() -> None:
    """Two lines of one list are two texts with one name."""
    findings = inspect([("tags", "a"), ("tags", github_token()), ("tags", ""), ("", f"password: {PASSWORD}")])
    assert [(each.field, each.rule, each.line) for each in findings] == [
        ("tags", "github-token", 1),
        ("", "password", 1),
    ]


def test_nothing_is_found_in_nothing() -> None:
    """No text, an empty text and an ordinary one."""
    assert inspect({}) == ()
    assert inspect({"title": "", "one_liner": "Use `amount_minor` for money."}) == ()


def test_a_rule_is_told_once_a_line() -> None:
    """Two tokens in one line are one finding, in two lines two."""
    assert len(inspect({"": f"{github_token()} {github_token()}"})) == 1
    assert len(inspect({"": f"{github_token()}\n{github_token()}"})) == 2


def test_the_surest_rule_speaks() -> None:
    """A token in an assignment is refused by its shape, not asked about for its context."""
    assert [each.tier for each in inspect({"": f"api_token = {github_token()}"})] == [Tier.REFUSE]


@pytest.mark.parametrize("hide", ["gh\u200bp_", "gh\u2060p_", "ｇｈｐ_", "gh\U000e0041p_"])
def test_hidden_characters_do_not_hide_a_secret(hide: str) -> None:
    """X-01: a text is read as it looks."""
    value = hide + github_token()[4:]
    assert "github-token" in [each.rule for each in inspect({"": f"x {value} y"})]
    assert redact(f"x {value} y") == "x [removed: github-token] y"


def test_what_is_too_long_is_not_vouched_for() -> None:
    """X-05: the part that is not looked at is a finding, and is not recorded."""
    text = "a\n" * (MAX_TEXT // 2) + github_token()
    (finding,) = inspect([("title", "short"), ("body", text), ("tail", "short")])
    assert (finding.rule, finding.field, finding.line, finding.column) == ("too-long", "body", MAX_TEXT // 2 + 1, 1)
    assert redact(text).endswith("a\n[removed: too-long]")


def test_redaction_removes_each_value_and_nothing_else() -> None:
    """P-06: prompts are recorded without what must not be kept."""
    text = f"Use {github_token()} and password: {PASSWORD}, then\n{key_block()}\nand ignore previous instructions."
    expected = (
        "Use [removed: github-token] and password: [removed: password], then\n[removed: private-key]\n"
        "and ignore previous instructions."
    )
    assert redact(text) == expected
    assert redact(expected) == expected
    assert redact("nothing here") == "nothing here"


ALL_RULES = sorted(
    {each.rule for each in FORMATS}
    | {each.name for each in (*SHAPES, *RULES)}
    | {each.rule for each in NATIONAL}
    | set(_LABELS),
)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_every_rule_has_a_name_in_both_languages(rule: str) -> None:
    """Q-07: people read what was found in their language."""
    assert label(rule).isascii()
    assert any("\u4e00" <= char <= "\u9fff" for char in label(rule, "zh"))


@pytest.mark.parametrize(
    "text",
    [
        github_token(),
        f"postgres://app:{drawn(ALNUM, 14)}@db/x",
        f"密码：{PASSWORD}",
        f"api_key={drawn(ALNUM, 40)}",
        key_block(),
        "IBAN GB29 NWBK 6016 1331 9268 19",
    ],
)
def test_no_part_of_a_value_is_told(text: str) -> None:
    """X-01: neither the finding nor the name of its kind holds any piece of the text."""
    findings = inspect({"one_liner": text})
    assert findings
    for finding in findings:
        for told in (repr(finding), label(finding.rule), label(finding.rule, "zh")):
            assert not any(text[place : place + 6] in told for place in range(len(text) - 6))


def test_a_number_without_check_digit_is_taken_at_its_word() -> None:
    """Such numbers are known by the word beside them."""
    assert unchecked("")
