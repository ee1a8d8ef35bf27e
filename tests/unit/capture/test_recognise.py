"""What is worth keeping of the user's words, and what is left, by which rule."""

from __future__ import annotations

import pytest

from evals.extraction.run import measured
from evals.extraction.run import read as read_turns
from tacit.capture.recognise import candidates, judge, point
from tacit.capture.sentences import sentences
from tacit.note import payload as payloads

KEPT = {
    "I prefer small commits.": "preference",
    "We went with Postgres over Mongo because reporting needs joins.": "decision",
    "For us a tenant means a legal entity.": "domain",
    "A customer may cancel until the parcel is sent.": "product_rule",
    "Our convention is two spaces.": "convention",
    "As a rule of thumb, money needs a second reviewer.": "heuristic",
    "The process is schema first, handler second, test last.": "pattern",
    "Don't use default exports.": "rejection",
    "The root cause was a shared cache.": "root_cause",
    "我更喜欢函数式组件。": "preference",
    "最后决定用 RabbitMQ，因为团队熟悉。": "decision",
    "“核销”指的是到店扫码完成消费。": "domain",
    "同一个手机号每天最多发五条验证码。": "product_rule",
    "数据库字段一律用下划线命名。": "convention",
    "一般来说，慢查询先看索引。": "heuristic",
    "新增接口的流程是先改 proto，再生成代码。": "pattern",
    "不要再用 any 了，改用 unknown 类型。": "rejection",
    "根因是连接池没有释放。": "root_cause",
}
LEFT = {
    "Should we always use tabs?": "question",
    "这里是不是必须加锁？": "question",
    "Maybe we should never cache this.": "hedged",
    "可能要换成 Redis，我还没想好。": "hedged",
    "If we ever support two currencies, every order must hold its rate.": "hypothetical",
    "假如以后要支持多币种，订单必须加汇率。": "hypothetical",
    "My colleague says that you should never use ORMs.": "reported",
    "听说大厂一律不用外键。": "reported",
    "I am not saying that we must use TypeScript everywhere.": "no_rule",
    "我没说一定要用微服务。": "no_rule",
    "For now always return the first one.": "one_off",
    "这次先写死，以后再改。": "one_off",
    "I just pushed the branch, it never failed.": "status",
    "Add a test for the empty cart.": "request",
    "帮我把这个函数改成异步的。": "request",
    "ok": "too_short",
    "x" * 700: "too_long",
    "The quick brown fox went home.": "no_sign",
}


@pytest.mark.parametrize("sentence", KEPT)
def test_each_kind_of_content_is_recognised(sentence: str) -> None:
    """C-02: nine kinds, in English and Chinese, each with the sentence it came from."""
    (found,) = candidates(["Please look.", f"Hello! {sentence}"])

    assert (found.turn, found.sentence, str(found.content)) == (2, sentence, KEPT[sentence])


@pytest.mark.parametrize("sentence", LEFT)
def test_what_is_not_meant_to_last_is_told_apart(sentence: str) -> None:
    """C-02: questions, doubt, what is hypothetical, reported, denied or for one occasion, and plain requests."""
    (judged,) = judge(sentence)

    assert (judged.content, judged.rule) == (None, LEFT[sentence])


@pytest.mark.parametrize(
    "turn",
    [
        'The docs say "you must never call this".',
        "> always use tabs",
        "```\n# always run as root\n```",
        "    at Always.never (must.js:1:2)",
        "ERROR you must always set the key",
        "文档里写着“禁止在主线程调用”。",
        "const always = never(must);",
    ],
)
def test_quotations_code_and_logs_are_not_the_users_words(turn: str) -> None:
    """What was pasted or quoted becomes no candidate."""
    assert candidates([turn]) == []


def test_what_was_said_twice_is_one_candidate() -> None:
    """The first turn that says it is the one that is named."""
    assert [each.turn for each in candidates(["Never force push.", "ok", "never  force push."])] == [1]


def test_the_rule_before_a_confirmation_is_kept() -> None:
    """That something is the house style says nothing: the sentence before it is the candidate."""
    (found,) = candidates(["snake_case for python files. That's our house style."])

    assert found.sentence == "snake_case for python files."


def test_lead_in_is_not_part_of_the_point() -> None:
    """Greetings and requests to remember are evidence, and no part of the note."""
    assert point("No, by the way, remember that tests come first.") == "tests come first."
    assert point("另外记住，合并要两人评审。") == "合并要两人评审。"
    assert point("/remember never deploy on Fridays") == "never deploy on Fridays"
    assert point("$remember 周五不部署") == "周五不部署"


def test_payload_is_legal_and_quotes_the_sentence() -> None:
    """The payload passes as one of source extract, and its evidence is the sentence."""
    (found,) = candidates(["When adding a package, always use pnpm instead of npm."])

    parsed = payloads.parse(found.payload())

    assert (parsed.source, parsed.scene) == ("extract", "When adding a package")
    assert parsed.origin is not None
    assert parsed.origin.text == found.sentence
    assert parsed.principles == ("always use pnpm instead of npm.", "npm")


def test_sentences_keep_abbreviations_lists_and_quotes_whole() -> None:
    """A full stop inside a quotation, behind an abbreviation or in a number ends no sentence."""
    turn = '- Use e.g. pnpm. Say "one. two." twice.\n2. Version 1.2 stays.'

    assert [each.text for each in sentences(turn)] == ["Use e.g. pnpm.", 'Say "one. two." twice.', "Version 1.2 stays."]


def test_labelled_turns_are_recognised_well_enough() -> None:
    """C-02: on turns that no rule was made for: precision 85 %, recall 75 %, and every candidate has its sentence."""
    found = measured([row for row in read_turns() if row["half"] == "report"])

    assert found["precision"] >= 0.85
    assert found["recall"] >= 0.75
    assert found["without sentence"] == 0
