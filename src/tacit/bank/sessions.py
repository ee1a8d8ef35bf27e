"""What was said in a conversation, typed by the user or told to the agent: kept on this machine for a while."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tacit import fsio
from tacit.bank import wiring
from tacit.errors import TacitError
from tacit.text import as_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tacit.bank.values import By
    from tacit.store.layout import Layout
    from tacit.store.store import Store

_MAX_PROMPTS = 20
_MAX_PROMPT_CHARS = 20_000
_MAX_DECLINED = 200
_TO_THE_TEN_SECONDS = len("2026-11-15T21:00:0")
_TO_THE_HOUR = len("2026-11-15T21")
_ENDING = ".said.json"
_LISTS = ("prompts", "declined", "passed", "fired", "shown", "askers", "state", "suggested")
# Of these only the last thing that was said holds.
_SINGLE = ("state", "suggested")

# Bank → when this process last looked for old records there.
_SWEPT: dict[Path, tuple[str, int]] = {}


class Place(Protocol):
    """The bank, as far as the record of a conversation needs it."""

    @property
    def layout(self) -> Layout:
        """Where everything lives in it."""

    @property
    def clock(self) -> Callable[[], str]:
        """What gives the time."""


class Kept(NamedTuple):
    """What is kept of one conversation, without any of its words; `name` is a digest of the conversation's id."""

    name: str
    seen: str
    prompts: int
    declined: int


class Session:
    """One conversation; nothing of it leaves this machine, and secrets in it are cut out before it is kept."""

    def __init__(self, store: Place, conversation_id: str) -> None:
        self._store = store
        self._path: Path = store.layout.local / "sessions" / _file_of(conversation_id)
        self._nameless = not conversation_id
        # What is not written yet, because more is to come; None as long as every change is written at once.
        self._collected: dict[str, list[str]] | None = None

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Read the record once and write it once, whatever is changed in between; what others add meanwhile stays."""
        before = self._members()
        self._collected = dict(before)
        try:
            yield
        finally:
            after, self._collected = self._collected, None
            if after != before:
                now = self._members()
                for name in _LISTS:
                    added = [each for each in now[name] if each not in before[name]]
                    if added and name not in _SINGLE:
                        after[name] = [*after[name], *added]
                self._write(after)

    def saw_prompt(self, text: str) -> None:
        """Keep a prompt as the user typed it, to check quotes against."""
        if text.strip():
            from tacit import guards  # dear to load

            # Redacted before it is cut: half a secret is no longer known as one. `redact` bounds what it looks at.
            prompts = [*self._members()["prompts"], guards.redact(text)[:_MAX_PROMPT_CHARS]]
            self._keep(prompts=prompts[-_MAX_PROMPTS:])

    def prompts(self) -> tuple[str, ...]:
        """Return the prompts that were seen, the last one last."""
        return tuple(self._members()["prompts"])

    def is_first(self, turn: str, prompt: str) -> bool:
        """Whether this turn was not seen before; without the host's own number for it, by words typed just before."""
        key = turn or fsio.digest(prompt.encode())[:16] + self._store.clock()[:_TO_THE_TEN_SECONDS]
        fired = self._members()["fired"]
        if self._nameless or key not in fired:
            self._keep(fired=[*fired, key][-_MAX_PROMPTS:])
            return True
        return False

    def show(self, proposal_id: str, asker: str = "") -> None:
        """Remember that a question is being shown here, for the next prompt may answer it, and who asked it first."""
        found = self._members()
        askers = dict.fromkeys([*found["askers"], asker] if asker else found["askers"])
        self._keep(shown=[*dict.fromkeys([*found["shown"], proposal_id])], askers=[*askers][-_MAX_PROMPTS:])

    def take_shown(self) -> list[str]:
        """Return the questions that were shown since the last prompt; they are not taken as shown again."""
        shown = self._members()["shown"]
        if shown:
            self._keep(shown=[])
        return shown

    def heard_state(self, state: str) -> bool:
        """Note which state of the bank this conversation knows; return whether it knew another one."""
        known = self._members()["state"]
        if known != [state]:
            self._keep(state=[state])
        return bool(known) and known != [state]

    def is_plain(self, state: str) -> bool:
        """Whether nothing waits here: no question was shown, and the bank's state is the one that was heard."""
        members = self._members()
        return not members["shown"] and members["state"] in ([], [state])

    def suggest(self) -> bool:
        """Whether nothing was suggested in this conversation yet; from now on something was."""
        first = not self._nameless and not self._members()["suggested"]
        self._keep(suggested=["once"])
        return first

    def decline(self, candidate: str) -> None:
        """Remember that the user said no to a candidate."""
        self._keep(declined=[*self._members()["declined"], candidate][-_MAX_DECLINED:])

    def declined(self, candidate: str) -> bool:
        """Whether the user said no to this candidate in this conversation."""
        return candidate in self._all_declined()

    def declined_elsewhere(self, candidate: str) -> bool:
        """Whether the user said no in this conversation to the same choice, in whatever scene."""
        return candidate.partition(".")[2] in {each.partition(".")[2] for each in self._all_declined()}

    def _all_declined(self) -> list[str]:
        """Return what was declined here; a no to a question that another conversation had asked first is kept there."""
        found = self._members()
        others = (_lists(self._path.with_name(_file_of(each))) for each in found["askers"])
        return [each for members in (found, *others) for each in members["declined"]]

    def pass_over(self, proposal_ids: list[str]) -> None:
        """Remember that the user went on without answering questions: they are not asked again here."""
        self._keep(passed=[*self._members()["passed"], *proposal_ids][-_MAX_DECLINED:])

    def passed(self, proposal_id: str) -> bool:
        """Whether the user went on without answering this question in this conversation."""
        return proposal_id in self._members()["passed"]

    def _members(self) -> dict[str, list[str]]:
        if self._collected is not None:
            return self._collected
        return {name: [] for name in _LISTS} if self._nameless else _lists(self._path)

    def _keep(self, **lists: list[str]) -> None:
        if self._collected is None:
            self._write({**self._members(), **lists})
        else:
            self._collected.update(lists)

    def _write(self, members: dict[str, list[str]]) -> None:
        if not self._nameless:  # unwritten, words count as unverified, and what was declined may be asked again
            _write(self._store.layout, self._path, members)


