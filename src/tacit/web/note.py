"""One note: its text, where it comes from, what happened to it, and a way to change it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.bank import explaining, guarding
from tacit.bank.history import diff as difference
from tacit.errors import ChangedMeanwhile, NoteNotFound, TacitError
from tacit.messages import explain, on_page, say
from tacit.note.model import Layer, Status
from tacit.web import acts, diff, markdown
from tacit.web.doorkeeper import Told
from tacit.web.markup import EMPTY, Safe, each, exact, h, joined, link, quiet
from tacit.web.visit import WEB, Moved, View, badge, moment, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.bank.values import LogEntry
    from tacit.guards import Finding
    from tacit.note.model import Note
    from tacit.web.visit import Answer, Visit

_MOST_STEPS = 20
_LINE_END = re.compile(r"\r\n|\r|\n")
_BADGES = ("layer", "kind", "status", "strength", "scope", "audience", "level", "timing")


def show(visit: Visit) -> View:
    """Return a note with its history, one of another bank without, one that is gone with what is known of it."""
    note_id = visit.names["note"]
    try:
        note, body = visit.bank.get(note_id), visit.bank.body(note_id)
    except NoteNotFound:
        found = None if visit.aside else visit.bank.elsewhere(note_id)
        if found is None:
            return _gone(visit, note_id)
        note, body = found.note, found.body
        told = say("show.of_bank" if found.place else "show.of_team", id=note.id, bank=found.place)
        return _shown(visit, note, body, notice=h('<p class="warning">{it}</p>', it=told))
    return _shown(visit, note, body, notice=_objections(visit.bank.objections(note_id)), is_own=not visit.aside)


def _shown(visit: Visit, note: Note, body: str, *, notice: Safe, is_own: bool = False) -> View:
    """Return a note; with what can be done with it and its history if it is the bank's own."""
    main = h(
        '<article class="note">{head}<div class="columns"><div class="text">{notice}{body}</div>'
        '<aside aria-label="{about}">{acts}{facts}</aside></div>{history}</article>',
        head=_head(note),
        notice=notice,
        body=markdown.render(body),
        about=on_page("note.about"),
        acts=_acts(visit, note) if is_own and note.layer is not Layer.CORE else EMPTY,
        facts=_facts(visit, note),
        history=_history(visit, note.id) if is_own else EMPTY,
    )
    return View(title=note.title, main=main, here="notes")


def edit(visit: Visit) -> View:
    """Return a note as text to be changed in its place."""
    note = visit.bank.get(visit.names["note"])
    content = _bytes(visit, note.id)
    return _editing(visit, note, content.decode("utf-8", "replace"), fsio.digest(content))


def save(visit: Visit) -> Answer:
    """Save a changed text if the note is still what was opened; otherwise show both and lose neither."""
    try:
        note = visit.bank.get(visit.names["note"])
    except TacitError as error:  # it was removed or broken meanwhile, or may not be read any more
        return _kept(acts.failed(error), visit.form.get("text", ""))
    before = _bytes(visit, note.id)
    text = _with_ends_of(before.decode("utf-8", "replace"), visit.form.get("text", ""))
    base = visit.form.get("base", "")
    try:
        doubts = visit.bank.doubts({note.file: text})
        if doubts and visit.form.get("sure") != "yes":
            return _editing(visit, note, text, base, doubts=doubts)
        done = visit.bank.rewrite(note.id, text.encode(), base=base, by=WEB)
    except ChangedMeanwhile:
        changed = difference(before, text.encode())
        return _editing(visit, note, text, fsio.digest(before), theirs=changed, status=409)
    except TacitError as error:
        return _editing(visit, note, text, base, wrong=" ".join(explain(error)), status=400)
    said = (
        Told(on_page("saved", title=note.title), undo=done.operation_id) if done.operation_id else Told(on_page("same"))
    )
    return Moved(link("/notes", note.id, told=visit.session.tell(said)))


def _kept(failed: View, text: str) -> View:
    """Return why a text could not be saved, with the text, which is nowhere else."""
    kept = h(
        '<p class="editor"><label for="text">{label}</label><textarea id="text" rows="28" readonly dir="auto">\n{text}'
        "</textarea></p>",
        label=on_page("edit.kept"),
        text=exact(text),
    )
    return replace(failed, main=joined([failed.main, kept]))


