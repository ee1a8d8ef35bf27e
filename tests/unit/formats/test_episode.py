"""Episodes as files, and their list."""

from __future__ import annotations

import pytest

from tacit.errors import NoteNotUtf8, NoteSyntaxError, NoteTooLarge
from tacit.formats import episode
from tacit.formats.episode import Episode

ONE = Episode(
    id="EP-1", title="a | b", summary="s", started="2026-01-01", finished="2026-01-02", file="L3_episodic/EP-1.md"
)


def test_an_episode_reads_back() -> None:
    """What is written can be read, with the body as it was."""
    made = Episode(id="EP-1", title="T: 1", summary="s", task="T-1", parent="T-0", body="## Summary\n\nx\n", file="f")

    assert episode.parse(episode.render(made), "f") == made
    assert episode.parse(episode.render(made).replace(b"\n", b"\r\n"), "f") == made


def test_the_list_is_a_function_of_the_episodes() -> None:
    """L-01: one row each, in the order in which they ended, whatever the order given; cells are escaped."""
    two = Episode(id="EP-0", title="later", finished="2026-02-01")

    listed = episode.index([two, ONE]).decode()

    assert listed == episode.index([ONE, two]).decode()
    assert listed.splitlines()[-2:] == [
        r"| EP-1 | a \| b | s | 2026-01-01 | 2026-01-02 | L3_episodic/EP-1.md |",
        "| EP-0 | later |  |  | 2026-02-01 |  |",
    ]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"x" * (episode.MAX_EPISODE_BYTES + 1), NoteTooLarge),
        (b"---\nid: \xff\n---\n", NoteNotUtf8),
        (b"# no front matter\n", NoteSyntaxError),
        (b"---\nid: EP-1\n---\n", NoteSyntaxError),
        (b"---\ntitle: T\n---\n", NoteSyntaxError),
        (b"---\nid: MEM-1\ntitle: T\n---\n", NoteSyntaxError),
    ],
)
def test_what_is_no_episode_is_refused(content: bytes, error: type[Exception]) -> None:
    """N-05: a file that is no episode is told, with its name."""
    with pytest.raises(error, match="EP-9"):
        episode.parse(content, "L3_episodic/EP-9.md")
