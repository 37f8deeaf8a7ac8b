"""A project gives a caller back what he sent: unchanged outputs as they were, edited ones by their labels."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from linkage.records import Document, DocumentId
from pseudonymizer.errors import ReceiptInvalidError, SettingsError
from pseudonymizer.policy import Role
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import LabelState, Style
from pseudonymizer.runs.restore import BY_LABELS, EXACT, IN_PART, UNTOUCHED
from pseudonymizer.settings import StyleSettings
from pseudonymizer.treatments.asked import AskedTreatments
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from tests.pseudonymizer.batch_fakes import load_fake, make_vault
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.service.test_server import Served, running

TEXT = (
    "Jan Tolsma en els Wiersma belden, IBAN NL91ABNA0417164300, geboren op 12-03-1951. "
    "Jan Tolsma mailt jan.tolsma@zorg.nl en NL91 ABNA 0417 1643 00."
)


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with make_vault(tmp_path / "vault")() as opened:
        yield opened


def project_of(vault: Vault, style: Style = Style.CODE, profile: str = "direct", **treat: str) -> Project:
    options = ProjectOptions(
        load=load_fake, styles=StyleSettings(style),
        treatments=AskedTreatments(profile).with_choices(list(treat.items())),
    )  # fmt: skip
    return Project.open(vault, "p", options)


@pytest.mark.parametrize("style", [Style.CODE, Style.TOKEN, Style.TAG, Style.SURROGATE])
def test_an_unchanged_output_comes_back_letter_by_letter(vault: Vault, style: Style) -> None:
    project = project_of(vault, style)
    texts = [TEXT, "Niemand.", "Jan Tolsma 👍 kwam.\r\n", TEXT]
    answer = project.pseudonymize(texts)
    receipt = project.receipt(texts, answer)
    for text, document in zip(texts, answer, strict=True):
        assert document.text is not None
        back = project.restore_text(document.text, receipt=receipt)
        assert back.content.decode() == text
        assert back.how == EXACT
        assert back.labels.restored == len(document.mentions)
        assert back.audit_sequence == vault.last_event > 0


@pytest.mark.parametrize("style", [Style.CODE, Style.TOKEN, Style.TAG, Style.SURROGATE])
def test_names_and_values_come_back_in_an_edited_text(vault: Vault, style: Style) -> None:
    project = project_of(vault, style)
    answer = project.pseudonymize([TEXT])
    receipt = project.receipt([TEXT], answer)
    edited = f"Antwoord: {answer[0].text}"
    back = project.restore_text(edited, receipt=receipt)
    text = back.content.decode()
    assert back.how == BY_LABELS
    assert text.startswith("Antwoord: Jan Tolsma en ")
    assert "NL91ABNA0417164300" in text
    assert "jan.tolsma@zorg.nl" in text


def test_the_fullest_form_that_was_sent_comes_back_and_none_that_the_vault_knows_beside(vault: Vault) -> None:
    project = project_of(vault)
    before = project.pseudonymize("Jan Tolsma kwam.")
    label = before[0].mentions[0].label
    mine = project.receipt("Jan Tolsma kwam.", before)
    other = project.pseudonymize("Kees Mol kwam.")[0].mentions[0].label
    back = project.restore_text(f"{label} en {other}", receipt=mine)
    assert back.content.decode() == f"Jan Tolsma en {other}"
    assert back.labels.left == {(other, LabelState.UNKNOWN): 1}
    assert back.labels.unknown == (other,)


def test_what_has_no_way_back_has_none_by_a_receipt(vault: Vault) -> None:
    project = project_of(vault, BANK_ACCOUNT="mask")
    answer = project.pseudonymize(TEXT)
    back = project.restore_text(answer[0].text or "", receipt=project.receipt(TEXT, answer))
    assert back.how == IN_PART
    assert back.one_way == 2
    assert "NL91" not in back.content.decode()
    assert "Jan Tolsma" in back.content.decode()


def test_after_an_erasure_the_text_is_said_to_be_in_part(vault: Vault) -> None:
    project = project_of(vault)
    answer = project.pseudonymize("Jan Tolsma en Els Wiersma.")
    receipt = project.receipt("Jan Tolsma en Els Wiersma.", answer)
    label = answer[0].mentions[0].label
    vault.erase(project="p", pseudonyms=[label], purpose="verzoek")
    back = project.restore_text(answer[0].text or "", receipt=receipt)
    assert (back.how, back.one_way) == (IN_PART, 1)
    assert back.content.decode() == f"{label} en Els Wiersma."
    edited = project.restore_text(f"Bel {label}!", receipt=receipt)
    assert (edited.how, edited.labels.restored) == (UNTOUCHED, 0)


def test_tags_that_other_projects_have_too_come_back_for_their_receipt(vault: Vault) -> None:
    options = ProjectOptions(load=load_fake, styles=StyleSettings(Style.TAG))
    for name in ("q", "p"):
        project = Project.open(vault, name, options)
        answer = project.pseudonymize("Jan Tolsma kwam.")
    assert answer[0].mentions[0].label == "<PERSOON-1>"
    back = project.restore_text("Bel [PERSOON-1].", receipt=project.receipt("Jan Tolsma kwam.", answer))
    assert back.content.decode() == "Bel Jan Tolsma."


def test_documents_and_bytes_have_receipts_and_files_have_none(vault: Vault, tmp_path: Path) -> None:
    project = project_of(vault)
    file = tmp_path / "a.txt"
    file.write_text("Els Wiersma kwam.")
    inputs: list[str | bytes | Document | Path] = [
        Document(DocumentId("1"), "Jan Tolsma kwam."),
        "\ufeffKees Mol kwam.".encode(),
        file,
    ]
    answer = project.pseudonymize(inputs)
    receipt = project.receipt(inputs, answer)
    labels = [document.mentions[0].label for document in answer]
    back = project.restore_text(" ".join(labels), receipt=receipt).content.decode()
    assert back == f"Jan Tolsma Kees Mol {labels[2]}"
    for other in ("Jan Tolsma kwam.", [*inputs, "x"], ["x", "y", "z"]):
        with pytest.raises(SettingsError):
            project.receipt(other, answer)


def test_a_receipt_works_alone(vault: Vault) -> None:
    project = project_of(vault)
    answer = project.pseudonymize("Jan Tolsma kwam.")
    receipt = project.receipt("Jan Tolsma kwam.", answer)
    with pytest.raises(SettingsError):
        project.restore_text("x", receipt=receipt, grant="G1-00")
    with pytest.raises(SettingsError):
        project.restore_text("x", receipt=receipt, made_from=[b"x"])
    with pytest.raises(SettingsError):
        project.restore_stream(receipt=receipt, made_from=[b"x"])


@pytest.fixture
def served(sqlite_place: VaultPlace) -> Iterator[Served]:
    with sqlite_place.create("boss") as vault:
        vault.ensure_project("p")
        for actor in ("ana", "bob"):
            give_role(vault, actor, Role.ANALYST)
        vault.commit()
    with running(sqlite_place) as service:
        yield service


def test_an_analyst_gets_the_own_names_back_over_the_socket_and_nobody_elses(served: Served) -> None:
    options = ProjectOptions(load=load_fake, styles=StyleSettings(Style.CODE))
    text = "Jan Tolsma kwam met Els Wiersma."
    with served.connect("ana") as client:
        project = Project.open(client, "p", options)
        answer = project.pseudonymize(text)
        receipt = project.receipt(text, answer)
        back = project.restore_text(answer[0].text or "", receipt=receipt)
        assert (back.how, back.content.decode()) == (EXACT, text)
        label = answer[0].mentions[0].label
        stream = project.restore_stream(receipt=receipt)
        assert "".join(stream.restored(["Bel ", label[:5], label[5:], "!"])) == "Bel Jan Tolsma!"
        assert stream.audit_sequence > back.audit_sequence > 0
    with served.connect("bob") as client, pytest.raises(ReceiptInvalidError):
        Project.open(client, "p", options).restore_text(label, receipt=receipt)
