"""What pushed banks say whole: a note by id, path or pointer, or what details say to a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.bank import addresses, consulting, library
from tacit.bank.consulting import DIRECT, PACK, Read
from tacit.bank.library import DETAILS
from tacit.entry import context, routing
from tacit.entry import pack as packs
from tacit.errors import NoteNotFound, PointerDangling
from tacit.messages import language
from tacit.note.pointer import Pointer
from tacit.store.layout import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tacit.bank.wiring import Contents


class HostedReader:
    """Reads one bank, the first of `banks`, and those beside it; files of these begin with their names."""

    def __init__(self, banks: Mapping[str, Contents]) -> None:
        self._banks = banks

    def find(self, what: str) -> tuple[str, str]:
        """Return file and text of a note by its id, or of a file by its path; raise NoteNotFound."""
        for place, (bank, reading) in enumerate(self._banks.items()):
            beginning = f"{bank}/"
            names = [reading.file_of(what), *([] if place else [what])]
            if what.startswith(beginning):
                names.append(what.removeprefix(beginning))
            for file in (each for each in names if each and _is_shown(each)):
                text = reading.text(file)
                if text is not None:
                    return f"{beginning}{file}" if place else file, text
        raise NoteNotFound(id=what, nearest="")

    def resolve(self, pointer: str) -> str:
        """Return what a pointer to a note leads to, or to one of its sections or fields; raise PointerDangling."""
        parsed = Pointer.parse(pointer)
        try:
            file, text = self.find(parsed.id)
        except NoteNotFound:
            raise PointerDangling(pointer=pointer, nearest="") from None
        if parsed.layer.folder not in file.split("/"):
            raise PointerDangling(pointer=pointer, nearest="")
        return addresses.part(text.encode(), file, parsed) if parsed.path else text

    def read(self, question: str) -> Read:
        """Return the details of the bank that a question is about, or a pack of what they say to it.

        A document that a guard objects to is named and left out.
        """
        own = next(iter(self._banks.values()))
        pages = [routing.Page(file, text) for file, text in own.below(DETAILS).items() if _is_read(file)]
        held = {page.file for page in pages if consulting.is_held(page.text)}
        lacking = [context.held(file, language()) for file in sorted(held)]
        chosen = routing.choose(question, "", [page for page in pages if page.file not in held])
        why = routing.escalates(question, chosen)
        if not why:
            found = packs.direct(chosen)
            said = "\n\n".join([*(f"# {page.file}\n\n{text.rstrip()}" for page, text, _ in found), *lacking])
            return Read(DIRECT, "", tuple((page.file, count) for page, _, count in found), said)
        # Which claims the project bears out only its own machine can tell.
        made = packs.build(question, "", packs.read_within(chosen), [])
        said = "\n\n".join([packs.render(made, next(iter(self._banks))), *lacking])
        return Read(PACK, why, made.files, said, made)


def _is_shown(file: str) -> bool:
    """Whether a file is a note or a detail, and by its name no secret: settings are not for readers."""
    return file != SETTINGS and not library.is_secret_detail(file)


def _is_read(file: str) -> bool:
    """Whether a detail answers questions: it is neither in the archive nor, by its name, a secret."""
    return not file.startswith(f"{DETAILS}/archive/") and not library.is_secret_detail(file)