class Injected:
    """Which notes were said to the agent, by the phase they were said in: key of a document → of which content."""

    def __init__(self, layout: Layout, conversation_id: str) -> None:
        self._layout = layout
        self._nameless = not conversation_id
        self._path = layout.local / "sessions" / f"{fsio.digest(conversation_id.encode())[:32]}.json"

    def shown(self, phase: str) -> dict[str, str]:
        """Return what was said; nothing is known of a conversation without a name."""
        shown = None if self._nameless else _read(self._path).get(phase)
        return shown if isinstance(shown, dict) else {}

    def remember(self, phase: str, digests: dict[str, str]) -> None:
        """Add what has just been said."""
        if digests and not self._nameless:  # unwritten, notes may be said again
            _write(self._layout, self._path, {**_read(self._path), phase: {**self.shown(phase), **digests}})

    def forget(self) -> None:
        """Let notes be said again, because the conversation was compacted."""
        fsio.remove(self._path)


def _file_of(conversation_id: str) -> str:
    return fsio.digest(as_name(conversation_id).encode())[:32] + _ENDING


def _lists(path: Path) -> dict[str, list[str]]:
    members = _read(path)
    found = {}
    for name in _LISTS:
        given = members.get(name)
        found[name] = [each for each in given if isinstance(each, str)] if isinstance(given, list) else []
    return found


def _read(path: Path) -> dict[str, Any]:
    """Return what a file holds; nothing if it is spoilt: then words count as unverified, and notes are said again."""
    try:
        members = json.loads(fsio.read(path) or b"{}")
    except (ValueError, RecursionError, TacitError, OSError):
        return {}
    return members if isinstance(members, dict) else {}


def _write(layout: Layout, path: Path, members: Mapping[str, object]) -> None:
    """Keep what a file is to hold; failing to is no failure."""
    with suppress(OSError, TacitError):
        layout.refuse_links()
        fsio.make_directory(path.parent, mode=0o700)
        fsio.replace(path, json.dumps(members).encode(), sync=False, mode=0o600)


def kept(store: Store) -> list[Kept]:
    """Return what is kept of each conversation, the latest first."""
    found: dict[str, Kept] = {}
    for path in files(store):
        name = path.name.partition(".")[0]
        lists = _lists(path) if path.name.endswith(_ENDING) else {}
        prompts, declined = (len(lists.get(each, ())) for each in ("prompts", "declined"))
        before = found.get(name, Kept(name, "", 0, 0))
        found[name] = Kept(name, max(before.seen, _seen(path)), before.prompts + prompts, before.declined + declined)
    return sorted(found.values(), key=lambda each: (each.seen, each.name), reverse=True)


def last_prompts(store: Store) -> tuple[str, ...]:
    """Return the prompts of the conversation in which somebody typed last; none if nothing is kept."""
    written = [path for path in files(store) if path.name.endswith(_ENDING)]
    for path in sorted(written, key=lambda each: each.stat().st_mtime_ns, reverse=True):
        if prompts := _lists(path)["prompts"]:
            return tuple(prompts)
    return ()


def sweep(store: Store, days: int) -> None:
    """Delete what is older than so many days; a process that stays looks once an hour."""
    now = (store.clock()[:_TO_THE_HOUR], days)
    if _SWEPT.get(store.layout.root) != now:
        _SWEPT[store.layout.root] = now
        forget(store, older_than_days=days)


def files(store: Store) -> list[Path]:
    """Return the files in which conversations are kept."""
    folder = store.layout.local / "sessions"
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


def forget(store: Store, *, older_than_days: int | None = None) -> int:
    """Delete what is kept of conversations, all of it or what is older; return how many files went."""
    old = _older(store, older_than_days)
    for path in old:
        fsio.remove(path)
    return len(old)


def clear(store: Store, by: By, *, older_than_days: int | None = None) -> int:
    """Do the same because somebody asked for it, which the log then says."""
    from tacit.audit.record import Event, Record  # dear to load

    with store.writing("sessions clear") as transaction:
        old = _older(store, older_than_days)
        for path in old:
            transaction.destroy(path.relative_to(store.layout.root).as_posix())
        if old:
            transaction.record(
                Record(
                    event=Event.SESSIONS_CLEARED,
                    operation="sessions clear",
                    reason=f"{len(old)} conversations",
                    channel=by.channel,
                )
            )
            transaction.commit()
    return len(old)


def _older(store: Store, older_than_days: int | None) -> list[Path]:
    """Return the files of conversations that were not used for so many days, or all of them."""
    limit = None if older_than_days is None else wiring.days_after(store.clock(), -older_than_days)
    return [path for path in files(store) if limit is None or _seen(path) <= limit]


def _seen(path: Path) -> str:
    """Return when a file of a conversation was last written."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(path.stat().st_mtime))
