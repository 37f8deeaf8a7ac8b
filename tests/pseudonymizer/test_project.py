"""Project: texts, documents and files through one facade, with plain records as answers."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pytest

from linkage.records import Document, DocumentId
from pseudonymizer.answers import PseudonymizedTexts, UntreatedDocumentError
from pseudonymizer.errors import SettingsError
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Scope
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault

OpenVault = Callable[[], AbstractContextManager[Vault]]
OPTIONS = ProjectOptions(load=load_fake)


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


@pytest.fixture
def vault(open_vault: OpenVault) -> Iterator[Vault]:
    with open_vault() as opened:
        yield opened


def labels(answer: PseudonymizedTexts) -> list[list[str]]:
    return [[one.label for one in document.mentions] for document in answer]


def test_a_file_by_whose_name_it_could_not_be_restored_fails_alone(vault: Vault, tmp_path: Path) -> None:
    good, odd = tmp_path / "a.txt", tmp_path / "..\\b.txt"
    for place in (good, odd):
        place.write_bytes(b"Jitske Wiersma kwam.")
    answer = Project.open(vault, PROJECT, OPTIONS).pseudonymize([odd, good])
    assert [document.failure is None for document in answer] == [False, True]
    assert answer[0].failure is not None
    assert answer[0].failure.error == "OutsideFolderError"
    assert "it must be relative and stay in its folder" in answer[0].failure.reason


def test_a_text_a_document_and_a_file_give_one_person_one_label(vault: Vault, tmp_path: Path) -> None:
    letter = tmp_path / "brief Jitske Wiersma.txt"
    letter.write_text("Jitske Wiersma kwam.", encoding="utf-8")
    project = Project.open(vault, PROJECT, OPTIONS)
    answer = project.pseudonymize(
        ["Jitske Wiersma belde.", Document(DocumentId("row 1"), "voor Jitske Wiersma."), letter]
    )
    (first,), (second,), (third,) = labels(answer)
    assert first == second == third
    assert [document.name for document in answer] == ["text 1", "row 1", letter.name]
    assert answer[0].text == f"{first} belde."
    assert answer[2].relative == f"brief {first}.txt"
    assert [person.mentions for person in answer.identities] == [4]  # the name of the file is one of them


def test_places_are_told_in_the_old_and_in_the_new_text(vault: Vault) -> None:
    text = "aan Jitske Wiersma en Els Douma, jitske.wiersma@wiersma-bouw.nl."
    (document,) = Project.open(vault, PROJECT, OPTIONS).pseudonymize(text)
    assert document.text is not None
    assert [one.span.cut(text) for one in document.mentions] == [
        "Jitske Wiersma", "Els Douma", "jitske.wiersma@wiersma-bouw.nl",
    ]  # fmt: skip
    assert [one.new_span and one.new_span.cut(document.text) for one in document.mentions] == [
        one.label for one in document.mentions
    ]
    assert [one.kind for one in document.mentions] == ["person", "person", "email"]
    assert document.mentions[0].entity == document.mentions[2].entity != document.mentions[1].entity


def test_the_same_text_again_changes_nothing(vault: Vault) -> None:
    project = Project.open(vault, PROJECT, OPTIONS)
    first = project.pseudonymize("Jitske Wiersma belde.")
    rows = vault.store.scalar("SELECT count(*) FROM form", ())
    assert project.pseudonymize("Jitske Wiersma belde.") == first
    assert vault.store.scalar("SELECT count(*) FROM form", ()) == rows


def test_equal_texts_of_one_call_are_two_documents(vault: Vault) -> None:
    project = Project.open(vault, PROJECT, ProjectOptions(load=load_fake, scope=Scope.DOCUMENT))
    answer = project.pseudonymize(["Jitske Wiersma belde.", "Jitske Wiersma belde."])
    (first,), (second,) = labels(answer)
    assert first != second


def test_files_of_one_name_are_two_documents(vault: Vault, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.txt").write_text(f"Jitske Wiersma van {folder}.", encoding="utf-8")
    answer = Project.open(vault, PROJECT, OPTIONS).pseudonymize([tmp_path / "a/x.txt", tmp_path / "b/x.txt"])
    assert [document.relative for document in answer] == ["x.txt", "b/x.txt"]


def test_a_text_that_fails_does_not_stop_the_others(vault: Vault) -> None:
    answer = Project.open(vault, PROJECT, OPTIONS).pseudonymize(
        ["Jitske Wiersma belde.", "ONTPLOFT Jitske Wiersma", b"\x89PNG\x00\x00", ""]
    )
    assert [document.failure is None for document in answer] == [True, False, False, True]
    assert answer.failures == 2
    assert answer[1].text is None
    assert answer[3].text == ""
    assert "Wiersma" not in str(answer[1].failure)
    with pytest.raises(UntreatedDocumentError, match="UnsupportedInputError"):
        answer[2].checked_content()


def test_an_answer_is_json_without_names(vault: Vault) -> None:
    answer = Project.open(vault, PROJECT, OPTIONS).pseudonymize(
        Document(DocumentId("row 1"), "Jitske Wiersma belde.")
    )
    told = msgspec.json.encode(answer)
    assert b"Wiersma" not in told
    assert msgspec.json.decode(told, type=PseudonymizedTexts) == answer
    assert "Wiersma" not in repr(answer)


def test_an_output_is_left_as_it_is(vault: Vault) -> None:
    for style in ("token", "tag", "surrogate"):
        project = Project.open(vault, style, OPTIONS, style=style)
        written = project.pseudonymize("Jitske Wiersma belde met Els Douma.")[0].text
        assert written is not None
        assert "Wiersma" not in written
        assert project.pseudonymize(written)[0].text == written


def test_texts_of_masked_projects_have_no_labels_of_people(vault: Vault) -> None:
    project = Project.open(vault, PROJECT, OPTIONS, style="mask")
    answer = project.pseudonymize("Jitske Wiersma belde.")
    assert answer[0].text == "[NAAM] belde."


def test_a_style_that_does_not_exist_is_refused_at_once(vault: Vault) -> None:
    with pytest.raises(SettingsError, match="style must be one of"):
        Project.open(vault, PROJECT, OPTIONS, style="nickname")
    assert vault.projects() == ()


def test_what_another_process_stored_is_known_to_the_next_text(vault: Vault, open_vault: OpenVault) -> None:
    project = Project.open(vault, PROJECT, OPTIONS)
    project.pseudonymize("Els Douma belde.")
    with open_vault() as other:
        told = Project.open(other, PROJECT, OPTIONS).pseudonymize("Jitske Wiersma belde.")
    assert labels(project.pseudonymize("Morgen komt Jitske Wiersma.")) == labels(told)
