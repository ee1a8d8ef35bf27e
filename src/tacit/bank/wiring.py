"""Put a bank's parts together: settings, clock and ids in, a store out."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tacit import fsio
from tacit.errors import BankNotFound, DatabaseUnusable, FormatTooNew, SettingsBroken
from tacit.store.layout import FORMAT_VERSION, SETTINGS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from uuid import UUID

    from tacit.errors import ExtraMissing
    from tacit.index.contract import Index
    from tacit.index.postgres.access import Access as Access  # noqa: PLC0414  named by others
    from tacit.index.postgres.access import Admitted as Admitted  # noqa: PLC0414  named by others
    from tacit.index.postgres.access import Arrangement, Issuer, Sessions
    from tacit.index.postgres.asking import Asking
    from tacit.index.postgres.contents import Contents as Contents  # noqa: PLC0414  named by others
    from tacit.index.postgres.copies import Facts as Facts  # noqa: PLC0414  named by others
    from tacit.index.postgres.door import Door
    from tacit.index.postgres.index import PostgresIndex
    from tacit.settings import Settings
    from tacit.store.layout import Layout
    from tacit.store.store import Store

# Crockford's digits: no letter that is mistaken for another, one case for file systems that fold case.
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_TIME = "%Y-%m-%dT%H:%M:%SZ"
BANK_DIRECTORY = ".memory"
POSTGRES_URL = "TACIT_POSTGRES_URL"
# So long a prompt waits for a database; one that did not answer is asked no more for a while.
_WAIT_S, _REST_S = 2.0, 30.0
_away: dict[str, tuple[float, str]] = {}


def utc_now() -> str:
    """Return the time as notes and logs carry it."""
    return time.strftime(_TIME, time.gmtime())


def days_after(ts: str, days: int) -> str:
    """Return the time so many days after another, or before it."""
    from datetime import UTC, datetime, timedelta  # dear to load

    return (datetime.fromisoformat(ts).astimezone(UTC) + timedelta(days=days)).strftime(_TIME)


def random_id() -> str:
    """Return eight random digits: 40 bits, so that two branches never choose the same."""
    return "".join(_DIGITS[byte % 32] for byte in os.urandom(8))


def home() -> Path:
    """Return the directory for what is the user's and not a project's."""
    return Path(os.environ.get("TACIT_HOME") or Path.home() / ".tacit")


def personal() -> Path:
    """Return where the personal bank is, or would be."""
    return home() / "personal"


def written(root: Path) -> str:
    """Return a place as a person would write it."""
    own = Path.home()
    return f"~/{root.relative_to(own)}" if root.is_relative_to(own) else str(root)


def find(start: Path) -> Path:
    """Return the nearest bank going up from `start`; raise BankNotFound if there is none."""
    start = start.absolute()
    for place in (start, *start.parents):
        for bank in (place, place / BANK_DIRECTORY):
            if bank.name == BANK_DIRECTORY and (bank / SETTINGS).is_file():
                return bank.resolve()
    raise BankNotFound(place=f"{start} or above")


def of_workspace(place: Path) -> Path:
    """Return the bank that `place` is, else the nearest one going up from it; raise BankNotFound if there is none."""
    return place if (place / SETTINGS).is_file() else find(place)


def above(root: Path) -> list[Path]:
    """Return the banks of the folders above the project of the bank at `root`, nearest first."""
    project = root.parent if root.name == BANK_DIRECTORY else root
    found = [place / BANK_DIRECTORY for place in project.parents]
    return [bank.resolve() for bank in found if (bank / SETTINGS).is_file()]


def at(place: Path) -> Path:
    """Return the bank that `place` is, or that lies in it; raise BankNotFound if there is none."""
    for bank in (place, place / BANK_DIRECTORY):
        if (bank / SETTINGS).is_file():
            return bank.resolve()
    raise BankNotFound(place=place)


def home_for(place: Path) -> Path:
    """Return where a new bank for `place` goes: there, or in `.memory` of it if it is the root of a git project."""
    return place / BANK_DIRECTORY if (place / ".git").exists() else place


def read_settings(root: Path) -> Settings:
    """Return the settings of the bank at `root`; refuse a bank that a newer Tacit made."""
    from tacit import settings

    content = fsio.read(root / SETTINGS)
    if content is None:
        raise BankNotFound(place=root)
    try:
        found = settings.parse(content.decode("utf-8"), f"{root.name}/{SETTINGS}")
    except UnicodeDecodeError:
        raise SettingsBroken(place=f"{root.name}/{SETTINGS}:1", reason="this is not UTF-8 text") from None
    if found.format > FORMAT_VERSION:
        raise FormatTooNew(place=root, found=found.format, known=FORMAT_VERSION)
    return found


def make_store(
    root: Path, found: Settings, *, clock: Callable[[], str] | None, new_id: Callable[[], str] | None
) -> Store:
    """Return the store of the bank at `root`."""
    from tacit.store.store import Store  # dear to load

    return Store(
        root,
        clock=clock or utc_now,
        new_id=new_id or random_id,
        lock_timeout_s=found.number("lock.timeout_s"),
        audit_segment_bytes=found.number("audit.segment_bytes"),
    )


def _missing(*, act: str, extra: str) -> ExtraMissing:
    from tacit.bank import extras  # loads the standard library's reader of package metadata

    return extras.missing(act=act, extra=extra)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether an index could not be written because another process writes it; it is then not damaged."""
    import sqlite3

    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_index(path: Path | None) -> Index:
    """Return the index at `path`, made anew if it is damaged, in memory where no file can be written."""
    import _sqlite3 as sqlite3  # as the index itself does

    from tacit.index.sqlite import SqliteIndex

    if path is None:
        return SqliteIndex(None)
    try:
        fsio.make_directory(path.parent)  # a fresh clone has none
        with suppress(FileExistsError):
            fsio.create(path, b"", sync=False, mode=0o600)  # SQLite would let others read it
        return SqliteIndex(path)
    except (sqlite3.OperationalError, OSError):
        return SqliteIndex(None)  # a directory that cannot be written, a disk that is full
    except sqlite3.DatabaseError:
        for ending in ("", "-wal", "-shm"):
            fsio.remove(path.with_name(path.name + ending))
        return SqliteIndex(path)


