"""Payloads in, outcomes out: each passes validation, guards, scores, neighbours and the gate as one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.audit.record import Event
from tacit.bank import completing, guarding, neighbours, proposals, questions, wiring, writing
from tacit.bank.sessions import Session
from tacit.bank.values import By, Neighbour, Outcome
from tacit.capture import sentences, transcript
from tacit.errors import GuardRefused, InputRefused, PayloadRefused, TacitError
from tacit.formats import native
from tacit.formats.fields import MAX_SUPERSEDED
from tacit.govern import decision, evidence, mapping, merging, relation, scorecard
from tacit.govern.decision import Case, Decision, Verdict
from tacit.govern.proposal import BOTH, CANCEL, CONFIRM, KEEP_OLD, NEW_INSTEAD, TAKE_NEW, Change, FileChange, Proposal
from tacit.messages import explain
from tacit.note import blob
from tacit.note import payload as payloads
from tacit.note.model import Scope
from tacit.note.payload import Payload, Relation, Source
from tacit.store.layout import SHARE, note_path
from tacit.text import simplified

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tacit.audit.record import Record
    from tacit.bank.recalling import Recaller
    from tacit.bank.values import Context
    from tacit.formats.native import Document
    from tacit.govern.evidence import Evidence
    from tacit.govern.relation import Judgement
    from tacit.govern.scorecard import Scorecard
    from tacit.note.model import Note
    from tacit.settings import Settings
    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

    Judge = Callable[[Note, Sequence[Note]], Mapping[str, Relation]]

# What the user asked for or chose, by the payload's word: scores judge it more gently, the gate does not.
_ASKED_FOR = frozenset({Source.REMEMBER, Source.CHOICE})
_OPERATIONS = {Event.NOTE_CREATED: "create", Event.DUPLICATE_FOUND: "dedupe", Event.WRITE_SKIPPED: "skip"}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A payload after everything that does not depend on the bank's notes."""

    number: int
    given: Mapping[str, object]
    payload: Payload
    card: Scorecard
    evidence: Evidence
    note: Note
    inferred: tuple[str, ...]
    key: str
    declined: bool
    suspicious: tuple[str, ...]
    beside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision with what it was made from."""

    decision: Decision
    judged: tuple[Judgement, ...]
    documents: Mapping[str, Document]


class Governor:
    """Takes payloads for one bank. `judge` may add a model's judgement of neighbours; the stricter one holds."""

    def __init__(self, store: Store, recaller: Recaller, policy: Settings, judge: Judge | None = None) -> None:
        self.store = store
        # Where the user's words are kept: another bank's records if the talk is about that one.
        self.heard = store
        self._recaller = recaller
        self.policy = policy
        self._judge = judge
        # Whether what leaves no doubt is written at once; a caller that may only propose has it asked.
        self.commits = True

    def propose(self, given: Sequence[object], context: Context, *, by_hand: bool, dry_run: bool) -> list[Outcome]:
        """Return what became of each payload, in the order given; the user's own picks are governed first."""
        expanded = [(number, each) for number, one in enumerate(given) for each in payloads.one_for_each_pick(one)]
        first = [pair for pair in expanded if payloads.is_picked(pair[1])]
        rest = [pair for pair in expanded if not payloads.is_picked(pair[1])]
        done: list[Outcome] = []
        for number, each in (*first, *rest):
            beside = frozenset(one.note_id for one in done if one.payload == number and one.written)
            done.append(self.one(number, each, context, by_hand=by_hand, dry_run=dry_run, beside=beside))
        return sorted(done, key=lambda outcome: outcome.payload)

    def one(
        self,
        number: int,
        given: object,
        context: Context,
        *,
        by_hand: bool,
        dry_run: bool = False,
        beside: frozenset[str] = frozenset(),
    ) -> Outcome:
        """Return what became of one payload; `beside` are notes that the user picked together with it."""
        by = By(context.channel)
        try:
            by = By(context.channel, context.conversation_id, context.generation_id)
            prepared = replace(self.prepare(number, given, context, by_hand=by_hand), beside=beside)
            # A model is asked before the lock is taken; under it everything else is read and judged again.
            brought = self.asked(prepared)
            if dry_run:
                return self._outcome(prepared, self.decide(prepared, brought, by_hand=by_hand))
            with self.store.writing("propose") as transaction:
                decided = self.decide(prepared, brought, by_hand=by_hand)
                outcome = self.enact(transaction, prepared, decided, by, by_hand=by_hand)
                transaction.commit()
                return replace(outcome, operation_id=transaction.operation_id)
        except InputRefused as error:
            if not dry_run:
                self._refused(error, by)
            sentence, hint = explain(error)
            return Outcome(payload=number, decision=Verdict.REFUSED, reasons=(sentence, hint), rules=(error.code,))

    def prepare(self, number: int, given: object, context: Context, *, by_hand: bool) -> Prepared:
        """Return a payload after validation, guards, evidence, scores and mapping."""
        parsed = payloads.parse(given)
        if not mapping.chosen_principle(parsed):
            raise PayloadRefused(
                field="choice", reason="is none of the principles", fix="add it to principles, or choose one of them"
            )
        assert isinstance(given, Mapping)  # noqa: S101  parse refuses anything else
        suspicious = _guarded(given, accepted=context.accepted)
        session = Session(self.heard, context.conversation_id)
        asked = by_hand or parsed.source in _ASKED_FOR
        judged = payloads.in_simplified(given)
        card = scorecard.score(judged, asked=asked)
        note, inferred = mapping.candidate(
            parsed, card, by_hand=by_hand, ts=self.store.clock(), session=context.conversation_id
        )
        note, found_here = completing.completed(note, parsed, completing.project_of(self.store.layout.root))
        try:
            native.compose(replace(note, id="MEM-candidate"))
        except TacitError as error:
            raise PayloadRefused(
                field=str(error.details.get("field", "payload")),
                reason=str(error.details.get("reason", error.message)),
                fix="shorten or rephrase it",
            ) from None
        key = mapping.key(parsed)
        # What was pasted or quoted, and what the host added, are no words of the user.
        prompts = [simplified.read(sentences.prose(transcript.typed(each))) for each in session.prompts()]
        found = evidence.weigh(judged, prompts, by_hand=by_hand)
        if not by_hand and not found.doubt and session.declined_elsewhere(key):
            found = replace(found, doubt="declined")
        filled = (*inferred, *found_here)
        return Prepared(number, given, parsed, card, found, note, filled, key, session.declined(key), suspicious)

    def decide(self, prepared: Prepared, brought: Mapping[str, Relation], *, by_hand: bool) -> Decided:
        """Return what should happen with a candidate, as the bank is now."""
        near = neighbours.near(self.store, self._recaller, prepared.note)
        told = {**prepared.payload.relations}
        against = [each for each, word in told.items() if word in (Relation.SAME, Relation.CONFLICTING)]
        near += neighbours.named(self.store, against, {document.note.id for document, _ in near})
        judged = []
        for document, meaning in near:
            found = relation.judge(prepared.note, document.note, meaning, words=prepared.evidence.words)
            for word in (told.get(document.note.id), brought.get(document.note.id)):
                found = relation.stricter(found, word)
            if document.note.id in prepared.beside:  # whoever picks two things wants both
                found = replace(found, relation=Relation.COMPLEMENTARY, rules=("picked_together",))
            judged.append(found)
        gone = " ".join(each for each in against if each not in {one.note_id for one in judged})
        judged.sort(key=lambda each: (-relation.STRICTNESS.index(each.relation), -each.score))
        case = Case(
            prepared.payload,
            prepared.card,
            prepared.evidence,
            judged,
            by_hand,
            suspicious=bool(prepared.suspicious),
            declined=prepared.declined,
            foreign=frozenset(each.note.id for each, _ in near if each.note.file.startswith(f"{SHARE}/")),
        )
        made = decision.decide(case)
        if made.reasons == ("evidence.missing",):
            made = replace(made, reasons=(f"evidence.missing:{prepared.evidence.missing}",))
        if made.verdict is Verdict.NEW and not made.ask and (gone or not self.commits):
            made = replace(made, ask=True, reasons=(f"relation.gone:{gone}" if gone else "role",))
        return Decided(made, tuple(judged), {document.note.id: document for document, _ in near})

    def propose_act(
        self, operation: str, changes: Sequence[FileChange], titles: Mapping[str, str], by: By, *, undoes: str = ""
    ) -> Proposal:
        """Keep an act on notes (delete, archive, undo, restore over a note) as a proposal until it is answered."""
        with self.store.writing("propose") as transaction:
            note_id = next((each.note_id for each in changes if each.note_id), "")
            change = Change(operation, tuple(changes), note_id, undoes=undoes)
            proposal = replace(
                self.bare(operation, {CONFIRM: change, CANCEL: None}, transaction),
                target=note_id,
                titles=titles,
                conversation_id=by.conversation_id,
            )
            proposals.make(self.store, transaction, proposal, by)
            transaction.commit()
        return proposal

    def asked(self, prepared: Prepared) -> Mapping[str, Relation]:
        """Return what a model says about the neighbours, if there is one to ask; never under the lock."""
        if self._judge is None:
            return {}
        near = neighbours.near(self.store, self._recaller, prepared.note)
        try:
            return self._judge(prepared.note, [document.note for document, _ in near]) if near else {}
        except Exception:  # noqa: BLE001  a model that fails changes nothing
            return {}

    def enact(
        self,
        transaction: Transaction,
        prepared: Prepared,
        decided: Decided,
        by: By,
        *,
        by_hand: bool,
        told: tuple[str, ...] = (),
    ) -> Outcome:
        """Do what was decided inside a transaction, which the caller commits: write the note, or keep the question.

        `told` are further reasons that the question names.
        """
        made = decided.decision
        outcome = self._outcome(prepared, decided)
        why = _told(prepared, decided)
        session = Session(self.heard, by.conversation_id)
        if made.ask:
            proposal = self._proposal(transaction, prepared, decided, by, by_hand=by_hand)
            proposal = replace(proposal, reasons=(*proposal.reasons, *told))
            if waits := proposals.like(self.store, transaction, proposal):  # asked before: one question is enough
                proposal = waits
                transaction.record(_record(Event.WRITE_SKIPPED, ("", ""), prepared, by, f"waits as {waits.id}; {why}"))
                if session.passed(waits.id) and not by_hand:  # the user went on with something else
                    passed = ("passed",)
                    return replace(outcome, decision=Verdict.SKIP, rules=passed, reasons=questions.sentences(passed))
            else:
                proposals.put_aside(self.store, transaction, proposal, by)
                proposals.make(self.store, transaction, proposal, by)
            if by.conversation_id:
                session.show(proposal.id, proposal.conversation_id)
            outcome = replace(
                outcome, proposal_id=proposal.id, question=questions.question(proposal), note_id=proposal.main.note_id
            )
        elif made.verdict is Verdict.NEW:
            change = self._new(transaction, prepared, made.related)
            file, *blobs = change.files
            writing.put_blobs(transaction, {each.base or "": each.content or "" for each in blobs})
            transaction.put(
                file.file, _confirmed(file.content or "", file.file, by, by_hand=by_hand, ts=transaction.ts)
            )
            transaction.record(_record(Event.NOTE_CREATED, (file.note_id, file.file), prepared, by, why))
            outcome = replace(outcome, written=True, note_id=file.note_id)
        elif made.verdict is Verdict.DEDUPE:
            file_name = decided.documents[made.target].note.file
            transaction.record(_record(Event.DUPLICATE_FOUND, (made.target, file_name), prepared, by, why))
            outcome = replace(outcome, note_id=made.target)
        else:
            transaction.record(_record(Event.WRITE_SKIPPED, ("", ""), prepared, by, why))
        return outcome

    def _refused(self, error: TacitError, by: By) -> None:
        """Say in the log that something was refused: the kind and the place, never the text."""
        with self.store.writing("propose") as transaction:
            # The name of an unknown field is text too, so only those of known ones are kept.
            field = str(error.details.get("field", "")).partition(".")[0]
            place = error.details.get("place") or (field if field in Payload.__dataclass_fields__ else "")
            reason = f"{error.code} {place}"[:200]
            transaction.record(by.record(Event.WRITE_REFUSED, "refuse", source="", reason=reason))
            transaction.commit()

    def _outcome(self, prepared: Prepared, decided: Decided) -> Outcome:
        made = decided.decision
        return Outcome(
            payload=prepared.number,
            decision=made.verdict,
            level=str(prepared.card.allowed if prepared.card.allowed == "both" else prepared.note.level),
            scores=prepared.card.scores.named(),
            neighbours=_shown(decided),
            reasons=questions.sentences(made.reasons),
            rules=made.reasons,
            score_reasons=(*prepared.card.reasons, prepared.card.rule),
            completed=prepared.inferred,
            note_id=made.target if made.verdict is Verdict.DEDUPE else "",
        )

    def _proposal(
        self, transaction: Transaction, prepared: Prepared, decided: Decided, by: By, *, by_hand: bool
    ) -> Proposal:
        made = decided.decision
        new = self._new(transaction, prepared, (*made.related, *made.superseded))
        titles = {"": prepared.note.title}
        about = made.superseded or (made.target,)
        options: dict[str, Change | None]
        if made.standing:
            pair = merging.in_order(*(decided.documents[each] for each in (made.target, made.standing)))
            options = (merging.one_of if made.verdict is Verdict.MERGE else merging.which)(*pair, transaction.ts)
            about = tuple(each.note.id for each in pair)
        elif made.verdict is Verdict.NEW:
            options = {CONFIRM: self._new(transaction, prepared, made.related), CANCEL: None}
        elif made.verdict is Verdict.MERGE:
            options = {CONFIRM: self._merge(transaction, prepared, decided), CANCEL: None, NEW_INSTEAD: new}
        elif made.verdict is Verdict.REPLACE:
            options = {CONFIRM: self._replace(transaction, prepared, decided), CANCEL: None, NEW_INSTEAD: new}
        elif made.superseded:
            taken = self._replace(transaction, prepared, decided)
            both = self._new(transaction, _beside(prepared, decided), (*made.related, *made.superseded))
            options = {TAKE_NEW: taken, KEEP_OLD: None, BOTH: both, CANCEL: None}
        else:  # a team note: it is never changed from here
            options = {BOTH: new, KEEP_OLD: None, CANCEL: None}
        titles |= {note_id: decided.documents[note_id].note.title for note_id in about if note_id}
        return replace(
            self.bare(made.asked_as, options, transaction),
            reasons=(*made.reasons, *(f"guard.{each}" for each in prepared.suspicious)),
            target=made.target,
            titles=titles,
            neighbours=tuple(
                {
                    "id": each.id,
                    "title": each.title,
                    "relation": each.relation,
                    "score": each.score,
                    "rules": list(each.rules),
                }
                for each in _shown(decided)
            ),
            scores=prepared.card.scores.named(),
            level=str(prepared.note.level),
            completed=prepared.inferred,
            payload=dict(prepared.given),
            conversation_id=by.conversation_id,
            generation_id=by.generation_id,
            by_hand=by_hand,
        )

    def fingerprint(self, transaction: Transaction) -> str:
        """Return what differs as soon as any note does, by whomever it was changed."""
        return self.store.notes_in(transaction).fingerprint()

    def bare(self, verdict: str, options: Mapping[str, Change | None], transaction: Transaction) -> Proposal:
        """Return a new proposal with nothing but its options, its time and the state of the bank."""
        return Proposal(
            id=f"P-{self.store.new_id()}",
            decision=str(verdict),
            created=transaction.ts,
            expires=wiring.days_after(transaction.ts, self.policy.number("proposals.days")),
            nonce=self.store.new_id(),
            bank=self.fingerprint(transaction),
            options=options,
        )

    def _new(self, transaction: Transaction, prepared: Prepared, related: Sequence[str]) -> Change:
        """Return the change that writes the candidate as a new note, with pointers to those it stands beside."""
        note = self._named(transaction, prepared.note)
        notes = self.store.notes_in(transaction).listed()
        places = {each: notes.file_of(each) for each in related}
        pointers = [f"- mem://{file[:2]}/{each}" for each, file in places.items() if file]
        if pointers:
            note = replace(note, pointers="\n".join(part for part in (note.pointers, *pointers) if part))
        note, blobs = _taken_out(note)
        return Change("new", (FileChange(note.file, None, native.compose(note).decode(), note.id), *blobs), note.id)

    def _replace(self, transaction: Transaction, prepared: Prepared, decided: Decided) -> Change:
        """Return the change that puts the candidate in place of the notes it contradicts."""
        made = decided.decision
        note, blobs = _taken_out(replace(self._named(transaction, prepared.note), supersedes=made.superseded))
        put = FileChange(note.file, None, native.compose(note).decode(), note.id)
        olds = [decided.documents[each] for each in made.superseded]
        lost = tuple(f"{old.note.id} {each}" for old in olds for each in merging.lost(old.note, note))
        return Change("replace", (put, *map(FileChange.removal, olds), *blobs), note.id, made.superseded, lost)

    def _merge(self, transaction: Transaction, prepared: Prepared, decided: Decided) -> Change:
        """Return the change that makes one note of the candidate and the note that says the same."""
        old = decided.documents[decided.decision.target]
        named, blobs = _taken_out(self._named(transaction, prepared.note))
        grown = merging.merged(old, named, ts=transaction.ts)
        superseded = (*old.note.supersedes, old.note.id)[-MAX_SUPERSEDED:]
        content = native.parse(grown.with_fields(id=named.id, supersedes=superseded).render(), named.file)
        put = FileChange(named.file, None, content.render().decode(), named.id)
        given = {name for name, value in prepared.given.items() if value is not None}
        lost = merging.lost(old.note, content.note) + merging.lost(named, content.note)
        lost += merging.set_aside(named, given, content.note)
        return Change("merge", (put, FileChange.removal(old), *blobs), named.id, (old.note.id,), lost)

    def _named(self, transaction: Transaction, note: Note) -> Note:
        notes = self.store.notes_in(transaction).listed()
        note_id = f"MEM-{self.store.new_id()}"
        while notes.file_of(note_id):
            note_id = f"MEM-{self.store.new_id()}"
        return replace(note, id=note_id, file=note_path(note.layer, note_id))


