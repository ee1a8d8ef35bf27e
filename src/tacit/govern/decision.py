"""From scores, evidence and neighbours to what should happen with a candidate, and whether the user is asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tacit.govern.scorecard import Allowed
from tacit.note.payload import Confidence, Relation, Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.govern.evidence import Evidence
    from tacit.govern.relation import Judgement
    from tacit.govern.scorecard import Scorecard
    from tacit.note.payload import Payload


class Verdict(StrEnum):
    """What happens with a payload."""

    NEW = "new"
    DEDUPE = "dedupe"
    MERGE = "merge"
    REPLACE = "replace"
    VETO = "veto"
    SKIP = "skip"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Decision:
    """What should happen, with which neighbours, whether to ask first, and the names of the reasons in order."""

    verdict: Verdict
    ask: bool
    reasons: tuple[str, ...]
    target: str = ""
    superseded: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    standing: str = ""  # the note that is the candidate already, where the question is about it and the target

    @property
    def asked_as(self) -> str:
        """Return what is asked: about a candidate, or about two notes of the bank."""
        return str(self.verdict if not self.standing else "join" if self.verdict is Verdict.MERGE else "conflict")


@dataclass(frozen=True, slots=True)
class Case:
    """All that is known about one payload when it is decided."""

    payload: Payload
    card: Scorecard
    evidence: Evidence
    neighbours: Sequence[Judgement]
    by_hand: bool
    suspicious: bool = False
    declined: bool = False
    foreign: frozenset[str] = frozenset()  # ids of neighbours that a project write may not change


def decide(case: Case) -> Decision:
    """Return what should happen with a payload: first whether it is kept at all, then how it meets its neighbours."""
    dropped = _dropped(case)
    if dropped:
        return dropped
    conflicting = [each for each in case.neighbours if each.relation is Relation.CONFLICTING]
    same = [each for each in case.neighbours if each.relation is Relation.SAME]
    related = tuple(each.note_id for each in case.neighbours if each.relation is Relation.COMPLEMENTARY)
    own = [each for each in same if each.note_id not in case.foreign]
    standing = next((each.note_id for each in own if not each.adds), "")
    if conflicting:
        return _against(case, conflicting, related, standing)
    if same:
        told = next((each for each in own if each.adds and "caller" in each.rules), None)
        return _again(case, told, standing) if told and standing else _again(case, same[0])
    reasons = _doubts(case)
    return Decision(Verdict.NEW, bool(reasons), reasons or ("clear",), related=related)


def _dropped(case: Case) -> Decision | None:
    """Return the decision not to keep a payload, if that is what its evidence or its scores say."""
    if case.evidence.missing:
        return Decision(Verdict.SKIP, ask=False, reasons=("evidence.missing",))
    if case.declined and not case.by_hand:
        return Decision(Verdict.SKIP, ask=False, reasons=("declined",))
    if case.card.allowed is Allowed.SKIP and not (case.by_hand or case.payload.source in _ASKED_FOR):
        return Decision(Verdict.SKIP, ask=False, reasons=(f"score.{case.card.rule}",))
    return None


# The user asked for it or chose it, says the payload: then a low score is a question, never silence.
_ASKED_FOR = frozenset({Source.REMEMBER, Source.CHOICE})


def _against(case: Case, conflicting: list[Judgement], related: tuple[str, ...], standing: str) -> Decision:
    """Decide about a candidate that contradicts notes: replace if the user's words decide, else ask which to keep."""
    ids = tuple(each.note_id for each in conflicting)
    reasons = tuple(dict.fromkeys(f"relation.{rule}" for each in conflicting for rule in each.rules))
    if set(ids) & case.foreign:
        return Decision(Verdict.VETO, ask=True, reasons=(*reasons, "team_note"), target=ids[0], related=related)
    if standing:
        return Decision(Verdict.VETO, ask=True, reasons=reasons, target=ids[0], superseded=ids[:1], standing=standing)
    if case.evidence.verified and case.evidence.decides:
        return Decision(
            Verdict.REPLACE,
            ask=True,
            reasons=(*reasons, "words.decide"),
            target=ids[0],
            superseded=ids,
            related=related,
        )
    why = "words.unverified" if not case.evidence.verified else "words.undecided"
    return Decision(Verdict.VETO, ask=True, reasons=(*reasons, why), target=ids[0], superseded=ids, related=related)


def _again(case: Case, same: Judgement, standing: str = "") -> Decision:
    """Decide about a candidate that says what a note says: nothing new is no write, something new is a merge.

    `standing` is another note that says all of it.
    """
    reasons = tuple(f"relation.{rule}" for rule in same.rules)
    if not same.adds:
        return Decision(Verdict.DEDUPE, ask=False, reasons=reasons, target=same.note_id)
    if same.note_id in case.foreign:
        return Decision(Verdict.NEW, ask=True, reasons=(*reasons, "team_note"), related=(same.note_id,))
    target = same.note_id
    return Decision(Verdict.MERGE, ask=True, reasons=reasons, target=target, superseded=(target,), standing=standing)


def _doubts(case: Case) -> tuple[str, ...]:
    """Return why a new note must be asked about first; none means that it may be written without a word."""
    found = []
    if case.card.allowed in (Allowed.CONFIRM, Allowed.SKIP):
        found.append(f"score.{case.card.rule}")
    if case.suspicious:
        found.append("guard.asks")
    if case.by_hand:
        return tuple(found)  # typing the command is the user's act; only what makes no sense is asked
    if case.payload.confidence is not Confidence.HIGH:
        found.append("confidence")
    if not case.evidence.verified:
        found.append(f"evidence.{case.evidence.doubt}")
    elif not case.evidence.literal:
        found.append("evidence.inferred")
    if case.evidence.hedged:
        found.append("evidence.hedged")
    if case.payload.source in _ALWAYS_ASKED:
        found.append(f"source.{case.payload.source}")
    return tuple(found)


# Project documents and working memory are no words of the user: what comes from them always passes the gate.
_ALWAYS_ASKED = frozenset({Source.INIT, Source.DISTILL, Source.EXTRACT})
