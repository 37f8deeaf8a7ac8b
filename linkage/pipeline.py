"""LinkagePipeline: the one place where the stages meet, from documents to identities."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Self

from linkage.errors import InvalidRecordError
from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.normalization import normalize
from linkage.recognition.detector import MentionDetector
from linkage.records import (
    Document,
    KnownIdentity,
    LinkageResult,
    Mention,
    NormalizedMention,
    ValueMention,
)
from linkage.review import Judgement
from linkage.settings import LinkageSettings, RecognitionSettings

__all__ = ["LinkagePipeline", "Linker"]


class LinkagePipeline:
    """Documents in, identities out. The detector, which holds the network, is loaded when first used."""

    def __init__(self, settings: LinkageSettings, gazetteer: Gazetteer) -> None:
        self.settings = settings
        self.gazetteer = gazetteer

    @classmethod
    def load(cls, settings: LinkageSettings | None = None) -> Self:
        """Read the shipped name lists; models follow when they are needed.

        Raises:
            ModelNotFoundError: if the shipped data is missing.
        """
        return cls(settings or LinkageSettings(), Gazetteer.load())

    @cached_property
    def detector(self) -> MentionDetector:
        return MentionDetector.load(self.settings.recognition, self.gazetteer)

    def with_lists(self, settings: RecognitionSettings) -> "LinkagePipeline":
        """A pipeline with the user's lists of other settings, over the models and the linker of this one."""
        made = LinkagePipeline(replace(self.settings, recognition=settings), self.gazetteer)
        made.__dict__["detector"] = self.detector.with_lists(settings, self.gazetteer)
        made.__dict__["linker"] = self.linker
        return made

    @cached_property
    def linker(self) -> Linker:
        return Linker.load(self.settings.linking, self.gazetteer)

    def detect(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        """Mentions of people in each document in input order, sorted by span, never overlapping.

        searched: is called with 1 for each document, in input order, as soon as it is searched.
        """
        return self.detector.detect(documents, searched=searched)

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        """As detect, with the mentions of other kinds that the network tells beside people.

        Values that have a shape of their own, such as numbers, are found by `value_mentions`, which takes
        these mentions in.
        """
        return self.detector.detect_kinds(documents, searched=searched)

    def normalize(
        self,
        documents: Sequence[Document],
        mentions: Sequence[Sequence[Mention]],
        values: Sequence[Sequence[ValueMention]] | None = None,
    ) -> tuple[NormalizedMention, ...]:
        """Names taken apart and their surroundings noted, document after document.

        values: those of each document, which become facts about its people; None: they are looked for.

        Raises:
            InvalidRecordError: if there is not one sequence of mentions, or of values, a document.
        """
        if len(documents) != len(mentions):
            raise InvalidRecordError(f"{len(documents)} documents but {len(mentions)} sequences of mentions")
        own = values if values is not None else [None] * len(documents)
        if len(documents) != len(own):
            raise InvalidRecordError(f"{len(documents)} documents but {len(own)} sequences of values")
        return tuple(
            normalized
            for document, found, valued in zip(documents, mentions, own, strict=True)
            for normalized in normalize(document, found, self.gazetteer, valued)
        )

    def link(
        self,
        documents: Sequence[Document],
        mentions: Sequence[Sequence[Mention]] | None = None,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        """Identities of all people in these documents.

        mentions takes the place of detection: one sequence a document, in input order. known are people of
        earlier runs or of a registry; judgements are what people decided about open links.
        """
        found = self.detect(documents) if mentions is None else mentions
        return self.linker.link(self.normalize(documents, found), known=known, judgements=judgements)
