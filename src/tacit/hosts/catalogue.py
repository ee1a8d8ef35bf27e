"""All hosts, by their ids."""

from __future__ import annotations

from tacit.hosts import claude, cline, codex, copilot, cursor, gemini, guided, opencode, qwen, vscode

HOSTS = {
    host.id: host
    for host in (
        claude.HOST,
        cursor.HOST,
        codex.HOST,
        copilot.HOST,
        vscode.HOST,
        gemini.HOST,
        qwen.HOST,
        opencode.HOST,
        cline.HOST,
        guided.WINDSURF,
        guided.ZED,
    )
}
