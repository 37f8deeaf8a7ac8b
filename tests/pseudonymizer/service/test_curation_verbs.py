"""Relinking through a vault service: the service links, and gives names only where they are asked."""

import pytest

from pseudonymizer.errors import AccessRefusedError
from pseudonymizer.policy import Role
from pseudonymizer.records import LinkKind
from pseudonymizer.relinks import ChangeKind, HowToRelink
from pseudonymizer.vault.access import give_role
from tests.linkage.test_relinking import Grouping
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.service.test_server import filled, running


def test_a_curator_relinks_through_the_service_and_an_analyst_does_not(sqlite_place: VaultPlace) -> None:
    labels = filled(sqlite_place)
    with sqlite_place.open("boss") as vault:
        give_role(vault, "cor", Role.CURATOR)
        vault.commit()
    with running(sqlite_place) as served:
        served.linker.link = Grouping(lambda _: "one").link  # type: ignore[method-assign]
        with served.connect("ana") as client, pytest.raises(AccessRefusedError):
            client.relink("p", HowToRelink(), purpose="toets")
        with served.connect("cor") as client:
            listed = client.relink("p", HowToRelink(), purpose="toets")
            (change,) = listed.changes
            assert change.kind is ChangeKind.MERGE
            assert {label for one in change.people for label in one.pseudonyms} == set(labels.values())
            assert all(one.name is None for one in change.people)
            named = client.relink("p", HowToRelink(names=True), purpose="toets").changes[0].people
            assert {one.name for one in named} == {"Els Kok", "Jan Tolsma"}
            assert client.relink("p", HowToRelink(apply=True), purpose="toets").is_applied
            assert LinkKind.ALSO_KNOWN_AS in {link.kind for link in client.pseudonym_links("p")}
            assert client.relink("p", HowToRelink(), purpose="toets").changes == ()
