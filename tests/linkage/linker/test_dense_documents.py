"""A register of names that are all alike: likeness says nothing there, and elsewhere it does."""

from itertools import product

import numpy as np
import pytest

from linkage.clustering.name_forms import NameForm
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.dense_documents import DenseForms, families_of_dense_documents
from linkage.records import NormalizedMention, PersonName
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer

SYLLABLES = ("ba", "ko", "li", "mu", "re", "sa", "ti", "vo", "wa", "ze", "do", "fi")
ALIKE = [
    PersonName(given="Fenna", family="".join(found).title() + "ma") for found in product(SYLLABLES, repeat=3)
]


def dense_families(mentions: list[NormalizedMention]) -> frozenset[str]:
    forms = [NameForm.of(m.name) for m in mentions]
    return families_of_dense_documents(mentions, range(len(mentions)), forms)


def test_a_register_of_names_alike_is_dense_in_one_document_only() -> None:
    write = Writer()
    assert len(dense_families([write("a", name) for name in ALIKE])) == len(ALIKE)
    assert not dense_families([write(f"d{n}", name) for n, name in enumerate(ALIKE)])


def test_many_names_that_are_not_alike_are_not_dense() -> None:
    write = Writer()
    names = [PersonName(given="Fenna", family=f"{'abcdefghij'[n % 10] * 4}{n * 7919}") for n in range(1_200)]
    assert not dense_families([write("a", name) for name in names])


def test_everybody_in_a_dense_register_is_a_person_of_their_own() -> None:
    linker = Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())
    write = Writer()
    mentions = [write("a", name) for name in (*ALIKE, ALIKE[7])]
    result = linker.link(mentions)
    assert len(result.identities) == len(ALIKE)
    assert result.identity_of(mentions[7].mention_id) == result.identity_of(mentions[-1].mention_id)


def test_a_typing_error_is_found_in_a_small_document_all_the_same() -> None:
    linker = Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())
    write = Writer()
    register = [write("a", name) for name in ALIKE]
    right, wrong = (write("b", PersonName(given="Inge", family=f)) for f in ("Zandvliet", "Zandvleit"))
    result = linker.link([*register, right, wrong])
    assert result.identity_of(right.mention_id) == result.identity_of(wrong.mention_id)


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        (PersonName(given="Inge", family="Bakoma"), PersonName(given="Inge", family="Bakowa"), True),
        (PersonName(given="Inge", family="Bakoma"), PersonName(given="Inga", family="Bakoma"), False),
        (PersonName(given="Inge", family="Bakoma"), PersonName(given="Inge", family="Bakomma"), False),
        (
            PersonName(given="Inge", family="Bakoma", partner_family="Bakowa"),
            PersonName(given="Inge", family="Bakowa"),
            False,
        ),
    ],
)
def test_which_forms_differ(left: PersonName, right: PersonName, differ: bool) -> None:
    dense = DenseForms(frozenset({"bakoma", "bakowa"}))
    assert dense.forms_differ([left, right], np.array([0]), np.array([1])).tolist() == [differ]
