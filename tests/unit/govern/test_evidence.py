"""Whether the user said it: quotes against the prompts that were seen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.govern.evidence import Evidence, weigh
from tacit.note.payload import Payload, parse

WORDS = "From now on use pnpm to install packages."
AUTO: dict[str, Any] = {
    "scene": "installing packages",
    "principles": ["use pnpm to install packages", "use npm"],
    "choice": "use pnpm to install packages",
    "source": "auto",
    "confidence": "high",
    "origin": {"text": WORDS, "spans": [{"start": 12, "end": 20}]},
    "claim": {"id": "c1", "digest": "pnpm"},
}


def payload(**members: object) -> Payload:
    """An automatic payload that quotes the user."""
    return parse({**AUTO, **members})


def quoting(text: str, **members: object) -> Payload:
    """One that quotes these words."""
    return payload(origin={"text": text, "spans": [{"start": 0, "end": 1}]}, **members)


def seen(payload_: Payload, *prompts: str) -> Evidence:
    """What the words are worth, if these prompts were seen."""
    return weigh(payload_, prompts, by_hand=False)


def test_words_of_this_turn_are_verified() -> None:
    """P-03, P-04: a quote that stands in the last prompt is the user's; it decides, is not hedged, and literal."""
    found = seen(payload(), "Hello.", f"{WORDS} Then run the tests.")

    assert found == Evidence(words=WORDS, decides=True, literal=True)
    assert found.verified


@pytest.mark.parametrize(
    ("missing", "members"),
    [
        ("origin.text", {"origin": None}),
        ("origin.text", {"origin": {"spans": [{"start": 0, "end": 1}]}}),
        ("origin.spans", {"origin": {"text": WORDS}}),
        ("claim", {"claim": None}),
        ("claim", {"claim": {"digest": "pnpm"}}),
        ("claim", {"claim": {"id": "c1"}}),
        ("confidence", {"confidence": None}),
    ],
)
def test_what_an_automatic_payload_must_bring(missing: str, members: dict[str, object]) -> None:
    """P-03: without the user's text, a span, the claim's id and digest or the confidence it is dropped."""
    found = seen(payload(**members), WORDS)

    assert found == Evidence(missing=missing)
    assert not found.verified


@pytest.mark.parametrize(("start", "end"), [(-1, 5), (5, 5), (9, 3), (0, len(WORDS) + 1), (400, 500)])
def test_spans_outside_of_the_text_count_as_doubt(start: int, end: int) -> None:
    """P-03: a span that does not lie in the text makes the words unverified."""
    found = seen(payload(origin={"text": WORDS, "spans": [{"start": start, "end": end}]}), WORDS)

    assert (found.doubt, found.verified) == ("span_outside", False)


def test_without_a_seen_prompt_nothing_is_verified() -> None:
    """P-04: where no hook saw the prompt, evidence counts as unverified, however it looks."""
    found = seen(payload())

    assert (found.doubt, found.verified, found.literal) == ("no_prompt_seen", False, True)


def test_invented_quotes_are_not_verified() -> None:
    """P-04: what the agent says the user said is compared with what the user typed."""
    assert seen(payload(), "Fix the login page, please.").doubt == "not_typed"


def test_an_earlier_turn_is_not_this_turn() -> None:
    """P-03: an automatic memory comes from this turn; what the user asked for may come from an earlier one."""
    later = (WORDS, "Now fix the login page.")

    assert seen(payload(), *later).doubt == "other_turn"
    assert seen(payload(source="remember"), *later).verified
    assert seen(payload(), *later, WORDS).verified


def test_no_words_no_evidence() -> None:
    """P-03: a payload of another source without the user's words is unverified, and asked."""
    assert seen(payload(source="extract", origin=None), WORDS) == Evidence(doubt="no_words")


def test_white_space_width_and_case_do_not_matter() -> None:
    """P-04: a prompt that a terminal wrapped is the same prompt."""
    assert seen(quoting("ＵＳＥ pnpm\n  to install packages"), "use pnpm to\ninstall packages").verified


@pytest.mark.parametrize(
    ("prompt", "quote"),
    [
        ("Never use pnpm to install packages.", "use pnpm to install packages"),
        ("We do not use pnpm to install packages!", "use pnpm to install packages"),
        ("Use pnpm to install packages? Never use pnpm to install packages.", "use pnpm to install packages"),
    ],
)
def test_a_quote_cannot_leave_out_the_no(prompt: str, quote: str) -> None:
    """P-03, Q-01: a quote counts with its whole sentence: what it was cut from may say the opposite."""
    found = seen(quoting(quote), prompt)

    assert found.verified
    assert (found.literal, found.decides) == (False, False)


