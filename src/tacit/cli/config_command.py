"""tacit config: the bank's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tacit.cli import completing
from tacit.cli.frame import COMMAND, bank_command
from tacit.messages import say
from tacit.settings import SETTINGS, named

if TYPE_CHECKING:
    from tacit.cli.frame import Frame


@bank_command("config", example="tacit config trash.retention_days 90")
@click.argument("name", default="", shell_complete=completing.setting_names)
@click.argument("value", default=None, required=False)
def command(frame: Frame, name: str, value: str | None) -> None:
    """List the settings; with NAME show one, with VALUE change it in tacit.toml.

    What an answer needs (gate.*) can be made stricter, never laxer than its default, and you are asked on the terminal;
    so you are before `trust` changes.
    """
    bank = frame.open(to_write=value is not None, heal=False)
    if name:
        named(name)
    if value is not None:
        # Who may say yes, and what agents hear, is the user's to set, and nobody else's.
        question = "config.ask" if name.startswith("gate.") else "config.ask.trust" if name == "trust" else ""
        by = frame.ask("config", say(question, name=name, value=value)) if question else COMMAND
        bank.set_setting(name, value, by=by)
        frame.out.give({"name": name, "value": bank.settings.values[name]}, say("config.made", name=name, value=value))
        return
    shown = [setting for setting in SETTINGS if name in ("", setting.name)]
    document: dict[str, object] = {
        "settings": [
            {
                "name": setting.name,
                "value": bank.settings.values[setting.name],
                "default": setting.default,
                "meaning": setting.meaning,
            }
            for setting in shown
        ]
    }
    rows = [(setting.name, str(bank.settings.values[setting.name]), setting.meaning) for setting in shown]
    frame.out.table(document, ("Setting", "Value", "Meaning"), rows)
