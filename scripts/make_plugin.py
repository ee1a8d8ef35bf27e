"""Write the plugin folders from what Tacit ships: for five hosts, in the Agent Plugins format, and for OpenCode.

python scripts/make_plugin.py     write what is out of date, remove what is no longer made, and say what that was
"""
# ruff: noqa: INP001  a script, not a package

from __future__ import annotations

import json
import sys
from pathlib import Path

from tacit import __version__
from tacit.hosts import shipped

ROOT = Path(__file__).parents[1]
FOLDERS = ("plugin", "agent-plugin", "opencode-plugin")
ABOUT = {
    "name": "tacit",
    "version": __version__,
    "description": "The memory that people and their coding agents share: governed, readable, in your repository",
    "author": {"name": "The Tacit authors"},
    "license": "MIT",
}
SERVER = {"command": "tacit", "args": ["mcp"]}
# What writes files, by the names of all hosts that read this file.
_WRITES = "Write|Edit|MultiEdit|NotebookEdit|write_file|replace|edit|create"
_README = """# Tacit as a plugin

This folder is loaded as it is by Claude Code, Codex, the GitHub Copilot CLI, Gemini CLI and Qwen Code. It brings the
hooks that tell an agent what the project's memory knows, the MCP server through which it proposes notes, seven skills,
commands and two agents. It needs the command `tacit` on the PATH of the host: install the package first, with the extra
`mcp`.

Made by `scripts/make_plugin.py`; edits here are lost. `tacit install HOST` wires a host without a plugin, starts its
hooks faster and knows the workspace in every host. How each host loads this folder is in docs/hosts.
"""
_RULE = shipped.text("rules/tacit.md")


def pages() -> dict[str, str]:
    """Return path → text of every file of the folders."""
    made = {
        "plugin/README.md": _README,
        "plugin/TACIT.md": _RULE,
        "plugin/.mcp.json": _json({"mcpServers": {"tacit": SERVER | {"alwaysLoad": True}}}),
        "plugin/.claude-plugin/plugin.json": _json(ABOUT),
        "plugin/.codex-plugin/plugin.json": _json(ABOUT | _parts("codex")),
        "plugin/.cursor-plugin/plugin.json": _json(ABOUT | _parts("cursor")),
        "plugin/gemini-extension.json": _json(
            {key: ABOUT[key] for key in ("name", "version", "description")}
            # Qwen Code shows a server's tools to its model at once only if it is told to; Gemini CLI does in any case.
            | {"mcpServers": {"tacit": SERVER | {"alwaysLoadTools": True}}, "contextFileName": "TACIT.md"}
        ),
        "plugin/hooks/hooks.json": _json(_hooks()),
        "plugin/hooks/codex-hooks.json": _json(_hooks("codex")),
        "plugin/hooks/cursor-hooks.json": _json(_cursor_hooks()),
        "agent-plugin/plugin.json": _json(_schema("plugin") | ABOUT),
        "agent-plugin/mcp.json": _json(_schema("mcp") | {"mcpServers": {"tacit": {"type": "stdio", **SERVER}}}),
        "opencode-plugin/tacit.js": shipped.text("opencode/tacit.js"),
        ".claude-plugin/marketplace.json": _json(
            {
                "name": "tacit",
                "description": ABOUT["description"],
                "owner": ABOUT["author"],
                "plugins": [{"name": "tacit", "source": "./plugin", "description": ABOUT["description"]}],
            }
        ),
        ".agents/plugins/marketplace.json": _json(
            {
                "name": "tacit",
                "plugins": [
                    {
                        "name": "tacit",
                        "source": {"source": "local", "path": "./plugin"},
                        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
                        "category": "Productivity",
                    }
                ],
            }
        ),
    }
    for name in shipped.skill_names():
        for folder in ("plugin", "agent-plugin"):
            made[f"{folder}/skills/{name}/SKILL.md"] = shipped.text(f"skills/{name}/SKILL.md")
    for name in shipped.COMMANDS:
        installed = shipped.INSTALLED_AS.get(name, name)  # some hosts do not put a plugin's name before its commands
        made[f"plugin/commands/{installed}.toml"] = shipped.command(name, name, "toml")
    for name in shipped.AGENTS:
        made[f"plugin/agents/{name}.md"] = shipped.text(f"agents/{name}.md")
    return made


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _schema(name: str) -> dict[str, object]:
    return {"$schema": f"https://agent-plugins.org/schemas/1.0.0/{name}.schema.json"}


def _parts(host: str) -> dict[str, object]:
    return {"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": f"./hooks/{host}-hooks.json"}


def _line(event: str, host: str = "") -> str:
    """Return the line of a hook; without a host it is told by the environment, because several read one file."""
    return f"tacit hook {event}{f' --host {host}' if host else ''} || true"


def _hooks(host: str = "") -> dict[str, object]:
    """Return the hooks as Claude Code writes them; in the file that hosts share with the names of all, no time limits.

    Hosts disagree on the unit of a time limit, and Codex on names that it does not know.
    """
    events = {"SessionStart": "session-start", "UserPromptSubmit": "prompt", "PostToolUse": "post-tool"}
    events |= {"PreCompact": "compact", "Stop": "stop"}
    if not host:
        events |= {"BeforeAgent": "prompt", "AfterTool": "post-tool", "PreCompress": "compact", "AfterAgent": "stop"}
    groups: dict[str, object] = {}
    for name, event in events.items():
        matcher = {"matcher": "apply_patch|Edit|Write" if host else _WRITES} if event == "post-tool" else {}
        groups[name] = [matcher | {"hooks": [{"type": "command", "command": _line(event, host)}]}]
    return {"hooks": groups}


def _cursor_hooks() -> dict[str, object]:
    events = {"sessionStart": "session-start", "beforeSubmitPrompt": "prompt", "preCompact": "compact"}
    hooks = {name: [{"command": _line(event, "cursor")}] for name, event in events.items()}
    hooks["postToolUse"] = [{"command": _line("post-tool", "cursor"), "matcher": "Write"}]
    return {"version": 1, "hooks": hooks}


def main() -> None:
    """Make the folders as the code says."""
    wanted = pages()
    for name, text in wanted.items():
        path = ROOT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"wrote {name}\n")
    for path in stray(wanted):
        path.unlink()
        sys.stdout.write(f"removed {path.relative_to(ROOT)}\n")


def stray(wanted: dict[str, str]) -> list[Path]:
    """Return the files in the folders that are not made."""
    found = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    return [path for path in found if path.relative_to(ROOT).as_posix() not in wanted]


if __name__ == "__main__":
    main()
