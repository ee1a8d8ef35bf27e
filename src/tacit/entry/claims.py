"""What a document claims of the project: commands, versions, paths, variables and symbols, each with its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


class Kind(StrEnum):
    """What a claim is about."""

    COMMAND = "command"
    VERSION = "version"
    PATH = "path"
    VARIABLE = "variable"
    SYMBOL = "symbol"


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: `text` as it stands in the line; `subject` is what a version is of, or where a symbol should be."""

    kind: Kind
    text: str
    line: int
    quote: str
    subject: str = ""
    said: Said | None = None


_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([\w+-]*)")
_SHELLS = frozenset({"", "bash", "sh", "shell", "console", "zsh", "terminal", "shellsession", "cmd", "powershell"})
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# Without one of these a line of prose claims nothing: no version, no name in backticks, no path, cell or link.
_CLAIMING = re.compile(r"[\d`/|(]")
# A line that speaks of what is gone, planned or made up claims nothing about the project as it is.
_UNREAL = re.compile(
    r"\b(?:remov(?:ed?|ing)|delet(?:ed?|ing)|no longer|used to|formerly|previously|renamed|replaced|dropped|migrated"
    r"|deprecated|legacy|historical(?:ly)?|was called|instead of|rather than|do(?:es)? not exist|doesn['’]t exist"
    r"|not yet|planned|will (?:be|add|move|become)|todo|to do|future|roadmap|e\.g\.|for example|for instance|such as"
    r"|example:|hypothetical|placeholder|never (?:use|run|call|add|commit|import)|do not (?:use|run|call|add)"
    r"|don['’]t (?:use|run|call|add)|avoid|upgrad(?:e|ed|ing) (?:from|to)|from v?\d[\w.]* to|before v?\d|until v?\d)\b"
    r"|已删除|已移除|不再|曾经|以前|原来|改名|重命名|替换|废弃|弃用|计划|将要|将会|未来|待办|例如|比如|不要|禁止|切勿|升级",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"(?:npm|npx|pnpm|yarn|bun|make|just|task|cargo|go|pip3?|pipx|poetry|pdm|uv|hatch|tox|nox|poe|python3?|node|deno"
    r"|pytest|ruff|mypy|eslint|jest|vitest|uvicorn|gunicorn|celery|alembic|streamlit|mvn|\./mvnw|gradle|\./gradlew"
    r"|docker|docker-compose|composer|php|bundle|rake|rails|mix|dotnet|bash|sh|\./[\w./-]+)\b"
)
# Words of English that begin like a command.
_PROSE = re.compile(
    r"(?:make|just|task|go|node)\s+(?:sure|an?|the|it|this|that|to|use|your|changes|in|on|run|is|for)\s+\w"
)
_VERSION = re.compile(
    r"(?P<operator>>=|≥|\^|~>|~=|==|~)?\s{0,3}v?(?P<version>\d+(?:\.\d+){0,3})(?P<more>\.x|\+|(?:\s+(?:or|and)\s+(?:newer|later"
    r"|above|higher|up))|\s*(?:及)?以上)?(?![\w%/°-]|\.\d)"
)
_NEWER = re.compile(r"\+|or|and|以上")
_WHOLE_ENDS = re.compile(r"\s*(?:$|[,.;:)|+*\]、，。；）]|(?:or|and|with|for|on|in|to|as|via|plus|is|以上|及|和)\b)")
_PATH = re.compile(r"(?:\.{0,2}/)?(?:[\w@.+-]+/)*[\w@.+-]+/?")
_FILE_ENDINGS = frozenset(
    """
    py pyi js jsx ts tsx mjs cjs vue svelte go rs java kt kts scala rb php cs cpp cc c h hpp swift m ex exs erl clj lua
    sh bash zsh ps1 sql proto graphql css scss sass less html tmpl j2 json jsonc yaml yml toml ini cfg conf xml gradle
    md mdx rst txt csv tf lock dockerfile mk cmake env example ipynb r jl dart zig nix prisma http
    """.split()  # noqa: SIM905  words, not a column of quotes
)
_PLAIN_PATH = re.compile(r"(?<![\w/:@.`~-])(?:[\w@-][\w@.-]*/)+[\w.-]+\.(\w+)\b(?![/`])")
_ASSIGNED = re.compile(r"\s*(?:[$>]\s+)?(?:export\s+|set\s+|ENV\s+)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)=")
_VARIABLE_CELL = re.compile(r"^\|\s*([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*\|")
# Names of styles and made-up names, which documents use to say how things are called.
_MADE_UP = re.compile(
    r"(?:snake|camel|pascal|kebab|screaming|upper|lower)[\w-]*case|\b(?:foo|bar|baz|my|your|some|xxx|example)(?:[_A-Z]|\b)",
    re.IGNORECASE,
)
# What languages, platforms and products bring along; a project need not use it to speak of it.
_COMMON = frozenset(
    """
    console json promise math object array window document process localstorage sessionstorage settimeout os sys asyncio
    print len fmt std string boolean number github gitlab javascript typescript graphql postgresql mysql mongodb openapi
    oauth youtube linkedin macos ios webrtc websocket websockets webassembly devops readme usestate useeffect usememo
    usecallback useref usecontext usereducer node_env node_options java_home java_opts rust_log rust_backtrace
    docker_buildkit docker_host github_token http_proxy https_proxy no_proxy ld_library_path utf_8 node_modules
    __init__ __main__ __name__ unittest httponly samesite iso8601 rfc3339 camelcase uuidv4 jetbrains intellij vscode
    """.split()  # noqa: SIM905  as above
)
_SET_BY_TOOLS = re.compile(r"(?:AWS|PIP|UV|NPM|CI|GIT|GH|GOOGLE|AZURE|CARGO|POETRY|LC|XDG)_")
_NAMED_FILES = frozenset(
    {"Makefile", "Dockerfile", "Justfile", "justfile", "Rakefile", "Gemfile", "Procfile", "Jenkinsfile", "Vagrantfile"}
)
_VARIABLE = re.compile(r"\$?\{?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\}?(?:=\S*)?")
_CALL = re.compile(r"((?:[A-Za-z_]\w*(?:\.|::))*[A-Za-z_]\w*)\(\)?[^()]*\)?")
_DOTTED = re.compile(r"[A-Z]\w*(?:(?:\.|::|#)[A-Za-z_]\w*)+")
_CAMEL = re.compile(r"[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[a-z]+(?:[A-Z][a-z0-9]+)+")
_SNAKE = re.compile(r"_{0,2}[a-z][a-z0-9]*(?:_[a-z0-9]+)+_{0,2}")
_IN_FILE = re.compile(r"`([^`]+)`\s*(?:\(|in|from|at|@|→|在|位于|,? ?defined in|lives in|is in)\s*\[?`([^`]+)`")
_MAX_WORDS = 3
# Nobody claims anything further out, and a pattern that looks there takes long.
_MAX_LINE_CHARS = 4_000


