"""A model that comes as a package of its own."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tacit.index.embed import use

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

_SLOW = "import time\ntime.sleep(0.2)\nclass USE:\n    pass\n"


def test_two_threads_get_the_whole_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F-05: the first recalls of a server come at the same time; none meets a package that is half imported."""
    (tmp_path / "__init__.py").write_text(_SLOW, encoding="utf-8")
    monkeypatch.setattr(use, "_PACKAGE", "slow_package_of_a_test")
    try:
        with ThreadPoolExecutor(4) as threads:
            whole = list(threads.map(lambda folder: hasattr(use._load(folder), "USE"), [tmp_path] * 4))
    finally:
        sys.modules.pop("slow_package_of_a_test", None)
    assert whole == [True] * 4
