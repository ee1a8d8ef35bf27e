"""What can be set: defaults, the bank's tacit.toml and the environment, read once and passed down as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.errors import SettingRefused, SettingsBroken

if TYPE_CHECKING:
    from collections.abc import Mapping

TEMPLATE = """\
# Settings of this memory bank. `tacit config` lists them all with their values.

# The format of the files in this bank; Tacit raises it when it upgrades the bank.
format = {format}
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that can be set in tacit.toml."""

    name: str
    default: int | str
    meaning: str
    lowest: int = 0
    highest: int = 0
    choices: tuple[str, ...] = ()

    def accept(self, value: object, place: str) -> int | str:
        """Return the value if it is allowed; raise SettingRefused otherwise."""
        if isinstance(self.default, int):
            if isinstance(value, int) and not isinstance(value, bool) and self.lowest <= value <= self.highest:
                return value
            wanted = f"a whole number from {self.lowest} to {self.highest}"
        else:
            if isinstance(value, str) and value in self.choices:
                return value
            wanted = f"one of {', '.join(self.choices)}"
        raise SettingRefused(place=place, reason=f"{self.name} is {value!r} but must be {wanted}")


SETTINGS = (
    Setting("language", "auto", "language of questions and messages", choices=("auto", "en", "zh")),
    Setting(
        "trust",
        "normal",
        "which notes reach agents: all, or only those written or confirmed here",
        choices=("normal", "strict"),
    ),
    Setting("lock.timeout_s", 10, "how long a command waits for another writer", lowest=0, highest=600),
    Setting("trash.retention_days", 30, "how long `trash empty` spares what was removed", lowest=0, highest=3650),
    *(
        # The first choice is the default; a setting can ask for more than it, never for less.
        Setting(f"gate.{operation}", choices[0], f"least assurance of an answer to {what}", choices=choices)
        for operation, what, choices in (
            ("new", "a new note that is asked about", ("elicitation", "prompt", "terminal")),
            ("merge", "a merge", ("elicitation", "prompt", "terminal")),
            ("replace", "a replacement", ("elicitation", "prompt", "terminal")),
            ("archive", "an archival", ("elicitation", "prompt", "terminal")),
            ("delete", "a deletion", ("terminal",)),
            ("undo", "an undo", ("terminal",)),
            ("restore", "a restore over a note", ("terminal",)),
            ("detail", "a change of a detail or the entry document", ("elicitation", "prompt", "terminal")),
        )
    ),
    Setting("recall.notes", 2, "the most notes that are said for one prompt", lowest=0, highest=2),
    Setting("recall.per_path", 5, "how many candidates each path brings", lowest=1, highest=50),
    Setting(
        "recall.meaning_percent",
        0,
        "part of meaning in the score; 0: as measured for the models",
        lowest=0,
        highest=100,
    ),
    Setting("recall.caution_percent", 100, "how sure recall must be; more is more silence", lowest=25, highest=400),
    Setting("proposals.days", 14, "how long a proposal waits for its answer", lowest=1, highest=365),
    Setting(
        "capture.suggest",
        "off",
        "say once, when an agent stops, that something is worth keeping",
        choices=("off", "on"),
    ),
    Setting("upkeep.heartbeat", "on", "let the daemon look after the bank once a session", choices=("on", "off")),
    Setting(
        "upkeep.unused_days", 180, "after how long without a recall a note may be archived", lowest=7, highest=3650
    ),
    Setting("sessions.days", 7, "how long recorded prompts are kept", lowest=0, highest=365),
    Setting(
        "audit.segment_bytes",
        8 * 1024 * 1024,
        "size at which the audit log starts a new file",
        lowest=4096,
        highest=1 << 30,
    ),
    Setting(
        "index.backend",
        "sqlite",
        "where the search index is kept; postgres needs TACIT_POSTGRES_URL, and without it is sqlite",
        choices=("sqlite", "postgres"),
    ),
    Setting("core.budget_chars", 8000, "how long the core documents may be, all together", lowest=500, highest=200_000),
)
_BY_NAME = {setting.name: setting for setting in SETTINGS}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one bank, and what is wrong in its file (there the default holds)."""

    format: int
    values: Mapping[str, int | str]
    problems: tuple[SettingRefused, ...] = ()

    def number(self, name: str) -> int:
        """Return the value of a setting that is a number."""
        return int(self.values[name])

    def text(self, name: str) -> str:
        """Return the value of a setting that is a word."""
        return str(self.values[name])


def parse(text: str, place: str = "tacit.toml") -> Settings:
    """Return the settings in a tacit.toml.

    A wrong value leaves the default and is listed in `problems`; a file whose format number cannot be read is
    refused, for nobody could say what the bank holds.
    """
    import tomllib

    try:
        tables = tomllib.loads(text)
        version = tables.pop("format", None)
        found = _flatten(tables)
    except (ValueError, RecursionError) as error:  # a number that is too long is no TOMLDecodeError
        raise _broken(text, place, error) from None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise SettingsBroken(place=f"{place}:1", reason="the format number of the bank is missing or no number")
    values: dict[str, int | str] = {setting.name: setting.default for setting in SETTINGS}
    problems = []
    for name, value in found.items():
        try:
            values[name] = named(name, place).accept(value, place)
        except SettingRefused as error:
            problems.append(error)
    return Settings(version, values, tuple(problems))


def named(name: str, place: str = "tacit.toml") -> Setting:
    """Return the setting of that name; raise SettingRefused if there is none."""
    if name not in _BY_NAME:
        raise SettingRefused(place=place, reason=f"there is no setting {name!r}")
    return _BY_NAME[name]


def changed(text: str, name: str, word: str) -> str:
    """Return a tacit.toml with one setting changed; comments, order and everything else stay."""
    import tomlkit

    setting = named(name)
    try:
        value = setting.accept(int(word) if isinstance(setting.default, int) else word, "tacit.toml")
    except ValueError:
        value = setting.accept(word, "tacit.toml")
    try:
        # With an end of its own, or what is added would be taken for more of a comment in the last line.
        document = tomlkit.parse(f"{text}\n" if text and not text.endswith("\n") else text)
    except (ValueError, RecursionError, tomlkit.exceptions.TOMLKitError) as error:
        raise _broken(text, "tacit.toml", error) from None
    *tables, key = name.split(".")
    place: tomlkit.TOMLDocument | tomlkit.items.Table = document
    for table in tables:
        if table not in place:
            place.add(table, tomlkit.table())
        inner = place[table]
        if not isinstance(inner, tomlkit.items.Table):
            raise SettingRefused(place="tacit.toml", reason=f"{table} is not a table")
        place = inner
    place[key] = value
    after = tomlkit.dumps(document)
    return after.replace("\r\n", "\n").replace("\n", "\r\n") if "\r\n" in text else after


def _broken(text: str, place: str, error: Exception) -> SettingsBroken:
    """Return the error of a file that is no TOML, with the line that the parser names, or the last one."""
    import re

    named_line = re.search(r"\bline (\d+)", str(error))
    line = named_line[1] if named_line else text.count("\n") + (not text.endswith("\n"))
    return SettingsBroken(place=f"{place}:{line}", reason=f"this is no valid TOML: {error}")


def _flatten(tables: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in tables.items():
        if isinstance(value, dict):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat
