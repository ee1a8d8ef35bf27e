"""Every reader of foreign bytes keeps its promise for whatever hypothesis makes up; `make fuzz` tries for an hour."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from tests.fuzz.inputs import inputs
from tests.fuzz.target import Driver, Target
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_breaks_a_reader(name: str) -> None:
    """X-05: no exception but the documented ones, an end within its time, and writing what was read is stable."""
    driver = Driver(TARGETS[name])

    @settings(max_examples=60)
    @given(inputs(driver.target))
    def feed(content: bytes) -> None:
        driver.run(content)

    feed()
    assert not driver.crashes, [(crash.error, crash.where, crash.given[:500]) for crash in driver.crashes.values()]


def test_the_driver_finds_what_is_broken() -> None:
    """A reader that raises, and one that never ends, are both found and told apart from one that keeps its promise."""

    def run(given: bytes) -> None:
        if given == b"bad":
            raise ValueError(given)
        while given == b"endless":
            pass

    driver = Driver(Target("planted", run, (b"good",)), limit_s=0.05)
    for content in (b"good", b"bad", b"bad", b"endless"):
        driver.run(content)
    assert driver.executions == 4
    assert sorted(crash.given for crash in driver.crashes.values()) == [b"bad", b"endless"]
