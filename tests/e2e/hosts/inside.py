"""One host's journey, run inside its namespaces; what became of it is left in the run's folder."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from tests.e2e.hosts import clients, isolation
from tests.e2e.hosts.hosts import HOSTS
from tests.e2e.hosts.journey import Journey
from tests.e2e.hosts.model import Model
from tests.e2e.hosts.place import Place


def main(name: str, cache: Path, run: Path) -> None:
    """Walk one host through all steps."""
    isolation.settle()
    host = next(each for each in HOSTS if each.name == name)
    commands = [host.package.folder(cache), clients.NODE.folder(cache)]
    journey = Journey(host, Place(run, Model(), commands))
    try:
        journey.walk()
    finally:
        steps = [asdict(step) for step in journey.report()]
        (run / "steps.json").write_text(json.dumps(steps), encoding="utf-8")
        (run / "transcript.txt").write_text("\n".join([*journey.place.transcript, ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
