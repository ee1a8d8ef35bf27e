"""How two notes stand to each other, and by which rule."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from tacit.govern import relation, signals, weighing
from tacit.govern.relation import Floors, Judgement, Meaning
from tacit.govern.weighing import Reading
from tacit.messages import chinese, english
from tacit.note.model import Note
from tacit.note.payload import Relation


def note(scene: str, choice: str, *alternatives: str) -> Note:
    """A note with no more than a scene, a choice and what was turned down."""
    listed = "\n".join(f"- {each}" for each in alternatives)
    return Note(
        id="MEM-0001", title=scene, one_liner=choice, when_to_load=(scene,), decision=choice, alternatives=listed
    )


def judged(new: tuple[str, ...], old: tuple[str, ...], meaning: Meaning | None = None) -> Judgement:
    """How a new note stands to an old one, each given as scene, choice and alternatives."""
    return relation.judge(note(*new), note(*old), meaning)


Texts = tuple[str, ...]
CONFLICTS: dict[str, list[tuple[Texts, Texts]]] = {
    "choice_was_rejected": [
        (("which queue to use", "RabbitMQ"), ("which queue to use", "Kafka", "RabbitMQ")),
        (("主键用什么类型", "雪花"), ("主键用什么类型", "自增", "雪花")),
    ],
    "rejects_the_choice": [
        (("hashing of passwords", "argon2", "bcrypt"), ("hashing of passwords", "bcrypt")),
    ],
    "polarity": [
        (("eval in templates", "never use eval"), ("eval in templates", "use eval")),
        (("模板里的宏", "禁止使用宏"), ("模板里的宏", "可以使用宏")),
        (("direct pushes to main", "no direct pushes"), ("direct pushes to main", "allowed for maintainers")),
        (("semicolons at line ends", "never"), ("semicolons at line ends", "at every statement")),
        (("guest orders", "not allowed"), ("guest orders", "possible with a phone number")),
        (("deploys on Friday", "deploys are banned"), ("deploys on Friday", "deploys as on any day")),
        (("头像上的边框", "一律不加"), ("头像上的边框", "都有边框")),
        (("部署前不跑冒烟测试", "部署前不跑冒烟测试"), ("部署前先跑冒烟测试", "部署前先跑冒烟测试")),
    ],
    "opposites": [
        (("licence of our tools", "publish under MIT"), ("licence of our tools", "publish under GPL")),
        (("lines of a change", "more than 400 is fine"), ("lines of a change", "below 400")),
        (("telemetry of the tool", "on by default"), ("telemetry of the tool", "off by default")),
        (("删除账单的方式", "物理删除"), ("删除账单的方式", "逻辑删除")),
        (("retry budget", "unlimited retries"), ("retry budget", "at most three retries")),
        (("订单的写库方式", "双写"), ("订单的写库方式", "单写")),
        (("plugins of others", "unsigned plugins"), ("plugins of others", "signed plugins")),
        (("缓存更新", "异步更新"), ("how the cache is updated", "synchronous update of the cache")),
    ],
    "other_value": [
        (("timeout of the import", "30 seconds"), ("timeout of the import", "two minutes")),
        (("验证码有效期", "五分钟"), ("验证码有效期", "10 分钟")),
        (("who owns the mailer", "the core crew owns it"), ("who owns the mailer", "the web crew owns it")),
        (("prefix of branches", "start them with bugfix/"), ("prefix of branches", "start them with fix/")),
    ],
    "other_order": [
        (
            ("cache and database", "update the database, then clear the cache"),
            ("cache and database", "清缓存之前不做别的，先 clear cache，再 update database"),
        ),
        (
            ("charging an order", "charge before the parcel ships"),
            ("charging an order", "charge when the parcel ships"),
        ),
        (("imports of packages", "core depends on plugins"), ("imports of packages", "plugins depends on core")),
    ],
    "other_conclusion": [
        (("bonus stacking", "the larger wins"), ("bonus stacking", "they accumulate")),
    ],
}


@pytest.mark.parametrize(("rule", "new", "old"), [(rule, *pair) for rule, pairs in CONFLICTS.items() for pair in pairs])
def test_a_conflict_is_found_by_its_rule(rule: str, new: tuple[str, ...], old: tuple[str, ...]) -> None:
    """G-03: a rejected choice, yes and no, opposites, values, order and conclusion."""
    found = judged(new, old)
    assert (found.relation, found.rules) == (Relation.CONFLICTING, (rule,))


@pytest.mark.parametrize(
    ("rule", "new", "old"),
    [
        ("other_name", ("memory of indexer-job", "4 GB"), ("memory of mailer-job", "2 GB")),
        ("other_kind", ("log level in production", "info"), ("log level in staging", "debug")),
        ("other_kind", ("新用户的优惠", "减 10 元"), ("老用户的优惠", "没有优惠")),
        ("other_slot", ("width of the sidebar panel", "300 px"), ("width of the preview panel", "500 px")),
        ("other_direction", ("calls from Anvil to Brook", "wait 2 s"), ("calls from Brook to Anvil", "wait 9 s")),
        ("other_name", ("calls from media-store, slow", "9 s"), ("calls from image-resize, slow", "9 s")),
        ("other_slot", ("泰国用户购买家具的退货期限", "34 天"), ("智利用户购买玩具的退货期限", "34 天")),
        ("other_slot", ("县城的配送费", "8 元"), ("一线城市的配送费", "5 元")),
    ],
)
def test_another_scope_is_no_conflict(rule: str, new: tuple[str, ...], old: tuple[str, ...]) -> None:
    """Another service, environment or group of users may have another rule."""
    found = judged(new, old)
    assert found.rules == (rule,)
    assert found.relation in {Relation.COMPLEMENTARY, Relation.UNRELATED}


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (
            "The producer collects notes and the designer triages them",
            "The designer collects notes and the producer triages them",
        ),
        ("styled-components; CSS Modules are being phased out", "CSS Modules; styled-components is being phased out"),
        ("Tables in staging, views in marts", "Views in staging, tables in marts"),
        ("乙方先签，甲方后签", "甲方先签，乙方后签"),
        ("库里用 anyhow，二进制里用 thiserror", "库里用 thiserror，二进制里用 anyhow"),
        ("称用户为「你」", "称用户为「您」"),
        ("One approval is enough", "Two approvals, one from the payments team"),
        ("Sample the rate every second, idle or not", "Sample the rate every 5 seconds while idle, not every second"),
        ("Hold the slot two minutes, but only once", "Hold the slot for two minutes"),
        ("Update above 40% and on power", "Update above 40% or on power"),
        ("先我方盖章再对方盖章", "先对方盖章再我方盖章"),
        ("A 不低于 20%，C 不设下限", "A 不超过 20%，C 不设下限"),
        ("统一用 vim", "禁 vim"),
        ("用 sendBeacon", "禁用 sendBeacon"),
        ("Serve WebP with a PNG fallback", "Serve WebP only; the PNG fallback was removed"),
        ("Ask before adding a dependency, dev ones too", "Ask before adding a dependency, dev ones excepted"),
        (
            "She dislikes comments that restate code; only say why",
            "She dislikes comments that say why; only restate code",
        ),
        ("log every request", "log every other request"),
        ("log every other request", "log every request"),
        ("keep exactly one replica", "keep one replica"),
        ("backups run at 3 am", "backups run at 3 pm"),
        ("roll back if the check passes", "roll back unless the check passes"),
        ("cache it for a day", "cache it for a few days"),
        ("tests must be fast", "tests should be fast"),
        ("接口必须鉴权", "接口建议鉴权"),
        ("call `foo(b, a)`", "call `foo(a, b)`"),
        ("allowed: admin, editor", "allowed: admin, editor, viewer"),
        ("支持微信、支付宝", "支持微信、支付宝、银联"),
        ("uploads have at most 10 MiB", "uploads have at most 10 MB"),
        ("uploads have at most 10 Mb", "uploads have at most 10 MB"),
        ("use pnpm", "we hardly use pnpm"),
        ("releases are signed", "releases are partly signed"),
        ("用 pnpm", "打算用 pnpm"),
        ("接口都要鉴权", "几乎所有接口都要鉴权"),
        ("the version is 1.10", "the version is 1.1"),
        ("上限一万二", "上限一万零二"),
        ("B 给 A 发消息", "A 给 B 发消息"),
        ("＞10 人要审批", "＜10 人要审批"),
    ],
)
def test_the_same_words_with_another_meaning_are_never_dropped(new: str, old: str) -> None:
    """G-02: only what adds nothing is dropped unasked; another order, a limit or a part of the words is asked about."""
    found = judged(("the same scene", new), ("the same scene", old))
    assert found.relation is not Relation.SAME or found.adds


@pytest.mark.parametrize(
    ("new", "old", "choice"),
    [
        ("App 字体大小", "App 暗黑模式", "跟随系统"),
        ("names of web feature flags", "names of team channels", "kebab-case with the team as prefix"),
        ("all files", "some files", "are reviewed by two people"),
        ("所有接口", "部分接口", "都要鉴权"),
    ],
)
def test_the_same_words_about_something_else_are_never_dropped(new: str, old: str, choice: str) -> None:
    """G-02: what is chosen may be the same to the letter; what it is chosen for must be said too."""
    found = judged((new, choice), (old, choice))
    assert found.relation is not Relation.SAME or found.adds


@pytest.mark.parametrize(
    ("new", "old", "adds"),
    [
        (("naming of topics", "domain.entity.verb"), ("how topics are named", "domain.entity.verb"), False),
        (("日志保留多久", "保留 30 天"), ("日志保留", "三十天"), False),
        (("sessions", "expire after two hours"), ("sessions", "expire after 120 minutes"), False),
        (("outgoing hooks", "sign them with HMAC-SHA256"), ("outgoing hooks", "sign them"), True),
        (("tests before a push", "always run the tests"), ("tests before a push", "do not skip the tests"), False),
        (("size of an avatar", "two megabytes at most"), ("size of an avatar", "at most 2 MB"), False),
        (("signing a build", "你必须签名"), ("signing a build", "你可以签名"), True),
        (("no any in types", "no any, except in tests"), ("no any in types", "no any"), True),
        (("production data on laptops", "forbidden"), ("production data on a laptop", "never"), True),
    ],
)
def test_the_same_is_found_in_other_words(new: tuple[str, ...], old: tuple[str, ...], adds: bool) -> None:  # noqa: FBT001
    """G-02: nothing new is a duplicate; a limit, a number or an exception is something new."""
    found = judged(new, old)
    assert (found.relation, found.adds) == (Relation.SAME, adds)
    assert found.rules == ("same_scene", "same_choice", "adds" if adds else "adds_nothing")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("用 pnpm", "拒绝用 pnpm"),
        ("用 pnpm", "曾经用 pnpm"),
        ("use pnpm", "pretend to use pnpm"),
        ("the requests are sampled", "half the requests are sampled"),
        ("收到才发货", "发货才收到"),
        ("B 给 A 发消息", "A 给 B 发消息"),
    ],
)
def test_a_sentence_is_compared_whole_before_it_is_dropped(new: str, old: str) -> None:
    """G-02: where the situation is read out of a sentence, what turns it may stand there."""
    found = judged((new, new), (old, old))
    assert found.relation is not Relation.SAME or found.adds
    assert not judged((new, new), (new, new)).adds


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (("before formatting", "lint"), ("before linting", "format")),
        (("after the reviewer approves", "the author merges"), ("after the author approves", "the reviewer merges")),
    ],
)
def test_what_is_done_when_is_not_the_same_the_other_way_round(new: tuple[str, str], old: tuple[str, str]) -> None:
    """G-02: each chooses what is the other's situation; the words are the same, and nothing is dropped."""
    found = judged(new, old)
    assert found.relation is not Relation.SAME or found.adds


