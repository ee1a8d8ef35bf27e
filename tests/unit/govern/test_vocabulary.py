"""The tables of words: well formed, broad, and read as they are meant."""

from __future__ import annotations

import pytest

from tacit.govern import lexicon, opposites, quantity, synonyms, vocabulary
from tacit.govern.lexicon import groups, normal


def test_opposites_are_broad_and_mutual() -> None:
    """Hundreds of pairs in both languages, each of which holds both ways."""
    table = lexicon.antonyms()
    pairs = {frozenset((one, other)) for one, others in table.items() for other in others}
    chinese = [pair for pair in pairs if any(not word.isascii() for word in pair)]
    assert len(pairs) - len(chinese) >= 200
    assert len(chinese) >= 150
    assert all(one in table[other] for one, others in table.items() for other in others)
    assert all(one not in others for one, others in lexicon.kinds().items())


def test_every_group_has_two_sides_or_members() -> None:
    """A group of one says nothing."""
    assert all(len(group.split(":")) == 2 for group in opposites.ANTONYMS.split("/"))
    for table in (opposites.RIVALS, opposites.SCOPES, opposites.MORPHEMES_ZH, synonyms.SYNONYMS):
        assert [group for group in groups(table) if len(group) < 2] == []


def test_no_synonym_stands_twice() -> None:
    """A word in two groups would mean whatever comes first."""
    words = [word for group in groups(synonyms.SYNONYMS) for word in group]
    assert sorted({word for word in words if words.count(word) > 1}) == []


def test_no_two_groups_of_synonyms_are_one() -> None:
    """Every word leads to its own group, though another group may have a word of the same stem."""
    table = groups(synonyms.SYNONYMS)
    heads = [normal(first) for first, *_ in table]
    assert sorted({head for head in heads if heads.count(head) > 1}) == []
    assert [(word, group[0]) for group in table for word in group if normal(word) != normal(group[0])] == []


def test_no_common_word_falls_into_a_group_by_its_stem() -> None:
    """Words that are set apart stand for themselves, in every form; what else has a stem in common is kin."""
    heads = {normal(first) for first, *_ in groups(synonyms.SYNONYMS)}
    assert [word for word in synonyms.APART.split() if normal(word) in heads] == []
    assert normal("engines") == normal("engine") != normal("engineers")
    assert normal("ratings") != normal("rates")
    assert normal("removal") == normal("deleting")
    assert normal("studies") == normal("study")


@pytest.mark.parametrize(
    ("one", "other"),
    [("product", "production"), ("several", "severity"), ("商品", "生产环境"), ("container", "contains")],
)
def test_words_of_one_stem_may_mean_different_things(one: str, other: str) -> None:
    """As they are listed."""
    assert normal(one) != normal(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("approved", "审批"),
        ("shipments", "parcel"),
        ("stopped", "stop"),
        ("丢弃", "discards"),
        ("persist", "storing"),
        ("删除", "erase"),
        ("校验", "verify"),
        ("立刻", "immediately"),
    ],
)
def test_synonyms_are_one_word(one: str, other: str) -> None:
    """In both languages."""
    assert normal(one) == normal(other)


@pytest.mark.parametrize(
    ("one", "other", "against"),
    [
        ("enable", "disable", True),
        ("同步", "asynchronous", True),
        ("kafka", "rabbitmq", True),
        ("signed", "unsigned", True),
        ("内网", "外网", True),
        ("内网", "外部", False),
        ("kafka", "enable", False),
    ],
)
def test_words_stand_against_each_other(one: str, other: str, against: bool) -> None:  # noqa: FBT001
    """By the tables, or by how they are made."""
    assert (normal(other) in lexicon.opposed_to(normal(one))) is against


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("two hours", "7200 second"),
        ("120 min", "7200 second"),
        ("两小时", "7200 second"),
        ("半年", "6 month"),
        ("one year", "12 month"),
        ("a week", "604800 second"),
        ("2 MB", "2048 kilobyte"),
        ("10k", "10000"),
        ("三十", "30"),
        ("十万行", "100000 行"),
        ("两百零五个", "205 个"),
        ("百分之六", "6 percent"),
        ("千分之六", "0.6 percent"),
        ("three hundred rows", "300 rows"),
        ("one of them", "one of them"),
        ("一个", "一个"),
        ("at 02:00", "at 02:00"),
        ("一万两千行", "12000 行"),
        ("once a week", "once a week"),
        ("twice a week", "2 a week"),
        ("512 kilobytes", "512 kilobyte"),
        ("512 千字节", "512 kilobyte"),
        ("two megabytes", "2048 kilobyte"),
        ("5 兆", "5120 kilobyte"),
        ("1 GiB", "1048576 kilobyte"),
        ("256 bytes", "0.25 kilobyte"),
        ("half an hour", "1800 second"),
        ("a minute and a half", "90 second"),
        ("one and a half hours", "5400 second"),
        ("一个半小时", "5400 second"),
        ("两年半", "30 month"),
        ("一刻钟", "900 second"),
        ("三个工作日", "259200 second"),
        ("retry three", "retry 3"),
        ("at most ten.", "at most 10 ."),
        ("设成三", "设成 3"),
        ("every 周三", "every 周三"),
        ("twenty-four hours", "86400 second"),
        ("three and four", "3 and 4"),
        ("two hundred and fifty rows", "250 rows"),
        ("a dozen", "12"),
        ("half a dozen", "6"),
        ("3 million rows", "3000000 rows"),
        ("一亿", "100000000"),
        ("百分之 80", "80 percent"),
        ("$5", "5 dollar"),
        ("二十元", "20 yuan"),
        ("200 QPS", "200 persecond"),
    ],
)
def test_quantities_have_one_form(written: str, said: str) -> None:
    """Numbers in figures, lengths of time in seconds or months, sizes in kilobytes."""
    assert quantity.plain(written).split() == said.split()


def test_weak_words_say_little() -> None:
    """In both languages."""
    assert lexicon.is_weak(normal("use"))
    assert lexicon.is_weak("统一")
    assert not lexicon.is_weak("cach")


@pytest.mark.parametrize(
    ("sentence", "early", "late"),
    [
        ("Build the image and then push it", "Build the image", "push it"),
        ("Run the tests before merging", "Run the tests", "merging"),
        ("Deploy once the tests pass", "the tests pass", "Deploy"),
        ("Migrate and clean up later", "Migrate", "clean up"),
        ("先建表再导数据", "建表", "导数据"),
        ("评审通过后合并", "评审通过", "合并"),
        ("合并前跑测试", "跑测试", "合并"),
    ],
)
def test_steps_have_an_earlier_and_a_later_part(sentence: str, early: str, late: str) -> None:
    """Every pattern of order names both, and its sign stands wherever it does."""
    signs = [sign.search(sentence) for sign, pattern in vocabulary.STEPS if pattern.search(sentence)]
    assert signs
    assert all(signs)
    found = next(found for _, pattern in vocabulary.STEPS if (found := pattern.search(sentence)))
    assert (found["early"].strip(), found["late"].strip()) == (early, late)
