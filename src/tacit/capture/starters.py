"""From a look at the project to the first notes of a bank: goals, words, structure, flows, development, release."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.text import clip, one_line, width

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.project.values import Survey

MOST = 6
_MOST_DOCUMENTS = 8
_MOST_LINES = 12
_MAX_TEXT_CHARS = 1200
_MAX_LINE_CHARS = 220
_FEWEST_COLUMNS = 30  # what is shorter is a motto or a row of links
_SENTENCE_END = re.compile(r"[.!?。！？]$")
_CHINESE_SHARE = 0.15
_DOCUMENT = re.compile(
    r"(?i)(?:docs?/|documentation/)?(?:architecture|design|glossary|terms|contributing|development|hacking|deploy\w*"
    r"|releas\w*|workflow|overview)(?:[-_.][\w.-]*)?\.(?:md|mdx|rst|txt)"
)
_HEADING = re.compile(r"^(#{1,4})[ \t]+(.+)$", re.MULTILINE)
_NO_PROSE = re.compile(r"^\s*(?:\[?!\[|<|```|~~~|\||>|[-=*_]{3,}\s*$|#)")
_RELEASE_FILES = re.compile(
    r"(?i)(?:.*/)?(?:dockerfile|docker-compose[\w.-]*\.ya?ml|compose\.ya?ml|procfile|fly\.toml|vercel\.json|netlify\.toml"
    r"|render\.yaml|changelog(?:\.\w+)?|\.goreleaser\.ya?ml|\.gitlab-ci\.yml|jenkinsfile|\.env\.(?:example|sample|template))"
    r"|\.github/workflows/[\w.-]+\.ya?ml|(?:k8s|helm|terraform|deploy|infra)/.+"
)
_RELEASE_TASK = re.compile(r"(?i)releas|deploy|publish|docker|^dist|ship|promote")
_DAILY_TASK = re.compile(
    r"(?i)^(?:dev|start|serve|run|test|tests|lint|format|fmt|typecheck|check|build|watch|migrate|seed|setup|install|up)\b"
)
_SERVICE = frozenset(
    """
    express fastify koa nestjs @nestjs/core fastapi flask django starlette gin echo actix-web axum spring-boot rails
    laravel/framework next nuxt remix @remix-run/react sveltekit @sveltejs/kit hono
    """.split()  # noqa: SIM905  words, not a column of quotes
)
_SECTIONS = {
    "goals": r"goals?|motivation|why|about|what is|overview|introduction|features|目标|简介|概述|背景|特性|介绍",
    "non_goals": r"non-?goals?|out of scope|what .* is not|limitations|非目标|不做|范围之外|局限",
    "glossary": r"glossary|terms|terminology|concepts|vocabulary|术语|名词|概念|词汇",
    "architecture": r"architecture|design|structure|layout|how it is built|modules|packages|架构|设计|\S{0,2}结构|模块",
    "flows": r"how it works|flows?|workflows?|usage|life ?cycle|pipeline|工作原理|流程|用法|使用方法|使用",
    "development": (
        r"development|developing|getting started|quick ?start|local|setup|install\w*|contributing|running"
        r"|开发|快速开始|本地|安装|运行"
    ),
    "release": r"releas\w*|deploy\w*|publish\w*|environments?|production|hosting|ci(?:/cd)?|发布|部署|上线|环境",
}
_WORDS = {
    "goals": ("What {name} is for, and what it is not", "{name} 的目标与非目标"),
    "glossary": ("The words of {name}", "{name} 的术语"),
    "architecture": ("How {name} is built", "{name} 的架构"),
    "flows": ("How {name} works, step by step", "{name} 的主要流程"),
    "development": ("Developing {name} locally", "{name} 的本地开发"),
    "release": ("Releasing {name}, and its environments", "{name} 的发布与环境"),
}
_WHEN = {
    "goals": ("when deciding what belongs into {name} and what does not", "判断某个需求是否属于 {name}"),
    "glossary": (
        "when naming things, or reading a word that {name} uses in its own sense",
        "命名，或遇到 {name} 的专有名词",
    ),
    "architecture": ("when looking for something in {name}, or adding a module", "在 {name} 里找代码或新增模块"),
    "flows": ("when changing what {name} does from its input to its result", "修改 {name} 的处理流程"),
    "development": ("when setting up, running, testing or building {name}", "搭建、运行、测试或构建 {name}"),
    "release": ("when releasing or deploying {name}, or configuring an environment", "发布、部署 {name} 或配置环境"),
}
_KINDS = {"development": "pattern", "release": "pattern", "glossary": "reference", "architecture": "tech"}
# Which come first, by the kind of project; what has nothing to say is left out.
_ORDER = {
    "library": ("goals", "development", "architecture", "release", "glossary", "flows"),
    "service": ("goals", "development", "architecture", "release", "flows", "glossary"),
    "workspace": ("architecture", "goals", "development", "release", "glossary", "flows"),
    "documents": ("goals", "glossary", "flows", "architecture", "development", "release"),
}


@dataclass(frozen=True, slots=True)
class Starter:
    """A note that the project suggests: its topic, what it would say, and the files that say so."""

    topic: str
    title: str
    when: str
    line: str
    text: str
    files: tuple[str, ...]

    def payload(self) -> dict[str, object]:
        """Return the payload of this note; its evidence are the project's files."""
        return {
            "scene": self.when,
            "choice": self.line,
            "principles": [self.line],
            "source": "init",
            "title": self.title,
            "kind": _KINDS.get(self.topic, "business"),
            "fact": self.text,
            "evidence": ", ".join(self.files),
            "pointers": list(self.files),
        }


