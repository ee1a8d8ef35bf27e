"""Search and recall over a bank: the right note in milliseconds, or silence."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tacit.bank import models, usage
from tacit.bank.mounting import ORIGIN as MOUNT
from tacit.bank.reindex import Reindexer
from tacit.bank.sessions import Injected
from tacit.bank.trust import Vouched
from tacit.bank.wiring import is_busy
from tacit.errors import FieldRefused, TacitError
from tacit.index.contract import QUARANTINED, Filter
from tacit.recall import distil, inject, paths, rank
from tacit.recall.rank import Rules
from tacit.store.layout import DETAILS, SHARE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
_PROJECT = "project"
# Where a note comes from → where the same id counts before it.
_BEFORE = {SHARE: {_PROJECT}, MOUNT: {_PROJECT, SHARE}}


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
    """What an index holds and lacks, what keeps it, which paths answer, and what is wrong.

    `vectors` counts the documents with vectors of a model, `missing` those whose vectors are still to come.
    """

    documents: int
    vectors: Mapping[str, int]
    mode: str
    damage: tuple[str, ...]
    unusable: Mapping[str, str]
    backend: str = "sqlite"
    missing: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with what the index knows of it, and the bank it stands in, as it is named to people."""

    candidate: Candidate
    found: Found
    source: Recaller
    place: str
    name: str

    @property
    def is_stale(self) -> bool:
        """Whether its file is not what the index was made of."""
        return self.found.origin != MOUNT and self.source.reindexer.is_stale(self.found.file, self.found.digest)

    def text(self) -> bytes | None:
        """Return what its file says, None if it cannot be read; of a mounted memory its title and one-liner."""
        if self.found.origin == MOUNT:
            return f"# {self.found.title}\n\n{self.found.one_liner}\n".encode()
        try:
            return self.source.read(self.found.file)
        except (TacitError, OSError):
            return None

    @property
    def key(self) -> str:
        """What tells it from all others, of other banks too; a project's own are known by their file alone."""
        return f"{self.name}{self.found.key}"