@pytest.mark.parametrize(
    "more",
    [
        {"counter_signals": "for disputed parcels"},
        {"counter_signals": "有纠纷的包裹"},
        {"signals": "- the archive grows"},
        {"fact": "The law demands it."},
        {"principle": "less is kept than could be"},
        {"pointers": "- docs/retention.md"},
        {"alternatives": "- an archive on tape"},
        {"decision": "keep it for 90 working days"},
    ],
)
def test_what_stands_in_another_section_is_something_new(more: dict[str, Any]) -> None:
    """G-02: an exception, a sign, a reason, a pointer or an alternative that the note lacks is asked about."""
    old = note("location history", "keep it for 90 days")
    assert not relation.judge(old, old).adds
    new = replace(old, **more)
    found = relation.judge(new, old)
    assert found.relation is not Relation.SAME or found.adds
    assert not relation.judge(new, new).adds


def test_meaning_alone_merges_and_never_drops() -> None:
    """What only a model finds the same is asked about; literals keep the last word."""
    new, old = ("rendering stamps", "localise for whoever looks"), ("dates on screen", "use each reader's zone")
    assert judged(new, old).rules == ("other_scene",)
    assert judged(new, old, Meaning(0.5, 0.5)).relation is Relation.UNRELATED  # as neighbours in a bank often are
    found = judged(new, old, Meaning(0.95, 0.9))
    assert (found.relation, found.adds, found.score) == (Relation.SAME, True, 0.95)
    literal = judged((*new[:1], "port 8080"), (*old[:1], "port 9090"), Meaning(0.95, 0.9))
    assert literal.relation is not Relation.SAME


