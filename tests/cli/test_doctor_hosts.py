"""What `tacit doctor` says about hosts: what is wired, trusted, stale or doubled, and that each hook gets through."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING

import pytest

from tacit.bank import Bank
from tacit.hosts import examine, shipped
from tacit.hosts.catalogue import HOSTS
from tests.cli.runner import fingerprint, tacit, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WIRED = [each.id for each in HOSTS.values() if not each.is_guided]


@pytest.fixture(autouse=True)
def quiet(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bank in the project, a home without anything of Tacit's, and no daemon of somebody else's."""
    monkeypatch.delenv("TACIT_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TACIT_RUNTIME_DIR", str(tmp_path / "run"))
    return root


@pytest.fixture
def unheard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks are not fired: the answer is what it would be."""

    def answer(line: str, _: Path) -> dict[str, str]:
        words = line.split()
        return {"event": words[2], "host": words[4]}

    monkeypatch.setattr(examine, "fire", answer)


def told() -> dict[str, list[tuple[bool, str]]]:
    """Return what doctor says about hosts, by name."""
    found: dict[str, list[tuple[bool, str]]] = {}
    for check in tacit("doctor", "--json").document["checks"]:
        if check["name"].startswith("host"):
            found.setdefault(check["name"], []).append((check["ok"], check["detail"]))
    return found


def test_without_a_host_doctor_says_how_to_get_one() -> None:
    """Nothing wired is nothing wrong."""
    assert told() == {"hosts": [(True, "no host is wired; `tacit install --list` shows them")]}


@pytest.mark.parametrize("host", ["claude", "opencode", "cline"])
def test_each_hook_is_fired_and_leaves_nothing_behind(host: str, quiet: Path) -> None:
    """W-01: the line in the host's file goes through shell, script and interpreter to the bank; nothing is kept."""
    Bank.open(quiet).session("talk").saw_prompt("hello")
    tacit("install", host, "--yes")
    before = fingerprint(quiet)
    found = told()
    wired, fired = found[f"host {host} (project)"]
    assert wired[0]
    assert fired[0], fired
    assert f"{len(HOSTS[host].events)} hooks answer" in fired[1]
    assert found["hosts"][0][0]
    assert fingerprint(quiet) == before
    assert len(tacit("sessions", "list", "--json").document["sessions"]) == 1


@pytest.mark.usefixtures("unheard")
@pytest.mark.parametrize("host", WIRED)
def test_a_wired_host_is_found(host: str, tmp_path: Path) -> None:
    """Each host is said to be wired, by its record or, in a clone, by its files alone."""
    tacit("install", host, "--yes")
    assert "wired, " in told()[f"host {host} (project)"][0][1]
    for record in (tmp_path / ".tacit/installs").iterdir():
        record.unlink()
    assert "wired, " in told()[f"host {host} (project)"][0][1]


def _delete(path: Path) -> None:
    path.unlink()


def _empty(path: Path) -> None:
    path.write_text('{"hooks": {"SessionStart": []}}', encoding="utf-8")


def _break(path: Path) -> None:
    path.write_text("{", encoding="utf-8")


