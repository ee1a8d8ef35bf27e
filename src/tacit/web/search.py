"""What a prompt would find, by which path and how clearly, and what an agent would be told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.messages import answered_by, on_page
from tacit.note.model import Status, Timing
from tacit.recall.rank import Rules
from tacit.web import pictures
from tacit.web.markup import Safe, each, h, joined, link, quiet
from tacit.web.visit import View, word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.bank.recalling import Hit, Recall
    from tacit.note.model import Summary
    from tacit.web.visit import Visit

_MOST_HITS = 20
_MAX_WORDS_CHARS = 2_000
_MOST_EVIDENCE = 2.0
_PHASES = ("pre", "post")


def show(visit: Visit) -> View:
    """Return the field to type in, and what was found for what stands in it."""
    words = visit.query.get("words", "")[:_MAX_WORDS_CHARS]
    main = h(
        '<h1>{title}</h1><form class="search" method="get" action="/search" role="search">'
        '<label class="sr" for="words">{label}</label><input id="words" type="search" name="words" value="{words}"'
        ' placeholder="{label}" autocomplete="off" data-search data-live><button>{go}</button></form>'
        '<div id="found" aria-live="polite">{found}</div>',
        title=on_page("part.search"),
        label=on_page("search.label"),
        words=words,
        go=on_page("part.search"),
        found=_found(visit, words) if words.strip() else quiet(on_page("search.hint")),
    )
    return View(title=on_page("part.search"), main=main, here="search")


def _found(visit: Visit, words: str) -> Safe:
    recalls = {phase: visit.bank.recall(words, phase, explain=True) for phase in _PHASES}
    hits: dict[str, Hit] = {hit.id: hit for recall in recalls.values() for hit in recall.considered}
    for hit in visit.bank.search(words, _MOST_HITS, archived=True):
        hits.setdefault(hit.id, hit)
    ranked = sorted(hits.values(), key=lambda hit: (-hit.score, hit.id))[:_MOST_HITS]
    return h(
        '<div class="phases">{phases}</div><p class="quiet">{mode}</p>{hits}',
        phases=joined(_phase(phase, recall) for phase, recall in recalls.items()),
        mode=on_page("search.mode", mode=answered_by(next(iter(recalls.values())).mode)),
        hits=_hits(visit, ranked, recalls) if ranked else h("<p>{it}</p>", it=on_page("search.none")),
    )


def _phase(phase: str, recall: Recall) -> Safe:
    said = h('<pre class="injection">{it}</pre>', it=recall.injection)
    silent = h("<p>{it}</p>", it=on_page("search.silent", reason=word("recall", recall.reason)))
    return h(
        "<section><h2>{title}</h2>{what}</section>",
        title=on_page(f"phase.{phase}"),
        what=said if recall.injection else silent,
    )


def _hits(visit: Visit, ranked: Sequence[Hit], recalls: Mapping[str, Recall]) -> Safe:
    best = ranked[0].score
    notes = {note.id: note for note in visit.bank.notes()}
    head = ("search.note", "search.meaning", "search.words", "search.score", "search.evidence", "search.verdict")
    return h(
        '<table class="hits"><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>',
        caption=on_page("search.caption"),
        head=each('<th scope="col">{item}</th>', [on_page(name) for name in head]),
        rows=joined(_row(hit, notes.get(hit.id), best, recalls) for hit in ranked),
    )


def _row(hit: Hit, note: Summary | None, best: float, recalls: Mapping[str, Recall]) -> Safe:
    verdicts = joined(
        h(
            "<li><strong>{phase}</strong> {verdict}</li>",
            phase=on_page(f"phase.short.{phase}"),
            verdict=_verdict(hit, note, phase, recall),
        )
        for phase, recall in recalls.items()
    )
    title = h("{it}", it=hit.title)
    if hit.id.startswith(("MEM-", "CORE-")):  # no section of a document
        title = h('<a data-row href="{address}">{it}</a>', address=link("/notes", hit.id), it=hit.title)
    return h(
        '<tr><th scope="row">{title}<span class="line">{one_liner}</span></th>{meaning}{words}{score}{evidence}'
        '<td><ul class="verdicts">{verdicts}</ul></td></tr>',
        title=title,
        one_liner=hit.one_liner,
        meaning=_cell("search.meaning", hit.semantic),
        words=_cell("search.words", hit.keyword),
        score=_cell("search.score", hit.score, mark=Rules().near_best * best),
        evidence=_cell("search.evidence", hit.evidence, most=_MOST_EVIDENCE, mark=1.0),
        verdicts=verdicts,
    )


def _cell(key: str, value: float, *, most: float = 1.0, mark: float | None = None) -> Safe:
    name = on_page(key)
    label = f"{name}: {value:.2f}"
    if mark is not None:
        label = on_page("search.marked", name=name, value=f"{value:.2f}", mark=f"{mark:.2f}")
    enough = "" if mark is None else " enough" if value >= mark else " short"
    bar = pictures.bar(value, label=label, most=most, mark=mark, kind=enough)
    return h(
        '<td data-name="{name}"><span class="number">{value:.2f}</span>{bar}</td>', name=name, value=value, bar=bar
    )


def _verdict(hit: Hit, note: Summary | None, phase: str, recall: Recall) -> str:
    """Return why a note would be said in a phase, or why not."""
    considered = next((one for one in recall.considered if one.id == hit.id), None)
    if considered is not None:
        return word("verdict", considered.verdict)
    if note is not None and note.status is Status.ARCHIVE:
        return on_page("verdict.archived")
    if note is not None and note.timing not in (phase, Timing.BOTH):
        return on_page("verdict.other phase")
    return on_page("verdict.not considered")
