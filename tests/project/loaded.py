"""Which modules a piece of code loads, seen from a fresh interpreter."""

from __future__ import annotations

import json
import subprocess
import sys

_PROBE = """
import json, sys
before = set(sys.modules)
try:
    exec(sys.argv[1])
except SystemExit as end:
    assert not end.code, end.code
print()
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def modules_loaded_by(code: str) -> set[str]:
    """Run `code` in a fresh interpreter; the names of all modules it brought in."""
    run = subprocess.run([sys.executable, "-I", "-c", _PROBE, code], capture_output=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    return set(json.loads(run.stdout.splitlines()[-1]))
