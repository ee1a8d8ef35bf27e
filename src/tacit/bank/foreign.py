"""What a bank does with memories in other formats: take them in, write them out, let them take part in recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tacit.bank.exporting import Exporter
    from tacit.bank.holder import Holder
    from tacit.bank.importing import Importer
    from tacit.bank.mounts import Mounts
    from tacit.store.store import Store


class Foreign:
    """The part of a bank that deals with other formats."""

    _store: Store

    @property
    def importer(self) -> Importer:
        """Brings foreign memories in: plan it, then carry it out."""
        from tacit.bank.importing import Importer

        return Importer(cast("Holder", self), self._store)

    @property
    def exporter(self) -> Exporter:
        """Writes the bank out in another format."""
        from tacit.bank.exporting import Exporter

        return Exporter(cast("Holder", self), self._store)

    @property
    def mounts(self) -> Mounts:
        """The foreign memories that take part in recall where they are."""
        from tacit.bank.mounts import Mounts

        return Mounts(cast("Holder", self), self._store)
