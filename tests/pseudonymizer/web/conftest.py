"""The services of these tests: one with fakes for a module, one with the real models for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pseudonymizer.web.served import Service, fake_service, real_service


@pytest.fixture(scope="module")
def fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("fake")
    with fake_service(folder) as made:
        yield made


@pytest.fixture(scope="session")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder: Path = tmp_path_factory.mktemp("real")
    with real_service(folder) as made:
        yield made
