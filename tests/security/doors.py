"""The doors that take text or files from others, each as a function that puts a hostile text into it.

A door returns what was said to whoever knocked; a documented refusal (TacitError) is an answer as well.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote

from mcp.shared.exceptions import MCPError

from tacit.bank import Bank, Context
from tacit.bank.roles import Role
from tacit.hooks.respond import respond
from tests.cli.runner import environment, note_text, tacit, write
from tests.mcp.clients import User, server, talk
from tests.web.visitors import Visitor

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mcp import Client

ID = "MEM-good0001"
OTHER = "MEM-other001"
FILE = f"L1_declarative/{ID}.md"
HOSTILE_FILE = "L1_declarative/MEM-hostile1.md"


@dataclass(frozen=True, slots=True)
class World:
    """A project with a bank of one note, and files beside it that nobody may touch."""

    project: Path

    @property
    def bank(self) -> Path:
        """The bank's folder."""
        return self.project / ".memory"


def _told(*words: str) -> str:
    """Run a command in this process; only usage, refusals and failures of the disk may end it otherwise than well."""
    done = tacit(*words)
    assert done.code in (0, 1, 2, 3, 4, 5, 6, 7, 9), (done.code, done.err)
    assert "Traceback" not in done.err
    return done.out + done.err


def _looked_at() -> str:
    """Use the bank as one does: list, search, check, and recall."""
    return "".join(
        _told(*words) for words in (["list"], ["search", "anything at all"], ["check"], ["recall", "adding a package"])
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


# ── Files of the bank, as an editor, git or another program leaves them ───────────────────────────────────────────────


def _note_file(world: World, text: str) -> str:
    write(world.bank / HOSTILE_FILE, _bytes(text))
    return _looked_at()


def _front_matter(world: World, text: str) -> str:
    write(world.bank / HOSTILE_FILE, _bytes(note_text("MEM-hostile1").replace("title: Written by hand", text)))
    return _looked_at()


def _title_in_a_file(world: World, text: str) -> str:
    line = json.dumps(text, ensure_ascii=False)
    write(world.bank / HOSTILE_FILE, _bytes(note_text("MEM-hostile1", line)))
    return _looked_at() + _told("show", "MEM-hostile1")


def _body_of_a_file(world: World, text: str) -> str:
    write(world.bank / HOSTILE_FILE, _bytes(note_text("MEM-hostile1") + f"\n## Decision\n\n{text}\n"))
    return _looked_at() + _told("show", "MEM-hostile1")


def _secret_in_a_file(world: World, text: str) -> str:
    """What is in a file is shown to whoever opens it, and to nobody else: no recall, no session, no log has it."""
    write(world.bank / HOSTILE_FILE, _bytes(note_text("MEM-hostile1").replace("Test it.", text.replace("\n", " "))))
    bank = Bank.open(world.bank)
    told = _told("check") + _told("recall", "when testing") + bank.session_context("s", 9_000) + str(bank.log())
    return told + bank.recall("when testing", session="s").injection


def _name_of_a_file(world: World, text: str) -> str:
    write(world.bank / "L1_declarative" / f"{_name(text)}.md", note_text("MEM-hostile1"))
    return _looked_at()


def _name(text: str) -> str:
    """Return what of a text the name of a file can be."""
    whole = text.replace("/", "-").replace("\0", "-").encode("utf-8", "ignore")
    return whole[:60].decode("utf-8", "ignore").strip() or "x"


def _index_table(world: World, text: str) -> str:
    write(world.bank / "INDEX.md", _bytes(text))
    return _looked_at()


def _settings(world: World, text: str) -> str:
    write(world.bank / "tacit.toml", _bytes(f"format = 1\n[recall]\n{text}\n"))
    return _looked_at() + _told("config", "recall.notes", "1")


def _entry_document(world: World, text: str) -> str:
    write(world.bank / "MEMORY.md", _bytes(text))
    bank = Bank.open(world.bank)
    return bank.session_context("s", 9_000) + _told("refresh", "--yes") + _told("drift")


def _staged_by_git(world: World, text: str) -> str:
    """A file with a hostile name and content, staged in a real repository."""
    write(world.bank / "L1_declarative" / f"{_name(text)}.md", _bytes(text))
    for words in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=world.project, check=True, capture_output=True, env=environment())
    return _told("check", "--staged")


# ── What programs send ────────────────────────────────────────────────────────────────────────────────────────────────


def _payload_value(world: World, text: str) -> str:
    sent = {"scene": text, "principles": [text, "b"], "choice": text, "source": "remember", "tags": [text]}
    return str(Bank.open(world.bank).propose([sent, {**sent, "scene": "x", "choice": "b", "origin": {"text": text}}]))