def documents(seen: Survey) -> list[str]:
    """Return the files, besides the README, that are worth reading for this; a few at most."""
    fit = sorted((file for file in seen.files if _DOCUMENT.fullmatch(file)), key=lambda file: (file.count("/"), file))
    return fit[:_MOST_DOCUMENTS]


def kind(seen: Survey) -> str:
    """Return which kind of project this is: library, service, workspace of several, or documents alone."""
    own = [each for each in seen.manifests if not each.is_lock]
    if not own:
        return "documents"
    if len({each.file.rpartition("/")[0] for each in own if each.name}) > 2:  # noqa: PLR2004  two packages are a pair
        return "workspace"
    used = {name.lower() for each in own for name in each.versions}
    return "service" if used & _SERVICE or any("dockerfile" in file.lower() for file in seen.files) else "library"


def starters(seen: Survey, texts: Mapping[str, str]) -> list[Starter]:
    """Return up to six notes that a project suggests, the most telling first; `texts` are its documents by file."""
    readme = next((file for file in sorted(seen.files) if re.fullmatch(r"(?i)readme(\.\w+)?", file)), "")
    pages = {**({readme: seen.readme} if readme else {}), **texts}
    makers = {
        "goals": _goals,
        "architecture": _architecture,
        "development": _development,
        "release": _release,
    }
    chinese = _is_chinese(seen.readme)
    name = next((each.name for each in seen.manifests if each.name and "/" not in each.file), seen.name)
    found = []
    for topic in _ORDER[kind(seen)]:
        lines, files = makers[topic](seen, pages) if topic in makers else _sections(topic, pages)
        text = "\n".join(line for line in lines if line.strip())[:_MAX_TEXT_CHARS].strip()
        if text:
            title, when = (words[topic][chinese].format(name=name) for words in (_WORDS, _WHEN))
            plain = re.sub(r"[*`]|^- ", "", _unlinked(text), flags=re.MULTILINE)
            ended = re.sub(r"(?<=[^\s.,;:!?。，；：！？])\s*\n\s*", "；" if chinese else "; ", plain)
            line = clip(one_line(ended), _MAX_LINE_CHARS)
            found.append(Starter(topic, title, when, line, text, tuple(dict.fromkeys(files))))
    return found[:MOST]


def _goals(seen: Survey, pages: Mapping[str, str]) -> tuple[list[str], list[str]]:
    described = next(((each.description, each.file) for each in seen.manifests if each.description), ("", ""))
    readme = next(iter(pages.items()), ("", ""))
    prose = _first_prose(_opening(readme[1]))
    lines, files = ([prose], [readme[0]]) if prose else ([described[0]], [described[1]] if described[0] else [])
    if not files:
        lines, files = _sections("goals", pages)
    no, where = _sections("non_goals", pages)
    return [*lines, *(["Not:"] if no else []), *no], [*files, *where]


