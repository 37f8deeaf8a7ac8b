"""Names that a longer one of their document begins with. All names are invented."""

from linkage.normalization.beginnings import with_beginnings
from linkage.records import PersonName
from tests.linkage.context.marked import mentions_of

_WHOLE = PersonName(given="Wayan", initials="I.W.", family="Sudarka")


def test_a_name_that_a_longer_one_goes_on_from_is_its_given_names() -> None:
    text = "I Wayan Sudarka tekende. I Wayan kwam later."
    mentions = mentions_of(text, "I Wayan Sudarka", "I Wayan")
    short = PersonName(initials="I.", family="Wayan")
    assert with_beginnings(mentions, [_WHOLE, short]) == [_WHOLE, PersonName(given="Wayan", initials="I.W.")]


def test_other_names_stay_as_they_were_read() -> None:
    text = "I Wayan Sudarka tekende. I Ketut kwam later, Wayan niet."
    mentions = mentions_of(text, "I Wayan Sudarka", "I Ketut", "Wayan")
    names = [_WHOLE, PersonName(initials="I.", family="Ketut"), PersonName(given="Wayan")]
    assert with_beginnings(mentions, names) == names


def test_without_a_longer_name_nothing_changes() -> None:
    mentions = mentions_of("I Wayan kwam later.", "I Wayan")
    names = [PersonName(initials="I.", family="Wayan")]
    assert with_beginnings(mentions, names) == names
