"""Foreign bytes become the text that was meant, or no text at all."""

from __future__ import annotations

import pytest

from tacit.formats import decoding


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("plain and simple", "ascii"),
        ("数据库连接池大小为二十，不要改动。", "gb18030"),
        ("データベースの接続はプールを使う。", "cp932"),
        ("データベースの接続はプールを使う。", "euc_jp"),
        ("資料庫連線池大小為二十，請勿更動。", "big5"),
        ("데이터베이스 연결 풀을 사용합니다", "euc_kr"),
        ("Café, naïve, déjà vu", "cp1252"),
        ("with a mark: 中文", "utf-8-sig"),
        ("with a mark: 中文", "utf-16"),
        ("with a mark: 中文", "utf-32"),
    ],
)
def test_encodings_are_told_apart(text: str, encoding: str) -> None:
    """O-02: a text comes back as it was written, whatever tool saved it."""
    assert decoding.decode(text.encode(encoding)) == text


def test_line_ends_become_one() -> None:
    """Windows and old Mac line ends are line ends."""
    assert decoding.decode(b"a\r\nb\rc") == "a\nb\nc"


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\0\xff", b"a\x00b", b"\xff\xfea", b"\x81\x8d\x8f"])
def test_what_is_no_text_is_none(content: bytes) -> None:
    """A picture is not read as letters."""
    assert decoding.decode(content) is None


def test_a_control_character_does_not_make_a_note_a_picture() -> None:
    """O-02: what Tacit keeps in a note, the reader of another tool's folder gets back."""
    assert decoding.decode(b"Anything.\x02") == "Anything.\x02"


def test_what_can_be_kept_as_it_is() -> None:
    """Only UTF-8 text is kept byte for byte."""
    assert decoding.is_utf8("中文\r\n".encode())
    assert not decoding.is_utf8("中文".encode("gb18030"))
    assert not decoding.is_utf8(b"a\x01b")