def _with_ends_of(before: str, text: str) -> str:
    """Return a text with the line ends of an earlier one: a browser sends each as CR LF, whatever it was.

    A line that was there keeps its end, a new one takes that of most lines.
    """
    old, new = _LINE_END.split(before), _LINE_END.split(text)
    if old == new:
        return before
    known = _LINE_END.findall(before) or ["\n"]
    ends = [Counter(known).most_common(1)[0][0]] * (len(new) - 1)
    for block in SequenceMatcher(None, old, new).get_matching_blocks():
        size = min(block.size, len(known) - block.a, len(ends) - block.b)  # a last line has no end
        ends[block.b : block.b + size] = known[block.a : block.a + size]
    return "".join(line + end for line, end in zip_longest(new, ends, fillvalue=""))


def _bytes(visit: Visit, note_id: str) -> bytes:
    return fsio.read(visit.bank.root / visit.bank.locate(note_id)) or b""


def _head(note: Note) -> Safe:
    return h(
        '<header><p class="meta">{badges}</p><h1>{title}</h1><p class="one-liner">{one_liner}</p></header>',
        badges=joined((badge(name, getattr(note, name)) for name in _BADGES), " "),
        title=note.title,
        one_liner=note.one_liner,
    )


def _objections(found: Sequence[str]) -> Safe:
    if not found:
        return EMPTY
    return h(
        '<section class="warning"><p>{text}</p><ul>{items}</ul></section>',
        text=on_page("note.objections"),
        items=each("<li>{item}</li>", found),
    )


def _acts(visit: Visit, note: Note) -> Safe:
    edit_it = h(
        '<a class="button" data-key="e" href="{address}">{text} <kbd>e</kbd></a>',
        address=link("/notes", note.id, "edit"),
        text=on_page("note.edit"),
    )
    archive = visit.form_to(link("/notes", note.id, "archive"), h("<button>{it}</button>", it=on_page("note.archive")))
    delete = h(
        '<details class="confirm"><summary class="button">{ask}</summary><p>{text}</p>{form}</details>',
        ask=on_page("note.delete"),
        text=on_page("note.delete.text"),
        form=visit.form_to(
            link("/notes", note.id, "delete"), h('<button class="danger">{it}</button>', it=on_page("note.delete.sure"))
        ),
    )
    return h(
        '<div class="acts">{edit}{archive}{delete}</div>',
        edit=edit_it,
        archive=archive if note.status is not Status.ARCHIVE else EMPTY,
        delete=delete,
    )


def _facts(visit: Visit, note: Note) -> Safe:
    rows = [
        ("id", h("<code>{it}</code>", it=note.id)),
        ("file", h("<code>{it}</code>", it=note.file)),
        ("origin", h("{it}", it=word("origin", note.origin))),
        ("source", h("{it}", it=word("source", note.source))),
        ("confirmed", _confirmed(note.confirmed)),
        ("created", moment(note.created)),
        ("updated", moment(note.updated)),
        ("session", h("{it}", it=note.session)),
        ("tags", joined(_tag(tag) for tag in note.tags)),
        ("usage", EMPTY if visit.aside else _usage(visit, note.id)),
        ("supersedes", _chain(visit, note)),
        ("superseded_by", _successors(visit, note)),
    ]
    return h(
        "<dl>{rows}</dl>",
        rows=joined(
            h("<dt>{name}</dt><dd>{value}</dd>", name=on_page(f"field.{name}"), value=value)
            for name, value in rows
            if value
        ),
    )


def _tag(tag: str) -> Safe:
    return h('<a class="badge" href="{address}">{tag}</a> ', address=link("/notes", tag=tag), tag=tag)


def _confirmed(stamp: str) -> Safe:
    """Return who confirmed a note: the door, and when."""
    channel, _, ts = stamp.partition(" ")
    if not channel:
        return h('<span class="quiet">{it}</span>', it=on_page("note.unconfirmed"))
    return h("{door} {when}", door=word("channel", channel), when=moment(ts))


def _usage(visit: Visit, note_id: str) -> Safe:
    """Return how often a note was said to an agent, and when last."""
    count, last = visit.bank.uses(note_id)
    if not count:
        return h('<span class="quiet">{it}</span>', it=on_page("note.unused"))
    return h("{count} {when}", count=on_page("note.used", count=count), when=moment(last))


def _chain(visit: Visit, note: Note) -> Safe:
    """Return what a note took the place of, back to the first, as far as anything is known of it."""
    removed = {item.note_id: item.title for item in visit.bank.trash()} if note.supersedes else {}
    known = {one.id: one for one in visit.bank.notes()} if note.supersedes else {}
    steps: list[Safe] = []
    ahead, seen = list(note.supersedes), {note.id}
    while ahead and len(steps) < _MOST_STEPS:
        old = ahead.pop(0)
        if old in seen:
            continue
        seen.add(old)
        title = known[old].title if old in known else removed.get(old, "")
        steps.append(_named(old, title))
        ahead += known[old].supersedes if old in known else ()
    return h('<ol class="chain">{steps}</ol>', steps=joined(steps)) if steps else EMPTY


