"""Requests about workspaces: bounded, without unknown fields, and silent about paths."""

from typing import Any

import msgspec
import pytest

from pseudonymizer.desk import workspace_asked
from pseudonymizer.desk.workspace_asked import (
    AddFiles,
    GetPiece,
    ListFiles,
    MakeWorkspace,
    NewFile,
    StartWriting,
    StorePiece,
)
from tests.pseudonymizer.desk.struct_checks import is_the_same_after_its_way, takes_what_it_does_not_know

NAME = "Jan Tolsma"


def test_a_field_that_there_is_not_is_refused() -> None:
    assert list(takes_what_it_does_not_know(workspace_asked)) == []


@pytest.mark.parametrize(
    "asked",
    [
        AddFiles(workspace="w", files=(NewFile(NAME, 3),)),
        StorePiece(workspace="w", file="f", number=0, content=NAME.encode()),
        StartWriting(workspace="w", always=(NAME,)),
        GetPiece(workspace="w"),
    ],
)
def test_a_request_comes_as_it_was_sent_and_shows_no_name(asked: Any) -> None:
    assert is_the_same_after_its_way(asked)
    assert "Tolsma" not in repr(asked)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (MakeWorkspace, {"keep_hours": 0}),
        (MakeWorkspace, {"keep_hours": 721}),
        (AddFiles, {"workspace": "w", "files": []}),
        (ListFiles, {"workspace": "w", "limit": 501}),
        (NewFile, {"name": "", "bytes": 1}),
        (NewFile, {"name": "a", "bytes": -1}),
    ],
)
def test_what_is_out_of_bounds_is_refused(kind: Any, body: Any) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body, kind)
