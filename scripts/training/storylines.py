"""Storylines for learning who is who: ids of people hold over all documents of one line."""

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ner_training.kind_marks import read_kind_marks, record_of
from ner_training.stories import story_of

from linkage.evaluation.gold import gold_mentions
from linkage.evaluation.marked import FLAGS, PERSON, GoldDocument, GoldMention
from linkage.gazetteer import Gazetteer
from linkage.normalization import normalize
from linkage.records import Document, DocumentId, MentionId, NormalizedMention, Span

TEXTS: Final = Path("scripts") / "ner_training"
# One in four of the lines that nothing was tuned on; office2 was tuned on, and is learned from as a whole.
HELD_OUT: Final = frozenset({"k04", "k08", "k12", "s3", "s6"})


@dataclass(frozen=True, slots=True)
class StoryDocument:
    """A marked document of a storyline. group: its dossier, client or team; "" where its source has none."""

    gold: GoldDocument
    storyline: str
    group: str = ""


def read_storylines(root: Path, shared: Path) -> tuple[StoryDocument, ...]:
    """All documents of storylines that may train: office2 and the written stories of the project under root,
    and nl-story under shared where it is there. Ids of people hold over everything that is given.
    """
    found = [*_office2(root / TEXTS / "text" / "office2.persons.jsonl")]
    for path in sorted((root / TEXTS / "kinds" / "nl_stories").glob("story_*.txt")):
        found += [_document(record_of(document)) for document in read_kind_marks(path)]
    further = shared / "data" / "ner" / "nl-story.identifiers.jsonl"
    if further.is_file():
        found += [_document(row) for row in _lines(further)]
    return tuple(found)


def parts(documents: Collection[StoryDocument]) -> dict[str, tuple[StoryDocument, ...]]:
    """The documents that are learned from, and those held out for choosing."""
    held = tuple(d for d in documents if d.storyline in HELD_OUT)
    return {"training": tuple(d for d in documents if d.storyline not in HELD_OUT), "held out": held}


@dataclass(frozen=True, slots=True)
class StoryMentions:
    """Normalized mentions of storylines, with the person that each one which counts in scores is."""

    mentions: tuple[NormalizedMention, ...]
    entities: Mapping[MentionId, str]

    @classmethod
    def of(
        cls, documents: Collection[StoryDocument], gazetteer: Gazetteer, *, groups: bool
    ) -> "StoryMentions":
        """groups: whether each document says which dossier it is of."""
        mentions: list[NormalizedMention] = []
        entities: dict[MentionId, str] = {}
        for one in documents:
            found, entity_of = gold_mentions(one.gold)
            document = one.gold.document
            if groups and one.group:
                document = replace(document, group=one.group)
            mentions += normalize(document, found, gazetteer)
            entities.update(entity_of)
        return cls(tuple(mentions), entities)


def _office2(path: Path) -> Iterator[StoryDocument]:
    """Its stories have no dossiers: a story is one group, as the sample measures it."""
    for row in _lines(path):
        story = story_of(row["doc_id"])
        yield _document({**row, "storyline": story, "group": story})


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _document(row: Mapping[str, Any]) -> StoryDocument:
    storyline = str(row["storyline"])
    mentions = tuple(
        GoldMention(
            Span(one["start"], one["end"]),
            None if one.get("entity") is None else _entity(storyline, one["entity"]),
            tuple(_entity(storyline, candidate) for candidate in one.get("candidates", ())),
            alternatives=(),
            kind=PERSON,
            **{flag: bool(one.get(flag)) for flag in FLAGS},
        )
        for one in row["mentions"]
    )
    document = Document(DocumentId(row["doc_id"]), row["text"])
    return StoryDocument(GoldDocument(document, mentions), storyline, row.get("group", ""))


def _entity(storyline: str, entity: str) -> str:
    """An id that holds over all storylines; that of office2 does already."""
    return entity if storyline.startswith("o2-") or entity.startswith(storyline) else f"{storyline}-{entity}"
