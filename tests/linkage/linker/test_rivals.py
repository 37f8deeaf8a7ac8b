"""Names that exclude each other never become one person, and who fits both stays open. Invented names."""

from collections.abc import Sequence

import pytest

from linkage.clustering.name_forms import NameForm
from linkage.clustering.names import PartLinks, further_names_clash
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import Gender, LinkageResult, NormalizedMention, PersonName, Role, RoleClass
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())


def born(date: str) -> frozenset[tuple[str, str]]:
    return frozenset({("birth_date", date)})


def parts(result: LinkageResult, mentions: Sequence[NormalizedMention]) -> list[int]:
    """For each mention the number of its person, in the order of first mention."""
    seen: dict[str, int] = {}
    ids = [result.identity_of(m.mention_id).identity_id for m in mentions]
    return [seen.setdefault(found, len(seen)) for found in ids]


def is_open_to(result: LinkageResult, one: NormalizedMention, other: NormalizedMention) -> bool:
    return result.identity_of(other.mention_id).identity_id in result.identity_of(one.mention_id).candidates


ROBIN, R_KOK = PersonName(given="Robin", family="Kok"), PersonName(initials="R.", family="Kok")


def test_two_birth_dates_do_not_meet_in_a_fuller_name(linker: Linker) -> None:
    write = Writer()
    mentions = [
        write("d", ROBIN),
        write("d", R_KOK, attributes=born("1950-02-01")),
        write("d", R_KOK, attributes=born("1960-02-01")),
    ]
    result = linker.link(mentions)
    assert parts(result, mentions) == [0, 1, 2]
    assert all(is_open_to(result, mention, mentions[0]) for mention in mentions[1:])


def test_two_suffixes_do_not_meet_in_a_fuller_name(linker: Linker) -> None:
    write = Writer()
    names = [ROBIN, *(PersonName(initials="R.", family="Kok", suffix=suffix) for suffix in ("sr.", "jr."))]
    mentions = [write("d", name) for name in names]
    assert parts(linker.link(mentions), mentions) == [0, 1, 2]


def test_a_woman_and_a_man_do_not_meet_in_a_full_name_that_is_neither(linker: Linker) -> None:
    write, kok = Writer(), PersonName(family="Kok")
    mentions = [
        write("d", ROBIN),
        write("d", kok, gender=Gender.FEMALE),
        write("d", kok, gender=Gender.MALE),
    ]
    assert parts(linker.link(mentions), mentions) == [0, 1, 2]


def test_of_two_beside_each_other_the_better_fit_is_joined(linker: Linker) -> None:
    write = Writer()
    pieter = write("d", PersonName(given="Pieter"))
    piet = write("d", PersonName(given="Piet"), joined_with=frozenset((pieter.mention_id,)))
    mentions = [pieter, piet, write("d", PersonName(given="Piet", family="Zandwijk"))]
    assert parts(linker.link(mentions), mentions) == [0, 1, 1]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Jan Pieter", "Jan Willem"),
        ("Jan W.", "Jan P."),
        ("Jan Pieter", "J.W."),
        ("J.P.", "J.W."),
        ("Johannes Petrus Maria", "Johannes Willem Hendrik"),
    ],
)
def test_further_names_and_initials_tell_apart(left: str, right: str) -> None:
    forms = [_form(text) for text in (left, right)]
    links = PartLinks({"jan": {"johannes": 0.9}, "johannes": {"jan": 0.9}}, {}, {})
    assert further_names_clash(forms[0], forms[1], links)
    assert further_names_clash(forms[1], forms[0], links)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Jan Pieter", "Jan"),
        ("Jan Pieter", "J.P."),
        ("Jan Pieter Maria", "Jan Maria"),
        ("J.P.M.", "J.M."),
        ("Jan Piet", "Jan Pieter"),
        ("Pieter Jan", "Jan Pieter"),
        ("Jan Kees", "J.C."),
        ("Jan Sjoukje", "Jan Sjoekje"),
    ],
)
def test_what_is_a_part_or_a_variant_of_the_other_does_not(left: str, right: str) -> None:
    links = PartLinks(
        {"sjoukje": {"sjoekje": 0.9}, "sjoekje": {"sjoukje": 0.9}}, {}, {"kees": frozenset("c")}
    )
    assert not further_names_clash(_form(left), _form(right), links)
    assert not further_names_clash(_form(right), _form(left), links)


