"""What a text is found by."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.text import glossary
from tacit.text import tokens as tokens_module
from tacit.text.stem import stem
from tacit.text.tokens import STOP_EN, cjk_share, has_cjk, is_latin, search_tokens, tokens


def test_words_become_stems_in_order() -> None:
    """F-02: English words are found by their stems, with repetitions, in order."""
    assert tokens("Deploying the deployments, then migrate") == ["deploy", "deploy", "migrat"]


def test_chinese_becomes_characters_and_pairs() -> None:
    """F-02: Chinese has no blanks, so its characters and neighbouring pairs are looked for."""
    assert tokens("数据库") == ["数", "据", "库", "数据", "据库"]


def test_japanese_and_korean_too() -> None:
    """F-02: other scripts without English words are cut in the same way."""
    assert tokens("カナ 데이터") == ["カ", "ナ", "カナ", "데", "이", "터", "데이", "이터"]


def test_full_width_letters_are_letters() -> None:
    """F-02: what a Chinese keyboard writes as wide as a character is found as the same word."""
    wide = "ＥＲＲ＿４０１２ Ｒｅｄｉｓ"
    assert tokens(wide) == tokens("ERR_4012 Redis")
    assert search_tokens("调用ＡＰＩ接口") == search_tokens("调用API接口")


def test_mixed_text() -> None:
    """F-02: terms inside of Chinese text are words of their own."""
    assert tokens("用Redis做缓存") == ["用", "redis", "做", "缓", "存", "做缓", "缓存"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserName", {"getusername", "user", "name"}),
        ("HTTPServer", {"httpserver", "http", "server"}),
        ("snake_case_name", {"snake_case_name", "snake", "case", "name"}),
        ("src/tacit/sqlite.py", {"src/tacit/sqlite.py", "src", "tacit", "sqlite", "py"}),
        (r"C:\Temp\x.log", {r"c:\temp\x.log", "temp", "log"}),
        ("tacit.bank.wiring", {"tacit.bank.wiring", "tacit", "bank", "wire"}),
        ("std::vector", {"std::vector", "std", "vector"}),
        ("v1.2.3", {"1.2.3"}),
        ("release-v1.2.3", {"release-v1.2.3", "releas"}),
        ("userIDs", {"userids", "user", "id"}),
        ("K8s", {"k8s"}),
        ("3.11.4", {"3.11.4", "11"}),
        ("ORA-00942", {"ora-00942", "ora", "00942"}),
        ("ERR_CONNECTION_REFUSED", {"err_connection_refused", "err", "connect", "refus"}),
        ("--no-verify", {"no-verify", "verifi"}),
        ("C++ C#", {"c++", "c#"}),
        ("user@example.com", {"user@example.com", "user", "exampl", "com"}),
    ],
)
def test_identifiers_are_whole_and_in_parts(text: str, expected: set[str]) -> None:
    """F-02: names of code, files, versions, error codes and flags are found whole and by their parts."""
    assert set(tokens(text)) == expected


@pytest.mark.parametrize("text", ["the of and", "It is what it is", "don't", "这个和那个", "", "   ", "👍🎉", "—…!?"])
def test_nothing_to_look_for(text: str) -> None:
    """Words that every text has, signs and emoji alone are no tokens."""
    assert tokens(text) == []


@pytest.mark.parametrize(
    ("written", "sought"),
    [
        ("APIs and PDFs", "API PDF"),
        ("all IDs", "the ID"),
        ("_deploy_ __init__", "deploy init"),
        ("v2.3.0", "2.3.0"),
        ("cafe\u0301", "café"),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", "한국"),
    ],
)
def test_what_is_the_same_word_is_found_as_it(written: str, sought: str) -> None:
    """F-02: neither a plural of capitals, emphasis, the v of a version nor how an accent is written hides a word."""
    assert tokens(written) == tokens(sought)


def test_lines_are_no_words() -> None:
    """What only fills in is nothing to look for."""
    assert tokens("____ _ a") == []


@pytest.mark.parametrize("text", ["user's", "user’s", "users'"])
def test_possessives(text: str) -> None:
    """A possessive is found like its word."""
    assert tokens(text) == ["user"]


def test_stop_words_are_lower_case() -> None:
    """The list is compared with lower-case words."""
    assert all(word == word.lower() for word in STOP_EN)


@pytest.mark.parametrize(
    "text",
    ["word " * 200_000, "数据" * 500_000, "a" * 1_000_000, "a/" * 500_000, "aB" * 500_000, "1." * 500_000, "-" * 10**6],
    ids=["words", "cjk", "one word", "one path", "one name", "one version", "no word"],
)
def test_a_megabyte_takes_bounded_time(text: str) -> None:
    """F-05: whatever is pasted, cutting it takes no more than its length asks for."""
    began = time.process_time()
    tokens(text)
    assert (
        time.process_time() - began < 60
    )  # a tenth of it without a coverage tool; a pattern that backtracks takes hours


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("plain English", True),
        ("数据库迁移", False),
        ("用 Redis 做缓存吧", False),
        ("the 数 sign in a long line", True),
        ("", True),
    ],
)
def test_script_of_a_text(text: str, latin: bool) -> None:  # noqa: FBT001  an expectation
    """F-02: a text with terms of another script still has its own."""
    assert is_latin(text) is latin


def test_share_of_cjk() -> None:
    """A Latin word counts like two characters."""
    assert cjk_share("数据 word") == 0.5
    assert cjk_share("word") == 0.0
    assert has_cjk("a 数")
    assert not has_cjk("a b")


@given(st.text())
def test_any_text_can_be_cut(text: str) -> None:
    """F-05: no text stops the search, and tokens have no blanks, so that they can be joined by them."""
    assert all(token and not set(token) & set(" \t\n") for token in tokens(text))


def test_words_of_one_meaning_are_found_by_one_another() -> None:
    """F-02: usual short forms and synonyms of the trade count as the same word."""
    assert search_tokens("k8s db config") == search_tokens("Kubernetes database configuration")
    assert tokens("db") != tokens("database")


def test_chinese_terms_reach_english_notes() -> None:
    """F-02: a Chinese term is also looked for by its English word, the longest term first."""
    assert {"databas", "cach"} < set(search_tokens("数据库缓存"))
    assert "data" not in search_tokens("数据库")
    assert set(tokens("数据库缓存")) < set(search_tokens("数据库缓存"))
    assert search_tokens("天空") == tokens("天空")


def test_glossary_says_nothing_twice() -> None:
    """F-02: every word and every term stands for one thing, and what stands for a word stands for itself."""
    entries = glossary._entries()
    words = [word for english, chinese in entries for word in (*english, *chinese)]
    assert sorted(words) == sorted(set(words))
    assert all(english for english, _ in entries)
    chosen = {stem(english[0]) for english, _ in entries} | set(glossary.terms().values())
    assert all(glossary.standing_for(each) == each for each in chosen)


def test_every_form_of_a_word_leads_to_the_one_that_stands_for_it() -> None:
    """F-02: the glossary is looked up by how a word begins, and no stem of it begins otherwise."""
    entries = glossary._entries()
    found = {word: glossary.standing_for(stem(word)) for english, _ in entries for word in english}
    assert found == {word: stem(english[0]) for english, _ in entries for word in english}


@given(st.text(st.characters(max_codepoint=127)))
def test_plain_text_has_the_runs_that_any_text_has(text: str) -> None:
    """F-02: the pattern for text without accents and CJK finds what the one for all text finds."""
    assert tokens_module._runs(text) == tokens_module._runs(f"{text} 字")[:-1]