def test_answers_in_one_scene_are_told_apart_by_meaning() -> None:
    """In the very same scene two answers are asked about; the more alike they are, the more speaks for the same."""
    new, old = ("payment callbacks", "write an audit line"), ("payment callbacks", "verify who called")
    sides = relation.side(note(*new)), relation.side(note(*old))
    spoken = []
    for likeness in (0.3, 0.6, 0.9):
        meaning = Meaning(0.6, likeness)
        assert judged(new, old, meaning).relation in (Relation.CONFLICTING, Relation.SAME)
        found = weighing.second(signals.read(*sides, signals.measure(*sides, meaning), Floors()))
        spoken.append(found[Reading.SAME] - found[Reading.CONFLICT])
    assert spoken == sorted(spoken)


@pytest.mark.parametrize(
    ("new", "old"), [("One approval is enough", "Two approvals"), ("一个人通过即可", "两个人通过")]
)
def test_one_is_a_number_where_a_choice_begins_with_it(new: str, old: str) -> None:
    """G-03: one of something is not two of it, though the word stands for much else elsewhere."""
    assert judged(("reviews", new), ("reviews", old)).relation is Relation.CONFLICTING
    assert judged(("signing in", "one of them confirms"), ("signing in", "1 of them confirms")).adds


def test_two_answers_in_one_scene_are_asked_about_whatever_their_language() -> None:
    """Where the words of two choices have nothing in common, the user is asked rather than left with both."""
    found = judged(("支付回调", "写审计记录"), ("payment callbacks", "verify who called"))
    assert (found.relation, found.rules) == (Relation.CONFLICTING, ("other_conclusion",))


