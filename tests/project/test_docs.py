"""The documents say what is true: sessions run, tables match the code, links lead somewhere."""

from __future__ import annotations

import ast
import contextlib
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from scripts import make_picture, make_reference
from tacit.capture.recognise import judge
from tacit.capture.signs import BARS, REQUEST
from tacit.settings import SETTINGS
from tests.project.documents import ROOT, command_words, table_after, text_of
from tests.project.transcripts import NOT_RUN, Session, blocks, steps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SOURCE = ROOT / "src/tacit"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PAGES = [path for place in ("*.md", "docs/**/*.md", "evals/*/*.md", "tuning/*.md") for path in ROOT.glob(place)]
DOCUMENTS = sorted(path for path in PAGES if path.is_file())
GUIDE = tuple(f"docs/{page}.md" for page in ("guide", "governed-writes", "tasks", "team", "capture", "upkeep"))
SESSIONS = tuple(name for page in ("README.md", *GUIDE) for name in (page, page.replace(".md", ".zh-CN.md")))
MOST_BLOCKS_NOT_RUN = 2
MESSAGES = [SOURCE / f"messages/{name}.py" for name in ("chinese", "chinese_errors", "page", "pairs")]
CHINESE = [*(path for path in DOCUMENTS if ".zh-CN" in path.name), *MESSAGES]


def name_of(path: Path) -> str:
    """Return a path as shown in a test id."""
    return path.relative_to(ROOT).as_posix()


def code_in(markdown: str) -> str:
    """Return what stands in a document as code: spans, and blocks that are no Python."""
    fenced = [block.text for block in blocks(markdown) if block.language != "python"]
    plain = re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE)
    return "\n".join([*fenced, *re.findall(r"`([^`\n]+)`", plain)])


def commands_named_in(markdown: str) -> set[str]:
    """Return the first words of the commands that a document names in its code, not in what a program printed."""
    own = re.sub(r"<!-- transcript of .*?<!-- end -->", "", markdown, flags=re.DOTALL)
    return set(re.findall(r"\btacit ([a-z]+)\b", code_in(own)))


def command_lines(markdown: str) -> Iterator[list[str]]:
    """Yield the words of each command line of `tacit` that a document names in its code."""
    own = re.sub(r"<!-- transcript of .*?<!-- end -->", "", markdown, flags=re.DOTALL)
    indented = "\n".join(re.findall(r"^    (tacit .*?)(?:  .*)?$", own, flags=re.MULTILINE))
    for line in re.sub(r"\\\n\s*", " ", f"{code_in(own)}\n{indented}").split("\n"):
        called = re.match(r"(?:\$ )?(?:[A-Z]+=\S+ |setsid -w )*tacit ([a-z].*)", line)
        if called:
            lexer = shlex.shlex(called[1], posix=True, punctuation_chars="|&;<>()")
            lexer.whitespace_split = True
            with contextlib.suppress(ValueError):  # a sentence with an apostrophe
                yield list(itertools.takewhile(lambda word: not set(word) <= set("|&;<>()"), lexer))


def problem_codes() -> set[str]:
    """Return the codes of problems that `check` makes by itself."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((SOURCE / "bank").glob("*.py"))]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    firsts = [call.args[0] for call in calls if ast.unparse(call.func) in ("Problem", "_said") and call.args]
    return {str(first.value) for first in firsts if isinstance(first, ast.Constant)}


# ── What the code has is documented, and nothing else is ──────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", sorted(make_reference.pages()))
def test_reference_is_current(name: str) -> None:
    """What is made from the code is what the code says; `python scripts/make_reference.py` makes it so."""
    assert text_of(name) == make_reference.pages()[name]


@pytest.mark.parametrize("name", sorted(make_picture.PICTURES))
def test_moving_picture_is_current(name: str) -> None:
    """The terminal in the README's picture shows what the README says; `python scripts/make_picture.py` draws it."""
    assert text_of(name) == make_picture.pictures()[name]


@pytest.mark.parametrize("name", sorted(make_picture.PICTURES))
def test_what_a_moving_picture_shows_is_so(name: str, tmp_path: Path) -> None:
    """Every command in the picture prints what it is seen to print; it plays for about a minute."""
    assert make_picture.untrue(name, tmp_path) == []
    assert 55 <= make_picture.rows(make_picture.script(name))[1] <= 70


