"""What people read, in English and Chinese."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tacit.errors import TacitError


def language(wish: str = "auto") -> str:
    """Return `en` or `zh`: the wish, else TACIT_LANG, else the locale of the environment."""
    words = (wish if wish != "auto" else "", *(os.environ.get(n, "") for n in ("TACIT_LANG", "LC_ALL", "LC_MESSAGES")))
    chosen = next((word for word in words if word), os.environ.get("LANG", ""))
    return "zh" if chosen.lower().startswith("zh") else "en"


def say(key: str, wish: str = "auto", /, **values: object) -> str:
    """Return the message called `key` in the language of the user."""
    from tacit.messages import english

    text = english.MESSAGES[key]
    if language(wish) == "zh":
        from tacit.messages import chinese

        text = chinese.MESSAGES[key]
    return text.format(**values)


def explain(error: TacitError, wish: str = "auto") -> tuple[str, str]:
    """Return the sentence and the next step of an error in the language of the user."""
    if language(wish) == "zh":
        from tacit.messages import chinese

        sentence, hint = chinese.ERRORS[error.code]
        return sentence.format(**error.details), hint.format(**error.details)
    return error.message, error.next_step
