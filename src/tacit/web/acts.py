"""What a person does on the page: each act is a form of their own, passes the gate as `web`, and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.bank import State
from tacit.errors import FieldRefused, ProposalNotFound, TacitError
from tacit.govern.proposal import SHOW_DIFF
from tacit.messages import explain, on_page, say
from tacit.web import inbox
from tacit.web.doorkeeper import Told
from tacit.web.markup import h, link
from tacit.web.visit import LANGUAGES, THEMES, WEB, Moved, Preferred, View, word

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.bank.values import Answer as Answered
    from tacit.web.visit import Answer, Visit


def answer(visit: Visit) -> Answer:
    """Carry out the user's answer to what was shown, once; who comes second is told."""
    proposal_id, option = visit.form.get("proposal", ""), visit.form.get("option", "")
    if option == SHOW_DIFF:
        return Moved(link("/inbox", proposal_id))
    go_on = inbox.following(visit, proposal_id)
    kept = None
    try:
        asker = next((bank for bank, one in visit.waiting() if one.id == proposal_id), visit.bank)
        kept = asker.proposal(proposal_id)
        shown = visit.form.get("shown") or "nothing"  # an answer counts for what was shown, never for whatever waits
        done = visit.bank.answer(proposal_id, option, WEB.channel, shown=shown)
    except ProposalNotFound as error:
        if not error.details.get("why"):
            raise
        if kept is not None:  # it waited until now, and was put aside
            return _told(visit, Told(explain(error)[0]), go_on)
        return _told(visit, Told(on_page("answered.elsewhere", id=proposal_id)), "")
    if done.status == "declined":
        visit.session.put_aside(kept, asker)
        return _told(visit, Told(on_page("answered.declined", title=_about(kept.titles)), again=kept.id), go_on)
    if done.status == "asked_again":
        return _told(visit, Told(on_page("answered.again")), done.proposal_id)
    return _told(visit, Told(_sentence(done, kept.titles), undo=done.operation_id), go_on)


def again(visit: Visit) -> Answer:
    """Let a question wait again that was declined on this page."""
    wanted = visit.form.get("proposal", "")
    if wanted not in visit.session.declined:
        raise ProposalNotFound(id=wanted, why="")
    kept, asker = visit.session.declined.pop(wanted)
    return _told(visit, Told(on_page("answered.reopened")), asker.ask_again(kept, by=WEB))


def undo(visit: Visit) -> Answer:
    """Take back an operation."""
    operation = visit.form.get("operation", "")
    if not operation:  # the last operation of anybody is not what this button was about
        raise FieldRefused(field="operation", reason="it names no operation")
    visit.bank.insist("undo", WEB)
    bank = _holder(visit, operation)
    done = bank.undo(operation, by=WEB)
    again = done.operation_id if bank.state is State.ON else ""  # a state that came back may forbid it
    return Moved(link(_back(visit), told=visit.session.tell(Told(on_page("undone", id=done.undone), undo=again))))


def _holder(visit: Visit, operation: str) -> Bank:
    """Return the bank in whose log an operation stands: this one, or the user's own."""
    for bank in visit.banks()[1:]:
        if any(entry.operation_id == operation for entry in bank.log()):
            return bank
    return visit.bank


def delete(visit: Visit) -> Answer:
    """Move a note to the trash."""
    note = visit.bank.get(visit.names["note"])
    visit.bank.insist("delete", WEB)
    done = visit.bank.delete(note.id, by=WEB)
    return Moved(
        link("/notes", told=visit.session.tell(Told(on_page("deleted", title=note.title), undo=done.operation_id)))
    )


def archive(visit: Visit) -> Answer:
    """Take a note out of recall."""
    note = visit.bank.get(visit.names["note"])
    visit.bank.insist("archive", WEB)
    done = visit.bank.archive(note.id, by=WEB)
    name = visit.session.tell(Told(on_page("archived", title=note.title), undo=done.operation_id))
    return Moved(link("/notes", note.id, told=name))


def state(visit: Visit) -> Answer:
    """Change whether the bank may be read and written."""
    wish = visit.form.get("state", "")
    if wish not in State.__members__:
        raise FieldRefused(field="state", reason=f"{wish!r} is not one of {', '.join(State)}")
    visit.bank.set_state(State(wish), by=WEB)
    return Moved(link("/health", told=visit.session.tell(Told(say("state", state=wish)))))


def new_link(visit: Visit) -> Answer:
    """Show a link for another browser; it works once."""
    address = visit.door.new_link()
    main = h(
        '<section><h1>{title}</h1><p>{text}</p><p><code class="copy">{address}</code></p></section>',
        title=on_page("link"),
        text=on_page("link.text"),
        address=address,
    )
    return View(title=on_page("link"), main=main, here="health")


def language(visit: Visit) -> Answer:
    """Speak another language from now on."""
    return _preferred(visit, "language", tuple(LANGUAGES))


def theme(visit: Visit) -> Answer:
    """Look light, dark, or as the browser does."""
    return _preferred(visit, "theme", THEMES)


def _preferred(visit: Visit, name: str, known: tuple[str, ...]) -> Answer:
    wish = visit.form.get(name, "")
    if wish not in known:
        raise FieldRefused(field=name, reason=f"{wish!r} is not one of {', '.join(known)}")
    return Preferred(name, wish, _back(visit))


def _back(visit: Visit) -> str:
    """Return where on this page a form was sent from."""
    back = visit.form.get("back", "/")
    # A path of this page and nothing else: `//` would name another machine.
    return back if back.startswith("/") and not back.startswith(("//", "/\\")) else "/"


def failed(error: TacitError) -> View:
    """Return the page that tells what went wrong and what to do."""
    sentence, hint = explain(error)
    main = h(
        '<section class="failed"><h1>{title}</h1><p>{sentence}</p><p class="quiet">{hint} <code>{code}</code></p>'
        '<p><a class="button" href="/">{back}</a></p></section>',
        title=on_page("failed"),
        sentence=sentence,
        hint=hint,
        code=error.code,
        back=on_page("failed.back"),
    )
    return View(title=on_page("failed"), main=main, status=_STATUS.get(error.exit_code, 400))


# Exit codes of the commands → what HTTP calls the same.
_STATUS = {4: 404, 5: 409, 6: 503, 7: 500, 8: 403, 9: 403, 11: 202}


def _sentence(done: Answered, titles: object) -> str:
    if done.status == "applied":
        return on_page(
            "answered.applied", decision=word("decision", done.decision), title=_about(titles), id=done.note_id
        )
    return on_page("answered.anew", decision=word("decision", done.decision))


def _about(titles: object) -> str:
    names = dict(titles) if isinstance(titles, dict) else {}
    return str(names.get("") or "; ".join(map(str, names.values())))


def _told(visit: Visit, said: Told, proposal_id: str) -> Moved:
    name = visit.session.tell(said)
    return Moved(link("/inbox", proposal_id, told=name) if proposal_id else link("/", told=name))