def _guarded(given: Mapping[str, object], *, accepted: bool) -> tuple[str, ...]:
    """Return the rules that make a payload be asked about; raise GuardRefused for what must not be kept.

    Every text of it is looked at, known or not: the whole of it is kept while it waits for an answer. What is merely
    doubtful must not wait on the disk either, unless the person accepted it on the terminal.
    """
    findings = guarding.insist(guarding.texts_in(given))
    doubts = [each for each in findings if each.guard != "instruction"]
    if doubts and not accepted:
        raise GuardRefused(place=guarding.place(doubts[0]), kind=guarding.kind(doubts[0]))
    return tuple(dict.fromkeys(f"{finding.guard}:{finding.rule}" for finding in findings if finding not in doubts))


def _taken_out(note: Note) -> tuple[Note, tuple[FileChange, ...]]:
    """Return a note without its long pieces, and these as files."""
    shorter, blobs = blob.taken_out(note)
    for text in blobs.values():
        writing.check_blob(text)
    return shorter, FileChange.blobs(blobs)


def _beside(prepared: Prepared, decided: Decided) -> Prepared:
    """Return a candidate with another scope than the notes it contradicts, since all of them are to hold."""
    taken = {decided.documents[each].note.scope for each in decided.decision.superseded}
    free = [each for each in (prepared.note.scope, *Scope) if each not in taken]
    return replace(prepared, note=replace(prepared.note, scope=free[0])) if free else prepared


