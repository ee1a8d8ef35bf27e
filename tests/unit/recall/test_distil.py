"""What a prompt looks for."""

from __future__ import annotations

import time
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.recall.distil import KEYWORDS, LONG, MEANING, distil, sought

TURN = "How do we deploy the billing service?"


@pytest.mark.parametrize(
    "prompt",
    [
        "hi",
        "thanks a lot!",
        "ok, sounds good",
        "who are you?",
        "LGTM 👍",
        "yes please",
        "谢谢",
        "好的，明白了",
        "你是谁？",
        "在吗",
        "辛苦了！",
    ],
)
def test_social_prompts_are_skipped(prompt: str) -> None:
    """F-01: a prompt that is purely social or meta looks for nothing, in both languages."""
    assert distil(prompt).skipped
    assert distil(prompt, [TURN]).skipped


@pytest.mark.parametrize(
    "prompt",
    [
        "I'm back, where did we leave it?",
        "hm, you’re right, my mistake",
        "ok, I'll be in a meeting, see you tomorrow",
        "that was quick!",
        "我先去吃饭了，一会儿回来",
        "没看懂，再讲一遍",
        "你说得对，就按你说的来",
    ],
)
def test_what_people_say_about_anything_is_skipped(prompt: str) -> None:
    """F-01: a prompt of nothing but everyday talk names nothing that a note could know."""
    assert distil(prompt).skipped


@pytest.mark.parametrize(
    "prompt",
    [
        "when is the meeting with Legal?",
        "does it work on Windows?",
        "what do you think about Redis?",
        "先跑测试",
        "看一下日志",
    ],
)
def test_talk_about_something_is_not_skipped(prompt: str) -> None:
    """F-01: one word that names something is enough to look for."""
    assert not distil(prompt).skipped


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}.",
        "please {}",
        "Hey Claude, {}",
        "Hi there! {} Thanks a lot in advance",
        "Good morning!\n{}",
        "Could you please tell me {}",
        "{} 🙏",
        '"{}"',
        "**{}**",
        "> {}",
        "- {}",
        "你好，{}，谢谢",
        "麻烦帮我看一下，{}。辛苦了",
        "请问{}",
    ],
)
@pytest.mark.parametrize(
    "prompt", ["café menu fails in ORA-00942", "小程序登录失败", "how do --dry-run and v1.2.3 go together"]
)
def test_politeness_and_marks_around_a_prompt_change_nothing(wrapped: str, prompt: str) -> None:
    """F-01: greetings, thanks, quotes and emphasis are no part of what is looked for, nor is how accents are typed."""
    assert distil(wrapped.format(prompt)) == distil(prompt)
    assert distil(normalize("NFD", wrapped.format(prompt))) == distil(prompt)


@pytest.mark.parametrize("prompt", ["1", "2.", "B", "yes, 2 please"])
def test_a_number_or_letter_alone_is_skipped(prompt: str) -> None:
    """F-01: what answers a question of the agent's is nothing to look for."""
    assert distil(prompt).skipped


@pytest.mark.parametrize(
    "frame", ['  File "/app/worker.py", line 88, in run\n    run()', "    at run (/app/worker.js:88:3)"]
)
def test_of_a_short_trace_the_frames_are_dropped(frame: str) -> None:
    """F-01: a trace says what went wrong, however short it is."""
    found = distil(f"what is wrong here?\nTraceback (most recent call last):\n{frame}\n{frame}\nEOFError: SSL SYSCALL")
    assert {"wrong", "eoferror", "syscal"} <= set(found.keywords)
    assert not {"worker", "88", "recent"} & set(found.keywords)


def test_a_prompt_in_capitals_means_the_same() -> None:
    """F-01: capitals alone are no names."""
    assert distil("HOW DO WE DEPLOY THE SHOP") == distil("how do we deploy the shop")


@pytest.mark.parametrize(
    "prompt",
    ["hello world program", "hi-res images", "good morning report", "Thank you notes", "--dry-run", "请求超时"],
)
def test_what_only_begins_politely_is_looked_for(prompt: str) -> None:
    """F-01: names that begin like a greeting keep all their words."""
    assert distil(prompt).meaning == prompt


@pytest.mark.parametrize(
    "prompt", ["thanks, now fix the deploy", "好的，那数据库怎么迁移", "hi, which port does redis use?"]
)
def test_polite_prompts_are_not_skipped(prompt: str) -> None:
    """F-01: politeness around a question hides nothing of it."""
    assert not distil(prompt).skipped
    assert distil(prompt).keywords


@pytest.mark.parametrize("text", ["cancel", "question", "one", "总结", "ready"])
def test_what_is_looked_for_on_purpose_is_no_talk(text: str) -> None:
    """F-01: a search, unlike a prompt, means every word that it says."""
    assert distil(text).skipped
    assert not sought(text).skipped
    assert sought(f" {text} ").meaning == text
    assert sought(text).keywords


