"""Search and recall over a bank: the right note in milliseconds, or silence."""

from __future__ import annotations

import json
import sqlite3
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import models, usage
from tacit.bank.reindex import Reindexer
from tacit.bank.wiring import is_busy
from tacit.errors import TacitError
from tacit.index.contract import QUARANTINED, Filter
from tacit.recall import distil, inject, paths, rank
from tacit.recall.rank import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tacit.index.contract import Found
    from tacit.recall.distil import Distilled
    from tacit.recall.rank import Candidate
    from tacit.store.store import Store

# How many documents may get their vectors while somebody waits; the rest follows in the background.
_AT_ONCE = 8
_EMBED_S = 0.5
_TIMINGS = {"pre": ("pre", "both"), "post": ("post", "both")}
MAX_PROMPT_CHARS = 200_000
_SAID = "injected"


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found, with its scores from nought to one and why it would be injected or not."""

    id: str
    title: str
    score: float
    semantic: float
    keyword: float
    coverage: float
    file: str
    one_liner: str
    evidence: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Recall:
    """What recall says for one prompt: the notes worth saying and the text to inject, or silence and why."""

    abstained: bool
    reason: str
    notes: tuple[Hit, ...]
    injection: str
    considered: tuple[Hit, ...] = ()
    mode: str = ""


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What an index holds, which paths answer, and what is wrong."""

    documents: int
    vectors: Mapping[str, int]
    mode: str
    damage: tuple[str, ...]
    unusable: Mapping[str, str]


