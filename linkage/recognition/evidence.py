"""Candidates: spans that a detector proposed, their ends trimmed, and what a document says of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from linkage.language import Language
from linkage.language.expressions import any_of
from linkage.recognition.boundaries import is_name_word, trim
from linkage.recognition.words import Lexicon, ScannedText, Word
from linkage.records import Detector, Mention, RecognizedText, Span

# Behind these no name goes on: a column, a paragraph, a field of a table.
_COLUMN_GAP = re.compile(r"[ \t]{3,}|\t|\n\s*\n|\s*[;|]\s*")
_COMMA = re.compile(r", ")
_QUOTES = "'’‘`´"
_POSSESSED = re.compile(r"(?<=[sxzSXZ])['’´](?= [^\W\d_])")  # "Hans' jas"
_NARROW_COLUMNS = re.compile(r"[^ \t\n]+(?: {2}[^ \t\n]+){2,}")  # "Bos  Vos  Kok"
_NARROW_GAP = re.compile(r" {2}")


@dataclass(slots=True)
class Candidate:
    """A span somebody proposed. Confidences: the highest a detector gave this very span; 0 = none."""

    span: Span
    ner: float = 0.0
    listed: float = 0.0
    consistent: float = 0.0
    misspelt: float = 0.0
    derived: float = 0.0  # of the span that this one is a variant of
    registered: bool = False
    person_id: str | None = field(default=None, repr=False)
    typo_of: str | None = field(default=None, repr=False)

    def take(self, mention: Mention) -> None:
        """Add what one detector says."""
        match mention.detector:
            case Detector.NER:
                self.ner = max(self.ner, mention.confidence)
            case Detector.LIST:
                self.listed = max(self.listed, mention.confidence)
            case Detector.CONSISTENCY:
                self.consistent = max(self.consistent, mention.confidence)
            case Detector.REGISTRY:
                self.registered, self.person_id = True, mention.person_id or self.person_id
            case Detector.TYPO:
                if mention.confidence >= self.misspelt:
                    self.misspelt, self.typo_of = mention.confidence, mention.typo_of

    @property
    def confidence(self) -> float:
        """The highest of what the detectors gave."""
        return 1.0 if self.registered else max(self.ner, self.listed, self.consistent, self.misspelt)

    @property
    def detector(self) -> Detector:
        """The detector to name: the registry, else the most confident one."""
        if self.registered:
            return Detector.REGISTRY
        ranked = [
            (self.ner, Detector.NER), (self.listed, Detector.LIST),
            (self.misspelt, Detector.TYPO), (self.consistent, Detector.CONSISTENCY),
        ]  # fmt: skip
        return max(ranked, key=lambda item: item[0])[1]


def collect(scanned: ScannedText, mentions: Iterable[Mention], lexicon: Lexicon) -> list[Candidate]:
    """Candidates by trimmed span, in the order of the text."""
    by_span: dict[Span, Candidate] = {}
    for mention in mentions:
        if mention.detector is Detector.REGISTRY:
            by_span.setdefault(mention.span, Candidate(mention.span)).take(mention)
            continue
        for piece in _people(scanned, mention):
            span = trim(scanned, piece, lexicon)
            if span is not None:
                by_span.setdefault(span, Candidate(span)).take(mention)
    return sorted(by_span.values(), key=lambda candidate: (candidate.span.start, candidate.span.end))


def _people(scanned: ScannedText, mention: Mention) -> Iterator[Span]:
    """The span by columns, and cut at commas where the network took several given names for one person."""
    for piece in _columns(scanned.text, mention.span):
        for holder in _holders(scanned, piece):
            if mention.detector is Detector.NER:
                yield from _enumerated_people(scanned, holder)
            else:
                yield holder


@cache
def _account_joint(language: Language) -> re.Pattern[str]:
    return re.compile(rf"[ ]+(?:{any_of(language.name_frames.get('account_joint', ()))})[ ]+", re.IGNORECASE)


def _holders(scanned: ScannedText, span: Span) -> Iterator[Span]:
    """The span cut at what joins the holders of one account: "J BOS E/O MW K BOS"."""
    start = span.start
    if "/" in scanned.text[span.start : span.end]:
        for joint in _account_joint(scanned.language).finditer(scanned.text, span.start, span.end):
            if joint.start() > start:
                yield Span(start, joint.start())
            start = joint.end()
    if start < span.end:
        yield Span(start, span.end)


def _enumerated_people(scanned: ScannedText, span: Span) -> Iterator[Span]:
    """The span cut at each comma behind a given name where another one follows: "Fabian, Storm, Wolf"."""
    start = part_start = span.start
    enumerates = False
    for comma in _COMMA.finditer(scanned.text, span.start, span.end):
        before = scanned.words_in(Span(part_start, comma.start())) if comma.start() > part_start else ()
        following = scanned.index_from(comma.end())
        given_follows = (
            following < len(scanned.words)
            and scanned.words[following].end <= span.end
            and scanned.words[following].facts.given
        )
        if before and given_follows:
            # "Storm, Wolf" alone may be a family name and a given name; behind "Fabian, " it is not.
            enumerated = enumerates and before[0].facts.given and before[0].capitalized
            if enumerated or (len(before) == 1 and _is_only_given(before[0])):
                yield Span(start, comma.start())
                start, enumerates = comma.end(), True
        part_start = comma.end()
    if start < span.end:
        yield Span(start, span.end)


def _is_only_given(word: Word) -> bool:
    facts = word.facts
    return facts.given and facts.given_frequency > 5 * facts.surname_frequency


def _columns(text: str, span: Span) -> Iterator[Span]:
    """The span, cut where a table column or a paragraph ends: no name goes on behind that.

    Behind the apostrophe of a possessive stands what is owned.
    """
    start, end = span.start, span.end
    possessed = _POSSESSED.search(text, start, end)
    if possessed is not None and not any(mark in text[start : possessed.start()] for mark in _QUOTES):
        if text[possessed.end() + 1].isupper():
            yield Span(possessed.end() + 1, end)
        end = possessed.start()
    narrow = _NARROW_COLUMNS.fullmatch(text, start, end) is not None
    for gap in (_NARROW_GAP if narrow else _COLUMN_GAP).finditer(text, start, end):
        if gap.start() > start:
            yield Span(start, gap.start())
        start = gap.end()
    if start < end:
        yield Span(start, end)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """One document's evidence that candidates share."""

    scanned: ScannedText = field(repr=False)
    candidates: Sequence[Candidate] = field(repr=False)
    names: Sequence[tuple[Span, float]] = field(repr=False)  # names of something else, sorted
    name_starts: Sequence[int] = field(repr=False)
    person_votes: Mapping[str, float] = field(repr=False)  # word key -> mean NER confidence where it stands
    name_votes: Mapping[str, float] = field(repr=False)
    strong_counts: Mapping[str, int] = field(repr=False)  # word key -> strong candidates that hold it
    small_counts: Mapping[str, int] = field(repr=False)  # word key -> how often it stands in small letters
    sure_starts: Mapping[int, float] = field(repr=False)  # where candidates begin -> highest confidence
    sure_ends: Mapping[int, float] = field(repr=False)  # where they end -> the same
    first_of_end: Mapping[int, int] = field(repr=False)  # where the surest of them begins that ends there
    particle_counts: Mapping[str, int] = field(repr=False)  # word key -> times with a particle minus without

    @classmethod
    def of(
        cls, scanned: ScannedText, candidates: Sequence[Candidate], recognized: RecognizedText | None
    ) -> "Surroundings":
        persons = [] if recognized is None else [(p.span, p.confidence) for p in recognized.persons]
        names = [] if recognized is None else [(n.span, n.confidence) for n in recognized.names]
        strong: dict[str, int] = defaultdict(int)
        for candidate in candidates:
            if max(candidate.ner, candidate.listed) >= 0.5 or candidate.registered:
                for word in scanned.words_in(candidate.span):
                    if is_name_word(word):
                        strong[word.facts.key] += 1
        starts = [span.start for span, _ in names]
        votes, other_votes = _votes(scanned, persons), _votes(scanned, names)
        small = _small_counts(scanned, candidates)
        sure_starts: dict[int, float] = defaultdict(float)
        sure_ends: dict[int, float] = defaultdict(float)
        first_of_end: dict[int, int] = {}
        for candidate in candidates:
            sure, span = max(candidate.ner, candidate.listed), candidate.span
            sure_starts[span.start] = max(sure_starts[span.start], sure)
            if sure > sure_ends[span.end]:
                sure_ends[span.end], first_of_end[span.end] = sure, span.start
        particles = _particle_counts(scanned, candidates)
        return cls(
            scanned, candidates, names, starts, votes, other_votes, strong, small, sure_starts, sure_ends,
            first_of_end, particles,
        )  # fmt: skip