def test_two_sides_of_one_thing_are_complementary() -> None:
    """The name of a thing and its retention are two questions."""
    new = ("feature branches of the web client: naming", "initials and topic")
    old = ("retention for feature branches of the web client", "until merged")
    found = judged(new, old)
    assert (found.relation, found.rules) == (Relation.COMPLEMENTARY, ("near_scene", "other_choice"))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (("鉴权没通过的接口", "返回空"), ("接口鉴权失败", "跳到首页")),
        (("退款超时的处理", "留白"), ("退款超时的流程", "热门推荐")),
        (("搜索无结果", "留白"), ("搜索没有结果时", "热门推荐")),
        (("errors in domain code", "throw them"), ("exceptions in domain code", "no errors are thrown")),
    ],
)
def test_the_same_scene_in_other_words_is_no_other_scope(new: tuple[str, ...], old: tuple[str, ...]) -> None:
    """Negated opposites, words that mean the same, and what the other's choice is about."""
    assert not judged(new, old).rules[0].startswith(("other_name", "other_kind", "other_slot"))


def test_word_order_of_two_languages_is_not_compared() -> None:
    """In Chinese the same words come in another order."""
    new, old = ("imports of packages", "core depends on plugins"), ("imports of packages", "plugins 依赖 core 之中")
    assert judged(new, old).rules != ("other_order",)


def test_sentences_about_other_subjects_are_no_answers_to_one_question() -> None:
    """Where each choice begins with its scene, the scenes are subjects: only the same one has one answer."""
    rome = ("the capital of Italy is", "the capital of Italy is Rome")
    assert judged(("the food of Italy is", "the food of Italy is pasta"), rome).rules == ("other_slot",)
    assert judged(("a poet of Ravenna is", "a poet of Ravenna is Dante of Italy"), rome).relation is not Relation.SAME
    assert judged(("the capital of Italy is", "the capital of Italy is Milan"), rome).relation is Relation.CONFLICTING


def test_where_something_goes_is_another_question_than_its_level() -> None:
    """A scene may ask for its side by its first word."""
    new = ("where the parcel-tracker writes its logs", "under /var/log/parcel, never to the console")
    assert judged(new, ("日志级别 parcel-tracker", "只打印 INFO 及以上")).relation is Relation.COMPLEMENTARY


# What is said about one act, in both languages, and which of it cannot hold together.
MODES = {
    "must": ("you must sign the release", "必须签名发布包"),
    "should": ("you should sign the release", "应该签名发布包"),
    "may": ("you may sign the release", "可以签名发布包"),
    "need not": ("no need to sign the release", "不用签名发布包"),
    "should not": ("you should not sign the release", "不应该签名发布包"),
    "must not": ("you must not sign the release", "不许签名发布包"),
}
CLASHING = {
    *(("must", "need not"), ("must", "should not"), ("must", "must not")),
    *(("should", "need not"), ("should", "should not"), ("should", "must not")),
    *(("may", "should not"), ("may", "must not")),
}