def test_every_command_is_in_the_guide() -> None:
    """The guide shows every command at work or in words, in both languages."""
    wanted = {word.partition(" ")[0] for word in command_words()}
    for ending in (".md", ".zh-CN.md"):
        named = [commands_named_in(text_of(page.replace(".md", ending))) for page in GUIDE]
        assert wanted - set().union(*named) == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_named_commands_exist(path: Path) -> None:
    """No document names a command that there is not."""
    known = {word.partition(" ")[0] for word in command_words()}
    assert commands_named_in(path.read_text(encoding="utf-8")) - known == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_named_options_exist(path: Path) -> None:
    """No document gives a command an option that it does not take."""
    helps = {way.removeprefix("tacit").strip(): told for way, told in make_reference.commands()}
    unknown = []
    for words in command_lines(path.read_text(encoding="utf-8")):
        command = " ".join(words[:2]) if " ".join(words[:2]) in helps else words[0]
        told = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", helps.get(command, "")))
        given = {word.partition("=")[0] for word in words if re.match(r"--[a-z]", word)}
        unknown += [(command, option) for option in sorted(given - told)]
    assert unknown == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_named_codes_exist(path: Path) -> None:
    """No document names an error code, a problem or a setting that there is not."""
    known = {each.code for each in make_reference.error_classes()} | problem_codes()
    known |= {setting.name for setting in SETTINGS}
    spaces = "|".join(sorted({code.partition(".")[0] for code in known if "." in code}))
    named = re.findall(rf"`((?:{spaces})\.[a-z_]+)`", path.read_text(encoding="utf-8"))
    assert {name for name in named if not name.endswith((".py", ".md", ".json", ".onnx"))} - known == set()


def test_every_exit_code_is_documented() -> None:
    """The table of exit codes has those of the errors, and 0, 1 and 2."""
    listed = [int(row[0]) for row in table_after(text_of("docs/scripting.md"), "## Exit codes")]
    assert listed == sorted({0, 1, 2, *(each.exit_code for each in make_reference.error_classes())})


def test_every_problem_is_documented() -> None:
    """The table of problems has exactly those that `check` makes by itself."""
    rows = table_after(text_of("docs/scripting.md"), "## What `check` reports")
    assert {row[0].strip("`") for row in rows} == problem_codes()


def test_every_variable_is_documented() -> None:
    """The environment variables that the code reads are those that are documented."""
    wanted = re.compile(r"\"((?:TACIT|LC)_[A-Z_]+|LANG|NO_COLOR|VISUAL|EDITOR)\"")
    read = {name for path in SOURCE.rglob("*.py") for name in wanted.findall(path.read_text(encoding="utf-8"))}
    rows = table_after(text_of("docs/scripting.md"), "## Environment")
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row[0])} == read


@pytest.mark.parametrize(
    ("page", "heading"), [("docs/capture.md", "## What is recognised"), ("docs/capture.zh-CN.md", "## 识别什么")]
)
def test_what_is_left_is_left_for_the_reason_that_is_told(page: str, heading: str) -> None:
    """Each example of a sentence that is not kept is left by the rule beside it, and every such rule has one."""
    rows = table_after(text_of(page), heading)
    assert [[f"`{judged.rule}`" for judged in judge(example)] for _, example in rows] == [[rule] for rule, _ in rows]
    assert {rule.strip("`") for rule, _ in rows} >= {bar.name for bar in BARS} | {REQUEST.name}


def test_rooms_have_the_charters_of_the_code() -> None:
    """ARCHITECTURE.md lists every room with the first line of its docstring, and says which are empty."""
    rooms = {}
    for path in SOURCE.iterdir():
        module = path / "__init__.py" if path.is_dir() else path
        if path.name.startswith("__") or module.suffix != ".py" or not module.is_file():
            continue
        tree = ast.parse(module.read_text(encoding="utf-8"))
        is_empty = len(tree.body) == 1 and (module == path or len(list(path.rglob("*.py"))) == 1)
        charter = (ast.get_docstring(tree) or "").splitlines()[0]
        rooms[f"`{path.stem}`"] = [charter, "*empty*" if is_empty else ""]
    assert {row[0]: row[1:] for row in table_after(text_of("ARCHITECTURE.md"), "## Rooms")} == rooms


def test_import_directions_are_those_of_the_contract() -> None:
    """ARCHITECTURE.md shows the layers that import-linter checks."""
    layers = next(each for each in PYPROJECT["tool"]["importlinter"]["contracts"] if each["id"] == "layers")["layers"]
    section = text_of("ARCHITECTURE.md").split("\n## Who may import whom\n", 1)[1]
    assert next(blocks(section)).text.split("\n") == layers


