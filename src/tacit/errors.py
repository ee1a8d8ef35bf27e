"""Every exception that Tacit raises on purpose, with its stable code, exit code and hint.

TacitError
├── InputRefused                 exit 3   what was handed in cannot be taken; the bank is unchanged
│   ├── NoteSyntaxError   note.syntax        NoteConflicted    note.conflicted    NoteTooLarge      note.too_large
│   ├── NoteNotUtf8       note.not_utf8      NoteEmpty         note.empty         NotARegularFile   note.not_regular
│   ├── SymlinkRefused    path.symlink       FieldRefused      field.refused      IdRefused         id.refused
│   ├── DuplicateId       id.duplicate       PathRefused       path.refused       PathTaken         path.taken
│   ├── PointerRefused    pointer.refused    SettingRefused    setting.refused    PayloadRefused    payload.refused
│   ├── GuardRefused      guard.refused      AnswerRefused     answer.refused     TaskRefused       task.refused
│   ├── EditorFailed      editor.failed      ForeignRefused    foreign.refused    MarkersBroken     entry.markers
│   ├── HostConfigBroken  host.config        HostEntryTaken    host.taken         DetailIncomplete  detail.incomplete
│   └── ShareRefused      share.refused      SettingsBroken    setting.broken
├── NotFound, exit 4: BankNotFound  bank.not_found  NoteNotFound  note.not_found   PointerDangling   pointer.dangling
│   ├── PointerStale      pointer.stale      TaskNotFound      task.not_found     OperationNotFound operation.not_found
│   └── ProposalNotFound  proposal.not_found TrashPartGone     trash.gone
├── exit 5   ChangedMeanwhile store.changed    ConflictKept    store.conflict     UndoBlocked       undo.blocked
│            ProposalVoid     proposal.void    exit 6  BankBusy  store.busy
├── exit 7   StoreUnwritable  store.io         OutputLost  output.lost            PortTaken         ui.port
├── exit 8   StateRefused     state.refused    RoleRefused     role.refused       exit 12  Declined gate.declined
├── exit 9   TerminalNeeded   gate.no_terminal AnswerNeeded    gate.proposed      AssuranceTooLow   gate.assurance
├── exit 10  FormatTooNew     bank.format_too_new    exit 11  CommittedCompleting  store.committed_completing
└── exit 13  ModelUnusable    model.unusable   ExtraMissing    extra.missing      DatabaseUnusable  database.unusable

A code never changes its meaning; the wording may. Exit 1: `check` or `doctor` found something; 2: a wrong command line.
"""

from __future__ import annotations

from typing import ClassVar


class TacitError(Exception):
    """The root of all errors: a sentence made of `template` and the named details, a code and a hint."""

    code: ClassVar[str] = "tacit.error"
    exit_code: ClassVar[int] = 3
    template: ClassVar[str] = "{reason}"
    hint: ClassVar[str] = ""

    def __init__(self, **details: object) -> None:
        self.details = details
        self.message, self.next_step = self.template.format(**details), self.hint.format(**details)  # in English
        super().__init__(self.message)


class InputRefused(TacitError):
    """What was handed in cannot be taken; nothing was changed."""


class NoteSyntaxError(InputRefused):
    """A file is no valid note."""

    code = "note.syntax"
    template = "{file}:{line}: {reason}."
    hint = "Open the file and mend that line; NOTE-FORMAT.md shows the format."


class NoteConflicted(InputRefused):
    """A file holds the markers of an unfinished git merge."""

    code = "note.conflicted"
    template = "{file}:{line}: the file holds git conflict markers and is kept out of use."
    hint = "Resolve the conflict in the file, then run `tacit check`."


class NoteTooLarge(InputRefused):
    """A note is over the size limit."""

    code = "note.too_large"
    template = "{file}: the note has {size} bytes, more than the {limit} allowed."
    hint = "Split it, or move long text to details/ and point to it."


class NoteNotUtf8(InputRefused):
    """A note is not UTF-8 text."""

    code = "note.not_utf8"
    template = "{file}:{line}: the file is not valid UTF-8 (byte {offset})."
    hint = "Save the file as UTF-8."


