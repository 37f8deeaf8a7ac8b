"""Pseudonyms of several styles for one result: all at once, new, and clear of every real name."""

from collections.abc import Iterator

import pytest

from linkage.gazetteer import Gazetteer
from linkage.records import LinkageResult, MentionId, PersonName, fold
from pseudonymizer.errors import SurrogatesExhaustedError
from pseudonymizer.records import Pseudonym, Style, StyledPseudonyms
from pseudonymizer.settings import StyleSettings, StylesWanted
from pseudonymizer.styles.name_forms import parse_label
from pseudonymizer.styles.name_pool import InventedNames
from pseudonymizer.vault import Vault
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

INVENTED = InventedNames(Gazetteer.load)
RESULT = linkage_result(
    {"a": "Jan Tolsma, Els Kok, Jan"}, [[("a", "Jan Tolsma"), ("a", "Jan")], [("a", "Els Kok")]]
)


@pytest.fixture
def vault(sqlite_place: VaultPlace) -> Iterator[Vault]:
    with sqlite_place.create() as made:
        made.ensure_project("p")
        made.commit()
        yield made


def assign(
    vault: Vault, styles: StyleSettings, result: LinkageResult = RESULT, avoid_tags: tuple[str, ...] = ()
) -> StyledPseudonyms:
    wanted = StylesWanted(styles, avoid_tags=avoid_tags)
    found = vault.assign_styled(result, wanted, project="p", invented=INVENTED)
    vault.commit()
    return found


def label(found: StyledPseudonyms, style: Style, surface: str, result: LinkageResult = RESULT) -> str:
    pseudonyms: dict[MentionId, Pseudonym] = dict(found.by_style[style])
    return next(pseudonyms[m.mention_id].label for m in result.mentions if m.mention.surface == surface)


def test_each_style_with_a_way_back_gives_each_person_one_label(vault: Vault) -> None:
    kinds = {"email": Style.TOKEN, "url": Style.TAG, "path": Style.MASK}
    found = assign(vault, StyleSettings(Style.SURROGATE, kinds))
    assert list(found.by_style) == [Style.SURROGATE, Style.TAG, Style.TOKEN]  # the style of names first
    for pseudonyms in found.by_style.values():
        assert pseudonyms.keys() == {m.mention_id for m in RESULT.mentions}
        assert len({one.label for one in pseudonyms.values()}) == 2
    owners = [{one.entity_id for one in pseudonyms.values()} for pseudonyms in found.by_style.values()]
    assert all(own == owners[0] for own in owners)
    assert assign(vault, StyleSettings(Style.SURROGATE, kinds)) == found


def test_a_style_without_a_way_back_stores_nobody(vault: Vault) -> None:
    assert assign(vault, StyleSettings(Style.MASK, {"email": Style.INITIALS})).by_style == {}
    assert vault.known("p").people == ()


def test_tags_keep_clear_of_text_that_looks_like_one(vault: Vault) -> None:
    found = assign(vault, StyleSettings(Style.TAG), avoid_tags=("<PERSOON-1>", "<PERSOON-3>"))
    assert {label(found, Style.TAG, name) for name in ("Jan Tolsma", "Els Kok")} == {
        "<PERSOON-2>", "<PERSOON-4>",
    }  # fmt: skip


def words_of(text: str) -> set[str]:
    return set(fold(text).split())


def test_no_surrogate_has_a_word_of_a_name_in_the_project(vault: Vault) -> None:
    first = assign(vault, StyleSettings(Style.SURROGATE))
    drawn = [label(first, Style.SURROGATE, name) for name in ("Jan Tolsma", "Els Kok")]
    assert not any(words_of(one) & {"jan", "tolsma", "els", "kok"} for one in drawn)
    # Whoever bears the words of a surrogate later gets others, and the clash is told.
    name = parse_label(drawn[0])
    namesake = f"{name.given} {name.family}"
    result = linkage_result({"b": namesake}, [[("b", namesake)]])
    later = assign(vault, StyleSettings(Style.SURROGATE), result)
    assert later.clashes == 1
    assert not words_of(label(later, Style.SURROGATE, namesake, result)) & words_of(namesake)
    assert first.clashes == 0


def test_relatives_share_a_family_name_over_results_where_that_is_asked_for(vault: Vault) -> None:
    styles = StyleSettings(Style.SURROGATE, keep_family=True)
    first = label(assign(vault, styles), Style.SURROGATE, "Jan Tolsma")
    result = linkage_result({"b": "Wim Tolsma en Bo Mol"}, [[("b", "Wim Tolsma")], [("b", "Bo Mol")]])
    found = assign(vault, styles, result)
    wim, bo = (label(found, Style.SURROGATE, name, result) for name in ("Wim Tolsma", "Bo Mol"))
    assert parse_label(wim).family == parse_label(first).family != parse_label(bo).family
    assert wim != first


def test_initials_are_kept_where_that_is_asked_for(vault: Vault) -> None:
    found = assign(vault, StyleSettings(Style.SURROGATE, keep_initials=True))
    name: PersonName = parse_label(label(found, Style.SURROGATE, "Els Kok"))
    assert (name.given or "")[0] == "E"
    assert (name.family or "")[0] == "K"


def test_where_no_name_is_left_nothing_is_stored(vault: Vault) -> None:
    class Nobody(InventedNames):
        @property
        def pool(self) -> object:  # type: ignore[override]
            raise SurrogatesExhaustedError("no name is left")

    wanted = StylesWanted(StyleSettings(Style.SURROGATE, {"email": Style.TAG}))
    with pytest.raises(SurrogatesExhaustedError):
        vault.assign_styled(RESULT, wanted, project="p", invented=Nobody(Gazetteer.load))
    vault.rollback()
    assert vault.known("p").people == ()
