"""The models of this machine, loaded when first asked, and the vectors they make of documents."""

from __future__ import annotations

import os
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import local
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import models
from tacit.errors import ModelUnusable
from tacit.index import calibration
from tacit.index.contract import Vectors
from tacit.index.embed.catalogue import load
from tacit.index.embed.cohort import COHORT_CJK, COHORT_LATIN

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    import numpy

    from tacit.index.calibration import Pair
    from tacit.index.embed.port import Descriptor, Embedder, Vector

# The first passage of a document is title and when to load, the second adds the one-liner, the rest is all of it.
_SHORTEST, _SUMMARY, _REST = 0, 1, 2


_MOST_RECENT = 512

# Says of which everyday prompts kept vectors were made.
_EVERYDAY = fsio.digest("\n".join((*COHORT_LATIN, *COHORT_CJK)).encode())[:16]


# Models take a second to load and a hundred megabytes to hold: all banks of a process share them.
_LOADED: dict[tuple[str, Path], Embedder] = {}

_BESIDE = ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="tacit-model")


class _Asked(local):
    """The query that a thread asks about, and its vectors, which may still be in the making."""

    def __init__(self) -> None:
        self._text = ""
        self._vectors: dict[str, Future[Vector]] = {}

    def about(self, text: str) -> dict[str, Future[Vector]]:
        """Return what was begun for a text; what was made for another one is forgotten."""
        if text != self._text:
            self._text, self._vectors = text, {}
        return self._vectors


class LoadedModels:
    """What the models of this machine can do. One that cannot be used is left out, and why is remembered."""

    def __init__(self, descriptors: list[Descriptor]) -> None:
        self._descriptors = {descriptor.name: descriptor for descriptor in descriptors}
        self._loaded: dict[str, Embedder] = {}
        self._cohorts: dict[str, tuple[numpy.ndarray, numpy.ndarray]] = {}
        self._pairs: dict[str, Pair] | None = None
        self._recent: dict[tuple[str, str], Vector] = {}
        self._asked = _Asked()
        self.unusable: dict[str, str] = {}

    def pairs(self) -> dict[str, Pair]:
        """Return how each pair of scripts is read; loads the models when it is first asked."""
        if self._pairs is None:
            usable = [descriptor for name, descriptor in self._descriptors.items() if self._load(name)]
            self._pairs = calibration.readings(usable)
        return self._pairs

    def is_quick(self, model: str) -> bool:
        """Whether a model reads a note in a few milliseconds, so that somebody may wait for it."""
        return self._descriptors[model].kind == "use"

    @property
    def ready(self) -> bool:
        """Whether the models are loaded, so that asking them costs milliseconds and not a second."""
        return bool(self._pairs)

    def identity(self, model: str) -> str:
        """Return what the vectors of a model are stamped with."""
        return self._descriptors[model].identity

    def identities(self) -> list[str]:
        """Return the identities of all models, loaded or not."""
        return [descriptor.identity for descriptor in self._descriptors.values()]

    def expect(self, models: Collection[str], text: str) -> None:
        """Make the vectors of a query that take little now, beside those that take long, which may come later."""
        begun = self._asked.about(text)
        missing = [model for model in models if model not in begun]
        quick = [model for model in missing if self.is_quick(model)]
        if quick:  # two threads take more of the processor than one: only for what takes as long as a thread costs
            begun |= {each: _BESIDE.submit(self._loaded[each].query, text) for each in missing if each not in quick}
        for model in missing:
            if model not in begun:
                made: Future[Vector] = Future()
                made.set_result(self._loaded[model].query(text))
                begun[model] = made

    def query(self, model: str, text: str) -> Vector:
        """Return the vector of a query; that of the same text for the next bank is the same."""
        self.expect([model], text)
        return self._asked.about(text)[model].result()

    def likeness(self, one: str, other: str) -> float | None:
        """Return how alike two texts of any languages are, nought to one; None without a loaded model that can tell."""
        # The floors of governance were measured with this kind; another model's cosines mean something else.
        model = next((name for name in self._loaded if self._descriptors[name].kind == "use"), None)
        if model is None:
            return None
        near = float(self._passage(model, one) @ self._passage(model, other))
        return max(0.0, min(1.0, near))

    def tasks(self) -> dict[str, bool | None]:
        """Return model → the script of documents it needs vectors of: Latin, others, or both (None)."""
        return calibration.models_of(self.pairs())

    def vectors(self, model: str, passages: tuple[str, ...]) -> Vectors:
        """Return the vectors of a document, and how alike it is to prompts about anything."""
        import numpy

        embedder = self._loaded[model]
        first = _SUMMARY if self._descriptors[model].by_summary else _SHORTEST
        # A note that says no more than its summary is read once.
        rows = [embedder.passage(passage) for passage in dict.fromkeys((passages[first], *passages[_REST:]))]
        table = numpy.stack(rows)
        latin, cjk = (float((table @ cohort.T).max(axis=0).mean()) for cohort in self._cohort(model))
        return Vectors(rows, latin, cjk)

    def _passage(self, model: str, text: str) -> Vector:
        """Return the vector of a short text; the last ones are remembered, for neighbours come again."""
        key = (model, text)
        if key not in self._recent:
            if len(self._recent) >= _MOST_RECENT:
                self._recent.clear()
            self._recent[key] = self._loaded[model].passage(text)
        return self._recent[key]

    def _load(self, name: str) -> bool:
        descriptor = self._descriptors[name]
        key = (descriptor.identity, models.folder(name))
        try:
            if key not in _LOADED:
                _LOADED[key] = load(descriptor, models.folder(name))
            self._loaded[name] = _LOADED[key]
        except ModelUnusable as error:
            self.unusable[name] = error.message
            return False
        return True

    def _cohort(self, model: str) -> tuple[numpy.ndarray, numpy.ndarray]:
        import numpy

        if model not in self._cohorts:
            kept = models.folder(model) / f"everyday-{_EVERYDAY}.f4"
            texts = (*COHORT_LATIN, *COHORT_CJK)
            content = fsio.read(kept)
            if content is None:
                # Takes a second or two, so it is kept beside the model; failing to is no failure.
                content = numpy.stack([self._loaded[model].query(text) for text in texts]).astype("<f4").tobytes()
                with suppress(OSError):
                    fsio.replace(kept, content, sync=False)
            table = numpy.frombuffer(content, "<f4").reshape(len(texts), -1)
            self._cohorts[model] = (table[: len(COHORT_LATIN)], table[len(COHORT_LATIN) :])
        return self._cohorts[model]