class NoteEmpty(InputRefused):
    """A note file is empty or filled with NUL bytes: an editor is in the middle of saving, or a disk lost it."""

    code = "note.empty"
    template = "{file}: the file is empty or holds NUL bytes."
    hint = "If an editor is saving it, try again; otherwise bring it back with `git checkout` or `tacit restore`."


class NotARegularFile(InputRefused):
    """A fifo, device, socket or directory stands where a file should be."""

    code = "note.not_regular"
    template = "{file}: this is a {what}, not a regular file; it is not read."
    hint = "Remove it from the bank or replace it by a plain file."


class SymlinkRefused(InputRefused):
    """A symbolic link stands inside the bank."""

    code = "path.symlink"
    template = "{file}: symbolic links inside a bank are not followed."
    hint = "Replace the link by a copy of the file."


class FieldRefused(InputRefused):
    """A field of a note has a value that is not allowed."""

    code = "field.refused"
    template = "{field}: {reason}."
    hint = "Give another value; NOTE-FORMAT.md says what a note can hold."


class IdRefused(InputRefused):
    """An id is not of the allowed shape."""

    code = "id.refused"
    template = "{id!r} is no note id: MEM- and up to 60 letters, digits, - or _ are allowed."
    hint = "Use an id as `tacit list` shows it."


class DuplicateId(InputRefused):
    """Two files claim the same id."""

    code = "id.duplicate"
    template = "{id}: {files} claim the same id; {winner} is used and none is changed."
    hint = "Give one of the files another id, or remove it, then run `tacit check`."


class PathRefused(InputRefused):
    """A path leaves the bank or is not of a kind that the bank holds."""

    code = "path.refused"
    template = "{path!r} is not a path inside the bank, or has a name that not every file system can hold."
    hint = "Name a file inside the bank, relative to its directory, or rename it."


class PathTaken(InputRefused):
    """A file of the user's stands where a bank needs a file of its own."""

    code = "path.taken"
    template = "{file} already exists and was not made by Tacit, which would have to write there; nothing was changed."
    hint = "Rename your file, then run the command again."


class PointerRefused(InputRefused):
    """A text is no mem:// pointer."""

    code = "pointer.refused"
    template = "{pointer!r} is no pointer: {reason}."
    hint = "Write mem://<layer>/<id> or mem://<layer>/<id>#<section>."


class SettingRefused(InputRefused):
    """A setting is unknown or has a value that is not allowed."""

    code = "setting.refused"
    template = "{place}: {reason}."
    hint = "`tacit config` lists the settings and their values."


class SettingsBroken(SettingRefused):
    """The file of the settings cannot be read at all."""

    code = "setting.broken"
    hint = "Mend the file in your editor, or bring it back with `git checkout`."


class PayloadRefused(InputRefused):
    """A payload lacks a field or has one that is not legal."""

    code = "payload.refused"
    template = "{field}: {reason}."
    hint = "Mend the payload: {fix}."


class GuardRefused(InputRefused):
    """A text holds something that must not be kept; the value itself is never named."""

    code = "guard.refused"
    template = "{place}: this looks like {kind}, which a memory must not keep; nothing was written."
    hint = "Take it out of the text, or replace it by the name of the place where it is kept."


class AnswerRefused(InputRefused):
    """An answer names no option of the question."""

    code = "answer.refused"
    template = "{option!r} is no answer to {proposal}: {options} are."
    hint = "Answer with one of these words: {options}."


class TaskRefused(InputRefused):
    """A task is not where it can take this."""

    code = "task.refused"
    template = "{task}: {reason}."
    hint = "{fix}."


class EditorFailed(InputRefused):
    """The person's editor could not be started or said that it failed."""

    code = "editor.failed"
    template = "The editor {editor!r} did not finish: {reason}."
    hint = "Set EDITOR to the editor you use, and run the command again."


class ForeignRefused(InputRefused):
    """A foreign memory cannot be read, written or mounted as asked."""

    code = "foreign.refused"
    template = "{path}: {reason}."
    hint = "{fix}"


class MarkersBroken(InputRefused):
    """The markers of a document's blocks do not pair up."""

    code = "entry.markers"
    template = "{file}:{line}: {reason}; nothing was changed."
    hint = "Mend the marker in your editor, or run `tacit refresh --repair`, which keeps all text as yours."


