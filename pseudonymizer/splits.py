"""Records of a split: what is another person's, and what came of it."""

from collections.abc import Collection
from dataclasses import dataclass, field

from linkage.records import DocumentId, Mention


@dataclass(frozen=True, slots=True)
class Split:
    """What a split made: the new pseudonym and how much went to it. Without names. entity_id: the number of
    the new person.
    """

    label: str
    entity_id: int
    forms: int
    mentions: int
    edits: int


@dataclass(frozen=True, slots=True)
class Part:
    """What belongs to the second of two people who were taken for one.

    surfaces: ways of writing the name that are the new person's, and go over with the edits that hold them.
    doc_ids: documents in which every mention of the person is the new one: outputs, texts as linkage knows
    them, or sources of such texts, by their paths. found: single mentions that are,
    as linkage found them.
    """

    surfaces: Collection[str] = field(default=(), repr=False)
    doc_ids: Collection[DocumentId] = ()
    found: Collection[Mention] = ()
