"""What a purge takes along of what a note said, wherever it is kept, and what it leaves."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tacit import fsio
from tacit.audit.log import AuditLog
from tacit.errors import NoteNotFound, ProposalNotFound
from tacit.note import blob
from tacit.note.model import Layer
from tests.cli.runner import write
from tests.files import held, holders
from tests.unit.bank.conftest import note
from tests.unit.bank.talk import PNPM, Talk
from tests.unit.bank.test_tasks import MIGRATION, OTHER, PERSON, RULE, confirmed

if TYPE_CHECKING:
    from tacit.bank import Bank

ENGLISH = "The staging host answers on port 8443 alone."
CHINESE = "预发环境的口令是蓝色大象42"
# So many columns are the least by which a sentence is known again: in Chinese half as many letters.
SHORT_CHINESE = "口令是蓝大象"
EMOJI = "口令是🐘🐘🐘"
CODE = "```\n" + "\n".join(f"line {number}" for number in range(45)) + "\n```"


@pytest.fixture
def filled(bank: Bank) -> Bank:
    """A bank with two notes."""
    bank.add([MIGRATION, OTHER])
    return bank


def test_purge_leaves_a_running_task_the_rest(filled: Bank) -> None:
    """T-05: a task that has only loaded the note, or tells of it, goes on with what else it found."""
    task = filled.tasks.start("write the database migration")
    text = filled.text("MEM-mig").splitlines()
    filled.tasks.note("Port 8080 is taken.")
    filled.tasks.note("MEM-mig is right.")
    filled.tasks.note(f"As remembered: {next(line for line in text if 'rollback' in line)}")

    _, parts = filled.purge("MEM-mig")

    after = filled.tasks.show(task.id)
    assert [each.text for each in after.entries] == ["Port 8080 is taken.", "(purged)", "(purged)"]
    assert "MEM-mig" not in [each.id for each in after.notes]
    assert not [part for part in parts if part.startswith("L4_working/")]
    assert holders(filled.root, "Every migration has a rollback") == []
    assert all(check.ok for check in filled.doctor() if check.name in ("undo", "audit", "index", "notes"))


def test_purge_says_which_tasks_go_whole(filled: Bank) -> None:
    """T-05: what a note was made from holds its words: such a task or episode is among what would go."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    done = filled.tasks.finish(answers=confirmed(filled.tasks.finish()), by=PERSON)

    parts = filled.traces(done.cards[0]).parts

    assert [part for part in parts if part.startswith("L3_episodic/")] == [f"L3_episodic/{done.episode}.md"]


# ── What the user typed ───────────────────────────────────────────────────────────────────────────────────────────────


def leaking(bank: Bank, sentence: str, note_id: str = "MEM-leak") -> None:
    """Keep a note that says a sentence, and three conversations of which one quotes it."""
    bank.add([replace(note(note_id, "Staging"), decision=f"{sentence}\n\nTest it.")])
    bank.session("quotes").saw_prompt(f"Please remember: {sentence}")
    bank.session("other").saw_prompt("Please remember: 别的事情不要忘记。 The staging host is down.")
    bank.session("short").saw_prompt("Test it.")


def told(bank: Bank) -> str:
    """All that is kept of conversations, as it was typed."""
    return "\n".join(json.loads(path.read_bytes())["prompts"][0] for path in (bank.root / ".local/sessions").iterdir())


@pytest.mark.parametrize("sentence", [ENGLISH, CHINESE, SHORT_CHINESE, EMOJI])
@pytest.mark.parametrize("deleted", [False, True])
def test_purge_clears_conversations_in_every_script(bank: Bank, sentence: str, deleted: bool) -> None:  # noqa: FBT001
    """T-05: a prompt that quotes the note goes, whatever it is written in, and if the note is in the trash already."""
    leaking(bank, sentence)
    if deleted:
        bank.delete("MEM-leak")
    assert sentence in told(bank)

    bank.purge("MEM-leak")

    assert len(bank.sessions()) == 2
    assert sentence not in told(bank)


def test_purge_knows_sentences_of_earlier_versions(bank: Bank) -> None:
    """T-05: what was edited out of the note stands in its old versions, and in the prompt it came from."""
    leaking(bank, CHINESE)
    text = bank.text("MEM-leak")
    bank.rewrite("MEM-leak", text.replace(CHINESE, "（已删除）").encode(), base=fsio.digest(text.encode()))

    bank.purge("MEM-leak")

    assert CHINESE not in told(bank)
    assert holders(bank.root, CHINESE) == []


