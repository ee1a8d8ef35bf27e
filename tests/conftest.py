"""What all tests share: how hard hypothesis tries, and that nothing of the developer's own home takes part."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import database, server

if TYPE_CHECKING:
    from collections.abc import Iterator

# A personal bank or models of whoever runs the tests would change what they see.
os.environ["TACIT_HOME"] = f"{os.devnull}/home"

# Slow generation says something about the machine of the day, not about the code; so do deadlines.
settings.register_profile(
    "default", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "long",
    deadline=None,
    derandomize=False,
    max_examples=5_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server, one for all tests of a process that ask for it."""
    with server() as url:
        yield url


@pytest.fixture(scope="module", params=["postgres"])
def url(postgres: str) -> Iterator[str]:
    """A database of its own."""
    with database(postgres) as made:
        yield made
