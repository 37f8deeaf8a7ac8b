"""No code is given twice: not after an erasure, nor after an older copy of either store was put back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pseudonymizer.errors import VaultDamagedError, VaultPutBackError
from pseudonymizer.records import Rotated, Scope, Style
from pseudonymizer.reidentification import reveal
from pseudonymizer.styles.code import CodesGiven, code_of
from pseudonymizer.vault import Vault
from pseudonymizer.vault.care.mending import accept_put_back
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.erasure import erase
from pseudonymizer.vault.rows import published_codes
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.vault.rows.test_published import (
    PASSPHRASE,
    Copies,
    give,
    made_before,
    new_names,
    revision,
    some,
)


@pytest.fixture
def names() -> Iterator[str]:
    return new_names()


def codes_of(vault: Vault, *names: str, project: str = "p", scope: Scope = Scope.PROJECT) -> list[str]:
    labels = give(vault, Style.CODE, *names, project=project, scope=scope)
    assert all(vault.ensure_keys(project).codes.is_valid(code_of(label) or "") for label in labels)
    return labels


def test_people_get_a_word_and_five_letters(place: VaultPlace, names: Iterator[str]) -> None:
    with place.create() as vault:
        labels = codes_of(vault, *some(names, 3))
        assert [label.partition("-")[0] for label in labels] == ["PERSOON"] * 3
        assert [len(code_of(label) or "") for label in labels] == [5] * 3
        assert codes_of(vault, *new_names_again(3)) == labels, "who was met before keeps the code"
        assert reveal(vault, project="p", pseudonyms=labels, purpose="toets")
        assert vault.verify().findings == ()


def new_names_again(count: int) -> list[str]:
    return some(new_names(), count)


def test_the_code_of_an_erased_person_is_not_given_again(place: VaultPlace, names: Iterator[str]) -> None:
    with place.create() as vault:
        labels = codes_of(vault, *some(names, 5))
        erase(vault, project="p", pseudonyms=labels, purpose="verzoek")
    with place.open() as vault:
        labels += codes_of(vault, *some(names, 10))
        assert len(set(labels)) == 15
        assert vault.verify().findings == ()


@pytest.mark.parametrize("older", ["vault", "keys"])
def test_codes_are_new_after_an_older_copy_of_one_store(
    place: VaultPlace, names: Iterator[str], older: str
) -> None:
    with place.create() as vault:
        labels = codes_of(vault, *some(names, 2))
    copies = Copies(place.url)
    with place.open() as vault:
        labels += codes_of(vault, *some(names, 3))
        erase(vault, project="p", pseudonyms=labels[-1:], purpose="verzoek")
    copies.put_back(older)
    with place.open() as vault:
        labels += codes_of(vault, *some(names, 2))
    copies.put_back("keys" if older == "vault" else "vault")
    with place.open() as vault:
        labels += codes_of(vault, *some(names, 2))
        known = published_codes.codes_given(vault, vault.keys_of("p"))
        vault.rollback()
    last = code_of(labels[-1]) or ""
    assert known == CodesGiven(5, vault.keys_of("p").codes.number(last) + 1)
    assert len({code_of(label) for label in labels}) == 9, "each store knows how far the other has published"


def test_codes_are_new_where_the_older_vault_does_not_know_the_project(
    place: VaultPlace, names: Iterator[str]
) -> None:
    place.create().close()
    copies = Copies(place.url)
    with place.open() as vault:
        labels = codes_of(vault, *some(names, 3))
    copies.put_back("vault")
    with place.open() as vault:
        labels += codes_of(vault, *some(names, 3))
        assert ["put back" in finding for finding in vault.verify().findings] == [True]
        accept_put_back(vault, purpose="reservekopie")
        assert vault.verify().findings == ()
    assert len(set(labels)) == 6


def test_an_import_goes_on_with_the_next_length(
    sqlite_place: VaultPlace, names: Iterator[str], tmp_path: Path
) -> None:
    """The vault that the export was made of may have given more codes of the same length since."""
    with sqlite_place.create() as vault:
        codes_of(vault, *some(names, 3))
        export_bundle(vault, tmp_path / "export", PASSPHRASE, purpose="verhuizing", memory_kib=64)
        assert len(codes_of(vault, *some(names, 1))[0]) == len("PERSOON-7KQM3")
    url = f"sqlite:///{tmp_path}/new.db"
    import_bundle(tmp_path / "export", PASSPHRASE, url)
    with Vault.open(url, sqlite_place.key, clock=sqlite_place.clock) as vault:
        drawn = codes_of(vault, *some(names, 3))
        assert [len(code_of(label) or "") for label in drawn] == [6, 6, 6]
        assert [len(label) for label in codes_of(vault, *some(names, 1), project="new")] == [14]
        assert vault.verify().findings == ()
        export_bundle(vault, tmp_path / "again", PASSPHRASE, purpose="verhuizing", memory_kib=64)
    import_bundle(tmp_path / "again", PASSPHRASE, f"sqlite:///{tmp_path}/newer.db")
    with Vault.open(f"sqlite:///{tmp_path}/newer.db", sqlite_place.key, clock=sqlite_place.clock) as vault:
        assert [len(code_of(label) or "") for label in codes_of(vault, *some(names, 1))] == [7]


def test_a_head_kept_outside_tells_that_both_stores_were_put_back(
    place: VaultPlace, names: Iterator[str]
) -> None:
    """Nothing inside can tell. Once the head was shown, codes of the next length are drawn."""
    with place.create() as vault:
        codes_of(vault, *some(names, 1))
    copies = Copies(place.url)
    with place.open() as vault:
        lost = codes_of(vault, *some(names, 2))
        head = vault.audit_head()
    copies.put_back("vault")
    copies.put_back("keys")
    with place.open() as vault:
        assert codes_of(vault, *some(names, 1)) == lost[:1], "given twice, to somebody else"
    copies.put_back("vault")
    copies.put_back("keys")
    with place.open() as vault:
        for _ in range(2):
            assert any("outside head" in finding for finding in vault.verify([head]).findings)
        with pytest.raises(VaultPutBackError):
            vault.verify_audit([head])
        drawn = codes_of(vault, *some(names, 2))
        assert [len(code_of(label) or "") for label in drawn] == [6, 6]
        assert ["put back" in finding for finding in vault.verify().findings] == [True]


def test_the_next_length_comes_when_one_in_thirty_two_is_used(
    vault: Vault, names: Iterator[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pseudonymizer.styles.code.numbers_of", lambda length: 8 if length == 5 else 10_000)
    lengths = [len(code_of(label) or "") for label in codes_of(vault, *some(names, 10))]
    assert lengths == sorted(lengths)
    assert set(lengths) == {5, 6}
    assert published_codes.codes_given(vault, vault.keys_of("p")).length == 6
    vault.rollback()


@pytest.mark.parametrize("scope", [Scope.DOCUMENT, Scope.OCCURRENCE])
def test_codes_in_other_scopes(sqlite_place: VaultPlace, names: Iterator[str], scope: Scope) -> None:
    with sqlite_place.create() as vault:
        assert len(set(codes_of(vault, *some(names, 4), scope=scope))) == 4
        assert vault.verify().findings == ()


def test_codes_of_before_a_rotation_stay_valid(vault: Vault, names: Iterator[str]) -> None:
    before = codes_of(vault, *some(names, 3))
    vault.rotate(Rotated.TOKEN, project_name="p")
    codes_of(vault, *some(names, 3))
    assert all(vault.keys_of("p").codes.is_valid(code_of(label) or "") for label in before)
    assert reveal(vault, project="p", pseudonyms=before, purpose="toets")


def test_an_altered_row_is_refused_when_codes_are_brought_in(vault: Vault, names: Iterator[str]) -> None:
    (label,) = codes_of(vault, *some(names, 1))
    vault.begin()
    vault.store.run_many("UPDATE pseudonym SET created_on = 1 WHERE label = ?", [(label,)])
    vault.store.commit()
    vault.rollback()
    with pytest.raises(VaultDamagedError):
        codes_of(vault, *some(names, 1))


def test_a_vault_made_before_gives_codes(place: VaultPlace, names: Iterator[str]) -> None:
    with made_before(place) as vault:
        tags = give(vault, Style.TAG, *some(names, 2))
    with place.open() as vault:
        assert reveal(vault, project="p", pseudonyms=tags, purpose="toets")
        assert revision(place.url) == "keys_0001"
        codes_of(vault, *some(names, 2))
        assert revision(place.url) == "keys_0004"
        assert vault.verify().findings == ()
