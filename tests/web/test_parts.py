"""The small parts of the page: markup, news, whose a connection is, and what is looked at slowly."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from tacit.errors import PortTaken
from tacit.web import app, doorkeeper, looking, pictures, serve
from tacit.web.keeper import Kept, Looked, Slow
from tacit.web.markup import EMPTY, Safe, classes, exact, h, joined, link

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tacit.bank import Bank


def test_whatever_is_filled_in_is_escaped() -> None:
    """U-01: a text cannot become markup, in an element or in an attribute."""
    made = h('<a title="{it}">{it}</a>{safe}{none}', it="<b>\"'&\u202e", safe=Safe("<i>"), none=None)

    assert made == '<a title="&lt;b&gt;&quot;&#x27;&amp;�">&lt;b&gt;&quot;&#x27;&amp;�</a><i>'
    assert h("{n:.1f}", n=1.25) == "1.2"
    assert joined([h("{it}", it="<"), EMPTY], " <") == "&lt; &lt;"
    assert exact("\u202e<") == "\u202e&lt;"


def test_addresses_are_quoted() -> None:
    """X-04: no id or word leads an address elsewhere."""
    assert link("/notes", "a/../b?c#d") == "/notes/a%2F..%2Fb%3Fc%23d"
    assert link("/notes", words="a&b=c", tag="", page=None) == "/notes?words=a%26b%3Dc"
    assert link("/") == "/"
    assert classes(here=True, not_here=False, far_away=True) == "here far-away"


def test_news_tell_each_change_once() -> None:
    """U-01: a change is told when it happens, and a quiet line says now and then that the page is still there."""
    beats = iter(["1", "1", "2", *["2"] * 100])

    async def at_once(_: float) -> None:
        return

    async def first(count: int) -> list[str]:
        stream = app.news(lambda: next(beats), sleep=at_once)
        return await _taken(stream, count)

    assert asyncio.run(first(3)) == ["data: 1\n\n", "data: 2\n\n", ": still here\n\n"]


async def _taken(stream: AsyncIterator[str], count: int) -> list[str]:
    taken = []
    async for line in stream:
        taken.append(line)
        if len(taken) == count:
            break
    return taken


def test_kernel_says_whose_a_connection_is() -> None:
    """U-01: the page knows by the kernel's word which user connects."""
    listening = serve.listen(0)
    if doorkeeper.trust_for(listening) is None:
        listening.close()
        pytest.skip("this system does not tell whose a connection is")
    with listening, socket.create_connection(listening.getsockname()) as client:
        accepted, address = listening.accept()
        accepted.close()
        assert doorkeeper.owner(address, listening.getsockname()) == os.getuid()
        assert doorkeeper.is_trusted(client.getsockname(), listening.getsockname())
        assert not doorkeeper.is_trusted(("127.0.0.1", 1), listening.getsockname())


TABLE = """  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1FBB 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
   1: 0100007F:C350 0100007F:1FBB 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 30 10 -1
"""


@pytest.mark.parametrize(("text", "expected"), [(TABLE, 1001), ("", None), ("head\n\nshort line\n", None)])
def test_kernels_table_is_read(tmp_path: Path, text: str, expected: int | None) -> None:
    """U-01: the user of the other end is found, and a table that is empty or odd says nothing."""
    table = tmp_path / "tcp"
    table.write_text(text, encoding="ascii")

    assert doorkeeper.owner(("127.0.0.1", 50_000), ("127.0.0.1", 8123), (table, tmp_path / "none")) == expected


def test_kernels_table_of_the_longer_addresses(tmp_path: Path) -> None:
    """U-01: a client that speaks IPv6 to an IPv4 address is found too."""
    table = tmp_path / "tcp6"
    mapped = "0000000000000000FFFF0000"
    table.write_text(
        TABLE.replace("0100007F:C350 0100007F:1FBB", f"{mapped}0100007F:C350 {mapped}0100007F:1FBB"), encoding="ascii"
    )

    assert doorkeeper.owner(("127.0.0.1", 50_000), ("127.0.0.1", 8123), (table,)) == 1001


def test_port_that_is_taken() -> None:
    """A port that another program has is told with the way out."""
    with serve.listen(0) as taken, pytest.raises(PortTaken) as refused:
        serve.listen(taken.getsockname()[1])

    assert refused.value.code == "ui.port"


def test_look_that_ends_early_is_told(bank: Bank, tmp_path: Path) -> None:
    """W-02: a look whose process dies does not take the page with it, and is not begun again at once."""
    slow = Slow(tmp_path / "nowhere")
    assert slow.last("drift", bank.pulse(), "en") == (None, False)
    assert slow.idle.wait(60)
    found, is_current = slow.last("drift", bank.pulse(), "en")

    assert found is not None
    assert (found.error.startswith("The look ended"), is_current, slow.idle.is_set()) == (True, True, True)


def test_findings_are_looked_for_again_after_a_while(bank: Bank) -> None:
    """U-01: a project can change without the bank's knowing, so findings do not hold for ever."""
    now = [0.0]
    slow = Slow(bank.root, clock=lambda: now[0])
    slow.last("problems", bank.pulse(), "en")
    assert slow.idle.wait(60)
    held = slow.last("problems", bank.pulse(), "en")
    now[0] = 600.0

    assert held == (Looked(), True)
    assert slow.last("problems", bank.pulse(), "en") == (Looked(), False)
    slow.close()
    assert slow.idle.wait(60)
    assert not slow.last("drift", "moved", "en")[1]
    assert slow.idle.is_set()


def test_looks_of_a_process(bank: Bank, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """U-01: each look is a line of its own, in the reader's language; one that fails says why."""
    (bank.root / "details/tech.md").write_text("# Tech\n\nUse `make tests`.\n", encoding="utf-8")
    (bank.root.parent / "Makefile").write_text("test:\n", encoding="utf-8")
    monkeypatch.setattr(os, "nice", lambda _: 0)
    monkeypatch.setitem(looking.LOOKS, "problems", lambda _: [{"no luck": int("no luck")}])
    looking.main(str(bank.root), "en")
    problems, drift, upkeep = map(json.loads, capsys.readouterr().out.splitlines())

    assert "no luck" in problems["error"]
    assert drift["counts"]["stale"] == len(drift["found"])
    assert "details/tech.md" in [each["file"] for each in drift["found"]]
    assert (upkeep["found"], upkeep["error"], upkeep["pulse"]) == ([], "", bank.pulse())


def test_what_follows_from_a_state_is_worked_out_once() -> None:
    """X-05: until the state has moved."""
    kept, made = Kept(), iter("abc")

    assert [kept.get("stats", stamp, lambda: next(made)) for stamp in ("1", "1", "2")] == ["a", "a", "b"]


def test_pictures_of_nothing_and_of_one_day() -> None:
    """H-03: a chart is drawn for no day, one day and many."""
    for days in ([], [("2026-01-01", 3.0)], [(f"day {n}", float(n)) for n in islice(range(99), 40)]):
        assert "<svg" in pictures.growth(days, label="x")
        assert "<svg" in pictures.columns([(day, (value, 1.0)) for day, value in days], kinds=("a", "b"), label="x")
    assert 'width="100.0"' in pictures.bar(5, most=2, label="x")
    assert 'width="0.0"' in pictures.bar(5, most=0, label="x")
