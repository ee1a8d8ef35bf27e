"""Fuzz targets one after the other with one engine, each in a fork of its own, and print a line of JSON for each.

python -m tests.fuzz.worker atheris|hypothesis SECONDS SEED TARGET …
"""

from __future__ import annotations

import base64
import json
import os
import select
import signal
import sys
import time
import warnings
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.fuzz.target import Driver, Target

_LONGEST_MUTATED = 4096
_BATCH = 200
# How much longer than its share a target may take: one input at its limit of time.
_GRACE_S = 60.0


def main(engine: str, seconds: float, seed: int, names: list[str]) -> None:
    """Drive each target with one engine for so many seconds; what is slow to load is loaded once, before the forks."""
    warnings.simplefilter("ignore")
    with _watched() if engine == "atheris" else nullcontext():
        from tests.fuzz.targets import TARGETS
    fuzz = _by_coverage if engine == "atheris" else _by_strategy
    for name in names:
        found = _forked(partial(fuzz, TARGETS[name], seconds, seed), seconds)
        os.write(1, json.dumps({"target": name, "engine": engine, **found}).encode() + b"\n")


def _forked(act: Callable[[int], None], seconds: float) -> dict[str, Any]:
    """Return what an act in a fork reports; one that ends without a word is a crash, with the last that it said."""
    told, tell = os.pipe()
    with TemporaryFile() as noise:
        child = os.fork()
        if not child:
            os.dup2(noise.fileno(), 1)
            os.dup2(noise.fileno(), 2)
            act(tell)
        os.close(tell)
        said = b""
        while select.select([told], [], [], seconds + _GRACE_S)[0] and (part := os.read(told, 1 << 16)):
            said += part
        os.close(told)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if said:
            return dict(json.loads(said))
        noise.seek(0)
        last = noise.read()[-1500:].decode("utf-8", "replace")
    return {"executions": 0, "slowest_ms": 0.0, "crashes": [{"error": f"ended with {status}: {last}", "where": ""}]}


def _watched() -> Any:  # noqa: ANN401  atheris has no types
    import atheris  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return atheris.instrument_imports(include=["tacit"])


def _by_strategy(target: Target, seconds: float, seed: int, tell: int) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded

    from tests.fuzz.inputs import inputs
    from tests.fuzz.target import Driver

    driver = Driver(target)
    end = time.monotonic() + seconds
    quick = settings(
        max_examples=_BATCH,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=[*HealthCheck],
    )
    while time.monotonic() < end:
        seed += 1

        @seeded(seed)
        @quick
        @given(inputs(target))
        def feed(content: bytes) -> None:
            if time.monotonic() < end:
                driver.run(content)

        feed()
    _report(driver, tell)


def _by_coverage(target: Target, seconds: float, seed: int, tell: int) -> None:
    import atheris

    from tests.fuzz.target import Driver

    driver = Driver(target)
    end = time.monotonic() + seconds

    def feed(content: bytes) -> None:
        driver.run(content)
        if time.monotonic() > end:
            _report(driver, tell)  # libFuzzer never returns by itself

    with TemporaryDirectory(prefix="tacit-fuzz-") as folder:
        corpus, words = Path(folder, "corpus"), Path(folder, "words")
        corpus.mkdir()
        for number, content in enumerate(target.seeds):
            (corpus / f"seed-{number}").write_bytes(content)
        words.write_text("".join(f'"{_quoted(word)}"\n' for word in target.words if word), encoding="ascii")
        os.chdir(folder)  # what libFuzzer itself leaves behind goes with it
        limits = [f"-max_len={_LONGEST_MUTATED}", f"-seed={seed}", "-rss_limit_mb=0", "-timeout=600"]
        known = [f"-dict={words}"] if target.words else []
        atheris.Setup([sys.argv[0], str(corpus), *known, *limits], feed)
        atheris.Fuzz()


def _quoted(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode("utf-8", "surrogateescape"))


def _report(driver: Driver, tell: int) -> None:
    """Say what happened, and end this fork."""
    crashes: list[dict[str, Any]] = [
        {"error": each.error, "where": each.where, "input": base64.b64encode(each.given).decode()}
        for each in driver.crashes.values()
    ]
    members = {"executions": driver.executions, "slowest_ms": round(driver.slowest_s * 1000, 1), "crashes": crashes}
    said = json.dumps(members).encode()
    while said:
        said = said[os.write(tell, said) :]
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
