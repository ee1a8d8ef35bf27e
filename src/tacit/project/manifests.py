"""From the text of a manifest to what it says: name, tasks and versions, for the common ecosystems."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from fnmatch import fnmatch
from itertools import islice, product
from typing import TYPE_CHECKING

from tacit.project.values import Manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Parse = Callable[[str, str], Manifest]


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its name, the text right behind its start tag, and the elements right inside it."""

    name: str
    text: str
    inside: list[Element] = field(default_factory=list)

    def first(self, name: str) -> str:
        """Return the text of the first element of this name right inside, or nothing."""
        return next((each.text for each in self.inside if each.name == name), "")


def elements(text: str) -> list[Element]:
    """Return every element in the order of the text; what is not closed ends with what it stands in.

    A parser of the standard library would refuse a file for one wrong character, and would follow its entities.
    """
    found: list[Element] = []
    around: list[Element] = []
    depth: Counter[str] = Counter()
    for piece in _without_comments(text).split("<")[1:]:
        tag, _, behind = piece.partition(">")
        name = (tag.strip("/").split(maxsplit=1) or [""])[0]
        if tag.startswith("/"):
            while depth[name]:
                closed = around.pop()
                depth[closed.name] -= 1
                if closed.name == name:
                    break
        elif name and name[0] not in "?!":
            element = Element(name, behind.strip())
            found.append(element)
            if around:
                around[-1].inside.append(element)
            if not tag.endswith("/"):
                around.append(element)
                depth[name] += 1
    return found


def _without_comments(text: str) -> str:
    before, *comments = text.split("<!--")
    return "".join([before, *(each.partition("-->")[2] for each in comments)])


