"""Opening a bank and listing it, in a fresh process: without and with the cache of the last scan.

By command, from its start to its end, and in Python, from the import of `tacit` on. Python keeps its byte code, as it
does where Tacit is installed.
"""

from __future__ import annotations

import os
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
IN_PYTHON = """
import sys, time
began = time.perf_counter()
from tacit import Bank
notes = Bank.open(sys.argv[1]).notes()
print(time.perf_counter() - began)
"""


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
        ["notes", "cold s", "cold in Python s", "cached s", "one write s", "cold growth"],
        [
            [int(row["notes"]), *(row[name] for name in ("cold_s", "cold_python_s", "cached_s", "write_s", "growth"))]
            for row in rows
        ],
    )
    return {"rounds": ROUNDS, "rows": rows}


def _measure(root: Path, size: int) -> dict[str, float]:
    bank = Bank.init(root)
    bank.add([_note(number) for number in range(size)])
    cache = root / ".local" / "scan.json"
    time.sleep(2.5)  # a file younger than two seconds is read again, cache or not
    _timed(root, "list", "--json")
    cold = []
    cold_python = []
    cached = []
    write = []
    for _ in range(ROUNDS):
        cache.unlink(missing_ok=True)
        cold_python.append(float(_run(sys.executable, "-c", IN_PYTHON, str(root))))
        cache.unlink(missing_ok=True)
        cold.append(_timed(root, "list", "--json"))
        cached.append(_timed(root, "list", "--json"))
        write.append(_timed(root, "new", "--title", "One more", "--when", "always", "--one-liner", "Write it."))
    return {
        "notes": size,
        "cold_s": statistics.median(cold),
        "cold_python_s": statistics.median(cold_python),
        "cached_s": statistics.median(cached),
        "write_s": statistics.median(write),
    }


def _timed(root: Path, *words: str) -> float:
    began = time.perf_counter()
    _run(TACIT, *words, "--bank", str(root))
    return time.perf_counter() - began


def _run(*words: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(words, check=True, capture_output=True, text=True, encoding="utf-8", env=kept).stdout


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