def _successors(visit: Visit, note: Note) -> Safe:
    later = [one for one in visit.bank.notes() if note.id in one.supersedes]
    return h('<ol class="chain">{it}</ol>', it=joined(_named(one.id, one.title) for one in later)) if later else EMPTY


def _named(note_id: str, title: str) -> Safe:
    address = link("/notes", note_id)
    return h('<li><a href="{address}">{title} <code>{id}</code></a></li>', address=address, title=title, id=note_id)


def _history(visit: Visit, note_id: str) -> Safe:
    told = visit.bank.log(note_id, diffs=True)[::-1]
    if not told:
        return h(
            "<section><h2>{title}</h2><p>{it}</p></section>", title=on_page("note.history"), it=on_page("note.by_hand")
        )
    more = quiet(on_page("note.older", count=len(told) - _MOST_STEPS))
    return h(
        '<section class="history"><h2>{title}</h2><ol>{steps}</ol>{more}</section>',
        title=on_page("note.history"),
        steps=joined(_step(entry) for entry in told[:_MOST_STEPS]),
        more=more if len(told) > _MOST_STEPS else EMPTY,
    )


def _step(entry: LogEntry) -> Safe:
    shown = EMPTY
    if entry.diff and not entry.diff.startswith("("):
        shown = h(
            "<details data-diff><summary>{title}</summary>{diff}</details>",
            title=on_page("note.diff"),
            diff=diff.render(entry.diff),
        )
    return h(
        '<li><p><strong>{event}</strong> · {when} · {door} <a href="{address}"><code>{id}</code></a></p>'
        '<p class="quiet">{why}</p>{shown}</li>',
        event=word("event", entry.event),
        when=moment(entry.ts),
        door=on_page("by", door=word("channel", entry.channel), assurance=word("assurance", entry.assurance)),
        address=link("/audit", entry.operation_id),
        id=entry.operation_id,
        why=" ".join(explaining.reasons(entry)) or entry.reason,
        shown=shown,
    )


def _editing(
    visit: Visit,
    note: Note,
    text: str,
    base: str,
    *,
    doubts: Sequence[Finding] = (),
    theirs: str = "",
    wrong: str = "",
    status: int = 200,
) -> View:
    """Return the form in which a note is changed, with what stands against saving it."""
    warning = EMPTY
    if doubts:
        kinds = ", ".join(map(guarding.shown, doubts))
        warning = h(
            '<div class="warning"><p>{text}</p><label><input type="checkbox" name="sure" value="yes"> {sure}</label>'
            "</div>",
            text=on_page("edit.doubt", kinds=kinds),
            sure=on_page("edit.sure"),
        )
    elif theirs:
        warning = h(
            '<div class="warning"><p>{text}</p>{diff}</div>', text=on_page("edit.changed"), diff=diff.render(theirs)
        )
    elif wrong:
        warning = h('<div class="warning" role="alert"><p>{text}</p></div>', text=wrong)
    inside = h(
        '{warning}<label for="text">{label}</label>'
        '<textarea id="text" name="text" rows="28" spellcheck="false" dir="auto">\n{text}</textarea>'
        '<div class="acts"><button class="primary">{save}</button><a class="button" href="{back}">{cancel}</a></div>',
        warning=warning,
        label=on_page("edit.label", file=note.file),
        text=exact(text.replace("\r\n", "\n")),
        save=on_page("edit.save"),
        back=link("/notes", note.id),
        cancel=on_page("edit.cancel"),
    )
    main = h(
        '<article class="note">{head}{form}</article>',
        head=_head(note),
        form=visit.form_to(link("/notes", note.id, "edit"), inside, kind="editor", base=base),
    )
    return View(title=on_page("edit.title", title=note.title), main=main, here="notes", status=status)


def _gone(visit: Visit, note_id: str) -> View:
    """Return what is known of a note that is no more; raise NoteNotFound if it never was."""
    item = next((one for one in visit.bank.trash() if one.note_id == note_id), None)
    told = visit.bank.log(note_id)
    if item is None and not told:
        visit.bank.get(note_id)
    main = h(
        '<article class="note"><header><p class="meta"><code>{id}</code></p><h1>{title}</h1></header><p>{text}</p>'
        "{successors}{history}</article>",
        id=note_id,
        title=item.title if item else note_id,
        text=on_page("note.gone"),
        successors=joined(_named(one.id, one.title) for one in visit.bank.notes() if note_id in one.supersedes),
        history=_history(visit, note_id),
    )
    return View(title=item.title if item else note_id, main=main, here="notes")
