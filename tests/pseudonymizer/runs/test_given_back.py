"""Receipts by way of a project: what was sent comes back, as it was sent, and nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.errors import ReceiptInvalidError
from pseudonymizer.keyring import FileKey
from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.runs.restore import BY_LABELS, EXACT, UNTOUCHED
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault

TEXTS = ["Jan Tolsma belde Els Mol.\r\n", "Els Mol zweeg: elsmol@x.nl"]


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with make_vault(tmp_path / "vault")() as opened:
        yield opened


@pytest.fixture
def project(vault: Vault) -> Project:
    return Project.open(vault, PROJECT, ProjectOptions(load=load_fake), style="code")


def test_a_text_that_was_not_edited_comes_back_as_it_was(project: Project) -> None:
    answer = project.pseudonymize(TEXTS)
    receipt = project.receipt(TEXTS, answer)
    for sent, document in zip(TEXTS, answer, strict=True):
        assert document.text is not None
        back = project.give_back(document.text, receipt)
        assert (back.content.decode(), back.how) == (sent, EXACT)


def test_labels_in_another_text_become_what_was_sent_and_others_stay(project: Project) -> None:
    first, second = project.pseudonymize("Jan Tolsma belde."), project.pseudonymize("Els Mol belde.")
    receipt = project.receipt(["Jan Tolsma belde."], first)
    (jan,), (els,) = ([one.label for one in answer[0].mentions] for answer in (first, second))
    back = project.give_back(f"**{jan.lower()}** en {els}", receipt)
    assert back.content.decode() == f"**Jan Tolsma** en {els}"
    assert (back.how, back.labels.restored, back.labels.unknown) == (BY_LABELS, 1, (els,))
    untouched = project.give_back("Niemand.", receipt)
    assert (untouched.content, untouched.how) == (b"Niemand.", UNTOUCHED)


def test_a_receipt_is_of_one_actor(project: Project, tmp_path: Path) -> None:
    answer = project.pseudonymize(TEXTS)
    receipt = project.receipt(TEXTS, answer)
    place = tmp_path / "vault"
    with Vault.open(place / "vault.db", FileKey(place / "kek.key"), actor="somebody else") as other:
        foreign = Project(other, PROJECT, project.options)
        with pytest.raises(ReceiptInvalidError):
            foreign.give_back(answer[0].text or "", receipt)


def test_what_has_no_way_back_has_none_by_a_receipt(vault: Vault) -> None:
    project = Project.open(vault, "masked", ProjectOptions(load=load_fake), style="mask")
    answer = project.pseudonymize(TEXTS[0])
    back = project.give_back(answer[0].text or "", project.receipt(TEXTS[:1], answer))
    assert b"Tolsma" not in back.content
