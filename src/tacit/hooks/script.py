"""What a host runs for every event, by `python -I -S`: a few lines, for Python compiles a script anew each time."""

import posix
import sys
from _frozen_importlib_external import SourceFileLoader

if __name__ == "__main__":
    try:
        # Loaded by its place: its compiled form is kept, and Python does not look for it in all its folders.
        place = f"{__file__.rpartition('/hooks/')[0]}/link.py"
        link = type(sys)("tacit.link")
        link.__file__ = place
        SourceFileLoader(link.__name__, place).exec_module(link)
        link.hook(sys.argv[1:])
    finally:
        posix._exit(0)  # noqa: SLF001  nothing fails its host, and there is nothing to clear away
