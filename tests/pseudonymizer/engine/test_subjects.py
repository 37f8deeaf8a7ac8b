"""Whom a text is about."""

from linkage.records import DocumentId, EntityId, MentionId
from pseudonymizer.engine.records import PartPlaces, unit_of
from pseudonymizer.engine.subjects import NOBODY, Named, Subjects

PEOPLE = {
    "a": Named(EntityId("els"), 0),
    "b": Named(EntityId("jan"), 0),
    "c": Named(EntityId("jan"), 0),
    "d": Named(EntityId("els"), 1),
}


def part(mentions: str, unit: str = "f1", rows: tuple[int, ...] = ()) -> PartPlaces:
    places = [(10 * at, 10 * at + 3, MentionId(one)) for at, one in enumerate(mentions)]
    return PartPlaces("", places, unit=DocumentId(unit), rows=rows)


def subject(*parts: PartPlaces, at: int = 0, of: int = 0) -> str:
    return Subjects(parts, lambda mention_id: PEOPLE[mention_id]).at(parts[of], at)


def test_the_person_who_is_named_most_often() -> None:
    assert subject(part("abc")) == "jan"


def test_of_two_who_are_named_as_often_the_first() -> None:
    assert subject(part("ab")) == "els"
    assert subject(part("ba")) == "jan"


def test_facts_go_before_the_number_of_mentions() -> None:
    assert subject(part("bcd")) == "els"


def test_the_parts_of_a_file_are_about_one_person() -> None:
    header, body = part("a"), part("bc")
    assert subject(header, body, of=0) == "jan"


def test_other_files_have_subjects_of_their_own() -> None:
    assert subject(part("a"), part("bc", unit="f2"), of=0) == "els"


def test_a_row_of_a_table_has_its_own() -> None:
    table = part("abc", rows=(0, 10))
    assert subject(table, at=5) == "els"
    assert subject(table, at=15) == "jan"


def test_a_text_that_names_nobody_is_about_nobody() -> None:
    assert subject(part("")) == NOBODY


def test_a_text_with_an_id_of_its_own_is_a_unit() -> None:
    assert unit_of(DocumentId("f1#line 3"), "n3") == "f1#line 3"
    assert unit_of(DocumentId("f1#header"), None) == "f1"
