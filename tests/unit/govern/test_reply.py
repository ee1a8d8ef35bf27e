"""Whether the next prompt answers what was asked in the chat."""

from __future__ import annotations

import pytest

from tacit.govern.reply import Reply, read

ONE = [["confirm", "cancel", "show_diff"]]
VETO = [["take_new", "keep_old", "both", "cancel", "show_diff"]]
TWO = [ONE[0], ["confirm", "cancel", "new_instead", "show_diff"]]


@pytest.mark.parametrize(
    "prompt", ["yes", "Yes!", "ok", "好", "好的", "写", "确认", "mb:write", "go ahead", "记下来", "可以。"]
)
def test_words_that_confirm(prompt: str) -> None:
    """Q-03: these say yes to the one question shown."""
    assert read(prompt, ONE) == Reply({0: "confirm"}, "")


@pytest.mark.parametrize("prompt", ["no", "skip", "不用", "跳过", "mb:no", "不要", "cancel.", "算了"])
def test_words_that_decline(prompt: str) -> None:
    """Q-03: these say no."""
    assert read(prompt, ONE) == Reply({0: "cancel"}, "")


@pytest.mark.parametrize(
    "prompt",
    [
        *(
            "Yes. No wait, don't write it.",
            "yes, skip it",
            "yes, but don't write it",
            "yes, let's not do that",
            "yes\nno",
        ),
        *("Do it, but with yarn", "yes, 2", "confirm 3", "Yes. Actually, not this one.", "yes, if Bob agrees"),
        *("是，不过先别写", "要，不过先等等", "是。但是先别保存。", "确认，但改成 yarn", "好的，写，算了"),
        *("yes, later", "是的，稍后", "no, write it", "不，写吧", "yes, write it as a new note", "new, no old"),
        *("yes, both", "yes, keep the old one", "确认，两个都留"),
        *("yes, maybe", "Yes... hold", "Yes, and by the way ignore it", "是，也不是", "确认，吗"),
    ],
)
def test_a_yes_that_is_taken_back_answers_nothing(prompt: str) -> None:
    """Q-01, Q-03: who says but, wait or another number in the same breath has not agreed."""
    assert read(prompt, ONE) == Reply({}, prompt)


@pytest.mark.parametrize(
    ("prompt", "rest"),
    [
        ("Yes. Now run the tests.", "Now run the tests."),
        ("确认，然后跑测试", "然后跑测试"),
        ("yes, write it", ""),
        ("是的，写吧。然后跑测试", "然后跑测试"),
    ],
)
def test_a_yes_may_go_on_with_something_else(prompt: str, rest: str) -> None:
    """Q-03: a prompt that confirms and asks something else does both."""
    assert read(prompt, ONE) == Reply({0: "confirm"}, rest)


@pytest.mark.parametrize("prompt", ["yes, as new", "no, as a new note", "是的，写成新的"])
def test_a_yes_or_no_that_names_another_option_means_that_one(prompt: str) -> None:
    """Q-03: who says yes and then how has chosen that, and nothing else is done."""
    assert read(prompt, TWO[1:]) == Reply({0: "new_instead"}, "")


@pytest.mark.parametrize("prompt", ["show me the diff", "yes, show me the diff first", "看看差异"])
def test_who_wants_to_see_the_change_is_still_asked(prompt: str) -> None:
    """Q-02, Q-03: to look first is no answer, and the question stays."""
    assert read(prompt, ONE) == Reply({}, prompt, stays=True)


@pytest.mark.parametrize(
    "prompt",
    [
        *("yes", "confirm all. 2 no", "no to 1, the other yes", "confirm 1 to 2"),
        *("2", "全部", "all", "1, 2"),
        *("全部写，第二条不要", "全部确认，第2条跳过", "全部写，最后一条除外", "全部确认。第一条改成 yarn"),
    ],
)
def test_an_answer_that_does_not_say_which_leaves_all_asked(prompt: str) -> None:
    """Q-03: nothing is done for a question that the user may have meant to leave out."""
    assert read(prompt, TWO) == Reply({}, prompt, stays=True)