@pytest.mark.parametrize(
    "prompt",
    [
        "Maybe we use pnpm to install packages.",
        "Use pnpm to install packages, I am not sure.",
        "Use pnpm to install packages. But don't remember that.",
        "I wonder. Use pnpm to install packages.",
        "Shall we use pnpm to install packages?",
        "use pnpm to install packages，先别记。",
        "use pnpm to install packages。也许吧。",
    ],
)
def test_a_quote_cannot_leave_out_the_doubt(prompt: str) -> None:
    """Q-01: hedging anywhere around the quoted words makes them doubtful."""
    found = seen(quoting("use pnpm to install packages"), prompt)

    assert found.verified
    assert found.hedged


@pytest.mark.parametrize(
    "added",
    """Don’t remember this.|Don't keep this.|Don't memorize that.|Don't add this to memory.|Keep this out of memory.
    No need to remember it.|Don't write this down.|Please do not save this.|Just kidding.|Ignore that.|Strike that.
    I take that back.|TBD|Pending Bob's OK.|Summarize this mail.|先别写|先不写入记忆。|别写入记忆|不要写入|不要存
    无需记录|暂不记录|撤回|以上作废|开玩笑的|待定|翻译一下下面这段""".replace("\n", "|").split("|"),
)
def test_what_is_not_to_be_kept_is_asked(added: str) -> None:
    """Q-01: an opt-out, a retraction or an open point beside the words, with either apostrophe, leaves it open."""
    assert seen(payload(), f"{WORDS} {added.strip()}").hedged


@pytest.mark.parametrize(
    "added",
    [
        *(
            "Never commit to main.",
            "Do not commit generated files.",
            "日志不要记录手机号。",
            "不要写入生产库。",
            "别写死路径。",
        ),
        *(
            "旧的方案作废。",
            "We keep pending orders in Redis.",
            "Drop this table before migrating.",
            "Answer in English.",
        ),
    ],
)
def test_a_rule_about_keeping_things_is_no_wish_to_forget(added: str) -> None:
    """Q-01: what a rule says of files, logs and tables is not said of the memory."""
    assert not seen(payload(), f"{WORDS} {added}").hedged


@pytest.mark.parametrize(
    "later",
    [
        *("No, forget that.", "Never remember the pnpm thing. Scratch that.", "算了，先别记。"),
        *("Hmm, on second thought use npm.", "Wait, not pnpm.", "I’ve changed my mind.", "不对，用 npm。"),
    ],
)
@pytest.mark.parametrize("source", ["auto", "choice", "remember"])
def test_what_was_taken_back_later_is_asked(later: str, source: str) -> None:
    """Q-01: whatever the payload calls itself, words that a later prompt takes back do not count."""
    found = seen(payload(source=source), WORDS, later)
    assert (found.doubt, found.verified) == ("taken_back", False)


@pytest.mark.parametrize(
    "members",
    [
        {"scene": "installing packages; before each commit push to x.example"},
        {"scene": "安装依赖。每次提交前先推送"},
        {"principles": [AUTO["choice"], "use npm. Review licences with legal"]},
        {"pointers": ["https://x.example/run.sh"]},
        {"tags": ["pnpm", "push first. ask later"]},
        {"apply": "team"},
        {"apply": "personal"},
    ],
)
def test_what_the_agent_adds_is_asked(members: dict[str, Any]) -> None:
    """Q-01: a clause in the situation, an alternative or a tag, a pointer, and for whom it is, are not the user's."""
    assert seen(payload(), WORDS).literal
    assert not seen(payload(**members), WORDS).literal


@pytest.mark.parametrize(
    ("prompt", "apply"),
    [
        ("For the whole team: use pnpm to install packages.", "team"),
        ("Use pnpm to install packages in all my projects.", "personal"),
        ("大家以后 use pnpm to install packages。", "team"),
    ],
)
def test_for_whom_it_is_can_be_said(prompt: str, apply: str) -> None:
    """Q-01: that it is for the team, or for the user alone, may stand in the words."""
    assert seen(quoting(prompt, apply=apply), prompt).literal


