"""How the models at hand share the work."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from tacit.index.calibration import models_of, readings
from tacit.index.embed.catalogue import CATALOGUE
from tacit.index.embed.port import PAIRS, Descriptor, pair

ARCTIC, BGE, USE = (CATALOGUE[name] for name in ("arctic-embed-s", "bge-small-zh", "use-multilingual"))
OWN = Descriptor(name="own", kind="bert", pairs=PAIRS)
HALF = Descriptor(name="half", kind="bert", pairs=("latin-latin",))
MODELS = (ARCTIC, BGE, USE, OWN, HALF)
SUBSETS = [*chain.from_iterable(combinations(MODELS, size) for size in range(len(MODELS) + 1))]


@pytest.mark.parametrize("models", SUBSETS, ids=lambda models: "+".join(each.name for each in models) or "none")
def test_every_set_of_models_makes_sense(models: tuple[Descriptor, ...]) -> None:
    """F-09: whatever models there are, each pair that one of them serves is read by models that are there."""
    found = readings(models)
    assert set(found) == {name for each in models for name in each.pairs}
    for read in found.values():
        assert sum(reading.share for reading in read.readings) == pytest.approx(1.0)
        assert {reading.model for reading in read.readings} <= {each.name for each in models}
        assert read.floor > 0
        assert read.coverage_floor > 0
        assert 0 < read.weight < 1
        assert all(reading.spread > 0 for reading in read.readings)
    assert set(models_of(found)) <= {each.name for each in models}


def test_recommended_models_have_the_measured_weight() -> None:
    """F-03: 0.7 and 0.3 hold for the recommended models."""
    assert {read.weight for read in readings([ARCTIC, BGE, USE]).values()} == {0.7}


def test_meaning_counts_less_without_the_leader() -> None:
    """F-03: where the better model of a pair is missing, the keywords count for more."""
    assert readings([USE])["latin-latin"].weight < 0.7
    assert readings([ARCTIC])["latin-latin"].weight == 0.7


def test_measured_models_come_before_unmeasured_ones() -> None:
    """F-03: an own model reads what no measured one reads."""
    assert {reading.model for reading in readings([ARCTIC, OWN])["latin-latin"].readings} == {ARCTIC.name}
    assert {reading.model for reading in readings([ARCTIC, OWN])["cjk-cjk"].readings} == {OWN.name}


def test_models_get_the_scripts_they_read() -> None:
    """F-09: no vectors are made that nobody compares."""
    assert models_of(readings([ARCTIC, BGE, USE])) == {ARCTIC.name: True, BGE.name: False, USE.name: None}
    assert models_of({}) == {}


def test_pairs_have_names() -> None:
    """The pair of scripts of a query and a note."""
    assert {pair(latin_query=query, latin_document=note) for query in (True, False) for note in (True, False)} == {
        *PAIRS
    }


def test_identities_differ() -> None:
    """B-04: vectors of two models, or of two versions of one, never meet."""
    other = Descriptor(name="own", kind="bert", pairs=PAIRS, files={"model.onnx": "ab"})
    remote = Descriptor(name="own", kind="remote", pairs=PAIRS, endpoint="http://x#y")
    assert len({each.identity for each in (ARCTIC, USE, OWN, other, remote)}) == 5
