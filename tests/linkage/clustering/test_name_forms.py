"""The pieces of a name by which others look for it."""

import pytest

from linkage.clustering.name_forms import NameForm
from linkage.records import PersonName


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        (PersonName(given="Jan", particle="de", family="Boer"), {"boer", "deboer"}),
        (PersonName(family="Jelles Abma"), {"jelles abma", "jellesabma", "jelles", "abma"}),
        (PersonName(family="Kok", partner_family="Mol"), {"kok", "mol"}),
        (PersonName(given="Jan"), set()),
    ],
)
def test_a_surname_is_looked_for_in_all_its_writings(name: PersonName, keys: set[str]) -> None:
    assert NameForm.of(name).surname_keys == keys
