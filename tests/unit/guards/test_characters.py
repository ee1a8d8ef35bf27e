"""Characters that nobody sees are set aside; scripts and emoji that need some of them are left alone."""

from __future__ import annotations

import pytest

from tacit.guards import Tier, inspect

HARMFUL = {
    "override of direction": ("admin\u202egnp.exe", "direction"),
    "isolate": ("if \u2066access\u2069", "direction"),
    "mark in Latin text": ("safe\u200ftext", "direction"),
    "tags": ("hi\U000e0069\U000e0067", "tag-characters"),
    "a flag with a tail": (
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067" + "\U000e0061" * 9,
        "tag-characters",
    ),
    "zero width space": ("pass\u200bword", "invisible"),
    "joiner in Latin text": ("pass\u200dword", "invisible"),
    "non-joiner in Latin text": ("pass\u200cword", "invisible"),
    "word joiner": ("a\u2060b", "invisible"),
    "byte order mark inside": ("a\ufeffb", "invisible"),
    "soft hyphen": ("pass\u00adword", "invisible"),
    "Hangul filler": ("a\u3164b", "invisible"),
    "braille blank": ("a\u2800b", "invisible"),
    "stray selector": ("a\ufe0fb", "variation-selector"),
    "selectors as data": ("\u2764\ufe0f\ufe01\ufe02", "variation-selector"),
    "supplementary selector": ("a\U000e0101", "variation-selector"),
    "escape": ("a\x1b[31m", "control-character"),
    "nul": ("a\x00b", "control-character"),
    "C1": ("a\x9bb", "control-character"),
    "line separator": ("a\u2028b", "control-character"),
    "private use": ("a\U000f0001", "private-use"),
}
HARMLESS = {
    "Persian": "می\u200cخواهم",
    "Hindi": "क\u094d\u200dष",
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "heart": "I \u2764\ufe0f it",
    "keycap": "press 1\ufe0f\u20e3",
    "skin": "\U0001f44d\U0001f3fd",
    "pirate": "\U0001f3f4\u200d\u2620\ufe0f",
    "Scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f won",
    "Hebrew with a mark": "שלום\u200f!",
    "Arabic": "مرحبا بالعالم",
    "Thai": "ภาษา\u200bไทย",
    "Chinese": "全角：ＡＰＩ，中文（标点）",
    "variant of an ideograph": "葛\U000e0100城",
    "Japanese": "ｶﾀｶﾅとひらがな",
    "Korean": "한국어 문서",
    "braille": "\u2801\u2800\u2803",
    "mark at the beginning": "\ufeffTitle",
    "tab and lines": "a\tb\r\nc",
    "accents": "cafe\u0301 naïve",
    "mathematics": "∑ x² ≤ π, Δt",
}


@pytest.mark.parametrize("name", HARMFUL)
def test_hidden_characters_are_found(name: str) -> None:
    """X-02: each kind, with its place."""
    text, rule = HARMFUL[name]
    (finding,) = inspect({"": text})
    assert (finding.guard, finding.rule, finding.tier) == ("unicode", rule, Tier.QUARANTINE)


@pytest.mark.parametrize("name", HARMLESS)
def test_ordinary_writing_passes(name: str) -> None:
    """X-02: languages and emoji that need such characters raise no alarm."""
    assert inspect([("title", HARMLESS[name]), ("decision", HARMLESS[name])]) == ()


def test_each_kind_is_told_once() -> None:
    """A text full of them is one finding of each kind, at the first place."""
    findings = inspect({"": "ok\n" + "a\u200b" * 100 + "\u202e"})
    assert [(each.rule, each.line, each.column) for each in findings] == [("invisible", 2, 2), ("direction", 2, 201)]
