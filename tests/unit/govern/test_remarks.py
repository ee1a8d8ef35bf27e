"""Two remarks of one sentence, without a situation of their own: which of them cannot both hold."""

from __future__ import annotations

from itertools import permutations

import pytest

from tacit.govern import relation
from tacit.note.payload import Relation
from tests.unit.govern.test_relation import judged, note


def relations(one: str, other: str) -> set[Relation]:
    """How two remarks stand to each other, both ways round."""
    return {judged((new, new), (old, old)).relation for new, old in permutations((one, other))}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("分页 20 条", "分页 ２００ 条"),
        ("分页二十条", "分页二百条"),
        ("合格线八成以上", "合格线六成以上"),
        ("最多三个副本", "至少三个副本"),
        ("所有接口都要鉴权", "部分接口要鉴权"),
        ("每天备份", "每周备份"),
        ("listen on 127.0.0.1", "listen on 0.0.0.0"),
        ("compile with -O2", "compile with -O3"),
        ("run git push --force", "run git push --force-with-lease"),
        ("start with `--workers 4`", "start with `--workers 14`"),
        ("cache for an hour", "cache for half an hour"),
        ("deploy twice a day", "deploy once a day"),
        ("deploy weekly", "deploy biweekly"),
        ("all files are reviewed by two people", "some files are reviewed by two people"),
        ("call `x.save(commit=True)`", "call `x.save(commit=False)`"),
        ("先更新数据库再删缓存", "先删缓存再更新数据库"),
    ],
)
def test_one_sentence_with_another_value_is_a_conflict(one: str, other: str) -> None:
    """G-03: a figure, a flag, of how many, how often, or the order: of two such sentences only one can hold."""
    assert relations(one, other) == {Relation.CONFLICTING}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ticket 24 is late", "ticket 25 is late"),
        ("第 3 步要人工确认", "第 5 步要人工确认"),
        ("用户服务超时 2 秒", "报表服务超时 60 秒"),
        ("redis runs in a container", "kafka runs in a container"),
        ("never edit files in dist", "never edit files in build"),
        ("all invoices are signed", "every invoice is signed"),
        ("Use conventional commits", "Commit the generated protobuf code"),
        ("Use conventional commits", "提交前跑全量测试"),
    ],
)
def test_one_sentence_about_another_thing_is_no_conflict(one: str, other: str) -> None:
    """G-01: a figure that names a thing, another subject, or a word that means the same: both may hold."""
    assert Relation.CONFLICTING not in relations(one, other)


def test_a_word_in_common_is_not_the_same() -> None:
    """G-02: two orders that share a word are not put together."""
    assert Relation.SAME not in relations("Use conventional commits", "Squash commits in a merge")
    assert Relation.SAME not in relations("Use conventional commits", "提交前跑全量测试")


@pytest.mark.parametrize(
    ("every", "only", "clash"),
    [
        ("run all tests", "run only the smoke tests", True),
        ("log every request", "log only failed requests", True),
        ("run all tests", "only run linters", False),
        ("all", "only the smoke tests", False),
        ("only all tests", "only the smoke tests", False),
    ],
)
def test_all_of_them_is_not_only_some(every: str, only: str, clash: bool) -> None:  # noqa: FBT001
    """G-03: what is said of every thing and of some only cannot both hold, if it is the same things."""
    scene = "before a push"
    found = [judged((scene, new), (scene, old)) for new, old in permutations((every, only))]
    assert [each.rules == ("opposites",) for each in found] == [clash, clash]


def test_a_remark_is_parted_where_its_verb_is() -> None:
    """A character within a word is no verb, and 用户 is no order."""
    parts = {
        "前端路由懒加载": ("前端路由懒加载", "前端路由懒加载"),
        "前端开发用 pnpm": ("前端开发", "用 pnpm"),
        "支付网关超时 3 秒": ("支付网关超时", "3 秒"),
        "图片存储用 OSS": ("图片存储", "用 OSS"),
        "用户服务超时 2 秒": ("用户服务超时", "2 秒"),
        "密钥存 Vault": ("密钥", "存 Vault"),
        "用 pnpm": ("", "用 pnpm"),
    }
    assert {said: relation.texts(note(said, said)) for said in parts} == parts
