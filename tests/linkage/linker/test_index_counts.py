"""What an index counts beside candidates is what one go over everybody would count."""

from linkage.linker.people_index import PeopleIndex
from linkage.records import (
    Beyond,
    Detector,
    Document,
    DocumentId,
    Mention,
    MentionContext,
    NormalizedMention,
    PersonName,
    Span,
)
from linkage.text_forms import TextForms

PEOPLE = {  # number -> name as "given|initials|particle|family", document
    1: ("kacper|||prusak", "a"),
    2: ("martina|||bos", "b"),
    3: ("els|||martina", "c"),
    4: ("wim|||martina", "d"),
    5: ("els|||kok", "e"),
}


def beyond_of(*names: PersonName, document: str = "new", mark: str = "zaak 8") -> Beyond:
    index = PeopleIndex(lambda _: ())
    parts = {number: [(*name.split("|"), "", "", "", "")] for number, (name, _) in PEOPLE.items()}
    for number, (_, met) in PEOPLE.items():
        index.add(number, parts[number], [(met, 0, ("zaak 7",))])
    return index.candidates(
        TextForms.of([mention(n, document, mark) for n in names]), names_of=lambda n: parts[n]
    ).beyond


def mention(name: PersonName, document: str, mark: str = "zaak 7") -> NormalizedMention:
    found = Mention.at(
        Document(DocumentId(document), "Naam"), Span(0, 4), detector=Detector.LIST, confidence=1.0
    )
    return NormalizedMention(found, name, context=MentionContext(marks=frozenset({mark})))


def test_a_lone_word_counts_as_the_further_names_have_it() -> None:
    beyond = beyond_of(PersonName(given="kacper"), PersonName(given="otto", family="lok"))
    assert beyond.given.get("kacper", 0) >= 1
    assert "kacper" not in beyond.families


def test_a_word_in_both_roles_is_counted_over_names_that_are_not_at_hand() -> None:
    beyond = beyond_of(PersonName(family="martina"))  # those with the surname are candidates
    assert (beyond.given, beyond.families) == ({"martina": 1}, {})
    beyond = beyond_of(PersonName(given="martina"))  # alone she may be anybody: nobody is a candidate
    assert (beyond.given, beyond.families) == ({"martina": 1}, {"martina": 2})


def test_words_and_marks_count_the_documents_of_the_project_and_of_the_text() -> None:
    beyond = beyond_of(PersonName(given="els", family="kok"), mark="zaak 7")
    assert beyond.words["els"] == 3
    assert beyond.words["kok"] == 2
    assert beyond.marks == {"zaak 7": 6}
    again = beyond_of(PersonName(given="els", family="kok"), document="e", mark="zaak 7")
    assert again.words["els"] == 2
    assert again.marks == {"zaak 7": 5}


def test_trigrams_count_the_distinct_surnames_of_the_project() -> None:
    trigrams = beyond_of(PersonName(given="els", family="kok")).family_trigrams
    assert trigrams is not None
    assert trigrams["^ko"] == 1
    assert beyond_of(PersonName(given="els", family="koks")).family_trigrams["^ko"] == 2  # type: ignore[index]
