"""What stands beside a bank: the team's share, the personal bank, banks further up, memories in other formats."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.bank import proposals, wiring
from tacit.bank.part import Part
from tacit.errors import PointerDangling, ProposalNotFound, TacitError
from tacit.note.model import Audience
from tacit.note.pointer import BLOB, Pointer
from tacit.store.layout import NOTE_LAYERS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.audit.record import Channel
    from tacit.bank.exporting import Exporter
    from tacit.bank.importing import Importer
    from tacit.bank.mounting import Mounts
    from tacit.bank.part import Whole
    from tacit.bank.recalling import Recaller
    from tacit.bank.sharing import Share
    from tacit.bank.values import Answer, By, Committed, Context, Elsewhere, Outcome, Pending
    from tacit.store.store import Store


class Company(Part):
    """The part of a bank that leads to others."""

    _personal: Whole | None = None
    _further_up: list[Whole] | None = None

    def may_read(self, act: str) -> None:
        """Raise StateRefused where the bank's state forbids reading."""
        self._may_read(act)

    @property
    def place(self) -> str:
        """Where the bank is, as a person would write it."""
        return wiring.written(self.root)

    def confirm(self, note_ids: Sequence[str], *, by: By | None = None) -> Committed:
        """Vouch for notes as they are now: under `trust = "strict"` only such ones reach agents."""
        from tacit.bank import addresses, trust
        from tacit.bank.values import By

        self._may_write("confirm")
        return trust.confirm(self._store, [addresses.find(self._store, each)[0] for each in note_ids], by or By())

    @property
    def share(self) -> Share:
        """The team's notes: mount, pull, give to, override."""
        from tacit.bank.sharing import Share

        return Share(self._whole, self._store)

    @property
    def personal(self) -> Whole | None:
        """The bank of the user's own notes; None where there is none that can be opened, or where this is it."""
        if self._personal is None:
            with suppress(TacitError, OSError):
                self._personal = beside(self._whole)
        return self._personal

    def further_up(self) -> list[Whole]:
        """Return the banks of the folders above the project, nearest first, to be read; what is broken is left out."""
        if self._further_up is None:
            self._further_up = []
            for root in wiring.above(self.root):
                with suppress(TacitError, OSError):
                    self._further_up.append(type(self._whole).open(root, role="reader"))
        return self._further_up

    def elsewhere(self, note_id: str) -> Elsewhere | None:
        """Return a note that recall may name and this bank does not hold: the team's, another bank's, or mounted."""
        from tacit.bank import mounting
        from tacit.bank.values import Elsewhere

        self._may_read("reading notes")
        found = self.share.find(note_id)
        if found is not None:
            return Elsewhere(found.note, found.body)
        for each in self._beside():
            with suppress(TacitError, OSError):
                return Elsewhere(each.get(note_id), each.body(note_id), str(each.root))
        return mounting.find(self._store, note_id)

    def resolve(self, pointer: str) -> str:
        """Return what a mem:// pointer leads to: a text of any layer, a section or field of it, or a blob.

        Long pieces that a note keeps as blobs come back in their places. A note or blob that this bank lacks may be
        the team's or stand in a bank beside this one.
        """
        from tacit.bank import addresses, layered

        self._may_read("reading notes")
        try:
            found = layered.resolve(self._store, pointer)
            return layered.whole(self._store, addresses.resolve(self._store, pointer)) if found is None else found
        except PointerDangling:
            target = None if BLOB.fullmatch(pointer) else Pointer.parse(pointer)
            if target and (target.layer not in NOTE_LAYERS or target.id in self._store.look().winners()):
                raise
            theirs = self.share.find(target.id) if target else None
            if target and theirs and theirs.note.layer is target.layer:
                content = theirs.render()
                return addresses.part(content, theirs.note.file, target) if target.path else content.decode()
            for each in self._beside():
                with suppress(TacitError, OSError):
                    return each.resolve(pointer)
            raise

    def in_company(self, recaller: Recaller) -> Recaller:
        """Return the recall of this bank, asking those beside it too and as trusting as the settings say."""
        recaller.beside = self.recallers
        recaller.rules = recaller.rules._replace(
            limit=self.settings.number("recall.notes"),
            per_path=self.settings.number("recall.per_path"),
            weight=self.settings.number("recall.meaning_percent") / 100,
            caution=self.settings.number("recall.caution_percent") / 100,
        )
        recaller.is_strict = self.settings.text("trust") == "strict"
        return recaller

    def _beside(self) -> list[Whole]:
        """Return the banks further up, and the personal one."""
        own = self.personal
        return [*self.further_up(), *([own] if own else [])]

    def recallers(self) -> dict[str, Recaller]:
        """Return the recall of the banks beside this one, by their places; one that its state silences is left out."""
        return {each.place: each.recaller for each in self._beside() if each.state.may_recall}

    def governed(self, given: Sequence[object], context: Context, *, by_hand: bool, dry_run: bool) -> list[Outcome]:
        """Return what became of each payload; those for the user alone go to the personal bank."""
        return governed(self._whole, given, context, by_hand=by_hand, dry_run=dry_run)

    def answered_elsewhere(
        self, proposal_id: str, option_id: str, channel: Channel | str, *, shown: str
    ) -> Answer | None:
        """Return what an answer led to if it is the personal bank that asked."""
        return answered(self.personal, self._store, proposal_id, option_id, channel, shown=shown)

    def waiting(self) -> list[Pending]:
        """Return the proposals that wait here, then those of the personal bank where it may be read."""
        from tacit.bank import proposals, questions

        here = [questions.pending(self._store, each) for each in proposals.waiting(self._store)]
        other = self.personal
        return [*here, *(other.pending() if other is not None and other.state.may_read else [])]

    @property
    def importer(self) -> Importer:
        """Brings foreign memories in: plan it, then carry it out."""
        from tacit.bank.importing import Importer

        return Importer(self._whole, self._store)

    @property
    def exporter(self) -> Exporter:
        """Writes the bank out in another format."""
        from tacit.bank.exporting import Exporter

        return Exporter(self._whole, self._store)

    @property
    def mounts(self) -> Mounts:
        """The foreign memories that take part in recall where they are."""
        from tacit.bank.mounting import Mounts

        return Mounts(self._store, self._whole.must_be_writable)


