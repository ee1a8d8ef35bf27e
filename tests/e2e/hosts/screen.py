"""A terminal's screen as text, from as many control sequences as full-screen clients need to be read."""

from __future__ import annotations

import re
import unicodedata

_SEQUENCE = re.compile(
    r"\x1b\[(?P<mark>[<=>?]?)(?P<numbers>[0-9;:]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"  # a title or a colour
    r"|\x1b[PX^_].*?\x1b\\"  # what is meant for special terminals
    r"|\x1b[()*+][0-9A-Za-z]"  # an alphabet
    r"|\x1b(?P<single>[0-9=>A-Zc-~])",
    re.DOTALL,
)
# The beginning of a sequence whose end has not arrived.
_UNFINISHED = re.compile(r"\x1b(?:\[[0-9;:<=>? -/]*|\][^\x07]*|[PX^_].*|[()*+])?$", re.DOTALL)
_MOST_WAITING = 4_096


class Screen:
    """What stands on a terminal of so many columns and rows."""

    def __init__(self, columns: int, rows: int) -> None:
        self._columns, self._rows = columns, rows
        self._waiting = ""
        self._kept = (0, 0)
        self._column = self._row = 0
        self._region = (0, rows - 1)
        self._cells = self._blank()

    @property
    def text(self) -> str:
        """The lines, without blank ones at the end and without blanks at their ends."""
        return "\n".join("".join(row).rstrip() for row in self._cells).rstrip()

    def feed(self, given: str) -> None:
        """Take in what a program wrote; a sequence may be cut anywhere."""
        text = self._waiting + given
        unfinished = _UNFINISHED.search(text, max(0, len(text) - _MOST_WAITING))
        self._waiting = unfinished[0] if unfinished else ""
        text = text[: len(text) - len(self._waiting)]
        place = 0
        for match in _SEQUENCE.finditer(text):
            self._plain(text[place : match.start()])
            place = match.end()
            if match["final"] and not match["between"] and match["mark"] != ">":
                self._control(match["mark"], match["numbers"], match["final"])
            elif match["single"]:
                self._single(match["single"])
        self._plain(text[place:])

    def _blank(self) -> list[list[str]]:
        return [self._empty() for _ in range(self._rows)]

    def _empty(self) -> list[str]:
        return [" "] * self._columns

    def _plain(self, text: str) -> None:
        for char in text:
            if char == "\n":
                self._line_feed()
            elif char == "\r":
                self._column = 0
            elif char == "\b":
                self._column = max(0, self._column - 1)
            elif char == "\t":
                self._column = min(self._columns - 1, (self._column // 8 + 1) * 8)
            elif char >= " " and char != "\x7f":
                self._put(char)

    def _put(self, char: str) -> None:
        if unicodedata.combining(char) or char in "\u200d\ufe0e\ufe0f":
            return
        width = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if self._column + width > self._columns:
            self._column = 0
            self._line_feed()
        self._cells[self._row][self._column] = char
        if width > 1:
            self._cells[self._row][self._column + 1] = ""
        self._column += width

    def _line_feed(self) -> None:
        if self._row == self._region[1]:
            self._scroll(1)
        else:
            self._row = min(self._rows - 1, self._row + 1)

    def _scroll(self, lines: int, start: int | None = None) -> None:
        """Move the lines of the region up; down for a negative number; from `start` on if it is given."""
        top, bottom = self._region
        top = top if start is None else start
        for _ in range(min(abs(lines), self._rows)):
            gone, new = (top, bottom) if lines > 0 else (bottom, top)
            del self._cells[gone]
            self._cells.insert(new, self._empty())

    def _single(self, final: str) -> None:
        if final == "7":
            self._kept = (self._row, self._column)
        elif final == "8":
            self._row, self._column = self._kept
        elif final == "D":
            self._line_feed()
        elif final == "M" and self._row == self._region[0]:
            self._scroll(-1)
        elif final == "M":
            self._row = max(0, self._row - 1)
        elif final == "c":
            self._cells = self._blank()

    def _control(self, mark: str, numbers: str, final: str) -> None:
        given = [int(number) if number.isdigit() else 0 for number in numbers.split(";")]
        first = given[0]
        second = given[1] if len(given) > 1 else 0
        if mark == "?" and final in "hl" and first in (47, 1047, 1049):  # the other screen, for programs that fill it
            self._cells = self._blank()
        elif mark:
            return
        elif final in "ABCDEFGHdf":
            self._move(final, first or 1, second or 1)
        elif final in "JKX":
            self._erase(final, first)
        elif final in "LM":
            self._scroll((first or 1) * (1 if final == "M" else -1), self._row)
        elif final in "ST":
            self._scroll((first or 1) * (1 if final == "S" else -1))
        elif final in "P@":
            self._shift(final, first or 1)
        elif final == "r":
            self._region = ((first or 1) - 1, (second or self._rows) - 1)
            self._row = self._column = 0
        elif final in "su":
            self._single("7" if final == "s" else "8")

    def _move(self, final: str, first: int, second: int) -> None:
        row, column = self._row, min(self._column, self._columns - 1)
        row, column = {
            "A": (row - first, column),
            "B": (row + first, column),
            "C": (row, column + first),
            "D": (row, column - first),
            "E": (row + first, 0),
            "F": (row - first, 0),
            "G": (row, first - 1),
            "d": (first - 1, column),
        }.get(final, (first - 1, second - 1))
        self._row = max(0, min(self._rows - 1, row))
        self._column = max(0, min(self._columns - 1, column))

    def _erase(self, final: str, how: int) -> None:
        row, column = self._cells[self._row], min(self._column, self._columns - 1)
        if final == "X":
            row[column : column + max(1, how)] = [" "] * len(row[column : column + max(1, how)])
            return
        if how in (0, 2, 3):
            row[column if how == 0 else 0 :] = [" "] * (self._columns - (column if how == 0 else 0))
        else:
            row[: column + 1] = [" "] * (column + 1)
        if final == "J":
            rows = range(self._row + 1, self._rows) if how == 0 else range(self._row if how == 1 else self._rows)
            for number in rows:
                self._cells[number] = self._empty()

    def _shift(self, final: str, count: int) -> None:
        row, column = self._cells[self._row], min(self._column, self._columns - 1)
        blanks = [" "] * count
        new = [*row[column + count :], *blanks] if final == "P" else [*blanks, *row[column:]]
        row[column:] = new[: self._columns - column]