def _architecture(seen: Survey, pages: Mapping[str, str]) -> tuple[list[str], list[str]]:
    said, files = _sections("architecture", pages)
    folders = sorted({file.partition("/")[0] for file in seen.files if "/" in file and not file.startswith(".")})
    layout = [f"Folders: {', '.join(f'`{each}/`' for each in folders[:12])}"] if folders else []
    made_of = sorted({each.ecosystem for each in seen.manifests if not each.is_lock})
    stack = [f"Built with: {', '.join(made_of)}"] if made_of and folders else []
    return [*said, *layout, *stack], files or [each.file for each in seen.manifests[:1]]


def _development(seen: Survey, pages: Mapping[str, str]) -> tuple[list[str], list[str]]:
    lines, files = _tasks(seen, _DAILY_TASK)
    said, where = _sections("development", pages)
    return [*lines[:4], *said], [*files[:4], *where]


def _tasks(seen: Survey, named: re.Pattern[str]) -> tuple[list[str], list[str]]:
    """Return a line for each tool with tasks of such names, and the manifests that these stand in."""
    lines: list[str] = []
    files: list[str] = []
    locked = (each.ecosystem for each in seen.manifests if each.is_lock)
    manager = next((each for each in locked if each in ("pnpm", "yarn", "bun")), "npm")
    for each in seen.manifests:
        for tool, tasks in each.tasks.items():
            fit = [task for task in tasks if named.search(task)]
            if fit:
                called = manager if tool == "npm" else tool
                lines.append(f"- {called} ({each.file}): {', '.join(f'`{task}`' for task in fit[:10])}")
                files.append(each.file)
    return lines, files


def _release(seen: Survey, pages: Mapping[str, str]) -> tuple[list[str], list[str]]:
    lines, files = _tasks(seen, _RELEASE_TASK)
    there = sorted(file for file in seen.files if _RELEASE_FILES.fullmatch(file))
    if there:
        lines.append(f"Files: {', '.join(f'`{file}`' for file in there[:8])}")
    said, where = _sections("release", pages)
    return [*said, *lines], [*where, *files, *there[:4]]


def _sections(topic: str, pages: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return what the pages say below the first heading that fits a topic, or a page that is named after it."""
    wanted = re.compile(rf"(?i)^\W*(?:\d+[.)]\s*)?(?:{_SECTIONS[topic]})\b|^(?:{_SECTIONS[topic]})")
    for file, text in pages.items():
        stem = file.rpartition("/")[2].partition(".")[0]
        if wanted.match(stem):
            return _telling(text), [file]
        for heading in _HEADING.finditer(text):
            if len(heading[1]) > 1 and wanted.match(heading[2]):
                said = _telling(_below(text, heading))
                if said:
                    return said, [file]
    return [], []


def _below(text: str, heading: re.Match[str]) -> str:
    ends = (other.start() for other in _HEADING.finditer(text, heading.end()) if len(other[1]) <= len(heading[1]))
    return text[heading.end() : next(ends, len(text))]


def _telling(text: str) -> list[str]:
    """Return the first prose and list items of a text, without pictures, tables, quotes and headings."""
    lines = _without_code(text).splitlines()
    return [line.strip() for line in lines if line.strip() and not _NO_PROSE.match(line)][:_MOST_LINES]


def _opening(text: str) -> str:
    """Return what stands before the first heading below the title."""
    plain = _without_code(text)
    return plain[: next((each.start() for each in _HEADING.finditer(plain) if len(each[1]) > 1), len(plain))]


def _first_prose(text: str) -> str:
    """Return the first paragraph of prose, else the first one that is short and a sentence nevertheless."""
    short = ""
    for part in re.split(r"\n\s*\n", _without_code(text)):
        lines = [line.strip() for line in part.splitlines() if line.strip() and not _NO_PROSE.match(line)]
        said = one_line(" ".join(lines))
        if width(_unlinked(said)) > _FEWEST_COLUMNS:
            return said
        short = short or (said if _SENTENCE_END.search(said) else "")
    return short


def _without_code(text: str) -> str:
    return re.sub(r"^(```|~~~).*?^\1\s*$", "", text, flags=re.DOTALL | re.MULTILINE)


def _unlinked(text: str) -> str:
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def _is_chinese(text: str) -> bool:
    wide = sum("\u4e00" <= char <= "\u9fff" for char in text)
    return wide > _CHINESE_SHARE * max(len(text), 1)
