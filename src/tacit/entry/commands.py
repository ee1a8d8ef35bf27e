"""Whether a documented command can be run in the project: its task, its script, its module, its package manager."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING

from tacit.entry.sentence import FILES, Sentence, changed, phrase, replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tacit.entry.sentence import Thing
    from tacit.project.values import Survey

    Words = list[str]

# What each package manager does by itself; everything else that it is told to do is a script of the project.
_MANAGERS = {"npm", "pnpm", "yarn", "bun"}
_OWN_WORDS = frozenset(
    """
    install i ci add remove rm uninstall update up upgrade outdated audit publish pack link unlink init create login
    logout exec dlx x why ls list config cache store import info view version prune dedupe set workspace workspaces
    patch plugin help test-ci rebuild fund doctor env global approve-builds deploy licenses root bin
    """.split()  # noqa: SIM905  words, not a column of quotes
)
_SHORTHANDS = frozenset({"test", "start", "stop", "restart", "t"})
_INSTALLING = frozenset({"install", "i", "ci", "add"})
_PYTHON_MANAGERS = {"poetry": "poetry", "uv": "uv", "pdm": "pdm", "pipenv": "pipenv"}
_SCRIPT_ENDINGS = (".py", ".js", ".mjs", ".cjs", ".ts", ".sh", ".bash", ".rb", ".php", ".go", ".sql", ".exs")
# Modules that come with Python or with the tools around it, for `python -m`.
_MODULES = frozenset(
    """
    pip venv http unittest json timeit cProfile pdb doctest compileall ensurepip site zipfile pytest build twine mypy
    ruff black isort flake8 pylint coverage tox nox flask django uvicorn gunicorn celery alembic mkdocs sphinx
    pre_commit
    asyncio calendar trace webbrowser idlelib tokenize ast dis pipx virtualenv ipykernel jupyter grpc_tools streamlit
    """.split()  # noqa: SIM905  as above
)
_NEAR = 0.6


_CARGO: dict[str, Thing] = {"cargo-bin": "binary", "cargo-feature": "feature", "cargo-package": "package"}


@dataclass(frozen=True, slots=True)
class Wrong:
    """Why a command cannot be run as documented, whom to trust, and what to write instead."""

    reason: Sentence
    trust: str | Sentence
    fix: Sentence
    new: str = ""
    is_other_tool: bool = False


def judge(command: str, survey: Survey) -> Wrong | None:
    """Return what is wrong with a documented command; None if nothing is, or if nobody can tell."""
    if not survey.is_whole or any(mark in command for mark in ("<", "{", "…", "...", "$(")):
        return None if "./..." not in command else _path_words(command.split(), command, survey)
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return None
    if not words:
        return None
    tool, *rest = words
    judged = _JUDGES.get(tool)
    found = judged(rest, command, survey) if judged else None
    return found or _path_words(words, command, survey)


def _missing(kind: Thing, name: str, tool: str, command: str, survey: Survey) -> Wrong | None:
    """Return that a task is defined nowhere; None where there is no manifest to say so, or where it takes in others."""
    defining = survey.defines(tool)
    if not defining or any(each.is_open for each in defining):
        return None
    tasks = survey.tasks(tool)
    if name in tasks:
        return None
    near = get_close_matches(name, list(tasks), n=1, cutoff=_NEAR)
    new = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", near[0], command, count=1) if near else ""
    trust = tasks[near[0]] if near else defining[0].file
    fix = changed(f"`{command}`", f"`{new}`") if new else replaced(kind, name)
    return Wrong(phrase("no_task", command=command, file=trust, kind=kind, name=name), trust, fix, new)


def _node(manager: str) -> Callable[[Words, str, Survey], Wrong | None]:
    def judge_node(words: Words, command: str, survey: Survey) -> Wrong | None:
        plain = _without_options(words, {"--filter", "-F", "--prefix", "-C", "--dir", "-w", "--workspace", "--cwd"})
        if not plain and manager != "yarn":
            return None
        word = plain[0] if plain else "install"
        if not survey.defines("npm"):
            return None
        other = _other_manager(manager, _MANAGERS, survey)
        if other and (word in _INSTALLING or word == "run" or word in survey.tasks("npm")):
            tool, file = other
            new = re.sub(rf"\b{manager}\b", tool, command, count=1).replace(f"{tool} ci", f"{tool} install")
            return Wrong(
                phrase("other_tool", command=command, tool=tool, file=file),
                file,
                changed(f"`{command}`", f"`{new}`"),
                new,
                is_other_tool=True,
            )
        if word in ("run", "run-script"):
            return _missing("script", plain[1], "npm", command, survey) if len(plain) > 1 else None
        if word in _SHORTHANDS:
            name = {"t": "test"}.get(word, word)
            if (
                manager == "bun"
                or name in ("stop", "restart")
                or (manager == "npm" and name == "start" and "server.js" in survey.files)
            ):
                return None
            return _missing("script", name, "npm", command, survey)
        if manager in ("npm", "bun") or word in _OWN_WORDS or _is_tool(word, survey):
            return None
        return _missing("script", word, "npm", command, survey)

    return judge_node


def _is_tool(word: str, survey: Survey) -> bool:
    """Whether a word is a program that one of the dependencies brings, as far as names tell."""
    names = {name for each in survey.manifests for name in each.versions}
    brought = {part for name in names for part in (name, *re.split(r"[@/-]", name))}
    return (
        word in brought
        or {"tsc": "typescript", "ng": "angular", "nest": "nestjs", "vue-cli-service": "vue"}.get(word) in brought
    )


def _other_manager(manager: str, family: set[str] | frozenset[str], survey: Survey) -> tuple[str, str] | None:
    """Return another package manager than the documented one, if the project's only lock file is of that one."""
    locks = {each.ecosystem: each.file for each in survey.manifests if each.is_lock and each.ecosystem in family}
    stated = {
        tool: each.file
        for each in survey.manifests
        for tool in family
        if tool in each.versions and each.ecosystem == "node"
    }
    if len(locks) == 1 and manager not in locks:
        return next(iter(locks.items()))
    if not locks and len(stated) == 1 and manager not in stated:
        return next(iter(stated.items()))
    return None


