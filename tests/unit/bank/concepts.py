"""A bank to recall from, on a machine without models or with one that is small, deterministic and knows four things."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
import pytest

from tacit.bank import meanings, models
from tacit.errors import ModelUnusable
from tacit.index.embed.port import PAIRS, Descriptor
from tacit.note.model import Note, Timing

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.bank import Bank
    from tacit.bank.recalling import Recall
    from tacit.index.embed.port import Embedder, Vector

CONCEPTS = (
    ("deploy", "ship", "rollout", "部署", "发布"),
    ("database", "postgres", "migration", "数据库"),
    ("coffee", "espresso", "咖啡"),
    ("lint", "style", "formatter"),
)
FAKE = Descriptor(name="fake", kind="bert", pairs=PAIRS, files={"model.onnx": "f" * 64})
PROMPT = "how do we deploy the billing service?"


class FakeEmbedder:
    """Knows the concepts above; everything else is one and the same to it."""

    def __init__(self) -> None:
        self.fails = False

    def query(self, text: str) -> Vector:
        """The concepts of a text, as directions."""
        if self.fails:
            raise ModelUnusable(name="fake", reason="test")
        vector = numpy.zeros(len(CONCEPTS) + 1, numpy.float32)
        for number, words in enumerate(CONCEPTS):
            vector[number] = sum(text.lower().count(word) for word in words)
        if not vector.any():
            vector[-1] = 1
        unit: Vector = vector / numpy.linalg.norm(vector)
        return unit

    passage = query


@pytest.fixture(autouse=True)
def no_models(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """This machine has no models, unless a test says so."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "home"))


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> FakeEmbedder:
    """A machine with one model."""
    made = FakeEmbedder()

    def load(descriptor: Descriptor, folder: Path) -> Embedder:
        assert (descriptor.name, folder.name) == ("fake", "fake")
        return made

    monkeypatch.setattr(models, "installed", lambda: [FAKE])
    monkeypatch.setattr(meanings, "load", load)
    return made


def deploy(**fields: object) -> Note:
    """How we deploy."""
    members = {
        "id": "MEM-deploy",
        "title": "Deploy with blue-green switches",
        "when_to_load": ("before a deploy of the billing service",),
        "one_liner": "Deploy to the idle colour first.",
        "timing": Timing.BOTH,
        **fields,
    }
    return Note(**members)  # type: ignore[arg-type]


DATABASE = Note(
    id="MEM-database",
    title="Database migrations run in two steps",
    when_to_load=("writing a postgres migration",),
    one_liner="First add the column, then drop the old one.",
)
CHINESE = Note(id="MEM-zh", title="咖啡机的清洗", when_to_load=("清洗咖啡机",), one_liner="每周五用柠檬酸清洗咖啡机。")


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with three notes."""
    bank.add([deploy(), DATABASE, CHINESE])
    return bank


def said(recall: Recall) -> list[str]:
    """The ids of what was said."""
    assert recall.abstained == (not recall.notes)
    assert bool(recall.injection) == bool(recall.notes)
    return [hit.id for hit in recall.notes]
