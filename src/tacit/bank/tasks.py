"""Tasks of a bank: started from what it knows, written down as they go, finished into notes and an episode."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from tacit import fsio, guards
from tacit.audit.record import Event, Record
from tacit.bank import guarding, layered
from tacit.bank.values import By, Committed
from tacit.bank.workbench import Workbench, file_of, insist_on_asking
from tacit.errors import FieldRefused, TacitError, TaskRefused
from tacit.tasks import working
from tacit.tasks.working import EntryKind, Loaded, Task, TaskState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tacit.bank.part import Whole
    from tacit.bank.values import Finished
    from tacit.guards import Finding
    from tacit.store.store import Store


class Tasks:
    """The tasks of one bank. A task that is not named is the innermost one that has not ended.

    Every change is a transaction of its own: once a call returns, its entry survives a kill and a power cut.
    """

    def __init__(self, bank: Whole, store: Store) -> None:
        self._bank = bank
        self._store = store
        self._bench = Workbench(store)

    def start(self, title: str, *, parent: str = "", by: By | None = None) -> Task:
        """Begin a task: its working memory holds the core and every note that fits its title, whole."""
        self._bank.must_be_writable("task start")
        words = working.check_title(title)
        self._guard({"title": words}, by)
        if parent and self.show(parent).state is TaskState.FINISHED:
            raise TaskRefused(task=parent, reason="it has ended", fix="Start a task of its own")
        notes = self._fitting(words)
        with self._store.writing("task start") as transaction:
            task = Task(
                id=f"T-{self._store.new_id()}",
                title=words,
                parent=parent,
                started=transaction.ts,
                updated=transaction.ts,
                core=tuple(layered.core(self._store)),
                notes=notes,
            )
            self._bench.put(transaction, task, Event.TASK_STARTED, by, reason=f"{len(notes)} notes loaded")
            transaction.commit()
        return task

    def note(self, text: str, *, kind: str = EntryKind.FINDING, task: str = "", by: By | None = None) -> Task:
        """Write down a finding, an instruction for this task or a conclusion; it is on disk when this returns."""
        self._bank.must_be_writable("task note")
        kept = working.check_text(text)
        if kind not in list(EntryKind):
            raise FieldRefused(field="kind", reason=f"{kind!r} is not one of {', '.join(EntryKind)}")
        self._guard({"text": kept}, by)
        with self._store.writing("task note") as transaction:
            found = self._bench.open(task)
            changed = found.with_entry(EntryKind(kind), kept, transaction.ts)
            self._bench.put(transaction, changed, Event.TASK_NOTED, by, reason=kind)
            transaction.commit()
        return changed

    def show(self, task: str = "") -> Task:
        """Return a task with its working memory."""
        self._bank.may_read("task show")
        return self._bench.find(task) if task else self._bench.current(self._bench.all())

    def list(self) -> tuple[Task, ...]:
        """Return the tasks whose working memory is there, oldest first; `damaged` tells which cannot be read."""
        self._bank.may_read("task list")
        return self._bench.all()

    def damaged(self) -> tuple[str, ...]:
        """Return the files of tasks that cannot be read: whoever has lost one must know."""
        self._bank.may_read("task list")
        return self._bench.damaged()

    def resume(self, task: str = "", *, by: By | None = None) -> Task:
        """Take a task up again, after a crash of the agent too: what it loaded is loaded anew, what it found stays."""
        self._bank.must_be_writable("task resume")
        title = self._bench.open(task).title
        notes = self._fitting(title)
        with self._store.writing("task resume") as transaction:
            found = self._bench.open(task)
            fresh = replace(found, core=tuple(layered.core(self._store)), notes=notes)
            if fresh == found:
                return found
            fresh = replace(fresh, updated=transaction.ts)
            self._bench.put(transaction, fresh, Event.TASK_RESUMED, by, reason="what was loaded has changed")
            transaction.commit()
        return fresh

    def finish(
        self,
        task: str = "",
        *,
        answers: Mapping[str, str] | None = None,
        defer: bool = False,
        clear: bool = False,
        by: By | None = None,
    ) -> Finished:
        """Review a task, propose cards, and once they are answered keep the task as an episode and clear it.

        `answers` (proposal → option) are the user's, through the channel of `by`; the accepted cards, the episode and
        the clearing are one transaction. `defer` ends the task with questions still open, which then wait in the
        review list; `clear` clears the working memory of a subtask at once, which needs the user's word.
        """
        self._bank.must_be_writable("task finish")
        from tacit.bank.finishing import Finishing

        ending = Finishing(self._bench, self._bank.governor, self._bench.open(task), by or By())
        return ending.run(answers or {}, defer=defer, clear=clear)

    def clear(self, task: str = "", *, by: By | None = None) -> Committed:
        """Remove the working memory of a task that has ended; while its parent is running the user must have said so.

        Without a task: of all that have ended and whose parents have.
        """
        self._bank.must_be_writable("task clear")
        by = by or By()
        with self._store.writing("task clear") as transaction:
            known = self._bench.all()
            chosen = [self._bench.find(task)] if task else [each for each in known if self._bench.may_go(each, known)]
            for each in chosen:
                if each.state is not TaskState.FINISHED:
                    raise TaskRefused(task=each.id, reason="it has not ended", fix="Finish it with `tacit task finish`")
                if not self._bench.may_go(each, known):
                    insist_on_asking(by)
                self._bench.remove(transaction, each, by)
            if not chosen:
                return Committed("", ())
            transaction.commit()
        return Committed(transaction.operation_id, tuple(file_of(each.id) for each in chosen))

    def _fitting(self, title: str) -> tuple[Loaded, ...]:
        """Return every note above the recall threshold, whole; no other note's file is read for it."""
        found: dict[str, Loaded] = {}
        for hit, content in self._bank.recaller.whole(title, working.MAX_LOADED):
            text = guards.redact(content.decode("utf-8", "replace"))
            found[hit.id] = Loaded(hit.id, hit.file, fsio.digest(content), text)
        return tuple(found[note_id] for note_id in sorted(found))

    def doubts(self, texts: Mapping[str, str], *, by: By | None = None) -> tuple[Finding, ...]:
        """Return what a person should be asked about before a task keeps these texts: orders to an agent.

        Raises GuardRefused, and says so in the log, for what a task must not keep at all.
        """
        with self._audited(by):
            guarding.refuse(texts)
        return guarding.insist(texts)

    def _guard(self, texts: Mapping[str, str], by: By | None) -> None:
        doubts = self.doubts(texts, by=by)
        with self._audited(by):
            guarding.settle(doubts, (by or By()).channel)

    @contextmanager
    def _audited(self, by: By | None) -> Iterator[None]:
        """Say in the log what a guard refuses."""
        try:
            yield
        except TacitError as error:
            with self._store.writing("task") as transaction:
                transaction.record(
                    Record(
                        event=Event.WRITE_REFUSED,
                        operation="refuse",
                        source="",
                        reason=f"{error.code} {error.details.get('place', '')}"[:200],
                        channel=(by or By()).channel,
                    )
                )
                transaction.commit()
            raise
