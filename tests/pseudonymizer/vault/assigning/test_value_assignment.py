"""Values get pseudonyms: one for each kind and normal form of a project, whatever comes when."""

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.errors import InvalidRecordError, SettingsError
from pseudonymizer.records import Scope, Style
from pseudonymizer.settings import StyleSettings, StylesWanted
from pseudonymizer.styles.name_pool import InventedNames, ShippedLists
from pseudonymizer.values import Candidate, Value, ValueLabels
from pseudonymizer.vault import Vault
from pseudonymizer.vault.store.stores import Store
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace, sqlite_place_in
from tests.pseudonymizer.vault.values_by_hand import (
    BANK,
    BSN,
    FAX,
    IBAN,
    MAIL,
    NATIONAL,
    PHONE,
    assigned,
    labels,
    met,
    texts,
)  # fmt: skip


def test_one_normal_form_of_a_kind_has_one_pseudonym_in_all_spellings(vault: Vault) -> None:
    found = [
        met(BANK, IBAN, IBAN),
        met(BANK, IBAN, "NL91 ABNA 0417 1643 00", at=40),
        met(NATIONAL, BSN, at=80),
    ]
    first, second, other = texts(assigned(vault, found), found)
    assert first == second != other
    assert re.fullmatch("K1-[0-9A-HJKMNP-TV-Z]{20}", first)
    assert other.startswith("B1-")
    vault.commit()
    later = [met(BANK, IBAN, "nl91abna0417164300", doc="e")]
    assert texts(assigned(vault, later), later) == [first]
    assert vault.is_token("p", first)
    assert not vault.is_token("p", "B" + first[1:]), "the letter is part of what the check letters prove"


def test_equal_forms_of_different_kinds_are_apart(vault: Vault) -> None:
    found = [met(PHONE, "0201234567"), met(FAX, "0201234567", at=40)]
    one, two = texts(assigned(vault, found), found)
    assert one != two


def test_projects_share_nothing(vault: Vault) -> None:
    found = [met(BANK, IBAN)]
    mine = vault.assign_values("p", found, labels())
    theirs = vault.assign_values("q", found, labels())
    assert texts(mine, found) != texts(theirs, found)
    assert mine.owners != theirs.owners


@pytest.mark.parametrize(("scope", "count"), [(Scope.PROJECT, 1), (Scope.DOCUMENT, 2), (Scope.OCCURRENCE, 3)])
def test_a_scope_says_how_far_a_pseudonym_reaches(vault: Vault, scope: Scope, count: int) -> None:
    found = [met(BANK, IBAN), met(BANK, IBAN, at=50), met(BANK, IBAN, doc="e")]
    first = assigned(vault, found, scope=scope)
    vault.commit()
    assert len(set(texts(first, found))) == count
    assert len(set(first.owners.values())) == 1, "it is one value all the same"
    assert assigned(vault, found, scope=scope).pseudonyms == first.pseudonyms


def test_tags_count_with_those_of_people_and_have_the_word_of_the_kind(vault: Vault) -> None:
    found = [met(BANK, IBAN), met(NATIONAL, BSN, at=40)]
    first = texts(assigned(vault, found, Style.TAG, avoid_tags=["<REKENING-1>"]), found)
    assert first == ["<REKENING-2>", "<BURGERNUMMER-3>"]
    vault.commit()
    assert texts(assigned(vault, found, Style.TAG), found) == first
    assert sorted(vault.stored_labels("p", Style.TAG)) == sorted(first)
    assert sorted(vault.stored_value_labels("p", Style.TAG)) == sorted(first)


def no_lists() -> ShippedLists:
    raise AssertionError("codes need no names")


