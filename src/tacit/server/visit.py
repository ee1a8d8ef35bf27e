"""One request of a token for a bank, how many it may make, and why a request gets no answer."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from uuid import UUID

    from tacit.bank.wiring import Facts


class Refused(Exception):
    """A request that gets no answer but why; `detail` is for the server's own log."""

    def __init__(
        self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None, *, detail: str = ""
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.headers = headers
        self.detail = detail


@dataclass(slots=True)
class Visit:
    """One request of a token for a bank; `names` are those in its address. The bank is None until notes were pushed.

    `secret` is the token, or its hash where a session stands for it.
    """

    secret: str | bytes
    token: str
    role: str
    bank: UUID | None
    commit: str
    organisation: str = ""
    name: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    # What was done, where the address alone does not say it.
    act: str = ""
    # What letting the token in told about the bank; no more for certain once something was written.
    seen: Facts | None = None
    # Whether no other bank stands beside it.
    is_alone: bool = False

    @property
    def asked(self) -> tuple[str | bytes, str, str]:
        """The token, and the organisation and the bank that it is shown for."""
        return self.secret, self.organisation, self.name

    def found(self) -> UUID:
        """Return the bank; raise Refused if there is none yet."""
        if self.bank is None:
            raise Refused(404, "bank.not_found", "There is no such bank for this token.")
        return self.bank

    def must_be(self, *roles: str) -> None:
        """Raise Refused unless the token has one of these roles."""
        if self.role not in roles:
            raise Refused(403, "role.refused", f"This needs the role {' or '.join(roles)}; the token's is {self.role}.")


_MOST_KNOWN = 10_000


class Rate:
    """A bucket for each name, filled evenly: `a_minute` requests, and as many at once after a rest."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = float(a_minute)
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def insist(self, name: str) -> None:
        """Take one request out of a bucket; raise Refused if there is none in it."""
        if wait_s := self.wait_s(name):
            raise Refused(429, "rate.exceeded", "Too many requests.", {"Retry-After": str(int(wait_s) + 1)})

    def wait_s(self, name: str) -> float:
        """Take one request out of a bucket; return nought, or after how many seconds to come again."""
        now = self._clock()
        level, since = self._buckets.get(name, (self._most, now))
        level = min(self._most, level + (now - since) * self._most / 60)
        if level < 1:
            self._buckets[name] = (level, now)
            return (1 - level) * 60 / self._most
        if len(self._buckets) >= _MOST_KNOWN and name not in self._buckets:
            self._buckets.clear()
        self._buckets[name] = (level - 1, now)
        return 0.0