class HostConfigBroken(InputRefused):
    """A host's configuration cannot be read, so nothing can be put into it."""

    code = "host.config"
    template = "{file}:{line}: {reason}; nothing was changed."
    hint = "Mend the file, so that its host can read it too, and run the command again."


class HostEntryTaken(InputRefused):
    """Something that Tacit did not put there stands where an installation needs to write."""

    code = "host.taken"
    template = "{file} already has `{name}`, which Tacit did not put there; nothing was changed."
    hint = "Rename or remove yours, then run the command again."


class DetailIncomplete(InputRefused):
    """A decision, learning, requirement or design lacks a part that it needs."""

    code = "detail.incomplete"
    template = "A {kind} needs {missing}; nothing was written."
    hint = "Give what is missing: {options}."


class ShareRefused(InputRefused):
    """Team notes cannot be mounted, pulled or given to."""

    code = "share.refused"
    template = "{reason}; nothing was changed."
    hint = "{fix}."


class NotFound(TacitError):
    """Something that was named does not exist."""

    exit_code = 4


class BankNotFound(NotFound):
    """No bank at or above the place that was named."""

    code = "bank.not_found"
    template = "There is no bank at {place}."
    hint = "Run `tacit init` in your project, or name one with --bank or TACIT_BANK."


class NoteNotFound(NotFound):
    """No note has that id or path."""

    code = "note.not_found"
    template = "There is no note {id}{nearest}."
    hint = "`tacit list` shows the notes, `tacit trash list` removed ones; `tacit read` answers from other documents."


class PointerDangling(NotFound):
    """A pointer leads nowhere."""

    code = "pointer.dangling"
    template = "{pointer} leads nowhere{nearest}."
    hint = "Mend the pointer, or bring the note back with `tacit restore`."


class PointerStale(NotFound):
    """A pointer into the project leads to something that is no longer there."""

    code = "pointer.stale"
    template = "{target}: {reason}{nearest}."
    hint = "Look where it went and mend the pointer with `tacit edit {id}`."


class TaskNotFound(NotFound):
    """No task has that id, or none is running."""

    code = "task.not_found"
    template = "There is no task {task}{nearest}."
    hint = "`tacit task list` shows the tasks; `tacit task start` begins one."


class OperationNotFound(NotFound):
    """No operation has that id, or there is none to undo."""

    code = "operation.not_found"
    template = "There is no operation {left}{id} to undo."
    hint = "`tacit log` shows the operations."


class ProposalNotFound(NotFound):
    """No proposal of that id waits: it never did, was answered, or has expired."""

    code = "proposal.not_found"
    template = "No proposal {id} is waiting for an answer{why}."
    hint = "`tacit review --list` shows those that are."


class TrashPartGone(NotFound):
    """The trash no longer holds what an undo or restore needs."""

    code = "trash.gone"
    template = "The trash no longer holds what {what} needs: {reason}."
    hint = "If the bank is in git, the file can still be found there: `git log -- {file}`."


class ChangedMeanwhile(TacitError):
    """A file changed between reading and committing; nothing was overwritten."""

    code = "store.changed"
    exit_code = 5
    template = "{file} was changed by somebody else meanwhile; nothing was written{kept}."
    hint = "Look at the file and run the command again."


class ConflictKept(TacitError):
    """Somebody saved a file at the very moment of a commit; theirs stands, ours is kept aside."""

    code = "store.conflict"
    exit_code = 5
    template = "{file}: somebody else saved at the same moment; theirs is in place, yours is kept: {kept}."
    hint = "Compare the two and run the command again if yours is the right one."


class UndoBlocked(TacitError):
    """An operation cannot be undone as things are."""

    code = "undo.blocked"
    exit_code = 5
    template = "{id} cannot be undone: {reason}."
    hint = "Undo later operations first (`tacit log` shows them); what was edited past Tacit is yours to take back."


class ProposalVoid(TacitError):
    """What was approved is not what is proposed, or not what stands in the bank any more."""

    code = "proposal.void"
    exit_code = 5
    template = "{id} cannot be carried out: {reason}. Nothing was changed."
    hint = "Look at it again with `tacit review`; where it is not among the questions, `tacit check` says what to do."


