"""Mounting a foreign memory and taking it off again."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.audit.record import Event, Record
from tacit.bank import gathering, mounting
from tacit.bank.mounting import Mount
from tacit.errors import ForeignRefused
from tacit.messages import say

if TYPE_CHECKING:
    from tacit.bank.part import Whole
    from tacit.bank.values import By
    from tacit.store.store import Store


class Mounts:
    """The mounted memories of one bank, on this machine."""

    def __init__(self, bank: Whole, store: Store) -> None:
        self._bank = bank
        self._store = store

    def listed(self) -> list[Mount]:
        """Return what is mounted, in the order in which it was."""
        return mounting.mounted(self._store)

    def add(self, path: Path, wish: str = "", *, by: By) -> tuple[Mount, int, list[tuple[str, str]]]:
        """Mount the memory at `path`, only ever to read it; return it, how many documents it brings, and what it lacks.

        What it lacks are the files that were refused, each with the reason.
        """
        self._bank.must_be_writable("mount")
        place = Path(os.path.normpath(path.absolute()))
        gathered = gathering.gather(place, self._store.layout.root, wish)
        items = [each.path for found in gathered.found for each in found.notes]
        items += [each.path for found in gathered.found for each in found.documents]
        mount = Mount(str(place), gathered.format, mounting.roots_of(items), wish)
        self._keep(mount.path, [mount], f"mounted {place}", by)
        return mount, len(mounting.documents_of(mount, gathered, "")), gathered.refused

    def remove(self, path: Path, *, by: By) -> None:
        """Unmount the memory at `path`; raise ForeignRefused if it is not mounted."""
        self._bank.must_be_writable("mount")
        place = os.path.normpath(path.absolute())
        if place not in {each.path for each in self.listed()}:
            raise ForeignRefused(path=str(path), reason=say("mount.unknown"), fix=say("mount.unknown.fix"))
        self._keep(place, [], f"unmounted {place}", by)

    def _keep(self, place: str, now: list[Mount], reason: str, by: By) -> None:
        """Let what is mounted from a place be this; the rest of the list is read while nobody else changes it."""
        with self._store.writing("mount") as transaction:
            mounts = [*(each for each in self.listed() if each.path != place), *now]
            content = json.dumps({"mounts": [asdict(each) for each in mounts]}, ensure_ascii=False, indent=1)
            fsio.replace(mounting.place_of(self._store), content.encode(), mode=0o600)
            transaction.record(
                Record(event=Event.SETTINGS_CHANGED, operation="mount", reason=reason[:300], channel=by.channel)
            )
            transaction.commit()
