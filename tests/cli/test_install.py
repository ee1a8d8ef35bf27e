"""Installing into hosts and taking it out again: nothing of the user's is lost, whatever state the files are in."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tacit import fsio
from tacit.hosts import launcher
from tacit.hosts.catalogue import HOSTS
from tacit.hosts.jsonc import parse
from tests.cli.runner import Person, fingerprint, tacit, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WIRED = [each.id for each in HOSTS.values() if not each.is_guided]
SCOPES = ("project", "user")
JSON = """{
  // mine, in this order
  "zeta": {"keep": [1, 2, 3]},   /* odd   spacing */
  "mcpServers": {
    "other": { "command": "other" } // the last one
  },
  "servers": {"other": {}},
  "mcp": {},
  "hooks": {
    "SessionStart": [
      { "hooks": [ { "type": "command", "command": "mine" } ] },
    ],
    "sessionStart": [{"command": "mine"}]
  },
  "alpha": "键\\u0021",
}
"""
TOML = """# mine
model = "gpt"   # odd   spacing

[mcp_servers.other]
command = "other"
"""
BROKEN = {".json": '{\n  "a": 1,\n  "b": \n}\n', ".toml": 'a = 1\nb = "\n'}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home; nothing of Tacit's is in it."""
    monkeypatch.delenv("TACIT_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def shared_files(host: str, scope: str) -> list[Path]:
    """Return the files of a host that are not ours alone: those that an installation says it would change."""
    planned = tacit("install", host, f"--{scope}", "--json").document["files"]
    ours = ("SKILL.md", ".agent.md", "tacit.js", "tacit.md", "hooks/tacit.json")
    paths = [Path(each["path"]) for each in planned if each["path"].endswith((".json", ".toml"))]
    return [path for path in paths if not str(path).endswith(ours) and "commands" not in path.parts]


def value_of(path: Path) -> Any:  # noqa: ANN401  any configuration
    """Return what a configuration file says."""
    text = path.read_text(encoding="utf-8")
    return tomllib.loads(text) if path.suffix == ".toml" else parse(text).value


def holds(whole: Any, part: Any) -> bool:  # noqa: ANN401  any configuration
    """Whether all of `part` is in `whole`: members of objects, items of lists in their order."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and holds(whole[key], part[key]) for key in part)
    if isinstance(part, list):
        return isinstance(whole, list) and whole[: len(part)] == part
    return bool(whole == part)


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("host", WIRED)
def test_a_fresh_host_is_wired_and_restored(host: str, scope: str, project: Path, home: Path) -> None:
    """W-01: where there was nothing, uninstall leaves nothing, no empty folder either."""
    before = fingerprint(home)
    done = tacit("install", host, f"--{scope}", "--yes", "--json")
    assert done.document["applied"] is True
    assert all(Path(each["path"]).is_file() for each in done.document["files"])
    assert os.access(launcher.path(home / ".tacit"), os.X_OK)
    assert project.is_dir()
    assert tacit("uninstall", host, f"--{scope}", "--yes").code == 0
    assert fingerprint(home) == before


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("host", WIRED)
@pytest.mark.usefixtures("project")
def test_an_existing_configuration_keeps_all_that_is_in_it(host: str, scope: str, home: Path) -> None:
    """W-01: comments, order, spacing and values stay; uninstall gives back the bytes."""
    files = [write(path, TOML if path.suffix == ".toml" else JSON) for path in shared_files(host, scope)]
    values = [value_of(path) for path in files]
    before = fingerprint(home)
    assert tacit("install", host, f"--{scope}", "--yes").code == 0
    for path, value in zip(files, values, strict=True):
        text = path.read_text(encoding="utf-8")
        assert "tacit" in text
        assert holds(value_of(path), value)
        rest = iter(text)
        assert all(char in rest for char in (TOML if path.suffix == ".toml" else JSON)), "something was taken away"
    assert tacit("uninstall", host, f"--{scope}", "--yes").code == 0
    assert fingerprint(home) == before


@pytest.mark.parametrize("host", WIRED)
@pytest.mark.usefixtures("project")
def test_twice_is_once(host: str, home: Path) -> None:
    """W-01: a second installation changes nothing and says so; one uninstall is enough, and a second one is fine."""
    before = fingerprint(home)
    tacit("install", host, "--yes")
    once = fingerprint(home)
    again = tacit("install", host, "--yes", "--json").document
    assert (again["files"], again["applied"]) == ([], False)
    assert fingerprint(home) == once
    tacit("uninstall", host, "--yes")
    assert fingerprint(home) == before
    assert tacit("uninstall", host, "--yes", "--json").document["files"] == []
    assert fingerprint(home) == before


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("host", WIRED)
@pytest.mark.usefixtures("project")
def test_a_broken_configuration_is_refused(host: str, scope: str, home: Path) -> None:
    """W-01: a file that its host cannot read either stops the installation before anything changes."""
    for path in shared_files(host, scope):
        write(path, BROKEN[path.suffix])
        before = fingerprint(home)
        done = tacit("install", host, f"--{scope}", "--yes", "--json")
        assert (done.code, done.document["code"]) == (3, "host.config")
        assert str(path) in done.document["message"]
        assert fingerprint(home) == before
        path.unlink()


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("host", WIRED)
@pytest.mark.usefixtures("project")
def test_a_read_only_file_is_refused(host: str, scope: str, home: Path) -> None:
    """W-01: a file that may not be written is not replaced behind its owner's back, root's neither."""
    for path in shared_files(host, scope):
        write(path, TOML if path.suffix == ".toml" else JSON).chmod(0o444)
        before = fingerprint(home)
        done = tacit("install", host, f"--{scope}", "--yes", "--json")
        assert (done.code, done.document["code"]) == (7, "store.io")
        assert fingerprint(home) == before
        path.unlink()


@pytest.mark.parametrize("host", WIRED)
@pytest.mark.usefixtures("project")
def test_all_files_change_or_none(host: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """W-01: whichever write the disk refuses, what was done before it is taken back, of install and of uninstall."""
    for path in shared_files(host, "project"):
        write(path, TOML if path.suffix == ".toml" else JSON)
    for act in ("install", "uninstall"):
        before = fingerprint(home)
        for number in range(1000):
            with monkeypatch.context() as disk:
                calls = iter(range(10_000))
                disk.setattr(fsio, "replace", failing(fsio.replace, calls, number))
                disk.setattr(fsio, "remove", failing(fsio.remove, calls, number))
                done = tacit(act, host, "--yes", "--json")
            if done.code == 0:
                break
            assert done.document["code"] == "store.io"
            assert fingerprint(home) == before
        assert number > 2


def failing(real: Callable[..., None], calls: Iterator[int], at: int) -> Callable[..., None]:
    """Return a function that fails once, at call number `at` of all that share `calls`."""

    def call(*words: Any, **more: Any) -> None:  # noqa: ANN401  whatever the real one takes
        if next(calls) == at:
            raise OSError(28, "No space left on device", str(words[0]))
        real(*words, **more)

    return call


@pytest.mark.parametrize("host", WIRED)
@pytest.mark.usefixtures("project")
def test_what_was_changed_since_stays(host: str) -> None:
    """W-01: if the user changed the configuration since, exactly what install put in is taken out."""
    files = [write(path, TOML if path.suffix == ".toml" else JSON) for path in shared_files(host, "project")]
    tacit("install", host, "--yes")
    for path in files:
        text = path.read_text(encoding="utf-8")
        write(path, text.replace("other", "another").replace("mine", "still mine") + "\n")
    assert tacit("uninstall", host, "--yes").code == 0
    for path in files:
        source = TOML if path.suffix == ".toml" else JSON
        wanted = source.replace("other", "another").replace("mine", "still mine") + "\n"
        assert path.read_text(encoding="utf-8") == wanted


def test_what_a_users_own_hooks_need_stays_with_them(project: Path) -> None:
    """W-01: a file that install made and a user added to stays one that Cursor can read."""
    file = project / ".cursor/hooks.json"
    tacit("install", "cursor", "--yes")
    made = file.read_text(encoding="utf-8")
    write(file, made.replace('"hooks": {', '"hooks": {\n    "stop": [{"command": "mine"}],', 1))
    assert tacit("uninstall", "cursor", "--yes").code == 0
    assert value_of(file) == {"version": 1, "hooks": {"stop": [{"command": "mine"}]}}


@pytest.mark.parametrize("host", WIRED)
def test_a_lost_record_is_no_trouble(host: str, project: Path) -> None:
    """In a clone, or after the record was lost, what this version would put in is found and taken out."""
    files = [write(path, TOML if path.suffix == ".toml" else JSON) for path in shared_files(host, "project")]
    values = [value_of(path) for path in files]
    tacit("install", host, "--yes")
    for path in (project.parent / ".tacit/installs").iterdir():
        path.unlink()
    assert tacit("uninstall", host, "--yes").code == 0
    assert all(holds(value_of(path), value) for path, value in zip(files, values, strict=True))
    assert all("tacit" not in path.read_text(encoding="utf-8") for path in files)
    left = [path for path in project.rglob("*") if path.is_file() and path not in files]
    assert left == []
    assert not [path for path in project.rglob("*") if path.is_dir() and not any(path.iterdir())]


@pytest.mark.parametrize("host", WIRED)
@pytest.mark.usefixtures("project")
def test_a_host_that_was_never_installed_keeps_its_files(host: str) -> None:
    """Empty containers that held nothing of ours are the user's: no byte changes, and we say that nothing is ours."""
    files = shared_files(host, "project")
    commented = '{\n  // mine\n  "servers": {},\n  "hooks": {"SessionStart": []}\n}\n'
    for text in (commented, '{"mcpServers": {}}', '{"version": 1, "hooks": {}}', '{"mcp": {}}', "{}\n"):
        before = {path: write(path, "# mine\n" if path.suffix == ".toml" else text).read_bytes() for path in files}
        assert "Nothing of ours" in tacit("uninstall", host, "--yes").out
        assert {path: path.read_bytes() for path in files} == before


def test_what_the_user_tuned_stays_at_an_upgrade(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hook, a server entry and a skill that the user changed are neither doubled nor overwritten, and are named."""
    tacit("install", "claude", "--yes")
    tuned = {
        ".claude/settings.json": ('"timeout": 10', '"timeout": 20'),
        ".mcp.json": ('"alwaysLoad": true', '"alwaysLoad": false'),
        ".claude/skills/remember/SKILL.md": ("# Remember", "# Remember it"),
    }
    for name, (old, new) in tuned.items():
        write(project / name, (project / name).read_text(encoding="utf-8").replace(old, new))
    before = fingerprint(project)
    assert tacit("install", "claude", "--yes", "--json").document["files"] == []
    with monkeypatch.context() as newer:
        newer.setattr("tacit.hosts.claude._TIMEOUT_S", 5)
        done = tacit("install", "claude", "--yes")
    assert done.code == 0
    assert fingerprint(project) == before
    assert all(name in done.err for name in tuned)
    left = tacit("uninstall", "claude", "--yes", "--json").document["left"]
    assert all(any(name in each for each in left) for name in tuned)
    assert '"timeout": 20' in (project / ".claude/settings.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("host", WIRED)
def test_half_an_installation_is_completed_or_taken_back(host: str, project: Path, home: Path) -> None:
    """The record is there before the first file: what a crash left is completed by install, taken back by uninstall."""
    before = fingerprint(home)
    tacit("install", host, "--yes")
    whole = fingerprint(home)
    files = sorted(path for path in project.rglob("*") if path.is_file())
    for number, act in ((0, "install"), (1, "uninstall")):
        for path in files[number::2]:
            path.unlink()
        assert tacit(act, host, "--yes").code == 0
        assert fingerprint(home) == (whole if act == "install" else before)


def test_hosts_that_share_files_share_them(project: Path, home: Path) -> None:
    """Claude Code, the Copilot CLI and VS Code read some files in common: each stays until the last of them goes."""
    before = fingerprint(home)
    for host in ("claude", "copilot", "vscode"):
        tacit("install", host, "--yes")
    tacit("uninstall", "claude", "--yes")
    assert "tacit" in value_of(project / ".mcp.json")["mcpServers"]
    tacit("uninstall", "copilot", "--yes")
    assert not (project / ".mcp.json").exists()
    assert (project / ".github/hooks/tacit.json").is_file()
    tacit("uninstall", "vscode", "--yes")
    assert fingerprint(home) == before


def test_an_entry_of_the_users_own_is_not_taken_over(project: Path) -> None:
    """A server called tacit, or a file of the user's where ours would be, is a reason to stop."""
    write(project / ".mcp.json", '{"mcpServers": {"tacit": {"command": "mine"}}}')
    assert tacit("install", "claude", "--yes").error_code == "host.taken"
    write(project / ".github/hooks/tacit.json", "{}")
    assert tacit("install", "vscode", "--yes").error_code == "host.taken"
    assert sorted(path.name for path in project.rglob("*") if path.is_file()) == [".mcp.json", "tacit.json"]


def test_a_file_of_ours_that_was_changed_is_left(project: Path) -> None:
    """A skill that the user made theirs stays, and is named."""
    tacit("install", "claude", "--yes")
    skill = write(project / ".claude/skills/remember/SKILL.md", "mine")
    done = tacit("uninstall", "claude", "--yes", "--json")
    assert done.document["left"] == [str(skill)]
    assert skill.read_text(encoding="utf-8") == "mine"
    assert not (project / ".claude/skills/extract").exists()


def test_an_older_installation_is_brought_up_to_date(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another version put in makes way for what this one puts in; what it no longer wants goes."""
    before = fingerprint(project)
    with monkeypatch.context() as older:
        older.setattr("tacit.hosts.wiring.line", lambda _, event, host: f"older {event} {host}")
        older.setattr("tacit.hosts.shipped.INSTALLED_AS", {"init": "older-init"})
        tacit("install", "claude", "--yes")
    assert "older" in (project / ".claude/settings.json").read_text(encoding="utf-8")
    assert tacit("install", "claude", "--yes").code == 0
    assert "older" not in (project / ".claude/settings.json").read_text(encoding="utf-8")
    assert not (project / ".claude/skills/older-init").exists()
    assert (project / ".claude/skills/memory-init/SKILL.md").is_file()
    tacit("uninstall", "claude", "--yes")
    assert fingerprint(project) == before


def test_nothing_happens_without_a_yes(project: Path, home: Path, person: Person) -> None:
    """The plan is shown first; a no leaves everything as it is, and so does an absent terminal."""
    write(project / ".mcp.json", JSON)
    before = fingerprint(home)
    person.will_say("n")
    done = tacit("install", "claude")
    assert done.error_code == "gate.declined"
    assert '+    "tacit": {' in done.out.replace("    +", "+")
    assert fingerprint(home) == before
    person.will_say("y")
    assert tacit("install", "claude").code == 0
    assert "tacit" in value_of(project / ".mcp.json")["mcpServers"]


def test_without_a_terminal_the_plan_is_all(project: Path) -> None:
    """A program without `--yes` gets the plan with its diffs, and nothing is changed."""
    write(project / ".mcp.json", JSON)
    planned = tacit("install", "claude", "--json").document
    assert planned["applied"] is False
    diffs = {each["path"]: each["diff"] for each in planned["files"]}
    assert "+++ " in diffs[str(project / ".mcp.json")]
    assert list(project.iterdir()) == [project / ".mcp.json"]
    assert "--yes" in tacit("install", "claude").out
    tacit("install", "claude", "--yes")
    assert "--yes" in tacit("uninstall", "claude").out


def test_a_link_out_of_the_project_is_not_followed(project: Path, home: Path) -> None:
    """A project's link to somewhere else is refused; a link in the user's own files is theirs, and is followed."""
    write(home / "dotfiles/settings.json", "{}\n")
    (project / ".claude").mkdir()
    (project / ".claude/settings.json").symlink_to(home / "dotfiles/settings.json")
    assert tacit("install", "claude", "--yes").error_code == "path.symlink"
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").symlink_to(home / "dotfiles/settings.json")
    assert tacit("install", "claude", "--user", "--yes").code == 0
    assert (home / ".claude/settings.json").is_symlink()
    assert "hooks" in value_of(home / "dotfiles/settings.json")


@pytest.mark.usefixtures("project")
def test_a_file_that_is_not_utf8_is_refused(project: Path) -> None:
    """Bytes that are no text are told with their line."""
    write(project / ".mcp.json", b'{\n"a": "\xff"}')
    done = tacit("install", "claude", "--yes", "--json")
    assert done.document["code"] == "host.config"
    assert ".mcp.json:2:" in done.document["message"]


def test_the_hook_line_does_not_depend_on_version_or_user(project: Path, home: Path) -> None:
    """Codex trusts a hook by the hash of its line, and a project's files are shared by a team."""
    tacit("install", "codex", "--yes")
    hooks = value_of(project / ".codex/hooks.json")["hooks"]
    line = hooks["UserPromptSubmit"][0]["hooks"][0]["command"]
    assert line == '"$HOME/.tacit/bin/tacit" hook prompt --host codex || true'
    config = (project / ".codex/config.toml").read_text(encoding="utf-8")
    assert str(home) not in config


def test_a_directory_of_ones_own_is_named_in_full(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With TACIT_HOME elsewhere the line leads there, and the script keeps to it whatever the host passes on."""
    monkeypatch.setenv("TACIT_HOME", str(tmp_path / "own home"))
    tacit("install", "claude", "--yes")
    line = value_of(project / ".claude/settings.json")["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    assert line.startswith(f"'{tmp_path}/own home/bin/tacit' hook")
    script = (tmp_path / "own home/bin/tacit").read_text(encoding="utf-8")
    assert f"TACIT_HOME='{tmp_path}/own home'" in script


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_the_running_server_can_answer_prompts(host: str, project: Path) -> None:
    """On request the hook for prompts is a tool of the server; a host that cannot do so says it."""
    before = fingerprint(project)
    tacit("install", host, "--yes")
    assert tacit("install", host, "--mcp-hooks", "--yes").code == 0
    file = project / {"claude": ".claude/settings.json", "codex": ".codex/hooks.json"}[host]
    hooks = value_of(file)["hooks"]
    assert [each["type"] for group in hooks["UserPromptSubmit"] for each in group["hooks"]] == ["mcp_tool"]
    assert [each["type"] for group in hooks["SessionStart"] for each in group["hooks"]] == ["command"]
    tacit("uninstall", host, "--yes")
    assert fingerprint(project) == before
    assert tacit("install", "gemini", "--mcp-hooks", "--yes").code == 2


@pytest.mark.usefixtures("project")
def test_hosts_are_listed_and_guided() -> None:
    """The list names every host and what is wired; hosts without hooks get a text."""
    tacit("install", "gemini", "--user", "--yes")
    hosts = {each["host"]: each for each in tacit("install", "--list", "--json").document["hosts"]}
    wanted = "claude cursor codex copilot vscode gemini qwen opencode cline windsurf zed"
    assert list(hosts) == wanted.split()
    assert hosts["gemini"]["installed"] == ["user"]
    assert "gemini" in tacit("install").out
    for host in ("windsurf", "zed"):
        done = tacit("install", host, "--yes", "--json").document
        assert (done["files"], done["applied"]) == ([], False)
        assert '"tacit": {"command"' in done["next"][0]
        assert tacit("uninstall", host, "--yes").code == 0
    assert [each["installed"] for each in hosts.values()].count([]) == len(hosts) - 1


def test_in_a_clone_what_others_put_in_can_be_taken_out(project: Path, home: Path) -> None:
    """Where the project's files came with the clone, install makes the script, and uninstall takes the files out."""
    tacit("install", "claude", "--yes")
    for record in (home / ".tacit/installs").iterdir():
        record.unlink()
    launcher.path(home / ".tacit").unlink()
    assert tacit("install", "claude", "--json").document["files"] == []
    assert launcher.path(home / ".tacit").is_file()
    launcher.path(home / ".tacit").unlink()
    assert "is wired (project); files written: 1." in tacit("install", "claude").out
    assert "nothing was changed" in tacit("install", "claude").out
    assert tacit("uninstall", "claude", "--yes").code == 0
    assert [path for path in project.rglob("*") if path.is_file()] == []


def test_the_bank_says_which_project(home: Path, project: Path) -> None:
    """The project is that of the bank that is named, else the one around the working directory."""
    (project / ".git").mkdir()
    deep = project / "src/deep"
    deep.mkdir(parents=True)
    os.chdir(deep)
    tacit("install", "qwen", "--yes")
    assert (project / ".qwen/settings.json").is_file()
    other = home / "elsewhere"
    other.mkdir()
    tacit("install", "qwen", "--yes", "--bank", other / ".memory")
    assert (other / ".qwen/settings.json").is_file()


def test_a_record_that_cannot_be_read_counts_as_lost(project: Path, home: Path) -> None:
    """A damaged record is no reason to fail."""
    tacit("install", "qwen", "--yes")
    (record,) = (home / ".tacit/installs").iterdir()
    for damage in ("{", json.dumps({"host": "qwen"})):
        record.write_text(damage, encoding="utf-8")
        assert tacit("install", "--list").code == 0
    assert tacit("uninstall", "qwen", "--yes").code == 0
    assert not (project / ".qwen/settings.json").exists()