class BankBusy(TacitError):
    """Another process holds the writer lock for too long."""

    code = "store.busy"
    exit_code = 6
    template = "Another process is writing to this bank ({holder}); gave up after {waited_s:g} s."
    hint = "Wait for it, or end that process; its lock goes with it."


class StoreUnwritable(TacitError):
    """The disk refused; nothing was changed."""

    code = "store.io"
    exit_code = 7
    template = "{file}: {reason}; nothing was changed."
    hint = "Mend the disk, its space or the permissions, and run the command again."


class OutputLost(TacitError):
    """What a command had to say could not be printed; what it did is done."""

    code = "output.lost"
    exit_code = 7
    template = "The output could not be written: {reason}; what the command did is done."
    hint = "`tacit log` shows what was done."


class StateRefused(TacitError):
    """The bank's state does not allow this."""

    code = "state.refused"
    exit_code = 8
    template = "[memory: {state}] {act} is not possible while the bank is {state}{why}."
    hint = "`tacit state on` turns it on."


class RoleRefused(TacitError):
    """What was called is above the role of the caller."""

    code = "role.refused"
    exit_code = 8
    template = "[memory: {state}] {act} needs the role {needed}; this caller is {role}. Nothing was changed."
    hint = "Propose it instead, or let the user start this as {needed} (TACIT_ROLE, `tacit mcp --role`)."


class TerminalNeeded(TacitError):
    """A question for a person, and no terminal to ask it on."""

    code = "gate.no_terminal"
    exit_code = 9
    template = "{act} needs your answer on a terminal, and there is none; nothing was changed."
    hint = "Run the command yourself in a terminal. No option replaces the answer."


class AnswerNeeded(TacitError):
    """A question for a person, kept as a proposal until it is answered."""

    code = "gate.proposed"
    exit_code = 9
    template = "{act} needs your answer, and no terminal is there to ask; it waits as {proposal}, nothing was changed."
    hint = "Run `tacit review` in a terminal. No option replaces the answer."


class AssuranceTooLow(TacitError):
    """An answer came through a channel that is not sure enough for what it would do."""

    code = "gate.assurance"
    exit_code = 9
    template = "{act} needs an answer by {needed} or surer; this one came by {given}. Nothing was changed."
    hint = "Run `tacit review` in a terminal and answer there."


class ModelUnusable(TacitError):
    """A model cannot be loaded or asked; keywords answer alone."""

    code = "model.unusable"
    exit_code = 13
    template = "The model {name} cannot be used: {reason}."
    hint = "`tacit model list` shows the models; recall goes on with keywords alone."


class FormatTooNew(TacitError):
    """The bank was written by a newer Tacit."""

    code = "bank.format_too_new"
    exit_code = 10
    template = "{place} has format {found}; this Tacit knows formats up to {known}. Nothing was changed."
    hint = "Upgrade Tacit."


class CommittedCompleting(TacitError):
    """The change is committed and safe; putting the files in place was interrupted and goes on at the next command."""

    code = "store.committed_completing"
    exit_code = 11
    template = "Committed, completing: operation {id} is safe on disk; {reason} interrupted putting it in place."
    hint = "Mend the cause; the next `tacit` command completes it by itself."


class Declined(TacitError):
    """The person said no."""

    code = "gate.declined"
    exit_code = 12
    template = "{act}: left as it was."


class ExtraMissing(TacitError):
    """A part of Tacit needs libraries that are not installed."""

    code = "extra.missing"
    exit_code = 13
    template = "{act} needs the extra `{extra}`, which is not installed."
    hint = "Install it: {how}"


class DatabaseUnusable(TacitError):
    """The database that the index is kept in does not answer, or cannot be used."""

    code = "database.unusable"
    exit_code = 13
    template = "The database cannot be used: {reason}."
    hint = "See that TACIT_POSTGRES_URL names a PostgreSQL 16 or newer with pgvector; docs/scale.md says how."


class PortTaken(TacitError):
    """A port cannot be served."""

    code = "ui.port"
    exit_code = 7
    template = "Port {port} cannot be served: {reason}."
    hint = "Choose another port; `tacit ui` without `--port` finds a free one."


def unwritable(error: OSError) -> StoreUnwritable:
    """Return the error that says in a sentence what the disk refused."""
    return StoreUnwritable(file=error.filename or "the bank", reason=error.strerror or str(error))
