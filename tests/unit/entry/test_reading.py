"""Routing, escalation, context packs and the session start, as pure values."""

from __future__ import annotations

import pytest
import yaml

from tacit.entry import context, pack, routing
from tacit.entry.drift import Finding, Type
from tacit.entry.routing import Page

ENTRY = (
    "- Project: Shop\n- Purpose: Sells.\n- Stack: node\n\nFocus: Checkout\n\n"
    "## Decisions still binding\n\n- Use pnpm. [MEM-a]\n\n"
    "## Routing rules\n\n- To build or test (测试, 构建): read `details/tech.md`\n"
    "- About paying: read `details/design/pay.md`\n"
)
TECH = Page("details/tech.md", "# Tech\n\n- run the tests with make\n- build with vite\n", "2026-01-02T03:04:05Z")
PAY = Page("details/design/pay.md", "# Paying\n\nCards go through the vault.\nTODO: refunds?\n", "2026-01-02T03:04:05Z")
OTHER = Page("details/requirements/guest.md", "# Guests\n\nGuests pay without an account.\n", "")


def test_rules_lead_to_files() -> None:
    """D-01: the routing rules decide first, in English and Chinese; a question about nothing chooses nothing."""
    assert routing.choose("how do I test this?", ENTRY, [PAY, TECH])[0] is TECH
    assert routing.choose("怎么测试", ENTRY, [PAY, TECH]) == [TECH]
    assert routing.choose("zebra", ENTRY, [PAY, TECH]) == []


@pytest.mark.parametrize(
    ("question", "chosen", "why"),
    [
        ("how do I test?", [TECH], ""),
        ("where are the source files, and how do I build from source?", [TECH], ""),
        ("how do we resolve merge conflicts?", [TECH], ""),
        ("what is the source for that?", [TECH], "evidence"),
        ("why make?", [TECH], "evidence"),
        ("给出处", [TECH], "evidence"),
        ("is that outdated?", [TECH], "conflict"),
        ("这里有矛盾吗", [TECH], "conflict"),
        ("tests", [Page(f"details/{number}.md", "x") for number in range(4)], "files"),
        ("tests", [Page(f"details/{number}.md", "x") for number in range(3)], ""),
        ("tests", [Page("details/a.md", "x\n" * 301)], "lines"),
        ("tests", [Page("details/a.md", "x\n" * 300)], ""),
        ("tests", [PAY, OTHER], "folders"),
        ("tests", [PAY, TECH], ""),
    ],
)
def test_escalation_is_exact(question: str, chosen: list[Page], why: str) -> None:
    """D-02: a pack is made for evidence, conflicts, four files, 301 lines or two folders, and for nothing less."""
    assert routing.escalates(question, chosen) == why


@pytest.mark.parametrize(("count", "read"), [(200, 200), (201, 150)])
def test_long_files_are_cut(count: int, read: int) -> None:
    """D-01: over 200 lines the first 100, the last 50 and what was left out are given."""
    page = Page("details/a.md", "".join(f"line {number}\n" for number in range(1, count + 1)))
    text, lines = routing.excerpt(page)

    assert lines == read
    assert text.startswith("line 1\n")
    assert f"line {count}" in text
    assert ("… lines 101 to 151 of 201 are left out …" in text) == (count > 200)


def test_evidence_is_verbatim_with_right_places() -> None:
    """D-02: every quote is a line of its file, at the line it names, with the file's time."""
    finding = Finding(
        type=Type.STALE, severity="high", description="d", trust_source="t", minimal_fix="f", file="details/tech.md",
        line=3, kind="command", subject="s",
    )  # fmt: skip
    made = pack.build("why do tests run with make and vault?", ENTRY, [(TECH, 4), (PAY, 4)], [finding])

    assert made.evidence
    for each in made.evidence:
        page = {TECH.file: TECH, PAY.file: PAY}[each.path]
        assert page.lines[each.line - 1] == each.quote
        assert each.mtime == page.mtime
    assert made.summary == pack.Summary("Shop: Sells.", "Checkout", "node", ("Use pnpm. [MEM-a]",))
    assert any("TODO: refunds?" in each for each in made.open_questions)


@pytest.mark.parametrize(
    ("question", "silent"),
    [
        ("为什么使用 Postgres", ""),
        ("为什么 Postgres 比较稳定？", ""),
        ("支付宝怎么退款？因为什么", "支付宝, 退款"),
        ("稳重的设计", "稳重, 设计"),
        ("使用 Postgres 的出处，是否过时", ""),
        ("sources for postgres; outdated?", ""),
        ("why postgres, and 退款 with stripe?", "stripe, 退款"),
    ],
)
def test_an_open_question_names_words_and_no_pieces_of_them(question: str, silent: str) -> None:
    """D-02: what no document speaks of is said in words: no question word, single character or piece across words."""
    page = Page("details/patterns.md", "# Patterns\n\n## Decision: 使用 Postgres\n\n因为稳定。\n")
    made = pack.build(question, "", [(page, 5)], [])
    assert made.open_questions == ((f"No document that was read speaks of: {silent}",) if silent else ())


