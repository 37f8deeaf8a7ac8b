"""Company of people by the documents that they share. Invented names."""

import tracemalloc

from linkage.clustering.company import Company
from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.people import Person
from linkage.constraints import Evidence
from linkage.records import PersonName


def person(number: int, document: int) -> Person:
    return Person(f"{number:06}", {document}, [number], {number: 1}, Evidence(), NameKind.FULL)


def test_who_occurs_in_no_other_document_says_nothing_and_takes_no_memory() -> None:
    many = 400
    forms = [NameForm.of(PersonName(given="jan", family=f"tolsma{n}")) for n in range(many)]
    groups = Groups([person(n, 0) for n in range(many)], forms)
    numbers = [groups.new([n]) for n in range(many)]
    company = Company(groups, {0: ("zaak 7",)})
    tracemalloc.start()
    found = company.of_person(0, numbers[1:])
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert set(found.values()) == {0.0}
    assert kept < 500_000  # bytes; the counts of all neighbours of all take 15 MB
