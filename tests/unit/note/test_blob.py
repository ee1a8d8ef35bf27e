"""Long pieces of notes, taken out and put back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacit.note import blob
from tacit.note.model import Note

CODE = "```python\n" + "\n".join(f"line({number})" for number in range(41)) + "\n```"


def note(**texts: str) -> Note:
    """A note with these sections."""
    return Note(id="MEM-a", title="T", when_to_load=("w",), one_liner="l", **texts)  # type: ignore[arg-type]


def test_long_code_is_replaced_by_a_pointer() -> None:
    """Z-02: a block of more than forty lines is taken out, what stands around it stays."""
    shorter, blobs = blob.taken_out(note(decision=f"Before.\n\n{CODE}\n\nAfter.", fact="short"))

    ((digest, piece),) = blobs.items()
    assert piece == CODE
    assert shorter.decision == f"Before.\n\nmem://blobs/{digest}\n\nAfter."
    assert shorter.fact == "short"
    assert blob.mentioned(shorter.decision) == [digest]
    assert blob.file_of(digest) == f"references/blobs/{digest}"


def test_code_with_the_line_ends_of_windows_is_taken_out() -> None:
    """Z-02: a fence that ends with a carriage return closes a block too; every byte of the block is kept."""
    code = CODE.replace("\n", "\r\n")
    shorter, blobs = blob.taken_out(note(decision=f"Before.\r\n\r\n{code}\r\n\r\nAfter."))
    ((digest, piece),) = blobs.items()
    assert piece == code
    assert shorter.decision == f"Before.\r\n\r\nmem://blobs/{digest}\r\n\r\nAfter."


def test_code_long_in_characters_counts_too() -> None:
    """Z-02: 2,000 characters are the other limit, of the code as of the lines: its fences do not count."""
    kept, taken = (blob.taken_out(note(fact=f"~~~\n{'x' * count}\n~~~"))[1] for count in (2000, 2001))
    assert (len(kept), len(taken)) == (0, 1)


def test_forty_lines_stay() -> None:
    """Z-02: what is not over the limit is left alone."""
    within = CODE.replace("line(40)\n", "")
    unchanged, blobs = blob.taken_out(note(decision=within, evidence="x" * 4000))

    assert (unchanged.decision, blobs) == (within, {})


def test_a_long_text_is_one_blob_with_its_code() -> None:
    """Z-02: a text of more than 4,000 characters is taken out whole."""
    text = f"{'word ' * 900}\n\n{CODE}"
    shorter, blobs = blob.taken_out(note(evidence=text))

    assert list(blobs.values()) == [text]
    assert shorter.evidence == f"mem://blobs/{next(iter(blobs))}"


def test_the_same_piece_is_kept_once() -> None:
    """Z-02: content is addressed by its hash."""
    _, blobs = blob.taken_out(note(decision=CODE, fact=f"{CODE}\n"))

    assert list(blobs.values()) == [CODE]


def test_a_pointer_that_leads_nowhere_stays() -> None:
    """Putting back loses nothing."""
    text = f"See mem://blobs/{'0' * 64}."

    assert blob.put_back(text, lambda _: None) == text


@given(st.lists(st.sampled_from(["text", "\n", CODE, "y" * 4100, "```\n", "~~~\nx\n~~~"]), max_size=8))
def test_what_was_taken_out_comes_back_byte_for_byte(parts: list[str]) -> None:
    """Z-02: whatever the text, resolving gives it back exactly."""
    text = "\n".join(parts)
    shorter, blobs = blob.taken_out(note(decision=text))

    assert blob.put_back(shorter.decision, blobs.get) == text
