"""The tools: what an agent may ask of the bank, what it gets back, and which role each needs."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations

from tacit.audit.record import Channel
from tacit.bank import Bank, By, Finished, Neighbour, Outcome
from tacit.bank import Context as Conversation
from tacit.bank.roles import Role, least, refuse
from tacit.errors import NoteNotFound, PayloadRefused
from tacit.index.contract import QUARANTINED
from tacit.mcp_server import elicit, resources
from tacit.mcp_server.door import Door
from tacit.mcp_server.schemas import Strict, slim
from tacit.messages import say
from tacit.note import pointer
from tacit.tasks.working import Task

if TYPE_CHECKING:
    from tacit.bank.recalling import Hit

Call = Context[Door, Any]
_MOST_HITS = 50
_MOST_ADVICE = 10
_MOST_NEAR, _CLOSE = 3, 0.1
_MOST_PAYLOADS = 50
_TASK_WRITES = {"start", "note", "resume", "finish", "clear"}
# What Claude Code needs to show a tool to its model without a search.
_META = {"anthropic/alwaysLoad": True}


@dataclass
class Line:
    """A note in one line; its body is read by `show`."""

    id: str
    title: str
    one_liner: str
    file: str


@dataclass
class Recalled:
    """`said` is empty where nothing fits well enough."""

    said: str
    reason: str
    notes: list[Line]


@dataclass
class Found:
    """Best first."""

    notes: list[Line]


@dataclass
class Shown:
    """What is written, and in which files."""

    text: str
    files: list[str]


@dataclass
class Result:
    """What became of one payload; with a proposal_id it waits for the user unless `written`."""

    decision: str
    written: bool
    note_id: str
    proposal_id: str
    question: str
    reasons: list[str]
    answer: str
    near: list[str]


@dataclass
class Proposed:
    """In the order of the payloads."""

    results: list[Result]


@dataclass
class Waiting:
    """A proposal that waits for the user."""

    proposal_id: str
    question: str
    diff: str
    expires: str


@dataclass
class Review:
    """How the bank is, and what waits for the user."""

    state: str
    role: str
    notes: int
    proposals: list[Waiting]
    problems: list[str]


@dataclass
class Maintained:
    """What was done."""

    result: str


@dataclass
class Worked:
    """A task after a call; `waiting` means that the user's answers to proposals are missing."""

    task_id: str
    state: str
    memory: str
    proposals: list[str]


async def recall(
    ctx: Call, prompt: str, phase: Literal["pre", "post"] = "pre", conversation_id: str = "", *, hook: bool = False
) -> Annotated[CallToolResult, Recalled]:
    """Nought to two notes of this project's memory worth knowing for a task: conventions, decisions, pitfalls.

    Call it before you plan or write code (phase pre) and after you wrote files (post), with the user's own words as
    `prompt`. Silence means that nothing fits. `conversation_id`, if you were told one, keeps it from repeating itself.
    """
    found = await _door(ctx)(lambda bank: bank.recall(prompt, phase, conversation_id))
    lines = [Line(each.id, each.title, each.one_liner, each.file) for each in found.notes]
    said = found.injection or say("recall.silent", reason=found.reason)
    return _result(_as_hook(found.injection) if hook else said, Recalled(found.injection, found.reason, lines))


async def search(ctx: Call, query: str, limit: int = 10) -> Annotated[CallToolResult, Found]:
    """Find notes by words and meaning, best first, whether they fit well or not; one line each."""
    lines, held = await _door(ctx)(lambda bank: _found(bank, query, max(1, min(limit, _MOST_HITS))))
    told = [f"[{each.id}] {each.title}: {each.one_liner} ({each.file})" for each in lines]
    told += [say("held.found", count=held)] if held else []
    return _result("\n".join(told) or say("search.none"), Found(lines))


async def show(ctx: Call, what: str = "", question: str = "") -> Annotated[CallToolResult, Shown]:
    """Read `what` whole: a note by id (MEM-…), path or pointer (mem://…). Or what the details say to a `question`."""

    def look(bank: Bank) -> Shown:
        if question:
            found = bank.entry.read(question)
            return Shown(found.text, [file for file, _ in found.files])
        if not what:
            raise NoteNotFound(id="without a name", nearest=": `what` is an id, a path or a pointer")
        address = pointer.of_id(what)
        if address.startswith("mem://"):
            return Shown(resources.resolved(bank, address), [])
        file = bank.locate(what)
        return Shown(resources.marked(bank.text(what), file), [file])

    found = await _door(ctx)(look)
    return _result(found.text, found)


