"""Project: texts, documents and files through one facade, with plain records as answers."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any

import msgspec
import pytest

from linkage.kinds import KindId
from linkage.records import Document, DocumentId
from pseudonymizer.answers import PseudonymizedTexts
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import (
    AccessRefusedError,
    BatchError,
    InvalidRecordError,
    SettingsError,
    UntreatedDocumentError,
    VaultClosedError,
)
from pseudonymizer.finding import running_texts
from pseudonymizer.policy import Role
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Scope, Style
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.treatments.asked import AskedTreatments
from pseudonymizer.treatments.treatment import Treatment
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch
from tests.pseudonymizer.test_cli_review import OpenPipeline

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
    assert [one.kind for one in document.mentions] == ["PERSON", "PERSON", "EMAIL"]
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


def test_treatments_go_before_the_style_and_the_style_before_the_project(vault: Vault) -> None:
    vault.ensure_project(PROJECT, ProjectSettings(Style.TAG, profile="clinical", treat={"ID": "mask"}))
    vault.commit()
    before = replace(OPTIONS, treatments=AskedTreatments("hipaa", (("person", "initials"), ("phone", "tag"))))
    stored, told = (Project.open(vault, PROJECT, options).plan() for options in (OPTIONS, before))
    assert (stored.profile, stored.person_style, stored.of(KindId("VEHICLE"))) == (
        "clinical", Style.TAG, Treatment.MASK,
    )  # fmt: skip
    assert (told.profile, told.person_style, told.of(KindId("PHONE"))) == (
        "hipaa", Style.INITIALS, Treatment.TAG,
    )  # fmt: skip
    asked = {"Phone": "mask", "contact": "code"}
    plan = Project.open(vault, PROJECT, before, style="surrogate", profile="direct", treat=asked).plan()
    assert (plan.profile, plan.person_style) == ("direct", Style.SURROGATE)
    assert (plan.of(KindId("PHONE")), plan.of(KindId("FAX"))) == (Treatment.MASK, Treatment.CODE)
    plan = Project.open(vault, PROJECT, before, style="surrogate", treat={"PERSON": "mask"}).plan()
    assert (plan.profile, plan.person_style) == ("hipaa", Style.MASK)


def test_persons_are_treated_as_the_plan_says(vault: Vault) -> None:
    project = Project.open(vault, PROJECT, OPTIONS, treat={"person": "tag"})
    assert project.pseudonymize("Jitske Wiersma kwam.")[0].text == "<PERSOON-1> kwam."


def test_a_new_project_keeps_the_style_that_it_is_opened_with(vault: Vault) -> None:
    (first,) = Project.open(vault, PROJECT, OPTIONS, style="code").pseudonymize("Jitske Wiersma kwam.")
    (again,) = Project.open(vault, PROJECT, OPTIONS).pseudonymize("Jitske Wiersma belde.")
    assert again.mentions[0].label == first.mentions[0].label
    assert vault.project_settings(PROJECT) == ProjectSettings(style=Style.CODE)
    (masked,) = Project.open(vault, "masked", OPTIONS, style="mask").pseudonymize("Jitske Wiersma kwam.")
    assert masked.failure is None
    assert vault.project_settings("masked") == ProjectSettings()


@pytest.mark.parametrize("asked", [{"style": "tag"}, {"treat": {"PERSON": "tag"}}])
def test_another_style_than_people_have_is_refused_unless_it_is_asked_for(
    vault: Vault, asked: dict[str, Any]
) -> None:
    Project.open(vault, PROJECT, OPTIONS, style="code").pseudonymize("Jitske Wiersma kwam.")
    with pytest.raises(BatchError, match=r"style code, and tag is asked for.*restyle=True"):
        Project.open(vault, PROJECT, OPTIONS, **asked)
    Project.open(vault, PROJECT, OPTIONS, treat={"DATE": "month"})
    Project.open(vault, PROJECT, OPTIONS, style="mask")
    project = Project.open(vault, PROJECT, OPTIONS, restyle=True, **asked)
    assert project.pseudonymize("Jitske Wiersma kwam.")[0].text == "<PERSOON-1> kwam."
    again = Project.open(vault, PROJECT, OPTIONS, **asked)  # she has both now
    assert again.pseudonymize("Jitske Wiersma belde.")[0].text == "<PERSOON-1> belde."


def test_a_project_of_an_earlier_version_whose_people_have_another_style_opens_as_before(
    vault: Vault,
) -> None:
    vault.ensure_project(PROJECT)  # tokens are its own style, and each program asked for codes
    vault.commit()
    Project.open(vault, PROJECT, OPTIONS, style="code").pseudonymize("Jitske Wiersma kwam.")
    assert vault.project_settings(PROJECT).style is Style.TOKEN
    Project.open(vault, PROJECT, OPTIONS, style="code").pseudonymize("Jitske Wiersma kwam.")
    (document,) = Project.open(vault, PROJECT, OPTIONS).pseudonymize("Jitske Wiersma kwam.")
    assert document.failure is None


def test_outputs_in_another_style_are_written_over_only_where_it_is_asked_for(
    vault: Vault, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Jitske Wiersma kwam.")
    Project.open(vault, PROJECT, OPTIONS).pseudonymize_folder(tmp_path / "in", tmp_path / "out")
    before = (tmp_path / "out" / "a.txt").read_bytes()
    masking = Project.open(vault, PROJECT, OPTIONS, style="mask")
    with pytest.raises(BatchError, match="would lose their way back"):
        masking.pseudonymize_folder(tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_bytes() == before
    masking.pseudonymize_folder(tmp_path / "in", None)
    masking.pseudonymize_folder(tmp_path / "in", tmp_path / "masked")
    asked = Project.open(vault, PROJECT, OPTIONS, style="mask", restyle=True)
    asked.pseudonymize_folder(tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_bytes() != before


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"profile": "drect"}, "did you mean 'direct'"),
        ({"treat": {"PERSON": "model"}}, "there is no treatment model"),
        ({"treat": {"PRSON": "mask"}}, "did you mean 'person'"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_the_first_text(
    vault: Vault, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingsError, match=message):
        Project.open(vault, PROJECT, OPTIONS, **given)


def test_what_another_process_stored_is_known_to_the_next_text(vault: Vault, open_vault: OpenVault) -> None:
    project = Project.open(vault, PROJECT, OPTIONS)
    project.pseudonymize("Els Douma belde.")
    with open_vault() as other:
        told = Project.open(other, PROJECT, OPTIONS).pseudonymize("Jitske Wiersma belde.")
    assert labels(project.pseudonymize("Morgen komt Jitske Wiersma.")) == labels(told)


def test_threads_with_a_project_each_of_one_vault_do_not_take_back_what_the_other_began(
    vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (Project.open(vault, name, OPTIONS) for name in ("one", "two"))
    first.pseudonymize("Jitske Wiersma belde.")
    in_other, made, other_is_done = Event(), Event(), Event()
    ensure_project, rollback = vault.ensure_project, vault.rollback

    def pausing(name: str, settings: ProjectSettings | None = None) -> None:
        """Between making a project and committing it the other thread gets its turn."""
        ensure_project(name, settings)
        if name == "two":
            made.set()
            other_is_done.wait(0.3)

    def late() -> None:
        """The other thread gives up its unit of work, in which it has only looked, as late as it can."""
        if current_thread() is thread:
            in_other.set()
            made.wait(0.3)
        rollback()
        other_is_done.set()

    monkeypatch.setattr(vault, "ensure_project", pausing)
    monkeypatch.setattr(vault, "rollback", late)
    thread = Thread(target=lambda: first.pseudonymize("Els Douma belde."))
    thread.start()
    assert in_other.wait(20)
    answer = second.pseudonymize("Jitske Wiersma belde.")
    thread.join(20)
    assert answer.failures == 0
    assert vault.projects() == ("one", "two")


LETTER = "Jitske Wiersma belde. Mail: els.douma@douma-bouw.nl"


def corpus(folder: Path) -> list[Path]:
    folder.mkdir()
    (folder / "brief Jan Tolsma.txt").write_text(LETTER, encoding="utf-8")
    (folder / "b.txt").write_text("Nu kwam Els Douma.", encoding="utf-8")
    return [folder]


def test_linking_without_a_vault_shows_whom_a_run_would_replace(
    tmp_path: Path, open_vault: OpenVault
) -> None:
    inputs = corpus(tmp_path / "in")
    project = Project.without_vault(OPTIONS)
    linked = project.link(project.find_in(find_sources(inputs)))
    run = new_batch(
        find_sources(inputs), tmp_path / "out", BatchSettings(PROJECT), load=load_fake, open_vault=open_vault
    ).run()
    assert (len(linked.result.mentions), len(linked.result.identities)) == (run.mentions, run.identities)
    named = {document.name: [m.mention.surface for m in document.mentions] for document in linked.documents}
    assert named == {
        "b.txt": ["Els Douma"],
        "brief Jan Tolsma.txt": ["Jitske Wiersma", "els.douma"],
        "brief Jan Tolsma.txt#/path": ["Jan Tolsma"],
    }
    kept = [[m.mention.surface for m in one.mentions] for one in running_texts(linked.documents)]
    assert kept == [["Els Douma"], ["Jitske Wiersma"]]


def test_linking_with_a_vault_finds_the_people_of_the_project_and_stores_nothing(vault: Vault) -> None:
    project = Project.open(vault, PROJECT, OPTIONS)
    told = project.pseudonymize("Els Douma belde.").identities[0].entity
    rows = vault.store.scalar("SELECT count(*) FROM entity", ())
    linked = project.link([LETTER, "Nu kwam Jan Tolsma."])
    by_name = {
        linked.result.mention(next(iter(i.mention_ids))).mention.surface: i.entity_id
        for i in linked.result.identities
    }
    assert by_name == {"els.douma": told, "Jitske Wiersma": None, "Jan Tolsma": None}
    assert vault.store.scalar("SELECT count(*) FROM entity", ()) == rows


def test_linking_in_a_project_that_does_not_exist_does_not_make_it(vault: Vault) -> None:
    assert len(Project.open(vault, PROJECT, OPTIONS).link(LETTER).result.identities) == 2
    assert vault.projects() == ()


def test_who_may_not_see_names_does_not_link_with_a_vault(open_vault: OpenVault) -> None:
    with open_vault() as vault:
        give_role(vault, "els", Role.ANALYST)
        give_role(vault, "jan", Role.CURATOR)
        vault.commit()
        vault.actor = "els"
        project = Project.open(vault, PROJECT, OPTIONS)
        assert project.pseudonymize(LETTER)[0].text != LETTER
        with pytest.raises(AccessRefusedError, match="see"):
            project.link(LETTER)
        vault.actor = "jan"
        assert len(project.link(LETTER).result.identities) == 2


def test_verdicts_of_a_review_hold_in_the_next_linking(vault: Vault) -> None:
    project = Project.without_vault(ProjectOptions(load=OpenPipeline))
    documents = project.find("Jan Tolsma belde. Heer Tolsma kwam.")
    session = project.review(project.link(documents), judge="mk")
    assert session.current() is not None
    session.accept(datetime(2026, 1, 1, tzinfo=UTC))
    assert len(project.link(documents).result.identities) == 2
    assert len(project.link(documents, judgements=session.judgements).result.identities) == 1
    answer = Project.open(vault, PROJECT, ProjectOptions(load=OpenPipeline)).pseudonymize(
        "Jan Tolsma belde. Heer Tolsma kwam.", judgements=session.judgements
    )
    assert len(answer.identities) == 1


def test_what_needs_a_vault_says_so_without_one() -> None:
    with pytest.raises(VaultClosedError, match="open it with one"):
        Project.without_vault(OPTIONS).pseudonymize(LETTER)


def test_found_documents_and_texts_are_not_mixed() -> None:
    project = Project.without_vault(OPTIONS)
    with pytest.raises(InvalidRecordError, match="not both"):
        project.link([*project.find(LETTER), LETTER])  # type: ignore[arg-type]
