"""What a project has beside the candidates counts for the linker as if it were there."""

from linkage.clustering.company import Company
from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.odds import NameOdds
from linkage.clustering.people import CorpusRules, Person
from linkage.clustering.rarity import FormCounts, Rarity
from linkage.constraints import Evidence
from linkage.linker.lone_words import reread, words_in_use
from linkage.records import Beyond, PersonName

JAN, ELS = NameForm.of(PersonName(given="jan")), NameForm.of(PersonName(given="els", family="kok"))


def test_a_word_that_many_documents_have_is_in_use() -> None:
    assert words_in_use((), (), ()) == set()
    assert words_in_use((), (), (), Beyond(words={"bakker": 4, "backer": 3})) == {"bakker"}


def test_a_lone_word_is_read_as_the_people_of_the_project_bear_it() -> None:
    lone = NameForm.of(PersonName(family="kacper"))
    assert reread([lone], {}, lambda _: False)[0].kind is NameKind.FAMILY
    (read,) = reread([lone], {}, lambda _: False, beyond=Beyond(given={"kacper": 1}))
    assert read.kind is NameKind.GIVEN


def company_of(beyond: FormCounts | None) -> float:
    """The company that Els Kok and a lone Jan of one document have with those of another."""
    people = [
        Person(f"{n}", {document}, [n], {form: 1}, Evidence(), kind)
        for n, (document, form, kind) in enumerate(
            ((0, 1, NameKind.FULL), (0, 0, NameKind.GIVEN), (1, 1, NameKind.FULL), (1, 0, NameKind.GIVEN))
        )
    ]
    groups = Groups(people, [JAN, ELS])
    company = Company(groups, {0: ("zaak 7",), 1: ("zaak 7",)}, beyond)
    group = groups.new([3])
    return company.of_person(1, [group])[group]


def test_company_in_a_word_or_a_mark_says_the_less_the_more_documents_have_it() -> None:
    few = company_of(None)
    many = company_of(FormCounts({}, {"els": 50, "kok": 50}, {"zaak 7": 50}))
    assert 0 < many < few / 5
    assert company_of(FormCounts({}, {"els": 201, "kok": 201}, {"zaak 7": 201})) == 0


def test_of_names_of_one_form_the_one_with_most_bearers_counts() -> None:
    names = [PersonName(family=family) for family in ("Bakker", "bakker", "Elders")]
    counts = FormCounts.of(Beyond(dict(zip(names, (3, 7, 5), strict=True))), {names[0]: 0, names[1]: 0})
    assert counts.bearers == {0: 7}


def test_a_crowd_is_that_of_the_fullest_name_of_a_person() -> None:
    forms = [NameForm.of(PersonName(family="kok")), NameForm.of(PersonName(initials="E.", family="kok"))]
    people = [
        Person("0", {0}, [0], {0: 1, 1: 1}, Evidence(), NameKind.INITIALS),
        Person("1", {1}, [1], {0: 1}, Evidence(), NameKind.FAMILY),
    ]
    rarity = Rarity({}, beyond=FormCounts({0: 50, 1: 3}, {}, {}))
    odds = NameOdds(Groups(people, forms), rarity, CorpusRules(0.8, 0.4))
    assert [odds.crowd(number) for number in (0, 1)] == [3, 50]
