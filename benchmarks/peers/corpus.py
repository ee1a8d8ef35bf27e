"""The notes that every peer gets, and what is asked for: made by rule in English, written by hand in Chinese."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

CHINESE = Path(__file__).with_name("chinese.toml")
NOUNS = (
    *("invoice", "search", "login", "export", "avatar", "ledger", "report", "upload", "session", "coupon"),
    *("refund", "catalogue", "shipment", "tariff", "webhook", "newsletter", "calendar", "roster", "inbox", "survey"),
)
ROLES = (
    *("worker", "gateway", "importer", "scheduler", "mirror", "archiver", "validator", "renderer", "proxy", "batcher"),
    *("dispatcher", "watcher", "resolver", "collector", "indexer", "limiter", "encoder", "router", "loader", "signer"),
)
# What happens, what to do then, and in which unit; a question repeats what happens and nothing of the answer.
ASPECTS = (
    ("times out under load", "raise its deadline to {} seconds"),
    ("runs out of memory", "cap its heap at {} megabytes"),
    ("loses its database connection", "retry after {} milliseconds"),
    ("fills its disk", "keep log files for {} days"),
    ("is deployed on a Friday", "have {} people on call"),
    ("fails its health check", "drain it for {} seconds first"),
    ("gets a malformed request", "answer with code {} and no body"),
    ("needs a new certificate", "order it {} days ahead"),
    ("is renamed", "keep the old name for {} releases"),
    ("is load tested", "start with {} virtual users"),
    ("writes to the shared cache", "let entries live for {} minutes"),
    ("is rolled back", "restore snapshot number {} of the day"),
    ("changes its schema", "migrate in batches of {} rows"),
    ("misses an event", "replay the last {} hours"),
    ("is moved to another region", "warm it up for {} minutes"),
    ("prints a stack trace", "keep {} lines of it"),
    ("is called without a token", "refuse after {} tries"),
    ("sends e-mail", "send at most {} a minute"),
    ("is upgraded to a new runtime", "watch it for {} hours"),
    ("drops messages", "set its prefetch to {}"),
    ("is slow in the morning", "start it {} minutes earlier"),
    ("shares a host with others", "give it {} percent of a core"),
    ("rounds amounts", "keep {} decimals"),
    ("is shut down for maintenance", "announce it {} days before"),
    ("splits its queue", "use {} partitions"),
)
OFF_TOPIC = (
    *("what is the capital of Portugal", "write me a haiku about the sea", "how tall is mount Everest"),
    *("which wine goes with salmon", "translate good morning into Finnish", "who painted the Night Watch"),
    *("今天中午吃什么好", "帮我写一首关于秋天的诗", "世界上最长的河是哪条", "怎么给小猫洗澡"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One note, by its mark, which is part of its text, and a question that it answers."""

    mark: str
    text: str
    question: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked in Chinese, the mark of the one note that answers, and whether it uses the note's own words."""

    text: str
    mark: str
    kind: str


def note(number: int) -> Entry:
    """Return one of ten thousand notes; neighbours differ in what happens, every 25th in the component alone."""
    happens, act = ASPECTS[number % len(ASPECTS)]
    place = number // len(ASPECTS)
    component = f"{NOUNS[place % len(NOUNS)]} {ROLES[(place // len(NOUNS) + place) % len(ROLES)]}"
    mark = f"N{number:05}"
    value = 2 + (number * 7919) % 97
    text = f"When the {component} {happens}, {act.format(value)} ({mark})."
    return Entry(mark, text, f"what do we do when the {component} {happens}?")


def notes(first: int, last: int) -> list[Entry]:
    """Return the notes from a number up to, and without, another one."""
    return [note(number) for number in range(first, last)]


def chinese() -> tuple[list[Entry], list[Question]]:
    """Return the Chinese notes, and the questions about them."""
    found = tomllib.loads(CHINESE.read_text(encoding="utf-8"))["note"]
    entries, questions = [], []
    for number, each in enumerate(found):
        mark = f"N{90_000 + number}"
        entries.append(Entry(mark, f"{each['text']}（{mark}）", each["worded"]))
        questions += [Question(each["worded"], mark, "worded"), Question(each["free"], mark, "free")]
    return entries, questions
