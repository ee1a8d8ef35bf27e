"""The layers of a memory, from what is always loaded to what is gone with its task."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """Where a note stands in the memory; the value is the short name used in pointers and commands."""

    CORE = "L0"
    DECLARATIVE = "L1"
    PROCEDURAL = "L2"
    EPISODIC = "L3"
    WORKING = "L4"

    @property
    def folder(self) -> str:
        """The directory of this layer inside a bank."""
        return f"{self.value}_{self.name.lower()}"

    @classmethod
    def named(cls, name: str) -> Layer:
        """Return the layer called `L1`, `declarative` or `L1_declarative`; raise ValueError for anything else."""
        for layer in cls:
            if name.lower() in (layer.value.lower(), layer.name.lower(), layer.folder.lower()):
                return layer
        raise ValueError(name)
