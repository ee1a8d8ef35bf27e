"""What the machine blocks of the entry document say, made from the project, the notes and the details."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.formats.memory_bank import OLD_FOLDER
from tacit.text import clip, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.project.values import Manifest, Survey

VERSION = 1
# The machine blocks in the order of the document.
BLOCKS = ("snapshot", "focus", "decisions", "routing", "protocol", "safety", "answers")
USER_TEXT = "## Yours\n\nWrite here what every agent should know; Tacit never changes this block.\n"
_MAX_DECISIONS = 10
_MAX_RULES = 24
_MAX_ANSWERS = 8
_MAX_STACK = 8
_MAX_FOLDERS = 12
_MAX_INSIDE = 8
_LINE_COLUMNS = 160

# By the name of a detail file: when to read it, in English and Chinese, so that either finds it.
_INTENTS = {
    "tech": "build, run or test, or to look up stack and versions (技术栈, 命令, 构建, 运行, 测试, 版本)",
    "patterns": "design or write code as is done here: decisions, conventions (架构, 决策, 模式, 约定, 规范)",
    "progress": "know what is done, what is left and what changed (进度, 完成, 状态, 历史)",
    "brief": "know what the project is for, its goals and scope (项目, 目标, 范围, 概述)",
    "product": "know why it exists and how it should feel to its users (产品, 用户, 需求, 体验)",
    "active": "know what is being worked on now and what comes next (当前, 焦点, 下一步)",
}
_KNOWN_NAMES = {
    "techcontext": "tech",
    "systempatterns": "patterns",
    "projectbrief": "brief",
    "productcontext": "product",
    "activecontext": "active",
}
_QUESTIONS = (
    ("How is it installed?", ("install", "setup", "bootstrap")),
    ("How is it run?", ("dev", "start", "serve", "run", "up")),
    ("How is it tested?", ("test", "tests", "check")),
    ("How is it built?", ("build", "compile", "dist", "package")),
    ("How is it linted?", ("lint", "format", "fmt")),
    ("How are the types checked?", ("types", "typecheck", "type-check", "mypy")),
)
_CALLS = {"npm": "{manager} run {task}", "make": "make {task}", "just": "just {task}", "task": "task {task}"}
_BY_ECOSYSTEM = {
    "go": {"How is it tested?": "go test ./...", "How is it built?": "go build ./..."},
    "rust": {"How is it tested?": "cargo test", "How is it built?": "cargo build"},
    "java": {},
}
_PROTOCOL = """\
## Drill-down

1. Start here; this document is all that is loaded by itself, with `L0_core/`.
2. Find the routing rule for what you are about to do and read the one to three files that it names.
3. Stop as soon as the answer is there. For evidence, conflicts or more than three files: `tacit read "QUESTION"`.
4. For a rule or decision that a prompt touches: `tacit recall "PROMPT"`; then the note that it names.
5. Name at least one file as the source of what you answer.
"""
_SAFETY = """\
## Write safety

- An agent never edits this bank. It proposes (`tacit propose`, `tacit detail propose`), and a person decides later.
- Never a password, key, token or personal data of a customer, not even as an example.
- Code wins over documents, details win over this page, newer documents over older ones: report it (`tacit drift`).
- Machine blocks belong to Tacit, user blocks to people.
"""


@dataclass(frozen=True, slots=True)
class Page:
    """A document of the bank, as far as routing needs it."""

    file: str
    title: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision that still binds: what it says, and where."""

    text: str
    source: str


def wanted(survey: Survey, pages: Sequence[Page], rulings: Sequence[Ruling]) -> dict[str, str]:
    """Return the text of every machine block but the focus, which is the work of people."""
    return {
        "snapshot": snapshot(survey),
        "decisions": decisions(rulings),
        "routing": routing(pages),
        "protocol": _PROTOCOL,
        "safety": _SAFETY,
        "answers": answers(survey),
    }


def title(survey: Survey) -> str:
    """Return the heading of the entry document."""
    return f"# {_name(survey)}: project memory\n\n"


def snapshot(survey: Survey) -> str:
    """Return what the project is: name, purpose, stack, manifests and two levels of its tree."""
    lines = ["## Project snapshot", "", f"- Project: {_name(survey)}"]
    purpose = _purpose(survey)
    if purpose:
        lines.append(f"- Purpose: {purpose}")
    stack = _stack(survey.manifests)
    if stack:
        lines.append(f"- Stack: {', '.join(stack)}")
    files = [f"`{each.file}`" for each in survey.manifests if not each.is_lock][:_MAX_STACK]
    if files:
        lines.append(f"- Manifests: {', '.join(files)}")
    return "\n".join([*lines, *_tree(survey), ""])


def decisions(rulings: Sequence[Ruling]) -> str:
    """Return the decisions that still bind, with their sources."""
    lines = [f"- {clip(one_line(each.text), _LINE_COLUMNS)} [{each.source}]" for each in rulings[:_MAX_DECISIONS]]
    more = [f"- {len(rulings) - _MAX_DECISIONS} more: `INDEX.md`"] if len(rulings) > _MAX_DECISIONS else []
    return "\n".join(["## Decisions still binding", "", *(lines or ["None yet."]), *more, ""])


