"""Verbs for workspaces: each is a method of a desk with its own request, and opens nothing of others."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, get_type_hints

import pytest

from pseudonymizer.desk.commands import Confirm
from pseudonymizer.desk.correction_desk import CorrectionDesk
from pseudonymizer.desk.desks import DESK_VERBS
from pseudonymizer.desk.frames import Caller
from pseudonymizer.desk.job_desk import JobDesk
from pseudonymizer.desk.workspace_asked import NewFile
from pseudonymizer.desk.workspace_desk import WorkspaceDesk
from pseudonymizer.errors import UnknownWorkspaceError
from tests.pseudonymizer.desk.filled_desk import ANNA, BO, ELSEWHERE, FilledDesk

# What further fields the requests of verbs must have, beside those of OF_WORKSPACE.
FURTHER: Final[dict[str, dict[str, Any]]] = {
    "add-files": {"files": (NewFile("c.txt", 1),)},
    "store-piece": {"number": 0, "content": b"x"},
    "corrections": {"what": "mentions"},
    "give-commands": {"revision": 0, "commands": (Confirm("m1"),)},
    "add-words": {"revision": 0, "words": "wiersma"},
    "move-bound": {"revision": 0, "mention": "m1", "side": "end", "by": "wider"},
    "turn-back": {"revision": 0},
    "take-corrections": {"revision": 0},
}
OF_NO_WORKSPACE: Final = {"make-workspace", "workspaces"}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FilledDesk]:
    made = FilledDesk(tmp_path)
    yield made
    made.close()


def method_of(verb: str) -> Callable[..., Any]:
    """The method that a verb calls."""
    found: Callable[..., Any] = inspect.getclosurevars(DESK_VERBS[verb][1]).nonlocals["work"]
    return found


def called(desk: FilledDesk, verb: str, caller: Caller, **fields: Any) -> Any:
    asked, work = DESK_VERBS[verb]
    return work(desk.desks, caller, asked(**fields))


@pytest.mark.parametrize("verb", DESK_VERBS)
def test_a_verb_takes_the_request_that_its_method_reads(verb: str) -> None:
    assert DESK_VERBS[verb][0] is get_type_hints(method_of(verb))["asked"]


@pytest.mark.parametrize("kind", [WorkspaceDesk, JobDesk, CorrectionDesk])
def test_each_method_that_answers_a_request_has_one_verb(kind: type) -> None:
    answering = {
        one
        for name, one in vars(kind).items()
        if inspect.isfunction(one)
        and not name.startswith("_")
        and "asked" in inspect.signature(one).parameters
    }
    reached = [one for one in map(method_of, DESK_VERBS) if one in answering]
    assert answering
    assert set(reached) == answering
    assert len(reached) == len(answering)


def test_verbs_reach_all_three_desks(desk: FilledDesk) -> None:
    workspace, ids = desk.analysed()
    made = called(desk, "make-workspace", ANNA)
    shown = called(desk, "workspaces", ANNA).workspaces
    assert {one.workspace for one in shown} == {made.workspace, workspace}
    job = called(desk, "start-analysis", ANNA, workspace=workspace)
    assert called(desk, "jobs", ANNA, workspace=workspace).jobs == (job,)
    assert called(desk, "cancel-job", ANNA, job=job.job).state == "cancelled"
    found = called(desk, "mentions", ANNA, workspace=workspace, file=ids["a.txt"]).mentions
    assert [one.text for one in found] == ["Jan Tolsma", "Els Mol", "Jan Tolsma", "06-12345678"]


@pytest.mark.parametrize("caller", [BO, ELSEWHERE], ids=["another account", "another project"])
def test_no_verb_opens_what_is_not_the_callers(desk: FilledDesk, caller: Caller) -> None:
    workspace, ids = desk.written()
    job = called(desk, "start-analysis", ANNA, workspace=workspace).job
    before = called(desk, "workspace", ANNA, workspace=workspace)
    rung = desk.rung
    of_workspace = {"workspace": workspace, "file": ids["a.txt"], "job": job}
    for verb in sorted(DESK_VERBS.keys() - OF_NO_WORKSPACE):
        names = DESK_VERBS[verb][0].__struct_fields__
        fields = {name: value for name, value in of_workspace.items() if name in names}
        assert fields, verb
        with pytest.raises(UnknownWorkspaceError):
            called(desk, verb, caller, **fields, **FURTHER.get(verb, {}))
    assert called(desk, "workspace", ANNA, workspace=workspace) == before
    assert called(desk, "job", ANNA, job=job).state == "queued"
    assert desk.rung == rung
    assert called(desk, "workspaces", caller).workspaces == ()
    assert called(desk, "jobs", caller).jobs == ()