class Recaller:
    """Answers prompts from one bank; `rules` are the numbers it decides by."""

    def __init__(self, store: Store, rules: Rules | None = None) -> None:
        self._store = store
        self.rules = rules or Rules()
        self.reindexer = Reindexer(store)

    def search(self, query: str, limit: int, *, archived: bool = False) -> list[Hit]:
        """Return the best documents for a query, whether they would be injected or not."""
        wish = distil.distil(query[:MAX_PROMPT_CHARS])
        ranked = self._found(wish, Filter(archived=archived), per_path=max(limit, self.rules.per_path))
        apart = {
            key for key, each in self.reindexer.index.find(c.key for c in ranked).items() if each.status == QUARANTINED
        }
        fit = [candidate for candidate in ranked if candidate.key not in apart]
        said = {candidate.key for candidate in rank.chosen(fit, self.rules)}
        return self._hits(ranked[:limit], said, set(), "would be said")

    def recall(self, prompt: str, phase: str, session: str, turns: Sequence[str], *, explain: bool = False) -> Recall:
        """Return what to say before (`pre`) or after (`post`) the agent acts; never raises for the bank's sake."""
        try:
            found = self._recall(prompt[:MAX_PROMPT_CHARS], phase, session, turns, explain=explain)
        except (sqlite3.Error, TacitError, OSError, ValueError) as error:
            mode = "keywords alone" if explain else ""
            return Recall(abstained=True, reason=f"failed: {error}", notes=(), injection="", mode=mode)
        if not explain:  # whoever asks for reasons looks at recall, and does not use it
            usage.note(self._store, session, phase, found)
        return found

    def forget_session(self, session: str) -> None:
        """Let notes be injected again in a session, because its conversation was compacted."""
        fsio.remove(self._session_path(session))

    def mode(self) -> str:
        """Return which paths answer: keywords alone, or with which models."""
        return models.mode(self.reindexer.models.tasks())

    def status(self) -> IndexStatus:
        """Return what the index holds and how it is."""
        self.reindexer.catch_up(force=True)
        counts = self.reindexer.index.counts()
        mode = self.mode()
        damage = tuple(self.reindexer.index.damage())
        return IndexStatus(counts.documents, counts.vectors, mode, damage, self.unusable)

    @property
    def unusable(self) -> Mapping[str, str]:
        """The models that are here and cannot be used, with the reason; known once the mode was asked for."""
        return self.reindexer.models.unusable

    def _recall(self, prompt: str, phase: str, session: str, turns: Sequence[str], *, explain: bool) -> Recall:
        wish = distil.distil(prompt, turns)
        if wish.skipped or not (wish.keywords or wish.meaning.strip()):
            mode = self.mode() if explain else ""
            return Recall(abstained=True, reason="nothing to look for", notes=(), injection="", mode=mode)
        ranked = self._found(wish, Filter(_TIMINGS[phase], quarantined=False), per_path=self.rules.per_path)
        found = self.reindexer.index.find([candidate.key for candidate in ranked])
        chosen = [each.key for each in rank.chosen(ranked, self.rules) if each.key in found]
        shown = self._shown(session, phase)
        fresh = [key for key in chosen if shown.get(key) != found[key].digest]
        if fresh and session:
            self._remember(session, phase, {**shown, **{key: found[key].digest for key in fresh}})
        said = [found[key] for key in fresh]
        reason = "found" if said else "already said in this session" if chosen else "nothing fits well enough"
        hits = self._hits(ranked, set(fresh), set(chosen) - set(fresh), _SAID)
        return Recall(
            abstained=not said,
            reason=reason,
            notes=tuple(hit for hit in hits if hit.verdict == _SAID),
            injection=inject.inject(said, self._store.layout.root.name),
            considered=tuple(hits) if explain else (),
            mode=self.mode() if explain else "",
        )

    def _found(self, wish: Distilled, wanted: Filter, *, per_path: int) -> list[Candidate]:
        """Return the candidates of an index that is up to date; a damaged one is made anew first."""
        self.reindexer.catch_up()
        try:
            return self._candidates(wish, wanted, per_path=per_path)
        except sqlite3.DatabaseError as error:
            if is_busy(error):
                raise  # another process writes it: it is not damaged
            self.reindexer.discard()
            self.reindexer.catch_up(force=True)
            return self._candidates(wish, wanted, per_path=per_path)

    def _candidates(self, wish: Distilled, wanted: Filter, *, per_path: int) -> list[Candidate]:
        index = self.reindexer.index
        try:
            self._embed_some()
            ranked = paths.candidates(index, wish, self.reindexer.models, wanted, self.rules, per_path=per_path)
        except sqlite3.Error:
            raise
        except Exception:  # noqa: BLE001  whatever goes wrong in a model, keywords answer alone
            ranked = paths.candidates(index, wish, None, wanted, self.rules, per_path=per_path)
        found = index.find([candidate.key for candidate in ranked])
        weighed = [self._weighed(candidate, found[candidate.key]) for candidate in ranked if candidate.key in found]
        return rank.ranked(weighed)

    def _embed_some(self) -> None:
        """Make a few missing vectors while somebody waits, and let the rest follow."""
        began = time.monotonic()
        try:
            made = self.reindexer.embed(_AT_ONCE, budget_s=_EMBED_S)
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            made = _AT_ONCE
        if made == _AT_ONCE or time.monotonic() - began > _EMBED_S:
            self.reindexer.embed_in_background()

    def _weighed(self, candidate: Candidate, found: Found) -> Candidate:
        """Let a note marked `local` rank lower."""
        if found.status == "local":
            return replace(candidate, score=candidate.score * self.rules.local_share)
        return candidate

    def _hits(self, ranked: Sequence[Candidate], said: set[str], repeated: set[str], verdict_of_said: str) -> list[Hit]:
        found = self.reindexer.index.find([candidate.key for candidate in ranked])
        hits = []
        for candidate in ranked:
            each = found.get(candidate.key)
            if each is None:
                continue  # another process has just taken it out
            verdict = (
                verdict_of_said
                if candidate.key in said
                else "quarantined"
                if each.status == QUARANTINED
                else "already said"
                if candidate.key in repeated
                else "too little evidence"
                if candidate.evidence < 1.0
                else "behind the others"
            )
            hits.append(
                Hit(
                    each.note_id or each.key,
                    each.title,
                    round(candidate.score, 4),
                    round(candidate.semantic, 4),
                    round(candidate.keyword, 4),
                    round(candidate.coverage, 4),
                    each.file,
                    each.one_liner,
                    round(candidate.evidence, 4),
                    verdict,
                )
            )
        return hits

    def _session_path(self, session: str) -> Path:
        return self._store.layout.local / "sessions" / f"{fsio.digest(session.encode())[:32]}.json"

    def _shown(self, session: str, phase: str) -> dict[str, str]:
        if not session:
            return {}
        shown = self._session(session).get(phase)
        return shown if isinstance(shown, dict) else {}

    def _session(self, session: str) -> dict[str, object]:
        try:
            members = json.loads(fsio.read(self._session_path(session)) or b"{}")
        except (ValueError, TacitError, OSError):
            return {}  # spoilt: then notes may be said again
        return members if isinstance(members, dict) else {}

    def _remember(self, session: str, phase: str, shown: dict[str, str]) -> None:
        path = self._session_path(session)
        try:
            self._store.layout.refuse_links()
            fsio.make_directory(path.parent, mode=0o700)
            members = {**self._session(session), phase: shown}
            fsio.replace(path, json.dumps(members).encode(), sync=False, mode=0o600)
        except (OSError, TacitError):
            return  # then the note may be said again
