"""The seven hosts: what their users have set up already, how each is given a prompt, how its dialog is answered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from tests.e2e.hosts import clients
from tests.e2e.hosts.terminal import DOWN, ENTER, RIGHT, START_S, Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.hosts.clients import Package
    from tests.e2e.hosts.place import Place


@dataclass(frozen=True, slots=True)
class Dialog:
    """How a question of an MCP server is met on a terminal: what starts the client, what it shows when it listens.

    `first` and `second` are the keys that send off the first and the second of the options.
    """

    words: tuple[str, ...]
    ready: str
    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """How a client that keeps a conversation only on a terminal is talked to: what starts it, when it listens."""

    words: tuple[str, ...]
    ready: str


@dataclass(frozen=True, slots=True)
class Plugin:
    """How a host loads the folder `plugin/`: commands to be run once, and words to be added to those of a prompt."""

    commands: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()
    must_be_approved: bool = False


class Host:
    """One host. `name` is what `tacit install` calls it; without a `dialog` it has none, and `no_dialog` says so."""

    name: ClassVar[str]
    title: ClassVar[str]
    package: ClassVar[Package]
    dialog: ClassVar[Dialog | None] = None
    talk: ClassVar[Talk | None] = None
    has_mcp_hooks: ClassVar[bool] = False
    no_dialog = "the client does not offer elicitation to MCP servers"
    late_tools = "they come with the next one"

    def prepare(self, place: Place) -> None:
        """Set up what a user has before Tacit comes: the model, trust in the project, some settings of their own."""
        raise NotImplementedError

    def approve(self, place: Place) -> str:  # noqa: ARG002  most need nothing
        """Do what a user must do once after `tacit install`; return why it could not be done, or nothing."""
        return ""

    def turn(self, prompt: str, *, again: bool) -> list[str]:
        """Return the command for one prompt, in a new conversation or `again` in the last one; without a `talk`."""
        raise NotImplementedError

    def plugin(self, repository: Path) -> Plugin | None:  # noqa: ARG002  not all have plugins
        """Return how the plugin of a checkout is loaded; None if the host has no such plugins."""
        return None


class Claude(Host):
    """Claude Code."""

    name, title, package = "claude", "Claude Code", clients.CLAUDE
    has_mcp_hooks = True
    dialog = Dialog(("claude", "--allowedTools", "mcp__tacit"), "❯", (RIGHT, ENTER, ENTER), (RIGHT, DOWN, ENTER, ENTER))

    def prepare(self, place: Place) -> None:
        """Use the model by the environment; the folder is trusted."""
        place.variables |= {
            "ANTHROPIC_BASE_URL": place.model.url,
            "ANTHROPIC_API_KEY": "scripted",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "IS_SANDBOX": "1",
        }
        approved = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        known = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["scripted"], "rejected": []},
            "projects": {str(place.project): approved},
        }
        place.write(".claude.json", json.dumps(known), at_home=True)
        place.write(".claude/settings.json", '{\n    "includeCoAuthoredBy": false,\n    "hooks": {}\n}\n')

    def turn(self, prompt: str, *, again: bool) -> list[str]:
        """Print mode, in which nobody can be asked whether a tool may run."""
        return ["claude", *(["--continue"] if again else []), "--allowedTools", "mcp__tacit", "-p", prompt]

    def plugin(self, repository: Path) -> Plugin:
        """For one run, by its folder."""
        return Plugin(words=("--plugin-dir", str(repository / "plugin")))


class Codex(Host):
    """Codex."""

    name, title, package = "codex", "Codex", clients.CODEX
    dialog = Dialog(("codex", "--no-daemon"), "Ask Codex", (ENTER,), (DOWN, ENTER))
    has_mcp_hooks = True
    late_tools = "`codex exec` does not wait for servers that are not `required`; they come with a later request"

    def prepare(self, place: Place) -> None:
        """Name the model and trust the project at home; the project has a setting with a comment."""
        place.variables["SCRIPTED_KEY"] = "scripted"
        place.write(
            ".codex/config.toml",
            f"""model = "scripted"