def shared_index(layout: Layout, *, to_forget: bool = False) -> PostgresIndex | None:
    """Return a bank's index in the database that the environment names; None where the bank is not kept in one.

    Whoever wants to forget a note is told if the database that has it is not named.
    """
    url = os.environ.get(POSTGRES_URL)
    is_there = to_forget and layout.index_bank.exists()
    if not (url or is_there) or read_settings(layout.root).text("index.backend") != "postgres":
        return None
    if not url:
        raise DatabaseUnusable(reason=f"{POSTGRES_URL} is not set, and what this bank says is in that database too")
    from uuid import UUID, uuid5

    door = _door(url)
    from tacit.index.postgres.index import PostgresIndex  # can be had: its door was opened

    secret = fsio.read(layout.index_bank)
    if secret is None:
        fsio.make_directory(layout.local)
        with suppress(FileExistsError):  # another process was quicker
            fsio.create(layout.index_bank, os.urandom(16), sync=False, mode=0o600)
        secret = fsio.read(layout.index_bank) or b""
    # A copy of the whole folder is another bank, with files of its own.
    return PostgresIndex(door, uuid5(UUID(bytes=secret.ljust(16, b"\0")[:16]), str(layout.root)))


@cache
def _door(url: str) -> Door:
    """Return the connections of this process to a database, closed when it ends."""
    import atexit

    try:
        from tacit.index.postgres.door import Door
    except ImportError:
        raise _missing(act=f"The index at {POSTGRES_URL}", extra="server") from None
    until, reason = _away.get(url, (0.0, ""))
    if time.monotonic() < until:
        raise DatabaseUnusable(reason=reason)
    try:
        door = Door(url, wait_s=_WAIT_S)
    except DatabaseUnusable as error:
        _away[url] = time.monotonic() + _REST_S, str(error.details["reason"])
        raise
    atexit.register(door.close)
    return door


class Hosting:
    """The banks of a database that a server answers for, and the tokens it lets in."""

    def __init__(self, url: str, *, most: int, most_bytes: int = 512 * 1024 * 1024) -> None:
        try:
            from tacit.index.postgres.access import Access, Company
            from tacit.index.postgres.door import Door
        except ImportError:
            raise _missing(act="tacit serve", extra="server") from None
        self.door = Door(url, most=most, for_many=True, most_bytes=most_bytes)
        self.access = Access(self.door)
        self.company = Company(self.door)

    def index(self, bank: UUID, seen: Facts | None = None) -> Index:
        """Return the index of one bank for one act; `seen` says what the caller knows of its state."""
        from tacit.index.postgres.index import PostgresIndex

        return PostgresIndex(self.door, bank, steady=True, seen=seen)

    def contents(self, bank: UUID) -> Contents:
        """Return the files of one bank as they were pushed."""
        from tacit.index.postgres.contents import Contents

        return Contents(self.door, bank)

    def sessions(self) -> Sessions:
        """Return the browsers that are signed in."""
        from tacit.index.postgres.access import Sessions

        return Sessions(self.door)

    def asking(self, secret: str | bytes, organisation: str, bank: str) -> Asking:
        """Return what a token may do with the questions of one bank."""
        from tacit.index.postgres.asking import Asking

        return Asking(self.door, secret, organisation, bank)


def issuer(url: str) -> Issuer:
    """Return what makes and takes back tokens, for the owner of a database."""
    try:
        from tacit.index.postgres.access import Issuer
    except ImportError:
        raise _missing(act="tacit token", extra="server") from None
    return Issuer(url)


def arrangement(url: str) -> Arrangement:
    """Return what says which banks stand beside which, for the owner of a database."""
    try:
        from tacit.index.postgres.access import Arrangement
    except ImportError:
        raise _missing(act="tacit beside", extra="server") from None
    return Arrangement(url)
