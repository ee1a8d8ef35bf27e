"""What the per-prompt hook costs, end to end as a host runs it, as a ratio to an empty Python in the same run."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

from benchmarks.recall import make_up_vectors
from benchmarks.run import table
from tacit import Bank, link
from tacit.bank import models, wiring
from tacit.hosts import launcher
from tacit.note.model import Note

ROUNDS = 60
SIZES = (1_000, 10_000)
AT_ONCE = 64
EMPTY = [sys.executable, "-I", "-S", "-c", "pass"]
CONSOLE = [str(Path(sys.executable).parent / "tacit"), "hook", "prompt", "--host", "claude"]
WORDS = (
    "cache",
    "deploy",
    "invoice",
    "retry",
    "schema",
    "login",
    "search",
    "report",
    "queue",
    "theme",
    "export",
    "token",
)


def measure() -> dict[str, object]:
    """Measure warm and cold hooks in banks of each size, with the models of this machine and made-up vectors."""
    with tempfile.TemporaryDirectory(prefix="tacit-hook-") as folder:
        environment = {**os.environ, "TACIT_RUNTIME_DIR": f"{folder}/run"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["TACIT_RUNTIME_DIR"] = environment["TACIT_RUNTIME_DIR"]
        with ProcessPoolExecutor(1) as apart:  # the models are not to stay in this process
            banks = {size: apart.submit(_bank, Path(folder) / str(size), size).result() for size in SIZES}
        hook = _installed(Path(folder) / "tacit")
        cold = _cold(hook, banks[SIZES[0]], environment)
        warm = {str(size): _warm(hook, bank, environment) for size, bank in banks.items()}
        crowd = _crowd(hook, banks[SIZES[0]], environment)
        status = json.loads(link.ask(b"status") or b"{}")
        memory = _memory_mb(int(status.get("pid", 0)))
        mode = models.mode_here()
        link.ask(b"stop")
    rows = [[f"warm, {size} notes", *figures.values()] for size, figures in warm.items()]
    table(["hook", "p50 ms", "p95 ms", "p50 ×", "p95 ×", "console p50 ×"], rows)
    table(["cold", "p50 ms", "p95 ms", "p50 ×", "p95 ×"], [["no daemon", *cold.values()]])
    told = f"all ended well, {crowd['told_a_note']} were told a note"
    print(f"  {AT_ONCE} at once: {told}, longest {crowd['longest_s']:.3f} s; daemon {memory} MB")
    return {"warm": warm, "cold": cold, "at_once": crowd, "daemon_mb": memory, "rounds": ROUNDS, "mode": mode}


def _installed(place: Path) -> list[str]:
    """Return what a host runs, with the script that `tacit install` makes."""
    place.write_text(launcher.script(wiring.home()), encoding="utf-8")
    place.chmod(0o700)
    return [str(place), "hook", "prompt", "--host", "claude"]


def _bank(place: Path, size: int) -> Path:
    (place / ".git").mkdir(parents=True)
    bank = Bank.init(place)
    notes = [
        Note(
            id="",
            title=f"{WORDS[number % 12]} {number}",
            when_to_load=(f"working on the {WORDS[number % 12]} of service {number}",),
            one_liner=f"Keep the {WORDS[(number * 7) % 12]} of service {number} below {number} items.",
        )
        for number in range(size)
    ]
    bank.add(notes)
    bank.recaller.reindexer.catch_up(force=True)
    make_up_vectors(bank)
    return place


def _event(place: Path, number: int) -> bytes:
    prompt = f"how do we handle the {WORDS[number % 12]} of service {number % 900}? ({number})"
    members = {"hook_event_name": "UserPromptSubmit", "session_id": f"s{number}", "cwd": str(place), "prompt": prompt}
    return json.dumps(members).encode()


def _time(words: list[str], given: bytes, environment: dict[str, str]) -> float:
    return _run(words, given, environment)[0]


def _run(words: list[str], given: bytes, environment: dict[str, str]) -> tuple[float, bytes]:
    began = time.perf_counter()
    done = subprocess.run(words, input=given, capture_output=True, check=True, env=environment)
    return time.perf_counter() - began, done.stdout


def _warm(hook: list[str], place: Path, environment: dict[str, str]) -> dict[str, float]:
    for number in range(5):
        _time(hook, _event(place, number), environment)
    while not link.ask(b"status"):
        time.sleep(0.05)
    _time(hook, _event(place, 99_999), environment)
    empty, hooks, console = [], [], []
    for number in range(ROUNDS):
        empty.append(_time(EMPTY, b"", environment))
        hooks.append(_time(hook, _event(place, 1000 + number), environment))
        console.append(_time(CONSOLE, _event(place, 5000 + number), environment))
    return {**_figures(hooks, empty), "console_p50_ratio": statistics.median(console) / statistics.median(empty)}


def _cold(hook: list[str], place: Path, environment: dict[str, str]) -> dict[str, float]:
    """Measure the hook where no daemon can be reached: its own process answers, by keywords."""
    alone = {**environment, "TACIT_RUNTIME_DIR": "/dev/null"}
    _time(hook, _event(place, 1), alone)
    empty, hooks = [], []
    for number in range(ROUNDS):
        empty.append(_time(EMPTY, b"", alone))
        hooks.append(_time(hook, _event(place, 20_000 + number), alone))
    return _figures(hooks, empty)


def _crowd(hook: list[str], place: Path, environment: dict[str, str]) -> dict[str, float]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(lambda number: _run(hook, _event(place, 30_000 + number), environment), range(AT_ONCE)))
    return {"told_a_note": sum(bool(said) for _, said in done), "longest_s": max(seconds for seconds, _ in done)}


def _figures(hooks: list[float], empty: list[float]) -> dict[str, float]:
    p50, p95 = statistics.median(hooks), statistics.quantiles(hooks, n=20)[-1]
    base = statistics.median(empty)
    return {"p50_ms": p50 * 1000, "p95_ms": p95 * 1000, "p50_ratio": p50 / base, "p95_ratio": p95 / base}


def _memory_mb(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS")), 0)
