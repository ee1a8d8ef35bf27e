"""Search and recall over a bank: by keywords, once in a session, only what may be said, and never an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tacit.errors import FieldRefused, StateRefused
from tacit.note.model import Layer, Status, Timing
from tacit.recall import rank
from tests.unit.bank import concepts
from tests.unit.bank.concepts import PROMPT, deploy, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.bank import Bank

# A fixture is found by its name in the file that uses it.
no_models = concepts.no_models
embedder = concepts.embedder
filled = concepts.filled


# Search and recall by keywords


def test_search_by_keywords(filled: Bank) -> None:
    """F-08: without any model the keywords answer, in both languages."""
    assert [hit.id for hit in filled.search("postgres migration column")][:1] == ["MEM-database"]
    assert [hit.id for hit in filled.search("清洗咖啡机")][:1] == ["MEM-zh"]
    hit = filled.search("deploy billing")[0]
    assert (hit.title, hit.file.endswith(".md"), hit.semantic) == ("Deploy with blue-green switches", True, 0.0)
    assert 0 < hit.keyword <= 1


def test_search_has_a_limit(filled: Bank) -> None:
    """F-07: as many hits as were asked for, and nothing for nothing."""
    filled.add([deploy(id=f"MEM-{number}", title=f"Deploy number {number}") for number in range(12)])
    assert len(filled.search("deploy", 3)) == 3
    assert len(filled.search("deploy", 100_000)) == 13
    assert filled.search("") == []
    assert filled.search("deploy", -1) == filled.search("deploy", 0) == []


def test_a_phase_that_there_is_not_is_refused(filled: Bank) -> None:
    """J-01: there are two, and what is no phase is not answered with silence."""
    with pytest.raises(FieldRefused, match="phase: it is pre or post"):
        filled.recall("how do we deploy the billing service?", "PRE")


def test_recall_says_one_line_with_id_and_path(filled: Bank) -> None:
    """J-01: one line with the id and the path, and why."""
    recall = filled.recall("how do we deploy the billing service?")
    assert said(recall) == ["MEM-deploy"]
    assert recall.reason == "found"
    assert f"[MEM-deploy] .memory/{recall.notes[0].file}" in recall.injection
    assert recall.injection.count("\n") == 1


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("thanks!", "nothing to look for"),
        ("", "nothing to look for"),
        ("what is the capital of Peru?", "nothing fits well enough"),
    ],
)
def test_silence_has_a_reason(filled: Bank, prompt: str, reason: str) -> None:
    """F-04: silence when nothing fits is a result."""
    recall = filled.recall(prompt)
    assert said(recall) == []
    assert recall.reason == reason


def test_recall_reads_context(filled: Bank) -> None:
    """F-01: "continue" is read with what was said before."""
    assert said(filled.recall("continue", turns=["how do we deploy the billing service?"])) == ["MEM-deploy"]
    assert said(filled.recall("continue")) == []


def test_explained(filled: Bank) -> None:
    """F-07: an explained recall names the paths, the scores and what became of each candidate."""
    filled.add([deploy(id="MEM-far", title="Rollback", when_to_load=("rollback",), one_liner="A deploy can go back.")])
    recall = filled.recall("deploy of the billing service", session="s", explain=True)
    verdicts = {hit.id: hit.verdict for hit in recall.considered}
    assert verdicts["MEM-deploy"] == "injected"
    assert verdicts["MEM-far"] in {"too little evidence", "behind the others"}
    assert recall.mode == "keywords alone"
    again = filled.recall("deploy of the billing service", session="s", explain=True)
    assert {hit.id: hit.verdict for hit in again.considered}["MEM-deploy"] == "already said"
    assert filled.recall("deploy of the billing service").considered == ()


# Once in a session


def test_once_in_a_session_and_phase(filled: Bank, reopen: Callable[[], Bank]) -> None:
    """J-02: a note is said once in a session and phase, whichever process asks."""
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    again = reopen().recall(PROMPT, session="one")
    assert (said(again), again.reason) == ([], "already said in this session")
    assert said(filled.recall(PROMPT, "post", session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="two")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT)) == said(filled.recall(PROMPT)) == ["MEM-deploy"]


def test_again_when_the_note_changed(filled: Bank) -> None:
    """J-02: a note that changed is said again."""
    filled.recall(PROMPT, session="one")
    filled.tag("MEM-deploy", add=["new"])
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="one")) == []


def test_again_after_compaction(filled: Bank) -> None:
    """J-02: when the conversation was compacted, what was said is forgotten."""
    filled.recall(PROMPT, session="one")
    filled.recaller.forget_session("one")
    filled.recaller.forget_session("never heard of")
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pre": 3}', b"\xff"])
def test_spoilt_sessions_only_forget(filled: Bank, content: bytes) -> None:
    """B-04: what is in a session's file can cost a repetition, never an answer."""
    filled.recall(PROMPT, session="one")
    [file] = (filled.root / ".local/sessions").iterdir()
    file.write_bytes(content)
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="one")) == []