async def propose(
    ctx: Call,
    payloads: list[dict[str, Any]] | None = None,
    target: str = "",
    draft: str = "",
    conversation_id: str = "",
    *,
    dry_run: bool = False,
) -> Annotated[CallToolResult, Proposed] | InputRequiredResult:
    """Propose what the user decided, preferred or corrected.

    One payload per decision: when it matters (`scene`), what was chosen (`choice`), all that was weighed
    (`principles`, the choice among them), and the user's own words unchanged (`origin.text`). `search` first: name in
    `relations` what says the same or the opposite, in whatever words. What only the result shows (`near`): make the
    call again with it. Tacit asks the user where needed; you never answer for them.
    Or a `draft` for a detail file (`target`: details/tech.md, MEMORY.md).
    With the `conversation_id` that you were told, the user can answer in their next message.
    """
    if draft:
        return await _drafted(ctx, target, draft)
    return await _governed(ctx, list(payloads or ()), conversation_id, dry_run=dry_run)


async def remember(
    ctx: Call, text: str, relations: list[dict[str, str]] | None = None, conversation_id: str = ""
) -> Annotated[CallToolResult, Proposed] | InputRequiredResult:
    """Remember one remark because the user asks for it; `text` is what they said, in their words, nothing added.

    `relations`, `near` and `conversation_id` are as in `propose`.
    """
    from tacit.capture import remark

    judged = {"relations": relations} if relations else {}
    return await _governed(ctx, [{**remark.payload(text), **judged}], conversation_id, dry_run=False)


async def review(ctx: Call) -> Annotated[CallToolResult, Review]:
    """Show the bank's state, the proposals that wait for the user's answer, and what is wrong in the bank.

    It only lists: users answer in the chat, in a form, or with `tacit review`.
    """
    door = _door(ctx)

    def look(bank: Bank) -> Review:
        count, problems = bank.check()
        waiting = [Waiting(each.proposal_id, _asked(each.question), each.diff, each.expires) for each in bank.pending()]
        told = [f"{each.file}:{each.line}: {each.message}" for each in problems]
        return Review(str(bank.state), str(door.role), count, waiting, told)

    found = await door(look)
    parts = [say("state", state=found.state), *(f"{each.proposal_id}: {each.question}" for each in found.proposals)]
    return _result("\n".join([*parts, *found.problems]), found)


async def maintain(
    ctx: Call, act: Literal["reindex", "govern", "archive", "delete"], note_id: str = ""
) -> Annotated[CallToolResult, Maintained] | InputRequiredResult:
    """Make the search index anew (reindex), look after all notes (govern), or propose to archive or delete a note."""
    door = _door(ctx)
    loop = asyncio.get_running_loop()

    def progress(done: int, total: int) -> None:
        asyncio.run_coroutine_threadsafe(ctx.report_progress(done, total), loop)

    if act == "govern":
        report = await door(lambda bank: bank.govern(by=By(Channel.NONE), progress=progress))
        lines = [say("govern.found" if report.proposals else "govern.nothing", count=len(report.proposals))]
        lines += [f"{each.proposal_id}: {each.question}" for each in report.proposals[:_MOST_ADVICE]]
        return _result("\n".join(lines), Maintained("\n".join(lines)))
    if act == "reindex":
        await door(lambda bank: bank.rebuild_index(progress=progress))
        count = await door(lambda bank: bank.index_status().documents)
        text = say("index.documents", count=count)
        return _result(text, Maintained(text))

    async def proposing() -> list[dict[str, Any]]:
        proposal_id = await door(lambda bank: bank.propose_act(act, note_id, by=By(Channel.NONE)))
        return [{"proposal_id": proposal_id}]

    needed = Role.ORCHESTRATOR
    if not door.role.may(needed):
        await door(lambda bank: refuse(bank, f"maintain {act}", door.role, needed))
    talk = await elicit.asked(ctx, door, proposing)
    if isinstance(talk, InputRequiredResult):
        return talk
    (proposal_id,) = (each["proposal_id"] for each in talk.outcomes)
    text = talk.said.get(proposal_id) or say("mcp.open", id=proposal_id)
    return _result(text, Maintained(text))


