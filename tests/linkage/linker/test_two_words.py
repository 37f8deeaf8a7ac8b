"""Two words that are both given names, read by the initials of the corpus. All names are invented."""

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.linker.two_words import two_words_reread
from linkage.records import NormalizedMention, PersonName
from tests.linkage.linker.linker_fakes import Writer

_GIVEN = frozenset({"johannes", "cornelis", "xander", "martina", "jan", "willem"})


def _read(*documents: tuple[PersonName, ...]) -> dict[PersonName, NameForm]:
    write = Writer()
    mentions: list[NormalizedMention] = [
        write(f"d{number}", name) for number, names in enumerate(documents) for name in names
    ]
    names = sorted({mention.name for mention in mentions}, key=lambda name: name.parts().__repr__())
    form_of = [names.index(mention.name) for mention in mentions]
    found = two_words_reread(mentions, form_of, [NameForm.of(name) for name in names], _GIVEN.__contains__)
    return {names[number]: form for number, form in found.items()}


_JOHANNES = PersonName(given="Johannes", family="Cornelis")
_J_C = PersonName(initials="J.C.", family="Zandwijk")


def test_initials_of_the_document_make_two_given_names() -> None:
    form = _read((_J_C, _JOHANNES))[_JOHANNES]
    assert (form.kind, form.given, form.families) == (NameKind.GIVEN, ("johannes", "cornelis"), ())


def test_initials_of_another_document_tell_nothing() -> None:
    assert not _read((_J_C,), (_JOHANNES,))


def test_somebody_of_that_surname_is_meant_by_it() -> None:
    assert not _read((_J_C, PersonName(initials="W.", family="Cornelis"), _JOHANNES))


def test_a_surname_with_that_initial_makes_it_a_surname() -> None:
    both = PersonName(given="Xander Martina")
    form = _read((both,), (PersonName(initials="X.", family="Martina"),))[both]
    assert (form.kind, form.given, form.families) == (NameKind.FULL, ("xander",), ("martina",))


def test_a_word_that_is_more_often_a_given_name_stays_one() -> None:
    both = PersonName(given="Jan Willem")
    others = [PersonName(given="Willem", family=family) for family in ("Oosterling", "Zandwijk")]
    assert not _read((both,), (PersonName(initials="J.", family="Willem"),), tuple(others))