def _task(tool: str, kind: Thing) -> Callable[[Words, str, Survey], Wrong | None]:
    def judge_task(words: Words, command: str, survey: Survey) -> Wrong | None:
        if {"-C", "-f", "--file", "--directory"} & set(words):
            return None
        for word in words:
            if word.startswith("-") or "=" in word:
                continue
            wrong = _missing(kind, word, tool, command, survey)
            if wrong is not None or tool != "make":
                return wrong
        return None

    return judge_task


def _python(words: Words, command: str, survey: Survey) -> Wrong | None:
    if words[:1] != ["-m"] or not words[1:]:
        return None
    module = words[1]
    first = module.partition(".")[0]
    path = module.replace(".", "/")
    there = {f"{path}.py", f"{path}/__main__.py", f"{path}/__init__.py"}
    if any(file in there or file.endswith(tuple(f"/{each}" for each in there)) for file in survey.files):
        return None
    own = any(file == f"{first}.py" or f"/{first}/" in f"/{file}" for file in survey.files)
    dependencies = {re.sub(r"[-.]", "_", name.lower()) for each in survey.manifests for name in each.versions}
    if not own and (first in _MODULES or first.lower() in dependencies):
        return None
    if not own and not any(each.ecosystem == "python" for each in survey.manifests):
        return None
    return Wrong(
        phrase("no_such", command=command, kind="module", name=module),
        FILES,
        replaced("module", module),
    )


