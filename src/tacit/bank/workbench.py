"""The files of tasks: found, written and removed inside of transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.audit.record import ASSURANCE, Assurance, Event
from tacit.bank import layered
from tacit.bank.addresses import nearest
from tacit.bank.values import By
from tacit.errors import AssuranceTooLow, TacitError, TaskNotFound, TaskRefused
from tacit.note.model import Layer
from tacit.note.pointer import is_task_id
from tacit.tasks import working
from tacit.tasks.working import Task, TaskState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.store.store import Store
    from tacit.store.transaction import Transaction

_FOLDER = Layer.WORKING.folder


class Workbench:
    """The working memories of one bank."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def put(self, transaction: Transaction, task: Task, event: Event, by: By | None, *, reason: str) -> None:
        """Write a task's file in a transaction."""
        transaction.put(file_of(task.id), working.dump(task))
        transaction.record((by or By()).record(event, transaction.operation, file=file_of(task.id), reason=reason))

    def remove(self, transaction: Transaction, task: Task, by: By) -> None:
        """Take a task's file out in a transaction."""
        transaction.remove(file_of(task.id))
        reason = f"episode {task.episode}"
        transaction.record(by.record(Event.TASK_CLEARED, transaction.operation, file=file_of(task.id), reason=reason))

    def may_go(self, task: Task, known: Sequence[Task]) -> bool:
        """Whether the working memory of an ended task may go unasked: none of the tasks it belongs to is running."""
        by_id = {each.id: each for each in known}
        seen = set()
        while task.id not in seen:
            seen.add(task.id)
            if task.state is not TaskState.FINISHED:
                return False
            if task.parent not in by_id:
                return True
            task = by_id[task.parent]
        return True

    def children(self, task: Task, known: Sequence[Task]) -> tuple[Task, ...]:
        """Return the tasks below a task, at any depth."""
        found: tuple[Task, ...] = ()
        ahead = [task.id]
        while ahead:
            below = tuple(each for each in known if each.parent == ahead[0] and each not in (*found, task))
            found += below
            ahead = [*ahead[1:], *(each.id for each in below)]
        return found

    def open(self, task: str) -> Task:
        """Return a task that has not ended."""
        found = self.find(task) if task else self.current(self.all())
        if found.state is TaskState.FINISHED:
            raise TaskRefused(task=found.id, reason="it has ended", fix="Start another one with `tacit task start`")
        return found

    def find(self, task: str) -> Task:
        """Return the task of that id; raise TaskNotFound or TaskRefused."""
        content = self.store.read(file_of(task)) if is_task_id(task) else None
        if content is None:
            raise TaskNotFound(task=task, nearest=nearest(task, [each.id for each in self.all()]))
        return working.load(content, task)

    def current(self, known: Sequence[Task]) -> Task:
        """Return the innermost task that has not ended, if there is no doubt which one that is.

        Of several, the one that is running: those that wait for answers can wait.
        """
        there = [each for each in known if each.state is not TaskState.FINISHED]
        inner = [each for each in there if not any(other.parent == each.id for other in there)]
        if not inner:
            raise TaskNotFound(task="that is running", nearest="")
        chosen = [each for each in inner if each.state is TaskState.RUNNING] or inner
        if len(chosen) > 1:
            names = ", ".join(each.id for each in chosen)
            reason = f"several tasks are {chosen[0].state}"
            raise TaskRefused(task=names, reason=reason, fix="Name the one that you mean; `tacit task list` shows them")
        return chosen[0]

    def all(self) -> tuple[Task, ...]:
        """Return the tasks as their files say them now; damaged ones are left out."""
        return self._look()[0]

    def damaged(self) -> tuple[str, ...]:
        """Return the files of tasks that cannot be read, relative to the bank."""
        return self._look()[1]

    def _look(self) -> tuple[tuple[Task, ...], tuple[str, ...]]:
        found: list[Task] = []
        damaged: list[str] = []
        for path in layered.working_files(self.store):
            file = f"{_FOLDER}/{path.name}"
            try:
                content = self.store.read(file)
                if content is not None:
                    found.append(working.load(content, path.stem))
            except TacitError:
                damaged.append(file)
        return tuple(sorted(found, key=lambda each: (each.started, each.id))), tuple(damaged)


def file_of(task_id: str) -> str:
    """Return where a task's working memory is kept, relative to the bank."""
    return f"{_FOLDER}/{task_id}.json"


def insist_on_asking(by: By) -> None:
    """Raise AssuranceTooLow unless the user was asked: a subtask of a running task is not cleared unasked."""
    given = ASSURANCE[by.channel]
    if given.rank < Assurance.ELICITATION.rank:
        raise AssuranceTooLow(act="task clear", needed=str(Assurance.ELICITATION), given=str(given))
