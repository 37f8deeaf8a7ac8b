"""Names of known people are found by their words, whoever bears them, and as often as they come."""

from linkage.linker.known_names import NO_FORENAME, KnownNames
from linkage.linker.name_parts import NameParts

PEOPLE = (
    "jan||de|vries", "|J.|de|vries", "||de|vries", "els|||kok", "xavier martina|||", "martina|||bos",
    "els martina|||smit",
)  # fmt: skip


def parts(name: str, **further: str) -> tuple[str, ...]:
    return (*name.split("|"), "", further.get("partner", ""), "", further.get("nickname", ""))


def known(*people: str) -> KnownNames:
    names = KnownNames(NameParts())
    for number, name in enumerate(people, start=1):
        names.add(number, [parts(name)])
    return names


def test_people_are_found_by_surname_and_letter() -> None:
    names = known(*PEOPLE)
    assert names.with_surname(["vries"]) == {1, 2, 3}
    assert names.with_surname(["vries", "kok"], ["j", "e"]) == {1, 2, 4}
    assert names.with_surname(["devries"], [NO_FORENAME]) == {3}
    assert names.with_surname(["bakker"]) == set()
    assert names.with_surname([]) == set()


def test_the_second_of_two_given_names_may_be_a_surname_where_there_is_no_other() -> None:
    names = known(*PEOPLE)
    assert names.with_surname(["martina"]) == {5}
    assert names.with_surname(["martina"], ["m", NO_FORENAME]) == set()
    assert names.with_both_roles("martina") == ({6, 7}, {5})


def test_what_somebody_bears_grows_with_the_names_that_come() -> None:
    names = known(*PEOPLE)
    assert names.borne_by(1).surnames == ("devries", "vries")
    assert names.borne_by(1).given == ("jan",)
    rows = names.add(1, [parts("jan||de|vries"), parts("jan||de|vries", partner="kok", nickname="jaap")])
    assert rows[0] == names.rows_of(1)[0]
    assert names.add(1, [parts("jan||de|vries", partner="kok", nickname="jaap")]) == rows[1:]
    assert [names.bearer_of(row) for row in names.rows_of(1)] == [1, 1]
    assert names.borne_by(1).surnames == ("devries", "vries", "kok")
    assert names.borne_by(1).given == ("jan", "jaap")
    assert names.borne_by(1).letters == frozenset("jdvk")
    assert names.given_of(1) == ["jan", "jan", "jaap"]
    assert names.with_surname(["kok"]) == {1, 4}
    assert len(names) == len(PEOPLE)


def test_nobody_bears_the_names_of_a_number_that_is_not_there() -> None:
    names = known(*PEOPLE)
    assert names.rows_of(99) == []
    assert names.given_of(99) == []
    assert not names.borne_by(99).letters
    assert "vries" not in repr(names) + repr(names.borne_by(1))


def test_words_have_roles_beside_others_alone() -> None:
    names = known(*PEOPLE)
    assert [names.is_given(word) for word in ("jan", "xavier", "vries", "martina")] == [
        True,
        False,
        False,
        True,
    ]
    assert [names.is_surname(word) for word in ("vries", "devries", "jan", "martina")] == [
        True, False, False, False,
    ]  # fmt: skip
    assert not known("||de|vries").is_surname("vries")
    names.add(8, [parts("xavier|||jan")])
    assert names.is_given("xavier")
    assert names.is_surname("jan")


def test_rows_of_a_word_are_those_of_given_names_and_of_surnames() -> None:
    names = known(*PEOPLE, "wim|||el khatib")
    bearers = {word: {names.bearer_of(row) for row in names.rows_with_word(word)} for word in (
        "martina", "vries", "el", "el khatib", "devries",
    )}  # fmt: skip
    assert bearers == {
        "martina": {5, 6, 7},
        "vries": {1, 2, 3},
        "el": {8},
        "el khatib": {8},
        "devries": set(),
    }
    assert names.words_of_row(names.rows_of(8)[0]) == {"wim", "el", "khatib", "el khatib"}
