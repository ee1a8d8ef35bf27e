"""The resources and prompts: documents and notes to be read, and commands that a user picks in their client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.server.mcpserver.prompts import Prompt
from mcp.types import Resource, ResourceTemplate

from tacit import fsio
from tacit.messages import say
from tacit.store.layout import ENTRY

if TYPE_CHECKING:
    from tacit.bank import Bank
    from tacit.mcp_server.door import Door

_MARKDOWN = "text/markdown"
_DOCUMENTS = {"tacit://MEMORY.md": "What an agent reads first.", "tacit://INDEX.md": "The list of all notes."}


def documents() -> list[Resource]:
    """Return the documents of a bank that everybody may want."""
    return [
        Resource(uri=uri, name=uri.rpartition("/")[2], description=meaning, mime_type=_MARKDOWN)
        for uri, meaning in _DOCUMENTS.items()
    ]


def templates() -> list[ResourceTemplate]:
    """Return how a note is addressed: by the pointer that notes themselves use."""
    meaning = "A note, or one of its sections: mem://L1/MEM-…#one-liner"
    return [ResourceTemplate(uri_template="mem://{layer}/{id}", name="note", description=meaning, mime_type=_MARKDOWN)]


def resolved(bank: Bank, pointer: str) -> str:
    """Return what a pointer leads to; a guard's objection to any part of the note comes first."""
    text = bank.resolve(pointer)
    whole = pointer.partition("#")[0]
    return marked(text, pointer, whole=text if whole == pointer else bank.resolve(whole))


def marked(text: str, name: str, *, whole: str = "") -> str:
    """Return a text for an agent, with a sentence before it if a guard objects to it, or to the `whole` it is of."""
    from tacit.bank import consulting

    return f"{say('held.shown', name=name)}\n\n{text}" if consulting.is_held(whole or text) else text


async def read(door: Door, uri: str) -> list[ReadResourceContents]:
    """Return what a resource holds; raise ResourceNotFoundError with the bank's own sentence."""
    if uri not in _DOCUMENTS and not uri.startswith("mem://"):
        message = f"Unknown resource: {uri}"
        raise ResourceNotFoundError(message)

    def look(bank: Bank) -> str:
        if uri.startswith("mem://"):
            return resolved(bank, uri)
        bank.notes()  # refuses where the state forbids reading
        file = uri.rpartition("/")[2]
        if file == ENTRY:
            return bank.entry.told(file)
        return (fsio.read(bank.root / file) or b"").decode("utf-8", "replace")

    try:
        return [ReadResourceContents(content=await door(look), mime_type=_MARKDOWN)]
    except ToolError as error:
        raise (ResourceNotFoundError if uri.startswith("mem://") else ResourceError)(str(error)) from None


def remember(what: str = "") -> str:
    """Remember something in this project's memory."""
    wish = f"this: {what}" if what else "what I just said"
    return f"Call the tool `remember` with {wish}, in my own words. Tell me in one sentence what became of it."


def recall(task: str) -> str:
    """Look up what the memory knows for a task."""
    return (
        f"Call the tool `recall` for this task and keep to what it says; read a note by `show` if you need more: {task}"
    )


def extract() -> str:
    """Propose what was decided in this conversation."""
    return (
        "Go through this conversation for what I decided, preferred or corrected and what will matter again. Call the "
        "tool `propose` with one payload for each, source extract, my own words in origin.text. Leave out what holds "
        "only today. Then list what was written and what waits for my answer."
    )


def review() -> str:
    """Show the questions that wait for you."""
    return (
        "Call the tool `review` and show me each waiting proposal with its question, its options and its diff. Do not "
        "choose for me: I answer in my next message, or with `tacit review`."
    )


PROMPTS = tuple(Prompt.from_function(each) for each in (remember, recall, extract, review))