def _fold(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.usefixtures("unheard")
def test_a_folder_in_place_of_a_skill_is_named(root: Path) -> None:
    """What cannot be read is broken, and the other checks go on."""
    tacit("install", "claude", "--yes")
    _fold(skill := root.parent / ".claude/skills/remember/SKILL.md")
    assert told()["host claude (project)"][0] == (False, f"broken: {skill}; `tacit install claude` mends it")


@pytest.mark.usefixtures("unheard")
@pytest.mark.parametrize(("harm", "word"), [(_delete, "missing"), (_break, "broken"), (_empty, "missing")])
def test_what_is_wrong_is_named(harm: Callable[[Path], None], word: str, root: Path) -> None:
    """A file that went, broke, or says what another version said is named, with what mends it."""
    tacit("install", "claude", "--yes")
    file = root.parent / ".claude/settings.json"
    harm(file)
    ok, detail = told()["host claude (project)"][0]
    assert not ok
    assert detail == f"{word}: {file}; `tacit install claude` mends it"


@pytest.mark.usefixtures("unheard")
@pytest.mark.parametrize("there", [{"hooks": []}, "text", 7, [7]])
def test_what_the_user_made_of_an_entry_is_looked_at_whatever_it_is(there: object, root: Path) -> None:
    """W-01: doctor tells of any value in the place of what was put in: another server, a text, a list of anything."""
    tacit("install", "claude", "--yes")
    servers, settings = root.parent / ".mcp.json", root.parent / ".claude/settings.json"
    for file, name, member in ((servers, "mcpServers", "tacit"), (settings, "hooks", "Stop")):
        document = json.loads(file.read_text(encoding="utf-8"))
        document[name][member] = there
        write(file, json.dumps(document))
    ok, detail = told()["host claude (project)"][0]
    assert (ok, detail) == (False, f"missing: {settings}; `tacit install claude` mends it")


@pytest.mark.usefixtures("unheard")
def test_skills_of_another_version_are_stale_and_own_changes_are_not(root: Path) -> None:
    """A skill that an older version wrote is stale; one that the user changed is theirs."""
    shipped.text.cache_clear()
    tacit("install", "claude", "--yes")
    skill = root.parent / ".claude/skills/remember/SKILL.md"
    write(skill, skill.read_text(encoding="utf-8") + "\nmine\n")
    assert "1 of them changed by you" in told()["host claude (project)"][0][1]
    settings = root.parent / ".claude/settings.json"
    write(settings, settings.read_text(encoding="utf-8").replace('"timeout": 10', '"timeout": 20'))
    assert "2 of them changed by you" in told()["host claude (project)"][0][1]
    tacit("uninstall", "claude", "--yes")


@pytest.mark.usefixtures("unheard")
def test_an_older_skill_is_stale_and_its_protocol_drifted(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """W-03: where the protocol of the skills and the injected one have drifted apart, doctor says which."""
    now = shipped.text
    with monkeypatch.context() as older:
        older.setattr(shipped, "text", lambda name: now(name).replace("tacit/1", "tacit/0"))
        older.setattr("tacit.hosts.claude._TIMEOUT_S", 1)
        tacit("install", "claude", "--yes")
    assert "tacit/0" in (root.parent / ".claude/skills/remember/SKILL.md").read_text(encoding="utf-8")
    wiring, _, protocol = told()["host claude (project)"]
    assert wiring[1].startswith("stale: ")
    assert ".claude/settings.json" in wiring[1]
    assert protocol[1].startswith("not of the protocol tacit/1: extract, ")


@pytest.mark.usefixtures("unheard")
def test_doubled_wiring_is_named() -> None:
    """A host that is wired for the user and for the project runs each hook twice."""
    tacit("install", "claude", "--yes")
    tacit("install", "claude", "--user", "--yes")
    assert (False, "wired for you and for this project, so hooks run twice: Claude Code") in told()["hosts"]


@pytest.mark.usefixtures("unheard")
def test_codex_must_trust_the_hooks(root: Path, tmp_path: Path) -> None:
    """Codex runs no hook that the user has not looked at; doctor says what to do."""
    tacit("install", "codex", "--yes")
    details = [detail for _, detail in told()["host codex (project)"]]
    assert "Codex does not trust this folder yet: start it here and say yes" in details
    project = root.parent
    config = write(tmp_path / ".codex/config.toml", f'[projects."{project}"]\ntrust_level = "trusted"\n')
    details = [detail for _, detail in told()["host codex (project)"]]
    assert "Codex does not trust the hooks yet: start it and choose “Trust all”" in details
    hooks = project / ".codex/hooks.json"
    for event in ("session_start", "user_prompt_submit", "post_tool_use", "pre_compact", "stop"):
        with config.open("a", encoding="utf-8") as file:
            file.write(f'[hooks.state."{hooks}:{event}:0:0"]\ntrusted_hash = "sha256:0"\n')
    assert tomllib.loads(config.read_text(encoding="utf-8"))
    assert (True, "Codex trusts the hooks") in told()["host codex (project)"]
    for odd in ("[", "hooks = true\nprojects = 1", f'hooks.state = 1\nprojects."{project}" = "x"'):
        config.write_text(odd, encoding="utf-8")
        assert not all(ok for ok, _ in told()["host codex (project)"])


def test_a_script_that_leads_elsewhere_is_named(tmp_path: Path) -> None:
    """Where the script is gone or another Tacit's, hooks cannot get through, and doctor says both."""
    tacit("install", "qwen", "--mcp-hooks")
    tacit("install", "qwen", "--yes")
    script = tmp_path / ".tacit/bin/tacit"
    write(script, "#!/bin/sh\nexit 0\n")
    found = told()
    assert found["hosts"] == [(False, f"{script} leads to another Tacit; `tacit install HOST` mends it")]
    assert (
        "no answer from the hooks session-start, prompt, post-tool, compact, stop" in found["host qwen (project)"][1][1]
    )
    script.unlink()
    assert "is missing" in told()["hosts"][0][1]
    tacit("install", "qwen", "--yes")
    assert told()["hosts"][0][0]


@pytest.mark.usefixtures("unheard")
def test_a_hook_that_the_server_answers_is_not_fired() -> None:
    """With the server's own tool for prompts, the other hooks are tested."""
    tacit("install", "claude", "--mcp-hooks", "--yes")
    assert "4 hooks answer" in told()["host claude (project)"][1][1]


def test_an_answer_that_is_no_object_is_none(root: Path) -> None:
    """Whatever a hook prints, doctor goes on."""
    assert examine.fire("echo 1", root) == {}
    assert examine.fire("echo no", root) == {}
    assert examine.fire(f"echo '{json.dumps({'event': 'x'})}'", root) == {"event": "x"}
