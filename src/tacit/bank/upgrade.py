"""Bring a bank of an older format up to this one, one numbered, transactional step at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.audit.record import Event, Record
from tacit.settings import parse
from tacit.store.layout import FORMAT_VERSION, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

    Step = Callable[[Transaction], None]

# From format n to n + 1. Format 1 is the first, so there is no step yet.
STEPS: Mapping[int, Step] = {}


def upgrade(store: Store, found: int, *, steps: Mapping[int, Step] = STEPS, known: int = FORMAT_VERSION) -> list[int]:
    """Carry out the steps from format `found` to `known`; return the formats that were left behind."""
    done = []
    for version in range(found, known):
        with store.writing("upgrade") as transaction:
            text = (transaction.read(SETTINGS) or b"").decode("utf-8")
            if parse(text).format != version:
                continue  # somebody else was faster
            steps[version](transaction)
            text = (transaction.pending.get(SETTINGS) or text.encode()).decode("utf-8")
            transaction.put(SETTINGS, _with_format(text, version + 1).encode("utf-8"))
            transaction.record(
                Record(
                    event=Event.BANK_UPGRADED,
                    operation="upgrade",
                    file=SETTINGS,
                    reason=f"format {version} to {version + 1}",
                )
            )
            transaction.commit()
        done.append(version)
    return done


def _with_format(text: str, version: int) -> str:
    import tomlkit

    document = tomlkit.parse(text)
    document["format"] = version
    return tomlkit.dumps(document)
