"""Runs that commit 8952b15 began and that were killed end as that version would have ended them."""

import json
from pathlib import Path

import pytest

from tests.kept.material import (
    PURPOSE,
    STORE,
    Command,
    command_in,
    copied,
    files_below,
    members,
    stored_in,
    unpack,
)

MOMENTS = sorted({name.split("/")[0] for name in members("killed")})


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack("killed", tmp_path_factory.mktemp("killed"))


@pytest.fixture(params=MOMENTS)
def world(request: pytest.FixtureRequest, unpacked: Path, tmp_path: Path) -> Path:
    return copied(unpacked / request.param, tmp_path)


@pytest.fixture
def nymlink(world: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    return command_in(world, monkeypatch)


def test_it_ends_as_it_would_have_ended(world: Path, nymlink: Command) -> None:
    moment = json.loads((world / "moment.json").read_text())
    done = nymlink(*moment["arguments"])
    assert done.status == 0, done.err
    outputs = files_below(world / "out")
    assert outputs == files_below(world / "ended")
    assert json.loads(nymlink("vault", "verify", *STORE, "--json").out)["findings"] == []
    before = stored_in(world, world / "out")
    assert nymlink(*moment["arguments"]).status == 0
    assert stored_in(world, world / "out") == before
    back = nymlink("restore", "out", "--out", "back", "--project", moment["project"], *STORE, *PURPOSE)
    assert back.status == 0, back.err
    assert files_below(world / "back") == files_below(world / moment["source"])


def test_there_is_a_moment_for_each_step() -> None:
    assert len(MOMENTS) == 16
