"""The optional parts of Tacit: which are here, and the line that brings one into this very environment."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from shlex import join

from tacit.errors import ExtraMissing

# Extra → what is imported of it; pyproject.toml has the distributions.
MODULES = {
    "semantic": ("numpy", "onnxruntime"),
    "mcp": ("mcp",),
    "web": ("starlette", "uvicorn", "markdown_it", "nh3"),
    "server": ("mcp", "jwt", "starlette", "uvicorn", "psycopg", "psycopg_pool", "markdown_it", "nh3"),
}


def is_here(extra: str) -> bool:
    """Whether all that an extra needs can be imported; nothing is."""
    return all(find_spec(name) is not None for name in MODULES[extra])


def how(extra: str) -> str:
    """Return the command that adds an extra to the environment which this Tacit runs in, however it was installed."""
    wanted = _requirements(extra)
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").exists():
        return join(["pipx", "inject", prefix.name, *wanted])
    if (prefix / "uv-receipt.toml").exists() or find_spec("pip") is None:
        return join(["uv", "pip", "install", "--python", sys.executable, *wanted])
    return join([sys.executable, "-m", "pip", "install", *wanted])


def missing(*, act: str, extra: str) -> ExtraMissing:
    """Return the error for an act that needs an extra which is not here, with the line that brings it."""
    return ExtraMissing(act=act, extra=extra, how=how(extra))


def _requirements(extra: str) -> list[str]:
    """Return what an extra stands for: named one by one, it needs no copy of Tacit to install from."""
    from importlib import metadata  # dear to load

    try:
        every = metadata.requires("tacit") or []
    except metadata.PackageNotFoundError:  # run from a source tree that was never installed
        every = []
    marked = [line.partition(";") for line in every]
    return [name.strip() for name, _, marker in marked if f'"{extra}"' in marker.replace("'", '"')] or [
        f"tacit[{extra}]"
    ]
