"""The pages about hosts say what is written where."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacit.hosts.catalogue import HOSTS
from tacit.hosts.wiring import Own, Place, Scope

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/hosts"
WIRED = [each.id for each in HOSTS.values() if not each.is_guided]


def shown(file: Path, *, is_own: bool) -> str:
    """Return how a page names a file: a folder of ours by the folder, others by name, the user's home as `~`."""
    name = file.as_posix().replace("/the-project/", "").replace("/the-home/", "~/")
    folders = ("skills", "agents", "commands", "hooks")
    parts = name.split("/")
    at = next((number for number, part in enumerate(parts[:-1]) if part in folders), None)
    is_named = file.name in ("tacit.json", "hooks.json")
    return name if at is None or not is_own or is_named else "/".join(parts[: at + 1]) + "/"


@pytest.mark.parametrize("scope", list(Scope))
@pytest.mark.parametrize("host", WIRED)
def test_page_names_every_file(host: str, scope: Scope) -> None:
    """W-01: what an installation writes in either scope stands on the host's page."""
    place = Place(
        scope=scope,
        root=Path("/the-project"),
        home=Path("/the-home"),
        hook="tacit",
        server=("tacit", "mcp"),
        user_server=("tacit", "mcp"),
    )
    page = (PAGES / f"{host}.md").read_text(encoding="utf-8")
    named = {shown(part.file, is_own=isinstance(part, Own)) for part in HOSTS[host].parts(place)}
    assert [name for name in sorted(named) if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_every_host_has_a_page(name: str) -> None:
    """The table links to a page for each host, in both languages."""
    text = (PAGES / name).read_text(encoding="utf-8")
    for host in HOSTS.values():
        assert f"| [{host.title}]({host.id}.md) | `{host.id}` |" in text
        assert f"# {host.title}\n" in (PAGES / f"{host.id}.md").read_text(encoding="utf-8")