def _payload_shape(world: World, text: str) -> str:
    """The text as a payload, as the name of a member, and as a file of payloads."""
    bank = Bank.open(world.bank)
    told = str(bank.propose([text, [text], {text: text}, {"scene": {text: 1}, "source": text}]))
    return told + _told("propose", str(write(world.project / "payloads.json", _bytes(text))))


def _remark(world: World, text: str) -> str:
    return str(Bank.open(world.bank).remember(text))


def _prompt_of_a_host(world: World, text: str) -> str:
    members = {"hook_event_name": "UserPromptSubmit", "session_id": text, "cwd": str(world.project), "prompt": text}
    return _hook(world, json.dumps(members).encode())


def _event_of_a_host(world: World, text: str) -> str:
    """The text as the whole event, and as each of its members in turn."""
    said = _hook(world, _bytes(text))
    for name in ("hook_event_name", "cwd", "workspace_roots", "source", "tool_name", "tool_input", "turn_id"):
        members = {"hook_event_name": "PostToolUse", "cwd": str(world.project), "tool_name": "Write", name: text}
        said += _hook(world, json.dumps(members).encode())
    return said


def _hook(world: World, given: bytes) -> str:
    bank = Bank.open(world.bank)
    environment = {"CLAUDE_PROJECT_DIR": str(world.project)}
    return respond(["prompt"], environment, given, lambda _: bank).decode()


def _query_by_mcp(world: World, text: str) -> str:
    return _mcp(world, "search", query=text)


def _address_by_mcp(world: World, text: str) -> str:
    return _mcp(world, "show", what=text)


def _payload_by_mcp(world: World, text: str) -> str:
    return _mcp(world, "propose", payloads=[{"scene": text, "principles": [text], "choice": text, "source": "auto"}])


def _task_by_mcp(world: World, text: str) -> str:
    return _mcp(world, "task", action="start", title=text)


async def _called(client: Client, *, tool: str, arguments: dict[str, object]) -> str:
    return "\n".join(getattr(part, "text", "") for part in (await client.call_tool(tool, arguments)).content)


def _mcp(world: World, tool: str, **arguments: object) -> str:
    try:
        act = partial(_called, tool=tool, arguments=arguments)
        return talk(server(world.bank, Role.ORCHESTRATOR), act, user=User("cancel"))
    except (MCPError, UnicodeEncodeError) as refusal:  # the second is the client's own: it could not send that
        return str(refusal).encode("utf-8", "replace").decode()


# ── What people type, and what pages send ─────────────────────────────────────────────────────────────────────────────


def _query(world: World, text: str) -> str:
    bank = Bank.open(world.bank)
    return str(bank.search(text)) + bank.recall(text, session="s").injection + _told("search", "--", text)


def _address(world: World, text: str) -> str:  # noqa: ARG001  the bank is found from the working directory
    commands = (
        ["show"],
        ["log"],
        ["restore"],
        ["undo"],
        ["delete"],
        ["purge"],
        ["task", "show"],
        ["config", "language"],
    )
    return "".join(_told(*words, "--", text) for words in commands)


def _options_of_new(world: World, text: str) -> str:  # noqa: ARG001  as above
    told = _told("new", f"--title={text}", f"--when={text}", f"--one-liner={text}", f"--decision={text}")
    return told + _told("tag", OTHER, "--", text)


def _answer(world: World, text: str) -> str:
    bank = Bank.open(world.bank)
    waiting = bank.propose_act("archive", ID)
    tried = ((waiting, text), (text, "confirm"), (text, text))
    return "".join(_told("answer", "--", *words) for words in tried)


def _task(world: World, text: str) -> str:  # noqa: ARG001  as above
    told = _told("task", "start", "--", text)
    return told + _told("task", "start", "t") + _told("task", "note", "--", text) + _told("task", "list")


def _page_address(world: World, text: str) -> str:
    return _page(world, lambda visitor: visitor.get(f"/notes/{quote(text, errors='surrogatepass')}"))


def _page_query(world: World, text: str) -> str:
    words = quote(text[:4_000], errors="surrogatepass")
    return _page(world, lambda visitor: visitor.get(f"/search?q={words}&page={words}&layer={words}"))


def _page_form(world: World, text: str) -> str:
    fields = {name: text.encode("utf-8", "replace").decode() for name in ("text", "shown", "proposal", "option", "id")}
    return _page(world, lambda visitor: visitor.post("/answer", fields)) + _page(
        world, lambda visitor: visitor.post(f"/notes/{ID}/save", fields)
    )


