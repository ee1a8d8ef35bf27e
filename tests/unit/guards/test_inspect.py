"""What a caller gets: kinds and places, never values; and texts without them."""

from __future__ import annotations

import re

import pytest

from tacit.guards import MAX_TEXT, Finding, Tier, inspect, redact
from tacit.guards.personal import unchecked
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


def escaped(text: str) -> str:
    """The text as a model or an editor escapes it in Markdown."""
    return re.sub(r"([_*.~\-])", r"\\\1", text)


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("github-token", github_token()),
        ("gitlab-token", "glpat" + "-" + drawn(ALNUM, 20)),
        ("stripe-key", "sk_" + "live_" + drawn(ALNUM, 24)),
        ("slack-token", "xoxb" + "-123456789012-" + drawn(ALNUM, 24)),
        ("jwt", "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NSJ9." + drawn(ALNUM, 43)),
        ("private-key", key_block()),
        ("card", "4532-0151-1283-0366"),
    ],
)
def test_markdown_does_not_hide_a_secret(rule: str, value: str) -> None:
    """X-01: a text is read as it is shown, its strokes before signs left out; the place is that in the text."""
    assert escaped(value) != value
    text = f"see\n\\- the {escaped(value)} here"
    (finding,) = (each for each in inspect({"": text}) if each.tier is Tier.REFUSE)
    assert (finding.rule, finding.line) == (rule, 2)
    assert finding.column in {len("\\- the ") + 1, len("\\- the ") + 2}
    assert redact(text).removesuffix(" here").endswith(f"[removed: {rule}]")


def test_a_value_that_is_found_in_both_readings_is_told_once() -> None:
    """X-01: what no stroke divides is one finding, though the text has strokes elsewhere."""
    text = f"a\\_b {github_token()} password: Wal\\_nut42!x"
    assert [each.rule for each in inspect({"": text})] == ["github-token", "password"]
    assert redact(text) == "a\\_b [removed: github-token] password: [removed: password]"
    people = r"ann\_a@acme.io, bob\_b@acme.io"
    assert inspect({"": people}) == ()
    assert redact(people + r", cy\_c@acme.io") == ", ".join(["[removed: emails]"] * 3)


@pytest.mark.parametrize(
    "text",
    [
        r"match `glpat\-[0-9A-Za-z]{20}` and `^ghp\_\w+$`",
        r"C:\_build\-out\.cache and \\.\pipe\tacit",
        r"password\_hash = argon2id\-v19, token\_limit: 100000",
        r"password: \*\*\*\*\*\*\*\*1",
        r"10\.0\.0\.1 and v1\.2\.3 and 2024\-01\-02",
    ],
)
def test_strokes_in_patterns_and_paths_are_no_secrets(text: str) -> None:
    """Patterns, places, names and versions stay what they are, however they are escaped."""
    assert inspect({"": text}) == ()
    assert redact(text) == text


@pytest.mark.parametrize("before", [" ", "的", "\n"])
def test_a_secret_across_the_bound_is_not_kept_by_half(before: str) -> None:
    """P-06, X-05: the part of a value that lies before the bound goes with the rest."""
    for part in (10, 25, 39):
        lead = "的 " * MAX_TEXT
        text = lead[: MAX_TEXT - part - 1] + before + github_token() + " and more"
        assert redact(text) == text[: MAX_TEXT - part] + "[removed: too-long]"
    assert redact("x" * MAX_TEXT) == "x" * MAX_TEXT


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
    """X-01: a finding, which names its kind, holds no piece of the text."""
    findings = inspect({"one_liner": text})
    assert findings
    for finding in findings:
        assert not any(text[place : place + 6] in repr(finding) for place in range(len(text) - 6))


def test_a_number_without_check_digit_is_taken_at_its_word() -> None:
    """Such numbers are known by the word beside them."""
    assert unchecked("")