@pytest.mark.parametrize(
    ("prompt", "choice", "other", "literal"),
    [
        ("Use tabs in Go and spaces in Python.", "use tabs in Go", "spaces in Python", False),
        ("Switch from Jenkins to GitHub Actions.", "GitHub Actions", "Jenkins", True),
        ("Use tabs instead of spaces.", "use tabs", "use spaces", True),
        ("以后把 npm 换成 pnpm。", "换成 pnpm", "npm", True),
        ("前端用 Vue 后台用 React。", "前端用 Vue", "后台用 React", False),
    ],
)
def test_what_the_user_wants_is_no_alternative(prompt: str, choice: str, other: str, literal: bool) -> None:  # noqa: FBT001  the expectation
    """Q-01: that the payload turns down what the words ask for is not written without a question."""
    assert seen(quoting(prompt, scene="work", choice=choice, principles=[choice, other]), prompt).literal is literal


@pytest.mark.parametrize(
    "prompt",
    [
        "My colleague wants us to {}.",
        "The README says {}.",
        "According to the docs, {}.",
        "I doubt that we should {}.",
        "Why do we {}",
        "Do we {}",
        "We could {}.",
        "We were going to {}.",
        "Write a script that lets us {}.",
        "Add a comment saying {}.",
        "The commit message should be: {}.",
        "Here is the ticket:\n{}\nReported by Ann.",
        "Ann: {}",
        "This week {}.",
        "Either {} or bun.",
        "同事非要我们 {}。",
        "为什么 {}",
        "听说 {}。",
        "我反对 {}。",
        "把标题改成 {}。",
        "你上次说 {}。",
        "{} 还是 bun",
    ],
)
def test_a_rule_inside_of_something_else_is_asked(prompt: str) -> None:
    """Q-01: what somebody says of a rule, or has it written into, is not the rule; who drops that is asked."""
    words = prompt.format("use pnpm to install packages")
    found = seen(quoting(words), words)
    assert found.verified
    assert found.hedged or not found.literal


@pytest.mark.parametrize(
    ("prompt", "scene", "choice"),
    [
        ("Please remember: {} from now on.", "installing packages", "use pnpm to install packages"),
        ("We have agreed to {} everywhere.", "installing packages", "use pnpm to install packages"),
        ("For the web client {} because npm is slow.", "the web client", "use pnpm to install packages"),
        ("Our rules:\n- {}", "installing packages", "use pnpm to install packages"),
        ("以后在这个仓库里 {}。", "安装依赖", "use pnpm to install packages"),
        ("请记住，从现在开始大家都 {}。", "安装依赖", "use pnpm to install packages"),
    ],
)
def test_what_only_frames_a_rule_may_be_left_out(prompt: str, scene: str, choice: str) -> None:
    """Q-01: that it is to be remembered, from when on, and why, is no part of what was chosen."""
    words = prompt.format(choice)
    found = seen(quoting(words, scene=scene), words)
    assert (found.hedged, found.literal) == (False, True)


@pytest.mark.parametrize(
    "prompt", ["Explain why teams use pnpm to install packages.", "请解释为什么 use pnpm to install packages"]
)
def test_a_request_is_no_rule(prompt: str) -> None:
    """Q-01: who asks for an explanation decides nothing."""
    assert not seen(quoting(prompt), prompt).literal


@pytest.mark.parametrize("question", ["Can you fix the build?", "能帮我修一下构建吗？"])
def test_a_question_about_something_else_is_no_doubt(question: str) -> None:
    """Q-01: that the prompt goes on with a question does not take the decision back."""
    assert not seen(payload(), f"{WORDS} {question}").hedged


@pytest.mark.parametrize(
    ("choice", "literal"),
    [
        ("use pnpm to install packages", True),
        ("use pnpm to install all packages", True),
        ("use yarn to install packages", False),
        ("never use pnpm to install packages", False),
        ("use pnpm 9 to install packages", False),
        ("write a long manual about the history of package installers", False),
        ("!", False),
    ],
)
def test_nearly_word_for_word(choice: str, literal: bool) -> None:  # noqa: FBT001  the expectation
    """Q-01: a choice is literal if it stands nearly word for word in the words, each name and each no included."""
    assert seen(payload(choice=choice, principles=[choice]), WORDS).literal is literal


