"""An open vault: its projects and their settings, who may look, and the trail of what was done."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest
from sqlalchemy import delete, update

from linkage.records import KnownIdentity, LinkageResult, NormalizedMention
from linkage.review import Judgement
from pseudonymizer.errors import (
    AccessRefusedError,
    AuditTamperedError,
    SettingsError,
    UnknownProjectError,
    VaultDamagedError,
)
from pseudonymizer.policy import Role
from pseudonymizer.records import Linked, Style
from pseudonymizer.schema import project as project_table
from pseudonymizer.schema import vault_meta
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

RESULT = linkage_result({"a": "Jan Tolsma en Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])


@pytest.fixture
def vault(sqlite_place: VaultPlace) -> Iterator[Vault]:
    with sqlite_place.create() as made:
        yield made


def as_actor(vault: Vault, role: Role) -> None:
    """From now on the vault is used by somebody who has this role alone."""
    give_role(vault, "ana", role)
    vault.commit()
    vault.actor = "ana"


class Watching:
    """A linker that remembers what it was given, and whether anything was open then."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self.given: list[tuple[int, int, int, bool]] = []

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        told = len(tuple(mentions)), len(known), len(judgements), self._vault.has_open_work()
        self.given.append(told)
        return RESULT


def test_projects_come_in_the_order_in_which_they_were_made(vault: Vault) -> None:
    for name in ("q", "p", "q"):
        vault.ensure_project(name)
    assert vault.projects() == ("q", "p")
    vault.rollback()
    assert vault.projects() == ()


def test_settings_of_a_project_are_those_it_was_made_with_until_they_are_changed(vault: Vault) -> None:
    first, second = ProjectSettings(style=Style.TAG), ProjectSettings(retention_days=30)
    vault.ensure_project("p", first)
    vault.ensure_project("p", second)
    assert vault.project_settings("p") == first
    vault.change_settings("p", second)
    vault.commit()
    assert vault.project_settings("p") == second
    (event,) = [one for one in vault.audit_events() if one.action == "project.settings"]
    assert event.subjects == ("retention_days: None -> 30", "style: tag -> token")


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\0"])
def test_a_name_that_nobody_could_type_makes_no_project(vault: Vault, name: str) -> None:
    with pytest.raises(SettingsError):
        vault.ensure_project(name)
    vault.rollback()
    assert vault.projects() == ()


def test_what_asks_for_a_project_that_is_not_there_does_not_make_it(vault: Vault) -> None:
    with pytest.raises(UnknownProjectError):
        vault.project_settings("p")
    assert vault.known("p").people == ()
    assert vault.projects() == ()


def test_who_begins_in_a_project_is_the_only_writer_and_has_its_keys(place: VaultPlace) -> None:
    with place.create() as vault:
        keys = vault.begin_in("p")
        assert vault.store.in_transaction
        assert vault.key_records.in_transaction
        assert keys is vault.keys_of("p")
        vault.commit()
        vault.rollback()
        assert vault.projects() == ("p",)


def test_settings_that_were_altered_are_refused(vault: Vault) -> None:
    vault.ensure_project("p")
    vault.commit()
    vault.store.execute(update(project_table).values(settings='{"single_approval": true}'))
    with pytest.raises(VaultDamagedError):
        vault.project_settings("p")


@pytest.mark.parametrize(
    ("role", "makes", "looks", "sees"),
    [
        (Role.ANALYST, True, True, False),
        (Role.CURATOR, True, True, True),
        (Role.AUDITOR, False, False, False),
        (Role.KEYADMIN, False, False, False),
    ],
)
def test_each_role_may_do_its_own(vault: Vault, role: Role, makes: bool, looks: bool, sees: bool) -> None:
    vault.ensure_project("p")
    as_actor(vault, role)
    for may, work in (
        (makes, lambda: vault.ensure_project("q")),
        (looks, lambda: vault.known("p")),
        (sees, lambda: vault.check_may_see_names("p")),
    ):
        if may:
            work()
            vault.rollback()
        else:
            with pytest.raises(AccessRefusedError):
                work()
    vault.actor = "tester"
    refused = [event for event in vault.audit_events() if event.outcome.startswith("refused")]
    assert len(refused) == [makes, looks, sees].count(False)
    assert {event.actor for event in refused} <= {"ana"}


def test_linking_gets_the_people_of_the_project_and_of_the_registry_and_holds_up_nobody(vault: Vault) -> None:
    vault.assign(RESULT, project="p")
    vault.commit()
    linker = Watching(vault)
    registered = vault.known("p").people[:1]
    linked = vault.linked("p", RESULT.mentions, linker=lambda: linker, registered=registered)
    assert linked == Linked(RESULT, 2)
    assert linker.given == [(2, 3, 0, False)]


def test_the_last_events_of_the_trail_are_told_by_project(vault: Vault) -> None:
    for name in ("p", "q", "p2"):
        vault.ensure_project(name)
        vault.commit()
    actions = [(event.project, event.action) for event in vault.audit_events()]
    assert [event.project for event in vault.audit_events(project="q")] == ["q"]
    assert [(e.project, e.action) for e in vault.audit_events(limit=2)] == actions[-2:]
    assert list(vault.audit_events(limit=0)) == []


def test_a_trail_whose_beginning_is_gone_is_no_trail(vault: Vault) -> None:
    assert vault.verify_audit() > 0
    vault.store.begin_write()
    vault.store.execute(delete(vault_meta).where(vault_meta.c.name == "audit_root"))
    with pytest.raises(VaultDamagedError, match="first audit key"):
        vault.verify_audit()


def test_a_head_that_was_kept_outside_shows_a_trail_that_was_cut_off(vault: Vault) -> None:
    vault.ensure_project("p")
    vault.commit()
    head = vault.audit_head()
    assert vault.verify_audit([head]) == head.sequence
    with pytest.raises(AuditTamperedError):
        vault.verify_audit([replace(head, sequence=head.sequence + 1)])