def test_codes_have_the_word_of_the_kind_and_differ_from_those_of_people(vault: Vault) -> None:
    people = linkage_result({"a": "Jan Tolsma en Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])
    wanted = StylesWanted(StyleSettings(style=Style.CODE))
    of_people = vault.assign_styled(people, wanted, project="p", invented=InventedNames(no_lists))
    names = {label.label for label in of_people.by_style[Style.CODE].values()}
    vault.commit()
    found = [met(BANK, IBAN), met(NATIONAL, BSN, at=40), met(PHONE, "0201234567", at=80)]
    made = texts(assigned(vault, found, Style.CODE), found)
    assert [label.split("-")[0] for label in made] == ["REKENING", "BURGERNUMMER", "TELEFOON"]
    codes = [label.split("-")[1] for label in (*made, *names)]
    assert len(set(codes)) == 5
    vault.commit()
    assert texts(assigned(vault, found, Style.CODE), found) == made
    vault.rollback()
    read = vault.read_labels("p", [*made, f"PERSOON-{codes[0]}", codes[1]])
    assert [one.label for one in read] == [*made, made[0], made[1]]
    avoided = [met(FAX, "0201234567", doc="e")]
    nearby = vault.assign_values("p", avoided, labels(Style.CODE), avoid_tags=[])
    (next_code,) = texts(nearby, avoided)
    vault.rollback()
    again = vault.assign_values("p", avoided, labels(Style.CODE), avoid_tags=[next_code])
    assert texts(again, avoided) != [next_code], "an input has that code as its own text"


def test_a_kind_without_a_style_is_stored_and_has_no_pseudonym(vault: Vault) -> None:
    found = [met(BANK, IBAN)]
    given_now = assigned(vault, found, None)
    assert given_now.pseudonyms == {}
    assert set(given_now.owners) == {found[0].mention_id}
    vault.commit()
    assert assigned(vault, found, None).owners == given_now.owners
    assert assigned(vault, found).owners == given_now.owners, "a style that comes later is of the same value"


def test_values_are_no_known_people(vault: Vault) -> None:
    people = linkage_result({"a": "Jan Tolsma en Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])
    vault.assign(people, project="p")
    before = None
    for _ in range(2):
        vault.commit()
        known = vault.known("p")
        assert len(known.people) == 2
        assert before is None or known.people == before
        before = known.people
        assigned(vault, [met(MAIL, "jan@x.nl"), met(BANK, IBAN, at=50)])


def test_deterministic_pseudonyms_are_refused(vault: Vault) -> None:
    with pytest.raises(SettingsError, match="names only"):
        assigned(vault, [met(NATIONAL, BSN)], deterministic=True)
    assert not vault.has_open_work()


@pytest.mark.parametrize("kind", ["PERSON", "LITERAL"])
def test_people_and_literals_are_no_values(vault: Vault, kind: str) -> None:
    with pytest.raises(SettingsError, match="no kind of values"):
        vault.assign_values("p", [met(kind, "x")], {kind: ValueLabels(None)})


def test_a_kind_without_labels_is_refused(vault: Vault) -> None:
    with pytest.raises(SettingsError, match="VEHICLE"):
        vault.assign_values("p", [met("VEHICLE", "12ABC3")], labels())
    with pytest.raises(SettingsError, match="mask"):
        ValueLabels(Style.MASK)
    with pytest.raises(SettingsError, match="letter"):
        ValueLabels(Style.TOKEN, word="REKENING")
    with pytest.raises(SettingsError, match="word"):
        ValueLabels(Style.TAG, letter="K")


def test_one_mention_cannot_be_two_values(vault: Vault) -> None:
    twice = [met(BANK, IBAN), met(BANK, "NL02ABNA0123456789")]
    with pytest.raises(InvalidRecordError, match="two values"):
        assigned(vault, twice)


def test_nothing_is_written_for_no_values(vault: Vault) -> None:
    found = assigned(vault, [])
    assert (found.pseudonyms, found.owners) == ({}, {})
    vault.commit()
    assert vault.verify().findings == ()


def test_the_same_again_adds_no_row(place: VaultPlace) -> None:
    found = [met(BANK, IBAN), met(BANK, IBAN, "NL91 ABNA", at=50), met(NATIONAL, BSN, at=90)]
    with place.create() as vault:
        assigned(vault, found)
        vault.commit()
        tables = ("entity", "form", "name_index", "pseudonym")
        before = [vault.store.scalar(f"SELECT count(*) FROM {table}") for table in tables]  # noqa: S608
        assigned(vault, found)
        vault.commit()
        assert [vault.store.scalar(f"SELECT count(*) FROM {table}") for table in tables] == before  # noqa: S608
        assigned(vault, [met(BANK, IBAN, "NL 91 ABNA", doc="z")])
        vault.commit()
        assert vault.store.scalar("SELECT count(*) FROM form") == before[1] + 1
        assert vault.verify().findings == ()


@pytest.mark.parametrize("half", ["\ud800", "\ud83d\ude00", "\ud83d\ufdd0\ude00"])
def test_half_of_a_character_in_a_spelling_is_kept(vault: Vault, half: str) -> None:
    found = [met(MAIL, f"a{half}@x.nl", f"A{half}@x.nl")]
    first = assigned(vault, found)
    vault.commit()
    (label,) = texts(first, found)
    assert vault.reveal(project="p", pseudonyms=[label], purpose="toets")[label].name == f"A{half}@x.nl"
    assert assigned(vault, found).pseudonyms == first.pseudonyms


forms = st.tuples(
    st.sampled_from([BANK, NATIONAL, MAIL]), st.text(max_size=3), st.text(min_size=1, max_size=3)
)


@given(st.lists(forms, max_size=12), st.randoms(use_true_random=False), st.integers(0, 12))
def test_whatever_the_order_and_the_cuts_equal_values_have_one_pseudonym(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: list[tuple[str, str, str]],
    mixed: random.Random,
    cut: int,
) -> None:
    found = [met(kind, normal, surface, at=10 * n) for n, (kind, normal, surface) in enumerate(drawn)]
    mixed.shuffle(found)
    with sqlite_place_in(tmp_path_factory.mktemp("v")).create() as vault:
        label_of: dict[tuple[str, str], set[str]] = {}
        for part in (found[:cut], found[cut:], found):
            given_now = assigned(vault, part)
            vault.commit()
            for one in part:
                label_of.setdefault((one.kind, one.normal), set()).add(
                    given_now.pseudonyms[one.mention_id].label
                )
        assert all(len(some) == 1 for some in label_of.values())
        assert len(set().union(*label_of.values())) == len(label_of)
        assert vault.verify().findings == ()


@pytest.mark.parametrize("style", [Style.TOKEN, Style.CODE, Style.TAG, Style.SURROGATE])
def test_the_stores_are_asked_once_for_all_values(
    sqlite_place: VaultPlace, monkeypatch: pytest.MonkeyPatch, style: Style
) -> None:
    asked = 0
    original = Store.rows

    def counted(store: Store, *arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        return original(store, *arguments)

    def candidates(value: Value, attempt: int) -> list[Candidate]:
        return [Candidate(f"{attempt}{value.normal[::-1]}", f"{attempt}{value.normal[::-1]}")]

    counts = []
    with sqlite_place.create() as vault:
        assigned(vault, [met(MAIL, "a@x.nl")])
        vault.commit()
        monkeypatch.setattr(Store, "rows", counted)
        for count in (10, 200):
            found = [met(BANK, f"{count}{n:04d}", doc=f"d{n}") for n in range(count)]
            for _ in range(2):
                before = asked
                assigned(vault, found, style, candidates=candidates)
                vault.commit()
                counts.append(asked - before)
    assert counts[2] <= counts[0] + 1, "the second draw of codes looks at one row more"
    assert counts[3] == counts[1]