def _form(forenames: str) -> NameForm:
    words = [word for word in forenames.split() if "." not in word]
    lettered = [word for word in forenames.split() if "." in word]
    initials = "".join([*(f"{word[0]}." for word in words), *lettered]) if lettered else None
    return NameForm.of(PersonName(given=" ".join(words) or None, initials=initials, family="Bos"))


def test_who_fits_two_with_one_given_name_is_neither_of_them(linker: Linker) -> None:
    write, kees = Writer(), PersonName(given="Kees", family="Zandvliet")
    mentions = [write("a", PersonName(given="Jan")), write("a", kees)]
    for document, family in (("b", "Oosterloo"), ("c", "Terpstra")):
        mentions += [write(document, PersonName(given="Jan", family=family)), write(document, kees)]
    result = linker.link(mentions)
    assert parts(result, mentions) == [0, 1, 2, 1, 3, 1]


def test_who_may_be_one_of_two_who_exclude_each_other_is_open_over_documents(linker: Linker) -> None:
    name = PersonName(initials="R.", family="Qwerbaard")
    for first, second in (
        ({"attributes": born("1950-02-01")}, {"attributes": born("1960-02-01")}),
        ({"gender": Gender.FEMALE}, {"gender": Gender.MALE}),
    ):
        write = Writer()
        mentions = [write("a", name), write("b", name, **first), write("c", name, **second)]
        result = linker.link(mentions)
        assert parts(result, mentions) == [0, 1, 2]
        assert is_open_to(result, mentions[0], mentions[1])
        assert is_open_to(result, mentions[0], mentions[2])


def test_a_full_name_between_two_is_open_to_both(linker: Linker) -> None:
    write = Writer()
    names = [PersonName(given=given, family="Dijkstra") for given in ("Robert", "Albert", "Bert")]
    mentions = [write(document, name) for document, name in zip("abc", names, strict=True)]
    result = linker.link(mentions)
    assert parts(result, mentions) == [0, 1, 2]
    assert is_open_to(result, mentions[2], mentions[0])
    assert is_open_to(result, mentions[2], mentions[1])


def test_an_undated_namesake_of_two_is_open_to_both(linker: Linker) -> None:
    write, name = Writer(), PersonName(given="Jan", family="Terpstra")
    mentions = [
        write("a", name, attributes=born("1950-02-01")),
        write("b", name, attributes=born("1980-02-01")),
        write("c", name),
    ]
    result = linker.link(mentions)
    assert parts(result, mentions) == [0, 1, 2]
    assert is_open_to(result, mentions[2], mentions[0])
    assert is_open_to(result, mentions[2], mentions[1])


@pytest.mark.parametrize(
    ("name", "called", "is_joined"),
    [
        ("Albert", "Albertje", False),
        ("Hendrik", "Hendrikje", False),
        ("Geert", "Geertje", False),
        ("Jan", "Jantje", True),
        ("Klaas", "Klaasje", True),
        ("Wim", "Wimpje", True),
    ],
)
def test_a_womans_own_name_is_a_question_beside_the_mans_it_is_made_of(
    linker: Linker, name: str, called: str, *, is_joined: bool
) -> None:
    write = Writer()
    mentions = [write("d", PersonName(given=name, family="Qwerbaard")), write("d", PersonName(given=called))]
    result = linker.link(mentions)
    assert parts(result, mentions) == [0, 0 if is_joined else 1]
    if not is_joined:
        assert is_open_to(result, mentions[1], mentions[0])


def test_what_the_text_says_to_be_one_joins_all_the_same(linker: Linker) -> None:
    write = Writer()
    full = write("d", PersonName(given="Albert", family="Qwerbaard"))
    called = write("d", PersonName(given="Albertje"), same_as=frozenset((full.mention_id,)))
    assert parts(linker.link([full, called]), [full, called]) == [0, 0]


def test_a_patient_and_a_doctor_of_one_name_in_one_document_are_two(linker: Linker) -> None:
    for name in (PersonName(given="Jan", family="Bakker"), PersonName(family="Zandwijk")):
        write = Writer()
        mentions = [
            write("d", name, roles=frozenset({Role(RoleClass.SERVED, "patient")})),
            write("d", name, roles=frozenset({Role(RoleClass.PROFESSIONAL, "arts")})),
            write("d", name, roles=frozenset({Role(RoleClass.SERVED, "patient")})),
        ]
        assert parts(linker.link(mentions), mentions) == [0, 1, 0]
