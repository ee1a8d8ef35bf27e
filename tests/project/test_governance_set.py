"""The labelled pairs for governed writes: balanced, legal, and no two alike."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest

from evals.governance.run import background, read
from evals.governance.siblings import HOW_MANY, TEMPLATES, siblings
from tacit.note.model import Audience, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

PAIRS = read()
LEAST: dict[str, dict[object, int]] = {
    "relation": {
        "same": 60,
        "complementary_same": 45,
        "complementary": 35,
        "conflicting": 60,
        "different_scope": 45,
        "unrelated": 40,
    },
    "language": {"en": 110, "zh": 90, "mixed": 50},
    "hard": {True: 80, False: 80},
}
REQUIRED = {"scene", "principles", "choice", "source"}
OPTIONAL = {"confidence", "when_to_load", "signals", "counter_signals", "kind", "apply", "tags", "evidence"}
LISTS = {"principles", "when_to_load", "tags"}


def _repeated(things: Iterable[object]) -> list[object]:
    return [thing for thing, count in Counter(things).items() if count > 1]


def payloads() -> list[dict[str, Any]]:
    """Both payloads of every pair."""
    return list(chain.from_iterable((pair["old"], pair["new"]) for pair in PAIRS))


@pytest.mark.parametrize("field", LEAST)
def test_every_group_has_enough_pairs(field: str) -> None:
    """No label outside the list, and none with too few pairs to say anything."""
    counts = Counter(pair[field] for pair in PAIRS)
    assert counts.keys() == LEAST[field].keys()
    assert {value: counts[value] for value, least in LEAST[field].items() if counts[value] < least} == {}


@pytest.mark.parametrize("fields", [["relation"], ["language"], ["hard"], ["relation", "language", "hard"]])
def test_halves_are_alike(fields: list[str]) -> None:
    """In each group the two halves differ by one pair for every cell of relation, language and hardness at most."""
    cells: dict[tuple, set] = {}
    balance: Counter[tuple] = Counter()
    for pair in PAIRS:
        group = tuple(pair[field] for field in fields)
        cells.setdefault(group, set()).add((pair["relation"], pair["language"], pair["hard"]))
        balance[group] += 1 if pair["half"] == "tune" else -1
    assert {pair["half"] for pair in PAIRS} == {"tune", "report"}
    assert [group for group, surplus in balance.items() if abs(surplus) > max(1, len(cells[group]) // 2)] == []


def test_ids_count_up() -> None:
    """The pairs are g-001, g-002 and so on."""
    assert [pair["pair"] for pair in PAIRS] == [f"g-{number:03}" for number in range(1, len(PAIRS) + 1)]


def test_payloads_have_legal_fields() -> None:
    """Every payload has what is required, and nothing that no payload may have."""
    for payload in payloads():
        assert payload.keys() >= REQUIRED
        assert payload.keys() <= REQUIRED | OPTIONAL
        assert payload["choice"] in payload["principles"]
        assert payload.get("kind", "other") in set(Kind)
        assert payload.get("apply", "project") in set(Audience)
        for name in payload.keys() - {"confidence"}:
            texts = payload[name] if name in LISTS else [payload[name]]
            assert texts
            assert all(isinstance(text, str) and text == text.strip() and text for text in texts)


def test_sources_and_confidence_fit_the_side() -> None:
    """Old payloads were asked for; new ones come by themselves and say how sure they are."""
    assert {pair["old"]["source"] for pair in PAIRS} == {"remember"}
    assert {pair["new"]["source"] for pair in PAIRS} == {"auto"}
    assert all(
        value in {"low", "medium", "high"} or 0 <= value <= 1 for value in (pair["new"]["confidence"] for pair in PAIRS)
    )


def test_nothing_is_written_twice() -> None:
    """No old note, no new payload and no prompt occurs in two pairs."""
    for side in ("old", "new"):
        assert _repeated((pair[side]["scene"], pair[side]["choice"]) for pair in PAIRS) == []
    assert _repeated(pair["words"] for pair in PAIRS) == []


def test_only_sameness_is_word_for_word() -> None:
    """A pair with the same scene and choice on both sides is a duplicate, and few of the duplicates are so easy."""
    equal = [
        pair["relation"] for pair in PAIRS if all(pair["old"][key] == pair["new"][key] for key in ("scene", "choice"))
    ]
    assert set(equal) == {"same"}
    assert len(equal) < 10


def test_duplicates_bring_nothing_new() -> None:
    """The new side of a `same` pair has no field that the old one lacks, its kind and trigger aside."""
    harmless = {"confidence", "kind", "when_to_load"}
    duplicates = [pair for pair in PAIRS if pair["relation"] == "same"]
    assert [pair["pair"] for pair in duplicates if pair["new"].keys() - pair["old"].keys() - harmless] == []


def test_the_notes_around_a_pair_are_of_other_topics() -> None:
    """About twenty notes, one of each topic, none of a topic of the pair."""
    topics = {id(pair["old"]): pair["topics"][0] for pair in PAIRS}
    for pair in PAIRS:
        drawn = [topics[id(payload)] for payload in background(PAIRS, pair["topics"])]
        assert len(drawn) == len(set(drawn)) >= 15
        assert not set(drawn) & set(pair["topics"])


def test_siblings_are_a_thousand_distinct_scenes() -> None:
    """Each is about something else, in English and Chinese, and the same seed makes the same."""
    made = siblings()
    assert len(made) == len({payload["scene"] for payload in made}) == HOW_MANY
    assert made == siblings()
    assert made != siblings(seed=1)
    chinese = sum(not payload["scene"].isascii() for payload in made)
    assert 300 < chinese < 700


def test_every_sibling_template_is_used() -> None:
    """No kind of sibling runs away with the set."""
    assert sum(len(template.about) for template in TEMPLATES) > HOW_MANY
    assert all(len(set(template.about)) == len(template.about) for template in TEMPLATES)
    assert {payload["kind"] for payload in siblings()} == {template.kind for template in TEMPLATES}
