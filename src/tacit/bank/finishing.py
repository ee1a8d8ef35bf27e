"""The end of a task: review, cards through the governed pipeline, episode and clearing, as one transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tacit.audit.record import Event
from tacit.bank import answering, guarding, proposals, questions
from tacit.bank.values import Context, Finished
from tacit.bank.workbench import insist_on_asking
from tacit.capture import remark
from tacit.errors import AnswerRefused, AssuranceTooLow, ChangedMeanwhile, InputRefused, TacitError, TaskRefused
from tacit.formats import episode as episodes
from tacit.govern import relation, side
from tacit.note.model import Layer
from tacit.note.payload import Relation, Source
from tacit.store.layout import README
from tacit.tasks import review
from tacit.tasks.review import Card, Left
from tacit.tasks.working import TaskState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tacit.bank.governing import Governor, Prepared
    from tacit.bank.values import Answer, By, Outcome
    from tacit.bank.workbench import Workbench
    from tacit.govern.proposal import Proposal
    from tacit.store.transaction import Transaction
    from tacit.tasks.working import Task

# How often an entry may be added between the review and the lock.
_TRIES = 5


@dataclass(frozen=True, slots=True)
class _Ready:
    """A card with its payload as the pipeline has read it."""

    card: Card
    prepared: Prepared
    brought: Mapping[str, Relation]


class Finishing:
    """One call of `finish` for one task."""

    def __init__(self, bench: Workbench, governor: Governor, task: Task, by: By) -> None:
        self._bench = bench
        self._store = bench.store
        self._governor = governor
        self._task = task
        self._by = by
        self._context = Context(by.conversation_id or task.id, by.generation_id, by.channel)

    def run(self, answers: Mapping[str, str], *, defer: bool, clear: bool) -> Finished:
        """Carry it out; see `Tasks.finish`."""
        try:
            for _ in range(_TRIES):
                done = self._run(answers, defer=defer, clear=clear)
                if done is not None:
                    return done
                self._task = self._bench.find(self._task.id)
        except (AnswerRefused, AssuranceTooLow) as error:
            answering.audit_refusal(self._store, next(iter(answers), ""), error.code, self._by)
            raise
        raise ChangedMeanwhile(file=self._task.id, kept="")

    def _run(self, answers: Mapping[str, str], *, defer: bool, clear: bool) -> Finished | None:
        ready, left, reason = self._reviewed()
        with self._store.writing("task finish") as transaction:
            if self._bench.find(self._task.id) != self._task:
                return None  # an entry came in meanwhile: it is reviewed too
            self._task = self._with_asked_anew()
            known = self._bench.all()
            self._insist_on_order(known, clear=clear)
            given = self._answered(transaction, answers)
            made, refused = self._proposed(transaction, ready)
            task = self._after_review(given, made, [*left, *refused])
            # What this transaction asks is not in the log yet; what was asked before counts while it waits there.
            waiting = {each.id for each in proposals.waiting(self._store)} | {*task.proposals} - {*self._task.proposals}
            open_ids = tuple(each for each in task.proposals if each in waiting)
            if open_ids and not defer:
                task = replace(task, state=TaskState.WAITING, proposals=open_ids, updated=transaction.ts)
                self._bench.put(
                    transaction, task, Event.TASK_REVIEWED, self._by, reason=f"{len(open_ids)} answers are open"
                )
                cleared: tuple[str, ...] = ()
            else:
                task, cleared = self._archived(transaction, replace(task, proposals=open_ids), known, clear=clear)
            transaction.commit()
        self._settled(given)
        pending = sorted(
            (each for each in proposals.waiting(self._store) if each.id in open_ids),
            key=lambda each: open_ids.index(each.id),
        )
        return Finished(
            task_id=task.id,
            state=str(task.state),
            proposals=tuple(questions.pending(self._store, each) for each in pending),
            cards=task.cards,
            left_out=task.left_out,
            episode=task.episode,
            cleared=cleared,
            reason=reason,
            operation_id=transaction.operation_id,
        )

    def _reviewed(self) -> tuple[list[_Ready], list[Left], str]:
        """Return the cards of what was not reviewed yet, read by the pipeline, and what stays where it is and why."""
        first = self._task.reviewed
        if first >= len(self._task.entries):
            return [], [], ""
        if not self._rules_are_readable():
            # How cards must be is said there: without it none is made, and everything stays in the episode.
            return [], [Left(number, "no_rules") for number in range(first, len(self._task.entries))], "no_rules"
        cards, left = review.review(self._task.entries, first)
        ready: list[_Ready] = []
        for card in cards:
            try:
                prepared = self._governor.prepare(card.number, self._payload(card), self._context, by_hand=False)
            except InputRefused as error:
                left.append(Left(card.number, error.code))
                continue
            if any(relation.judge(prepared.note, each.prepared.note, None).relation is Relation.SAME for each in ready):
                left.append(Left(card.number, "said_before"))
                continue
            ready.append(_Ready(card, prepared, self._governor.asked(prepared)))
        return ready, left, ""

    def _rules_are_readable(self) -> bool:
        try:
            content = self._store.read(README)
            return content is not None and bool(content.decode("utf-8").strip())
        except (TacitError, UnicodeDecodeError):
            return False

    def _payload(self, card: Card) -> dict[str, object]:
        point = review.point(card.text)
        given = remark.payload(point)
        del given["origin"]  # working memory is no word of the user's
        if given["scene"] == point:
            given["scene"] = self._task.title
        given |= {"source": str(Source.DISTILL), "layer": str(card.layer), "kind": str(card.kind)}
        given["evidence"] = side.task_evidence(self._task.id, self._task.title, self._task.entries[card.number].ts)
        if card.text != point:
            given["fact"] = card.text
        return given

    def _with_asked_anew(self) -> Task:
        """Return the task with every question about its findings that waits, those asked anew by other doors too."""
        begin = side.of_task(self._task.id)
        asked = [each.id for each in proposals.waiting(self._store) if _evidence(each).startswith(begin)]
        return replace(self._task, proposals=tuple(dict.fromkeys((*self._task.proposals, *asked))))

    def _insist_on_order(self, known: Sequence[Task], *, clear: bool) -> None:
        running = [each.id for each in self._bench.children(self._task, known) if each.state is not TaskState.FINISHED]
        if running:
            reason = f"its subtasks {', '.join(running)} are running"
            raise TaskRefused(task=self._task.id, reason=reason, fix="Finish them first")
        if clear and not self._may_go(known):
            insist_on_asking(self._by)

    def _may_go(self, known: Sequence[Task]) -> bool:
        return self._bench.may_go(replace(self._task, state=TaskState.FINISHED), known)

    def _answered(self, transaction: Transaction, answers: Mapping[str, str]) -> dict[str, tuple[Proposal, Answer]]:
        """Carry out the answers to this task's questions; those whose bank has changed stay open."""
        given = {}
        for proposal_id, option in answers.items():
            if proposal_id not in self._task.proposals:
                raise AnswerRefused(
                    option=option, proposal=proposal_id, options=", ".join(self._task.proposals) or "none"
                )
            proposal = proposals.find(self._store, proposal_id)
            answer = answering.carry(self._governor, transaction, proposal, option, self._by)
            if answer is not None:
                given[proposal_id] = (proposal, answer)
                continue
            # What was approved is not what would happen now: the card is decided and asked anew.
            proposals.settle(
                transaction, proposal, self._by, event=Event.PROPOSAL_EXPIRED, reason="the bank changed meanwhile"
            )
            fresh = self._governor.prepare(0, dict(proposal.payload or {}), self._context, by_hand=False)
            decided = self._governor.decide(fresh, {}, by_hand=False)
            outcome = self._governor.enact(transaction, fresh, decided, self._by, by_hand=False)
            given[proposal_id] = (proposal, answering.asked_again(proposal_id, outcome))
        return given

    def _proposed(self, transaction: Transaction, ready: Sequence[_Ready]) -> tuple[list[Outcome], list[Left]]:
        made, refused = [], []
        for each in ready:
            decided = self._governor.decide(each.prepared, each.brought, by_hand=False)
            told = (f"card.{each.card.rule}:{each.card.layer}",)
            outcome = self._governor.enact(transaction, each.prepared, decided, self._by, by_hand=False, told=told)
            if outcome.proposal_id:
                made.append(outcome)
            else:
                refused.append(Left(each.card.number, " ".join((outcome.decision, *outcome.rules))))
        return made, refused

    def _after_review(
        self, given: Mapping[str, tuple[Proposal, Answer]], made: Sequence[Outcome], left: Sequence[Left]
    ) -> Task:
        task = self._task
        again = [answer.outcome.proposal_id for _, answer in given.values() if answer.outcome]
        kept = [each for each in task.proposals if each not in given]
        new = [answer.note_id for _, answer in given.values() if answer.status == "applied" and answer.note_id]
        return replace(
            task,
            reviewed=len(task.entries),
            proposals=tuple(filter(None, (*kept, *again, *(each.proposal_id for each in made)))),
            cards=tuple(dict.fromkeys((*task.cards, *self._written_elsewhere(), *new))),
            left_out=(*task.left_out, *(f"entry {each.number + 1}: {each.rule}" for each in left)),
        )

    def _written_elsewhere(self) -> list[str]:
        """Return the notes that came of this task's questions where they were answered by other doors."""
        wanted = tuple(f"answer to {each}:" for each in self._task.proposals)
        found = []
        for line in self._store.log.entries(mention=b'"answer to P-') if wanted else ():
            if line.get("event") != Event.NOTE_CREATED:
                continue
            if str(line.get("reason", "")).startswith(wanted) or self._tells_of_task(line):
                found.append(str(line.get("note_id", "")))
        return found

    def _tells_of_task(self, line: Mapping[str, object]) -> bool:
        """Whether a note that was created came of this task; a question asked anew has an id that no task knows."""
        if line.get("source") != Source.DISTILL:
            return False
        try:
            content = self._store.read(str(line.get("file", ""))) or b""
        except TacitError:  # a line that somebody wrote into the log
            return False
        return f"\n{side.of_task(self._task.id)}".encode() in content

    def _archived(
        self, transaction: Transaction, task: Task, known: Sequence[Task], *, clear: bool
    ) -> tuple[Task, tuple[str, ...]]:
        """Put the task among the episodes and clear what may go; return it as it is then, and whose memory went."""
        task = replace(task, state=TaskState.FINISHED, episode=f"EP-{self._store.new_id()}", updated=transaction.ts)
        made = review.episode(task, task.episode, transaction.ts)
        guarding.refuse([("title", made.title), *((f"entry {n}", each.text) for n, each in enumerate(task.entries, 1))])
        content = episodes.render(made)
        file = f"{Layer.EPISODIC.folder}/{task.episode}.md"
        episodes.parse(content, file)  # whatever is written can be read again
        transaction.put(file, content)
        reason = f"{task.episode}, {len(task.cards)} cards"
        self._bench.put(transaction, task, Event.TASK_FINISHED, self._by, reason=reason)
        if not (clear or self._may_go(known)):
            return task, ()
        gone = [task, *self._bench.children(self._task, known)]
        for each in gone:
            self._bench.remove(transaction, each, self._by)
        return task, tuple(each.id for each in gone)

    def _settled(self, given: Mapping[str, tuple[Proposal, Answer]]) -> None:
        for proposal, answer in given.values():
            proposals.drop(self._store, proposal.id)
            if answer.status == "declined":
                answering.decline(self._store, proposal)


def _evidence(proposal: Proposal) -> str:
    return str((proposal.payload or {}).get("evidence", ""))