@pytest.mark.parametrize(
    "prompt",
    [
        "please: the staging host\nanswers on port 8443   alone, thanks",
        "Yes. THE STAGING HOST ANSWERS ON PORT 8443 ALONE! And now the tests.",
        'the docs say "The staging host answers on port 8443 alone"',
    ],
)
def test_a_quotation_is_known_whatever_its_spelling(bank: Bank, prompt: str) -> None:
    """T-05: case, line breaks and marks around a sentence do not hide it."""
    leaking(bank, ENGLISH)
    bank.session("spelt").saw_prompt(prompt)

    bank.purge("MEM-leak")

    assert len(bank.sessions()) == 2


@pytest.mark.parametrize(
    "prompt", ["The timeout is 150 s.", "When to load it, and the one-liner?", "mem://L1/MEM-other"]
)
def test_what_is_no_quotation_stays(bank: Bank, prompt: str) -> None:
    """A longer number, the names of sections and a pointer are no sentences of the note."""
    pointers = "- mem://L1/MEM-other"
    bank.add([replace(note("MEM-leak"), decision="The timeout is 15", pointers=pointers, evidence="See MEM-other123.")])
    bank.session("other").saw_prompt(prompt)

    bank.purge("MEM-leak")

    assert len(bank.sessions()) == 1


def test_a_word_that_may_be_the_secret_is_enough_in_a_conversation(bank: Bank) -> None:
    """T-05: a prompt that gives the password in other words goes; what stays says no more than everyday words."""
    bank.add([replace(note("MEM-leak", "Staging"), decision="The password is 'Hunter2x' since May, see MEM-other123.")])
    for prompt in (
        "hunter2x it is, for staging",
        "预发环境用 hunter2x。",
        "hunter2xx",
        "password since May",
        "MEM-other123",
    ):
        bank.session(prompt).saw_prompt(prompt)

    bank.purge("MEM-leak")

    assert sorted(told(bank).splitlines()) == ["MEM-other123", "hunter2xx", "password since May"]


def test_purge_clears_a_damaged_conversation(bank: Bank) -> None:
    """T-05: half a record, as a kill leaves it beside the whole one, still holds the words."""
    leaking(bank, CHINESE)
    half = json.dumps({"prompts": [f"记住：{CHINESE}。"]})[:-3]
    write(bank.root / ".local/sessions/.x.said.json.1.tmp", half)

    bank.purge("MEM-leak")

    assert not (bank.root / ".local/sessions/.x.said.json.1.tmp").exists()


# ── Questions, drafts and other private texts ─────────────────────────────────────────────────────────────────────────


def test_purge_takes_a_question_with_the_same_words(bank: Bank) -> None:
    """T-05: a later yes must not bring the leak back; other questions go on waiting."""
    talk = Talk(bank).user("Short names, I guess.")
    same = talk.doubtful()
    other = talk.agent(scene="naming tags", choice="use the version", confidence="low")
    leaking(bank, "Use short names.")

    bank.purge("MEM-leak")

    with pytest.raises(ProposalNotFound):
        bank.answer(same.proposal_id, "confirm", "terminal")
    assert [each.proposal_id for each in bank.pending()] == [other.proposal_id]
    assert holders(bank.root, "use short names") == []


@pytest.mark.parametrize(
    "file",
    [
        ".local/edit/decisions.md",
        ".local/failures.log",
        "staging/proposals/.P-1.json.7.ab.tmp",
        "conflicts/OP-9-details-decisions.md",
    ],
)
def test_purge_takes_other_private_texts(bank: Bank, file: str) -> None:
    """T-05: drafts of something else, failures and what a kill left are searched for the words as well."""
    leaking(bank, CHINESE)
    write(bank.root / file, json.dumps(f"失败：{CHINESE}，见上文"))
    write(bank.root / f"{file}.other", "something else")

    file_and_parts = bank.purge("MEM-leak")

    assert file in file_and_parts[1]
    assert not (bank.root / file).exists()
    assert (bank.root / f"{file}.other").exists()


def test_purge_takes_the_blob_of_a_removed_note(bank: Bank) -> None:
    """T-05, Z-02: the long pieces of what is in the trash go too, those of other notes do not."""
    shared = CODE.replace("line 1", "shared 1")
    bank.add([replace(note("MEM-a"), decision=CODE, fact=shared), replace(note("MEM-b"), fact=shared)])
    bank.delete("MEM-a")

    bank.purge("MEM-a")

    there = [path.name for path in (bank.root / "references/blobs").iterdir()]
    assert there == blob.mentioned(bank.text("MEM-b"))


# ── Other notes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_purge_of_a_merged_note_takes_what_it_came_from(bank: Bank) -> None:
    """T-05, A-02: the superseded note says the same: restore cannot bring it back, and the log is whole."""
    talk = Talk(bank)
    first = talk.written()
    done = bank.answer(talk.merge().proposal_id, "confirm", "terminal")

    bank.purge(done.note_id)

    assert bank.trash() == []
    with pytest.raises(NoteNotFound):
        bank.restore(first.note_id)
    assert holders(bank.root, PNPM) == []
    assert AuditLog(bank.root / ".local/audit", segment_bytes=1).verify()[1] == []
    assert all(check.ok for check in bank.doctor() if check.name in ("undo", "audit", "index", "notes"))


