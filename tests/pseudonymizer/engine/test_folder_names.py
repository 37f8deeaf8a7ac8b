"""The name of a folder stands for itself where its texts tell of somebody else."""

from dataclasses import replace

import pytest

from linkage.records import (
    Detector,
    Document,
    DocumentId,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)
from pseudonymizer.engine.folder_names import with_paths_apart
from pseudonymizer.engine.spelled import PATH_PART

FATIMA = PersonName(given="Fatima", family="Jansen")
SANNE = PersonName(given="Sanne", family="Jansen")
LONE = PersonName(given="Sanne")


def said(doc_id: str, name: PersonName, at: int = 0) -> NormalizedMention:
    document = Document(DocumentId(doc_id), " " * at + "Naam")
    mention = Mention.at(document, Span(at, at + 4), detector=Detector.LIST, confidence=1.0)
    return NormalizedMention(mention, name)


def in_path(doc_id: str, name: PersonName) -> NormalizedMention:
    """A mention in the path of a file, as it comes to linking: in the document of the file's text."""
    found = said(f"{doc_id}#{PATH_PART}", name)
    return replace(found, mention=replace(found.mention, doc_id=DocumentId(doc_id)))


def is_apart(named: PersonName, **texts: list[PersonName]) -> list[bool]:
    """Of each text, whether the name of the folder stands for itself there."""
    mentions = [in_path(doc_id, named) for doc_id in texts]
    for doc_id, names in texts.items():
        mentions += [said(doc_id, name, 10 * at) for at, name in enumerate(names)]
    found = with_paths_apart(mentions)
    assert [one.mention.mention_id for one in found] == [one.mention.mention_id for one in mentions]
    assert all(one.mention.doc_id in texts for one in found[len(texts) :])
    return [one.mention.doc_id not in texts for one in found[: len(texts)]]


@pytest.mark.parametrize(
    ("named", "apart"),
    [
        (PersonName(given="Sanne", family="Visser"), [True, True]),  # shares the given name
        (PersonName(given="Karin", family="Jansen"), [True, True]),  # shares the family name
        (PersonName(given="Karin", family="Visser"), [False, False]),  # shares nothing
        (PersonName(given="Fatima", family="Jansen"), [False, False]),  # is in both texts
        (PersonName(initials="F.", family="Jansen"), [False, False]),
        (PersonName(given="Fatima", partner_family="Jansen", family="Berg"), [False, False]),
        (PersonName(given="Sanne", family="Jansen"), [False, True]),  # the second text says it in part
        (PersonName(given="Sanne"), [False, False]),  # no whole name
    ],
)
def test_a_name_that_the_texts_do_not_say_is_apart(named: PersonName, apart: list[bool]) -> None:
    assert is_apart(named, d1=[FATIMA, SANNE], d2=[FATIMA, LONE]) == apart


def test_texts_of_a_lone_name_leave_the_folder_as_it_is() -> None:
    assert is_apart(PersonName(given="Sanne", family="Visser"), d1=[LONE], d2=[LONE]) == [False, False]
