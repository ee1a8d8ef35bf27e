"""What the guards say about a text before it is written: never, only if the person says so, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING

from tacit import guards
from tacit.audit.record import Channel
from tacit.errors import GuardRefused, PayloadRefused
from tacit.guards import Tier
from tacit.messages import translated

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tacit.guards import Finding
    from tacit.note.model import Note

    Texts = Mapping[str, str] | Iterable[tuple[str, str]]


def insist(texts: Texts, *, item: str = "") -> tuple[Finding, ...]:
    """Raise GuardRefused for the first thing that must not be written; return what a person should be asked about.

    `item` says which of several notes it is.
    """
    findings = guards.inspect(texts)
    for finding in findings:
        if is_refused(finding):
            raise GuardRefused(place=f"{item}: {place(finding)}" if item else place(finding), kind=kind(finding))
    return findings


def refuse(texts: Texts) -> None:
    """Raise GuardRefused for what must not reach a working memory, an episode or a blob, be it only a doubt.

    A task may keep what the user orders, who is asked about it; whether it may become a note is asked later.
    """
    for finding in guards.inspect(texts):
        if finding.guard != "instruction":
            raise GuardRefused(place=place(finding), kind=kind(finding))


def settle(doubts: Sequence[Finding], channel: Channel) -> None:
    """Raise GuardRefused for what a guard doubts, unless the person was asked about it on the terminal."""
    if doubts and channel is not Channel.TERMINAL:
        raise GuardRefused(place=place(doubts[0]), kind=kind(doubts[0]))


def insist_on_names(names: Mapping[str, str]) -> None:
    """Raise GuardRefused for a name that is a secret; what else a name may look like, a long number say, is its own."""
    for finding in guards.inspect(names):
        if finding.guard == "secret":
            raise GuardRefused(place=place(finding), kind=kind(finding))


def is_refused(finding: Finding) -> bool:
    """Whether nobody's word lets a finding pass: secrets, and characters that hide or pose as others."""
    if finding.tier is Tier.QUARANTINE:
        return finding.guard != "instruction"  # words can be asked about; what cannot be seen cannot
    return finding.tier is Tier.REFUSE


def place(finding: Finding) -> str:
    """Return where a finding is, for people."""
    return f"{finding.field}, line {finding.line}"


def kind(finding: Finding) -> str:
    """Return what a finding is, for people; never the value."""
    return f"{finding.guard} ({finding.rule})"


def shown(finding: Finding) -> str:
    """Return what a finding is and where, in the language of the person who is asked about it."""
    return f"{translated(kind(finding))} ({translated(place(finding))})"


def texts_of(note: Note) -> list[tuple[str, str]]:
    """Return every text of a note with the name of its field."""
    found = []
    for field in fields(note):
        value = getattr(note, field.name)
        found += [(field.name, str(each)) for each in (value if isinstance(value, tuple) else (value,)) if each]
    return found


def objections(text: str) -> list[Finding]:
    """Return why a text on disk, whoever put it there, must not be handed to an agent; mere doubts are none."""
    return [finding for finding in guards.inspect({"": text}) if finding.tier is not Tier.ASK]


def texts_in(given: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return every text of a payload with the name of its field."""
    found: list[tuple[str, str]] = []
    ahead: list[tuple[str, object]] = [(str(name), value) for name, value in reversed([*given.items()])]
    while ahead:
        name, value = ahead.pop()
        if isinstance(value, str):
            found.append((name, value))
        elif isinstance(value, Mapping):
            ahead += [(f"{name}.{key}", each) for key, each in reversed([*value.items()])]
            found += [(name, str(key)) for key in value]
        elif isinstance(value, list | tuple):
            ahead += [(name, each) for each in reversed(value)]
    for name, text in found:
        if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
            raise PayloadRefused(field=name, reason="holds half a character", fix="send whole characters (UTF-8)")
    return found
