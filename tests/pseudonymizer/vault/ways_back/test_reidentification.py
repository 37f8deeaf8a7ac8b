"""Single steps of the way back: what is left out, what is looked up how, and what is not asked for."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.records import DocumentId, EntityId, PersonName
from pseudonymizer.errors import UnknownPseudonymError
from pseudonymizer.records import Rewrite, RewriteEdit
from pseudonymizer.vault import Vault
from pseudonymizer.vault.ways_back.reidentification import (
    lookup,
    request,
    request_restore,
    restore,
    reveal,
    stored_addresses,
    stored_forms,
)
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in

RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok, Jan"}, [[("a", "Jan Tolsma"), ("a", "Jan")], [("a", "Els Kok")]]
)


def filled(vault: Vault) -> dict[str, str]:
    """The label of each surface."""
    found = vault.assign(RESULT, project="p")
    vault.commit()
    return {one.mention.surface: found[one.mention_id].label for one in RESULT.mentions}


@pytest.fixture
def vault(sqlite_place: VaultPlace) -> Iterator[Vault]:
    with sqlite_place.create() as made:
        yield made


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Vault, dict[str, str]]]:
    with sqlite_place_in(tmp_path_factory.mktemp("vault")).create() as made:
        yield made, filled(made)


blanks = st.text(" \n\t", min_size=1, max_size=3)


@given(blanks, st.booleans())
def test_a_name_is_looked_up_by_its_text_whatever_case_and_blanks(
    shared: tuple[Vault, dict[str, str]], blank: str, is_upper: bool
) -> None:
    vault, labels = shared
    typed = f"{blank}{'JAN' if is_upper else 'jan'}{blank}tolsma"
    assert lookup(vault, project="p", name=typed, purpose="inzage").pseudonyms == (labels["Jan Tolsma"],)


@pytest.mark.parametrize(
    ("name", "surfaces"),
    [
        (PersonName(given="jan", family="tolsma"), {"Jan Tolsma"}),
        (PersonName(given="jan"), {"Jan Tolsma"}),  # by text: a given name alone is in no index
        (PersonName(family="tolsma"), set()),
        ("Jan", {"Jan Tolsma"}),
        ("Tolsma", set()),
        ("Jan Tolsma, Els Kok", set()),
    ],
)
def test_a_form_that_was_met_is_found_and_no_other(
    shared: tuple[Vault, dict[str, str]], name: PersonName | str, surfaces: set[str]
) -> None:
    vault, labels = shared
    found = lookup(vault, project="p", name=name, purpose="inzage")
    assert set(found.pseudonyms) == {labels[surface] for surface in surfaces}


def test_labels_of_others_are_left_out_of_edited_text_and_asked_for_of_nobody(vault: Vault) -> None:
    labels = filled(vault)
    wanted = [labels["Els Kok"], "P9-XXXXXXXXXXXXXXXXXXXX", labels["Els Kok"]]
    assert stored_forms(vault, project="p", labels=wanted, purpose="t") == {labels["Els Kok"]: "Els Kok"}
    before = len(list(vault.audit_events()))
    assert stored_forms(vault, project="p", labels=wanted[1:2], purpose="t") == {}
    assert len(list(vault.audit_events())) == before
    with pytest.raises(UnknownPseudonymError):
        reveal(vault, project="p", pseudonyms=["<PERSOON-9>"], purpose="t")


def owner(vault: Vault, label: str) -> EntityId:
    return next(one.entity_id for one in vault.assign(RESULT, project="p").values() if one.label == label)


def test_addresses_are_those_that_a_pseudonym_stood_for(vault: Vault) -> None:
    labels = filled(vault)
    jan = owner(vault, labels["Jan Tolsma"])
    texts = (b"jan.tolsma@post.nl", b"Jan Tolsma", b"jan.tolsma@post.nl", b"jt@werk.nl")
    edits = tuple(RewriteEdit(n, "", n, n, text, jan) for n, text in enumerate(texts))
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", edits), output=b"uit")
    vault.commit()
    wanted = [*labels.values(), "P9-XXXXXXXXXXXXXXXXXXXX"]
    found = stored_addresses(vault, project="p", labels=wanted, purpose="t")
    assert found.keys() == set(labels.values())
    assert set(found[labels["Jan Tolsma"]]) == {"jan.tolsma@post.nl", "jt@werk.nl"}
    assert found[labels["Els Kok"]] == ()


def test_what_undoes_files_comes_in_their_order_and_none_for_what_was_edited(vault: Vault) -> None:
    filled(vault)
    rewrites = [Rewrite(DocumentId(f"d{n}"), "txt", ()) for n in range(3)]
    vault.store_rewrites("p", [(one, one.doc_id.encode()) for one in rewrites])
    vault.commit()
    outputs = [b"d2", b"d1 edited", b"d0", b"d2"]
    assert restore(vault, project="p", outputs=outputs, purpose="t") == (
        rewrites[2], None, rewrites[0], rewrites[2],
    )  # fmt: skip
    assert restore(vault, project="p", outputs=[], purpose="t") == ()


def test_a_request_is_for_exactly_these_pseudonyms(vault: Vault) -> None:
    labels = filled(vault)
    asked = request(vault, project="p", pseudonyms=[labels["Jan"], labels["Jan Tolsma"]], purpose="t")
    assert (asked.action, asked.labels, asked.state) == ("reveal", (labels["Jan"],), "open")
    with pytest.raises(UnknownPseudonymError):
        request(vault, project="p", pseudonyms=["<PERSOON-9>"], purpose="t")


def test_a_request_for_files_is_for_the_people_in_them(vault: Vault) -> None:
    labels = filled(vault)
    edit = RewriteEdit(0, "", 0, 1, b"Els Kok", owner(vault, labels["Els Kok"]))
    vault.store_rewrite("p", Rewrite(DocumentId("d"), "txt", (edit,)), output=b"uit")
    vault.commit()
    asked = request_restore(vault, project="p", outputs=[b"uit"], purpose="t")
    assert (asked.action, asked.labels) == ("restore", (labels["Els Kok"],))
