"""desk.db, sealed workspaces and the vault beside them, as an earlier version stored them, open as before."""

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest

from pseudonymizer.desk import frames
from pseudonymizer.desk.correction_answered import Corrections, MentionsShown, PeopleShown, TextShown
from pseudonymizer.desk.correction_asked import ListMentions, ListPeople, ReadText, TurnBack
from pseudonymizer.desk.engine import Engine, EngineSettings, KeptWorkspaces
from pseudonymizer.desk.frames import Call, Caller
from pseudonymizer.desk.job_runner import RunPlace
from pseudonymizer.desk.jobs import JobBell
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.store import HEAD, DeskStore
from pseudonymizer.desk.text_options import ServiceSettings
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.tokens import Tokens
from pseudonymizer.desk.workspace_answered import FilesShown, PieceGiven, ReportShown, WorkspaceShown
from pseudonymizer.desk.workspace_asked import GetPiece, ListFiles, OfWorkspace
from pseudonymizer.desk.workspaces import WorkspaceStore
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Verb
from pseudonymizer.vault import Vault
from tests.kept.making_desk import FILES
from tests.kept.material import read_json, unpack
from tests.pseudonymizer.batch_fakes import load_fake
from tests.pseudonymizer.web.served import PROJECT

_Given = TypeVar("_Given")
Ask = Callable[[str, Any, type[_Given]], _Given]
KEEPER = Caller("web:keeper", PROJECT)


@pytest.fixture(scope="module")
def told() -> Any:
    return read_json("desk", "told.json")


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return unpack("desk", tmp_path)


@pytest.fixture
def moment(told: Any) -> Callable[[], datetime]:
    """The time an hour after it was made: workspaces and tokens end."""
    return lambda: datetime.fromisoformat(told["moment"]) + timedelta(hours=1)


@pytest.fixture
def ask(world: Path, moment: Callable[[], datetime]) -> Iterator[Ask[Any]]:
    folder = world / "workspaces"
    store = WorkspaceStore(DeskStore.open(folder / "workspaces.db"), folder, clock=moment)
    engine = Engine(
        EngineSettings(
            TextDesk(ServiceSettings(), Models(load_fake), [PROJECT]),
            lambda actor: Vault.open(f"sqlite:///{world}/vault.db", FileKey(world / "kek.key"), actor=actor),
            (PROJECT,), "nl", lambda: None,
            KeptWorkspaces(store, RunPlace(world, unsealed=True), JobBell()),
        )
    )  # fmt: skip

    def answer(verb: str, asked: Any, kind: type[_Given]) -> _Given:
        raw = frames.encode(Call(verb, KEEPER, msgspec.Raw(frames.encode(asked))))
        found = engine.answered(raw)
        assert found.errors == ()
        return msgspec.msgpack.decode(found.result, type=kind)

    yield answer
    engine.close()


def test_tokens_live_and_die_as_they_did(world: Path, told: Any, moment: Callable[[], datetime]) -> None:
    store = DeskStore.open(world / "vault.desk.db", make=False)
    tokens = Tokens(store, moment)
    found = tokens.of(told["token"])
    assert found is not None
    assert (found.actor, found.project, found.verbs) == (
        KEEPER.actor, PROJECT, frozenset({Verb.PSEUDONYMIZE, Verb.RESTORE})
    )  # fmt: skip
    assert tokens.of(told["revoked"]) is None
    assert Tokens(store, lambda: moment() + timedelta(days=367)).of(told["token"]) is None
    with store.transaction() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == HEAD


def test_a_workspace_opens_with_its_files_mentions_people_and_outputs(ask: Ask[Any], told: Any) -> None:
    of = OfWorkspace(workspace=told["workspace"])
    shown = ask("workspace", of, WorkspaceShown)
    assert (shown.state, dict(shown.files)) == ("written", {"written": 2})
    files = ask("files", ListFiles(workspace=told["workspace"]), FilesShown).files
    assert {one.name: one.file for one in files} == told["files"]
    second = told["files"]["tweede.txt"]
    mentions = ask("mentions", ListMentions(workspace=told["workspace"], file=second), MentionsShown)
    assert [one.text for one in mentions.mentions] == ["molenaar", "Jan Tolsma"]
    text = ask("read-text", ReadText(workspace=told["workspace"], file=second), TextShown)
    assert text.text.encode() == FILES["tweede.txt"]
    people = ask("people", ListPeople(workspace=told["workspace"]), PeopleShown)
    assert "Jan Tolsma" in {form.text for person in people.people for form in person.forms}
    piece = ask("result", GetPiece(workspace=told["workspace"], file=second), PieceGiven)
    assert piece.content.decode() == told["result"]
    assert json.loads(json.dumps(ask("report", of, ReportShown).report)) == told["report"]


def test_a_command_of_then_is_taken_back_now(ask: Ask[Any], told: Any) -> None:
    revision = ask("workspace", OfWorkspace(workspace=told["workspace"]), WorkspaceShown).revision
    undone = ask("turn-back", TurnBack(workspace=told["workspace"], revision=revision), Corrections)
    assert undone.can_redo
    listed = ListMentions(workspace=told["workspace"], file=told["files"]["tweede.txt"])
    assert "Els Mol" in {one.text for one in ask("mentions", listed, MentionsShown).mentions}


def test_a_workspace_that_nobody_analysed_opens_too(ask: Ask[Any], told: Any) -> None:
    shown = ask("workspace", OfWorkspace(workspace=told["unread"]), WorkspaceShown)
    assert (shown.state, dict(shown.files)) == ("received", {"received": 1})


def test_what_has_ended_is_destroyed(world: Path, told: Any, moment: Callable[[], datetime]) -> None:
    folder = world / "workspaces"
    store = WorkspaceStore(
        DeskStore.open(folder / "workspaces.db"), folder, clock=lambda: moment() + timedelta(days=2)
    )
    assert store.destroy_ended() == 2
    assert not (folder / told["workspace"]).exists()
