"""The engine answers frames: verbs, wrong calls, faults, and the vaults that it keeps open."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pseudonymizer.desk import frames
from pseudonymizer.desk.answered import FoundTexts, ProjectsShown
from pseudonymizer.desk.asked import DetectTexts, GivenText, OfProject, PseudonymizeTexts
from pseudonymizer.desk.engine import Engine, EngineSettings, verbs
from pseudonymizer.desk.frames import Answer, Call, Caller
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.text_options import ServiceSettings
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.desk.workspace_asked import Workspaces
from pseudonymizer.keyring import FileKey
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake

ANNA = Caller("web:anna")


class Opened:
    """Opens the vault of a folder, and counts how often."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.actors = folder, list[str]()

    def __call__(self, actor: str) -> Vault:
        self.actors.append(actor)
        return Vault.open(f"sqlite:///{self.folder}/vault.db", FileKey(self.folder / "kek.key"), actor=actor)


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    with Vault.create(f"sqlite:///{tmp_path}/vault.db", FileKey(tmp_path / "kek.key")) as made:
        made.commit()
    return Opened(tmp_path)


@pytest.fixture
def engine(opened: Opened) -> Iterator[Engine]:
    texts = TextDesk(ServiceSettings(), Models(load_fake), ["study"])
    made = Engine(EngineSettings(texts, opened, ("study",), "nl", lambda: None))
    yield made
    made.close()


def _ask(engine: Engine, verb: str, asked: Any, caller: Caller = ANNA) -> Answer:
    return engine.answered(frames.encode(Call(verb, caller, msgspec.Raw(frames.encode(asked)))))


def test_a_verb_is_answered(engine: Engine) -> None:
    answer = _ask(engine, "detect", DetectTexts(texts=(GivenText("Jan Tolsma belde."),)))
    assert answer.errors == ()
    found = msgspec.msgpack.decode(answer.result, type=FoundTexts)
    assert [one.kind for one in found.texts[0].mentions] == ["PERSON"]
    assert {"detect", "files", "jobs", "give-commands", "presidio-analyze"} <= set(verbs())


@pytest.mark.parametrize("raw", [b"", b"no frame", frames.encode({"verb": "detect"})])
def test_what_is_no_call_is_an_error_and_no_end(engine: Engine, raw: bytes) -> None:
    assert engine.answered(raw).errors
    assert _ask(engine, "projects", OfProject()).errors == ()


def test_errors_are_named_by_their_classes_without_words(engine: Engine) -> None:
    asked = PseudonymizeTexts(texts=(GivenText("Jan Tolsma belde."),), project="another")
    assert _ask(engine, "pseudonymize", asked).errors[0] == "UnknownProjectError"
    asked = PseudonymizeTexts(texts=(GivenText("Jan Tolsma belde."),), kinds=("NONE",))
    answer = _ask(engine, "pseudonymize", asked)
    assert answer.field == "kinds"
    assert "SettingsError" in answer.errors
    assert _ask(engine, "detect", {"texts": 5}).errors == ("InvalidRecordError",)
    assert _ask(engine, "none", OfProject()).errors == ("EngineError",)
    assert _ask(engine, "workspaces", Workspaces()).errors[0] == "NoWorkspacesError"
    exploding = DetectTexts(texts=(GivenText("ONTPLOFT Jan Tolsma"),))
    assert "Tolsma" not in repr(_ask(engine, "detect", exploding))


def test_a_caller_of_one_project_sees_no_other(engine: Engine) -> None:
    assert _ask(engine, "kinds", OfProject(project="study"), Caller("web:anna", "other")).errors
    shown = msgspec.msgpack.decode(_ask(engine, "projects", OfProject()).result, type=ProjectsShown)
    assert [one.project for one in shown.projects] == ["study"]
    narrow = _ask(engine, "projects", OfProject(), Caller("web:anna", "other"))
    assert msgspec.msgpack.decode(narrow.result, type=ProjectsShown).projects == ()


def test_each_actor_has_a_vault_that_stays_open_and_the_oldest_is_closed(
    engine: Engine, opened: Opened
) -> None:
    for _ in range(2):
        _ask(engine, "projects", OfProject())
    assert opened.actors == ["web:anna"]
    for number in range(8):
        _ask(engine, "projects", OfProject(), Caller(f"web:{number}"))
    _ask(engine, "projects", OfProject())
    assert opened.actors.count("web:anna") == 2


def test_calls_are_answered_by_themselves_where_they_cannot_be_read_together(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    read: list[tuple[str, ...]] = []

    def fails(desk: TextDesk, texts: tuple[str, ...]) -> None:
        del desk
        read.append(texts)
        raise ValueError(texts[0] if texts else "")

    monkeypatch.setattr(TextDesk, "read_ahead", fails)
    asked = [DetectTexts(texts=(GivenText(text),)) for text in ("Jan Tolsma belde.", "Els Mol belde.")]
    engine.look_ahead([frames.encode(Call("detect", ANNA, msgspec.Raw(frames.encode(a)))) for a in asked])
    engine.look_ahead(())
    assert read == [("Jan Tolsma belde.", "Els Mol belde."), ()]
    assert "Tolsma" not in caplog.text
    assert [_ask(engine, "detect", one).errors for one in asked] == [(), ()]
