"""A bounded, read-only look at the files of the user's project; secrets are never opened."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import TacitError
from tacit.project import locks, manifests
from tacit.project.values import Survey
from tacit.text import is_writable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tacit.project.values import Manifest

MAX_FILES = 20_000
_MAX_READ_FILES = 4_000
_MAX_BYTES = 512 * 1024
_MAX_LOCK_BYTES = 8 * 1024 * 1024
_GLANCE_FILES, _GLANCE_LINES, _GLANCE_DEPTH = 10, 200, 2
# What tools make, fetch or keep for themselves: not the project's own, and not looked into.
MADE_FOLDERS = frozenset(
    """
    .git .hg .svn node_modules bower_components .venv venv env __pycache__ .mypy_cache .pytest_cache .ruff_cache
    .tox .nox .eggs dist build out target coverage htmlcov .next .nuxt .svelte-kit .turbo .cache .gradle .idea
    .terraform vendor Pods DerivedData _build deps obj bin .dart_tool .parcel-cache
    """.split()  # noqa: SIM905  words, not a column of quotes
)
# Folders of that name that hold a project's own files as often as made ones: they are looked into.
_OWN = frozenset({"bin", "env", "deps", "out", "vendor"})
_SECRET_NAMES = (
    ".env", ".env.*", "*.env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.asc",
    "id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", ".netrc", ".npmrc", ".pypirc", ".htpasswd", ".pgpass",
    "credentials", "credentials.*", "secrets.*", "secret.*", "*.tfstate", "*.tfstate.*", "*.tfvars",
    "service[-_]account*.json", "client_secret*.json", ".envrc", ".git-credentials", ".vault-token", "kubeconfig",
)  # fmt: skip
_SECRET_FOLDERS = frozenset({"secrets", ".secrets", ".ssh", ".aws", ".kube", ".gnupg"})
_SHOWN_NAMES = ("*.example", "*.sample", "*.template", "*.dist", "*.md", "*.py", "*.ts", "*.js", "*.go", "*.rs", "*.rb")
_BINARY = frozenset(
    """
    png jpg jpeg gif webp ico bmp pdf zip gz tgz bz2 xz 7z jar war class so dylib dll exe o a bin wasm woff woff2 ttf
    otf eot mp3 mp4 mov avi sqlite db parquet onnx pt npy npz pyc lockb
    """.split()  # noqa: SIM905  as above
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
# A name between quotes or slashes, as programs write the files that they make.
_NAME = re.compile(r"(?<=[\"'/`])([\w.-]+)(?=[\"'/`])")
_DOCUMENTS = frozenset({"md", "mdx", "rst", "txt", "adoc", "log", "csv", "svg"})


def is_secret(file: str) -> bool:
    """Whether a file holds secrets by its name or its folder's; such a file is never opened."""
    *folders, name = file.lower().split("/")
    if any(fnmatch(name, pattern) for pattern in _SHOWN_NAMES):
        return False
    return not _SECRET_FOLDERS.isdisjoint(folders) or any(fnmatch(name, pattern) for pattern in _SECRET_NAMES)


def look(root: Path, *, leave_out: Path | None = None) -> Survey:
    """Return what stands in the project at `root`, without the folder `leave_out` (the bank).

    The sources are read too, for the names that they use.
    """
    files: list[str] = []
    for file in _walk(root, leave_out):
        files.append(file)
        if len(files) > MAX_FILES:
            break
    found: list[Manifest] = []
    for file in files:
        name = file.rpartition("/")[2]
        if name in locks.TOOLS:
            parsed = locks.parse(file, "" if name == "bun.lockb" else read(root, file, _MAX_LOCK_BYTES))
        elif manifests.is_manifest(file):
            # Of one that cannot be read nobody knows what it defines: then it says nothing.
            parsed = manifests.parse(file, text) if (text := read(root, file)) else None
        else:
            parsed = None
        if parsed is not None:
            found.append(parsed)
    sources = [file for file in files if _is_source(file)]
    used = {file: _words(read(root, file)) for file in sources[:_MAX_READ_FILES]}
    found.sort(key=lambda each: (each.file.count("/"), each.file))
    readme = next((file for file in sorted(files) if re.fullmatch(r"readme(\.\w+)?", file, re.IGNORECASE)), "")
    whole = len(files) <= MAX_FILES and len(sources) <= _MAX_READ_FILES
    return Survey(root.name, frozenset(files), tuple(found), used, read(root, readme) if readme else "", whole)


def glance(root: Path, *, leave_out: Path | None = None) -> Survey:
    """Return what the snapshot of a project needs: its tree, and at most ten files of two hundred lines each."""
    files = [file for _, file in zip(range(MAX_FILES), _walk(root, leave_out), strict=False)]
    near = sorted(
        (file for file in files if file.count("/") <= _GLANCE_DEPTH), key=lambda file: (file.count("/"), file)
    )
    readme = next((file for file in near if re.fullmatch(r"readme(\.\w+)?", file, re.IGNORECASE)), "")
    found = []
    chosen = [file for file in near if manifests.is_manifest(file)][: _GLANCE_FILES - 1]
    for file in chosen:
        begun = _first_lines(read(root, file))
        parsed = manifests.parse(file, begun) or manifests.parse(file, manifests.closed(begun))
        if parsed is not None:
            found.append(parsed)
    # Of a lock file the name alone says which package manager is in use.
    found += [locked for file in near if (locked := locks.parse(file, "")) is not None]
    return Survey(root.name, frozenset(files), tuple(found), {}, _first_lines(read(root, readme)) if readme else "")


def _first_lines(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:_GLANCE_LINES])


def read(root: Path, file: str, limit: int = _MAX_BYTES) -> str:
    """Return the text of a file of the project; empty if it holds secrets, is too large, or cannot be read."""
    if is_secret(file):
        return ""
    try:
        content = fsio.read(root / file, limit=limit)
    except (OSError, TacitError):
        return ""
    return "" if content is None or len(content) > limit else content.decode("utf-8-sig", "replace")


def _words(text: str) -> frozenset[str]:
    """Return the words of a source, and the names in it that may be those of files, each behind a slash."""
    return frozenset([*_WORD.findall(text), *(f"/{name}" for name in _NAME.findall(text))])


def _walk(root: Path, leave_out: Path | None) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        inside = os.path.relpath(folder, root)
        prefix = "" if inside == "." else f"{inside.replace(os.sep, '/')}/"
        folders[:] = sorted(
            each
            for each in folders
            if (each not in MADE_FOLDERS or each in _OWN)
            and is_writable(each)
            and os.path.join(folder, each) != str(leave_out)  # noqa: PTH118  a string is all that is needed
            and not os.path.islink(os.path.join(folder, each))  # noqa: PTH114, PTH118  as above
        )
        yield from (f"{prefix}{name}" for name in sorted(names) if is_writable(name))


def _is_source(file: str) -> bool:
    name = file.rpartition("/")[2]
    ending = name.rpartition(".")[2].lower()
    return ending not in _BINARY and ending not in _DOCUMENTS and name not in locks.TOOLS and not is_secret(file)
