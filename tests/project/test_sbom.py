"""The bill of materials lists what users install, in our versions, and names no address."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("packaging")

from scripts import make_sbom

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bill() -> dict:
    """The bill, as it is written."""
    return json.loads(json.dumps(make_sbom.bill()))


def test_core_is_required_and_extras_are_optional(bill: dict) -> None:
    """The three dependencies of the core are required, everything else comes with an extra."""
    scopes = {each["name"]: each["scope"] for each in bill["components"]}

    assert {name for name, scope in scopes.items() if scope == "required"} == {"click", "pyyaml", "tomlkit"}
    assert {"mcp", "numpy", "onnxruntime", "psycopg-binary", "starlette", "nh3"} <= set(scopes)
    assert not {"pytest", "ruff", "mypy"} & set(scopes)


def test_versions_are_those_of_our_gates(bill: dict) -> None:
    """Each component has the version that constraints.txt pins."""
    assert {each["name"]: each["version"] for each in bill["components"]}.items() <= make_sbom.PINS.items()


def test_every_reference_leads_to_a_component(bill: dict) -> None:
    """The graph names components of the bill alone, and each is reached from Tacit."""
    known = {each["bom-ref"] for each in (*bill["components"], bill["metadata"]["component"])}
    graph = {each["ref"]: each["dependsOn"] for each in bill["dependencies"]}
    reached, ahead = set(), [bill["metadata"]["component"]["bom-ref"]]
    while ahead:
        reference = ahead.pop()
        reached.add(reference)
        ahead += [each for each in graph[reference] if each not in reached]

    assert set(graph) == known == reached


def test_no_address_is_named(bill: dict) -> None:
    """Where packages are fetched from is each machine's own matter; every component says its licence."""
    assert not re.search(r"https?:|\.org\b|\.io\b", json.dumps(bill))
    assert [each["name"] for each in bill["components"] if not each.get("licenses")] == []
