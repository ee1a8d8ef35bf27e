"""The stable way by which hosts call Tacit: one small script in the user's home that an upgrade may rewrite."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote

from tacit import link

# Hooks go straight to the daemon's door with an interpreter that loads nothing; all else takes the usual way.
_SCRIPT = """\
#!/bin/sh
# Made by `tacit install`: hosts call this, so that their configuration stays the same whatever Tacit's version is.
{home}python={python}
script={script}
if [ "$1" = hook ]; then
    shift
    [ -x "$python" ] && [ -f "$script" ] || exit 0 # Tacit is gone: the host goes on without it
    exec "$python" -I -S "$script" "$@"
fi
exec "$python" -P -c 'from tacit.cli import main; main()' "$@"
"""


def path(home: Path) -> Path:
    """Return where the script is, below the directory for what is the user's."""
    return home / "bin" / "tacit"


def script(home: Path) -> str:
    """Return the script for this Tacit; one with a directory of its own keeps to it whatever a host passes on."""
    own = "" if _is_usual(home) else f"TACIT_HOME={quote(str(home))}\nexport TACIT_HOME\n"
    fired = Path(link.__file__).resolve().parent / "hooks" / "script.py"
    return _SCRIPT.format(home=own, python=quote(sys.executable), script=quote(str(fired)))


def hook_word(home: Path) -> str:
    """Return how a shell calls the script; the same for everybody who keeps the usual place."""
    return '"$HOME/.tacit/bin/tacit"' if _is_usual(home) else quote(str(path(home)))


def server_words(home: Path, *, is_shared: bool) -> tuple[str, ...]:
    """Return how a host without a shell starts the server; where others share the file, without this user's home."""
    if is_shared and _is_usual(home):
        return ("sh", "-c", 'exec "$HOME/.tacit/bin/tacit" mcp')
    return (str(path(home)), "mcp")


def _is_usual(home: Path) -> bool:
    return home == Path.home() / ".tacit"
