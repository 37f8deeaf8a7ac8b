"""Own kinds and lists through the facade and the command: workers, failures, given mentions, options."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from linkage.detection import finder_of, own_patterns
from linkage.errors import DocumentError
from linkage.kind_lists import TextsByKind
from linkage.own_kinds import OwnKind
from linkage.records import Document, DocumentId, Span
from linkage.settings import LinkageSettings, RecognitionSettings
from linkage.texts import KindId
from pseudonymizer.cli import app, options
from pseudonymizer.engine.mentions import as_values
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import SettingsError
from pseudonymizer.formats import FormatOptions
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.settings import Settings
from tests.pseudonymizer.batch_fakes import load_fake

DOG, CASE = KindId("DOG"), KindId("CASE_NUMBER")
LISTS = RecognitionSettings(always=TextsByKind.of({CASE: ["blauwe map"]}))
SETTINGS = LinkageSettings(LISTS, kinds=(OwnKind(DOG, (r"hond \d+",)),))
SLOW = LinkageSettings(kinds=(OwnKind(DOG, (r"(a+)+$",), at="nymlink.toml, line 7"),))


def _project(settings: LinkageSettings) -> Project:
    return Project.without_vault(ProjectOptions(settings, load=load_fake))


def _values(project: Project, text: str) -> list[tuple[str, str]]:
    (document,) = project.find(text)
    return [(value.mention.surface, value.kind) for value in document.values]


def test_settings_go_with_the_project_into_this_process() -> None:
    assert _values(_project(SETTINGS), "hond 12 en de Blauwe  map") == [
        ("hond 12", DOG),
        ("Blauwe  map", CASE),
    ]
    assert _values(_project(LinkageSettings()), "de blauwe map") == []


def test_settings_go_with_the_project_into_other_processes(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f"hond {number}\n")
    found = list(_project(SETTINGS).find_in(find_sources([tmp_path]), workers=2))
    assert [[value.kind for value in document.values] for document in found] == [[DOG]] * 3


def test_options_of_formats_are_sent_whole() -> None:
    sent = FormatOptions(own=SETTINGS.own)
    assert pickle.loads(pickle.dumps(sent)) == sent  # noqa: S301  made here
    assert "blauwe" not in repr(sent)


def test_a_text_that_is_slow_for_a_pattern_fails_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_patterns, "TIME_LIMIT", 0.2)
    (tmp_path / "a.txt").write_text("Sanne Boer zei aaa\n")
    (tmp_path / "b.txt").write_text("a" * 3_000 + "!\n")
    (tmp_path / "c.txt").write_text("Piet Mulder\n")
    first, slow, last = _project(SLOW).find_in(find_sources([tmp_path]))
    assert first.failure is None
    assert [found.mention.surface for found in last.mentions] == ["Piet Mulder"]
    assert slow.failure is not None
    assert slow.failure.error == "SlowPatternError"
    assert slow.failure.reason.startswith("nymlink.toml, line 7: [kinds.DOG]: a pattern takes longer than")


def test_given_mentions_may_be_of_an_own_kind() -> None:
    document = Document(DocumentId("d"), "Bobbie blaft.")
    given = [GivenMention(Span(0, 6), "Bobbie", kind=DOG)]
    (value,) = as_values(document, given, finder=finder_of(SETTINGS.own))
    assert (value.kind, value.normal) == (DOG, "BOBBIE")
    with pytest.raises(DocumentError, match="unknown kind DOG"):
        as_values(document, given)


@pytest.fixture
def nymlink(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """The command in a folder with a text and two lists."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(options, "pipeline_loader", lambda _: load_fake)
    (tmp_path / "a.txt").write_text("De blauwe map en dossier INK-0925.\n")
    (tmp_path / "maps.txt").write_text("# maps\nblauwe map\n")
    (tmp_path / "no.txt").write_text("INK-0925\n")
    return lambda *arguments: CliRunner().invoke(app, [*arguments])


def _found(done: Result) -> list[str]:
    assert done.exit_code == 0, done.output
    return [mention["text"] for mention in json.loads(done.stdout)["mentions"]]


def test_lists_of_the_command_line_add_to_those_of_the_settings(
    nymlink: Callable[..., Result], tmp_path: Path
) -> None:
    detect = ("detect", "a.txt", "--out", "-", "--kinds", "case_number")
    assert _found(nymlink(*detect)) == ["INK-0925"]
    assert _found(nymlink(*detect, "--always", "case-number=maps.txt")) == ["blauwe map", "INK-0925"]
    assert _found(nymlink(*detect, "--never", "CASE_NUMBER=no.txt")) == []
    (tmp_path / "nymlink.toml").write_text("[recognition.never]\nCASE_NUMBER = ['INK-0925']\n")
    assert _found(nymlink(*detect, "--always", "case_number=maps.txt")) == ["blauwe map"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("maps.txt", "needs a kind and a file"),
        ("=maps.txt", "needs a kind and a file"),
        ("CASE_NUMBER=", "needs a kind and a file"),
        ("CASE_NUMBR=maps.txt", "did you mean CASE_NUMBER?"),
        ("CASE_NUMBER=there.txt", "the file of --always CASE_NUMBER cannot be read"),
    ],
)
def test_a_wrong_list_of_the_command_line_is_refused(
    nymlink: Callable[..., Result], given: str, message: str
) -> None:
    done = nymlink("detect", "a.txt", "--out", "-", "--always", given)
    assert done.exit_code != 0
    assert message in " ".join((done.output + str(done.exception)).replace("│", " ").split())


def test_a_treatment_that_the_kind_cannot_have_is_refused_with_file_and_line(tmp_path: Path) -> None:
    place = tmp_path / "nymlink.toml"
    place.write_text("[kinds.DOG]\npattern = 'hond [0-9]+'\ntreatment = 'shift'\n")
    with pytest.raises(SettingsError, match=r"^nymlink\.toml, line 1: \[kinds\.DOG\]: .* keep, code, token"):
        Settings.from_toml(place)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[kinds.DOG]\npattern = '('\n", r"line 1: \[kinds\.DOG\]: a pattern is no regular expression"),
        ("[kinds.DOG]\npattern = '(a+)+b'\n", r"line 1: \[kinds\.DOG\]: a pattern is slow"),
        ("[kinds.DOG]\npattern = 'x*'\n", r"line 1: \[kinds\.DOG\]: a pattern matches the empty text"),
        (
            "[kinds.DOG]\npattern = 'x'\nvalidator = 'luck'\n",
            r"line 1: \[kinds\.DOG\]: the validator is unknown",
        ),
        ("[tables]\ncolumns = { a = 'DOG' }\n", r"line 2: a column cannot be of the unknown kind DOG"),
    ],
)
def test_a_kind_is_tried_when_settings_are_read(tmp_path: Path, text: str, message: str) -> None:
    place = tmp_path / "nymlink.toml"
    place.write_text(text)
    with pytest.raises(SettingsError, match=rf"^nymlink\.toml, {message}"):
        Settings.from_toml(place)


def test_a_column_may_be_of_an_own_kind(tmp_path: Path) -> None:
    place = tmp_path / "nymlink.toml"
    place.write_text("[kinds.DOG]\npattern = 'hond [0-9]+'\n[tables]\ncolumns = { a = 'DOG' }\n")
    assert Settings.from_toml(place).tables.kinds == {"a": DOG}
