"""Prove seven hosts with their real clients: `python -m tests.e2e.hosts [HOST …] [--cache FOLDER] [--docs FOLDER]`."""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import tacit
from tests.e2e.hosts import clients, isolation, report
from tests.e2e.hosts.hosts import HOSTS, Host
from tests.e2e.hosts.journey import STEPS, Step
from tests.e2e.hosts.place import ROOT
from tests.e2e.hosts.report import Row

_AT_ONCE = 2
_HOST_S = 500


def main() -> int:
    """Walk the hosts named, or all of them; return 1 if a step failed, 0 also where nothing could be run."""
    given = argparse.ArgumentParser(prog="python -m tests.e2e.hosts", description=__doc__)
    given.add_argument("hosts", nargs="*", metavar="HOST", help=", ".join(host.name for host in HOSTS))
    given.add_argument("--cache", help="where clients and runs are kept (default: tacit-e2e in the user's cache)")
    given.add_argument("--docs", type=Path, help="where matrix.md and transcripts/ are written")
    wish = given.parse_args()
    why = isolation.missing()
    if why:
        sys.stdout.write(f"skipped: {why}\n")
        return 0
    cache = clients.cache_folder(wish.cache)
    chosen = [host for host in HOSTS if not wish.hosts or host.name in wish.hosts]
    troubles = {host.name: clients.fetch(clients.NODE, cache) or clients.fetch(host.package, cache) for host in chosen}
    began = time.monotonic()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        rows = list(pool.map(lambda host: walked(host, cache, troubles[host.name]), chosen))
    seconds = time.monotonic() - began
    sys.stdout.write(f"{report.summary(rows)}\nall of it: {seconds:.0f} s\n")
    if wish.docs:
        keep(rows, wish.docs, cache, seconds)
    return int(any(row.failed for row in rows))


def walked(host: Host, cache: Path, trouble: str) -> Row:
    """Walk one host in namespaces of its own; what has no client is skipped."""
    if trouble:
        return Row(host, [Step(name, "skipped", trouble) for name in STEPS], 0.0)
    run = cache / "runs" / host.name
    (run / "steps.json").unlink(missing_ok=True)
    words = [sys.executable, "-m", "tests.e2e.hosts.inside", host.name, str(cache), str(run)]
    began = time.monotonic()
    try:
        done = subprocess.run(
            isolation.inside(words),
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_HOST_S,
            check=False,
        )
        said = done.stderr
    except subprocess.TimeoutExpired:
        said = f"it took longer than {_HOST_S} s"
    try:
        steps = [Step(**each) for each in json.loads((run / "steps.json").read_text(encoding="utf-8"))]
    except FileNotFoundError:
        steps = [Step(name, "fail", said.strip()[-300:]) for name in STEPS]
    return Row(host, steps, time.monotonic() - began)


def keep(rows: list[Row], docs: Path, cache: Path, seconds: float) -> None:
    """Write the matrix, and for each host that ran a transcript, whole and in the host's page."""
    (docs / "transcripts").mkdir(parents=True, exist_ok=True)
    day = datetime.now(UTC).date()
    taken = (
        f"Taken on {day} with Tacit {tacit.__version__} and Python {platform.python_version()} on {platform.system()}, "
        f"two hosts at once: {seconds:.0f} s for all of it, the clients being there already."
    )
    (docs / "matrix.md").write_text(report.matrix(rows, taken=taken), encoding="utf-8")
    for row in rows:
        run = cache / "runs" / row.host.name
        if not (run / "transcript.txt").exists():
            continue
        told = (run / "transcript.txt").read_text(encoding="utf-8")
        places = {
            run / "project": "~/project",
            run / "home": "~",
            run / "repository": "~/tacit",
            Path(sys.prefix): "~/.venv",
            ROOT: "~/tacit",
        }
        head = f"{row.host.title} {row.host.package.version}, taken by `make e2e` on {day}.\n\n"
        text = head + report.cleaned(told, places)
        (docs / "transcripts" / f"{row.host.name}.txt").write_text(text, encoding="utf-8")
        page = docs / f"{row.host.name}.md"
        if page.exists():
            page.write_text(report.shown(page.read_text(encoding="utf-8"), row.host, text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
