"""The terminal command: its words, those of one kind in one file."""

from __future__ import annotations

import sys
from contextlib import suppress
from io import TextIOWrapper


def main(arguments: list[str] | None = None) -> None:
    """Run `tacit`. The version and the hook, which run all the time, load nothing but what they need."""
    words = sys.argv[1:] if arguments is None else arguments
    if words in (["--version"], ["-V"]):
        from tacit import __version__

        if sys.stdout is not None:  # the caller may have closed it
            sys.stdout.write(f"tacit {__version__}\n")
        return
    if words[:1] == ["hook"] and "--help" not in words and "-h" not in words:
        with suppress(Exception, KeyboardInterrupt):  # a hook never fails its host, whatever its pipes are
            from tacit import link

            link.hook(words[1:])
        sys.exit(0)
    if words[:1] == ["mcp"]:
        from tacit.cli import mcp_pipe

        if mcp_pipe.run(words[1:]):
            return
    try:
        from tacit.cli.app import app
    except KeyboardInterrupt:  # as click ends once it is there
        sys.exit("Aborted!")
    if isinstance(sys.stdout, TextIOWrapper):  # a locale may lack characters
        sys.stdout.reconfigure(errors="backslashreplace")
    app(words, prog_name="tacit")
