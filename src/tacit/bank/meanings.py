"""The models of this machine, loaded when first asked, and the vectors they make of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.bank import models
from tacit.errors import ModelUnusable
from tacit.index.contract import Vectors
from tacit.index.embed.cohort import COHORT_CJK, COHORT_LATIN
from tacit.index.embed.load import load

if TYPE_CHECKING:
    import numpy

    from tacit.index.embed.port import Descriptor, Embedder, Scale, Vector


class LoadedModels:
    """Which model serves which pair of scripts. A model that cannot be used is left out, and why is remembered."""

    def __init__(self, descriptors: list[Descriptor]) -> None:
        self._descriptors = {descriptor.identity: descriptor for descriptor in descriptors}
        self._loaded: dict[str, Embedder] = {}
        self._cohorts: dict[str, tuple[numpy.ndarray, numpy.ndarray]] = {}
        self.unusable: dict[str, str] = {}

    def serving(self, pair_name: str) -> tuple[str, Scale] | None:
        """Return identity and scale of the first model that can be used for a pair."""
        for identity, descriptor in self._descriptors.items():
            if pair_name in descriptor.scales and self._ready(identity):
                return identity, descriptor.scales[pair_name]
        return None

    def identities(self) -> list[str]:
        """Return the identities of the models, whether they are loaded or not."""
        return list(self._descriptors)

    def query(self, model: str, text: str) -> Vector:
        """Return the vector of a query."""
        return self._loaded[model].query(text)

    def tasks(self) -> list[tuple[str, bool | None]]:
        """Return which documents each model needs vectors of: those in Latin script, the others, or all (None)."""
        wanted = []
        chosen = {pair: self.serving(pair) for pair in models.PAIRS}
        for identity in self._descriptors:
            scripts = {pair.endswith("latin") for pair, serving in chosen.items() if serving and serving[0] == identity}
            if scripts:
                wanted.append((identity, None if len(scripts) > 1 else scripts.pop()))
        return wanted

    def vectors(self, model: str, passages: tuple[str, ...]) -> Vectors:
        """Return the vectors of a document, and how alike it is to prompts about anything."""
        import numpy

        embedder = self._loaded[model]
        rows = [embedder.passage(passage) for passage in passages]
        table = numpy.stack(rows)
        latin, cjk = (float((table @ cohort.T).max(axis=0).mean()) for cohort in self._cohort(model))
        return Vectors(rows, latin, cjk)

    def _ready(self, identity: str) -> bool:
        if identity in self._loaded:
            return True
        if identity in self.unusable:
            return False
        descriptor = self._descriptors[identity]
        try:
            self._loaded[identity] = load(descriptor, models.folder(descriptor.name))
        except ModelUnusable as error:
            self.unusable[identity] = error.message
            return False
        return True

    def _cohort(self, model: str) -> tuple[numpy.ndarray, numpy.ndarray]:
        import numpy

        if model not in self._cohorts:
            embedder = self._loaded[model]
            self._cohorts[model] = (
                numpy.stack([embedder.query(text) for text in COHORT_LATIN]),
                numpy.stack([embedder.query(text) for text in COHORT_CJK]),
            )
        return self._cohorts[model]
