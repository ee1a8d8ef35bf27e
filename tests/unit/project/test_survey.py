"""What is seen of a project, and what is never opened."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.project import locks, manifests, survey
from tests.cli.runner import write

if TYPE_CHECKING:
    from pathlib import Path


PYPROJECT = """
[project]
name = "a"
requires-python = ">=3.11"
dependencies = ["click>=8", "x"]
[project.scripts]
a = "a:b"
[project.optional-dependencies]
d = ["pytest>=9"]
[tool.poe.tasks]
go = "x"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A small project."""
    folder = tmp_path / "shop"
    write(folder / "README.md", "# Shop\n" + "line\n" * 400)
    write(folder / "package.json", '{"name": "shop", "scripts": {"dev": "vite"}}')
    write(folder / "src/app.ts", 'export class Cart {}\nconst file = "made.json"\n')
    write(folder / ".env", "TOKEN_OF_ENV=1\n")
    write(folder / ".env.example", "NAME_OF_ENV=\n")
    write(folder / "node_modules/x/package.json", "{}")
    write(folder / ".memory/MEMORY.md", "# Memory\n")
    (folder / "link").symlink_to(folder / "src")
    return folder


def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are opened from now on."""
    opened: list[str] = []
    read = fsio.read

    def watch(path: Path, *, limit: int | None = None) -> bytes | None:
        opened.append(path.name)
        return read(path, limit=limit)

    monkeypatch.setattr(fsio, "read", watch)
    return opened


def test_a_look_sees_files_manifests_and_words(root: Path) -> None:
    """D-03: the project's own files are seen; what tools fetched, the bank and links are not."""
    seen = survey.look(root, leave_out=root / ".memory")

    assert seen.files == {"README.md", "package.json", "src/app.ts", ".env", ".env.example"}
    assert seen.folders == {"src"}
    assert {"Cart", "/made.json", "NAME_OF_ENV"} <= seen.vocabulary
    assert [each.file for each in seen.defines("npm")] == ["package.json"]
    assert seen.tasks("npm") == {"dev": "package.json"}


def test_secrets_are_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """D-02: a file that holds secrets by its name is never read, whatever asks for it."""
    opened = watched(monkeypatch)

    seen = survey.look(root)
    survey.glance(root)

    assert ".env" not in opened
    assert "TOKEN_OF_ENV" not in seen.vocabulary
    assert survey.read(root, ".env") == ""


@pytest.mark.parametrize(
    "name",
    [
        *(".env", ".env.local", "prod.env", "a/id_rsa", "x.pem", "secrets.yaml", "credentials.json", ".envrc"),
        *("a/.SSH/config", ".git-credentials", "secrets/db_password", "client_secret_1.json"),
    ],
)
def test_names_of_secrets(name: str) -> None:
    """D-02: environment files, keys and credentials are secrets."""
    assert survey.is_secret(name)


@pytest.mark.parametrize(
    "name", [".env.example", "env.md", "secrets.py", "keys.md", "tokenizer.py", "secrets/store.py", "secrets.d/a.txt"]
)
def test_names_of_no_secrets(name: str) -> None:
    """D-02: samples and sources that only speak of secrets are read."""
    assert not survey.is_secret(name)


def test_a_byte_order_mark_hides_no_manifest(root: Path) -> None:
    """D-03: files that an editor of Windows saved are read like all others."""
    write(root / "package.json", b"\xef\xbb\xbf" + b'{"name": "shop", "scripts": {"dev": "vite"}}')
    write(root / "README.md", b"\xef\xbb\xbf# Shop\n")
    seen = survey.glance(root)
    assert (seen.manifests[0].tasks["npm"], seen.readme) == (("dev",), "# Shop\n")


def test_a_manifest_that_cannot_be_read_says_nothing(root: Path) -> None:
    """D-03: nothing is called missing in a file that is a link or too large to be read."""
    write(root / "Makefile", "a:\n" * 200_000)
    write(root / "shared/make", "test:\n")
    (root / "shared/Makefile").symlink_to("make")
    assert survey.look(root).defines("make") == []


@pytest.mark.parametrize("file", ["package.json", "pyproject.toml"])
def test_a_glance_understands_the_beginning_of_a_long_manifest(root: Path, file: str) -> None:
    """E-03: what stands in the first two hundred lines counts, though they are no whole JSON or TOML."""
    names = [f"lib[{number}]{{" if number == 7 else f"lib{number}" for number in range(300)]
    texts = {
        "package.json": json.dumps(
            {"name": "shop", "scripts": {"dev": "vite"}, "dependencies": dict.fromkeys(names, "^1.0")}, indent=2
        ),
        "pyproject.toml": '[project]\nname = "shop"\ndependencies = [\n' + '  "fastapi>=0.1",\n' * 300 + "]\n",
    }
    write(root / file, texts[file])
    seen = {each.file: each for each in survey.glance(root).manifests}
    assert (seen[file].name, len(seen[file].versions)) == ("shop", 194 if file == "package.json" else 1)


