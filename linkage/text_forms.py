"""The names of a text, as known people are looked for by them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from linkage.records import DocumentId, NormalizedMention, PersonName


@dataclass(frozen=True, slots=True)
class TextForms:
    """The names and marks of a text, each with the documents of the text that have it.

    documents: those of the text. again: further documents of which everybody is wanted. everybody: all known
    people are wanted, whatever the names.
    """

    names: Mapping[PersonName, Collection[DocumentId]] = field(default_factory=dict, repr=False)
    marks: Mapping[str, Collection[DocumentId]] = field(default_factory=dict, repr=False)
    documents: frozenset[DocumentId] = frozenset()
    again: frozenset[DocumentId] = frozenset()
    everybody: bool = False

    @classmethod
    def of(
        cls,
        mentions: Iterable[NormalizedMention],
        again: Iterable[DocumentId] = (),
        *,
        everybody: bool = False,
    ) -> Self:
        """The names of these mentions."""
        names: dict[PersonName, set[DocumentId]] = {}
        marks: dict[str, set[DocumentId]] = {}
        documents: set[DocumentId] = set()
        for mention in mentions:
            doc_id = mention.mention.doc_id
            documents.add(doc_id)
            names.setdefault(mention.name, set()).add(doc_id)
            for mark in mention.context.marks:
                marks.setdefault(mark, set()).add(doc_id)
        return cls(names, marks, frozenset(documents), frozenset(again), everybody)
