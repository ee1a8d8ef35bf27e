"""A bank: open it, read it, change it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio, settings
from tacit.audit.record import Channel
from tacit.bank import addresses, guarding, history, reversal, roles, wiring, writing
from tacit.bank import state as states
from tacit.bank.company import Company
from tacit.bank.keeping import Keeping
from tacit.bank.reviewing import Reviewing
from tacit.bank.state import State
from tacit.bank.talks import Talks
from tacit.bank.values import By, Committed, Context
from tacit.errors import AssuranceTooLow, RoleRefused, StateRefused, StoreUnwritable, TacitError
from tacit.formats import core_document, native
from tacit.note.model import Layer, Note, Status, Summary
from tacit.project import git
from tacit.store.layout import FORMAT_VERSION, SETTINGS, STATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tacit.bank.entry_document import Entry
    from tacit.bank.governing import Governor
    from tacit.bank.purging import Traces
    from tacit.bank.recalling import Hit, IndexStatus, Recall, Recaller
    from tacit.bank.tasks import Tasks
    from tacit.bank.values import Answer, Check, LogEntry, Outcome, Pending, Problem, TrashItem
    from tacit.bank.writing import FieldValue
    from tacit.guards import Finding
    from tacit.settings import Settings
    from tacit.store.store import Store
    from tacit.store.trash import Kept
    from tacit.tasks.working import Loaded


class Bank(Talks, Company, Keeping, Reviewing):
    """One memory bank. Make one with `Bank.open` or `Bank.init`.

    Nothing is kept between calls but a cache: each call sees what the files say then, whoever changed them.
    """

    def __init__(self, store: Store, found: Settings, role: roles.Role = roles.Role.ORCHESTRATOR) -> None:
        self._store = store
        self.role = role
        self.settings = found
        self.root = store.layout.root
        self._recaller: Recaller | None = None
        self._governor: Governor | None = None
        self.created: list[str] = []
        self.kept_aside: list[str] = []

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str] | None = None,
        *,
        settle: bool = True,
        heal: bool = True,
        one_question: bool = False,
        role: str | None = None,
        clock: Callable[[], str] | None = None,
        new_id: Callable[[], str] | None = None,
    ) -> Bank:
        """Open the bank at `path` (its directory, or a project that holds one), else TACIT_BANK, else going up.

        Completes what a crash left (`settle`) and mends a stale INDEX.md if the bank's state allows it (`heal`).
        With `one_question` the first answer may come from what opening has read a moment ago.
        `role` (reader, memory or orchestrator) says what this caller may do; TACIT_ROLE can lower it, not raise it.
        Raises BankNotFound, FormatTooNew or SettingRefused; a broken note stops nothing.
        """
        named = path or os.environ.get("TACIT_BANK")
        root = wiring.at(Path(named)) if named else wiring.find(Path.cwd())
        found = wiring.read_settings(root)
        bank = cls(wiring.make_store(root, found, clock=clock, new_id=new_id), found, roles.chosen(role))
        bank.kept_aside = bank._store.settle() if settle else []
        if heal and bank.state is State.ON and bank.role.allows("heal"):
            bank._upgrade()
            if not git.is_busy(root) and not bank.heal() and one_question:
                bank._store.carry()
        return bank

    @classmethod
    def near(cls, place: str | os.PathLike[str]) -> Bank:
        """Open the nearest bank going up from a directory; raise BankNotFound if there is none."""
        return cls.open(wiring.find(Path(place)))

    @classmethod
    def init(
        cls,
        path: str | os.PathLike[str],
        *,
        by: By | None = None,
        clock: Callable[[], str] | None = None,
        new_id: Callable[[], str] | None = None,
    ) -> Bank:
        """Make a bank at `path`, or in `.memory` there if `path` is the root of a git project; twice is once.

        No file that exists is overwritten. `created` of the bank lists what was made.
        """
        from tacit.bank import skeleton

        role = roles.chosen(None)
        root = wiring.home_for(Path(path).absolute())
        if not role.allows("init"):
            if (root / SETTINGS).exists():
                cls.open(root).must_be_writable("init")  # says so in the log
            raise RoleRefused(state=State.PAUSED, act="init", needed=roles.least("init"), role=role)
        try:
            fsio.make_directory(root)
            any(root.iterdir())  # raises if a file stands there, or a link that leads nowhere
        except OSError as error:
            raise StoreUnwritable(file=str(root), reason=error.strerror or str(error)) from error
        text = settings.TEMPLATE.format(format=FORMAT_VERSION)
        found = wiring.read_settings(root) if (root / SETTINGS).exists() else settings.parse(text)
        store = wiring.make_store(root.resolve(), found, clock=clock, new_id=new_id)
        bank = cls(store, found, role)
        bank.created = skeleton.make(store, by or By())
        skeleton.hide_state(bank.root)
        return bank

    # Reading

    @property
    def state(self) -> State:
        """The bank's state; PAUSED where `memory.lock` is missing or unreadable, OFF where the bank itself is gone."""
        return State.OFF if self._store.is_gone else self._stated() or State.PAUSED

    @property
    def has_state(self) -> bool:
        """Whether `memory.lock` says something; a fresh clone has none and the user must be asked."""
        return self._stated() is not None

    def notes(self) -> list[Summary]:
        """Return the summaries of all valid notes of L0 to L2, by id."""
        self._may_read("reading notes")
        return self._store.look().summaries()

    def left_out(self) -> list[TacitError]:
        """Return what keeps files out of use: broken and conflicted notes, and ids that two files claim."""
        self._may_read("reading notes")
        now = self._store.look()
        return [*now.broken.values(), *now.duplicates()]

    def get(self, note_id: str) -> Note:
        """Return one note, whole; `note_id` may also be its path inside the bank."""
        file, content = self._find(note_id)
        if file.startswith(Layer.CORE.folder):
            return core_document.parse(content, file)
        return native.parse(content, file).note

    def text(self, note_id: str) -> str:
        """Return the file of one note as text."""
        return self._find(note_id)[1].decode("utf-8", "replace")

    def body(self, note_id: str) -> str:
        """Return what stands below the front matter of one note."""
        file, content = self._find(note_id)
        if file.startswith(Layer.CORE.folder):
            return content.decode("utf-8", "replace")
        return native.parse(content, file).body

    def locate(self, note_id: str) -> str:
        """Return the path, inside the bank, of the note with that id or path; raise NoteNotFound or DuplicateId."""
        self._may_read("reading notes")
        return addresses.locate(self._store, note_id)

    def core(self) -> list[Loaded]:
        """Return the core documents, whole, in the order of their names: what is always loaded."""
        self._may_read("loading the core")
        from tacit.bank import layered

        return layered.core(self._store)

    def log(self, note_id: str = "", *, diffs: bool = False) -> list[LogEntry]:
        """Return the operations, oldest first; with an id those of one note, with `diffs` what each changed."""
        self._store.must_be_there()
        if diffs:
            self._may_read("reading notes")
        return history.entries(self._store, note_id, diffs=diffs)

    def trash(self) -> list[TrashItem]:
        """Return the removed notes that can be brought back, newest first."""
        self._may_read("reading the trash")
        return reversal.items(self._store)

    def check(self, *, staged: bool = False) -> tuple[int, list[Problem]]:
        """Return how many valid notes there are and all that is wrong, reading every file anew and writing nothing.

        With `staged` the notes as they stand in git's index are checked instead of the files.
        """
        from tacit.bank import check

        return check.staged(self._store) if staged else check.files(self._store, self.settings)

    def doctor(self) -> list[Check]:
        """Look at every promise and say which hold, without writing anything."""
        from tacit.bank import doctor

        return doctor.examine(self._store, self.settings, self.recaller)

    @property
    def recaller(self) -> Recaller:
        """Search and recall over this bank; opened when first asked, with the models of this machine."""
        if self._recaller is None:
            from tacit.bank.recalling import Recaller

            self._recaller = self.in_company(Recaller(self._store))
        return self._recaller

    def warm(self) -> str:
        """Load the models of this machine, so that recall and governance use them; return the mode in use."""
        return self.recaller.warm()

    def reindex(self, *, progress: Callable[[int, int], None] | None = None) -> None:
        """Bring the whole index up to the files, with the vectors of every model at hand; may take long."""
        self._may_read("index rebuild")
        self.recaller.reindexer.complete(progress)

    def rebuild_index(self, *, progress: Callable[[int, int], None] | None = None) -> None:
        """Delete the index and make it anew; raise StoreUnwritable where there can be none on the disk."""
        self._may_read("index rebuild")
        self.recaller.reindexer.rebuild(progress)

    def index_status(self) -> IndexStatus:
        """Return what the index holds, which models answer, and what is wrong with them or with it."""
        self._may_read("index status")
        return self.recaller.status()

    def search(self, query: str, limit: int = 10, *, archived: bool = False) -> list[Hit]:
        """Return the notes and sections that fit a query best, best first, with both paths' scores."""
        self._may_read("search")
        return self.recaller.search(query, limit, archived=archived)

    def recall(
        self,
        prompt: str,
        phase: str = "pre",
        session: str | None = None,
        *,
        turns: Sequence[str] = (),
        explain: bool = False,
    ) -> Recall:
        """Return the nought to two notes worth saying for a prompt, or silence; `turns` are the last ones before it."""
        self._store.must_be_there()
        if not self.state.may_recall:
            from tacit.bank.recalling import Recall

            return Recall(abstained=True, reason=f"the bank is {self.state}", notes=(), injection="")
        return self.recaller.recall(prompt, phase, session or "", turns, explain=explain)

    # Governed writes

    def propose(
        self, payloads: Sequence[object], context: Context | None = None, *, dry_run: bool = False
    ) -> list[Outcome]:
        """Take payloads as an agent sends them; return what became of each. Nothing a payload says is consent.

        A new note is written only where the user's own words, seen in this conversation, leave no doubt; everything
        else waits as a proposal for `answer`, or is told apart as a duplicate, not worth keeping, or refused.
        """
        self._may_write("propose")
        return self.governed(payloads, context or Context(), by_hand=False, dry_run=dry_run)

    def remember(
        self, what: str | Mapping[str, object], context: Context | None = None, *, dry_run: bool = False
    ) -> Outcome:
        """Take what the user asks to be remembered, as text or payload: a new note is written, the rest is asked."""
        self._may_write("remember")
        from tacit.capture import remark

        given = remark.payload(what) if isinstance(what, str) else {"source": "remember", **what}
        return self.governed([given], context or Context(), by_hand=True, dry_run=dry_run)[0]

    def answer(
        self, proposal_id: str, option_id: str, channel: Channel | str = Channel.PYTHON, *, shown: str = ""
    ) -> Answer:
        """Carry out the user's answer to a proposal; `channel` is the door through which their word came.

        Only doors that hear the user past the model may name a channel that counts; `shown` is the digest of what
        the user was shown, if the door has it.
        """
        self._may_write("answer")
        from tacit.bank import answering

        self.settings = wiring.read_settings(self.root)  # whoever made the gate stricter meanwhile is heard
        try:
            by = By(Channel(channel))
        except ValueError:
            error = AssuranceTooLow(act="answer", needed="elicitation", given=repr(channel)[:80])
            answering.audit_refusal(self._store, proposal_id, error.code, By(Channel.NONE))
            raise error from None
        elsewhere = self.answered_elsewhere(proposal_id, option_id, channel, shown=shown)
        return elsewhere or answering.answer(self.governor, proposal_id, option_id, by, shown=shown)

    def pending(self) -> list[Pending]:
        """Return the proposals that wait for an answer, newest first."""
        self._may_read("reading proposals")
        return self.waiting()

    def propose_act(self, operation: str, note_id: str, *, by: By | None = None) -> str:
        """Keep a delete, archive, undo or restore over a note as a proposal, because nobody could be asked.

        `note_id` names the note, for undo the operation. Returns the id of the proposal.
        """
        self._may_write(operation, role_for="propose")
        from tacit.bank import acts

        return acts.propose(self._store, self.governor, operation, note_id, by or By()).id

    @property
    def governor(self) -> Governor:
        """The pipeline that payloads pass."""
        if self._governor is None:
            from tacit.bank import judging
            from tacit.bank.governing import Governor

            self._governor = Governor(self._store, self.recaller, self.settings, judging.configured())
            self._governor.commits = self.role.allows("commit")
        self._governor.policy = self.settings
        return self._governor

    @property
    def entry(self) -> Entry:
        """The entry document and the details: refresh, focus, details, reading with evidence, drift, session start."""
        from tacit.bank.entry_document import Entry

        return Entry(self, self._store)

    @property
    def tasks(self) -> Tasks:
        """The tasks of this bank: start, note, show, list, resume, finish and clear them."""
        from tacit.bank.tasks import Tasks

        return Tasks(self, self._store)

    def lowered(self, role: str) -> Bank:
        """Return this bank for a caller that may do no more than `role`, and never more than this one."""
        lower = Bank(self._store, self.settings, roles.lower(self.role, roles.named(role, "role")))
        lower._recaller = self._recaller
        return lower

    # Changing

    def heal(self) -> bool:
        """Bring a stale INDEX.md in line with the notes, audited; return whether it was. Never waits for a writer.

        Nothing is done unless the bank is ON and the caller's role may.
        """
        return self.state is State.ON and self.role.allows("heal") and writing.heal(self._store)

    def doubts(self, what: Note | Mapping[str, str]) -> tuple[Finding, ...]:
        """Return what a person should be asked about before a note or some named texts are written.

        Raises GuardRefused for what must not be written at all, as every call that writes does.
        """
        return guarding.insist(guarding.texts_of(what) if isinstance(what, Note) else what)

    def add(self, notes: Sequence[Note], *, by: By | None = None) -> Committed:
        """Write new notes in one transaction: nothing is compared or asked. An empty id or time is filled in."""
        self._may_write("add")
        return writing.add(self._store, notes, by or By())

    def rewrite(self, note_id: str, content: bytes, *, base: str, by: By | None = None) -> Committed:
        """Save a whole new text of a note that was read when its digest was `base`; ChangedMeanwhile if it is not."""
        self._may_write("edit")
        return writing.rewrite(self._store, self.locate(note_id), content, base, by or By())

    def set_fields(self, note_id: str, operation: str, *, by: By | None = None, **fields: FieldValue) -> Committed:
        """Set fields of a note's front matter and leave everything else in its file as it is."""
        self._may_write(operation)
        return writing.set_fields(self._store, self.locate(note_id), operation, fields, by or By())

    def archive(self, note_id: str, *, by: By | None = None) -> Committed:
        """Take a note out of recall; it stays where it is."""
        return self.set_fields(note_id, "archive", by=by, status=Status.ARCHIVE)

    def tag(self, note_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = (), by: By | None = None) -> Note:
        """Add and remove tags of a note; return the note as it is then."""
        self._may_write("tag")
        writing.tag(self._store, self.locate(note_id), add, remove, by or By())
        return self.get(note_id)

    def move(self, note_id: str, layer: Layer, *, by: By | None = None) -> Committed:
        """Move a note to another layer; its id stays."""
        self._may_write("move")
        return writing.move(self._store, self.locate(note_id), layer, by or By())

    def delete(self, note_id: str, *, by: By | None = None) -> Committed:
        """Move a note to the trash."""
        self._may_write("delete")
        return writing.delete(self._store, self.locate(note_id), by or By())

    def restore(self, what: str, *, over: bool = False, by: By | None = None) -> Committed:
        """Bring back a removed note by its id, its path or the operation that removed it."""
        self._may_write("restore")
        return reversal.restore(self._store, what, by or By(), over=over)

    def undoable(self, operation_id: str = "") -> Kept:
        """Return the operation that `undo` would reverse; raise OperationNotFound or UndoBlocked."""
        self._may_read("undo")
        return reversal.undoable(self._store, operation_id)

    def undo(self, operation_id: str = "", *, by: By | None = None) -> Committed:
        """Reverse an operation, the last one that is in effect by default, as a new operation."""
        self._may_write("undo")
        return reversal.undo(self._store, operation_id, by or By())

    def expired(self, *, days: int | None = None) -> list[Kept]:
        """Return the finished operations that `empty_trash` would destroy."""
        keep_days = self.settings.number("trash.retention_days") if days is None else days
        return reversal.expired(self._store, keep_days)

    def empty_trash(self, *, days: int | None = None, by: By | None = None) -> int:
        """Destroy for good what is older than the retention time; return how many operations that were."""
        self._may_write("trash empty")
        return reversal.empty(self._store, self.expired(days=days), by or By())

    def purge(self, note_id: str, *, by: By | None = None) -> tuple[str, list[str]]:
        """Destroy every trace of a note, past the trash; return its file and the private copies that went with it."""
        self._may_write("purge")
        from tacit.bank import purging

        return purging.purge(self._store, note_id, by or By())

    def traces(self, note_id: str) -> Traces:
        """Return what `purge` would destroy, and what would be left to do in documents and in git."""
        self._may_read("reading notes")
        from tacit.bank import purging

        return purging.traces(self._store, note_id)

    def set_state(self, state: State, *, by: By | None = None) -> Committed:
        """Change the bank's state; allowed in every state."""
        self._may_act("state")
        from tacit.bank import skeleton

        skeleton.hide_state(self.root)
        make, reason = (lambda _: f"{state}\n".encode()), f"state {state}"
        return writing.put_file(self._store, STATE, make, "state", reason=reason, by=by or By())

    def set_setting(self, name: str, value: str, *, by: By | None = None) -> Committed:
        """Change one setting in tacit.toml; comments and order stay."""
        self._may_write("config")
        reason = f"{name} = {value}"

        def change(content: bytes | None) -> bytes:
            return settings.changed((content or b"").decode("utf-8"), name, value).encode()

        done = writing.put_file(self._store, SETTINGS, change, "config", reason=reason, by=by or By())
        self.settings = wiring.read_settings(self.root)
        return done

    def must_be_writable(self, operation: str) -> None:
        """Raise StateRefused or RoleRefused if an operation is forbidden; to be known before a person is asked."""
        self._may_write(operation)

    def _upgrade(self) -> None:
        """Bring the bank to the present format before anything is written to it."""
        if self.settings.format < FORMAT_VERSION:
            from tacit.bank import skeleton

            skeleton.upgrade(self._store, self.settings.format)
            self.settings = wiring.read_settings(self.root)

    def _stated(self) -> State | None:
        try:
            return states.parse(self._store.read(STATE))
        except TacitError:
            return None

    def _may_read(self, act: str) -> None:
        self._store.must_be_there()
        if not self.state.may_read:
            raise StateRefused(state=self.state, act=act, why="")

    def _may_act(self, operation: str) -> None:
        """Raise RoleRefused, and say so in the log, if the caller's role is below what an operation needs."""
        if not self.role.allows(operation):
            roles.audit(self._store, operation, self.role)
            raise RoleRefused(state=self.state, act=operation, needed=roles.least(operation), role=self.role)

    def _may_write(self, operation: str, *, role_for: str = "") -> None:
        self._store.must_be_there()
        if not self.state.may_write(operation):
            why = "" if self.has_state else " (it has no state yet, as in a fresh clone)"
            raise StateRefused(state=self.state, act=operation, why=why)
        self._may_act(role_for or operation)
        self._upgrade()

    def _find(self, note_id: str) -> tuple[str, bytes]:
        self._may_read("reading notes")
        return addresses.find(self._store, note_id)
