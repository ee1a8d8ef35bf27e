"""A prompt answered from the indexes as they stand, by a process that lives for one question and has no time to lose.

Nothing is loaded here that reads, writes or judges notes. Whatever is out of the ordinary goes the long way round.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, NamedTuple

from tacit import fsio
from tacit.bank import freshness, state, wiring
from tacit.bank.sessions import Injected, Session
from tacit.errors import TacitError
from tacit.index.contract import Filter
from tacit.recall import inject, paths, rank
from tacit.recall.distil import distil
from tacit.store.layout import FORMAT_VERSION, SETTINGS, SHARE, STATE, Layout

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tacit.index.contract import Found, Index
    from tacit.recall.distil import Distilled
    from tacit.recall.rank import Candidate

_PHASE = "pre"
_WANTED = Filter((_PHASE, "both"), quarantined=False)
_MAX_PROMPT_CHARS = 200_000
_NOTHING_FITS = "nothing fits well enough"
_RULES = rank.Rules()


class Place(NamedTuple):
    """What a conversation's record needs to know of a bank."""

    layout: Layout
    clock: Callable[[], str]


class Glimpse(NamedTuple):
    """What to say, and what remains to be kept once it is said."""

    text: str
    keep: Callable[[], None]


class _Ranked(NamedTuple):
    """A candidate under a key that no other bank has, what its index knows of it, and its bank as it is named."""

    candidate: Candidate
    found: Found
    place: str


def glimpse(place: Path, session_id: str, turn: str, prompt: str) -> Glimpse | None:
    """Answer a prompt by keywords; None if it takes whole banks to answer it."""
    try:
        layout = Layout(wiring.find(place))
    except TacitError:
        return Glimpse("", lambda: None)
    now = _state(layout)
    here = Place(layout, wiring.utc_now)
    session = Session(here, session_id)
    if not (now.may_recall and session.is_plain(now)) or os.environ.get("TACIT_ROLE"):
        return None
    wish = distil(prompt[:_MAX_PROMPT_CHARS], session.prompts()[-2:])
    is_nothing = wish.skipped or not wish.keywords
    chosen = [] if is_nothing else _worth_saying(layout, wish)
    # From here on nothing fails: what is noted down as answered must be answered.
    if chosen is None or not session.is_first(turn, prompt):
        return None if chosen is None else Glimpse("", lambda: None)
    injected = Injected(layout, session_id)
    shown = injected.shown(_PHASE)
    fresh = [each for each in chosen if shown.get(each.candidate.key) != each.found.digest]
    injected.remember(_PHASE, {each.candidate.key: each.found.digest for each in fresh})
    text = inject.inject([(each.found, each.place) for each in fresh])
    silence = "nothing to look for" if is_nothing else "already said in this session" if chosen else _NOTHING_FITS

    def keep() -> None:
        from tacit.bank import usage

        session.saw_prompt(prompt)
        session.heard_state(now)
        ids = [each.found.note_id or each.candidate.key for each in fresh]
        usage.note(here, session_id, _PHASE, ids, injection=text, silence="" if fresh else silence)

    return Glimpse(text, keep)


def _state(layout: Layout) -> state.State:
    return state.parse(fsio.read(layout.root / STATE)) or state.State.PAUSED


def _worth_saying(layout: Layout, wish: Distilled) -> list[_Ranked] | None:
    """Return what is worth saying of this bank and those beside it; None if one of them is not as usual."""
    beside = [Layout(root) for root in wiring.above(layout.root)]
    if (wiring.personal() / SETTINGS).is_file() and wiring.personal().resolve() != layout.root:
        beside.append(Layout(wiring.personal().resolve()))
    with ExitStack() as opened:
        found: list[_Ranked] = []
        for each in (layout, *(other for other in beside if _state(other).may_recall)):
            index = _index(each)
            if index is None:
                return None
            opened.enter_context(closing(index))
            if _differs(each, index):
                return None
            name = "" if each is layout else f"{wiring.written(each.root)}:"
            known = {other.found.note_id for other in found if other.found.note_id}
            more = _ranked(index, wish, layout.root.name if each is layout else name[:-1], name)
            found += [other for other in more if other.found.note_id not in known]
    return rank.chosen(sorted(found, key=lambda each: (-each.candidate.score, each.candidate.key)), _RULES)


def _differs(layout: Layout, index: Index) -> bool:
    """Whether a file is not as the index knows it."""
    found = freshness.differences(layout.root, index.stamps())
    return bool(found.changed or found.gone)


def _index(layout: Layout) -> Index | None:
    """Return the index of a bank; None if something about the bank is unusual, like a transaction under way."""
    settings = fsio.read(layout.root / SETTINGS) or b""
    under_way = layout.staging.is_dir() and any(path.name.startswith("tx-") for path in layout.staging.iterdir())
    is_known = f"format = {FORMAT_VERSION}".encode() in settings.splitlines()
    # Whose notes are confirmed stands in the log, the user's own numbers with the other settings, and an index that is
    # not in a file elsewhere.
    is_usual = is_known and not any(word in settings for word in (b"trust", b"recall", b"postgres"))
    if under_way or not is_usual or not layout.search_index.is_file():
        return None
    return wiring.open_index(layout.search_index)


def _ranked(index: Index, wish: Distilled, place: str, name: str) -> list[_Ranked]:
    candidates = paths.candidates(index, wish, None, _WANTED, _RULES, per_path=_RULES.per_path)
    found = index.find([each.key for each in candidates])
    own = index.origins(each.note_id for each in found.values() if each.origin == SHARE)
    return [
        _Ranked(
            rank.lowered(each, found[each.key].status, _RULES)._replace(key=f"{name}{each.key}"),
            found[each.key],
            place,
        )
        for each in candidates
        if not (found[each.key].origin == SHARE and "project" in own[found[each.key].note_id])
    ]
