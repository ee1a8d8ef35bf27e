"""The questions that wait: what would change, in whose words, why it is asked, and a button for each answer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit.errors import ProposalNotFound
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, NEW_INSTEAD, SHOW_DIFF, TAKE_NEW
from tacit.messages import on_page, say, say_or_name
from tacit.web import diff, pictures
from tacit.web.markup import EMPTY, Safe, classes, each, h, joined, link
from tacit.web.visit import View, badge, moment, pages, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.bank import Bank
    from tacit.bank.explaining import Effect, Explanation
    from tacit.bank.values import Neighbour, Pending
    from tacit.govern.proposal import Proposal
    from tacit.web.visit import Visit

# The keys of the answers, as on the terminal.
KEYS = {CONFIRM: "y", CANCEL: "n", NEW_INSTEAD: "b", BOTH: "b", KEEP_OLD: "o", TAKE_NEW: "t"}
PER_PAGE = 50
_DIMENSIONS = ("d1", "d2", "d3", "d4", "d5")
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_WORD = re.compile(r"[a-z0-9_]+|[\u3400-\u9fff]")


def show(visit: Visit) -> View:
    """Return the inbox, with the question that was asked for, or the newest, in full."""
    asked = visit.waiting()
    waiting = [one for _, one in asked]
    wanted = visit.names.get("proposal", "")
    chosen = next((one for one in waiting if one.id == wanted), None)
    if wanted and chosen is None:
        visit.bank.proposal(wanted)  # says why it waits no more
        raise ProposalNotFound(id=wanted, why="")
    if chosen is not None:  # the list shows the page on which it stands
        visit = replace(visit, query={"page": str(waiting.index(chosen) // PER_PAGE + 1)})
    start = visit.start(len(waiting), PER_PAGE)
    listed = waiting[start : start + PER_PAGE]
    chosen = chosen or next(iter(listed), None)
    if chosen is None:
        main = h(
            '<section class="empty"><h1>{title}</h1><p>{text}</p></section><div id="waiting" hidden></div>',
            title=on_page("inbox.none"),
            text=on_page("inbox.none.text"),
        )
        return View(title=on_page("part.inbox"), main=main, here="inbox")
    main = h(
        '<div class="split"><section id="waiting" aria-label="{label}"><ol class="list">{items}</ol>{pages}</section>'
        '<article class="detail" id="proposal">{detail}</article></div>',
        label=on_page("inbox.label", count=len(waiting)),
        items=joined(_item(one, here=one is chosen) for one in listed),
        pages=pages(visit, len(waiting), PER_PAGE, "/?"),
        detail=_detail(visit, next(bank for bank, one in asked if one is chosen), chosen),
    )
    return View(title=on_page("part.inbox"), main=main, here="inbox")


def following(visit: Visit, proposal_id: str) -> str:
    """Return the question to go on with once this one is answered: the next older, else the next newer."""
    ids = [one.id for _, one in visit.waiting()]
    if proposal_id not in ids:
        return ""
    at = ids.index(proposal_id)
    return next(iter([*ids[at + 1 : at + 2], *ids[max(at - 1, 0) : at]]), "")


def _title(proposal: Proposal) -> str:
    """Return what a question is about, in a few words."""
    return proposal.titles.get("") or "; ".join(proposal.titles.values()) or proposal.id


def _item(proposal: Proposal, *, here: bool) -> Safe:
    return h(
        '<li class="{kind}"><a href="{address}" data-row {current}><span class="title">{title}</span>'
        '<span class="meta">{decision} {when}</span></a></li>',
        kind=classes(here=here),
        address=link("/inbox", proposal.id),
        current=Safe('aria-current="true"') if here else EMPTY,
        title=_title(proposal),
        decision=badge("decision", proposal.decision),
        when=moment(proposal.created),
    )


def _detail(visit: Visit, asker: Bank, proposal: Proposal) -> Safe:
    explanation = asker.explain(proposal.id)
    pending = explanation.pending
    assert pending is not None  # noqa: S101  it was waiting a moment ago; nothing else runs on this thread
    asked = pending.question.question.splitlines()[0]
    return h(
        '<header><p class="meta">{decision} <code>{id}</code> · {made} {created} · {until} {expires}{source}</p>'
        "<h1>{asked}</h1></header>{lost}{why}{words}{change}"
        '<div class="facts">{scores}{neighbours}{completed}</div>{answers}',
        decision=badge("decision", proposal.decision),
        id=proposal.id,
        made=on_page("made"),
        created=moment(proposal.created),
        until=on_page("expires"),
        expires=moment(proposal.expires),
        source=joined([_source(proposal), _place(visit, asker)]),
        asked=asked,
        lost=_list("inbox.lost", pending.lost, kind="warning"),
        why=_list("inbox.why", pending.reasons),
        words=_words(proposal),
        change=_changes(explanation.effects),
        scores=_scores(explanation),
        neighbours=_neighbours(pending.neighbours),
        completed=_list("inbox.completed", [word("field", name) for name in pending.completed]),
        answers=_answers(visit, pending),
    )


def _source(proposal: Proposal) -> Safe:
    source = str((proposal.payload or {}).get("source", ""))
    told = word("source", source) if source else ""
    return h(" · {told}", told=told) if told else EMPTY


def _place(visit: Visit, asker: Bank) -> Safe:
    return EMPTY if asker is visit.bank else h(" · <code>{place}</code>", place=asker.place)


def _list(key: str, items: Sequence[str], *, kind: str = "") -> Safe:
    if not items:
        return EMPTY
    return h(
        '<section class="{kind}"><h2>{title}</h2><ul>{items}</ul></section>',
        kind=kind,
        title=on_page(key),
        items=each("<li>{item}</li>", items),
    )


def _words(proposal: Proposal) -> Safe:
    """Return the user's words that the proposal quotes, with the place that speaks for it marked."""
    if proposal.payload is None:
        return EMPTY
    origin = proposal.payload.get("origin")
    text = str(origin.get("text", "")) if isinstance(origin, dict) else ""
    if not text.strip():
        return h(
            '<section><h2>{title}</h2><p class="quiet">{none}</p></section>',
            title=on_page("inbox.words"),
            none=on_page("inbox.words.none"),
        )
    spans = origin.get("spans") if isinstance(origin, dict) else ()
    places = evidence(text, spans if isinstance(spans, list | tuple) else (), str(proposal.payload.get("choice", "")))
    return h(
        '<section><h2>{title}</h2><blockquote class="words">{text}</blockquote></section>',
        title=on_page("inbox.words"),
        text=_marked(text, places),
    )


