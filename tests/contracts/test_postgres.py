"""The index in PostgreSQL: the suite of all backends, and what only a database of many banks must do."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from tests.contracts.index_suite import IndexSuite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from uuid import UUID

    from tacit.index.contract import Index
    from tacit.index.postgres.door import Door

pytestmark = pytest.mark.postgres


@pytest.fixture(scope="module")
def door(url: str) -> Iterator[Door]:
    """The door to it."""
    from tacit.index.postgres.door import Door

    opened = Door(url)
    yield opened
    opened.close()


@pytest.fixture
def bank() -> UUID:
    """The bank under test."""
    return uuid4()


@pytest.fixture
def opened(door: Door) -> Callable[[UUID], Index]:
    """Open indexes of banks."""
    from tacit.index.postgres.index import PostgresIndex

    return lambda bank: PostgresIndex(door, bank)


@pytest.fixture
def index(bank: UUID, opened: Callable[[UUID], Index]) -> Index:
    """The index under test."""
    return opened(bank)


@pytest.fixture
def another(bank: UUID, opened: Callable[[UUID], Index]) -> Index:
    """The index of the same bank in another process."""
    return opened(bank)


@pytest.fixture
def fresh(opened: Callable[[UUID], Index]) -> Callable[[], Index]:
    """New indexes of the same kind."""
    return lambda: opened(uuid4())


class TestPostgres(IndexSuite):
    """PostgreSQL keeps the contract."""
