"""Links between two projects: only people who are surely one, granted, on record in both."""

from dataclasses import replace

import pytest

from linkage.records import EntityId
from pseudonymizer.assignment import assign
from pseudonymizer.crosslinks import link_projects, request_link
from pseudonymizer.errors import (
    AccessRefusedError,
    GrantInvalidError,
    PurposeRequiredError,
    SettingsError,
    UnknownProjectError,
)
from pseudonymizer.policy import Role
from pseudonymizer.records import CrossLink, Scope
from pseudonymizer.reidentification import approve, grant
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace


def add(vault: Vault, project: str, *people: str, scope: Scope = Scope.PROJECT) -> dict[str, str]:
    result = linkage_result({project: ", ".join(people)}, [[(project, one)] for one in people])
    found = assign(result, vault, project=project, scope=scope)
    vault.commit()
    return {m.mention.surface: found[m.mention_id].label for m in result.mentions}


def test_one_full_name_in_both_is_one_person_and_a_first_name_is_not(vault: Vault) -> None:
    left = add(vault, "p", "Jan Tolsma", "Els Kok", "Wim")
    right = add(vault, "q", "Els Kok", "Jan Tolsma", "Wim", "Bo Mol")
    found = link_projects(vault, project="p", other="q", purpose="koppeling", ticket="T")
    assert set(found) == {CrossLink(left[n], right[n], "full name") for n in ("Jan Tolsma", "Els Kok")}
    events = [e for e in vault.audit_events() if e.action == "link-projects"]
    assert [(e.project, e.subjects, e.counts["links"]) for e in events] == [
        ("p", ("project:q",), 2),
        ("q", ("project:p",), 2),
    ]


def test_namesakes_are_nobody(vault: Vault) -> None:
    result = linkage_result({"p": "Jan Tolsma. Jan Tolsma"}, [[("p", "Jan Tolsma")], [("p", "Jan Tolsma")]])
    assign(result, vault, project="p")
    add(vault, "q", "Jan Tolsma")
    assert link_projects(vault, project="p", other="q", purpose="koppeling") == ()


def test_a_registry_tells_more_than_a_name(vault: Vault) -> None:
    labels = []
    for project, name in (("p", "Jan Tolsma"), ("q", "Johannes Tolsma-Kok")):
        result = linkage_result({project: name}, [[(project, name)]])
        known = replace(result.identities[0], entity_id=EntityId("reg-7"))
        found = assign(replace(result, identities=(known,)), vault, project=project)
        vault.commit()
        labels += [p.label for p in found.values()]
    assert link_projects(vault, project="p", other="q", purpose="t") == (
        CrossLink(labels[0], labels[1], "registry"),
    )


def test_labels_of_documents_take_no_part(vault: Vault) -> None:
    add(vault, "p", "Jan Tolsma", scope=Scope.DOCUMENT)
    add(vault, "q", "Jan Tolsma")
    assert link_projects(vault, project="p", other="q", purpose="t") == ()


def test_what_is_refused(place: VaultPlace) -> None:
    with place.create() as vault:
        add(vault, "p", "Jan Tolsma")
        add(vault, "q", "Jan Tolsma")
        with pytest.raises(SettingsError):
            link_projects(vault, project="p", other="p", purpose="t")
        with pytest.raises(UnknownProjectError):
            link_projects(vault, project="p", other="r", purpose="t")
        with pytest.raises(PurposeRequiredError):
            link_projects(vault, project="p", other="q", purpose="")
        give_role(vault, "ana", Role.ANALYST)
        vault.commit()
    with place.open("ana") as vault, pytest.raises(AccessRefusedError):
        link_projects(vault, project="p", other="q", purpose="t")


@pytest.mark.parametrize("strict", ["p", "q"])
def test_a_strict_project_on_either_side_wants_a_grant(place: VaultPlace, strict: str) -> None:
    with place.create("rik") as vault:
        vault.ensure_project(strict, ProjectSettings(single_approval=False))
        add(vault, "p", "Jan Tolsma")
        add(vault, "q", "Jan Tolsma")
        add(vault, "r", "Jan Tolsma")
        with pytest.raises(GrantInvalidError):
            link_projects(vault, project="p", other="q", purpose="t")
        asked = request_link(vault, project="p", other="q", purpose="t")
    with place.open("bo") as vault:
        approve(vault, asked.request_id)
    with place.open("rik") as vault:
        given = grant(vault, asked.request_id)
        with pytest.raises(GrantInvalidError):
            link_projects(vault, project="p", other="r", purpose="t", grant=given)
        assert len(link_projects(vault, project="p", other="q", purpose="t", grant=given)) == 1
        with pytest.raises(GrantInvalidError):
            link_projects(vault, project="p", other="q", purpose="t", grant=given)