def of(text: str, subjects: Collection[str]) -> list[Claim]:
    """Return what a document claims, in order; `subjects` are the names of which versions are looked for."""
    found: list[Claim] = []
    fence, language = "", ""
    # Behind the last end no comment is closed: looking for its end from every beginning would take long.
    closed, end, rest = text.rpartition("-->")
    plain = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), closed + end) + rest
    for number, whole in enumerate(plain.splitlines(), start=1):
        line = whole[:_MAX_LINE_CHARS]
        edge = _FENCE.match(line)
        if edge and (not fence or edge[1].startswith(fence)):
            fence, language = ("", "") if fence else (edge[1], edge[2].lower())
            continue
        if fence:
            if language in _SHELLS:
                found += _commands_of_shell(line, number)
            if language in _SHELLS or language in ("env", "dotenv", "ini"):
                found += _variable(_ASSIGNED.match(line), number, line)
            continue
        if not _CLAIMING.search(line) or _UNREAL.search(line):
            continue
        found += _versions(line, number, subjects)
        found += _spans(line, number)
    return found


def _commands_of_shell(line: str, number: int) -> Iterator[Claim]:
    words = re.sub(r"^\s*(?:[$>%#]\s+)?", "", line).split(" #")[0].strip()
    words = re.sub(r"^(?:[A-Z_]+=\S+\s+)+", "", words)
    for part in re.split(r"\s*(?:&&|\|\||;|\|)\s*", words):
        if _COMMAND.match(part) and not _PROSE.match(part):
            yield Claim(Kind.COMMAND, part.strip(), number, line)