def test_purge_leaves_other_removed_notes(bank: Bank) -> None:
    """T-04, T-05: what another note that stays says as well is no sign of the leak, so nothing goes for it."""
    usual = "Ask the maintainers before the release."
    for name in ("MEM-stays", "MEM-gone"):
        bank.add([replace(note(name), decision=usual)])
    bank.add([replace(note("MEM-leak"), decision=f"{usual}\n{ENGLISH}")])
    bank.delete("MEM-gone")

    bank.purge("MEM-leak")

    assert [each.note_id for each in bank.trash()] == ["MEM-gone"]
    bank.restore("MEM-gone")
    assert usual in bank.text("MEM-gone")


def test_purge_takes_old_versions_that_quoted_the_note(bank: Bank) -> None:
    """T-05: another note that said the same once keeps what it says now, and undo says why it cannot go back."""
    bank.add([replace(note("MEM-other", "Other"), decision=ENGLISH)])
    text = bank.text("MEM-other")
    bank.rewrite("MEM-other", text.replace(ENGLISH, "Ask for the port.").encode(), base=fsio.digest(text.encode()))
    leaking(bank, ENGLISH)

    bank.purge("MEM-leak")

    assert "Ask for the port." in bank.text("MEM-other")
    assert holders(bank.root, ENGLISH) == []


def test_purge_of_a_damaged_note_knows_its_words(bank: Bank) -> None:
    """T-05: a file that is no note any more may be quoted all the same; its front matter says nothing."""
    leaking(bank, ENGLISH)
    write(bank.root / "L1_declarative/MEM-broken.md", f"id: MEM-broken\nkind: principle\n\n{CHINESE}\n")
    bank.session("quotes").saw_prompt(CHINESE)
    bank.session("other").saw_prompt("kind: principle")

    bank.purge("MEM-broken")

    assert len(bank.sessions()) == 2
    assert holders(bank.root, "8443") != []


def test_traces_change_nothing(bank: Bank) -> None:
    """What purge would destroy can be asked without harm, and is what goes."""
    leaking(bank, CHINESE)
    before = held(bank.root)

    expected = bank.traces("MEM-leak")

    assert held(bank.root) | {".local/scan.json": b""} == before | {".local/scan.json": b""}
    assert bank.purge("MEM-leak") == expected[:2]


# ── What is left to do ────────────────────────────────────────────────────────────────────────────────────────────────


def test_traces_name_what_git_may_have(bank: Bank) -> None:
    """T-05: every path of the note and of what goes with it, but none where something else stands by now."""
    talk = Talk(bank)
    first = talk.written()
    bank.move(first.note_id, Layer.PROCEDURAL)
    done = bank.answer(talk.merge().proposal_id, "confirm", "terminal")
    bank.add([replace(note("MEM-other", "Other"), decision=PNPM)])
    text = bank.text("MEM-other")
    bank.rewrite("MEM-other", text.replace(PNPM, "Ask.").encode(), base=fsio.digest(text.encode()))
    write(bank.root / "details/decisions.md", f"# Decisions\n\n{PNPM}.\n")

    found = bank.traces(done.note_id)

    assert found.others == ["MEM-other", first.note_id]
    assert sorted(found.paths) == sorted(
        {
            found.file,
            f"L1_declarative/{first.note_id}.md",
            f"L2_procedural/{first.note_id}.md",
            "INDEX.md",
        }
    )
    assert found.left == ["details/decisions.md"]


def test_traces_name_what_the_team_was_given(bank: Bank) -> None:
    """T-05, Y-01: a copy in share/ is the team's, and stays; that it quotes the note is told."""
    bank.add([replace(note("MEM-a", "Given"), decision=PNPM)])
    write(bank.root / "share/L1_declarative/MEM-a.md", bank.text("MEM-a"))
    assert bank.traces("MEM-a").left == ["share/L1_declarative/MEM-a.md"]


def test_traces_name_an_episode_and_its_list(filled: Bank) -> None:
    """T-05: an episode that goes as a whole is in git too, and so is its line in the list of episodes."""
    filled.tasks.start("sort the exports")
    filled.tasks.note(RULE)
    done = filled.tasks.finish(answers=confirmed(filled.tasks.finish()), by=PERSON)

    paths = filled.traces(done.cards[0]).paths

    assert paths[-3:] == [f"L3_episodic/{done.episode}.md", "INDEX.md", "L3_episodic/INDEX.md"]
