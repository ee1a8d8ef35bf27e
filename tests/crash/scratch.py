"""Throw-away directories, and whole directory trees as values."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Path below the root → content; a directory ends in "/" and has none.
Tree = dict[str, bytes]

_IN_MEMORY = Path("/dev/shm")  # noqa: S108  only fresh directories with random names are made there


def dice(*seed: object) -> random.Random:
    """Return a source of chance that gives the same sequence for the same seed."""
    return random.Random("/".join(map(str, seed)))  # noqa: S311  chance that can be repeated is the point


@contextmanager
def scratch() -> Iterator[Path]:
    """Make a directory, in memory where the system has a place for it, and remove it afterwards."""
    parent = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK | os.X_OK) else None
    place = Path(tempfile.mkdtemp(prefix="tacit-crash-", dir=parent)).resolve()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def kind_of_file_system(place: Path) -> str:
    """Return the kind of file system that `place` is on, as Linux tells it; empty elsewhere."""
    try:
        mounts = [line.split(" ") for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()]
    except OSError:
        return ""
    around = [(len(point), kind) for _, point, kind, *_ in mounts if place.is_relative_to(point)]
    return max(around)[1] if around else ""


def read_tree(root: Path) -> Tree:
    """Return everything below `root`."""
    found: Tree = {}
    _read_into(found, str(root), "")
    return found


def _read_into(found: Tree, directory: str, prefix: str) -> None:
    with os.scandir(directory) as entries:
        for entry in entries:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                found[f"{name}/"] = b""
                _read_into(found, entry.path, f"{name}/")
            else:
                with FileIO(entry.path) as file:
                    found[name] = file.readall()


def write_tree(root: Path, tree: Tree) -> None:
    """Make `root` hold exactly `tree`."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    where = f"{root}/"
    for name in sorted(tree):  # a directory sorts before what is in it
        if name.endswith("/"):
            os.mkdir(where + name)  # noqa: PTH102  thousands of times: a Path costs more than the call
        else:
            with FileIO(where + name, "w") as file:
                file.write(tree[name])
