"""Both paths of an index, put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pytest

from tacit.errors import ModelUnusable
from tacit.index.calibration import Pair, Reading
from tacit.index.contract import Counts, Filter, KeywordScore, VectorHits
from tacit.recall import paths
from tacit.recall.distil import Distilled
from tacit.recall.rank import Rules

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tacit.index.contract import Document, Found, Nearness, Vectors
    from tacit.index.embed.port import Vector

WISH = Distilled("how to deploy", ("deploy",))
FIRST = Reading("first", share=0.5, hub=0.0, background=0.0, spread=0.1, background_share=0.0)
SECOND = Reading("second", share=0.5, hub=0.0, background=0.0, spread=0.1, background_share=0.0)


class FakeIndex:
    """An index whose answers are written down."""

    def __init__(self, words: dict[str, float], near: dict[tuple[str, bool], dict[str, float]]) -> None:
        self.words = words
        self.near = near
        self.asked: list[tuple[str, int, list[str]]] = []

    def may_hold(self, *, latin: bool) -> bool:
        """Those scripts that some model has an answer for."""
        return any(script == latin for _, script in self.near)

    def by_keywords(self, tokens: Sequence[str], limit: int, wanted: Filter) -> dict[str, KeywordScore]:
        """The words' answer."""
        del tokens, wanted
        return {key: KeywordScore(score, score) for key, score in list(self.words.items())[:limit]}

    def coverage(self, tokens: Sequence[str], keys: Iterable[str]) -> dict[str, KeywordScore]:
        """Nothing of the query is in what only vectors found."""
        del tokens
        return {key: KeywordScore(0.0, 0.0) for key in keys}

    def by_vector(
        self, model: str, vector: Vector, limit: int, wanted: Filter, near: Nearness, *, also: Iterable[str] = ()
    ) -> VectorHits:
        """The model's answer for one script."""
        del vector, wanted
        keep = list(also)
        self.asked.append((model, limit, keep))
        every = self.near.get((model, near.latin_documents), {})
        best = sorted(every, key=lambda key: -every[key])[:limit]
        return VectorHits({key: every[key] for key in every if key in best or key in keep}, 0.0, len(every))

    def known(self) -> dict[str, str]:
        """Not asked."""
        return {}

    def update(
        self, put: Iterable[Document], drop: Iterable[str], stamps: Mapping[str, int | None] | None = None
    ) -> None:
        """Not asked."""

    def stamps(self) -> dict[str, int]:
        """Not asked."""
        return {}

    def origins(self, note_ids: Iterable[str]) -> dict[str, set[str]]:
        """Not asked."""
        del note_ids
        return {}

    def find(self, keys: Iterable[str]) -> dict[str, Found]:
        """Not asked."""
        del keys
        return {}

    def without_vectors(self, model: str, limit: int, *, latin: bool | None) -> list[tuple[str, tuple[str, ...]]]:
        """Not asked."""
        del model, limit, latin
        return []

    def missing_vectors(self, model: str, *, latin: bool | None) -> int:
        """Not asked."""
        del model, latin
        return 0

    def put_vectors(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Not asked."""

    def drop_older(self, models: Iterable[str]) -> None:
        """Not asked."""

    def counts(self) -> Counts:
        """Not asked."""
        return Counts(0, {})

    def damage(self) -> list[str]:
        """Not asked."""
        return []

    def close(self) -> None:
        """Not asked."""


class FakeMeanings:
    """Models that always give the same vector."""

    def __init__(self, pairs: dict[str, Pair], *, fails: bool = False) -> None:
        self._pairs = pairs
        self._fails = fails
        self.read: list[str] = []

    def pairs(self) -> dict[str, Pair]:
        """The pairs of the test."""
        return self._pairs

    def identity(self, model: str) -> str:
        """The name is enough here."""
        return model

    def expect(self, models: Collection[str], text: str) -> None:
        """Nothing takes long here."""

    def query(self, model: str, text: str) -> Vector:
        """One vector for all."""
        del text
        self.read.append(model)
        if self._fails:
            raise ModelUnusable(name=model, reason="test")
        return numpy.ones(2, numpy.float32)


def run(
    index: FakeIndex, meanings: FakeMeanings | None, *, wish: Distilled = WISH, per_path: int = 5
) -> dict[str, float]:
    """Key → semantic score of all candidates, best first."""
    found = paths.candidates(index, wish, meanings, Filter(), Rules(full_clearness=10.0), per_path=per_path)
    return {each.key: each.semantic for each in found}


def test_union_of_both_paths() -> None:
    """F-03: a note that one path finds is a candidate, whatever the other says."""
    index = FakeIndex({"w": 0.9}, {("first", True): {"v": 0.5}})
    assert set(run(index, FakeMeanings({"latin-latin": Pair((FIRST,))}))) == {"w", "v"}


def test_at_most_five_a_path() -> None:
    """F-03: up to five candidates a path."""
    words = {f"w{number}": 0.5 for number in range(9)}
    near = {f"v{number}": 0.5 + number / 100 for number in range(9)}
    index = FakeIndex(words, {("first", True): near})
    found = run(index, FakeMeanings({"latin-latin": Pair((FIRST,))}))
    assert len(found) == 10
    assert "v8" in found
    assert "v0" not in found


def test_further_models_read_what_the_first_found() -> None:
    """F-03: the models of a pair add up; only the first searches."""
    near = {("first", True): {"a": 0.4}, ("second", True): {"a": 0.2, "b": 0.9}, ("second", False): {}}
    index = FakeIndex({}, near)
    found = run(index, FakeMeanings({"latin-latin": Pair((FIRST, SECOND)), "latin-cjk": Pair((SECOND,))}))
    assert found == {"a": pytest.approx((0.5 * 4 + 0.5 * 2) / 10)}
    assert [(model, bool(limit)) for model, limit, _ in index.asked][:2] == [("first", True), ("second", False)]


def test_a_model_that_leads_for_no_note_is_not_asked() -> None:
    """F-03: without notes in the other script the leader reads alone, and its likeness is all of the meaning."""
    meanings = FakeMeanings({"latin-latin": Pair((FIRST, SECOND)), "latin-cjk": Pair((SECOND,))})
    found = run(FakeIndex({}, {("first", True): {"a": 0.4}, ("second", True): {"a": 0.2}}), meanings)
    assert found == {"a": pytest.approx(4 / 10)}
    assert meanings.read == ["first"]


def test_notes_in_another_language_have_a_handicap() -> None:
    """F-02: a note in another script is found too, if it stands out a little more."""
    near = {("first", True): {"en": 0.6}, ("first", False): {"zh": 0.6}}
    pairs = {"latin-latin": Pair((FIRST,)), "latin-cjk": Pair((FIRST,), handicap=1.0)}
    found = run(FakeIndex({}, near), FakeMeanings(pairs))
    assert found == {"en": pytest.approx(0.3), "zh": pytest.approx(0.2)}


def test_pairs_without_a_model_are_left_to_keywords() -> None:
    """F-05: what no model can read is judged by its words."""
    index = FakeIndex({"w": 0.9}, {("first", True): {"v": 0.5}})
    assert run(index, FakeMeanings({"cjk-cjk": Pair((FIRST,))})) == {"w": 0.0}


def test_what_is_below_the_background_is_no_candidate() -> None:
    """F-04: a path gives nothing where nothing stands out."""
    assert run(FakeIndex({}, {("first", True): {"v": -0.5}}), FakeMeanings({"latin-latin": Pair((FIRST,))})) == {}


def test_no_models_or_no_meaning() -> None:
    """F-05: keywords answer alone."""
    index = FakeIndex({"w": 0.9}, {("first", True): {"v": 0.5}})
    assert run(index, None) == {"w": 0.0}
    assert run(index, FakeMeanings({"latin-latin": Pair((FIRST,))}), wish=Distilled(" ", ("deploy",))) == {"w": 0.0}
    assert index.asked == []


def test_a_failing_model_is_told() -> None:
    """F-05: the caller hears of it and asks again without models."""
    with pytest.raises(ModelUnusable):
        run(FakeIndex({}, {("first", True): {}}), FakeMeanings({"latin-latin": Pair((FIRST,))}, fails=True))
