"""What the user is asked about a proposal, and why, in the user's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.bank import history
from tacit.bank.values import Choice, Neighbour, Pending, Question
from tacit.govern.proposal import SHOW_DIFF
from tacit.messages import say, say_or_name
from tacit.note import blob

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tacit.govern.proposal import Change, Proposal
    from tacit.store.store import Store

_SHOWN_LOSSES = 8


def question(proposal: Proposal) -> Question:
    """Return the question of a proposal: what would happen, what would be lost, why it is asked."""
    main = proposal.main
    lines = [asked(proposal.decision, proposal.titles)]
    if main.lost:
        more = "" if len(main.lost) <= _SHOWN_LOSSES else " …"
        lines.append(say("ask.lost", count=len(main.lost), lost="; ".join(main.lost[:_SHOWN_LOSSES]) + more))
    told = sentences(proposal.reasons)
    if told:
        lines.append(say("ask.why", reasons=" ".join(told)))
    options = tuple(Choice(each, label(proposal.decision, each)) for each in (*proposal.options, SHOW_DIFF))
    return Question(proposal.id, "\n".join(lines), options)


def label(decision: str, option: str) -> str:
    """Return what an option says, in words of its own where a decision needs them."""
    return say_or_name(f"option.{decision}.{option}", say(f"option.{option}"))


def asked(decision: str, titles: Mapping[str, str]) -> str:
    """Return what is asked about notes with these titles by id; the candidate's is that without an id."""
    old = "; ".join(say("ask.note", title=title, id=note_id) for note_id, title in titles.items() if note_id)
    return say(f"ask.{decision}", title=titles.get("", ""), old=old)


def sentences(reasons: Iterable[str]) -> tuple[str, ...]:
    """Return named reasons as sentences; what follows a colon is the detail that the sentence names."""
    told = []
    for reason in reasons:
        name, _, detail = reason.partition(":")
        told.append(say_or_name(f"reason.{name}", reason, detail=detail))
    return tuple(dict.fromkeys(told))


def pending(store: Store, proposal: Proposal) -> Pending:
    """Return a proposal as it is shown: with its diff against the files as they are."""
    origin = (proposal.payload or {}).get("origin")
    return Pending(
        proposal_id=proposal.id,
        decision=proposal.decision,
        question=question(proposal),
        created=proposal.created,
        expires=proposal.expires,
        diff=diff(store, proposal.main),
        digest=proposal.digest,
        lost=proposal.main.lost,
        reasons=sentences(proposal.reasons),
        neighbours=tuple(Neighbour(**{**each, "rules": tuple(each["rules"])}) for each in proposal.neighbours),
        scores=proposal.scores,
        completed=proposal.completed,
        evidence=str(origin.get("text", "")) if isinstance(origin, dict) else "",
    )


def diff(store: Store, change: Change) -> str:
    """Return what a change would do to the files as they are now; what one note becomes in another is one diff."""
    notes = [each for each in change.files if not each.file.startswith(blob.FOLDER)]
    made = [each for each in notes if each.content is not None]
    gone = [each for each in notes if each.content is None]
    if len(made) == 1 and len(gone) == 1:
        told = [_one(store, gone[0].file, made[0].file, made[0].content)]
    else:
        told = [_one(store, each.file, each.file, each.content) for each in notes]
    told += [_one(store, each.file, each.file, each.content) for each in change.files if each not in notes]
    return "\n".join(told)


def _one(store: Store, old: str, new: str, content: str | None) -> str:
    before = store.read(old)
    after = None if content is None else content.encode()
    return f"--- {old if before is not None else '/dev/null'}\n+++ {new if after is not None else '/dev/null'}\n" + (
        history.diff(before, after)
    )