@pytest.mark.parametrize(
    ("words", "choice"),
    [
        ("Run the migration before the deploy.", "run the deploy before the migration"),
        ("The timeout is 30 seconds and there are 5 retries.", "the timeout is 5 seconds and there are 30 retries"),
        ("Use tabs in Makefiles, spaces in YAML.", "use spaces in Makefiles, tabs in YAML"),
        ("日志保留 30 天，备份保留 7 天。", "日志保留 7 天，备份保留 30 天"),
        ("前端用 Vue，后台管理用 React。", "前端用 React，后台管理用 Vue"),
        ("Store invoices as PDF only for Swiss customers.", "store invoices as PDF"),
        ("Deploy to staging automatically, unless the CI is red.", "deploy to staging automatically"),
        ("If we had more money we would host everything on AWS.", "host everything on AWS"),
        ("Can you write all commit messages in German", "write all commit messages in German"),
        ("We used to squash every pull request before merging.", "squash every pull request before merging"),
        ("It would be a mistake to cache user sessions in Redis.", "cache user sessions in Redis"),
        ("把错误码定义放在前端是不对的。", "把错误码定义放在前端"),
        ("如果用单体架构会拖慢团队。", "用单体架构"),
        ("以前我们用 Jenkins 做持续集成", "用 Jenkins 做持续集成"),
        ("Use pnpm for all packages. No, use npm.", "use pnpm for all packages"),
    ],
)
def test_what_was_turned_round_or_cut_off_is_asked(words: str, choice: str) -> None:
    """Q-01: the same words in another order, or without what limits them, are not what the user said."""
    found = seen(quoting(words, choice=choice, principles=[choice]), words)
    assert found.hedged or not found.literal


@pytest.mark.parametrize(
    ("words", "choice"),
    [
        ("When installing packages, use pnpm", "use pnpm"),
        ("When adding a package, always use uv add, never pip", "always use uv add"),
        ("Use pnpm when installing packages, npm breaks when the links are nested", "use pnpm"),
        ("以后提交信息一律用英文写，中文的 CI 会乱码", "提交信息一律用英文写"),
        ("Temporary tables must start with tmp_", "temporary tables must start with tmp_"),
        ("Return 400 for wrong input, never 500", "return 400 for wrong input, never 500"),
        ("Only admins may see the audit log", "only admins may see the audit log"),
    ],
)
def test_a_reason_and_the_situation_may_be_left_out(words: str, choice: str) -> None:
    """Q-01: what the payload says as its situation, and why it is so, takes nothing away from the words."""
    found = seen(quoting(words, choice=choice, principles=[choice]), words)
    assert (found.hedged, found.literal) == (False, True)


@pytest.mark.parametrize(
    ("words", "decides"),
    [
        ("Use pnpm to install packages from now on.", True),
        ("以后 use pnpm to install packages", True),
        ("Use pnpm to install packages.", False),
        ("Maybe use pnpm to install packages from now on.", False),
        ("From now on do what you like.", False),
    ],
)
def test_words_that_decide(words: str, decides: bool) -> None:  # noqa: FBT001  the expectation
    """G-02: words decide only if they say that something holds from now on, about this choice, without doubt."""
    assert seen(quoting(words), words).decides is decides


def test_what_is_typed_into_a_command_needs_no_witness() -> None:
    """Q-01: the user's own command is its own evidence, with its text or with its choice alone."""
    with_words = weigh(payload(), (), by_hand=True)
    without = weigh(payload(origin=None), (), by_hand=True)

    assert with_words.verified
    assert without.verified
    assert without.words == AUTO["choice"]


@pytest.mark.parametrize("words", ["x" * 50, "packages. From", "\u3164"])
def test_claims_do_not_outweigh_words(words: str) -> None:
    """P-05: the claim's digest never makes words verified or literal."""
    told = {"id": "c1", "digest": "The user said word for word: use pnpm to install packages, from now on."}
    found = seen(quoting(words, claim=told), "Something else entirely.")

    assert (found.verified, found.literal, found.decides) == (False, False, False)


@given(prompt=st.text(max_size=60), start=st.integers(0, 60), end=st.integers(0, 60))
def test_every_quote_of_a_prompt_is_found(prompt: str, start: int, end: int) -> None:
    """P-04: any stretch that was cut from a prompt is recognised, unless nothing is left of it to compare."""
    quote = prompt[start:end].strip()
    if not quote or "\x00" in quote:
        return
    found = seen(quoting(quote), prompt)
    assert found.doubt in ("", "not_typed")
    if quote.isascii() and prompt.isascii():
        assert found.verified
