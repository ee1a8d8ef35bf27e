"""What to say to a host's event, from the bank of its workspace."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.errors import BankNotFound
from tacit.hooks import dialect
from tacit.hooks.event import Kind, read
from tacit.messages import speaking

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tacit.bank import Bank
    from tacit.bank.talks import Conversation
    from tacit.hooks.event import HostEvent

    # Gives the bank of a workspace, or None where there is none.
    Banks = Callable[[Path], "Bank | None"]


def respond(arguments: list[str], environment: Mapping[str, str], given: bytes, banks: Banks) -> bytes:
    """Return what to print for one event; whatever goes wrong, nothing is printed and the failure is logged.

    With TACIT_DRY set, only what was understood is said, and nothing is kept: a test of the way, not of the answer.
    """
    event = read(arguments, environment, given)
    place = (event.bank or event.workspace) if event else ""
    if event is None or not place or not Path(place).is_absolute():
        return b""
    bank = banks(Path(place))
    if environment.get("TACIT_DRY"):
        return json.dumps({"event": event.kind, "host": event.host, "bank": str(bank.root) if bank else ""}).encode()
    if bank is None:
        return dialect.said(event, _absent(Path(place), environment)) if event.kind is Kind.START else b""
    try:
        with speaking(environment.get("TACIT_LANG") or bank.settings.text("language")):
            # Whoever starts a hook can lower what it may do; answers in the chat need the highest role.
            return dialect.said(event, _text(event, bank.lowered(event.role) if event.role else bank))
    except Exception as error:  # noqa: BLE001  a hook never fails its host
        bank.log_failure(f"hook {event.kind}: {type(error).__name__}: {error}")
        return b""


def _absent(place: Path, environment: Mapping[str, str]) -> str:
    """Return the one line for a project without a bank; nothing where there is one that cannot be opened."""
    from tacit.bank import migrating, wiring  # dear, and needed at no other event
    from tacit.entry import context
    from tacit.messages import language

    try:
        wiring.find(place)
    except BankNotFound:
        with suppress(OSError):
            old = migrating.beside(place)
            return context.absent(old=old, language=language(environment.get("TACIT_LANG") or "auto"))
    return ""


def _text(event: HostEvent, bank: Bank) -> str:
    if _is_forgotten(event):
        bank.conversation(event.session).forget_injected()
    if event.kind is Kind.START:
        return _started(event, bank)
    if event.kind is Kind.PROMPT:
        # A prompt that only the host has words in, as when a task of its own ended, answers no question.
        return _prompted(event, bank) if event.prompt.strip() else ""
    if event.kind is Kind.TOOL and event.wrote:
        return _after_writing(event, bank)
    if event.kind is Kind.STOP and "subagent" not in event.name.lower():
        return bank.suggestion(event.session)
    return ""


def _started(event: HostEvent, bank: Bank) -> str:
    """Return what is told at a session's start, no longer than the host takes."""
    said = ""
    for limit in dialect.LIMITS:
        said = bank.session_context(event.session, limit)
        if event.host != "codex" or len(said.encode()) <= dialect.CODEX_BYTES:
            break
    return said


def _is_forgotten(event: HostEvent) -> bool:
    """Whether the agent no longer has what it was told; Gemini says "auto" each turn, and loses it when it resumes."""
    if event.host == "gemini":
        return event.source in ("manual", "resume")
    return event.kind is Kind.COMPACT or event.source == "compact"


def _prompted(event: HostEvent, bank: Bank) -> str:
    """Record the user's words, take them as an answer if they are one, and recall what fits the rest."""
    talk = bank.conversation(event.session)
    with talk.session.collected():
        return _taken_in(event, bank, talk)


def _taken_in(event: HostEvent, bank: Bank, talk: Conversation) -> str:
    if not talk.session.is_first(event.turn, event.prompt):
        return ""  # two files of ours, or a host that fires again after each tool
    turns = talk.session.prompts()[-2:]
    talk.session.saw_prompt(event.prompt)
    answered, rest = talk.answered(event.prompt, partial(_was_put, event.transcript))
    recalled = bank.recall(rest, session=event.session, turns=turns) if rest.strip() else None
    parts = [*answered, talk.state_change(), recalled.injection if recalled else ""]
    return "\n".join(part for part in parts if part)


def _was_put(transcript: str, proposal_id: str, question: str) -> bool:
    """Whether the agent put a question in its last turn; where the host does not tell, it is taken to have done so."""
    from tacit.hooks import shown  # few prompts follow a question

    words = shown.last_words(transcript) if transcript else ""
    return not words or shown.names(words, proposal_id, question)


def _after_writing(event: HostEvent, bank: Bank) -> str:
    """Recall what matters after files were written: by what the user asked for and which files they were."""
    prompts = bank.session(event.session).prompts()[-1:]
    wish = "\n".join((*prompts, *(Path(file).name for file in event.wrote if file)))
    return bank.recall(wish, phase="post", session=event.session).injection if wish.strip() else ""