def _shown(decided: Decided) -> tuple[Neighbour, ...]:
    found = []
    for each in decided.judged:
        document = decided.documents[each.note_id]
        line = "" if guarding.objections(document.render().decode()) else document.note.one_liner
        shown = (each.note_id, document.note.title, str(each.relation), each.score, each.rules, line)
        found.append(Neighbour(*shown))
    return tuple(found)


def _told(prepared: Prepared, decided: Decided) -> str:
    """Return in one line, without any content, how a decision came about."""
    scores = "".join(map(str, prepared.card.scores))
    near = " ".join(f"{each.note_id}={each.relation}/{each.score:.2f}" for each in decided.judged[:3])
    made = decided.decision
    return f"{made.verdict}: {' '.join(made.reasons)}; scores {scores} {prepared.card.rule}; {near}"


def _confirmed(content: str, file: str, by: By, *, by_hand: bool, ts: str) -> bytes:
    """Return a note as it is written: one that the user asked for by hand bears through which channel and when."""
    document = native.parse(content.encode(), file)
    return (document.with_fields(confirmed=f"{by.channel} {ts}") if by_hand else document).render()


def _record(event: Event, place: tuple[str, str], prepared: Prepared, by: By, reason: str) -> Record:
    note_id, file = place
    source = str(prepared.payload.source)
    return by.record(event, _OPERATIONS[event], note_id=note_id, file=file, source=source, reason=reason)