def _python_manager(manager: str) -> Callable[[Words, str, Survey], Wrong | None]:
    def judge_manager(words: Words, command: str, survey: Survey) -> Wrong | None:
        plain = _without_options(words, {"--group", "--extra", "--with"})
        other = _other_manager(manager, frozenset(_PYTHON_MANAGERS), survey)
        if other and plain and plain[0] in ("install", "sync", "run", "add", "lock", "shell"):
            tool, file = other
            verb = {"uv": "sync", "poetry": "install", "pdm": "install", "pipenv": "install"}[tool]
            word = verb if plain[0] in ("install", "sync") else plain[0]
            new = command.replace(f"{manager} {plain[0]}", f"{tool} {word}", 1)
            return Wrong(
                phrase("other_tool", command=command, tool=tool, file=file),
                file,
                changed(f"`{command}`", f"`{new}`"),
                new,
                is_other_tool=True,
            )
        if len(plain) > 1 and plain[0] == "run":
            inner = command.partition(f" {plain[1]}")
            return judge(f"{plain[1]}{inner[2]}", survey)
        return None

    return judge_manager


def _application(words: Words, command: str, survey: Survey) -> Wrong | None:
    """Return that the module of `uvicorn package.module:name` or `celery -A package` is not there."""
    named = next((word for word in words if re.fullmatch(r"[\w.]+:\w+(?:\(\))?", word)), "")
    for option, value in pairwise(words):
        named = value if option in ("-A", "--app") else named
    module = named.partition(":")[0]
    return _python(["-m", module], command, survey) if module else None


def _cargo(words: Words, command: str, survey: Survey) -> Wrong | None:
    options = {
        "--bin": "cargo-bin",
        "--features": "cargo-feature",
        "-F": "cargo-feature",
        "-p": "cargo-package",
        "--package": "cargo-package",
    }
    for option, value in pairwise(words):
        if option in options:
            tool = options[option]
            known = set(survey.tasks(tool))
            if tool == "cargo-bin":
                known |= {file.rpartition("/")[2].removesuffix(".rs") for file in survey.files if "src/bin/" in file}
                known |= {file.split("/")[-2] for file in survey.files if re.search(r"src/bin/\w+/main\.rs$", file)}
            kind = _CARGO[tool]
            for name in value.split(","):
                if name not in known and "/" not in name:
                    return _missing(kind, name, tool, command, survey)
        if option == "--example" and not any(
            re.search(rf"examples/{re.escape(value)}(\.rs|/main\.rs)$", file) for file in survey.files
        ):
            return Wrong(
                phrase("no_such", command=command, kind="example", name=value),
                FILES,
                replaced("example", value),
            )
    return None


def _maven(words: Words, command: str, survey: Survey) -> Wrong | None:
    for place, word in enumerate(words):
        if word.startswith("-P"):
            given = word[2:] or (words[place + 1] if place + 1 < len(words) else "")
            for name in filter(None, given.split(",")):
                wrong = _missing("profile", name.lstrip("!+-"), "mvn-profile", command, survey)
                if wrong:
                    return wrong
        if word in ("-pl", "--projects") and place + 1 < len(words):
            for name in words[place + 1].split(","):
                if name.lstrip("!:") not in survey.folders:
                    return _missing("module", name.lstrip("!:"), "mvn-module", command, survey)
    return None


def _gradle(words: Words, command: str, survey: Survey) -> Wrong | None:
    for word in words:
        if word.startswith(":") and word.count(":") > 1:
            module = word[1:].rpartition(":")[0]
            if module not in survey.tasks("gradle-module") and module.replace(":", "/") not in survey.folders:
                return _missing("module", module, "gradle-module", command, survey)
    return None


def _docker(words: Words, command: str, survey: Survey) -> Wrong | None:
    return _compose(words[1:], command, survey) if words[:1] == ["compose"] else None


def _compose(words: Words, command: str, survey: Survey) -> Wrong | None:
    plain = _without_options(
        words, {"-f", "--file", "-p", "--profile", "--env-file", "--scale", "-e", "--timeout", "-t"}
    )
    if not plain or plain[0] not in ("up", "run", "exec", "logs", "build", "start", "stop", "restart", "rm", "pull"):
        return None
    named = plain[1:2] if plain[0] in ("run", "exec") else plain[1:]
    for name in named:
        wrong = _missing("service", name, "compose", command, survey)
        if wrong:
            return wrong
    return None


