"""A prompt answered from the index as it stands, by a process that lives for one question and has no time to lose.

Nothing is loaded here that reads, writes or judges notes. Whatever is out of the ordinary goes the long way round.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import freshness, state, wiring
from tacit.bank.injected import Injected
from tacit.bank.sessions import Session
from tacit.errors import TacitError
from tacit.index.contract import Filter
from tacit.recall import inject, paths, rank
from tacit.recall.distil import distil
from tacit.store.layout import FORMAT_VERSION, SETTINGS, STATE, Layout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tacit.index.contract import Found, Index

_PHASE = "pre"
_WANTED = Filter((_PHASE, "both"), quarantined=False)
_MAX_PROMPT_CHARS = 200_000


@dataclass(frozen=True, slots=True)
class Place:
    """What a conversation's record needs to know of a bank."""

    layout: Layout
    clock: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What to say, and what remains to be kept once it is said."""

    text: str
    keep: Callable[[], None]


def glimpse(place: Path, session_id: str, turn: str, prompt: str) -> Glimpse | None:
    """Answer a prompt by keywords; None if it takes the whole bank to answer it."""
    try:
        layout = Layout(wiring.find(place))
    except TacitError:
        return Glimpse("", lambda: None)
    now = state.parse(fsio.read(layout.root / STATE)) or state.State.PAUSED
    session = Session(Place(layout, wiring.utc_now), session_id)
    if not (_is_at_rest(layout) and now.may_recall and session.is_plain(now)):
        return None
    index = wiring.open_index(layout.search_index)
    try:
        differ = freshness.differences(layout.root, index.stamps())
        if differ.changed or differ.gone:
            return None
        said = _worth_saying(index, prompt[:_MAX_PROMPT_CHARS], session.prompts()[-2:])
    finally:
        index.close()
    # From here on nothing fails: what is noted down as answered must be answered.
    if not session.is_first(turn, prompt):
        return Glimpse("", lambda: None)
    injected = Injected(layout, session_id)
    shown = injected.shown(_PHASE)
    fresh = [each for each in said if shown.get(each.key) != each.digest]
    injected.remember(_PHASE, {each.key: each.digest for each in fresh})

    def keep() -> None:
        session.saw_prompt(prompt)
        session.heard_state(now)

    return Glimpse(inject.inject(fresh, layout.root.name), keep)


def _is_at_rest(layout: Layout) -> bool:
    """Whether nothing about the bank is unusual: its format, the caller's role, transactions under way, its index."""
    settings = fsio.read(layout.root / SETTINGS) or b""
    return (
        f"format = {FORMAT_VERSION}".encode() in settings.splitlines()
        and not os.environ.get("TACIT_ROLE")
        and not (layout.staging.is_dir() and any(name.startswith("tx-") for name in os.listdir(layout.staging)))
        and layout.search_index.is_file()
    )


def _worth_saying(index: Index, prompt: str, turns: Sequence[str]) -> list[Found]:
    rules = rank.Rules()
    wish = distil(prompt, turns)
    if wish.skipped or not wish.keywords:
        return []
    ranked = paths.candidates(index, wish, None, _WANTED, rules, per_path=rules.per_path)
    found = index.find([each.key for each in ranked])
    ranked = rank.ranked([rank.lowered(each, found[each.key].status, rules) for each in ranked])
    return [found[each.key] for each in rank.chosen(ranked, rules)]