@pytest.mark.parametrize("language", [0, 1])
@pytest.mark.parametrize(("one", "other"), [*combinations(MODES, 2)])
def test_duty_permission_and_ban_clash_as_they_do_in_logic(one: str, other: str, language: int) -> None:
    """G-03: a ban clashes with duty and permission, and a lifted duty with the duty; the rest holds together."""
    said = [MODES[mode][language] for mode in (one, other)]
    for new, old in (said, said[::-1]):
        clash = judged(("signing a release", new), ("signing a release", old)).relation is Relation.CONFLICTING
        assert clash is ((one, other) in CLASHING)


@pytest.mark.parametrize("scene", ["公共组件", "改公共组件的样式"])
def test_permission_with_a_lifted_duty_clashes_with_a_ban(scene: str) -> None:
    """不用 before a verb lifts a duty; it does not take back the permission before it."""
    for new, old in (("可以改，不用另写", "不许改"), ("不许改", "可以改，不用另写")):
        assert judged((scene, new), (scene, old)).relation is Relation.CONFLICTING


def test_what_shares_nothing_is_unrelated() -> None:
    """Another situation and no common word."""
    found = judged(("office plants", "water on demand"), ("leap days", "skip them"))
    assert (found.relation, found.rules) == (Relation.UNRELATED, ("other_scene",))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (("answering a support ticket", "the first reply comes within an hour"), ("seed data", "load users last")),
        (("log retention", "kept for 14 days, then removed"), ("signing out", "drop the session, keep the cart")),
        (("发券", "每人每天最多一张"), ("日志切割", "每小时至少一次")),
    ],
)
def test_a_few_words_of_two_choices_make_no_clash(new: tuple[str, str], old: tuple[str, str]) -> None:
    """G-01: opposites and values that meet by chance, in choices about different things, raise no question."""
    assert judged(new, old).relation in (Relation.UNRELATED, Relation.COMPLEMENTARY)


def test_empty_notes_are_unrelated() -> None:
    """Nothing can be said about nothing."""
    assert judged(("", ""), ("", "")).relation is Relation.UNRELATED


def test_the_caller_can_only_be_stricter() -> None:
    """G-04: a caller raises a question and never waves one away."""
    found = judged(("office plants", "water on demand"), ("leap days", "skip them"))
    assert relation.stricter(found, None) is found
    raised = relation.stricter(found, Relation.CONFLICTING)
    assert (raised.relation, raised.rules) == (Relation.CONFLICTING, ("other_scene", "caller"))
    assert relation.stricter(raised, Relation.SAME) is raised
    nothing_new = judged(("indenting", "use tabs"), ("indenting", "use tabs"))
    assert not nothing_new.adds
    assert relation.stricter(nothing_new, Relation.SAME) is nothing_new
    assert relation.stricter(nothing_new, Relation.COMPLEMENTARY).adds


@pytest.mark.parametrize("rule", relation.RULES)
def test_every_rule_has_a_sentence_in_both_languages(rule: str) -> None:
    """G-06: each rule that fired can be told to the user."""
    assert f"reason.relation.{rule}" in english.MESSAGES
    assert f"reason.relation.{rule}" in chinese.MESSAGES


def test_all_rules_that_fire_here_are_listed() -> None:
    """No judgement names a rule that has no sentence."""
    pairs = [pair for pairs in CONFLICTS.values() for pair in pairs]
    assert {rule for new, old in pairs for rule in judged(new, old).rules} <= set(relation.RULES)


def test_names_that_share_one_character_by_chance_are_other_names() -> None:
    """G-03: 测试环境 and 压测环境 are two environments, and notes about them never meet."""
    one = note("测试环境中 order-api 的连接池大小", "最大连接数设为 92")
    other = note("压测环境中 order-api 的连接池大小", "最大连接数设为 138")

    assert relation.judge(one, other).relation == "complementary"


def test_two_questions_about_one_thing_are_no_conflict() -> None:
    """G-03: the port of a service and its logs are two questions, however much the scenes share."""
    one = note("port of sms-worker in the load test environment", "it listens on port 8542")
    other = note("where sms-worker writes its logs in the load test environment", "under /var/log/sms-worker, always")

    assert relation.judge(one, other).relation == "complementary"