async def task(
    ctx: Call,
    act: Literal["start", "note", "show", "list", "resume", "finish", "clear"],
    text: str = "",
    task_id: str = "",
    parent: str = "",
) -> Annotated[CallToolResult, Worked] | InputRequiredResult:
    """Keep a task's working memory: start (`text` is its title), note (a finding), finish (proposes notes of it)."""
    door = _door(ctx)
    needed = least(f"task {act}") if act in _TASK_WRITES else Role.READER
    if not door.role.may(needed):
        await door(lambda bank: refuse(bank, f"task {act}", door.role, needed))
    if act == "finish":
        return await _finished(ctx, door, task_id)

    def work(bank: Bank) -> Worked:
        tasks, by = bank.tasks, By(Channel.NONE)
        if act == "list":
            lines = [f"{each.id} {each.state} {each.title}" for each in tasks.list()]
            lines += [f"{file} {say('task.damaged')}" for file in tasks.damaged()]
            return Worked("", "", "\n".join(lines), [])
        if act == "clear":
            return Worked(task_id, "cleared", "\n".join(tasks.clear(task_id, by=by).files), [])
        if act == "start":
            found = tasks.start(text, parent=parent, by=by)
        elif act == "note":
            found = tasks.note(text, task=task_id, by=by)
        elif act == "resume":
            found = tasks.resume(task_id, by=by)
        else:
            found = tasks.show(task_id)
        return _worked(found)

    done = await door(work)
    head = f"{done.task_id} {done.state}".strip()
    return _result("\n".join(part for part in (head, done.memory) if part) or say("empty.tasks"), done)


def _found(bank: Bank, query: str, most: int) -> tuple[list[Line], int]:
    """Return the best notes for a query, and how many more a guard holds back; these take no other's place."""
    hits = bank.search(query, most)
    held = sum(map(_is_held, hits))
    if held:
        hits = bank.search(query, most + _MOST_HITS)
    clear = [each for each in hits if not _is_held(each)][:most]
    return [Line(each.id, each.title, each.one_liner, each.file) for each in clear], held


def _is_held(hit: "Hit") -> bool:
    return hit.verdict == QUARANTINED


async def _finished(ctx: Call, door: Door, task_id: str) -> CallToolResult | InputRequiredResult:
    """End a task: the user is asked about its cards, and once all are answered it becomes an episode."""

    async def proposing() -> list[dict[str, Any]]:
        done = await door(lambda bank: bank.tasks.finish(task_id, by=By(Channel.NONE)))
        return [{**_ended(done), "proposal_id": name} for name in ("", *(each.proposal_id for each in done.proposals))]

    talk = await elicit.asked(ctx, door, proposing)
    if isinstance(talk, InputRequiredResult):
        return talk
    first = talk.outcomes[0]
    if talk.said:
        first = await door(lambda bank: _ended(bank.tasks.finish(first["task_id"], by=By(Channel.NONE))))
    worked = Worked(**{name: first[name] for name in Worked.__dataclass_fields__})
    asks = [door.unanswered(in_chat=False), *first["asked"]] if worked.proposals else []
    return _result("\n".join([f"{worked.task_id} {worked.state}", worked.memory, *talk.said.values(), *asks]), worked)


def _ended(done: Finished) -> dict[str, Any]:
    asked = [f"{each.proposal_id}: {_asked(each.question)}" for each in done.proposals]
    memory = " ".join(filter(None, (done.episode, *done.cards)))
    return {
        "task_id": done.task_id,
        "state": done.state,
        "memory": memory,
        "proposals": [each.proposal_id for each in done.proposals],
        "asked": asked,
    }


def _worked(task: Task) -> Worked:
    """Return a task with its working memory: what was loaded for it, whole, and what was found."""
    loaded = [f"[{each.id}] {each.file}\n{each.text}" for each in (*task.core, *task.notes)]
    found = [f"{each.kind}: {each.text}" for each in task.entries]
    return Worked(task.id, str(task.state), "\n".join([task.title, *loaded, *found]), list(task.proposals))


async def _drafted(ctx: Call, target: str, draft: str) -> CallToolResult | InputRequiredResult:
    """Propose a draft for a detail, and let the user be asked."""

    async def proposing() -> list[dict[str, Any]]:
        done = await _door(ctx)(lambda bank: bank.entry.propose_detail(target, draft, by=By(Channel.NONE)))
        return [asdict(_waiting(done.proposal_id, f"{_asked(done.question)}\n{done.diff}"))]

    return await _results(ctx, proposing)


async def _governed(
    ctx: Call, payloads: list[Any], conversation_id: str, *, dry_run: bool
) -> CallToolResult | InputRequiredResult:
    """Propose, let the user be asked, and tell what became of it."""
    door = _door(ctx)
    # The model's word is no channel: what it calls an act of the user is weighed like everything else that it sends.
    context = Conversation(conversation_id, channel=Channel.NONE)

    def act(bank: Bank) -> list[Outcome]:
        if not payloads:
            raise PayloadRefused(field="payloads", reason="there are none", fix="send one for each decision")
        if len(payloads) > _MOST_PAYLOADS:
            told = f"send at most {_MOST_PAYLOADS} in one call"
            raise PayloadRefused(field="payloads", reason=f"has {len(payloads)} items", fix=told)
        return bank.propose(payloads, context, dry_run=dry_run)

    async def proposing() -> list[dict[str, Any]]:
        return [asdict(_told(each)) for each in await door(act)]

    # Where no hook hears the user, a yes in the chat is heard by nobody.
    in_chat = bool(conversation_id) and await door(lambda bank: bool(bank.session(conversation_id).prompts()))
    return await _results(ctx, proposing, in_chat=in_chat)


