"""From a descriptor and a folder to a model that answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import ModelUnusable
from tacit.index.memory import give_back

if TYPE_CHECKING:
    from pathlib import Path

    from tacit.index.embed.port import Descriptor, Embedder


def load(descriptor: Descriptor, folder: Path) -> Embedder:
    """Return the loaded model; ModelUnusable if a file is missing or changed, or what it needs is not installed."""
    for name, wanted in descriptor.files.items():
        content = fsio.read(folder / name)
        if content is None:
            raise ModelUnusable(name=descriptor.name, reason=f"{name} is missing")
        if fsio.digest(content) != wanted:
            raise ModelUnusable(name=descriptor.name, reason=f"{name} is not the file it should be (wrong hash)")
    try:
        return _made(descriptor, folder)
    finally:
        give_back()  # some thirty megabytes


def _made(descriptor: Descriptor, folder: Path) -> Embedder:
    match descriptor.kind:
        case "bert":
            from tacit.index.embed.bert import BertEmbedder

            return BertEmbedder(descriptor, folder)
        case "use":
            from tacit.index.embed.use import UseEmbedder

            return UseEmbedder(descriptor, folder)
        case "remote":
            from tacit.index.embed.remote import RemoteEmbedder

            return RemoteEmbedder(descriptor, folder)
        case other:
            raise ModelUnusable(name=descriptor.name, reason=f"its kind {other!r} is not known")
