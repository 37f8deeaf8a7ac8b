"""The people of a project are listed with counts, to who may see names, on record."""

from pathlib import Path

import pytest

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.errors import AccessRefusedError, LimitExceededError, PurposeRequiredError
from pseudonymizer.policy import Role
from pseudonymizer.runs.run import BatchSettings
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault, new_batch

TEXTS = {
    "a.txt": "Jan Tolsma en Els Wiersma; Jan Tolsma belde.",
    "b.txt": "Jan Tolsma schreef; van P1-0000000000000000000000 weten wij niets.",
}


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    opener = make_vault(tmp_path / "vault")
    (tmp_path / "in").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "in" / name).write_text(text)
    sources = find_sources([tmp_path / "in"])
    new_batch(sources, tmp_path / "out", BatchSettings(PROJECT), load=load_fake, open_vault=opener).run()
    vault = opener().__enter__()
    assert isinstance(vault, Vault)
    return vault


def test_people_come_with_counts_the_most_met_first(vault: Vault) -> None:
    found = vault.listed_people(PROJECT, purpose="toets")
    assert [(one.name, one.spellings, one.documents, one.places) for one in found] == [
        ("Jan Tolsma", 1, 2, 3), ("Els Wiersma", 1, 1, 1),
    ]  # fmt: skip
    assert "Tolsma" not in repr(found)
    revealed = vault.reveal(project=PROJECT, pseudonyms=found[0].pseudonyms, purpose="toets")
    assert [one.name for one in revealed.values()] == ["Jan Tolsma"]
    assert [one.name for one in vault.listed_people(PROJECT, purpose="toets", most=1)] == ["Jan Tolsma"]


def test_a_list_is_on_record_with_whom_it_tells(vault: Vault) -> None:
    (one,) = vault.listed_people(PROJECT, purpose="klacht 7", ticket="T1", most=1)
    event = list(vault.audit_events())[-1]
    assert (event.action, event.purpose, event.ticket, event.outcome) == (
        "see-names", "klacht 7", "T1", "allowed",
    )  # fmt: skip
    assert event.subjects == one.pseudonyms
    assert event.counts["people"] == 1


def test_nobody_is_listed_without_a_right_a_purpose_or_room_in_the_limit(vault: Vault) -> None:
    with pytest.raises(PurposeRequiredError):
        vault.listed_people(PROJECT, purpose=" ")
    vault.change_settings(PROJECT, ProjectSettings(limit_capacity=1, limit_per_hour=1))
    vault.commit()
    with pytest.raises(LimitExceededError):
        vault.listed_people(PROJECT, purpose="toets")
    give_role(vault, "ana", Role.ANALYST)
    vault.commit()
    with pytest.raises(AccessRefusedError):  # its giver is dpo now, and no curator
        vault.listed_people(PROJECT, purpose="toets", most=1)
    assert list(vault.audit_events())[-1].outcome == "refused:role"


def test_the_erased_and_texts_that_look_like_labels_are_not_listed(vault: Vault) -> None:
    (first, _) = vault.listed_people(PROJECT, purpose="toets")
    vault.erase(project=PROJECT, pseudonyms=first.pseudonyms, purpose="toets")
    assert [one.name for one in vault.listed_people(PROJECT, purpose="toets")] == ["Els Wiersma"]