def _variable(found: re.Match[str] | None, number: int, line: str) -> Iterator[Claim]:
    if found and not _is_common(found[1]) and not _SET_BY_TOOLS.match(found[1]):
        yield Claim(Kind.VARIABLE, found[1], number, line)


def _is_common(name: str) -> bool:
    """Whether a name is known everywhere, or made up to show how names look."""
    parts = re.split(r"\.|::|#", name.lower())
    return parts[0] in _COMMON or bool(_MADE_UP.search(name))


def _spans(line: str, number: int) -> Iterator[Claim]:
    yield from _variable(_VARIABLE_CELL.match(line), number, line)
    for match in _PLAIN_PATH.finditer(_LINK.sub("", _SPAN.sub("", line))):
        if match[1].lower() in _FILE_ENDINGS and "://" not in line and is_path(match[0]):
            yield Claim(Kind.PATH, match[0], number, line)
    placed = {match[1]: match[2] for match in _IN_FILE.finditer(line)}
    for match in _SPAN.finditer(line):
        text = match[1].strip()
        before = line[: match.start()]
        if before.endswith(("not ", "no ")):
            continue
        yield from _span(text, number, line, placed)
    for match in _LINK.finditer(_SPAN.sub("", line)):
        target = match[1].partition("#")[0]
        if target and not re.match(r"[a-z]+:", target) and _PATH.fullmatch(target):
            yield Claim(Kind.PATH, target, number, line, subject="link")


def _span(text: str, number: int, line: str, placed: dict[str, str]) -> Iterator[Claim]:
    if _COMMAND.match(text) and (" " in text or text.startswith("./")):
        for part in re.split(r"\s*(?:&&|\|\||;)\s*", text):
            yield Claim(Kind.COMMAND, part, number, line)
    elif name := _VARIABLE.fullmatch(text):
        yield from _variable(name, number, line)
    elif is_path(text):
        path, _, inside = text.partition("::")
        path = re.sub(r":\d+(?:-\d+)?$|#L\d+.*$", "", path)
        yield Claim(Kind.PATH, path, number, line)
        if re.fullmatch(r"[A-Za-z_]\w*", inside):
            yield Claim(Kind.SYMBOL, inside, number, line, subject=path)
    elif (symbol := _symbol(text)) and not _is_common(symbol):
        where = placed.get(text, "")
        yield Claim(Kind.SYMBOL, symbol, number, line, subject=where if is_path(where) else "")


def is_path(text: str) -> bool:
    """Whether a text in backticks names a file or folder rather than anything else with dots and slashes."""
    path = re.sub(r":\d+(?:-\d+)?$|#L\d+.*$|::\w+$", "", text)
    if not _PATH.fullmatch(path) or re.search(r"\d+\.\d+", path) or path.startswith(("/", "@", "..", "-")):
        return False
    name = path.rstrip("/").rpartition("/")[2]
    if _MADE_UP.search(name):
        return False
    ending = name.rpartition(".")[2].lower() if "." in name.strip(".") else ""
    return (
        ending in _FILE_ENDINGS
        or name in _NAMED_FILES
        or (path.endswith("/") and len(path) > 1)
        or ("/" in path and not ending)
    )


def _symbol(text: str) -> str:
    called = _CALL.fullmatch(text)
    if called:
        return called[1]
    return text if _DOTTED.fullmatch(text) or _CAMEL.fullmatch(text) or _SNAKE.fullmatch(text) else ""


