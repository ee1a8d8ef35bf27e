"""Scores, evidence and who is said."""

from __future__ import annotations

from math import hypot
from typing import NamedTuple

import pytest

from tacit.index.calibration import Pair, Reading
from tacit.index.contract import KeywordScore
from tacit.recall import rank
from tacit.recall.rank import Candidate, Rules

READING = Reading("m", share=0.5, hub=0.3, background=0.4, spread=0.1, background_share=0.5)
PAIR = Pair((READING,), floor=4.0, coverage_floor=0.5, weight=0.7)
RULES = Rules(full_clearness=10.0, background_notes=10.0, coverage_alone=0.3, coverage_alone_cjk=0.4, near_best=0.8)


class Heard(NamedTuple):
    """What would be said."""

    candidate: Candidate


def candidate(key: str, score: float, evidence: float = 1.0) -> Candidate:
    """A candidate of which only rank and evidence matter."""
    return Candidate(key, 0.0, 0.0, 0.0, score, evidence)


def test_background_moves_towards_the_bank() -> None:
    """F-04: a small bank is judged by the usual background, a large one by its own in part."""
    assert rank.background(READING, 0.6, 0, RULES) == 0.4
    assert rank.background(READING, 0.6, 10, RULES) == pytest.approx(0.45)
    assert rank.background(READING, 0.6, 10**9, RULES) == pytest.approx(0.5)


def test_clearness_is_counted_in_spreads() -> None:
    """F-03: how far a note stands out, in spreads, times the model's share."""
    assert rank.clearness(READING, 0.8, 0.4) == pytest.approx(2.0)
    assert rank.clearness(READING, 0.3, 0.4) == pytest.approx(-0.5)


def test_score_is_weighted() -> None:
    """F-03: score = 0.7 × semantic + 0.3 × keyword, both from nought to one."""
    found = rank.by_both("k", 5.0, KeywordScore(0.4, 0.2), PAIR, RULES)
    assert found.semantic == 0.5
    assert found.score == pytest.approx(0.7 * 0.5 + 0.3 * 0.4)
    assert rank.by_both("k", 99.0, KeywordScore(1.0, 1.0), PAIR, RULES).score == pytest.approx(1.0)
    assert rank.by_both("k", -9.0, KeywordScore(0.0, 0.0), PAIR, RULES).score == 0.0


@pytest.mark.parametrize(
    ("clear", "coverage", "evidence"),
    [
        (4.0, 0.0, 1.0),
        (0.0, 0.5, 1.0),
        (-3.0, 0.5, 1.0),
        (3.2, 0.3, 1.0),
        (2.0, 0.25, hypot(0.5, 0.5)),
        (0.0, 0.0, 0.0),
    ],
)
def test_each_path_has_its_floor(clear: float, coverage: float, evidence: float) -> None:
    """F-04: either path may carry a note over its own floor, or both together; the score decides nothing."""
    assert rank.by_both("k", clear, KeywordScore(0.0, coverage), PAIR, RULES).evidence == pytest.approx(evidence)


def test_long_documents_need_less() -> None:
    """F-04: what a long document says of one thing stands among others: a share of the floors is enough for it."""
    found = [rank.by_both("k", 4.0, KeywordScore(0.0, 0.0, length), PAIR, RULES) for length in (149, 150)]
    assert [each.evidence for each in found] == [1.0, 1 / 0.6]
    assert found[0].score == found[1].score


def test_keywords_alone() -> None:
    """F-05: without a model the keywords rank and decide."""
    found = rank.by_keywords("k", KeywordScore(0.6, 0.15), RULES, latin_query=True)
    assert (found.score, found.semantic, found.evidence) == (0.6, 0.0, 0.5)
    chinese = rank.by_keywords("k", KeywordScore(0.6, 0.2), RULES, latin_query=False)
    assert chinese.evidence == 0.5


def test_a_note_whose_vectors_are_to_come_overtakes_none_with_more_words() -> None:
    """F-05: while vectors follow an import, the note that has the words of the prompt stays first."""
    right = Candidate("right", 0.2, 0.9, 0.9, 0.45, 1.0)
    other = Candidate("other", 0.0, 0.5, 0.5, 0.52, 0.0)
    fuller = Candidate("fuller", 0.0, 0.95, 0.95, 0.95, 1.0)
    order = rank.ranked(rank.held_back([other, right, fuller], {"right"}))
    assert [each.key for each in order] == ["fuller", "right", "other"]
    assert order[2].evidence == other.evidence
    assert rank.held_back([other, right], {"right", "other"}) == rank.held_back([other, right], ()) == [other, right]


def test_ties_are_broken_by_key() -> None:
    """B-04: the same bank gives the same order."""
    order = rank.ranked([candidate("b", 0.5), candidate("c", 0.9), candidate("a", 0.5)])
    assert [each.key for each in order] == ["c", "a", "b"]


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        ([], ""),
        ([("a", 0.9, 0.99)], ""),
        ([("a", 0.9, 1.0)], "a"),
        ([("a", 0.9, 1.0), ("b", 0.73, 1.0)], "ab"),
        ([("a", 0.9, 1.0), ("b", 0.7, 1.0)], "a"),
        ([("a", 0.9, 0.5), ("b", 0.8, 1.0)], "b"),
        ([("a", 0.9, 0.5), ("b", 0.4, 1.0)], ""),
        ([("a", 0.9, 1.0), ("b", 0.89, 0.5), ("c", 0.88, 1.0)], "ac"),
        ([("a", 0.9, 1.0), ("b", 0.9, 1.0), ("c", 0.9, 1.0)], "ab"),
    ],
)
def test_nought_to_two_are_said(scores: list[tuple[str, float, float]], said: str) -> None:
    """F-03, F-04: each by its own evidence, none far behind the best candidate, never a third."""
    chosen = rank.chosen([Heard(candidate(*each)) for each in scores], RULES)
    assert "".join(each.candidate.key for each in chosen) == said
