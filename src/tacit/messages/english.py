"""The messages in English."""

MESSAGES = {
    "state": "[memory: {state}]",
    "state.missing": (
        "[memory: PAUSED] This bank has no state yet, as in a fresh clone: notes are read, nothing is written."
    ),
    "state.ask": "Turn this bank on, so that Tacit may write to it?",
    "init.made": "Made the bank {bank}.",
    "init.again": "The bank {bank} is already there; {count} missing files were added.",
    "init.hook.ask": "Install a git pre-commit hook that checks the notes before each commit?",
    "init.hook.made": "Installed {file}.",
    "init.models.ask": (
        "Fetch the models that find notes by their meaning, for all your projects ({size} MB)? Without them keywords"
        " answer alone."
    ),
    "init.models.later": "Keywords answer alone until you fetch the models of meaning: tacit model get",
    "init.hook.taken": "{file} exists and was left alone; add this line to it: tacit check --staged",
    "new.made": "Wrote {id}: {file}",
    "edit.same": "Nothing was changed.",
    "edit.kept": "Your text is kept at {file}.",
    "edit.ask": "Save these changes to {id}?",
    "edit.made": "Saved {id}.",
    "delete.ask": "Move {id} “{title}” to the trash?",
    "delete.made": "{id} is in the trash; `tacit restore {id}` brings it back.",
    "archive.ask": "Archive {id} “{title}”, so that it is recalled no more?",
    "archive.made": "{id} is archived.",
    "restore.ask": "{file} exists; replace it by the version from the trash?",
    "restore.made": "{id} is back: {file}",
    "undo.ask": "Undo {id} ({operation}, {ts}), which changed {files}?",
    "undo.made": "Undone: {id}. `tacit undo {by}` brings it back.",
    "trash.ask": (
        "Destroy {operations} finished operations for good? They can then no longer be undone, "
        "and {notes} removed notes are final."
    ),
    "trash.none": "Nothing in the trash is older than {days} days.",
    "trash.made": "Destroyed {operations} finished operations.",
    "purge.ask": "Destroy every trace of {id} for good ({parts} private copies)? This cannot be undone.",
    "purge.made": "{id} is gone from the bank, its trash and its caches.",
    "purge.git": (
        "If it was ever committed, git still has it. Clean the history with\n"
        "  git filter-repo --invert-paths --path {file}\n"
        "tell everybody who has a clone, and change the secret if it was one."
    ),
    "tag.made": "{id} has the tags: {tags}",
    "move.made": "{id} is now in {file}",
    "config.made": "{name} = {value}",
    "check.ok": "{count} notes, no problem found.",
    "check.fixed": "INDEX.md was stale and is healed.",
    "check.found": "{problems} problems in {count} notes.",
    "doctor.ok": "All {count} checks passed.",
    "doctor.bad": "{bad} of {count} checks failed.",
    "list.left_out": "Not in use ({count}): {files}. `tacit check` says why.",
    "search.none": "Nothing was found.",
    "recall.silent": "(silence: {reason})",
    "recall.mode": "Answering by {mode}.",
    "index.documents": "{count} documents are indexed.",
    "model.made": "{name} is ready: {place}",
    "model.gone": "{name} is gone.",
    "empty.notes": "The bank is empty. Write down the few constraints you care most about: tacit new",
    "empty.trash": "The trash is empty.",
    "empty.log": "The log is empty.",
    "heal.conflict": "Two versions met; the other one is kept: {file}",
    "yes_no": "[y/N]",
}
