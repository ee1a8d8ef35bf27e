"""A PostgreSQL cluster that the campaign may kill: made, started, killed, copied to a replica, promoted."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_START_S = 120.0
_USER = "postgres"


class Cluster:
    """One cluster in a folder of its own, reached by a socket there; synced to the disk as it comes."""

    def __init__(self, programs: Path, place: Path, *options: str) -> None:
        self._programs = programs
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self._runner = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses root
        self.place = place
        place.mkdir(mode=0o755, exist_ok=True)
        if self._runner:
            shutil.chown(place, self._runner)

    def make(self) -> None:
        """Make the files."""
        words = ("-D", self.place / "cluster", "-U", _USER, "--auth=trust", "--encoding=UTF8", "--locale=C")
        self._run("initdb", *words)

    def copy_of(self, other: Cluster) -> None:
        """Make the files of a replica that follows another cluster."""
        words = ("-D", self.place / "cluster", "-h", other.place, "-U", _USER, "-R", "-X", "stream", "-c", "fast")
        self._run("pg_basebackup", *words)

    def start(self) -> None:
        """Start, and return once it answers; raises TimeoutError if it does not."""
        end = time.monotonic() + _START_S
        while not self.answers():
            if time.monotonic() > end:
                raise TimeoutError(self.log())
            if self._process is None or self._process.poll() is not None:
                self.launch()  # as the keeper of a service does, again and again
            time.sleep(0.1)  # there is nothing to wait on but the answer

    def launch(self) -> None:
        """Start the process; what a killed one left is cleaned away by it."""
        with (self.place / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self.place / "cluster", "-k", self.place, "-h", "", *self._options],
                stdout=log,
                stderr=log,
                cwd="/",
                user=self._runner,
                start_new_session=True,
            )

    def answers(self) -> bool:
        """Whether it takes connections."""
        words = [str(self._programs / "pg_isready"), "-q", "-h", str(self.place), "-U", _USER]
        return subprocess.run(words, check=False).returncode == 0

    def kill(self) -> None:
        """Kill all its processes at once, as if the machine had lost them."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def stop(self) -> None:
        """End it in an orderly way."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)

    def promote(self) -> None:
        """Let a replica take over."""
        self._run("pg_ctl", "promote", "-D", self.place / "cluster", "-w")

    def log(self) -> str:
        """The last lines that it wrote."""
        return (self.place / "log").read_text(encoding="utf-8", errors="replace")[-1500:]

    def url(self, database: str = "postgres", user: str = _USER) -> str:
        """The address of a database."""
        return f"host={self.place} user={user} dbname={database}"

    def _run(self, program: str, *words: object) -> None:
        done = subprocess.run(
            [str(self._programs / program), *map(str, words)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd="/",
            user=self._runner,
            check=False,
        )
        assert done.returncode == 0, f"{program}: {done.stderr.strip()[-500:]}"