def _page(world: World, act: Callable[[Visitor], object]) -> str:
    visitor = Visitor(world.bank).enter()
    try:
        page = act(visitor)
    finally:
        visitor.leave()
    assert getattr(page, "status_code", 0) < 500, page
    return ""


# ── Files of others that are read in ──────────────────────────────────────────────────────────────────────────────────


def _transcript(world: World, text: str) -> str:
    return _told("extract", "--yes", str(write(world.project / "talk.jsonl", _bytes(text))))


def _words_in_a_transcript(world: World, text: str) -> str:
    line = json.dumps({"type": "user", "message": {"role": "user", "content": f"From now on always use uv. {text}"}})
    told = _told("extract", "--yes", str(write(world.project / "talk.jsonl", line)))
    return told + str(Bank.open(world.bank).propose([], Context("s")))


def _importing(folder: str, file: str, frame: str = "%s") -> Callable[[World, str], str]:
    def door(world: World, text: str) -> str:
        source = write(world.project.parent / "source" / folder / file, _bytes(frame.replace("%s", text)))
        return _told("import", "--yes", str(source.parent if folder else source))

    return door


DOORS: dict[str, tuple[Callable[[World, str], str], tuple[str, ...]]] = {
    "a note's file": (_note_file, ("yaml", "unicode", "sizes")),
    "a line of front matter": (_front_matter, ("yaml", "unicode", "terminal")),
    "the title in a file": (_title_in_a_file, ("terminal", "markup", "shell", "orders")),
    "the body of a file": (_body_of_a_file, ("terminal", "markup")),
    "a secret in a file": (_secret_in_a_file, ("secrets",)),
    "the name of a file": (_name_of_a_file, ("paths", "options", "shell", "terminal", "unicode")),
    "INDEX.md": (_index_table, ("markup", "sizes")),
    "tacit.toml": (_settings, ("toml", "unicode")),
    "MEMORY.md": (_entry_document, ("markup", "terminal", "sizes", "secrets")),
    "what git has staged": (_staged_by_git, ("options", "shell")),
    "a payload's values": (_payload_value, ("terminal", "markup", "orders", "sizes", "secrets")),
    "a payload's shape": (_payload_shape, ("json", "unicode", "secrets")),
    "a remark": (_remark, ("orders", "sizes", "unicode", "secrets")),
    "a prompt of a host": (_prompt_of_a_host, ("queries", "orders", "sizes", "unicode", "secrets")),
    "an event of a host": (_event_of_a_host, ("json", "paths")),
    "a query by MCP": (_query_by_mcp, ("queries",)),
    "an address by MCP": (_address_by_mcp, ("paths", "options")),
    "a payload by MCP": (_payload_by_mcp, ("orders", "secrets")),
    "a task by MCP": (_task_by_mcp, ("terminal", "secrets")),
    "a query": (_query, ("queries", "sizes", "unicode")),
    "an address": (_address, ("paths", "options", "shell", "unicode")),
    "options of new": (_options_of_new, ("terminal", "yaml", "unicode", "secrets")),
    "an answer": (_answer, ("orders", "options")),
    "a task": (_task, ("paths", "unicode", "secrets")),
    "an address of the page": (_page_address, ("paths", "markup")),
    "a query on the page": (_page_query, ("queries", "unicode")),
    "a form of the page": (_page_form, ("markup", "unicode")),
    "a transcript": (_transcript, ("json", "sizes")),
    "words in a transcript": (_words_in_a_transcript, ("orders", "shell", "secrets")),
    "a memory of LingXi": (
        _importing("lingxi", "notes/x.md", "# T\n\n## Meta\n\n- **Id**: %s\n- **Title**: %s\n\n## One-liner\n\n%s\n"),
        ("paths", "terminal", "secrets"),
    ),
    "a layered memory": (_importing("layered", "L1_declarative/x.yaml"), ("yaml", "unicode")),
    "a memory bank": (_importing("memory-bank", "MEMORY.md"), ("markup", "sizes", "secrets")),
    "a graph of memories": (_importing("", "memory.json"), ("json",)),
    "names in a graph": (
        _importing("", "memory.jsonl", '{"type": "entity", "name": "%s", "entityType": "%s", "observations": ["%s"]}'),
        ("paths", "shell", "secrets"),
    ),
    "rules of an editor": (_importing("rules/.cursor/rules", "x.mdc"), ("markup", "terminal", "secrets")),
    "a folder of Markdown": (_importing("plain", "x.md", "---\ntitle: %s\n---\n%s\n"), ("yaml", "unicode")),
}