def test_a_pack_is_markdown_and_one_yaml_block() -> None:
    """D-02: the block is YAML with exactly these members, whatever characters a quote holds."""
    odd = Page("details/odd.md", '# Odd\n\nmake: "quoted" #: {x} — 引用\n', "2026-01-02T03:04:05Z")
    text = pack.render(pack.build("why make?", ENTRY, [(odd, 3)], []), ".memory")

    before, block = text.split("```yaml\n")
    members = yaml.safe_load(block.removesuffix("```"))
    assert before.startswith("## Context")
    assert set(members) == {"evidence", "conflicts", "open_questions"}
    assert set(members["evidence"][0]) == {"claim_id", "claim", "path", "line", "mtime", "quote"}
    assert members["evidence"][0]["quote"] == 'make: "quoted" #: {x} — 引用'
    assert members["conflicts"] == []


def test_a_pack_reads_ten_files_and_five_hundred_lines() -> None:
    """D-02: more is not read, and what was left out is said."""
    many = [Page(f"details/{number}.md", "test\n" * 60) for number in range(12)]
    taken = pack.read_within(many)

    assert len(taken) == 9
    assert sum(count for _, count in taken) == 500
    assert len(pack.read_within([Page(f"details/{number}.md", "x\n") for number in range(12)])) == 10
    assert any("were not read" in each for each in pack.build("test", "", taken, []).open_questions)


def test_the_session_start_has_all_its_parts() -> None:
    """J-03: state, protocol and fingerprint, entry document, the whole core, about ten conventions."""
    start = context.build(
        "ON", f"<!-- USER_BLOCK_START -->\n{ENTRY}", [("L0_core/a.md", "# Be honest\n")], place=".memory"
    )

    assert start.text.startswith("[memory: ON] protocol_version: tacit/1 entry: sha256:")
    assert start.fingerprint in start.text
    assert "# Be honest" in start.text
    assert "USER_BLOCK" not in start.text
    assert "10. " in start.text
    assert not start.is_cut
    assert context.build("ON", "other", [], place=".memory").fingerprint != start.fingerprint


def test_a_carriage_return_writes_over_nothing() -> None:
    """What a terminal would hide behind a bare carriage return stands on a line of its own."""
    said = context.build("ON", "kind\rcruel\r\n", [("L0_core/a.md", "one\rtwo")], place=".memory").text
    assert "\r" not in said
    assert "kind\ncruel" in said
    assert "one\ntwo" in said


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_session_start_tells_the_agent_its_conversation(language: str) -> None:
    """P-01: whoever knows its id can name it to the tools; without one nothing is said of it."""
    told = context.build("ON", "", [], place=".memory", language=language, conversation_id="c-1").text
    untold = context.build("ON", "", [], place=".memory", language=language).text

    assert "conversation_id: c-1" in told.split("\n\n")[0]
    assert "conversation_id" not in untold


def test_the_session_start_speaks_chinese() -> None:
    """J-03: state and conventions come in the user's language."""
    assert context.build("ON", "", [], place=".memory", language="zh").text.startswith("[记忆库: ON]")
    assert "tacit refresh" in context.absent(language="zh")
    assert "memory-bank" in context.absent(old="memory-bank")


@pytest.mark.parametrize("core", [0, 3_000, 30_000])
def test_the_entry_document_is_cut_to_the_budget(core: int) -> None:
    """J-03, L-01: a long entry document is cut with a notice; the core stays whole, however long it is."""
    start = context.build("ON", "a line\n" * 5_000, [("L0_core/a.md", "c" * core)], place=".memory")

    assert start.is_cut
    assert "characters of MEMORY.md are left out" in start.text
    assert "c" * core in start.text
    assert len(start.text) <= max(context.BUDGET, core + 5_000)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("core", [0, 1_000, 8_500, 50_000])
@pytest.mark.parametrize("count", [1, 5])
def test_a_host_with_a_limit_hears_all_conventions(core: int, count: int, language: str) -> None:
    """J-03, L-01: the entry document makes way first, then the core, each named; never a word of the conventions."""
    documents = [(f"L0_core/{number}.md", "c d e\n" * (core // 6 // count)) for number in range(count)]
    for entry in ("", "short", "a line\n" * 5_000):
        start = context.build("ON", entry, documents, place=".memory", language=language, limit=9_000)
        whole = context.build("ON", entry, documents, place=".memory", language=language)
        conventions = whole.text[whole.text.index("\n1. ") :]

        assert len(start.text) <= 9_000
        assert start.text.endswith(conventions)
        assert start.is_cut == (len(entry) > 9_000 or core > 7_000)
        named = ".memory/L0_core" if count > 3 else ".memory/L0_core/0.md"
        assert (f"characters of {named} " in start.text or f"{named} 共" in start.text) == (core > 7_000)
        assert ("MEMORY.md are left out" in start.text or "MEMORY.md 共" in start.text) == (len(entry) > 9_000)


def test_off_loads_nothing() -> None:
    """L-01: a bank that is OFF says its state and nothing else."""
    assert context.build("OFF", "secret", [("a", "b")], place=".memory").text == "[memory: OFF]"