def routing(pages: Sequence[Page]) -> str:
    """Return the rules by intent: to do this, read that."""
    rules = [
        "- To see every note with its title and when it matters: read `INDEX.md`",
        "- To know what always holds: read the files in `L0_core/`",
    ]
    for page in pages[:_MAX_RULES]:
        stem = re.sub(r"[^a-z]", "", page.file.rpartition("/")[2].removesuffix(".md").lower())
        known = _INTENTS.get(_KNOWN_NAMES.get(stem, stem)) if page.file.count("/") == 1 else None
        rules.append(
            f"- To {known}: read `{page.file}`" if known else f"- About {one_line(page.title)}: read `{page.file}`"
        )
    if len(pages) > _MAX_RULES:
        rules.append(f'- About anything else ({len(pages) - _MAX_RULES} more documents): `tacit read "QUESTION"`')
    return "\n".join(["## Routing rules", "", *rules, ""])


def answers(survey: Survey) -> str:
    """Return up to eight quick answers that the manifests give."""
    found: list[str] = []
    runtimes = [
        f"{name} {each.versions[name]} (`{each.file}`)"
        for each in survey.manifests
        if not each.is_lock
        for name in ("python", "node", "go", "rust", "java", "ruby", "php")
        if name in each.versions
    ]
    if runtimes:
        found.append(f"- Which version? {runtimes[0]}")
    managers = [f"{each.ecosystem} (`{each.file}`)" for each in survey.manifests if each.is_lock]
    if managers:
        found.append(f"- Which package manager? {managers[0]}")
    for question, names in _QUESTIONS:
        answer = _answer(question, names, survey)
        if answer:
            found.append(f"- {question} {answer}")
    return "\n".join(["## Quick answers", "", *(found[:_MAX_ANSWERS] or ["None yet."]), ""])


def _answer(question: str, names: Sequence[str], survey: Survey) -> str:
    manager = next(
        (each.ecosystem for each in survey.manifests if each.is_lock and each.ecosystem in ("pnpm", "yarn", "bun")),
        "npm",
    )
    for manifest in survey.manifests:
        for tool, call in _CALLS.items():
            task = next((name for name in names if name in manifest.tasks.get(tool, ())), "")
            if task and "/" not in manifest.file:
                return f"`{call.format(manager=manager, task=task)}` (`{manifest.file}`)"
    for manifest in survey.manifests:
        usual = _BY_ECOSYSTEM.get(manifest.ecosystem, {}).get(question)
        if usual and "/" not in manifest.file:
            return f"`{usual}` (`{manifest.file}`)"
    return ""


def _name(survey: Survey) -> str:
    heading = re.search(r"^#\s+(.+)$", survey.readme, re.MULTILINE)
    stated = next((each.name for each in survey.manifests if each.name and "/" not in each.file), "")
    told = re.sub(r"<[^>]+>|!?\[([^]]*)\]\([^)]*\)|[*`]", r"\1", heading[1]) if heading else ""
    return clip(one_line(told) or stated or survey.name, 60)


def _purpose(survey: Survey) -> str:
    stated = next((each.description for each in survey.manifests if each.description and "/" not in each.file), "")
    if stated:
        return clip(one_line(stated), _LINE_COLUMNS)
    body = re.sub(r"^#.*$|^\s*[<!\[|>].*$", "", survey.readme, flags=re.MULTILINE)
    first = next((part for part in re.split(r"\n\s*\n", body) if re.search(r"\w", part)), "")
    return clip(one_line(re.sub(r"\[([^]]*)\]\([^)]*\)|[*`]", r"\1", first)), _LINE_COLUMNS)


def _stack(manifests: Sequence[Manifest]) -> list[str]:
    stack = dict.fromkeys(each.ecosystem for each in manifests if not each.is_lock and "/" not in each.file)
    plain = [name for name in stack if name not in ("make", "just", "task", "tools", "docker")]
    first = next((each for each in manifests if not each.is_lock and each.ecosystem in plain and each.versions), None)
    named = (
        [f"{name} {version}".strip() for name, version in list(first.versions.items())[:_MAX_STACK]] if first else []
    )
    return [*plain, *named]


def _tree(survey: Survey) -> list[str]:
    """Return two levels of the tree: each folder with what is in it."""
    inside: dict[str, list[str]] = {}
    for file in sorted(survey.files):
        first, _, rest = file.partition("/")
        if rest and not first.startswith(".") and first != OLD_FOLDER:
            second, _, deeper = rest.partition("/")
            inside.setdefault(first, []).append(f"{second}/" if deeper else second)
    lines = []
    for folder, names in list(inside.items())[:_MAX_FOLDERS]:
        distinct = list(dict.fromkeys(names))
        more = " …" if len(distinct) > _MAX_INSIDE else ""
        lines.append(f"  - `{folder}/`: {', '.join(distinct[:_MAX_INSIDE])}{more}")
    return ["- Layout:", *lines] if lines else []
