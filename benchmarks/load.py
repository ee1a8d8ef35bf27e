"""Sixteen agents on one bank: a governed write a second each, and 32 recalls a second, for some minutes.

python -m benchmarks.load [--minutes 10] [--notes 100]     or, with these numbers, python -m benchmarks.run load

The doors are those of real hosts. Each agent is a `tacit mcp` process of its own, connected to the daemon, whose client
sends `propose`; the words that it quotes were typed before, so a new note is written without a question. Recalls are
hook processes, as a host starts one for each prompt; half of them are the prompts that the agents quote. Time counts
from the request, or from the start of the hook's process, to the answer.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.governed import made_up_note
from benchmarks.run import keep, table
from tacit import Bank, link
from tacit.hooks import script

if TYPE_CHECKING:
    from collections.abc import Callable

AGENTS = 16
RECALLS_A_SECOND = 32
NOTES_BEFORE = 100
MINUTES = 10.0
WRITE_TARGET_MS, RECALL_TARGET_MS = 100.0, 50.0
TACIT = [sys.executable, "-c", "from tacit.cli import main; main()", "mcp"]
HOOK = [sys.executable, "-I", "-S", script.__file__, "prompt", "--host", "claude"]
_WINDOW_S = 60.0
_LETTERS = ("bdfgklmnprstvz", "aeiou")


class Took(NamedTuple):
    """One act."""

    began: float
    seconds: float


@dataclass(slots=True)
class Log:
    """What happened, by many threads: when each began and the seconds it took, errors, and what was acknowledged."""

    writes: list[Took] = field(default_factory=list)
    recalls: list[Took] = field(default_factory=list)
    # When looked, and the processor's time so far: all of it, and what other guests of the machine took.
    processor: list[tuple[float, int, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    late_s: float = 0.0
    daemon_s: float = 0.0
    hooks_s: float = 0.0
    agents_s: float = 0.0


def measure(minutes: float = MINUTES, notes: int = NOTES_BEFORE) -> dict[str, object]:
    """Run the load on a bank of some notes, and look afterwards whether every acknowledged one is there."""
    with tempfile.TemporaryDirectory(prefix="tacit-load-") as folder:
        place = Path(folder) / "project"
        (place / ".git").mkdir(parents=True)
        os.environ |= {"TACIT_RUNTIME_DIR": f"{folder}/run", "TACIT_HOME": f"{folder}/home"}
        words = random.Random(1)
        bank = Bank.init(place)
        bank.add([made_up_note(words) for _ in range(notes)])
        bank.reindex()
        _hook(_event(place, "warm", "hello there, how do we deploy?"))
        while not link.ask(b"status"):
            time.sleep(0.05)
        daemon = int(json.loads(link.ask(b"status") or b"{}")["pid"])
        log = Log(daemon_s=-_processor_s(daemon), hooks_s=-_children_s())
        agents = [Agent(place, number, log) for number in range(AGENTS)]
        try:
            _run(place, agents, log, minutes * 60)
            log.daemon_s += _processor_s(daemon)
            log.hooks_s += _children_s()
            log.agents_s = sum(_processor_s(agent.process) for agent in agents)
        finally:
            for agent in agents:
                agent.stop()
            link.ask(b"stop")
        there = {note.id for note in Bank.open(bank.root).notes()}
    return _told(log, lost=len(set(log.acknowledged) - there), notes=len(there), minutes=minutes)


class Agent:
    """One host with its MCP server, and the user's prompts that it quotes."""

    def __init__(self, place: Path, number: int, log: Log) -> None:
        self.session = f"agent-{number}"
        self._place = place
        self._log = log
        self._words = random.Random(1000 + number)
        self._count = 0
        self._server = subprocess.Popen(
            [*TACIT, "--bank", str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "load", "version": "0"}}
        self._call("initialize", **hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self) -> None:
        """Let the user type a rule, then propose it in their words."""
        scene, choice, other = (" ".join(_word(self._words) for _ in range(3)) for _ in range(3))
        said = f"When {scene}, always {choice}, never {other}."
        _timed(self._log.recalls, lambda: _hook(_event(self._place, self.session, said)))
        payload = {
            "scene": scene,
            "principles": [f"always {choice}", other],
            "choice": f"always {choice}",
            "source": "auto",
            "confidence": "high",
            "kind": "principle",
            "principle": said,
            "origin": {"text": said, "spans": [{"start": 0, "end": len(said), "label": "rule"}]},
            "claim": {"id": scene, "digest": choice},
        }
        arguments = {"payloads": [payload], "conversation_id": self.session}
        answer = _timed(self._log.writes, lambda: self._call("tools/call", name="propose", arguments=arguments))
        result = answer["result"]["structuredContent"]["results"][0]
        if result["written"]:
            self._log.acknowledged.append(result["note_id"])
        else:
            self._log.errors.append(f"not written: {result['decision']}: {result['reasons']}")

    @property
    def process(self) -> int:
        """The process of its server."""
        return self._server.pid

    def stop(self) -> None:
        """End the server."""
        self._server.kill()
        self._server.communicate()

    def _call(self, method: str, **params: object) -> dict[str, Any]:
        self._count += 1
        self._send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        for line in self._server.stdout or ():
            answer = json.loads(line)
            if answer.get("id") == self._count:
                return dict(answer)
        raise EOFError

    def _send(self, message: dict[str, object]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message).encode() + b"\n")
        self._server.stdin.flush()


