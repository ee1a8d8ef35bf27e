"""A stand-in for the options of onnxruntime, which remembers what was asked for."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar


class FakeOptions(SimpleNamespace):
    """Options that take whatever is set; `entries` are those of the last session."""

    entries: ClassVar[dict[str, str]] = {}

    def add_session_config_entry(self, name: str, value: str) -> None:
        """Remember an entry."""
        self.entries[name] = value

    add_run_config_entry = add_session_config_entry
