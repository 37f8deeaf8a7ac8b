"""What every verb is made with: projects, their keys, and the trail."""

import pytest

from pseudonymizer.errors import AccessRefusedError, UnknownProjectError
from pseudonymizer.policy import Role
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.conftest import VaultPlace


def test_a_project_is_made_once_with_its_settings(place: VaultPlace) -> None:
    with place.create() as vault:
        vault.ensure_project("p", ProjectSettings(grant_minutes=7))
        vault.ensure_project("p", ProjectSettings(grant_minutes=9))
        vault.commit()
        assert vault.projects() == ("p",)
    with place.open() as vault:
        assert vault.project_settings("p").grant_minutes == 7
        with pytest.raises(UnknownProjectError):
            vault.project_settings("q")


def test_who_begins_in_a_project_is_the_only_writer_and_has_its_keys(vault: Vault) -> None:
    keys = vault.begin_in("p")
    assert vault.store.in_transaction
    assert vault.key_records.in_transaction
    assert keys is vault.keys_of("p")
    vault.commit()
    vault.rollback()
    assert vault.projects() == ("p",)


def test_who_may_not_see_names_is_refused_on_record(place: VaultPlace) -> None:
    with place.create("boss") as vault:
        vault.ensure_project("p")
        vault.give_role("ana", Role.ANALYST)
        vault.give_role("cor", Role.CURATOR)
        vault.commit()
    with place.open("cor") as vault:
        vault.check_may_see_names("p")
    with place.open("ana") as vault, pytest.raises(AccessRefusedError):
        vault.check_may_see_names("p")
    with place.open("boss") as vault:
        last = list(vault.audit_events())[-1]
        assert (last.actor, last.project, last.outcome) == ("ana", "p", "refused:role")
