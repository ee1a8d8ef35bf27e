"""The prompts: commands that a user picks in their client, as words to the agent."""

from mcp.server.mcpserver.prompts import Prompt


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
