"""From the text of a lock file to the versions that it holds."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING

from tacit.project.values import Manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Lock file → the tool that writes it.
TOOLS = {
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "poetry.lock": "poetry",
    "uv.lock": "uv",
    "pdm.lock": "pdm",
    "Pipfile.lock": "pipenv",
    "Cargo.lock": "cargo",
    "Gemfile.lock": "bundle",
    "composer.lock": "composer",
}


def parse(file: str, text: str) -> Manifest | None:
    """Return the versions in a lock file; None if the file is none."""
    name = file.rpartition("/")[2]
    if name not in TOOLS:
        return None
    reader = _READERS.get(name)
    try:
        versions = reader(text) if reader else {}
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        versions = {}
    return Manifest(file, TOOLS[name], versions=versions, is_lock=True)


def _npm(text: str) -> dict[str, str]:
    packages = json.loads(text).get("packages", {})
    inside = "node_modules/"
    return {
        path.removeprefix(inside): str(entry.get("version", ""))
        for path, entry in packages.items()
        if path.startswith(inside) and path.count(inside) == 1
    }


def _pnpm(text: str) -> dict[str, str]:
    pairs = re.findall(r"^ +'?(@?[\w./-]+)'?:\n +specifier: [^\n]*\n +version: '?(\d[\w.-]*)", text, re.MULTILINE)
    return dict(pairs)


def _yarn(text: str) -> dict[str, str]:
    return dict(re.findall(r"^\"?(@?[\w./-]+)@[^\n]*:\n +version:? \"?(\d[^\"\n]*)", text, re.MULTILINE))


def _toml(text: str) -> dict[str, str]:
    return {each["name"]: str(each.get("version", "")) for each in tomllib.loads(text).get("package", [])}


def _gems(text: str) -> dict[str, str]:
    return dict(re.findall(r"^    ([\w-]+) \((\d[\w.]*)\)$", text, re.MULTILINE))


def _composer(text: str) -> dict[str, str]:
    found = json.loads(text)
    entries = (*found.get("packages", []), *found.get("packages-dev", []))
    return {each["name"].rpartition("/")[2]: str(each["version"]).removeprefix("v") for each in entries}


_READERS: Mapping[str, Callable[[str], dict[str, str]]] = {
    "package-lock.json": _npm,
    "npm-shrinkwrap.json": _npm,
    "pnpm-lock.yaml": _pnpm,
    "yarn.lock": _yarn,
    "poetry.lock": _toml,
    "uv.lock": _toml,
    "pdm.lock": _toml,
    "Cargo.lock": _toml,
    "Gemfile.lock": _gems,
    "composer.lock": _composer,
}