@pytest.mark.parametrize(
    "prompt", ["continue", "go on", "that one", "why?", "继续", "改一下", "然后呢", "为什么？", "do it again"]
)
def test_prompts_that_need_their_context(prompt: str) -> None:
    """F-01: a prompt that points elsewhere is read with the turns before it, and looks for nothing without them."""
    found = distil(prompt, [TURN])
    assert found.with_context
    assert found.meaning == f"{TURN}\n{prompt}"
    assert {"deploy", "bill"} <= set(found.keywords)
    assert distil(prompt).skipped


def test_only_the_last_turns_count() -> None:
    """F-01: the last one or two turns; what was only polite is no context."""
    found = distil("continue", ["Ancient talk about kafka", "Talk about redis", "Talk about postgres"])
    assert "kafka" not in found.keywords
    assert {"redi", "postgr"} & set(found.keywords)
    assert distil("continue", ["thanks", "ok"]).skipped


def test_long_turns_are_shortened() -> None:
    """F-01: a long turn gives its gist, not all of its text."""
    found = distil("continue", ["Deploy with care. " * 200])
    assert len(found.meaning) < LONG


def test_replies_are_read_with_context() -> None:
    """F-01: what starts like a reply belongs to what it replies to."""
    assert distil("and for staging?", [TURN]).with_context
    assert distil("那测试环境呢", [TURN]).with_context


def test_plain_prompts_stand_alone() -> None:
    """F-01: a prompt that says what it wants is not mixed with older talk."""
    found = distil("Which port does the metrics exporter listen on?", [TURN])
    assert not found.with_context
    assert found.meaning == "Which port does the metrics exporter listen on?"
    assert "port" in found.keywords


def test_pasted_logs_are_reduced() -> None:
    """F-01: of a long paste the question and the errors remain, without times, addresses and stack frames."""
    frames = "\n".join(f'  File "app/module_{number}.py", line {number}, in call' for number in range(200))
    noise = "\n".join(f"2026-01-02T03:04:{number % 60:02d}Z [INFO] heartbeat 0x{number:08x}" for number in range(200))
    log = f"{noise}\nTraceback (most recent call last):\n{frames}\nKeyError: 'billing_address'"
    found = distil(f"Why does the import crash?\n```\n{log}\n```\nIt worked on Friday.")
    assert "Why does the import crash?" in found.meaning
    assert "KeyError" in found.meaning
    assert "module_" not in found.meaning
    assert "2026" not in found.meaning
    assert len(found.meaning) <= MEANING
    assert len(found.keywords) <= KEYWORDS
    assert "billing_address" in found.keywords


@pytest.mark.parametrize("word", ["停机", "行高", "对齐", "点赞", "快照", "行数", "牛奶"])
def test_words_that_hold_a_polite_character_are_looked_for(word: str) -> None:
    """F-01: 停, 行 or 对 alone is talk; inside of a word it is that word."""
    assert not distil(word).skipped
    assert distil(f"好的，{word}").skipped is False


@pytest.mark.parametrize("prompt", ["好嘛", "好滴", "对呀", "停停停", "行吧，就这样", "按你说的做吧", "照你说的做吧"])
def test_talk_with_a_particle_stays_talk(prompt: str) -> None:
    """F-01: what is agreed to in other ways looks for nothing."""
    assert distil(prompt).skipped


def test_dots_inside_of_a_name_end_no_sentence() -> None:
    """F-01: of a paste without fences names stay whole, and neither frames nor what announces them are sought."""
    frames = "\n".join(f'  File "app/module_{number}.py", line {number}, in call' for number in range(20))
    found = distil(
        f"Fix it.\nTraceback (most recent call last):\n{frames}\nshop.pay.GatewayError: E-4012\nexited with code 137"
    )
    assert found.meaning == "Fix it.\nshop.pay.GatewayError: E-4012\nexited with code 137"
    assert not {"traceback", "recent"} & set(found.keywords)


def test_long_chinese_paste() -> None:
    """F-01: Chinese errors are recognised too."""
    found = distil("为什么部署之后登录不了？\n" + "普通日志\n" * 300 + "错误：连接超时\n" + "普通日志\n" * 300)
    assert "连接超时" in found.meaning


@pytest.mark.parametrize("prompt", ["", " \n\t", "👍", "...", "```"])
def test_empty_prompts(prompt: str) -> None:
    """F-05: nothing said, nothing looked for."""
    assert distil(prompt).skipped


@pytest.mark.parametrize(
    "prompt",
    [
        "x" * 200_000,
        "error " * 33_000,
        "\n" * 200_000,
        "```" * 60_000,
        "\x00\xff" * 100_000,
        "数据。" * 66_000,
        "a. " * 66_000,
    ],
    ids=["word", "errors", "lines", "fences", "binary", "cjk", "sentences"],
)
def test_huge_prompts_take_bounded_time(prompt: str) -> None:
    """F-05: a paste of the largest size that is read is distilled in bounded time."""
    began = time.process_time()
    found = distil(prompt)
    assert time.process_time() - began < 60
    assert len(found.meaning) <= MEANING
    assert len(found.keywords) <= KEYWORDS


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_prompt_can_be_distilled(prompt: str, turns: list[str]) -> None:
    """F-05: no prompt raises, and what is skipped looks for nothing."""
    found = distil(prompt, turns)
    assert not (found.skipped and found.keywords)
