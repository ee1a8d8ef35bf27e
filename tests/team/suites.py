"""The suites of the campaign: what is done to the server under load, and what must hold afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from tacit.bank import wiring
from tests.server import running
from tests.team.cluster import Cluster
from tests.team.load import Load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# So many writes must be taken after a fault before the next one.
_MORE = 20
_BALLAST = 8 * 1024 * 1024
_DISK_BYTES = 320 * 1024 * 1024
_START_S = 60.0


@dataclass(slots=True)
class Outcome:
    """What a suite found."""

    suite: str
    faults: int = 0
    seconds: float = 0.0
    acknowledged: int = 0
    lost: int = 0
    wrong: int = 0
    back_s_median: float = 0.0
    back_s_longest: float = 0.0
    p95_ms: float = 0.0
    statuses: dict[str, int] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    skipped: str = ""
    besides: dict[str, object] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether a promise was broken."""
        return bool(self.lost or self.wrong)


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is done."""

    clients: int
    seconds: float
    faults: int
    think_s: float
    programs: Path


class World:
    """A cluster, a database with tokens, and a server on a port of its own that a keeper starts again when it dies."""

    def __init__(self, place: Path, cluster: Cluster, url: Callable[[str], str] | None = None) -> None:
        self.cluster = cluster
        self._place = place
        with psycopg.connect(cluster.url(), autocommit=True) as owner:
            owner.execute("CREATE DATABASE tacit")
            self.token = wiring.issuer(cluster.url("tacit")).create("acme", "", "writer")[1]
            owner.execute("CREATE ROLE tacit_server LOGIN IN ROLE tacit_member")
        self.login = (url or (lambda user: cluster.url("tacit", user)))("tacit_server")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self._port}"
        self.serving = self.serve()

    def serve(self) -> subprocess.Popen[bytes]:
        """Start the server; again if the workers of a killed one still hold the port, or the database is away."""
        end = time.monotonic() + _START_S
        while time.monotonic() < end:
            options = ("--port", str(self._port), "--workers", "2", "--rate", "1000000")
            serving = running.start(self.login, *options, log=self._place / "server.log")
            assert serving.stdout is not None
            if serving.stdout.readline():
                self.serving = serving
                return serving
            serving.wait()
            serving.stdout.close()
            time.sleep(0.2)  # as a keeper of services waits before it starts one again
        raise TimeoutError

    def workers(self) -> list[int]:
        """The processes that answer."""
        children = Path(f"/proc/{self.serving.pid}/task/{self.serving.pid}/children")
        return [int(number) for number in children.read_text(encoding="ascii").split()]

    def end(self) -> None:
        """End the server."""
        running.stop(self.serving)


@contextmanager
def world(plan: Plan, place: Path | None = None) -> Iterator[World]:
    """Give a world, which is gone afterwards."""
    folder = place or Path(tempfile.mkdtemp(prefix="tacit-team-"))
    folder.chmod(0o755)
    cluster = Cluster(plan.programs, folder / "primary", "-c", "max_connections=60")
    try:
        cluster.make()
        cluster.start()
        made = World(folder, cluster)
        try:
            yield made
        finally:
            made.end()
    finally:
        cluster.stop()
        if place is None:
            shutil.rmtree(folder)


def mixed(plan: Plan) -> Outcome:
    """Reads and writes for some minutes, and no fault: no error at all."""
    with world(plan) as made, Load(lambda: made.address, made.token, plan.clients, think_s=plan.think_s) as load:
        time.sleep(plan.seconds)
        load.end()
        outcome = judged("mixed", load, made.address, [])
    errors = sum(count for name, count in load.statuses.items() if name != "200")
    outcome.wrong += errors
    return outcome


def killed_database(plan: Plan) -> Outcome:
    """All processes of PostgreSQL are killed, and started again as its keeper would."""

    def fault(made: World, number: int) -> None:
        del number
        made.cluster.kill()
        made.cluster.start()

    return faults("killed database", plan, fault)


def killed_server(plan: Plan) -> Outcome:
    """The server is killed, or one of its workers; its keeper starts it again, and it starts its workers."""

    def fault(made: World, number: int) -> None:
        if number % 2:
            workers = made.workers()
            os.kill(workers[number // 2 % len(workers)], signal.SIGKILL)
        else:
            made.serving.kill()
            made.serving.wait()
            if made.serving.stdout is not None:
                made.serving.stdout.close()
            made.serve()

    return faults("killed server", plan, fault)


def dropped(plan: Plan) -> Outcome:
    """All connections to the database are cut, and clients go away in the middle of a request."""

    def fault(made: World, number: int) -> None:
        with psycopg.connect(made.cluster.url("tacit"), autocommit=True) as owner:
            owner.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tacit_server'")
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", int(made.address.rsplit(":", 1)[1]))) as gone:
                head = f"POST /v1/acme/b{number}/notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {made.token}\r\n"
                gone.sendall(f"{head}Content-Length: 5000\r\n\r\n{{".encode())

    return faults("dropped connections", plan, fault)


def full_disk(plan: Plan) -> Outcome:
    """The disk of the database fills up under load, until it takes nothing more; then there is room again."""
    folder = Path(tempfile.mkdtemp(prefix="tacit-team-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES},mode=755", "tacit", folder],
            capture_output=True,
            text=True,
            check=False,
        )
        if mounted.returncode:
            return Outcome("full disk", skipped=f"no file system of its own: {mounted.stderr.strip() or 'needs root'}")
        stack.callback(lambda: subprocess.run(["umount", folder], check=True))

        def fault(made: World, number: int) -> None:
            ballast = folder / f"ballast{number}"
            with ballast.open("wb") as file:
                try:
                    while True:
                        file.write(b"\0" * _BALLAST)
                        file.flush()
                except OSError:
                    pass
            before = made_load[0].statuses["503 database.unusable"]
            end = time.monotonic() + _START_S
            while made_load[0].statuses["503 database.unusable"] == before and time.monotonic() < end:
                time.sleep(0.1)  # until the database has found out
            ballast.unlink()
            made.cluster.start()

        made_load: list[Load] = []
        few = Plan(plan.clients, plan.seconds, min(plan.faults, 5), plan.think_s, plan.programs)
        return faults("full disk", few, fault, place=folder, seen=made_load)


def replica(plan: Plan) -> Outcome:
    """The primary dies for good under load; a replica that was synchronous takes over, and reads go on meanwhile."""
    folder = Path(tempfile.mkdtemp(prefix="tacit-team-"))
    folder.chmod(0o755)
    first = Cluster(plan.programs, folder / "primary", "-c", "synchronous_standby_names=*", "-c", "max_connections=60")
    second = Cluster(plan.programs, folder / "replica", "-c", "synchronous_standby_names=", "-c", "max_connections=60")
    both = f"host={first.place},{second.place} dbname=tacit target_session_attrs="
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder)
        first.make()
        stack.callback(second.stop)
        stack.callback(first.stop)
        # Commits wait for a replica: there is one before the first.
        first.start()
        second.copy_of(first)
        second.start()
        made = World(folder, first, lambda user: f"{both}read-write user={user}")
        stack.callback(made.end)
        reads = running.start(f"{second.url('tacit', 'tacit_server')}", log=folder / "reads.log")
        stack.callback(running.stop, reads)
        address = running.address_of(reads)
        with Load(lambda: made.address, made.token, plan.clients, think_s=plan.think_s) as load:
            load.until_back(_MORE * 5)
            with running.Client(address, made.token) as reader:
                asked = Reads(reader)
                first.kill()
                began = time.monotonic()
                asked.go_on(20)
                second.promote()
                asked.go_on(20)
                load.until_back(_MORE)
                back_s = time.monotonic() - began
                asked.go_on(20)
            load.end()
            outcome = judged("replica promoted", load, made.address, [back_s])
        outcome.faults = 1
        outcome.wrong += len(asked.failed)
        outcome.examples += asked.failed[:3]
        outcome.besides = {"reads_from_the_replica_meanwhile": asked.count, "of_them_failed": len(asked.failed)}
        return outcome


class Reads:
    """Somebody who only reads, from the replica."""

    def __init__(self, client: running.Client) -> None:
        self._client = client
        self.count = 0
        self.failed: list[str] = []

    def go_on(self, times: int) -> None:
        """Ask so often."""
        for number in range(times):
            status, answer = self._client.ask("POST", f"/v1/acme/b{number % 4}/search", {"query": "deploy the cache"})
            self.count += 1
            if status != 200:
                self.failed.append(f"{status}: {str(answer)[:200]}")


def faults(
    name: str,
    plan: Plan,
    fault: Callable[[World, int], None],
    *,
    place: Path | None = None,
    seen: list[Load] | None = None,
) -> Outcome:
    """Do something bad so many times under load, each time once the server is back; then look what is lost."""
    back: list[float] = []
    with (
        world(plan, place) as made,
        Load(lambda: made.address, made.token, plan.clients, think_s=plan.think_s) as load,
    ):
        if seen is not None:
            seen.append(load)
        began = time.monotonic()
        for number in range(plan.faults):
            load.until_back(_MORE)
            since = time.monotonic()
            fault(made, number)
            load.until_back(_MORE)
            back.append(time.monotonic() - since)
        load.end()
        outcome = judged(name, load, made.address, back)
        outcome.seconds = time.monotonic() - began
    outcome.faults = plan.faults
    return outcome


def judged(name: str, load: Load, address: str, back: list[float]) -> Outcome:
    """Return what holds after a load."""
    lost = load.lost(address)
    took = sorted(load.took_ms) or [0.0]
    return Outcome(
        suite=name,
        acknowledged=load.written(),
        lost=len(lost),
        wrong=len(load.wrong),
        back_s_median=statistics.median(back) if back else 0.0,
        back_s_longest=max(back, default=0.0),
        p95_ms=took[int(0.95 * (len(took) - 1))],
        statuses=dict(load.statuses),
        examples=[*lost[:3], *load.wrong[:3]],
    )


SUITES: dict[str, Callable[[Plan], Outcome]] = {
    "mixed": mixed,
    "database": killed_database,
    "server": killed_server,
    "dropped": dropped,
    "disk": full_disk,
    "replica": replica,
}