class Recaller:
    """Answers prompts from one bank and those beside it; `rules` are the numbers it decides by."""

    def __init__(self, store: Store, rules: Rules | None = None) -> None:
        self._store = store
        self.rules = rules or Rules()
        self.reindexer = Reindexer(store)
        self._stays = False
        # Whether models are left out for the moment, because many wait.
        self.is_hurried = False
        # The banks whose notes take part, by the name of their place: the personal one, and those further up.
        self.beside: Callable[[], Mapping[str, Recaller]] = dict
        # Whether only what was confirmed on this machine may be said.
        self.is_strict = False
        self._vouched = Vouched(store)

    def search(self, query: str, limit: int, *, archived: bool = False) -> list[Hit]:
        """Return the best documents for a query, whether they would be injected or not."""
        limit = max(limit, 0)
        wish = distil.sought(query[:MAX_PROMPT_CHARS])
        ranked = self._everywhere(wish, Filter(archived=archived), per_path=max(limit, self.rules.per_path))
        said = {each.key for each in self._chosen([each for each in ranked if each.found.status != QUARANTINED])}
        return self._hits(ranked[:limit], said, set(), "would be said")

    def whole(self, query: str, limit: int) -> list[tuple[Hit, bytes]]:
        """Return the notes above the recall threshold with what their files say, wherever they come from, best first.

        What a guard objects to is no such note. Of a mounted memory, whose files may hold a thousand, its summary.
        """
        wish = distil.sought(query[:MAX_PROMPT_CHARS])
        wanted = Filter(quarantined=False)
        ranked = self._everywhere(wish, wanted, per_path=max(limit, self.rules.per_path))[:limit]
        notes = [each for each in ranked if each.found.layer != DETAILS and self._may_be_said(each)]
        fitting = [each for each in notes if each.candidate.evidence >= 1.0]
        hits = self._hits(fitting, set(), set(), "")
        texts = [each.text() for each in fitting]
        return [(hit, text) for hit, text in zip(hits, texts, strict=True) if text is not None]

    def recall(self, prompt: str, phase: str, session: str, turns: Sequence[str], *, explain: bool = False) -> Recall:
        """Return what to say before (`pre`) or after (`post`) the agent acts; never raises for the bank's sake."""
        if phase not in _TIMINGS:
            raise FieldRefused(field="phase", reason="it is pre or post")
        try:
            found = self._recall(prompt[:MAX_PROMPT_CHARS], phase, session, turns, explain=explain)
        except (sqlite3.Error, TacitError, OSError, ValueError) as error:
            mode = "keywords alone" if explain else ""
            return Recall(abstained=True, reason=f"failed: {error}", notes=(), injection="", mode=mode)
        if not explain:  # whoever asks for reasons looks at recall, and does not use it
            silence = found.reason if found.abstained else ""
            ids = [each.id for each in found.notes]
            usage.note(self._store, session, phase, ids, injection=found.injection, silence=silence)
        return found

    def read(self, file: str) -> bytes | None:
        """Return what a file of this bank says, None if there is none."""
        return self._store.read(file)

    def forget_session(self, session: str) -> None:
        """Let notes be injected again in a session, because its conversation was compacted."""
        Injected(self._store.layout, session).forget()

    def stay(self) -> None:
        """Answer in a process that stays: the vectors of new notes follow behind its answers."""
        self._stays = True
        self._store.stay()

    def warm(self) -> str:
        """Load the models too, so that nobody has to wait for them; return the mode in use."""
        self.stay()
        return self.mode()

    def mode(self) -> str:
        """Return which paths answer: keywords alone, or with which models."""
        return models.mode(self.reindexer.models.tasks())

    def status(self) -> IndexStatus:
        """Return what the index holds and how it is."""
        self.reindexer.catch_up(force=True)
        counts = self.reindexer.index.counts()
        mode = self.mode()
        damage = tuple(self.reindexer.index.damage())
        reindexer = self.reindexer
        return IndexStatus(
            counts.documents, counts.vectors, mode, damage, self.unusable, reindexer.backend, reindexer.missing()
        )

    def follow(self) -> None:
        """Let the vectors that are still to come be made behind all that is asked."""
        self.reindexer.catch_up(force=True)
        if self.reindexer.lacks_vectors():
            self.reindexer.embed_in_background()

    @property
    def unusable(self) -> Mapping[str, str]:
        """The models that are here and cannot be used, with the reason; known once the mode was asked for."""
        return self.reindexer.models.unusable

    def _recall(self, prompt: str, phase: str, session: str, turns: Sequence[str], *, explain: bool) -> Recall:
        wish = distil.distil(prompt, turns)
        if wish.skipped or not (wish.keywords or wish.meaning.strip()):
            mode = self.mode() if explain else ""
            return Recall(abstained=True, reason="nothing to look for", notes=(), injection="", mode=mode)
        wanted = Filter(_TIMINGS[phase], quarantined=False)
        ranked = self._everywhere(wish, wanted, per_path=self.rules.per_path)
        chosen = self._chosen(ranked)
        if stale := [each for each in chosen if each.is_stale]:
            # Somebody saved or removed it since the last look: what is said must be what the files say.
            for each in stale:
                each.source.reindexer.catch_up(force=True)
            ranked = self._everywhere(wish, wanted, per_path=self.rules.per_path)
            chosen = [each for each in self._chosen(ranked) if not each.is_stale]
        injected = Injected(self._store.layout, session)
        shown = injected.shown(phase)
        fresh = [each for each in chosen if shown.get(each.key) != each.found.digest]
        injected.remember(phase, {each.key: each.found.digest for each in fresh})
        reason = "found" if fresh else "already said in this session" if chosen else "nothing fits well enough"
        said = {each.key for each in fresh}
        told = ranked if explain else [each for each in ranked if each.key in said]
        hits = self._hits(told, said, {each.key for each in chosen} - said, _SAID)
        return Recall(
            abstained=not fresh,
            reason=reason,
            notes=tuple(hit for hit in hits if hit.verdict == _SAID),
            injection=inject.inject([(each.found, each.place) for each in fresh]),
            considered=tuple(hits) if explain else (),
            mode=self.mode() if explain else "",
        )

    def _everywhere(self, wish: Distilled, wanted: Filter, *, per_path: int) -> list[Ranked]:
        """Return the candidates of this bank and of those beside it, best first; on the same id this one's wins."""
        own = _once(self.ranked(wish, wanted, self._store.layout.root.name, per_path=per_path), _id)
        others = self.beside()
        if not others:
            return own
        known = {each.found.note_id for each in own if each.found.note_id}
        for place, other in others.items():
            other.reindexer.models = self.reindexer.models  # one copy in memory, and one vector of the prompt
            other.is_hurried = self.is_hurried
            try:
                more = other.ranked(wish, wanted, place, f"{place}:", per_path=per_path)
            except (sqlite3.Error, TacitError, OSError):
                continue  # a bank beside this one that cannot be asked keeps nobody waiting
            own += [each for each in more if each.found.note_id not in known]
        return _once(sorted(own, key=lambda each: (-each.candidate.score, each.key)), _id)

    def ranked(self, wish: Distilled, wanted: Filter, place: str, name: str = "", *, per_path: int) -> list[Ranked]:
        """Return this bank's own candidates, best first; `place` and `name` say where they stand."""
        candidates = self._found(wish, wanted, per_path=per_path)
        ids = {found.note_id for _, found in candidates if found.note_id and found.origin in _BEFORE}
        origins = self.reindexer.index.origins(ids)
        return [
            Ranked(candidate, found, self, place, name)
            for candidate, found in candidates
            if not _BEFORE.get(found.origin, set()) & origins.get(found.note_id, set())
        ]

    def _chosen(self, ranked: Sequence[Ranked]) -> list[Ranked]:
        """Return the nought to two that are worth saying."""
        return rank.chosen(_once([each for each in ranked if self._may_be_said(each)], _line), self.rules)

    def vouches_for(self, found: Found) -> bool:
        """Whether a document is as it was when somebody wrote or confirmed it through Tacit on this machine."""
        return found.digest in self._vouched

    def _may_be_said(self, each: Ranked) -> bool:
        return not (self.is_strict or each.source.is_strict) or each.source.vouches_for(each.found)

    def _found(self, wish: Distilled, wanted: Filter, *, per_path: int) -> list[tuple[Candidate, Found]]:
        """Return the candidates of an index that is up to date, best first; a damaged one is made anew first."""
        self.reindexer.catch_up()
        try:
            return self._candidates(wish, wanted, per_path=per_path)
        except sqlite3.DatabaseError as error:
            if is_busy(error):
                raise  # another process writes it: it is not damaged
            self.reindexer.discard()
            self.reindexer.catch_up(force=True)
            return self._candidates(wish, wanted, per_path=per_path)

    def _candidates(self, wish: Distilled, wanted: Filter, *, per_path: int) -> list[tuple[Candidate, Found]]:
        index = self.reindexer.index
        try:
            if not self.is_hurried:
                self._embed_some()
            models_at_hand = None if self.is_hurried else self.reindexer.models
            ranked = paths.candidates(index, wish, models_at_hand, wanted, self.rules, per_path=per_path)
        except sqlite3.Error:
            raise
        except Exception:  # noqa: BLE001  whatever goes wrong in a model, keywords answer alone
            ranked = paths.candidates(index, wish, None, wanted, self.rules, per_path=per_path)
        found = index.find([candidate.key for candidate in ranked])
        present = [candidate for candidate in ranked if candidate.key in found]
        lowered = [rank.lowered(each, found[each.key].status, self.rules) for each in present]
        return [(each, found[each.key]) for each in rank.ranked(lowered)]

    def _embed_some(self) -> None:
        """Make a few missing vectors while somebody waits, and let the rest follow."""
        self.reindexer.models.tasks()  # loads them, which is no part of the time that vectors may take
        began = time.monotonic()
        at_once = 1 if self._stays else _AT_ONCE  # the newest; a process that stays has time for the others later
        try:
            made = self.reindexer.embed(at_once, budget_s=_EMBED_S, quickly=self._stays)
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
            made = at_once
        waiting = self._stays and self.reindexer.lacks_vectors()
        if waiting or made >= at_once or time.monotonic() - began > _EMBED_S:
            self.reindexer.embed_in_background()

    def _hits(self, ranked: Sequence[Ranked], said: set[str], repeated: set[str], verdict_of_said: str) -> list[Hit]:
        hits = []
        for each in ranked:
            candidate, found = each.candidate, each.found
            verdict = (
                verdict_of_said
                if each.key in said
                else "quarantined"
                if found.status == QUARANTINED
                else "not confirmed here"
                if not self._may_be_said(each)
                else "already said"
                if each.key in repeated
                else "too little evidence"
                if candidate.evidence < 1.0
                else "behind the others"
            )
            hits.append(
                Hit(
                    found.note_id or found.key,
                    found.title,
                    round(candidate.score, 4),
                    round(candidate.semantic, 4),
                    round(candidate.keyword, 4),
                    round(candidate.coverage, 4),
                    f"{each.place}/{found.file}" if each.name else found.file,
                    found.one_liner,
                    round(candidate.evidence, 4),
                    verdict,
                )
            )
        return hits


def _once(ranked: Sequence[Ranked], name: Callable[[Ranked], str]) -> list[Ranked]:
    """Return the candidates without mounted ones that bear the name of one of a bank, or of a mounted one before."""
    seen = {name(each) for each in ranked if each.found.origin != MOUNT} - {""}
    kept = []
    for each in ranked:
        if each.found.origin == MOUNT and name(each) in seen:
            continue
        seen |= {name(each)} - {""}
        kept.append(each)
    return kept


def _id(each: Ranked) -> str:
    return each.found.note_id


def _line(each: Ranked) -> str:
    """Return what would be said of a candidate; nothing where the evidence is too little."""
    return each.found.one_liner if each.candidate.evidence >= 1.0 else ""