def test_sessions_that_cannot_be_kept(filled: Bank) -> None:
    """F-05: where no session can be written, the note may be said again."""
    (filled.root / ".local/sessions").write_bytes(b"")
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session="one")) == ["MEM-deploy"]


@pytest.mark.parametrize("session", ["../../x", "a/b", "\x00", "长" * 500, "x" * 100_000])
def test_session_names_lead_nowhere(filled: Bank, session: str) -> None:
    """F-05: a session may be called anything; its file has a name of ours."""
    assert said(filled.recall(PROMPT, session=session)) == ["MEM-deploy"]
    assert said(filled.recall(PROMPT, session=session)) == []
    assert len(list((filled.root / ".local/sessions").iterdir())) == 1


# What may be said


@pytest.mark.parametrize(
    ("timing", "phases"), [(Timing.PRE, {"pre"}), (Timing.POST, {"post"}), (Timing.BOTH, {"pre", "post"})]
)
def test_phases(bank: Bank, timing: Timing, phases: set[str]) -> None:
    """F-06: `pre` serves notes with timing pre or both, `post` those with post or both."""
    bank.add([deploy(timing=timing)])
    assert {phase for phase in ("pre", "post") if said(bank.recall(PROMPT, phase))} == phases
    assert [hit.id for hit in bank.search(PROMPT)] == ["MEM-deploy"]


def test_archived_notes_are_out(filled: Bank) -> None:
    """F-06: archived notes are not recalled, and only found when asked for."""
    filled.archive("MEM-deploy")
    assert said(filled.recall(PROMPT)) == []
    assert filled.search("blue-green") == []
    assert [hit.id for hit in filled.search("blue-green", archived=True)] == ["MEM-deploy"]


def test_local_notes_rank_lower(bank: Bank) -> None:
    """F-06: a note marked local comes after an equal one that is not."""
    bank.add([deploy(id="MEM-a", status=Status.LOCAL), deploy(id="MEM-b")])
    assert [hit.id for hit in bank.search(PROMPT)] == ["MEM-b", "MEM-a"]


def test_sections_of_details(filled: Bank) -> None:
    """F-02: sections of details are found by their path, each on its own."""
    (filled.root / "details/network").mkdir(parents=True)
    text = "All.\n\n# Firewall\n\nPort 8443 is open to the proxies. More.\n\n## Empty\n\n## VPN\n\nAsk Wendy.\n"
    (filled.root / "details/network/ports.md").write_text(text, encoding="utf-8")
    hit = filled.search("which firewall port is open to proxies")[0]
    assert (hit.file, hit.title, hit.one_liner) == (
        "details/network/ports.md",
        "Firewall",
        "Port 8443 is open to the proxies.",
    )
    recall = filled.recall("which firewall port 8443 is open to the proxies?")
    assert recall.injection.endswith("- Port 8443 is open to the proxies. .memory/details/network/ports.md")
    (filled.root / "details/network/ports.md").write_text("# VPN\n\nAsk Wendy.\n", encoding="utf-8")
    filled.reindex()
    assert all(hit.title != "Firewall" for hit in filled.search("firewall port proxies"))
    assert filled.search("wendy vpn")[0].title == "VPN"