_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^]]*\])?\s*((?:[<>=!~^]=?|===)\s*[^;#\s][^;#]*)?")
_TARGET = re.compile(r"^([A-Za-z0-9_][\w./-]*(?:[ \t]+[A-Za-z0-9_][\w./-]*)*)[ \t]*::?(?!=)", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:[ \t]+[^:\n]*)?:(?!=)", re.MULTILINE)
_IMAGE = re.compile(
    r"^[^\S\n]*(?:FROM\s+(?:--\S+\s+)?|image:\s*[\"']?)([\w./-]+):v?(\d[\w.]*)", re.MULTILINE | re.IGNORECASE
)
# The second line passes over single dollars, so that it stops at the first reference and tries no other.
_OPEN_MAKEFILE = re.compile(
    r"^-?include\b|^%|\$\(eval"
    r"|^(?:[^#\n:=\t$]|\$(?![({]))*\$[({][^:\n]*:(?!=)",
    re.MULTILINE,
)
_BRACKET = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|[\[\]{}]")
_ENDS = {"[": "]", "{": "}"}
_PROPERTY = re.compile(r"\$\{([^{}]+)\}")
# What is put in many times over: a property of a pom, and the name of an environment in braces.
_LONGEST = 200
_MOST_SPREAD = 1_000
_CORE_PACKAGES = ("core", "cli", "client", "common")
# An image of this name is a runtime or server that documents call otherwise.
_IMAGE_NAMES = {
    "golang": "go",
    "openjdk": "java",
    "eclipse-temurin": "java",
    "postgres": "postgresql",
    "mongo": "mongodb",
}


def parse(file: str, text: str) -> Manifest | None:
    """Return what a manifest says; None if the file is none, or is too broken to say anything."""
    name = file.rpartition("/")[2]
    for pattern, reader in _READERS.items():
        if fnmatch(name, pattern):
            try:
                return reader(file, _without_blank_lines(text))
            except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
                return None
    return None


def closed(text: str) -> str:
    """Return the first lines of a JSON or TOML text with all closed that is open in them."""
    ends: list[str] = []
    for piece in _BRACKET.findall(text):
        if piece in _ENDS:
            ends.append(_ENDS[piece])
        elif ends and piece == ends[-1]:
            ends.pop()
    return text.rstrip().rstrip(",") + "".join(reversed(ends))


def _without_blank_lines(text: str) -> str:
    """Return a text whose patterns cannot begin at each of ten thousand empty lines and run through all the others."""
    return "".join(f"{line}\n" for line in text.split("\n") if line.strip())


def is_manifest(file: str) -> bool:
    """Whether a file is a manifest by its name."""
    return any(fnmatch(file.rpartition("/")[2], pattern) for pattern in _READERS)


def _package_json(file: str, text: str) -> Manifest:
    found = json.loads(text)
    versions: dict[str, str] = {}
    for group in ("devDependencies", "peerDependencies", "optionalDependencies", "dependencies"):
        versions |= found.get(group) or {}
    for full in list(versions):
        scope, _, rest = full.partition("/")
        if scope.startswith("@") and rest in _CORE_PACKAGES:
            versions.setdefault(scope[1:], versions[full])
    versions |= {tool: wanted for tool, wanted in (found.get("engines") or {}).items() if tool != "vscode"}
    manager, _, version = str(found.get("packageManager", "")).partition("@")
    if version:
        versions[manager] = version.partition("+")[0]
    scripts = tuple(found.get("scripts") or ())
    return Manifest(
        file,
        "node",
        str(found.get("name", "")),
        str(found.get("description", "")),
        {"npm": scripts, "workspace": (str(found.get("name", "")),)},
        {name: str(version) for name, version in versions.items()},
    )


def _pyproject(file: str, text: str) -> Manifest:
    found = tomllib.loads(text)
    project = found.get("project", {})
    tool = found.get("tool", {})
    poetry = tool.get("poetry", {})
    versions = _requirements(project.get("dependencies", []))
    for group in (*project.get("optional-dependencies", {}).values(), *found.get("dependency-groups", {}).values()):
        versions |= _requirements([each for each in group if isinstance(each, str)])
    for table in (poetry, *poetry.get("group", {}).values()):
        for name, wanted in {**table.get("dependencies", {}), **table.get("dev-dependencies", {})}.items():
            first = wanted[0] if isinstance(wanted, list) else wanted  # a list says what holds on which Python
            versions[name] = first if isinstance(first, str) else str(first.get("version", ""))
    if "requires-python" in project:
        versions["python"] = project["requires-python"]
    scripts = (*project.get("scripts", {}), *poetry.get("scripts", {}))
    poe = tuple(tool.get("poe", {}).get("tasks", {}))
    hatch = tuple(name for env in tool.get("hatch", {}).get("envs", {}).values() for name in env.get("scripts", {}))
    tasks = {"python": scripts, "poe": poe, "hatch": hatch, "pdm": tuple(tool.get("pdm", {}).get("scripts", {}))}
    return Manifest(
        file,
        "python",
        str(project.get("name") or poetry.get("name", "")),
        str(project.get("description") or poetry.get("description", "")),
        {name: found_tasks for name, found_tasks in tasks.items() if found_tasks or name == "python"},
        versions,
    )


def _requirements_text(file: str, text: str) -> Manifest:
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(("#", "-"))]
    return Manifest(file, "python", versions=_requirements(lines))


def _requirements(lines: Iterable[str]) -> dict[str, str]:
    found = {}
    for line in lines:
        match = _REQUIREMENT.match(line)
        if match:
            found[match[1]] = (match[2] or "").strip()
    return found


def _cargo(file: str, text: str) -> Manifest:
    found = tomllib.loads(text)
    package = found.get("package", {})
    shared = found.get("workspace", {})
    versions: dict[str, str] = {}
    for table in (shared, found, *found.get("target", {}).values()):
        for group in ("build-dependencies", "dev-dependencies", "dependencies"):
            for name, wanted in table.get(group, {}).items():
                version = wanted if isinstance(wanted, str) else str(wanted.get("version", ""))
                if version:
                    versions[name] = _caret(version)
    wanted_rust = package.get("rust-version") or shared.get("package", {}).get("rust-version")
    if isinstance(wanted_rust, str):
        versions["rust"] = f">={wanted_rust}"
    edition = package.get("edition") or shared.get("package", {}).get("edition")
    if isinstance(edition, str):
        versions["rust edition"] = edition
    name = str(package.get("name", ""))
    tasks = {
        "cargo-bin": (name, *(str(each.get("name", "")) for each in found.get("bin", []))),
        "cargo-feature": ("default", *found.get("features", {})),
        "cargo-package": (name,),
    }
    return Manifest(file, "rust", name, str(package.get("description", "")), tasks, versions)


def _go_mod(file: str, text: str) -> Manifest:
    versions = {}
    for path, version in re.findall(r"^[^\S\n]*(?:require\s+)?([\w.-]+\.\w+/\S+)\s+v(\d\S*)", text, re.MULTILINE):
        parts = [part for part in path.split("/") if not re.fullmatch(r"v\d+", part)]
        versions[re.sub(r"\.v\d+$", "", parts[-1])] = version
    wanted = re.search(r"^go\s+(\d\S*)", text, re.MULTILINE)
    if wanted:
        versions["go"] = wanted[1]
    module = re.search(r"^module\s+(\S+)", text, re.MULTILINE)
    return Manifest(file, "go", module[1].rpartition("/")[2] if module else "", versions=versions)


def _pom(file: str, text: str) -> Manifest:
    found = elements(text)
    values = {each.name: each.text for group in found if group.name == "properties" for each in group.inside}
    values = {name: value for name, value in values.items() if len(value) <= _LONGEST and not set("${}") & set(value)}
    versions: dict[str, str] = {}
    for each in found:
        artifact, version = each.first("artifactId"), each.first("version")
        if each.name in {"dependency", "parent", "plugin"} and artifact and version:
            resolved = _PROPERTY.sub(lambda match: values.get(match[1], ""), version)
            versions[artifact.removesuffix("-starter-parent")] = resolved
    for key in ("maven.compiler.release", "maven.compiler.source", "java.version"):
        if key in values:
            versions["java"] = values[key].removeprefix("1.")
    name = next((each.first("artifactId") for each in found if each.name == "project"), "")
    tasks = {
        "mvn-profile": tuple(each.first("id") for each in found if each.name == "profile" and each.first("id")),
        "mvn-module": (*(each.text for each in found if each.name == "module" and each.text), name),
    }
    return Manifest(file, "java", name, tasks=tasks, versions=versions)


def _gradle(file: str, text: str) -> Manifest:
    versions = dict(re.findall(r"[\"'][\w.-]+:([\w.-]+):(\d[\w.-]*)[\"']", text))
    for plugin, version in re.findall(r"id\s*\(?[\"']([\w.-]+)[\"']\)?\s+version\s+[\"'](\d[\w.-]*)[\"']", text):
        versions["spring-boot" if plugin == "org.springframework.boot" else plugin.rpartition(".")[2]] = version
    kotlin = re.search(r"kotlin\([\"']\w+[\"']\)\s+version\s+[\"'](\d[\w.-]*)", text)
    if kotlin:
        versions["kotlin"] = kotlin[1]
    java = re.search(r"(?:JavaLanguageVersion\.of\(|JavaVersion\.VERSION_|sourceCompatibility\s*=\s*[\"']?)(\d+)", text)
    if java:
        versions["java"] = java[1]
    own = re.findall(r"(?:tasks\.(?:register|create)(?:<\w+>)?\(|^[^\S\n]*task\s+)[\"']?(\w+)", text, re.MULTILINE)
    modules = re.findall(r"[\"']:([\w:-]+)[\"']", " ".join(re.findall(r"^[^\S\n]*include\b(.*)$", text, re.MULTILINE)))
    return Manifest(file, "java", tasks={"gradle-task": tuple(own), "gradle-module": tuple(modules)}, versions=versions)


def _makefile(file: str, text: str) -> Manifest:
    targets = [name for line in _TARGET.findall(text) for name in line.split()]
    is_open = _OPEN_MAKEFILE.search(text) is not None
    return Manifest(file, "make", tasks={"make": tuple(dict.fromkeys(targets))}, is_open=is_open)


def _justfile(file: str, text: str) -> Manifest:
    aliases = re.findall(r"^alias\s+([\w-]+)\s*:=", text, re.MULTILINE)
    is_open = re.search(r"^(?:import|mod)\b", text, re.MULTILINE) is not None
    return Manifest(file, "just", tasks={"just": (*_RECIPE.findall(text), *aliases)}, is_open=is_open)


def _taskfile(file: str, text: str) -> Manifest:
    return Manifest(file, "task", tasks={"task": _keys_below(text, "tasks")}, is_open="\nincludes:" in text)


def _compose(file: str, text: str) -> Manifest:
    return Manifest(file, "docker", tasks={"compose": _keys_below(text, "services")}, versions=_images(text))


def _dockerfile(file: str, text: str) -> Manifest:
    stages = re.findall(r"^FROM\s+.*?\s+AS\s+(\S+)", text, re.MULTILINE | re.IGNORECASE)
    return Manifest(file, "docker", tasks={"docker-stage": tuple(stages)}, versions=_images(text))


def _images(text: str) -> dict[str, str]:
    found = {}
    for image, tag in _IMAGE.findall(text):
        name = image.rpartition("/")[2].lower()
        found[_IMAGE_NAMES.get(name, name)] = tag.partition("-")[0]
    return found


def _keys_below(text: str, name: str) -> tuple[str, ...]:
    """Return the keys right below a top-level key of a YAML file."""
    body = re.search(rf"^{name}:[ \t]*(?:#.*)?\n((?:[ \t]+.*\n?|\s*\n|#.*\n)*)", text, re.MULTILINE)
    if body is None:
        return ()
    keys = re.findall(r"^([ \t]+)[\"']?([\w:.-]+?)[\"']?:(?:\s|$)", body[1], re.MULTILINE)
    return tuple(key for indent, key in keys if indent == keys[0][0])


def _gemfile(file: str, text: str) -> Manifest:
    versions = dict(re.findall(r"^[^\S\n]*gem\s+[\"']([\w-]+)[\"'](?:,\s*[\"']([^\"']+)[\"'])?", text, re.MULTILINE))
    ruby = re.search(r"^ruby\s+[\"']([^\"']+)", text, re.MULTILINE)
    return Manifest(file, "ruby", versions=versions | ({"ruby": ruby[1]} if ruby else {}))


def _rakefile(file: str, text: str) -> Manifest:
    tasks: list[str] = []
    space: list[str] = []
    for line in text.splitlines():
        opened = re.match(r"(\s*)namespace\s+:?[\"']?(\w+)", line)
        task = re.match(r"\s*(?:multi)?task\s+\(?:?[\"']?(\w+)", line)
        if opened:
            space.append(opened[2])
        elif task:
            tasks.append(":".join([*space, task[1]]))
        elif re.match(r"end\b", line):
            space.clear()
    return Manifest(file, "ruby", tasks={"rake": tuple(tasks)}, is_open="load_tasks" in text or "import " in text)


def _composer(file: str, text: str) -> Manifest:
    found = json.loads(text)
    versions = {name.rpartition("/")[2]: wanted for name, wanted in found.get("require-dev", {}).items()}
    versions |= {name: wanted for name, wanted in found.get("require", {}).items() if "/" not in name}
    versions |= {name.rpartition("/")[2]: wanted for name, wanted in found.get("require", {}).items() if "/" in name}
    if "laravel/framework" in found.get("require", {}):
        versions["laravel"] = found["require"]["laravel/framework"]
    return Manifest(
        file,
        "php",
        str(found.get("name", "")).rpartition("/")[2],
        str(found.get("description", "")),
        {"composer": tuple(found.get("scripts", {}))},
        versions,
    )


def _tox(file: str, text: str) -> Manifest:
    listed = re.search(r"^env_?list\s*=\s*(.*(?:\n[ \t]+.*)*)", text, re.MULTILINE)
    names = [
        *re.findall(r"(?:[^,\s{}]|\{[^{}]*\})+", listed[1] if listed else ""),
        *re.findall(r"^\[testenv:([^]\n]+)\]", text, re.MULTILINE),
    ]
    spread = islice((one for name in names if len(name) <= _LONGEST for one in _spread(name)), _MOST_SPREAD)
    return Manifest(file, "python", tasks={"tox": tuple(spread)}, is_open=True)


def _spread(name: str) -> Iterator[str]:
    """Yield py{311,312} as py311 and py312."""
    parts = re.split(r"\{([^{}]*)\}", name)
    for chosen in product(*(part.split(",") if at % 2 else [part] for at, part in enumerate(parts))):
        yield "".join(chosen)


def _noxfile(file: str, text: str) -> Manifest:
    sessions = []
    for each in text.split("@nox.session")[1:]:
        decorated, _, function = each.partition("\ndef ")
        given = re.search(r"\bname\s*=\s*[\"']([^\"'\n]+)", decorated)
        called = re.match(r"\s*(\w+)", function)
        if called:
            sessions.append(given[1] if given else called[1])
    return Manifest(file, "python", tasks={"nox": tuple(sessions)})


def _deno(file: str, text: str) -> Manifest:
    found = json.loads(re.sub(r"^[^\S\n]*//.*$", "", text, flags=re.MULTILINE))
    return Manifest(file, "deno", str(found.get("name", "")), tasks={"deno": tuple(found.get("tasks", {}))})


def _csproj(file: str, text: str) -> Manifest:
    versions = dict(re.findall(r"<PackageReference\s+Include=\"([^\"]+)\"\s+Version=\"([^\"]+)\"", text))
    framework = re.search(r"<TargetFrameworks?>net(\d+\.\d+)", text)
    if framework:
        versions[".net"] = framework[1]
    return Manifest(file, "dotnet", file.rpartition("/")[2].removesuffix(".csproj"), versions=versions)


def _mix(file: str, text: str) -> Manifest:
    versions = dict(re.findall(r"\{:(\w+),\s*\"([^\"]+)\"", text))
    elixir = re.search(r"elixir:\s*\"([^\"]+)\"", text)
    _, _, aliases = text.partition(" aliases do\n")
    body = re.split(r"^[^\S\n]*end\b", aliases, maxsplit=1, flags=re.MULTILINE)[0]
    tasks = re.findall(r"^[^\S\n]*\"?([\w.]+)\"?(?::|\s*=>)\s", body, re.MULTILINE)
    return Manifest(
        file, "elixir", tasks={"mix": tuple(tasks)}, versions=versions | ({"elixir": elixir[1]} if elixir else {})
    )


def _runtime(tool: str) -> Parse:
    def read(file: str, text: str) -> Manifest:
        version = re.search(r"\d[\w.]*", text)
        return Manifest(file, tool, versions={tool: version[0]} if version else {})

    return read


def _tool_versions(file: str, text: str) -> Manifest:
    names = {"nodejs": "node", "golang": "go"}
    found = re.findall(r"^(\w+)\s+[\w-]*?(\d[\w.]*)", text, re.MULTILINE)
    return Manifest(file, "tools", versions={names.get(tool, tool): version for tool, version in found})


def _caret(version: str) -> str:
    return version if version[:1] in "<>=~^*" else f"^{version}"


_READERS: Mapping[str, Parse] = {
    "package.json": _package_json,
    "pyproject.toml": _pyproject,
    "requirements*.txt": _requirements_text,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
    "pom.xml": _pom,
    "build.gradle*": _gradle,
    "settings.gradle*": _gradle,
    "[Mm]akefile": _makefile,
    "GNUmakefile": _makefile,
    "[Jj]ustfile": _justfile,
    "Taskfile.y*ml": _taskfile,
    "docker-compose*.y*ml": _compose,
    "compose*.y*ml": _compose,
    "Dockerfile*": _dockerfile,
    "Gemfile": _gemfile,
    "Rakefile": _rakefile,
    "composer.json": _composer,
    "tox.ini": _tox,
    "noxfile.py": _noxfile,
    "deno.json*": _deno,
    "*.csproj": _csproj,
    "mix.exs": _mix,
    ".nvmrc": _runtime("node"),
    ".node-version": _runtime("node"),
    ".python-version": _runtime("python"),
    ".ruby-version": _runtime("ruby"),
    ".java-version": _runtime("java"),
    "rust-toolchain*": _runtime("rust"),
    ".tool-versions": _tool_versions,
}
