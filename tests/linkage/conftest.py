"""Fixtures for the tests of linkage."""

import pytest

from linkage.gazetteer import Gazetteer


@pytest.fixture(scope="session")
def gazetteer() -> Gazetteer:
    """The shipped lists; loaded once, they never change."""
    return Gazetteer.load()