def test_details_that_cannot_be_read(filled: Bank) -> None:
    """F-05: a detail file that is huge, binary or a link stops nothing."""
    (filled.root / "details/huge.md").write_bytes(b"# Firewall\nwords " * 60_000)
    (filled.root / "details/binary.md").write_bytes(b"\xff\xfe\x00" * 100)
    (filled.root / "details/link.md").symlink_to("/etc/passwd")
    (filled.root / "details/empty.md").write_bytes(b"")
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]
    assert filled.search("firewall") == []


def test_core_documents_are_not_recalled(filled: Bank) -> None:
    """J-03: the L0 core is said when a session starts, not found by chance."""
    assert all(not hit.file.startswith(Layer.CORE.folder) for hit in filled.search("memory core project team deploy"))


@pytest.mark.parametrize("state", ["OFF", "PADDING"])
def test_states_that_stay_silent(filled: Bank, state: str) -> None:
    """F-06: a bank that is off or being filled says nothing."""
    (filled.root / "memory.lock").write_text(f"{state}\n", encoding="utf-8")
    recall = filled.recall(PROMPT)
    assert (said(recall), recall.reason) == ([], f"the bank is {state}")


def test_a_bank_that_is_off_is_not_searched(filled: Bank) -> None:
    """F-06: search needs a bank that may be read; recall alone is silent."""
    (filled.root / "memory.lock").write_text("OFF\n", encoding="utf-8")
    for ask in (lambda: filled.search("deploy"), filled.index_status, filled.rebuild_index):
        with pytest.raises(StateRefused):
            ask()


def test_a_paused_bank_answers(filled: Bank) -> None:
    """F-06: paused, notes stay as they are and are read."""
    (filled.root / "memory.lock").write_text("PAUSED\n", encoding="utf-8")
    assert said(filled.recall(PROMPT)) == ["MEM-deploy"]


# Never an error

STRANGE = [
    '" OR *', "NEAR(", "a AND NOT (b", "'; DROP TABLE documents; --",
    "title:x", "*", "", " ", "\x00\x01\x02",
    "\ud800 deploy",
    "👍🎉", "deploy " * 150_000, "数据" * 500_000, "\xff\xfe" * 1000, "```" * 1000, "%s %d {0} {x}", "../../etc/passwd",
]  # fmt: skip


@pytest.mark.usefixtures("embedder")
@pytest.mark.parametrize("prompt", STRANGE, ids=range(len(STRANGE)))
def test_no_prompt_is_an_error(filled: Bank, prompt: str) -> None:
    """F-05: operators, nothing, a megabyte, bytes and emoji are prompts like any other."""
    filled.search(prompt)
    recall = filled.recall(prompt, session=prompt[:50], turns=[prompt])
    assert not recall.reason.startswith("failed") or "\ud800" in prompt


def test_if_all_fails_silence(filled: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05: if all fails, silence with the reason, never an error."""

    def refuse(**_: object) -> None:
        raise OSError(5, "the disk is gone")

    monkeypatch.setattr(filled.recaller.reindexer, "catch_up", refuse)
    recall = filled.recall(PROMPT)
    assert said(recall) == []
    assert "the disk is gone" in recall.reason


def test_sessions_are_private(filled: Bank) -> None:
    """B-04: what was shown is kept on this machine, for its user alone, without any text of a prompt."""
    filled.recall(PROMPT, session="one")
    [file] = (filled.root / ".local/sessions").iterdir()
    assert file.stat().st_mode & 0o077 == 0
    assert list(json.loads(file.read_bytes())) == ["pre"]
    assert b"billing" not in file.read_bytes()


def test_the_numbers_of_recall_are_settings(reopen: Callable[[], Bank]) -> None:
    """F-03, F-04: how many notes are said, how meaning counts and how sure recall must be can be set."""
    bank = reopen()
    assert bank.recaller.rules == rank.Rules()
    bank.remember("when deploying the billing service, ask the on-call first")
    prompt = "deploying the billing service"
    assert len(bank.recall(prompt).notes) == 1
    bank.set_setting("recall.caution_percent", "400")
    assert reopen().recall(prompt).abstained
    bank.set_setting("recall.caution_percent", "100")
    bank.set_setting("recall.notes", "0")
    assert reopen().recall(prompt).abstained
    bank.set_setting("recall.meaning_percent", "30")
    assert reopen().recaller.rules.weight == 0.3
