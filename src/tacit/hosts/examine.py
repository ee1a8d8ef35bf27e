"""A look at each host: what is wired, trusted, stale or doubled, and whether its hooks get through."""

from __future__ import annotations

import json
import os
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.entry.context import PROTOCOL
from tacit.errors import TacitError
from tacit.hosts import jsonc, launcher, shipped, toml_text, wiring
from tacit.hosts.jsonc import BrokenText
from tacit.hosts.wiring import Own, Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tacit.hosts.install import Installer
    from tacit.hosts.record import Record
    from tacit.hosts.wiring import Host, Part, Place, Shared

_PATIENCE_S = 15


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str


def examine(installer: Installer, hosts: Iterable[Host]) -> Iterator[Finding]:
    """Yield what is to be said about each host that is wired for this project or this user."""
    wired: dict[str, list[Scope]] = {}
    for host in hosts:
        for scope in Scope:
            found = installer.record_of(host, scope)
            place = installer.place(scope, is_mcp_hook=found is not None and found.is_mcp_hook)
            parts = host.parts(place)
            states = {part.file: _state(part, found) for part in parts}
            if not parts or (found is None and set(states.values()) != {"here"}):
                continue
            wired.setdefault(host.title, []).append(scope)
            name = f"host {host.id} ({scope})"
            yield _wiring(name, host, states)
            yield from _trust(name, host, place)
            yield from _fired(name, host, place)
            yield from _protocol(name, [each for each in parts if states[each.file] != "broken"])
    doubled = [title for title, scopes in wired.items() if len(scopes) > 1]
    if doubled:
        yield Finding(
            "hosts", ok=False, detail=f"wired for you and for this project, so hooks run twice: {', '.join(doubled)}"
        )
    if wired:
        yield _launcher(installer.own)
    else:
        yield Finding("hosts", ok=True, detail="no host is wired; `tacit install --list` shows them")


def _state(part: Part, found: Record | None) -> str:
    """Return whether a part is `here`, `missing`, `stale` (as another version put it), `changed` or `broken`."""
    try:
        content = fsio.read(part.file.resolve())
        if isinstance(part, Own):
            return _state_of_own(part, content, found)
        return "missing" if content is None else _state_of_shared(part, content.decode(), found)
    except (BrokenText, TacitError, OSError, UnicodeDecodeError):
        return "broken"


def _state_of_own(part: Own, content: bytes | None, found: Record | None) -> str:
    if content is None:
        return "missing"
    if content == part.text.encode():
        return "here"
    kept = found.of(part.file.resolve()) if found else None
    return "stale" if kept is not None and kept.after == fsio.digest(content) else "changed"


def _state_of_shared(part: Shared, text: str, found: Record | None) -> str:
    kept = found.of(part.file.resolve()) if found else None
    older = [put.piece for put in kept.puts] if kept else []
    state = "here"
    for piece in part.pieces:
        if part.file.suffix == ".toml":
            there = toml_text.find(text, piece.path)
        else:
            node = jsonc.find(text, piece.path)
            there = None if node is None else node.value
        items = there if piece.is_item and isinstance(there, list) else [there]
        if piece.is_default or piece.value in items:
            continue
        if any(each.path == piece.path and each.value in items for each in older):
            return "stale"
        if there is None or (piece.is_item and not piece.is_in(items)):
            return "missing"
        state = "changed"
    return state


def _wiring(name: str, host: Host, states: dict[Path, str]) -> Finding:
    wrong = {
        state: [str(file) for file, each in states.items() if each == state] for state in ("broken", "missing", "stale")
    }
    told = [f"{state}: {', '.join(files)}" for state, files in wrong.items() if files]
    if told:
        return Finding(name, ok=False, detail=f"{'; '.join(told)}; `tacit install {host.id}` mends it")
    own = sum(state == "changed" for state in states.values())
    return Finding(
        name, ok=True, detail=f"wired, {len(states)} files{f', {own} of them changed by you' if own else ''}"
    )


def _trust(name: str, host: Host, place: Place) -> Iterator[Finding]:
    """Say whether Codex trusts the hooks: it keeps that per hook in the user's configuration."""
    if host.id != "codex":
        return
    try:
        config = (fsio.read(place.home / ".codex/config.toml") or b"").decode()
        hooks = toml_text.find(config, ("hooks", "state"))
        folder = toml_text.find(config, ("projects", str(place.root), "trust_level")) == "trusted"
    except (BrokenText, UnicodeDecodeError, OSError, TacitError):
        hooks, folder = None, False
    file = str(place.pick(".codex/hooks.json"))
    known = [key for key in hooks if key.startswith(f"{file}:")] if isinstance(hooks, dict) else []
    if place.scope is Scope.PROJECT and not folder:
        yield Finding(name, ok=False, detail="Codex does not trust this folder yet: start it here and say yes")
    elif len(known) < len(host.events):
        yield Finding(name, ok=False, detail="Codex does not trust the hooks yet: start it and choose “Trust all”")
    else:
        yield Finding(name, ok=True, detail="Codex trusts the hooks")


def _fired(name: str, host: Host, place: Place) -> Iterator[Finding]:
    """Fire each hook once, as the host would, in a way that keeps nothing."""
    times, silent = [], []
    for event in host.events:
        if place.is_mcp_hook and event == "prompt":
            continue
        begun = time.monotonic()
        answer = fire(wiring.line(place, event, host.id), place.root)
        times.append(time.monotonic() - begun)
        if answer.get("event") != event or answer.get("host") != host.id:
            silent.append(event)
    if silent:
        yield Finding(name, ok=False, detail=f"no answer from the hooks {', '.join(silent)}")
    else:
        yield Finding(name, ok=True, detail=f"{len(times)} hooks answer, the slowest in {1000 * max(times):.0f} ms")


def fire(line: str, root: Path) -> dict[str, str]:
    """Return what a hook understood of an empty event; nothing if it did not answer in time."""
    given = json.dumps({"cwd": str(root), "session_id": "tacit-doctor", "prompt": ""})
    try:
        done = subprocess.run(  # noqa: S602  the very line that the host gives to a shell
            line,
            shell=True,
            input=given,
            capture_output=True,
            encoding="utf-8",
            timeout=_PATIENCE_S,
            env={**os.environ, "TACIT_DRY": "1"},
            check=False,
        )
        answer = json.loads(done.stdout)
    except (OSError, ValueError, RecursionError, subprocess.TimeoutExpired):
        return {}
    return answer if isinstance(answer, dict) else {}


def _protocol(name: str, parts: list[Part]) -> Iterator[Finding]:
    """Say which skills that are there are of another protocol than the one that is injected."""
    drifted = []
    for part in parts:
        if part.file.name == "SKILL.md":
            said = shipped.front((fsio.read(part.file.resolve()) or b"").decode("utf-8", "replace")).get(
                "protocol_version"
            )
            if said != PROTOCOL:
                drifted.append(part.file.parent.name)
    if drifted:
        yield Finding(name, ok=False, detail=f"not of the protocol {PROTOCOL}: {', '.join(drifted)}")


def _launcher(own: Path) -> Finding:
    content = fsio.read(launcher.path(own))
    if content == launcher.script(own).encode():
        return Finding("hosts", ok=True, detail=f"{launcher.path(own)} leads here")
    how = "is missing" if content is None else "leads to another Tacit"
    return Finding("hosts", ok=False, detail=f"{launcher.path(own)} {how}; `tacit install HOST` mends it")
