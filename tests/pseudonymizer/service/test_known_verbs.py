"""Known people through a vault service: the same answer as of the vault itself, for who may see names."""

import pytest

from linkage.text_forms import TextForms
from pseudonymizer.errors import AccessRefusedError, ServiceError
from pseudonymizer.vault import known
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.service.test_server import filled, running
from tests.pseudonymizer.vault.test_candidates import Fetching

RESULT = linkage_result({"new": "Els Kok. Otto Lok"}, [[("new", "Els Kok")], [("new", "Otto Lok")]])


def test_a_curator_fetches_what_the_vault_gives_and_an_analyst_does_not(
    place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(place)
    monkeypatch.setattr(known, "MOST_LINKED", 0)
    forms = TextForms.of(RESULT.mentions)
    with place.open("cor") as vault:
        here = vault.known_source("p", linker=Fetching).candidates(forms)
        whole = vault.known("p")
    assert here.beyond is not None
    assert {name.family for person in here.people for name in person.names} == {"kok"}
    with running(place, linker=Fetching()) as served:
        with served.connect("cor") as client:
            source = client.known_source("p")
            assert source.candidates(forms) == here
            everybody = source.candidates(TextForms(everybody=True))
            assert set(everybody.people) == set(whole.people)
            assert everybody.beyond is None
            assert client.known_source("nergens").candidates(forms).people == ()
        with served.connect("ana") as client, pytest.raises(AccessRefusedError):
            client.known_source("p").candidates(forms)


def test_a_service_without_a_linker_says_so(sqlite_place: VaultPlace) -> None:
    filled(sqlite_place)
    forms = TextForms.of(RESULT.mentions)
    with (
        running(sqlite_place, linker=None) as served,
        served.connect("cor") as client,
        pytest.raises(ServiceError, match="without a linker"),
    ):
        client.known_source("p").candidates(forms)