def beside(bank: Whole) -> Whole | None:
    """Return the personal bank for a caller of another; None where there is none, or where it is this one."""
    place = wiring.personal()
    if not (place / SETTINGS).is_file() or place.resolve() == bank.root:
        return None
    return type(bank).open(place, role=bank.role)


def made(bank: Whole) -> Whole | None:
    """Return the personal bank for a caller of another, made if there is none yet; None where it is this one."""
    if not (wiring.personal() / SETTINGS).is_file():
        type(bank).init(wiring.personal())
    return beside(bank)


def is_personal(given: object) -> bool:
    """Whether a payload is meant for the user alone."""
    return isinstance(given, Mapping) and given.get("apply") == Audience.PERSONAL


def governed(bank: Whole, given: Iterable[object], context: Context, *, by_hand: bool, dry_run: bool) -> list[Outcome]:
    """Return what became of each payload; those for the user alone are governed by the personal bank."""
    given = list(given)  # looked at more than once, and it may be a generator
    own = [number for number, each in enumerate(given) if is_personal(each)]
    other = (beside if dry_run else made)(bank) if own else None
    if other is None:
        return bank.governor.propose(given, context, by_hand=by_hand, dry_run=dry_run)
    other.governor.heard = bank.governor.heard  # what the user typed was typed here
    done: list[Outcome] = []
    for numbers, where in (([n for n in range(len(given)) if n not in own], bank), (own, other)):
        some = where.governor.propose([given[n] for n in numbers], context, by_hand=by_hand, dry_run=dry_run)
        elsewhere = "" if where is bank else str(other.root)
        done += [replace(each, payload=numbers[each.payload], bank=elsewhere) for each in some]
    return sorted(done, key=lambda outcome: outcome.payload)


def answered(
    other: Whole | None, store: Store, proposal_id: str, option_id: str, channel: Channel | str, *, shown: str
) -> Answer | None:
    """Return what an answer led to if it is the personal bank that asked; a no is remembered in this conversation."""
    if other is None:
        return None
    try:
        proposal = proposals.find(other.governor.store, proposal_id)
    except ProposalNotFound:
        return None
    done = replace(other.answer(proposal_id, option_id, channel, shown=shown), bank=str(other.root))
    if done.outcome is not None:
        done = replace(done, outcome=replace(done.outcome, bank=done.bank))
    if done.status == "declined":
        from tacit.bank import answering  # dear to load, and every look at the questions comes through here

        answering.decline(store, proposal)
    return done
