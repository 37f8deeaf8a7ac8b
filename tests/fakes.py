"""Fakes for models and lists, typed by the Protocols that ask for them. All names are invented."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import numpy as np
import numpy.typing as npt

from linkage.language import Language
from linkage.pieces import CutText
from linkage.recognition.features import FEATURES
from linkage.recognition.words import Lexicon
from linkage.records import (
    CandidatePair,
    Detector,
    Document,
    DocumentId,
    EntityId,
    Identity,
    IdentityId,
    LinkageResult,
    LinkDecision,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    RecognizedSpan,
    RecognizedText,
    ScoredLink,
    Span,
    fold,
)


def span_of(text: str, surface: str, occurrence: int = 0) -> Span:
    """Where surface stands in text, counting occurrences from 0."""
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(surface, start + 1)
    return Span(start, start + len(surface))


@dataclass(frozen=True)
class FakeKnowledge:
    """Name lists in a few words; everything else is an unknown word."""

    given: frozenset[str] = frozenset(
        {"sanne", "kees", "hidde", "anneke", "wilhelmina", "otto", "jan", "marleen"}
    )
    surnames: frozenset[str] = frozenset(
        {"hoekstra", "boer", "mulder", "terpstra", "laan", "berg", "bos", "rijk"}
    )
    particles: frozenset[str] = frozenset({"de", "van", "der", "den", "t", "van der", "van den"})
    titles: frozenset[str] = frozenset({"dr", "mevrouw", "heer", "mw", "juf"})
    places: frozenset[str] = frozenset({"zwolle", "amsterdam"})
    words: Mapping[str, float] = field(
        default_factory=lambda: dict.fromkeys(
            [
                "boer",
                "de",
                "laan",
                "bos",
                "rijk",
                "belde",
                "zei",
                "morgen",
                "wil",
                "later",
                "jaar",
                "met",
                "en",
            ],
            5.0,
        )
    )
    cues: Mapping[str, frozenset[str]] = field(default_factory=lambda: {"beste": frozenset({"salutation"})})
    markers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    name_slots: Mapping[str, float] = field(default_factory=dict)
    language: Language = field(default_factory=lambda: Language.load("nl"))

    def is_given_name(self, text: str) -> bool:
        return fold(text) in self.given

    def is_surname(self, text: str) -> bool:
        return fold(text) in self.surnames

    def given_name_frequency(self, text: str) -> int:
        return 100 if self.is_given_name(text) else 0

    def surname_frequency(self, text: str) -> int:
        return 100 if self.is_surname(text) else 0

    def is_particle(self, text: str) -> bool:
        return fold(text) in self.particles

    def is_word(self, word: str) -> bool:
        return fold(word) in self.words

    def is_place(self, text: str) -> bool:
        return fold(text) in self.places

    def is_organisation(self, text: str) -> bool:
        del text
        return False

    def zipf(self, word: str) -> float:
        return self.words.get(fold(word), 0.0)

    def word_share(self, word: str) -> float:
        return 0.7 if self.is_word(word) else 0.0

    def person_share(self, text: str) -> float:  # noqa: ARG002
        return 1.0

    def title(self, text: str) -> object | None:
        return text if fold(text) in self.titles else None


def fake_lexicon() -> Lexicon:
    return Lexicon(FakeKnowledge())


@dataclass(frozen=True)
class FakeRecognizer:
    """A network that knows these surfaces by heart, wherever they stand."""

    persons: Mapping[str, float]
    names: Mapping[str, float] = field(default_factory=dict)

    def recognize(self, documents: Sequence[Document]) -> tuple[RecognizedText, ...]:
        return tuple(self._recognize(document) for document in documents)

    def _recognize(self, document: Document) -> RecognizedText:
        return RecognizedText(
            document.doc_id,
            (Span(0, len(document.text)),) if document.text else (),
            (),
            _found(document.text, self.persons),
            _found(document.text, self.names),
        )


def _found(text: str, surfaces: Mapping[str, float]) -> tuple[RecognizedSpan, ...]:
    spans = [
        RecognizedSpan(Span(start, start + len(surface)), confidence)
        for surface, confidence in surfaces.items()
        for start in range(len(text))
        if text.startswith(surface, start)
    ]
    return tuple(sorted(spans, key=lambda found: found.span))


@dataclass(frozen=True)
class FakeNames:
    """A list that finds these surfaces, denies those, and says of further ones that they always are names."""

    listed: Mapping[str, float] = field(default_factory=dict)
    denied_surfaces: tuple[str, ...] = ()
    always_surfaces: tuple[str, ...] = ()
    registered: Mapping[str, str] = field(default_factory=dict)  # surface -> person id

    def find(
        self, document: Document, recognized: RecognizedText | None = None, cut: CutText | None = None
    ) -> tuple[Mention, ...]:
        del recognized, cut
        found = [
            Mention.at(document, listed.span, detector=Detector.LIST, confidence=listed.confidence)
            for listed in _found(document.text, self.listed)
        ]
        for surface, person_id in self.registered.items():
            found += [
                Mention.at(
                    document, listed.span, detector=Detector.REGISTRY, confidence=1.0, person_id=person_id
                )
                for listed in _found(document.text, {surface: 1.0})
            ]
        return tuple(found)

    def always(self, document: Document, cut: CutText | None = None) -> tuple[Span, ...]:
        del cut
        return tuple(found.span for found in _found(document.text, dict.fromkeys(self.always_surfaces, 1.0)))

    def denied(self, document: Document, cut: CutText | None = None) -> tuple[Span, ...]:
        del cut
        return tuple(found.span for found in _found(document.text, dict.fromkeys(self.denied_surfaces, 1.0)))


class FakeScorer:
    """Trusts the most confident detector."""

    acceptance = 0.4

    def probabilities(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        columns = [list(FEATURES).index(name) for name in ("ner", "listed", "consistent", "misspelt")]
        highest: npt.NDArray[np.float64] = values[:, columns].max(axis=1).astype(np.float64)
        return highest


class FakeClock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **amount: float) -> None:
        self.now += timedelta(**amount)


def simple_name(text: str) -> PersonName:
    """A name taken apart at its blanks: given name, lower-case particles, family name; one word is given."""
    words = text.split()
    if len(words) == 1:
        return PersonName(given=words[0].casefold())
    particle = " ".join(words[1:-1]).casefold() or None
    return PersonName(given=words[0].casefold(), particle=particle, family=words[-1].casefold())


def linkage_result(
    texts: Mapping[str, str],
    people: Sequence[Sequence[tuple[str, str]]],
    *,
    known: Mapping[int, str] | None = None,
    candidates: Mapping[int, Sequence[int]] | None = None,
    open_links: Sequence[tuple[int, int, float]] = (),
    also_known_as: Mapping[int, Sequence[str]] | None = None,
) -> LinkageResult:
    """A linkage result made by hand. texts by document id; people: for each identity its (document, surface).

    A surface that stands in the document more than once is taken in order. open_links join the first mentions
    of two identities; candidates make an identity ambiguous; known gives it an entity id.
    """
    seen: dict[tuple[str, str], int] = {}
    mentions: list[NormalizedMention] = []
    members: list[list[MentionId]] = []
    for places in people:
        ids = []
        for doc_id, surface in places:
            number = seen.get((doc_id, surface), 0)
            seen[doc_id, surface] = number + 1
            document = Document(DocumentId(doc_id), texts[doc_id])
            span = span_of(document.text, surface, number)
            found = Mention.at(document, span, detector=Detector.LIST, confidence=1.0)
            mentions.append(NormalizedMention(found, simple_name(surface)))
            ids.append(found.mention_id)
        members.append(ids)
    links: list[list[ScoredLink]] = [[] for _ in people]
    for left, right, probability in open_links:
        first, second = sorted((members[left][0], members[right][0]))
        link = ScoredLink(
            CandidatePair(first, second), probability, LinkDecision.POSSIBLE_LINK, "nickname", 0.75
        )
        links[left].append(link)
        links[right].append(link)
    identities = [
        Identity(
            IdentityId(f"i{number}"),
            frozenset(ids),
            open_links=tuple(links[number]),
            candidates=tuple(IdentityId(f"i{c}") for c in (candidates or {}).get(number, ())),
            entity_id=EntityId(known[number]) if known and number in known else None,
            also_known_as=tuple(EntityId(e) for e in (also_known_as or {}).get(number, ())),
        )
        for number, ids in enumerate(members)
    ]
    return LinkageResult(tuple(mentions), tuple(identities))