model_provider = "scripted"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{place.model.url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[projects."{place.project}"]
trust_level = "trusted"

[analytics]
enabled = false
""",
            at_home=True,
        )
        place.write(".codex/config.toml", "# ours\nmodel_reasoning_effort = 'low'   # enough for us\n")

    def approve(self, place: Place) -> str:
        """Trust the hooks, as Codex asks at its next start."""
        with Terminal(self.dialog.words, place.project, place.environment) as terminal:
            if not terminal.until("Hooks need review", START_S):
                return f"Codex did not ask to review the hooks:\n{terminal.text}"
            place.tell(f"$ codex\n{terminal.text.strip()}\n(2 Trust all and continue)")
            terminal.press("2", ENTER)
            return "" if terminal.until(self.dialog.ready, START_S) else f"Codex did not go on:\n{terminal.text}"

    def turn(self, prompt: str, *, again: bool) -> list[str]:
        """One-shot mode."""
        return ["codex", "exec", *(["resume", "--last"] if again else []), prompt]

    def plugin(self, repository: Path) -> Plugin:
        """From the repository as a marketplace; its hooks are to be trusted like all others."""
        add = ("codex", "plugin", "marketplace", "add", str(repository))
        return Plugin((add, ("codex", "plugin", "add", "tacit@tacit")), must_be_approved=True)


class Copilot(Host):
    """GitHub Copilot CLI."""

    name, title, package = "copilot", "GitHub Copilot CLI", clients.COPILOT
    dialog = Dialog(("copilot", "--disable-builtin-mcps"), "❯", (ENTER,), (DOWN, ENTER))

    def prepare(self, place: Place) -> None:
        """Use the model by the environment; the project has an MCP file of its own."""
        place.variables |= {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_BASE_URL": f"{place.model.url}/v1",
            "COPILOT_PROVIDER_API_KEY": "scripted",
            "COPILOT_PROVIDER_MAX_PROMPT_TOKENS": "100000",
            "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS": "8000",
            "COPILOT_MODEL": "scripted",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_ALLOW_ALL": "true",
        }
        place.write(".mcp.json", '{\n\t"mcpServers": {}\n}\n')

    def turn(self, prompt: str, *, again: bool) -> list[str]:
        """Prompt mode."""
        flags = ["--allow-all-tools", "--disable-builtin-mcps"]
        return ["copilot", *(["--continue"] if again else []), *flags, "-p", prompt]

    def plugin(self, repository: Path) -> Plugin:
        """For one run, by its folder."""
        return Plugin(words=("--plugin-dir", str(repository / "plugin")))


class Gemini(Host):
    """Gemini CLI."""

    name, title, package = "gemini", "Gemini CLI", clients.GEMINI

    def prepare(self, place: Place) -> None:
        """Use the model by the environment; the project has settings with a comment."""
        place.variables |= {
            "GEMINI_API_KEY": "scripted",
            "GOOGLE_GEMINI_BASE_URL": place.model.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        own = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"disableAutoUpdate": True},
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
        }
        place.write(".gemini/settings.json", json.dumps(own), at_home=True)
        place.write(".gemini/settings.json", '{\n  // as quiet as can be\n  "ui": {"hideTips": true}\n}\n')

    def turn(self, prompt: str, *, again: bool) -> list[str]:
        """Prompt mode."""
        resumed = ["--resume", "latest"] if again else []
        return ["gemini", *resumed, "--yolo", "-m", "gemini-2.5-pro", "-p", prompt]

    def plugin(self, repository: Path) -> Plugin:
        """As an extension, where it is."""
        return Plugin((("gemini", "extensions", "link", str(repository / "plugin"), "--consent"),))


class Qwen(Host):
    """Qwen Code."""

    name, title, package = "qwen", "Qwen Code", clients.QWEN

    def prepare(self, place: Place) -> None:
        """Use the model by the environment; the project has settings with a comment."""
        place.variables |= {
            "OPENAI_API_KEY": "scripted",
            "OPENAI_BASE_URL": f"{place.model.url}/v1",
            "OPENAI_MODEL": "scripted",
        }
        own = {
            "security": {"auth": {"selectedType": "openai"}},
            "general": {"disableAutoUpdate": True},
            "privacy": {"usageStatisticsEnabled": False},
            "model": {"name": "scripted"},
        }
        place.write(".qwen/settings.json", json.dumps(own), at_home=True)
        place.write(".qwen/settings.json", '{\n  // as quiet as can be\n  "ui": {"hideTips": true}\n}\n')

    def turn(self, prompt: str, *, again: bool) -> list[str]:
        """Prompt mode."""
        return ["qwen", *(["--continue"] if again else []), "--yolo", "-p", prompt]

    def plugin(self, repository: Path) -> Plugin:
        """As an extension, copied."""
        return Plugin((("qwen", "extensions", "install", str(repository / "plugin"), "--consent"),))


class OpenCode(Host):
    """OpenCode."""

    name, title, package = "opencode", "OpenCode", clients.OPENCODE

    def prepare(self, place: Place) -> None:
        """Name the model in the project's configuration, which has a comment."""
        place.variables |= {
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        }
        model = {"name": "Scripted", "tool_call": True, "limit": {"context": 100_000, "output": 8_000}}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": {"baseURL": f"{place.model.url}/v1", "apiKey": "scripted"},
            "models": {"scripted": model},
        }
        place.write(
            "opencode.json",
            f"""{{
  // our own model
  "model": "scripted/scripted",
  "small_model": "scripted/scripted",
  "enabled_providers": ["scripted"],
  "autoupdate": false,
  "share": "disabled",
  "provider": {{"scripted": {json.dumps(provider)}}}
}}
""",
        )
        # What OpenCode would fetch for its plugins, and without a network wait for: said to be there.
        needed = {"dependencies": {"@opencode-ai/plugin": self.package.version}}
        locked = {"lockfileVersion": 3, "packages": {"": needed}}
        for at_home, folder in ((True, ".config/opencode"), (False, ".opencode")):
            place.write(f"{folder}/package.json", json.dumps(needed), at_home=at_home)
            place.write(f"{folder}/package-lock.json", json.dumps(locked), at_home=at_home)
            place.write(f"{folder}/node_modules/.keep", "", at_home=at_home)

    def turn(self, prompt: str, *, again: bool) -> list[str]:
        """One-shot mode."""
        return ["opencode", "run", *(["--continue"] if again else []), prompt]


