"""Clients that read and write at once, each its own bank, and remember what was acknowledged."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from tacit import fsio
from tests.notes import written
from tests.server import running

if TYPE_CHECKING:
    from collections.abc import Callable

_WORDS = ("cache", "deploy", "invoice", "retry", "schema", "login", "search", "report", "queue", "theme", "export")
_BACK_S = 180.0


class Load:
    """So many clients in threads. Answers that are neither good nor a clear refusal are kept in `wrong`."""

    def __init__(
        self, address: Callable[[], str], token: str, clients: int, *, think_s: float, reading: str = ""
    ) -> None:
        self._address = address
        self._token = token
        self._think_s = think_s
        self._reading = reading
        self._end = threading.Event()
        self._lock = threading.Lock()
        self.acknowledged: dict[str, dict[str, str]] = {f"b{number}": {} for number in range(clients)}
        self.statuses: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.took_ms: list[float] = []
        self._threads = [threading.Thread(target=self._client, args=(bank,)) for bank in self.acknowledged]

    def __enter__(self) -> Load:  # noqa: PYI034  nobody inherits
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Let every client finish what it does."""
        self._end.set()
        for thread in self._threads:
            thread.join()

    def written(self) -> int:
        """How many writes were acknowledged so far."""
        with self._lock:
            return sum(len(files) for files in self.acknowledged.values())

    def until_back(self, more: int) -> float:
        """Wait until so many further writes are acknowledged; return the seconds. Raises TimeoutError if none come."""
        began, before = time.monotonic(), self.written()
        while self.written() < before + more:
            if time.monotonic() - began > _BACK_S:
                raise TimeoutError
            if self._end.wait(0.02):
                break
        return time.monotonic() - began

    def lost(self, address: str) -> list[str]:
        """Return which acknowledged writes are not there, or are not what was written."""
        found = []
        with running.Client(address, self._token) as client:
            for bank, files in self.acknowledged.items():
                status, known = client.ask("GET", f"/v1/acme/{bank}/notes")
                there = known["files"] if status == 200 else {}
                found += [f"{bank}/{file}" for file, digest in files.items() if there.get(file) != digest]
        return found

    def _client(self, bank: str) -> None:
        chance = random.Random(bank)  # noqa: S311  the same every time
        number = 0
        while not self._end.is_set():
            with running.Client(self._address(), self._token) as client:
                try:
                    while not self._end.wait(chance.expovariate(1 / self._think_s)):
                        number += 1
                        self._act(client, bank, number, chance)
                except ConnectionError as error:
                    # A process that was killed gives no answer: nothing was acknowledged, and the client knows.
                    self._count(f"no answer: {str(error).split(':')[0][:40]}")
            self._end.wait(0.1)

    def _act(self, client: running.Client, bank: str, number: int, chance: random.Random) -> None:
        path = f"/v1/acme/{bank}"
        words = " ".join(chance.choices(_WORDS, k=5))
        kind = chance.random()
        began = time.monotonic()
        if not self.acknowledged[bank] or kind < 0.25:  # a bank is there from its first note on
            file, text = f"L1_declarative/n{number}.md", written(f"n{number}", f"{words} {number}")
            put = {"commit": f"{number:040x}", "put": {file: text}, "drop": []}
            status, answer = client.ask("POST", f"{path}/notes", put)
            if status == 200 and answer["changed"] == [file]:
                with self._lock:
                    self.acknowledged[bank][file] = fsio.digest(text.encode())
        elif kind < 0.75:
            status, answer = client.ask("POST", f"{path}/recall", {"prompt": f"how do we {words}"})
        elif kind < 0.95:
            status, answer = client.ask("POST", f"{path}/search", {"query": words})
        else:
            status, answer = client.ask("GET", f"{path}/notes")
            self._check(bank, answer, status)
        self.took_ms.append(1000 * (time.monotonic() - began))
        self._judge(status, answer)

    def _check(self, bank: str, answer: dict, status: int) -> None:
        """A list has everything that was acknowledged before it was asked for: only this client writes this bank."""
        missing = self.acknowledged[bank].keys() - answer.get("files", {}).keys() if status == 200 else set()
        self.wrong += [f"{bank}/{file} was acknowledged and is not listed" for file in missing]

    def _judge(self, status: int, answer: dict) -> None:
        if status == 200:
            self._count("200")
        elif status == 503 and answer["error"]["code"] == "database.unusable":
            self._count("503 database.unusable")
        else:
            self._count(str(status))
            self.wrong.append(f"{status}: {str(answer)[:200]}")

    def _count(self, name: str) -> None:
        with self._lock:
            self.statuses[name] += 1