def _versions(line: str, number: int, subjects: Collection[str]) -> Iterator[Claim]:
    plain = re.sub(r"[`*_|()\[\]=:@\"]+", lambda match: " " * len(match[0]), line)
    for match in _VERSION.finditer(plain):
        before = plain[: match.start()].rstrip()
        if re.search(r"\d[\s–—-]*$|[–—/.-]$", before) or re.match(r"\s*[–—-]\s*\d", plain[match.end() :]):
            continue  # a range, a date or a path, not one version
        words = [word.strip(",;") for word in before.split()[-_MAX_WORDS:]]
        words = words[:-1] if words and words[-1].lower() in ("version", "v", "版本", "is", "uses", "to") else words
        subject = _subject(words, subjects)
        whole = "." not in match["version"]
        if not subject or (whole and not match["more"] and not _WHOLE_ENDS.match(plain, match.end())):
            continue
        or_newer = match["operator"] in (">=", "≥") or bool(match["more"] and _NEWER.search(match["more"]))
        yield Claim(Kind.VERSION, match["version"], number, line, subject, Said(match["version"], or_newer))


def _subject(words: list[str], subjects: Collection[str]) -> str:
    for count in range(min(_MAX_WORDS, len(words)), 0, -1):
        name = simple(" ".join(words[-count:]))
        for form in (name, name.removesuffix("js"), name.removesuffix("lang")):
            if form in subjects:
                return form
    return ""


def simple(name: str) -> str:
    """Return a name as it is compared: small letters and digits alone."""
    return re.sub(r"[\s._-]+", "", name.lower().removeprefix("@"))


_NUMBERS = re.compile(r"\d+(?:\.\d+)*")
_CLAUSE = re.compile(r"(===?|~=|~>|>=|<=|!=|[<>^~=])?\s*v?(\d+(?:\.\d+)*(?:\.[x*])?)")


@dataclass(frozen=True, slots=True)
class Said:
    """A version as a document says it; `or_newer` for "3.11+" and the like."""

    text: str
    or_newer: bool = False

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its parts."""
        return numbers(self.text)


def numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of the first version in a text; none if there is no version."""
    found = _NUMBERS.search(text)
    return tuple(map(int, found[0].split("."))) if found else ()


def agrees(said: Said, wanted: str) -> bool | None:
    """Whether a document's version is one that a manifest's words allow; None if these say nothing."""
    clauses = [(operator or "", numbers(version)) for operator, version in _CLAUSE.findall(wanted)]
    if not clauses or "||" in wanted or wanted.strip() == "*":
        return None
    lowest = next(
        (parts for operator, parts in clauses if operator in ("", "==", "===", "=", ">=", "^", "~", "~=", "~>")), ()
    )
    if not lowest:
        return None
    operator = next(operator for operator, parts in clauses if parts == lowest)
    mine = said.numbers
    if said.or_newer:
        return _is_prefix(mine, lowest) or (operator != ">=" and mine <= lowest)
    if _is_prefix(mine, lowest) or _is_prefix(lowest, mine):
        return True
    if mine < lowest:
        return False
    if any(operator == "<" and mine >= parts for operator, parts in clauses):
        return False
    match operator:
        case ">=":
            return True
        case "^":
            fixed = next((place for place, part in enumerate(lowest) if part), len(lowest) - 1) + 1
            return mine[:fixed] == lowest[:fixed]
        case "~" | "~=" | "~>":
            fixed = max(1, len(lowest) - 1)
            return mine[:fixed] == lowest[:fixed]
        case _:
            return False


def is_exactly(said: Said, locked: str) -> bool:
    """Whether a document's version is the locked one, as far as it says."""
    have = numbers(locked)
    return said.numbers <= have if said.or_newer else _is_prefix(said.numbers, have)


def plain(wanted: str, like: str) -> str:
    """Return the version in a manifest's words with as many parts as `like` has, for a correction."""
    have = numbers(wanted)
    return ".".join(map(str, have[: max(1, len(numbers(like)))]))


def _is_prefix(short: tuple[int, ...], long: tuple[int, ...]) -> bool:
    padded = (*long, *(0,) * (len(short) - len(long)))
    return padded[: len(short)] == short
