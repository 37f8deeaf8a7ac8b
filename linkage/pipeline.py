"""LinkagePipeline: the one place where the stages meet, from documents to identities."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Self

from linkage.errors import InvalidRecordError
from linkage.gazetteer import Gazetteer
from linkage.gazetteer.joint import JointGazetteer
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
    """Documents in, identities out. A detector, which holds a network, is loaded when first used.

    Documents of other languages than that of the settings may be among them: each is searched, and its names
    are taken apart, by its own language. Names are linked by the lists of all languages of their
    documents; what `linker` compares by itself, by those of the settings' language.
    """

    def __init__(self, settings: LinkageSettings, gazetteer: Gazetteer) -> None:
        self.settings = settings
        self.gazetteer = gazetteer
        self._other_gazetteers: dict[str, Gazetteer] = {}
        self._other_detectors: dict[str, MentionDetector] = {}
        self._joint_linkers: dict[tuple[str, ...], Linker] = {}

    @classmethod
    def load(cls, settings: LinkageSettings | None = None) -> Self:
        """Read the shipped name lists; models follow when they are needed.

        Raises:
            ModelNotFoundError: if the shipped data is missing.
            KindsError: the language of the settings lacks tables, or has changed ones.
        """
        chosen = settings or LinkageSettings()
        return cls(chosen, Gazetteer.load(chosen.recognition.language))

    @cached_property
    def detector(self) -> MentionDetector:
        """The detector for texts of the settings' language."""
        return self.load_detector(self.settings.recognition, self.gazetteer)

    def load_detector(self, settings: RecognitionSettings, gazetteer: Gazetteer) -> MentionDetector:
        """A detector with the models and lists of these settings."""
        return MentionDetector.load(settings, gazetteer)

    def gazetteer_of(self, language: str) -> Gazetteer:
        """The name lists of a language, by its ISO 639-1 code.

        Raises:
            KindsError: there are no tables for the language, or some are missing or changed.
        """
        if language == self.gazetteer.language.code:
            return self.gazetteer
        if language not in self._other_gazetteers:
            self._other_gazetteers[language] = Gazetteer.load(language)
        return self._other_gazetteers[language]

    def detector_of(self, language: str) -> MentionDetector:
        """The detector for texts of a language, by its ISO 639-1 code; the user's lists hold in each.

        Raises:
            KindsError: there are no tables for the language, or some are missing or changed.
            ModelNotFoundError: it has no models.
        """
        if language == self.gazetteer.language.code:
            return self.detector
        if language not in self._other_detectors:
            # A network that the settings name is one of their own language.
            settings = replace(self.settings.recognition, language=language, ner_model=None)
            self._other_detectors[language] = self.load_detector(settings, self.gazetteer_of(language))
        return self._other_detectors[language]

    def with_lists(self, settings: RecognitionSettings) -> "LinkagePipeline":
        """A pipeline with the user's lists of other settings, over the models and the linker of this one."""
        made = LinkagePipeline(replace(self.settings, recognition=settings), self.gazetteer)
        made.__dict__["detector"] = self.detector.with_lists(settings, self.gazetteer)
        made.__dict__["linker"] = self.linker
        made._other_gazetteers = self._other_gazetteers
        made._joint_linkers = self._joint_linkers
        made._other_detectors = {
            code: detector.with_lists(replace(settings, language=code), self.gazetteer_of(code))
            for code, detector in self._other_detectors.items()
        }
        return made

    @cached_property
    def linker(self) -> Linker:
        return Linker.load(self.settings.linking, self.gazetteer)

    def linker_of(self, languages: Iterable[str]) -> Linker:
        """A linker of names of texts in these languages, by the lists of each and of the settings' language.

        Raises:
            KindsError: there are no tables for one of them, or some are missing or changed.
        """
        others = tuple(sorted(set(languages) - {self.gazetteer.language.code}))
        if not others:
            return self.linker
        if others not in self._joint_linkers:
            joint = JointGazetteer([self.gazetteer, *map(self.gazetteer_of, others)])
            self._joint_linkers[others] = Linker.load(self.settings.linking, joint)
        return self._joint_linkers[others]

    def read_ahead(self, documents: Sequence[Document]) -> None:
        """Let the network read documents of the settings' language in one go, before each is searched by
        itself: together they cost less. What was read ahead before is forgotten; none: forget only.
        """
        self.detector.read_ahead(documents)

    def detect(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        """Mentions of people in each document in input order, sorted by span, never overlapping.

        searched: is called with 1 for each document as soon as it is searched, in input order within each
        language.
        """
        return self._by_language(documents, lambda detector, own: detector.detect(own, searched=searched))

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        """As detect, with the mentions of other kinds that the network tells beside people.

        Values that have a shape of their own, such as numbers, are found by `value_mentions`, which takes
        these mentions in.
        """
        return self._by_language(
            documents, lambda detector, own: detector.detect_kinds(own, searched=searched)
        )

    def _by_language(
        self,
        documents: Sequence[Document],
        search: Callable[[MentionDetector, Sequence[Document]], tuple[tuple[Mention, ...], ...]],
    ) -> tuple[tuple[Mention, ...], ...]:
        """The mentions of each document, in input order; those of one language are searched together."""
        places: dict[str, list[int]] = {}
        for place, document in enumerate(documents):
            places.setdefault(document.language, []).append(place)
        if len(places) <= 1:
            language = next(iter(places), self.gazetteer.language.code)
            return search(self.detector_of(language), documents)
        found: list[tuple[Mention, ...]] = [()] * len(documents)
        for language, own in places.items():
            mentions = search(self.detector_of(language), [documents[place] for place in own])
            for place, of_document in zip(own, mentions, strict=True):
                found[place] = of_document
        return tuple(found)

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
            for normalized in normalize(document, found, self.gazetteer_of(document.language), valued)
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
        linker = self.linker_of(document.language for document in documents)
        return linker.link(self.normalize(documents, found), known=known, judgements=judgements)
