"""Who takes part in links between two projects: people with a pseudonym of the project, and nobody else."""

from collections.abc import Iterator

import pytest

from linkage.records import PersonName
from pseudonymizer.errors import GrantInvalidError
from pseudonymizer.records import CrossLink
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.ways_back.crosslinks import link_projects, request_link
from pseudonymizer.vault.ways_back.decoys import add_decoy
from pseudonymizer.vault.ways_back.runkeys import RunWorker
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace


@pytest.fixture
def vault(sqlite_place: VaultPlace) -> Iterator[Vault]:
    with sqlite_place.create() as made:
        yield made


def add(vault: Vault, project: str, *people: str, run: str = "", deterministic: bool = False) -> list[str]:
    result = linkage_result({project: ", ".join(people)}, [[(project, one)] for one in people])
    found = vault.assign(result, project=project, run=run, deterministic=deterministic)
    vault.commit()
    return [found[one.mention_id].label for one in result.mentions]


def links(vault: Vault) -> tuple[CrossLink, ...]:
    return link_projects(vault, project="p", other="q", purpose="koppeling")


def test_links_come_in_the_order_of_the_first_project_whatever_that_of_the_second(vault: Vault) -> None:
    names = [f"Jan {family}" for family in ("Bos", "Kok", "Mol", "Pot")]
    left, right = add(vault, "p", *names), add(vault, "q", *reversed(names))
    found = links(vault)
    assert [one.left for one in found] == sorted(left)
    assert {(one.left, one.right) for one in found} == set(zip(left, reversed(right), strict=True))


def test_somebody_who_does_not_exist_is_linked_with_nobody(vault: Vault) -> None:
    for project in ("p", "q"):
        vault.ensure_project(project)
        add_decoy(vault, project=project, name=PersonName(given="otto", family="mol"), surface="Otto Mol")
    vault.commit()
    assert links(vault) == ()


def test_a_mention_that_may_mean_several_is_nobody(vault: Vault) -> None:
    text = "Jan Bos, Jan Bos, Jan Bos"
    unclear = linkage_result(
        {"p": text}, [[("p", "Jan Bos")], [("p", "Jan Bos")], [("p", "Jan Bos")]], candidates={0: (1, 2)}
    )
    vault.assign(unclear, project="p")
    vault.commit()
    add(vault, "q", "Jan Bos")
    assert links(vault) == ()


def test_the_label_of_one_run_is_not_shown(vault: Vault) -> None:
    (label,) = add(vault, "p", "Jan Bos")
    add(vault, "q", "Jan Bos")
    key = vault.hand_out(project="p", run="nacht", hours=1, purpose="verwerking")
    result = linkage_result({"r": "Jan Bos"}, [[("r", "Jan Bos")]])
    worker = RunWorker(key, clock=vault.clock)
    vault.accept(project="p", run=key.run, parcels=[worker.parcel(result.mentions)])
    (of_run,) = worker.labels(result.mentions).values()
    assert of_run != label
    assert [one.left for one in links(vault)] == [label]


def test_both_projects_have_it_on_record(vault: Vault) -> None:
    for project in ("p", "q"):
        add(vault, project, "Jan Bos")
    links(vault)
    events = [event for event in vault.audit_events() if event.action == "link-projects"]
    assert [(e.project, e.subjects, e.purpose, e.outcome, e.counts["links"]) for e in events] == [
        ("p", ("project:q",), "koppeling", "allowed", 1), ("q", ("project:p",), "koppeling", "allowed", 1),
    ]  # fmt: skip


def test_a_project_that_wants_approvals_gives_nothing_without_a_grant(vault: Vault) -> None:
    vault.ensure_project("q", ProjectSettings(single_approval=False))
    for project in ("p", "q"):
        add(vault, project, "Jan Bos")
    with pytest.raises(GrantInvalidError, match="have it approved"):
        links(vault)
    assert [e.outcome for e in vault.audit_events() if e.action == "link-projects"] == ["refused:grant"]


def test_a_request_names_the_other_project_and_no_pseudonym(vault: Vault) -> None:
    add(vault, "p", "Jan Bos")
    add(vault, "q", "Jan Bos")
    asked = request_link(vault, project="p", other="q", purpose="koppeling", ticket="T")
    assert (asked.action, asked.labels, asked.project) == ("link-projects", ("project:q",), "p")
