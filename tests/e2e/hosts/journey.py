"""What is proved with every host, step by step, from install to uninstall."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tacit import Bank
from tacit.messages import say
from tests.e2e.hosts.terminal import ANSWER_S, ENTER, KEYS, START_S, Terminal
from tests.e2e.hosts.wire import Call, Say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tests.e2e.hosts.hosts import Dialog, Host, Plugin, Talk
    from tests.e2e.hosts.model import Asked
    from tests.e2e.hosts.place import Place

PACKAGES = ("Packages", "adding a package", "Use pnpm, never npm.")
MIGRATIONS = ("Migrations", "changing the database schema", "Add a rollback script to every migration.")
INJECTED = "Remembered notes"
UNRELATED = "Translate good morning into French."
MATCHING = "Which package manager do we use when adding a package?"
RULE = "when tagging a release, sign the tag with the team key"
RULE_AGAIN = "How do we sign the tag when tagging a release?"
AGAINST = "when adding a package, use npm, never pnpm"
YES, NO = "好，写吧", "不用了"
BRANCHES = "when naming a branch, begin with the ticket number"

_TIMES = 4
# Every line that is put into a file of the host's calls this.
_LAUNCHER = b".tacit/bin/tacit"
# Step → what it shows, in the order in which they are taken.
STEPS = {
    "alone": "the client talks to the model, and nothing of Tacit is in its request",
    "install": "`tacit install` wires the host",
    "context": "the session context is in the request that reached the model",
    "silence": "an unrelated prompt brings no note",
    "recall": "a matching prompt brings the right note, and that alone",
    "propose": "the agent proposes a note through MCP; nothing is written yet",
    "answer": "the user's next prompt “好，写吧” writes it; the log names the channel `prompt`",
    "known": "the next session knows it",
    "offered": "Tacit's tools are in the first request of that session already",
    "decline": "a conflicting note is proposed and declined; all notes stay byte for byte",
    "dialog": "the host's own dialog asks; its answer writes the note, the log names `elicitation`",
    "uninstall": "`tacit uninstall` gives every byte back",
    "server": "with `tacit install --mcp-hooks` the running server brings the note; uninstall gives every byte back",
    "user": "`tacit install --user` brings context and note; uninstall gives every byte of the home back",
    "plugin": "the folder `plugin/`, loaded as it is, brings context, note and tools",
}


class Failed(Exception):
    """A step did not show what it should; the sentence says what was seen instead."""


@dataclass(frozen=True, slots=True)
class Step:
    """What became of a step: pass, fail, skipped, or no where a host is only slower; with the reason if not passed."""

    name: str
    outcome: str
    reason: str = ""
    seconds: float = 0.0


@dataclass
class Journey:
    """One host's way through all steps; a step whose ground another one should have laid is skipped."""

    host: Host
    place: Place
    steps: list[Step] = field(default_factory=list)
    before: Mapping[str, bytes] = field(default_factory=dict)
    wired: Mapping[str, tuple[bytes | None, bytes | None]] = field(default_factory=dict)
    terminal: Terminal | None = None

    def walk(self) -> None:
        """Take every step."""
        if not self._step("alone", self._alone) or not self._step("install", self._install):
            return
        if self._step("context", self._context):
            self._step("silence", self._silence)
        self._step("recall", self._recall)
        if self._step("propose", self._propose) and self._step("answer", self._answer):
            self._step("known", self._known)
        self._step("decline", self._decline)
        dialog = self.host.dialog
        if dialog is None:
            self.steps.append(Step("dialog", "skipped", self.host.no_dialog))
        else:
            self._step("dialog", lambda: self._dialog(dialog))
        self._step("uninstall", self._uninstall)
        if self.host.has_mcp_hooks:
            self._step("server", self._server)
        else:
            self.steps.append(Step("server", "skipped", "the client has no hooks that are tools of a server"))
        self._step("user", self._user)
        plugin = self.host.plugin(self.place.repository)
        if plugin is None:
            self.steps.append(Step("plugin", "skipped", "the client has no such plugins"))
        else:
            self._step("plugin", lambda: self._plugin(plugin))

    def report(self) -> list[Step]:
        """Return what became of each step."""
        done = {step.name: step for step in self.steps}
        return [done.get(name, Step(name, "skipped", "a step before it failed")) for name in STEPS]

    def _step(self, name: str, act: Callable[[], None]) -> bool:
        self.place.tell(f"# {STEPS[name]}")
        began = time.monotonic()
        try:
            act()
        except Exception as error:  # noqa: BLE001  whatever happens is told in the matrix
            told = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
            step = Step(name, "fail", told, time.monotonic() - began)
        else:
            step = Step(name, "pass", "", time.monotonic() - began)
        self.steps.append(step)
        return step.outcome == "pass"

    def _alone(self) -> None:
        """Make the bank with its two notes and what the user has of the host, and use the host once."""
        self._tacit("init", "--yes")
        for title, when, line in (PACKAGES, MIGRATIONS):
            self._tacit("new", "--title", title, "--when", when, "--one-liner", line)
        self.host.prepare(self.place)
        first = self._turn(MATCHING, again=False)[0]
        self._must(not first.says("[memory: ON]") and not first.says(PACKAGES[2]), "something of Tacit is there")
        # After the first start: some clients put files and settings of their own into a project.
        self.before = self.place.files()

    def _tacit(self, *words: str) -> str:
        ran = self.place.run(["tacit", *words])
        self.place.show(["tacit", *words], ran)
        if ran.code != 0:
            message = f"`tacit {words[0]}` ended with {ran.code}: {(ran.err or ran.out).strip()[-300:]}"
            raise Failed(message)
        return ran.out

    def _install(self, *options: str, scope: str = "--project") -> None:
        self._hang_up()
        files, settings = self.place.files(), self.place.settings()
        self._tacit("install", self.host.name, scope, "--yes", *options)
        self.wired = _changed(settings, self.place.settings())
        self._must(bool(self.wired or _changed(files, self.place.files())), "nothing changed")
        trouble = self.host.approve(self.place)
        self._must(not trouble, trouble)

    def _context(self) -> None:
        first = self._turn(UNRELATED, again=False)[0]
        self._must(first.says("[memory: ON]"), "the bank's state is not in the request")
        self._must(first.says("conversation_id: "), "the agent was not told its conversation")
        self._quote(first, "[memory: ON]", 2)

    def _silence(self) -> None:
        first = self.place.model.questions()[0]  # of the same turn
        self._must(not first.says(PACKAGES[2]) and not first.says(MIGRATIONS[2]), "a note was injected")
        self.place.tell("(the same request; it holds no note)")

    def _recall(self) -> None:
        first = self._turn(MATCHING, again=True)[0]
        self._must(first.says(PACKAGES[2]), "the note is not in the request")
        self._must(not first.says(MIGRATIONS[2]), "the other note is in the request too")
        self._quote(first, INJECTED, 2)

    def _propose(self) -> None:
        before = self.place.notes()
        self._proposed(RULE, payload(RULE, "tagging a release", "sign the tag with the team key", "leave it unsigned"))
        self._must(self.place.notes() == before, "a note was written without an answer")

    def _answer(self) -> None:
        before = self.place.notes()
        first = self._turn(YES, again=True)[0]
        name, text = self._written(before)
        self._channel(name, "prompt")
        self._must(
            first.says(f"Done: new {name.partition('/')[2].removesuffix('.md')}"), "the agent was not told of it"
        )
        self.place.tell(text)

    def _known(self) -> None:
        first = self._turn(RULE_AGAIN, again=False)[0]
        self._must(bool(first.passage(INJECTED)), "no note is in the request of a new session")
        self._must("sign the tag with the team key" in first.passage(INJECTED), "another note is in the request")
        self._quote(first, INJECTED, 2)
        if any("tacit" in name for name in first.tools):
            self.steps.append(Step("offered", "pass"))
        else:
            self.steps.append(Step("offered", "no", self.host.late_tools))

    def _decline(self) -> None:
        before = self.place.notes()
        self._proposed(AGAINST, payload(AGAINST, "adding a package", "use npm", "use pnpm"))
        self._turn(NO, again=True)
        self._must(not Bank.open(self.place.bank).pending(), "the question still waits")
        self._must(self.place.notes() == before, "the notes changed")

    def _dialog(self, dialog: Dialog) -> None:
        """Answer two questions in the host's own dialog: yes to a rule, "the old one" to one against a note."""
        before = self.place.notes()
        with Terminal(dialog.words, self.place.project, self.place.environment) as terminal:
            self._must(terminal.until(dialog.ready, START_S), f"the client did not start:\n{terminal.text}")
            self.place.tell(f"$ {' '.join(dialog.words)}")
            rule = payload(BRANCHES, "naming a branch", "begin with the ticket number", "begin with a name")
            self._asked(terminal, BRANCHES, rule, ("Remember “", "It is written."), dialog.first)
            self._channel(self._written(before)[0], "elicitation")
            before = self.place.notes()
            rule = payload(AGAINST, "adding a package", "use npm", "use pnpm")
            self._asked(terminal, AGAINST, rule, ("contradicts", "It stays as it is."), dialog.second)
        self._must(self.place.notes() == before, "the notes changed")
        self._must(not Bank.open(self.place.bank).pending(), "the question still waits")

    def _asked(
        self, terminal: Terminal, words: str, given: Mapping[str, Any], shown: tuple[str, str], keys: Sequence[str]
    ) -> None:
        """Type a prompt, wait for the question, press the keys that answer it, and wait for the end of the turn."""
        question, ending = shown
        self.place.model.rehearse(Call("propose", {"payloads": [given]}), Say(ending))
        self._send(terminal, words)
        self._must(terminal.until(question, ANSWER_S), f"the dialog did not appear:\n{terminal.text}")
        terminal.rest()
        self.place.tell(terminal.text.strip("\n"))
        terminal.press(*keys)
        self.place.tell(f"(keys: {' '.join(KEYS[key] for key in keys)})")
        self._must(terminal.until(ending, ANSWER_S), f"the answer did not end the turn:\n{terminal.text}")

    def _uninstall(self, scope: str = "--project") -> None:
        self._hang_up()
        used = self.place.settings()
        self._tacit("uninstall", self.host.name, scope, "--yes")
        changed = [*_changed(self.before, self.place.files())]
        now = self.place.settings()
        for name, (before, installed) in self.wired.items():
            if used.get(name) != installed:
                self.place.tell(f"({name} was meanwhile written by the client itself)")
                self._must(_LAUNCHER not in now.get(name, b""), f"something of Tacit is left in {name}")
            elif now.get(name) != before:
                changed.append(name)
        self._must(not changed, f"not as before: {', '.join(changed)}")

    def _server(self) -> None:
        self._install("--mcp-hooks")
        first = self._turn(MATCHING, again=False)[0]
        self._must(first.says(PACKAGES[2]), "the note is not in the request")
        self._quote(first, INJECTED, 2)
        self._uninstall()

    def _user(self) -> None:
        self._install(scope="--user")
        first = self._turn(MATCHING, again=False)[0]
        self._must(first.says("[memory: ON]"), "the bank's state is not in the request")
        self._must(first.says(PACKAGES[2]), "the note is not in the request")
        self._quote(first, INJECTED, 2)
        self._uninstall(scope="--user")

    def _plugin(self, plugin: Plugin) -> None:
        for words in plugin.commands:
            ran = self.place.run(words)
            self.place.show(words, ran)
            self._must(ran.code == 0, f"`{' '.join(words[:3])}` ended with {ran.code}: {(ran.err or ran.out)[-300:]}")
        trouble = self.host.approve(self.place) if plugin.must_be_approved else ""
        self._must(not trouble, trouble)
        first = self._turn(MATCHING, again=False, more=plugin.words)[0]
        self._must(first.says("[memory: ON]"), "the bank's state is not in the request")
        self._must(first.says(PACKAGES[2]), "the note is not in the request")
        self._must(any("tacit" in name for name in first.tools), "the tools are not in the request")
        self._quote(first, INJECTED, 2)

    def _proposed(self, words: str, given: Mapping[str, Any]) -> None:
        """Let the user say something and the agent propose it; fail unless a question about it waits."""
        put = f"Shall I remember “{given['scene']}: {given['choice']}”?"
        script = (Call("propose", {"payloads": [given]}), Say(put))
        asked = self._turn(words, *script, again=True)
        if not any(isinstance(each.answer, Call) for each in asked):
            self.place.tell("(the server was not there yet; the user says it again)")
            asked = self._turn(words, *script, again=True)
        calls = [each.answer for each in asked if isinstance(each.answer, Call)]
        self._must(bool(calls), f"the tool was not offered; there were {', '.join(asked[0].tools)[:300]}")
        waiting = Bank.open(self.place.bank).pending()
        self._must(len(waiting) == 1, f"{len(waiting)} questions wait: {asked[-1].texts[-1][-300:]}")
        question = waiting[0].question.question
        self._must(say("reason.evidence.not_typed") not in question, f"the words were not heard as typed: {question}")
        self.place.tell(f"(the model calls {calls[0].tool}; the question that waits now:)\n{question}")

    def _turn(self, prompt: str, *script: Call | Say, again: bool, more: Sequence[str] = ()) -> list[Asked]:
        """Type a prompt, with more words in the command if they are given; return the requests of the agent."""
        self.place.model.rehearse(*(script or (Say("Good."),)))
        if self.host.talk:
            return self._typed(self.host.talk, prompt, again=again)
        words = [*self.host.turn(prompt, again=again), *more]
        ran = self.place.run(words)
        self.place.show(words, ran)
        asked = self.place.model.questions()
        if ran.code != 0 or not asked:
            message = f"the client ended with {ran.code} after {len(asked)} requests: {(ran.err or ran.out)[-300:]}"
            raise Failed(message)
        return asked

    def _typed(self, talk: Talk, prompt: str, *, again: bool) -> list[Asked]:
        """Type a prompt in a conversation on a terminal; return the requests of the agent until it has answered."""
        if not again:
            self._hang_up()
        if self.terminal is None:
            self.terminal = Terminal(talk.words, self.place.project, self.place.environment)
            self.place.tell(f"$ {' '.join(talk.words)}")
            self._must(self.terminal.until(talk.ready, START_S), f"the client did not start:\n{self.terminal.text}")
        model, terminal = self.place.model, self.terminal
        self._send(terminal, prompt)
        terminal.until_so(lambda: any(isinstance(each.answer, Say) for each in model.questions()), ANSWER_S)
        terminal.rest()
        asked = model.questions()
        self._must(bool(asked), f"nothing reached the model:\n{terminal.text}")
        shown = terminal.text
        self.place.tell(shown[max(0, shown.rfind(prompt) - 2) :].partition("\n──")[0].rstrip())
        return asked

    def _send(self, terminal: Terminal, words: str) -> None:
        """Type words and send them off; a client that is still busy drops them, or the key for a part of a paste."""
        for _ in range(_TIMES):
            terminal.press(words)
            if terminal.until(words, ANSWER_S / _TIMES):
                break
        for _ in range(_TIMES):
            terminal.press(ENTER)
            if terminal.until_so(lambda: bool(self.place.model.questions()), ANSWER_S / _TIMES):
                break

    def _hang_up(self) -> None:
        """End the conversation on a terminal, if there is one."""
        if self.terminal is not None:
            self.terminal.close()
            self.terminal = None

    def _written(self, before: Mapping[str, bytes]) -> tuple[str, str]:
        """Return name and text of the one note that is new."""
        new = {name: text for name, text in self.place.notes().items() if name not in before}
        self._must(len(new) == 1, f"{len(new)} notes were written")
        ((name, text),) = new.items()
        return name, text.decode().rstrip()

    def _channel(self, file: str, channel: str) -> None:
        lines = [each for each in Bank.open(self.place.bank).log() if each.file == file]
        self._must(bool(lines), "the log does not know the note")
        self._must(lines[-1].channel == channel, f"the log names the channel {lines[-1].channel}")
        self.place.tell(f"(log: {lines[-1].event} {file} channel={lines[-1].channel})")

    def _quote(self, asked: Asked, start: str, lines: int) -> None:
        passage = "\n".join(asked.passage(start).split("\n")[:lines])
        self.place.tell(f"(in the request to the model:)\n{passage}")

    def _must(self, holds: bool, otherwise: str) -> None:  # noqa: FBT001  reads as a sentence
        if not holds:
            raise Failed(otherwise)


def _changed(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Return what differs between two states of files: each name with what it held and what it holds."""
    names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    return {name: (old.get(name), new.get(name)) for name in names}


def payload(words: str, scene: str, choice: str, other: str) -> dict[str, Any]:
    """Return what an agent makes of a rule that it is not quite sure of."""
    return {
        "scene": scene,
        "principles": [choice, other],
        "choice": choice,
        "source": "auto",
        "confidence": "medium",
        "evidence": "the user's rule",
        "kind": "principle",
        "principle": words,
        "origin": {"text": words, "spans": [{"start": 0, "end": len(words), "label": "rule"}]},
        "claim": {"id": scene.replace(" ", "-"), "digest": choice},
    }
