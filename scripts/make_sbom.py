"""Write the bill of materials: what a user installs with Tacit and each of its extras, as CycloneDX 1.6 in JSON.

python scripts/make_sbom.py [FILE]     by default to dist/; the versions are those of constraints.txt
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import json
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import tacit

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINS: dict[str, str] = {
    canonicalize_name(name): version
    for name, _, version in (line.partition("==") for line in (ROOT / "constraints.txt").read_text("utf-8").split())
}


def bill() -> dict[str, object]:
    """Return the bill: every distribution, whether the core or only an extra needs it, and who depends on whom."""
    needed = [Requirement(line) for line in PROJECT["dependencies"]]
    extras = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name != "dev"}
    optional = [Requirement(line) for lines in extras.values() for line in lines]
    core, graph = closure(needed)
    _, beside = closure(optional)
    graph |= beside
    itself = reference("tacit", tacit.__version__)
    direct = sorted({reference(canonicalize_name(each.name)) for each in (*needed, *optional)})
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": component("tacit", tacit.__version__, "MIT", "application")},
        "components": [
            component(name, PINS[name], licence(name), "library", "required" if name in core else "optional")
            for name in sorted(graph)
        ],
        "dependencies": [
            {"ref": itself, "dependsOn": direct},
            *({"ref": reference(name), "dependsOn": sorted(map(reference, graph[name]))} for name in sorted(graph)),
        ],
    }


def closure(wanted: list[Requirement]) -> tuple[set[str], dict[str, set[str]]]:
    """Return the names of all that these requirements bring along, and what each of them needs itself."""
    graph: dict[str, set[str]] = {}
    ahead = list(wanted)
    seen: set[tuple[str, frozenset[str]]] = set()
    while ahead:
        each = ahead.pop()
        name = canonicalize_name(each.name)
        if (name, frozenset(each.extras)) in seen:
            continue
        seen.add((name, frozenset(each.extras)))
        lines = [Requirement(line) for line in metadata.requires(name) or []]
        inner = [line for line in lines if applies(line, each.extras)]
        graph.setdefault(name, set()).update(canonicalize_name(line.name) for line in inner)
        ahead += inner
    return set(graph), graph


def applies(line: Requirement, extras: set[str]) -> bool:
    """Whether a requirement holds on this platform, with the extras that were asked for."""
    return line.marker is None or any(line.marker.evaluate({"extra": extra}) for extra in (*extras, ""))


def component(name: str, version: str, licence_text: str, kind: str, scope: str = "") -> dict[str, object]:
    """Return one entry; it says what a distribution is, and not where it comes from."""
    entry: dict[str, object] = {"type": kind, "bom-ref": reference(name, version), "name": name, "version": version}
    if scope:
        entry["scope"] = scope
    entry["purl"] = reference(name, version)
    if licence_text:
        entry["licenses"] = [{"license": {"name": licence_text}}]
    return entry


def reference(name: str, version: str = "") -> str:
    """Return the package URL, which names a distribution without an address."""
    return f"pkg:pypi/{name}@{version or PINS[name]}"


def licence(name: str) -> str:
    """Return what a distribution says of its licence, in a line."""
    found = metadata.metadata(name)
    fields = {field: found[field] for field in found}
    classified = [line.rpartition(" :: ")[2] for line in found.get_all("Classifier", []) if line.startswith("License")]
    said = fields.get("License-Expression") or ", ".join(classified) or fields.get("License") or ""
    return said.partition("\n")[0]


def main() -> None:
    """Write the bill."""
    target = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "dist" / f"tacit-{tacit.__version__}.cdx.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(bill(), indent=2) + "\n", encoding="utf-8")
    sys.stdout.write(f"wrote {target}\n")


if __name__ == "__main__":
    main()