def _small_counts(scanned: ScannedText, candidates: Sequence[Candidate]) -> Mapping[str, int]:
    """How often each word that a candidate holds with a capital stands in small letters in the document."""
    counts = {
        word.facts.key: 0
        for candidate in candidates
        for word in scanned.words_in(candidate.span)
        if word.capitalized
    }
    for word in scanned.words:
        if word.facts.key in counts and not word.capitalized:
            counts[word.facts.key] += 1
    return counts


def _particle_counts(scanned: ScannedText, candidates: Sequence[Candidate]) -> Mapping[str, int]:
    """For each family name: how often a particle stands before it where that is beyond doubt, minus how often
    none does: behind a given name, an initial, or a title."""
    counts: dict[str, int] = defaultdict(int)
    for candidate in candidates:
        if max(candidate.ner, candidate.listed) < 0.5:
            continue
        words = scanned.words_in(candidate.span)
        if len(words) < 2:
            continue
        first = next((place for place, word in enumerate(words) if not word.facts.particle), 0)
        last = max((place for place, word in enumerate(words) if is_name_word(word)), default=0)
        if first == 0 and last > 0:  # begins with a given name or an initial
            counts[words[last].facts.key] += 1 if words[last - 1].facts.particle else -1
    return counts


def _votes(scanned: ScannedText, spans: Iterable[tuple[Span, float]]) -> Mapping[str, float]:
    """For each word inside one of the spans: the sum of confidences over its occurrences in the document."""
    sums: dict[str, float] = defaultdict(float)
    for span, confidence in spans:
        for word in scanned.words_in(span):
            if word.capitalized and is_name_word(word):
                sums[word.facts.key] += confidence
    if not sums:
        return {}
    counts: dict[str, int] = defaultdict(int)
    for word in scanned.words:
        if word.facts.key in sums:
            counts[word.facts.key] += 1
    return {key: total / max(counts[key], 1) for key, total in sums.items()}
