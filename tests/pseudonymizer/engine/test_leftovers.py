"""What a written file may still say: what its texts say with their labels, and no more."""

import pytest

from linkage.kinds import Kinds
from linkage.records import EntityId, KindId, PersonName, Span
from pseudonymizer import formats
from pseudonymizer.engine.leftovers import FullNames, Leftovers
from pseudonymizer.engine.records import LabelledPerson, Replacement
from pseudonymizer.errors import LeftInOutputError
from pseudonymizer.formats.records import ReadAgain, TextPart
from tests.pseudonymizer.batch_fakes import FakeLists

JAN = LabelledPerson(EntityId("1"), "P", (PersonName(given="Jan", family="Tolsma"),))
MOL = LabelledPerson(EntityId("2"), "Q", (PersonName(initials="J.", family="Mol"), PersonName(given="Jan")))
TEXT = "Jan Tolsma, NL91 ABNA 0417 1643 00, 12-03-2024, 42"
IBAN, DATE = Span(12, 34), Span(36, 46)


def names(*people: LabelledPerson) -> FullNames:
    return FullNames(people, FakeLists)


def leftovers(*replaced: tuple[Span, str]) -> Leftovers:
    parsed = formats.read(TEXT.encode(), name="a.txt")
    made = [Replacement("", span, "X", EntityId("9"), KindId(kind)) for span, kind in replaced]
    return Leftovers.of(made, parsed, names(JAN), Kinds.load())


def refuse(again: ReadAgain, text: str = "X belde.") -> None:
    Leftovers(names(JAN), ("NL91 ABNA 0417 1643 00",)).refuse(again, (TextPart("", text),), {})


def test_names_are_known_in_runs_where_they_tell_of_a_person() -> None:
    runs = ["Beste Jan Tolsma", "Jan Tolsma-de Boer", "J. Mol", "Jan Els"]
    assert names(JAN, MOL).among(runs) == {"Jan Tolsma": "Beste Jan Tolsma"}
    assert names().among(runs) == {}


@pytest.mark.parametrize(
    ("kind", "span", "is_looked_for"),
    [
        ("BANK_ACCOUNT", IBAN, True),
        ("BIRTH_DATE", DATE, True),
        ("DATE", DATE, False),  # equal by chance
        ("AGE", Span(48, 50), False),
        ("CASE_NUMBER", Span(48, 50), False),  # too short
        ("PERSON", Span(0, 10), False),  # by name, not by value
        ("KIND_OF_THE_USER", IBAN, True),
    ],
)
def test_values_are_looked_for_that_are_no_chance(kind: str, span: Span, is_looked_for: bool) -> None:
    assert leftovers((span, kind)).values == ((span.cut(TEXT),) if is_looked_for else ())


@pytest.mark.parametrize(
    "again",
    [
        ReadAgain((("Van Jan Tolsma", "core.xml"),)),
        ReadAgain((), ((0, "core.xml"),)),
        ReadAgain((("Jan Tolsma", "core.xml"),), ((0, "a header"),)),
    ],
)
def test_what_was_replaced_and_is_still_said_is_refused_without_showing_it(again: ReadAgain) -> None:
    with pytest.raises(LeftInOutputError, match=r"core\.xml") as refused:
        refuse(again)
    assert "Tolsma" not in str(refused.value)
    assert "NL91" not in str(refused.value)


def test_what_the_texts_say_with_their_labels_may_stay() -> None:
    again = ReadAgain((("Jan Tolsma", "its text"),), ((0, "its text"),))
    refuse(again, "Rechter Jan_Tolsma heeft NL91 ABNA 0417 1643 00.")
    part = TextPart("", "Els Wiersma belde.")
    with_label = {"": {Span(0, 11): "Jan Tolsma"}}  # an invented name that somebody else has
    Leftovers(names(JAN), ()).refuse(ReadAgain((("Jan Tolsma", "x"),)), (part,), with_label)


def test_a_place_that_is_no_word_of_ours_is_not_told() -> None:
    with pytest.raises(LeftInOutputError, match="in its content") as refused:
        refuse(ReadAgain((("Jan Tolsma", "bij Jan Tolsma"),)))
    assert "Tolsma" not in str(refused.value)


def test_nothing_is_refused_where_nothing_is_found() -> None:
    refuse(ReadAgain())
    refuse(ReadAgain((("Els Wiersma", "its text"),)))
