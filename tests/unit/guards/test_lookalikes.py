"""Words that mix scripts to look like others are set aside."""

from __future__ import annotations

import pytest

from tacit.guards import Tier, inspect


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("log in to p\u0430ypal", "mixed-script"),
        ("\u0410dmin rights", "mixed-script"),
        ("g\u03bfogle", "mixed-script"),
        ("ap\u13e2le", "mixed-script"),
        ("pa\uff53\uff53word", "mixed-width"),
        ("\U0001d422\U0001d420\U0001d427\U0001d428\U0001d42b\U0001d41e this", "styled-letters"),
    ],
)
def test_lookalikes_are_found(text: str, rule: str) -> None:
    """X-02: one foreign letter in a familiar word is enough."""
    assert [(each.rule, each.tier) for each in inspect({"": text})] == [(rule, Tier.QUARANTINE)]


@pytest.mark.parametrize(
    "text",
    [
        "Привет, мир",
        "Καλημέρα κόσμε",
        "PDFка и API-ключ",
        "git-репозиторий",
        "5 μm, Δt, 3α and αβ",
        "naïve café Straße",
        "ＡＰＩ 文档",
        "用 Python写的脚本",
        "привет world",
        "\U0001d465 + \U0001d466",
        "Latinжук",
    ],
)
def test_honest_mixtures_pass(text: str) -> None:
    """X-02: whole words of another script, units, Russian endings, wide letters and CJK beside Latin."""
    assert inspect({"": text}) == ()


def test_each_kind_is_told_once() -> None:
    """The first word of a kind is enough."""
    assert len(inspect({"": "p\u0430ypal\np\u0430ypal"})) == 1