def test_every_dependency_has_its_reason() -> None:
    """ARCHITECTURE.md lists what a user installs, extras too, in the versions of our own gates."""
    pins = dict(line.split("==") for line in text_of("constraints.txt").splitlines() if "==" in line)
    extras = PYPROJECT["project"].get("optional-dependencies", {})
    optional = [name for extra, names in extras.items() if extra != "dev" for name in names]
    needed = [re.split(r"[>=<\[; ]", name)[0] for name in [*PYPROJECT["project"]["dependencies"], *optional]]
    wanted = list(dict.fromkeys(name for name in needed if name != "tacit"))
    rows = table_after(text_of("ARCHITECTURE.md"), "## Dependencies")
    assert [row[0] for row in rows] == [f"{name} {pins[name]}" for name in wanted]


def test_named_targets_exist() -> None:
    """Every `make` target that a document names is in the Makefile, and every gate is in CONTRIBUTING.md."""
    targets = set(re.findall(r"^([a-z0-9]+):", text_of("Makefile"), flags=re.MULTILINE))
    named = {word for path in DOCUMENTS for word in re.findall(r"`make ([a-z0-9]+)", path.read_text(encoding="utf-8"))}
    assert named - targets == set()
    gates = re.search(r"^test: (.*) ##", text_of("Makefile"), flags=re.MULTILINE)
    assert gates is not None
    rows = table_after(text_of("CONTRIBUTING.md"), "## Gates")
    assert [row[0].strip("`").removeprefix("make ") for row in rows] == gates[1].split()


def test_test_folders_are_explained() -> None:
    """CONTRIBUTING.md says what each folder of tests is for, and names none that there is not."""
    rows = table_after(text_of("CONTRIBUTING.md"), "## Tests")
    named = {name for row in rows for name in re.findall(r"`(\w+)/`", row[0])}
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and any(path.rglob("*.py"))}
    assert folders <= named
    assert {name for name in named - folders if not (ROOT / "tests" / name).is_dir()} == set()


def test_threats_name_tests_that_exist() -> None:
    """Each threat in SECURITY.md has a test, and the file that it names is there."""
    rows = table_after(text_of("SECURITY.md"), "## Threats and what stands against them")
    assert rows
    for threat, _, tests in rows:
        files = re.findall(r"\[[^]]+\]\(([^)]+)\)", tests)
        assert files, threat
        assert [file for file in files if not re.fullmatch(r"tests/.*/test_\w+\.py", file)] == []