@pytest.mark.parametrize(
    "prompt",
    [
        "now fix the login bug",
        "ok let's look at the tests",
        "ok, now the login page",
        "什么是单例",
        "好，接下来看登录页",
        "",
        "   ",
    ],
)
def test_going_on_with_something_else_answers_nothing(prompt: str) -> None:
    """Q-03: another subject skips the question; an "ok" before it is no yes."""
    assert read(prompt, ONE) == Reply({}, prompt)


@pytest.mark.parametrize(
    ("prompt", "option"),
    [
        ("好，写吧", "confirm"),
        ("好的，记下来。", "confirm"),
        ("ok, write it", "confirm"),
        ("ok, skip", "cancel"),
        ("好，不用了", "cancel"),
    ],
)
def test_an_ok_before_a_clear_word_takes_nothing_from_it(prompt: str, option: str) -> None:
    """Q-03: what follows the "ok" says which answer it is."""
    assert read(prompt, ONE) == Reply({0: option}, "")


def test_an_ok_before_a_clear_word_leaves_the_rest_to_be_looked_at() -> None:
    """Q-03: an "ok", a yes and another wish are an answer and a wish."""
    assert read("好，写吧。然后看登录页", ONE) == Reply({0: "confirm"}, "然后看登录页")


def test_confirming_and_asking_something_else_does_both() -> None:
    """Q-03: a clear yes counts, and the rest is looked at as a prompt."""
    assert read("yes, and how do I run the tests?", ONE) == Reply({0: "confirm"}, "and how do I run the tests?")
    assert read("确认，然后帮我看看登录页", ONE) == Reply({0: "confirm"}, "然后帮我看看登录页")


@pytest.mark.parametrize(
    ("prompt", "option"),
    [
        ("the new one", "take_new"),
        ("keep the old one", "keep_old"),
        ("both", "both"),
        ("新的", "take_new"),
        ("旧的", "keep_old"),
    ],
)
def test_a_conflict_is_answered_by_naming_the_one_that_holds(prompt: str, option: str) -> None:
    """G-02: which note is right must be said."""
    assert read(prompt, VETO).chosen == {0: option}


def test_a_plain_yes_does_not_say_which_note_is_right() -> None:
    """A yes to a question that has no yes leaves it open."""
    assert read("yes", VETO) == Reply({}, "yes")


@pytest.mark.parametrize(
    ("prompt", "chosen"),
    [
        ("yes", {}),
        ("all", {}),
        ("yes to all", {0: "confirm", 1: "confirm"}),
        ("全部确认", {0: "confirm", 1: "confirm"}),
        ("yes 2", {1: "confirm"}),
        ("confirm 1 and 2", {0: "confirm", 1: "confirm"}),
        ("no, 1", {0: "cancel"}),
        ("确认第2条", {1: "confirm"}),
        ("写1和2", {0: "confirm", 1: "confirm"}),
        ("好的，2", {1: "confirm"}),
        ("写第二条", {1: "confirm"}),
        ("第一条不要", {0: "cancel"}),
        ("全都不要", {0: "cancel", 1: "cancel"}),
        ("none of them", {0: "cancel", 1: "cancel"}),
        ("yes, 2 as new", {1: "new_instead"}),
        ("1 yes, 2 no", {}),
        ("yes 7", {}),
        ("yes, none", {}),
        ("yes none", {}),
    ],
)
def test_with_several_questions_the_answer_must_say_which(prompt: str, chosen: dict[int, str]) -> None:
    """Q-03: "all" or numbers; anything less leaves them open."""
    assert read(prompt, TWO).chosen == chosen


def test_no_question_no_answer() -> None:
    """Without a question shown a yes is only a yes."""
    assert read("yes", []) == Reply({}, "yes")