def test_a_dependency_may_have_a_version_for_each_python() -> None:
    """D-03: a list of tables of Poetry's hides nothing of the rest."""
    text = '[tool.poetry.dependencies]\nx = [{version = "1.0", python = "<3.9"}, {version = "2.0"}]\ny = "^3"\n'
    found = manifests.parse("pyproject.toml", text)
    assert found is not None
    assert found.versions == {"x": "1.0", "y": "^3"}


def test_a_glance_reads_ten_files_of_two_hundred_lines(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """E-03: the snapshot is made from at most ten files, of each the first two hundred lines."""
    for number in range(20):
        write(root / f"packages/p{number}/package.json", "{}")
    opened = watched(monkeypatch)

    seen = survey.glance(root, leave_out=root / ".memory")

    assert len(opened) == 10
    assert len(seen.readme.splitlines()) == 200


def test_a_project_too_large_is_not_whole(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """D-03: beyond the bound nothing is said to be missing."""
    monkeypatch.setattr(survey, "MAX_FILES", 2)

    assert not survey.look(root).is_whole


@pytest.mark.parametrize(
    ("file", "text", "tool", "tasks", "versions"),
    [
        (
            "pyproject.toml",
            PYPROJECT,
            "poe",
            ("go",),
            {"click": ">=8", "x": "", "pytest": ">=9", "python": ">=3.11"},
        ),
        (
            "package.json",
            '{"scripts": {"t": "x"}, "dependencies": {"@nestjs/core": "^10.0.0"}, "packageManager": "pnpm@9.1.0+s"}',
            "npm",
            ("t",),
            {"@nestjs/core": "^10.0.0", "nestjs": "^10.0.0", "pnpm": "9.1.0"},
        ),
        (
            "Cargo.toml",
            '[package]\nname="g"\nedition="2021"\nrust-version="1.75"\n[dependencies]\nclap="4"\n[features]\nx=[]\n',
            "cargo-feature",
            ("default", "x"),
            {"clap": "^4", "rust": ">=1.75", "rust edition": "2021"},
        ),
        (
            "go.mod",
            "module e.org/a/b\n\ngo 1.22\nrequire e.org/x/gin/v2 v2.1.0\n",
            "",
            (),
            {"gin": "2.1.0", "go": "1.22"},
        ),
        ("Makefile", "V := 1\nall: a b\na b: c\n\techo\n.PHONY: all\n", "make", ("all", "a", "b"), {}),
        ("justfile", "alias t := test\ntest name='x':\n  y\nv := '1'\n", "just", ("test", "t"), {}),
        ("Taskfile.yml", "version: 3\ntasks:\n  build:\n    cmds: [x]\n  test: go\n", "task", ("build", "test"), {}),
        (
            "compose.yaml",
            "services:\n  db:\n    image: postgres:16-alpine\n  web:\n    x: 1\n",
            "compose",
            ("db", "web"),
            {"postgresql": "16"},
        ),
        ("Dockerfile", "FROM node:20.1-slim AS build\n", "docker-stage", ("build",), {"node": "20.1"}),
        ("Rakefile", "namespace :a do\n  task :b do\n  end\nend\ntask :c\n", "rake", ("a:b", "c"), {}),
        ("Gemfile", "ruby '3.3.1'\ngem 'rails', '~> 7.1'\n", "", (), {"ruby": "3.3.1", "rails": "~> 7.1"}),
        (
            "composer.json",
            '{"require": {"php": "^8.2", "laravel/framework": "^11"}, "scripts": {"t": "x"}}',
            "composer",
            ("t",),
            {"php": "^8.2", "framework": "^11", "laravel": "^11"},
        ),
        (
            "tox.ini",
            "[tox]\nenvlist = py{311,312}, lint\n[testenv:docs]\n",
            "tox",
            ("py311", "py312", "lint", "docs"),
            {},
        ),
        (
            "noxfile.py",
            '@nox.session(name="t")\ndef tests(s): ...\n@nox.session\ndef lint(s): ...\n',
            "nox",
            ("t", "lint"),
            {},
        ),
        ("deno.json", '{"tasks": {"dev": "x"}}', "deno", ("dev",), {}),
        (
            "a.csproj",
            '<TargetFramework>net8.0</TargetFramework><PackageReference Include="X" Version="1.2" />',
            "",
            (),
            {"X": "1.2", ".net": "8.0"},
        ),
        (
            "mix.exs",
            'elixir: "~> 1.16"\n{:phoenix, "~> 1.7"}\ndefp aliases do\n  [\n    setup: ["x"]\n  ]\nend\n',
            "mix",
            ("setup",),
            {"phoenix": "~> 1.7", "elixir": "~> 1.16"},
        ),
        (
            "build.gradle",
            "id 'org.springframework.boot' version '3.2.4'\nimplementation 'a:b:1.0'\ntasks.register('gen')\n",
            "gradle-task",
            ("gen",),
            {"spring-boot": "3.2.4", "b": "1.0"},
        ),
        (".tool-versions", "nodejs 20.1\n", "", (), {"node": "20.1"}),
        (".nvmrc", "v20.1\n", "", (), {"node": "20.1"}),
    ],
)
def test_manifests_of_common_ecosystems(
    file: str, text: str, tool: str, tasks: tuple[str, ...], versions: dict[str, str]
) -> None:
    """E-03: tasks and versions of each ecosystem are read as its tool means them."""
    found = manifests.parse(file, text)

    assert found is not None
    assert dict(found.versions) == versions
    assert found.tasks.get(tool, ()) == tasks


def test_a_pom_resolves_its_properties() -> None:
    """E-03: versions in a pom come through its properties, modules and profiles by their names."""
    found = manifests.parse(
        "pom.xml",
        "<project><artifactId>a</artifactId><properties><java.version>21</java.version><v>1.5</v></properties>"
        "<dependency><artifactId>m</artifactId><version>${v}</version></dependency><modules><module>core</module></modules>"
        "<profiles><profile><id>it</id></profile></profiles></project>",
    )

    assert found is not None
    assert dict(found.versions) == {"m": "1.5", "java": "21"}
    assert found.tasks == {"mvn-profile": ("it",), "mvn-module": ("core", "a")}


@pytest.mark.parametrize(
    ("file", "unit"),
    [
        *(
            ("pom.xml", unit)
            for unit in ("<properties>", "<dependency>", "<profile>", "<build>", "<!--", "</a>", "<a ")
        ),
        ("pom.xml", "<version>${"),
        ("pom.xml", "<dependency><artifactId>a</artifactId><version>${v}</version></dependency>"),
        ("tox.ini", "envlist = x\n  ,,,"),
        ("tox.ini", "[testenv:{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}]\n"),
        ("noxfile.py", "@nox.session("),
        ("noxfile.py", "@nox.session(name='a'"),
        ("mix.exs", "def aliases do "),
        ("mix.exs", "def aliases do\n "),
        ("Makefile", "${"),
        ("Makefile", "a $("),
    ],
)
def test_no_text_makes_a_manifest_slow(file: str, unit: str) -> None:
    """E-03: twice the text takes twice the calls, and what tries each place against all others would not come back."""

    def calls(text: str) -> int:
        counted: list[None] = []
        sys.setprofile(lambda _frame, _event, _value: counted.append(None))
        try:
            manifests.parse(file, text)
        finally:
            sys.setprofile(None)
        return len(counted)

    manifests.parse(file, unit)  # so that no pattern is compiled while calls are counted
    once = unit * (10_000 // len(unit))
    assert calls(once * 2) <= 2.1 * calls(once) + 100
    manifests.parse(file, unit * (250_000 // len(unit)))


def test_a_pom_is_read_by_where_things_stand() -> None:
    """E-03: what a comment, a self-closing or an unclosed element holds belongs to nothing else."""
    found = manifests.parse(
        "pom.xml",
        '<?xml version="1.0"?><!-- <parent> <!-- --><project xmlns="x">\n<parent>'
        "<artifactId>boot-starter-parent</artifactId><version>3.2</version><relativePath/>"
        "</parent><artifactId> a </artifactId><build><plugins><plugin>"
        "<artifactId>p</artifactId><dependencies><dependency><artifactId>d</artifactId><version>2-${no}</version>"
        "</dependency></dependencies><version>1</version></plugin></plugins></build></nothing><modules><module>m",
    )

    assert found is not None
    assert found.name == "a"
    assert dict(found.versions) == {"boot": "3.2", "p": "1", "d": "2-"}
    assert found.tasks["mvn-module"] == ("m", "a")


@pytest.mark.parametrize(
    ("file", "text"), [("package.json", "{"), ("pyproject.toml", "["), ("package.json", "[]"), ("x.py", "")]
)
def test_broken_manifests_say_nothing(file: str, text: str) -> None:
    """E-03: a manifest that cannot be read stops nothing."""
    assert manifests.parse(file, text) is None


@pytest.mark.parametrize(
    ("file", "text", "versions"),
    [
        (
            "package-lock.json",
            '{"packages": {"": {}, "node_modules/a": {"version": "1.2"}, "node_modules/a/node_modules/b": {}}}',
            {"a": "1.2"},
        ),
        (
            "pnpm-lock.yaml",
            "importers:\n  .:\n    dependencies:\n      'a':\n        specifier: ^1\n        version: 1.2.0(b@1)\n",
            {"a": "1.2.0"},
        ),
        ("yarn.lock", '"a@^1", a@1:\n  version "1.2"\n', {"a": "1.2"}),
        ("uv.lock", '[[package]]\nname = "a"\nversion = "1.2"\n', {"a": "1.2"}),
        ("Gemfile.lock", "    rails (7.1.3)\n      x (1)\n", {"rails": "7.1.3"}),
        ("composer.lock", '{"packages": [{"name": "x/a", "version": "v1.2"}]}', {"a": "1.2"}),
        ("bun.lockb", "", {}),
        ("uv.lock", "broken [", {}),
    ],
)
def test_lock_files(file: str, text: str, versions: dict[str, str]) -> None:
    """D-03: locked versions are read from each tool's file; a broken one says nothing."""
    found = locks.parse(file, text)

    assert found is not None
    assert dict(found.versions) == versions
    assert locks.parse("package.json", "{}") is None
