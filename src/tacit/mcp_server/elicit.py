"""Asking the user past the model: one question at a time, by whichever way the client's protocol has.

Before 2026-07-28 a question is a request of its own in the middle of a call. Since then the call ends with the
question, and the client calls again with the answer and with the state that the SDK has sealed; so what was proposed
travels in that state, and nothing is proposed twice. Resolvers of the SDK would propose again in every round.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, cast

from mcp.shared.exceptions import MCPError
from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp.types.version import is_version_at_least

from tacit.audit.record import Channel
from tacit.errors import TacitError
from tacit.govern import gate
from tacit.govern.proposal import SHOW_DIFF
from tacit.messages import explain, say

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from mcp.server.mcpserver import Context

    from tacit.bank import Bank, Pending
    from tacit.mcp_server.door import Door

FIELD = "answer"
# A client gives up after ten rounds; each question may take two more than its own.
MOST_QUESTIONS = 3
_MOST_GIST_LINES = 12
_MOST_DIFF_CHARS = 6_000
_TITLED_SINCE = "2025-11-25"
_ROUNDS_SINCE = "2026-07-28"

# Lines of a diff that say something: no names of files, no rules, no fields of front matter.
_GIST = re.compile(r"^[+-](?!\+\+ )(?!--)(?!\s*$)(?![a-z_]+:)")

Wording = Literal["", "again", "diff"]


@dataclass(frozen=True, slots=True)
class Talk:
    """How far the asking of one call has come: what was proposed, what is to be asked, what became of it."""

    outcomes: list[dict[str, Any]]
    ahead: list[str]
    said: dict[str, str]
    written: list[str]
    digest: str = ""
    wording: Wording = ""

    @classmethod
    def resumed(cls, state: str | None) -> Talk | None:
        """Return what an earlier round left; it comes back sealed, so nobody else can have written it."""
        return cls(**json.loads(state)) if state else None

    def settled(self, sentence: str) -> Talk:
        """Go on to the next question."""
        first, *rest = self.ahead
        return replace(self, ahead=rest, said={**self.said, first: sentence}, digest="", wording="")


async def asked(
    ctx: Context[Door, Any], door: Door, proposing: Callable[[], Awaitable[list[dict[str, Any]]]]
) -> Talk | InputRequiredResult:
    """Return what became of proposals after the user was asked, or the question that the client is to put to them."""
    talk, given = await _begun(ctx, door, proposing)
    while talk.ahead:
        if given is None:
            talk, question = await door(partial(_question, talk, ctx, door))
            if question is None:
                continue
            if is_version_at_least(ctx.protocol_version or "", _ROUNDS_SINCE):
                state = json.dumps(asdict(talk), ensure_ascii=False)
                return InputRequiredResult(input_requests={FIELD: question}, request_state=state)
            given = await _pushed(ctx, question)
        talk = await door(partial(_taken, talk, given, door))
        given = None
    return talk


async def _begun(
    ctx: Context[Door, Any], door: Door, proposing: Callable[[], Awaitable[list[dict[str, Any]]]]
) -> tuple[Talk, ElicitResult | None]:
    """Return where the asking stands: at its beginning, or where an earlier round left it, with what came back."""
    resumed = Talk.resumed(ctx.request_state)
    if resumed is not None:
        given = (ctx.input_responses or {}).get(FIELD)
        return resumed, given if isinstance(given, ElicitResult) else None
    outcomes = await proposing()
    waiting = [each["proposal_id"] for each in outcomes if each["proposal_id"]]
    return Talk(outcomes, waiting[:MOST_QUESTIONS] if door.asks and _can_ask(ctx) else [], {}, []), None


def _can_ask(ctx: Context[Door, Any]) -> bool:
    """Whether the client says that it can show a form; a bare `elicitation: {}` means forms."""
    found = ctx.client_capabilities.elicitation if ctx.client_capabilities else None
    return found is not None and (found.form is not None or found.url is None)


async def _pushed(ctx: Context[Door, Any], question: ElicitRequest) -> ElicitResult:
    """Ask in the middle of the call; a client that fails has not answered."""
    form = cast("ElicitRequestFormParams", question.params)
    try:
        return cast("ElicitResult", await ctx.session.elicit_form(form.message, form.requested_schema, ctx.request_id))
    except (MCPError, ValueError):
        return ElicitResult(action="cancel")


def _question(talk: Talk, ctx: Context[Door, Any], door: Door, bank: Bank) -> tuple[Talk, ElicitRequest | None]:
    """Return the next question; none, and the talk gone on, where its proposal waits no more or needs a surer word."""
    proposal = next((each for each in bank.pending() if each.proposal_id == talk.ahead[0]), None)
    if proposal is None:
        return talk.settled(say("mcp.settled", id=talk.ahead[0])), None
    try:
        gate.insist(_operation(proposal), Channel.ELICITATION, bank.settings)
    except TacitError:
        return talk.settled(door.surer(proposal.proposal_id)), None
    form = ElicitRequestFormParams(message=message(proposal, talk.wording), requested_schema=schema(proposal, ctx))
    return replace(talk, digest=proposal.digest), ElicitRequest(params=form)


def _operation(proposal: Pending) -> str:
    return proposal.decision if proposal.decision in gate.SETTING else "replace"


def message(proposal: Pending, wording: Wording) -> str:
    """Return what the user reads: the question, and of the change the gist or, if they asked for it, all of it."""
    parts = [say("mcp.again")] if wording == "again" else []
    changed = [line for line in proposal.diff.split("\n") if _GIST.match(line)]
    gist = changed[:_MOST_GIST_LINES] + (["…"] if len(changed) > _MOST_GIST_LINES else [])
    shown = proposal.diff[:_MOST_DIFF_CHARS] if wording == "diff" else "\n".join(gist)
    return "\n\n".join([*parts, proposal.question.question, shown])


def schema(proposal: Pending, ctx: Context[Door, Any]) -> dict[str, Any]:
    """Return a form of one field: the ids of the options with their labels. A title at its root would break Codex."""
    choices = proposal.question.options
    if is_version_at_least(ctx.protocol_version or "", _TITLED_SINCE):
        field: dict[str, Any] = {"oneOf": [{"const": each.id, "title": each.label} for each in choices]}
    else:
        field = {"enum": [each.id for each in choices], "enumNames": [each.label for each in choices]}
    return {"type": "object", "properties": {FIELD: {"type": "string", **field}}, "required": [FIELD]}


def _taken(talk: Talk, given: ElicitResult, door: Door, bank: Bank) -> Talk:
    """Carry out what came back. Cancelled and declined forms leave the proposal open: clients send both unasked."""
    proposal_id = talk.ahead[0]
    if given.action != "accept":
        return talk.settled(say("mcp.open", id=proposal_id))
    option = str((given.content or {}).get(FIELD, ""))
    if option == SHOW_DIFF and talk.wording != "diff":
        return replace(talk, wording="diff")
    proposal = next((each for each in bank.pending() if each.proposal_id == proposal_id), None)
    if proposal is None:
        return talk.settled(say("mcp.settled", id=proposal_id))
    if option not in {each.id for each in proposal.question.options} - {SHOW_DIFF}:
        again = talk.wording != "again"
        return replace(talk, wording="again") if again else talk.settled(say("mcp.open", id=proposal_id))
    try:
        done = bank.answer(proposal_id, option, Channel.ELICITATION, shown=talk.digest)
    except TacitError as error:
        return talk.settled(" ".join(explain(error)))
    if done.status == "asked_again":  # the bank changed under the question, so it is another one now
        return replace(talk.settled(door.told(done)), ahead=[done.proposal_id, *talk.ahead[1:]])
    after = talk.settled(door.told(done))
    return replace(after, written=[*talk.written, proposal_id]) if done.status == "applied" else after