def _composer(words: Words, command: str, survey: Survey) -> Wrong | None:
    plain = _without_options(words, set())
    if plain[:1] in (["run"], ["run-script"]) and len(plain) > 1:
        return _missing("script", plain[1], "composer", command, survey)
    return None


def _bundle(words: Words, command: str, survey: Survey) -> Wrong | None:
    return judge(command.partition(" exec ")[2], survey) if words[:1] == ["exec"] else None


def _option(flag: set[str], tool: str, kind: Thing) -> Callable[[Words, str, Survey], Wrong | None]:
    def judge_option(words: Words, command: str, survey: Survey) -> Wrong | None:
        for option, value in pairwise(words):
            if option in flag:
                known = survey.tasks(tool)
                names = [name for name in value.split(",") if name not in known and not re.fullmatch(r"py\d*", name)]
                if names and known:
                    file = next(iter(known.values()))
                    reason = phrase("no_task", command=command, file=file, kind=kind, name=names[0])
                    return Wrong(reason, file, replaced(kind, names[0]))
        return None

    return judge_option


def _second(word: str, tool: str, kind: Thing) -> Callable[[Words, str, Survey], Wrong | None]:
    def judge_second(words: Words, command: str, survey: Survey) -> Wrong | None:
        plain = _without_options(words, set())
        return _missing(kind, plain[1], tool, command, survey) if plain[:1] == [word] and len(plain) > 1 else None

    return judge_second


def _path_words(words: Words, command: str, survey: Survey) -> Wrong | None:
    """Return that a file or folder that a command names is not there."""
    if "cd" in words or words[0] in ("curl", "git", "docker"):
        return None
    for word in words[1:] if not words[0].startswith("./") else words:
        path = word.removeprefix("./").removesuffix("/...").rstrip("/").partition("::")[0]
        is_file = path.endswith(_SCRIPT_ENDINGS) or re.fullmatch(r"requirements[\w.-]*\.txt", path.rpartition("/")[2])
        is_inside = "/" in path and path.partition("/")[0] in survey.folders and re.fullmatch(r"[\w./-]+", path)
        is_place = (word.startswith("./") or is_inside) and path not in ("", ".", "...")
        if not (is_file or is_place) or any(mark in path for mark in ("*", ":", "=", "$", "..")):
            continue
        if path in survey.files or path in survey.folders or path in ("gradlew", "mvnw"):
            continue
        if any(file.endswith(f"/{path}") for file in survey.files):
            continue
        same = sorted(file for file in survey.files if file.rpartition("/")[2] == path.rpartition("/")[2])
        new = command.replace(path, same[0], 1) if len(same) == 1 else ""
        fix = changed(f"`{command}`", f"`{new}`") if new else replaced("file", path)
        return Wrong(phrase("no_path", command=command, path=path), same[0] if new else FILES, fix, new)
    return None


def _without_options(words: Words, with_value: set[str]) -> Words:
    kept: Words = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word == "--":
            break
        elif word.startswith("-"):
            skip = word in with_value
        else:
            kept.append(word)
    return kept


_JUDGES: Mapping[str, Callable[[Words, str, Survey], Wrong | None]] = {
    **{manager: _node(manager) for manager in sorted(_MANAGERS)},
    "make": _task("make", "target"),
    "just": _task("just", "recipe"),
    "task": _task("task", "task"),
    "rake": _task("rake", "task"),
    "poe": _task("poe", "task"),
    "deno": _second("task", "deno", "task"),
    "hatch": _second("run", "hatch", "script"),
    "python": _python,
    "python3": _python,
    **{manager: _python_manager(manager) for manager in _PYTHON_MANAGERS},
    "tox": _option({"-e"}, "tox", "environment"),
    "nox": _option({"-s", "--session"}, "nox", "session"),
    "uvicorn": _application,
    "gunicorn": _application,
    "celery": _application,
    "cargo": _cargo,
    "mvn": _maven,
    "./mvnw": _maven,
    "gradle": _gradle,
    "./gradlew": _gradle,
    "docker": _docker,
    "docker-compose": _compose,
    "composer": _composer,
    "bundle": _bundle,
}