def evidence(text: str, spans: Sequence[object], choice: str) -> list[tuple[int, int]]:
    """Return the places of a text that speak for a choice: those quoted, else the sentence nearest to it."""
    found = []
    for span in spans:
        start, end = (span.get("start"), span.get("end")) if isinstance(span, dict) else (None, None)
        if isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= len(text):
            found.append((start, end))
    if found and sum(end - start for start, end in found) < 0.9 * len(text):
        return sorted(found)
    wanted = set(_WORD.findall(choice.lower()))
    sentences = [(match.start(), match.end()) for match in _SENTENCE.finditer(text) if match[0].strip()]

    def likeness(place: tuple[int, int]) -> float:
        words = set(_WORD.findall(text[slice(*place)].lower()))
        return len(words & wanted) / max(len(words | wanted), 1)

    best = max(sentences, key=likeness, default=(0, len(text)))
    return [best] if likeness(best) > 0 else found


def _marked(text: str, places: Sequence[tuple[int, int]]) -> Safe:
    made: list[Safe] = []
    at = 0
    for start, end in places:
        if start < at:
            continue  # inside of one that was marked already
        made += [h("{it}", it=text[at:start]), h("<mark>{it}</mark>", it=text[start:end])]
        at = end
    return joined([*made, h("{it}", it=text[at:])])


def _changes(effects: Sequence[Effect]) -> Safe:
    """Return what each answer would do to the files; that of the first stands open."""
    doing = [effect for effect in effects if effect.operation]
    made = []
    for number, effect in enumerate(doing):
        made.append(
            h(
                '<details class="change" data-diff {open}><summary>{title} <span class="meta">{files}</span></summary>'
                "{diff}</details>",
                open=Safe("open") if number == 0 else EMPTY,
                title=effect.label,
                files=on_page("inbox.files", count=len(effect.files)),
                diff=diff.render(effect.diff),
            )
        )
    return h("<section><h2>{title} <kbd>d</kbd></h2>{made}</section>", title=on_page("inbox.diff"), made=joined(made))


def _scores(explanation: Explanation) -> Safe:
    pending = explanation.pending
    if pending is None or not pending.scores:
        return EMPTY
    *why, rule = explanation.score_reasons or ("",)
    rows = joined(
        h(
            '<tr><th scope="row">{name}</th><td class="number">{value}</td><td>{bar}</td><td>{reason}</td></tr>',
            name=say(f"score.{name}"),
            value=pending.scores[name],
            bar=pictures.bar(pending.scores[name], most=2, label=f"{say(f'score.{name}')}: {pending.scores[name]} / 2"),
            reason=say_or_name(f"score.{why[number]}", why[number]) if number < len(why) else say("score.brought"),
        )
        for number, name in enumerate(_DIMENSIONS)
    )
    return h(
        '<section><h2>{title}</h2><p>{total}</p><table class="scores"><tbody>{rows}</tbody></table></section>',
        title=on_page("inbox.scores"),
        total=say("explain.scores", total=pending.scores["total"], allows=say_or_name(f"score.rule.{rule}", rule)),
        rows=rows,
    )


def _neighbours(near: Sequence[Neighbour]) -> Safe:
    if not near:
        return EMPTY
    rows = joined(
        h(
            '<li><p><a href="{address}">{title}</a> {relation} <span class="number">{score:.2f}</span></p>{bar}'
            '<p class="quiet">{why}</p></li>',
            address=link("/notes", one.id),
            title=one.title,
            relation=badge("relation", one.relation),
            score=one.score,
            bar=pictures.bar(one.score, label=on_page("inbox.likeness", score=f"{one.score:.2f}")),
            why=" ".join(say_or_name(f"reason.relation.{rule}", rule, detail="") for rule in one.rules),
        )
        for one in near
    )
    return h(
        '<section><h2>{title}</h2><ul class="neighbours">{rows}</ul></section>',
        title=on_page("inbox.neighbours"),
        rows=rows,
    )


def _answers(visit: Visit, pending: Pending) -> Safe:
    buttons = joined(
        h(
            '<button name="option" value="{id}" data-key="{key}" class="{kind}">{label} <kbd>{key}</kbd></button>',
            id=choice.id,
            key=KEYS[choice.id],
            kind=classes(primary=choice.id in (CONFIRM, TAKE_NEW)),
            label=choice.label,
        )
        for choice in pending.question.options
        if choice.id != SHOW_DIFF
    )
    return visit.form_to(
        "/answer",
        h(
            '<fieldset><legend class="sr">{legend}</legend>{buttons}</fieldset>',
            legend=on_page("inbox.answer"),
            buttons=buttons,
        ),
        kind="answers",
        proposal=pending.proposal_id,
        shown=pending.digest,
    )
