"""Break the store in every way a machine can break it, and look whether it keeps its promises.

`python -m tests.crash.campaign` runs every suite; `tests/store/test_crash.py` runs the quick version of each.
"""