def _run(place: Path, agents: list[Agent], log: Log, seconds: float) -> None:
    """Let everybody work, each at their own fixed times: who is late does not wait for the others."""
    began = time.monotonic() + 1
    askers = RECALLS_A_SECOND - AGENTS
    threads = [
        threading.Thread(target=_paced, args=(agent.write, log, began + number / AGENTS, seconds))
        for number, agent in enumerate(agents)
    ]
    for number in range(askers):
        ask = _Asker(place, number, log)
        threads.append(threading.Thread(target=_paced, args=(ask, log, began + number / askers, seconds)))
    for thread in threads:
        thread.start()
    log.processor.append(_processor())
    for thread in threads:
        while thread.is_alive():
            thread.join(max(0.0, log.processor[-1][0] + _WINDOW_S - time.monotonic()))
            if time.monotonic() >= log.processor[-1][0] + _WINDOW_S:
                log.processor.append(_processor())


def _paced(act: Callable[[], None], log: Log, began: float, seconds: float) -> None:
    for turn in range(int(seconds)):
        wait = began + turn - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        log.late_s = max(log.late_s, -wait)
        try:
            act()
        except Exception as error:  # noqa: BLE001  whatever goes wrong is what is counted
            log.errors.append(f"{type(error).__name__}: {error}")


class _Asker:
    """Somebody who asks about what the bank holds."""

    def __init__(self, place: Path, number: int, log: Log) -> None:
        self._place = place
        self._session = f"asker-{number}"
        self._log = log
        self._words = random.Random(1)

    def __call__(self) -> None:
        asked = f"how should I handle {made_up_note(self._words).when_to_load[0]}?"
        _timed(self._log.recalls, lambda: _hook(_event(self._place, self._session, asked)))


def _timed(kept: list[Took], act: Callable[[], Any]) -> Any:  # noqa: ANN401  whatever the act returns
    began = time.monotonic()
    done = act()
    kept.append(Took(began, time.monotonic() - began))
    return done


def _hook(given: bytes) -> bytes:
    done = subprocess.run(HOOK, input=given, capture_output=True, check=True)
    if done.stderr:
        raise ValueError(done.stderr[-200:])
    return done.stdout


def _event(place: Path, session: str, prompt: str) -> bytes:
    members = {"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": str(place), "prompt": prompt}
    return json.dumps(members).encode()


def _processor() -> tuple[float, int, int]:
    """Return the time now, and the processor's so far: all of it, and what other guests of the machine took."""
    ticks = [int(word) for word in Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]]
    return time.monotonic(), sum(ticks), ticks[7]


def _processor_s(process: int) -> float:
    """Return how long the processor has worked for a process."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _children_s() -> float:
    """Return the same for all processes that were started here and have ended: the hooks."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _word(words: random.Random) -> str:
    return "".join(words.choice(letters) for _ in range(4) for letters in _LETTERS)


def _told(log: Log, *, lost: int, notes: int, minutes: float) -> dict[str, object]:
    rows = [_row("write", log.writes, WRITE_TARGET_MS), _row("recall", log.recalls, RECALL_TARGET_MS)]
    table(
        ["what", "count", "p50 ms", "p95 ms", "p99 ms", "longest ms", "target p95"], [[*row.values()] for row in rows]
    )
    windows = _windows(log)
    table(
        ["minute", "write p95 ms", "recall p95 ms", "taken by other guests"],
        [[number, *row.values()] for number, row in enumerate(windows, 1)],
    )
    print(f"  {minutes:g} minutes: {len(log.acknowledged)} acknowledged, {lost} lost, {len(log.errors)} errors,")
    print(f"  {notes} notes in the end, at most {log.late_s:.1f} s behind")
    print(f"  processor: daemon {log.daemon_s:.1f} s, hooks {log.hooks_s:.1f} s, agents {log.agents_s:.1f} s;")
    print(f"  the daemon {_a_write_ms(log):.1f} ms for each write with its share of the recalls")
    for error in sorted(set(log.errors))[:5]:
        print(f"  {error}")
    return {
        "minutes": minutes,
        "agents": AGENTS,
        "recalls_a_second": RECALLS_A_SECOND,
        "door": "propose by MCP through the daemon; recall by hook processes",
        "acknowledged": len(log.acknowledged),
        "lost": lost,
        "errors": len(log.errors),
        "notes": notes,
        "late_s": round(log.late_s, 2),
        "processor_s": {
            "daemon": round(log.daemon_s, 1),
            "hooks": round(log.hooks_s, 1),
            "agents": round(log.agents_s, 1),
        },
        "daemon_ms_a_write": round(_a_write_ms(log), 1),
        "rows": rows,
        "minute_by_minute": windows,
    }


def _windows(log: Log) -> list[dict[str, object]]:
    """Return how it went minute by minute, and which share of the processor was not the machine's to give."""
    made: list[dict[str, object]] = []
    for (began, all_before, taken_before), (ended, all_after, taken_after) in pairwise(log.processor):
        writes, recalls = ([each for each in kept if began <= each.began < ended] for kept in (log.writes, log.recalls))
        if len(writes) > 1 and len(recalls) > 1:
            made.append(
                {
                    "write_p95_ms": _row("", writes, 0)["p95_ms"],
                    "recall_p95_ms": _row("", recalls, 0)["p95_ms"],
                    "taken": round((taken_after - taken_before) / max(1, all_after - all_before), 3),
                }
            )
    return made


def _a_write_ms(log: Log) -> float:
    return log.daemon_s / len(log.writes) * 1000


def _row(what: str, took: list[Took], target: float) -> dict[str, object]:
    marks = [each.seconds * 1000 for each in took]
    longest, marks = max(marks), statistics.quantiles(marks, n=100)
    return {
        "what": what,
        "count": len(took),
        "p50_ms": marks[49],
        "p95_ms": marks[94],
        "p99_ms": marks[98],
        "longest_ms": longest,
        "target_ms": target,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--notes", type=int, default=NOTES_BEFORE, help="how many the bank holds before")
    given = parser.parse_args()
    keep("load", measure(given.minutes, given.notes))