class Cline(Host):
    """Cline, by its command line; one prompt given there cannot be followed by another, so it is typed."""

    name, title, package = "cline", "Cline CLI", clients.CLINE
    talk = Talk(("cline", "--tui"), "What can I do for you?")

    def prepare(self, place: Place) -> None:
        """Name the model; a server and a rule of the user's are there, and what Cline shows once was seen."""
        place.variables |= {
            "CLINE_TELEMETRY_DISABLED": "1",
            # It gives plugins four seconds to load, which a busy machine may need for its own start.
            "CLINE_PLUGIN_IMPORT_TIMEOUT_MS": "30000",
        }
        settings = {"provider": "openai-compatible", "apiKey": "scripted", "model": "scripted"}
        provider = {
            "settings": {**settings, "baseUrl": f"{place.model.url}/v1"},
            "updatedAt": "2026-01-01T00:00:00.000Z",
            "tokenSource": "manual",
        }
        own = {"version": 1, "lastUsedProvider": "openai-compatible", "providers": {"openai-compatible": provider}}
        seen = {"shown": {"cline-cli-cline-pass-intro": True}}
        folder = ".cline/data/settings"
        place.write(f"{folder}/providers.json", json.dumps({**own, "modes": {}}), at_home=True)
        place.write(f"{folder}/cli-notices.json", json.dumps(seen), at_home=True)
        place.write(f"{folder}/cline_mcp_settings.json", '{\n\t"mcpServers": {}\n}\n', at_home=True)
        place.write(".clinerules/own.md", "Be brief.\n")


HOSTS: tuple[Host, ...] = (Claude(), Codex(), Copilot(), Gemini(), Qwen(), OpenCode(), Cline())
