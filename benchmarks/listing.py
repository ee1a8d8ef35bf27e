"""Opening a bank and listing it, in a fresh process: without and with the cache of the last scan."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.run import table
from tacit import Bank
from tacit.note.model import Kind, Layer, Note

SIZES = (1_000, 10_000, 50_000)
ROUNDS = 3
TACIT = str(Path(sys.executable).parent / "tacit")


def measure() -> dict[str, object]:
    """Measure each size; `growth` is the time for each note against that at the smallest size."""
    rows: list[dict[str, float]] = []
    for size in SIZES:
        with tempfile.TemporaryDirectory(prefix="tacit-bench-") as folder:
            print(f"  making {size} notes …", flush=True)
            rows.append(_measure(Path(folder) / ".memory", size))
    first = rows[0]
    for row in rows:
        row["growth"] = row["cold_s"] / row["notes"] / (first["cold_s"] / first["notes"])
    table(
        ["notes", "cold s", "cached s", "one write s", "cold growth"],
        [[int(row["notes"]), row["cold_s"], row["cached_s"], row["write_s"], row["growth"]] for row in rows],
    )
    return {"rounds": ROUNDS, "rows": rows}


def _measure(root: Path, size: int) -> dict[str, float]:
    bank = Bank.init(root)
    bank.add([_note(number) for number in range(size)])
    cache = root / ".local" / "scan.json"
    time.sleep(2.5)  # a file younger than two seconds is read again, cache or not
    cold = []
    cached = []
    write = []
    for _ in range(ROUNDS):
        cache.unlink(missing_ok=True)
        cold.append(_timed(root, "list", "--json"))
        cached.append(_timed(root, "list", "--json"))
        write.append(_timed(root, "new", "--title", "One more", "--when", "always", "--one-liner", "Write it."))
    return {
        "notes": size,
        "cold_s": statistics.median(cold),
        "cached_s": statistics.median(cached),
        "write_s": statistics.median(write),
    }


def _timed(root: Path, *words: str) -> float:
    began = time.perf_counter()
    subprocess.run([TACIT, *words, "--bank", str(root)], check=True, capture_output=True)
    return time.perf_counter() - began


def _note(number: int) -> Note:
    return Note(
        id="",
        title=f"How service {number} handles its retries and time-outs",
        kind=list(Kind)[number % len(Kind)],
        layer=Layer.DECLARATIVE if number % 3 else Layer.PROCEDURAL,
        tags=(f"service-{number % 97}", "retries"),
        when_to_load=(f"changing the client of service {number}", "a request to it fails or hangs"),
        one_liner=f"Service {number} is called with at most {number % 7 + 1} retries and a time-out of two seconds.",
        decision="Retries grow exponentially and stop early, because the service sheds load by hanging.\n\n" * 4,
        signals="- 503 from the gateway\n- more than ten open connections",
        alternatives="- a circuit breaker in the client\n- no retries at all",
    )
