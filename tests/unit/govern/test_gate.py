"""Who may say yes to what."""

from __future__ import annotations

import pytest

from tacit import settings
from tacit.audit.record import ASSURANCE, Assurance, Channel
from tacit.errors import AssuranceTooLow
from tacit.govern import gate

DEFAULT = settings.parse("format = 1")
ASKING = {"new", "merge", "replace", "archive", "detail"}
STRONG = {"delete", "undo", "restore"}


def test_channels_have_an_assurance() -> None:
    """Q-04: unattended < elicitation < the user's own prompt < terminal or web page < a key."""
    assert [Assurance(each).rank for each in ("unattended", "elicitation", "prompt", "terminal", "key")] == [*range(5)]
    assert {channel: str(ASSURANCE[channel]) for channel in Channel} == {
        "command": "unattended",
        "python": "unattended",
        "none": "unattended",
        "elicitation": "elicitation",
        "token": "elicitation",
        "prompt": "prompt",
        "terminal": "terminal",
        "web": "terminal",
    }


@pytest.mark.parametrize("channel", list(Channel))
@pytest.mark.parametrize("operation", sorted(ASKING | STRONG))
def test_default_policy(operation: str, channel: Channel) -> None:
    """Q-04: what changes notes needs elicitation; delete, undo and restore over a note need terminal or web."""
    enough = {"elicitation", "token", "prompt", "terminal", "web"} if operation in ASKING else {"terminal", "web"}
    if channel in enough:
        gate.insist(operation, channel, DEFAULT)
    else:
        with pytest.raises(AssuranceTooLow):
            gate.insist(operation, channel, DEFAULT)


def test_every_operation_has_a_policy() -> None:
    """Q-04: there is no operation of the gate without a setting, and no setting of the gate without an operation."""
    named = {setting.name for setting in settings.SETTINGS if setting.name.startswith("gate.")}

    assert set(gate.SETTING) == ASKING | STRONG
    assert set(gate.SETTING.values()) == named


@pytest.mark.parametrize("operation", sorted(ASKING))
@pytest.mark.parametrize("word", ["prompt", "terminal"])
def test_policy_can_ask_for_more(operation: str, word: str) -> None:
    """Q-04: a setting may demand a surer channel than the default."""
    policy = settings.parse(f'format = 1\ngate.{operation} = "{word}"')

    assert gate.needed(operation, policy) == word
    with pytest.raises(AssuranceTooLow):
        gate.insist(operation, Channel.ELICITATION, policy)


@pytest.mark.parametrize("operation", sorted(ASKING | STRONG))
@pytest.mark.parametrize("value", ['"unattended"', '"none"', '""', "0", "false", '"python"', '["elicitation"]'])
def test_policy_never_asks_for_less(operation: str, value: str) -> None:
    """Q-04: a value below the default is refused, and the default holds."""
    policy = settings.parse(f"format = 1\ngate.{operation} = {value}")

    assert policy.problems
    assert gate.needed(operation, policy) is gate.needed(operation, DEFAULT)