async def _results(
    ctx: Call, proposing: Callable[[], Awaitable[list[dict[str, Any]]]], *, in_chat: bool = False
) -> CallToolResult | InputRequiredResult:
    """Let the user be asked; `in_chat` says that their next message can answer what no form did."""
    talk = await elicit.asked(ctx, _door(ctx), proposing)
    if isinstance(talk, InputRequiredResult):
        return talk
    results = [
        Result(**each | {"answer": talk.said.get(name, ""), "written": each["written"] or name in talk.written})
        for each in talk.outcomes
        for name in (each["proposal_id"],)
    ]
    ask = _door(ctx).unanswered(in_chat=in_chat)
    return _result("\n\n".join(_sentence(each, ask) for each in results), Proposed(results))


def _waiting(proposal_id: str, question: str) -> Result:
    """Return what is told of a draft that waits."""
    return Result(
        decision="proposed",
        written=False,
        note_id="",
        proposal_id=proposal_id,
        question=question,
        reasons=[],
        answer="",
        near=[],
    )


def _told(outcome: Outcome) -> Result:
    return Result(
        decision=str(outcome.decision),
        written=outcome.written,
        note_id=outcome.note_id,
        proposal_id=outcome.proposal_id,
        question=_asked(outcome.question) if outcome.question else "",
        reasons=list(outcome.reasons),
        answer="",
        near=[f"[{each.id}] {each.relation}: {each.one_liner}" for each in outcome.neighbours if _is_close(each)][
            :_MOST_NEAR
        ],
    )


def _is_close(near: Neighbour) -> bool:
    """Whether an agent should read a neighbour: it may say the same, or the opposite, in other words."""
    return bool(near.one_liner) and near.score >= _CLOSE


def _asked(question: Any) -> str:  # noqa: ANN401  of the bank's own making
    options = "; ".join(f"{each.label} [{each.id}]" for each in question.options)
    return f"{question.question}\n{options}"


def _sentence(result: Result, ask: str) -> str:
    """Return for an agent what became of a payload; a question that nobody answered is there to be shown.

    A client without anybody before it dismisses a form by itself, so a dismissed one is shown too.
    """
    near = "\n" + say("mcp.near", near="\n".join(result.near)) if result.near else ""
    # What waits or was declined is no note yet.
    name = result.note_id if result.written or not result.proposal_id else result.proposal_id
    head = f"{result.decision} {name}".strip()
    if result.question and result.answer in ("", say("mcp.open", id=result.proposal_id)):
        return f"{head}: {f'{result.answer} {ask}'.strip()}\n{result.question}{near}"
    return f"{head}: {result.answer or ' '.join(result.reasons)}{near}"


def _result(text: str, structured: Any) -> CallToolResult:  # noqa: ANN401  one of the dataclasses above
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=asdict(structured))


def _as_hook(said: str) -> str:
    """Return what is recalled in the shape that Claude Code and Codex take from a tool that is their hook."""
    context = {"hookEventName": "UserPromptSubmit", "additionalContext": said}
    return json.dumps({"hookSpecificOutput": context}, ensure_ascii=False) if said else ""


def _door(ctx: Call) -> Door:
    return ctx.request_context.lifespan_context


def _tool(act: Callable[..., Any], title: str, *, reads: bool, destroys: bool = False, again: bool = True) -> Tool:
    hints = ToolAnnotations(
        title=title, read_only_hint=reads, destructive_hint=destroys, idempotent_hint=again, open_world_hint=False
    )
    return slim(Strict.from_function(act, annotations=hints, meta=_META))


# Tool → the least role that may call it.
NEEDED = {
    "recall": Role.READER,
    "search": Role.READER,
    "show": Role.READER,
    "propose": Role.READER,
    "remember": Role.READER,
    "review": Role.READER,
    "task": Role.READER,
    "maintain": Role.MEMORY,
}
TOOLS = (
    _tool(recall, "Recall", reads=True),
    _tool(search, "Search", reads=True),
    _tool(show, "Show a note", reads=True),
    _tool(propose, "Propose notes", reads=False, again=False),
    _tool(remember, "Remember", reads=False, again=False),
    _tool(review, "Review", reads=True),
    _tool(task, "Task", reads=False, again=False),
    _tool(maintain, "Maintain the bank", reads=False, destroys=True),
)