def said_in(markdown: str) -> tuple[set[str], set[str], set[str]]:
    """Return what a document says in any language: its numbers, its code, where its links lead."""
    plain = re.sub(r"^(`{3,}).*?^\1$", "", markdown, flags=re.DOTALL | re.MULTILINE)
    words = re.sub(r"\]\([^)]*\)", "]", plain)
    numbers = set(re.findall(r"(?<![\w.,])\d(?:[\d.,]*\d)?(?!\w)", words, flags=re.ASCII))
    led = {link.replace(".zh-CN", "").partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", plain)}
    return numbers, set(re.findall(r"`([^`]+)`", re.sub(r"\s*\n\s*", " ", plain))), led


@pytest.mark.parametrize("path", [path for path in CHINESE if path.suffix == ".md"], ids=name_of)
def test_languages_say_the_same(path: Path) -> None:
    """A Chinese page has the links, numbers and code of the English one, and no others; scale.zh-CN.md is shorter."""
    chinese, english = said_in(path.read_text(encoding="utf-8")), said_in(text_of(name_of(path).replace(".zh-CN", "")))
    only = {"TACIT_LANG=zh", "--help", "tacit log"} if path.name == "README.zh-CN.md" and path.parent == ROOT else set()
    assert chinese[0] - english[0] == set()
    assert chinese[1] - english[1] == only
    if path.name != "scale.zh-CN.md":
        assert (english[0] - chinese[0], english[1] - chinese[1]) == (set(), set())
    assert chinese[2] == english[2]


@pytest.mark.parametrize("path", CHINESE, ids=name_of)
def test_chinese_has_one_word_for_one_idea(path: Path) -> None:
    """Documents and messages use the Chinese words of GLOSSARY.md, and none of those that it turns down."""
    text = path.read_text(encoding="utf-8")
    for allowed in ("反向代理", "代理字符"):
        text = text.replace(allowed, "")
    rows = table_after(text_of("GLOSSARY.md"), "## In Chinese")
    never = {word for row in rows for word in re.split(r"[, ]+", re.sub(r"\(.*\)", "", row[2])) if word}
    assert never
    assert [word for word in sorted(never) if word in text] == []


# ── Links ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def anchors(markdown: str) -> set[str]:
    """Return the names by which the headings of a document are linked to."""
    plain = re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE)
    titles = re.findall(r"^#{1,6} (.*)$", plain, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links(path: Path) -> list[str]:
    """Return the targets of the links and pictures of a document."""
    plain = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", plain))


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    """A relative link leads to a file of the repository, and its anchor to a heading there."""
    lost = []
    for link in links(path):
        if re.match(r"\w+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        found = target.is_file() and target.is_relative_to(ROOT)
        if not found or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            lost.append(link)
    assert lost == []


def test_every_document_can_be_found() -> None:
    """From README.md links lead to every document."""
    found = {ROOT / "README.md"}
    ahead = list(found)
    while ahead:
        path = ahead.pop()
        targets = {(path.parent / link.partition("#")[0]).resolve() for link in links(path) if ".md" in link}
        ahead += [target for target in targets - found if target.is_file()]
        found |= targets
    assert [name_of(path) for path in DOCUMENTS if path not in found] == []


# ── What is shown runs ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(shutil.which("git") is None, reason="the sessions use git")
@pytest.mark.timeout(600)  # some forty processes, one after the other
@pytest.mark.parametrize("name", SESSIONS)
def test_session_runs_as_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of README and guide, run in order in a new git project, prints what the document shows."""
    for variable in [each for each in os.environ if each.startswith(("GIT_", "TACIT_"))]:
        monkeypatch.delenv(variable)
    session = Session(tmp_path.resolve(), "zh" if ".zh-" in name else "en")
    shown = steps(text_of(name))
    assert shown
    for step in shown:
        different = session.difference(step)
        assert not different, f"{name}, {different}"


@pytest.mark.skipif(shutil.which("git") is None, reason="the session is one in a git project")
def test_what_the_package_index_shows_works(tmp_path: Path) -> None:
    """The commands of PACKAGE.txt do what they promise: the last one says what the one before it remembered."""
    session = Session(tmp_path.resolve(), "en")
    made, written, recalled = (
        session.run(line, []) for line in re.findall(r"^    (.+)$", text_of("PACKAGE.txt"), re.MULTILINE)
    )
    assert made.startswith("Made the bank ")
    assert written.startswith("Remembered as ")
    assert "- Run the tests before every push" in recalled


def test_few_blocks_are_not_run() -> None:
    """Next to nothing that looks like a session is left out of the test."""
    assert sum(text_of(name).count(NOT_RUN) for name in SESSIONS) <= MOST_BLOCKS_NOT_RUN


@pytest.mark.parametrize(("first", "second"), list(zip(SESSIONS[::2], SESSIONS[1::2], strict=True)))
def test_languages_show_the_same_commands(first: str, second: str) -> None:
    """The English and the Chinese document name the same commands and run as many."""
    assert commands_named_in(text_of(first)) == commands_named_in(text_of(second))
    words = [[step.command.split()[:2] for step in steps(text_of(name))] for name in (first, second)]
    assert [each[0] for each in words[0]] == [each[0] for each in words[1]]
    assert len(words[0]) == len(words[1])


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if "```python" in path.read_text("utf-8")], ids=name_of)
def test_python_examples_run(path: Path, tmp_path: Path) -> None:
    """The Python blocks of a document run, one after the other, in one folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TACIT_")}
    environment["TACIT_HOME"] = str(tmp_path / "home")  # no model: what the examples say holds for keywords alone
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.language == "python":
            words = [sys.executable, "-W", "error", "-c", block.text]
            done = subprocess.run(
                words, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
            )
            assert done.returncode == 0, f"line {block.line}\n{done.stderr}"


# ── The runner itself ─────────────────────────────────────────────────────────────────────────────────────────────────

WRONG = """
```console
$ echo one \\
    two
one two
$ echo MEM-aaaaaaaa at 2026-01-02T03:04:05Z
MEM-bbbbbbbb at 2026-11-15T21:00:00Z
$ echo MEM-bbbbbbbb
MEM-bbbbbbbb
$ echo three
four
```

<!-- not run -->
```console
$ exit 1
never
```
"""


def test_runner_finds_what_differs(tmp_path: Path) -> None:
    """Names may differ if they do so alike, times may differ; words may not. A marked block is left out."""
    session = Session(tmp_path, "en")
    different = [session.difference(step) for step in steps(WRONG)]
    assert [bool(each) for each in different] == [False, False, False, True]
    assert "three" in different[-1]
    assert session.names == {"MEM-bbbbbbbb": "MEM-aaaaaaaa"}


def test_runner_answers_questions(tmp_path: Path) -> None:
    """An answer that a document shows behind a question is typed on a terminal."""
    asking = "\n```console\n$ printf 'Sure? [y/N] ' && read answer && echo \"got $answer\"\nSure? [y/N] y\ngot y\n```\n"
    (step,) = steps(asking)
    assert not Session(tmp_path, "en").difference(step)
