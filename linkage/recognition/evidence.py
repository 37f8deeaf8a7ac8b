"""All that speaks for or against a span being a name of a person, as numbers for the decision model.

A candidate is a span that at least one detector proposed, its ends trimmed. FEATURES names the numbers, in
column order; they are computed from what the detectors said, from the words inside and around the span, and
from what happens to the same words elsewhere in the document.
"""

import bisect
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from linkage.recognition.boundaries import bare_initials_start, initials_start, is_name_word, joins, trim
from linkage.recognition.words import Lexicon, ScannedText, Word
from linkage.records import Detector, Mention, RecognizedText, Span

_PLACE_PREPOSITIONS = frozenset({"in", "te", "naar", "uit", "bij", "rond", "nabij", "richting", "vanuit"})
_COLUMN_GAP = re.compile(r"[ \t]{3,}|\t|\n\s*\n")
_STREET_ENDS = ("straat", "laan", "weg", "plein", "gracht", "kade")
_ARTICLES = frozenset({"de", "het", "een", "dit", "dat", "die", "deze", "geen", "onze", "ons"})


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
        for piece in _columns(scanned.text, mention.span):
            span = trim(scanned, piece, lexicon)
            if span is not None:
                by_span.setdefault(span, Candidate(span)).take(mention)
    return [by_span[span] for span in sorted(by_span)]


def _columns(text: str, span: Span) -> Iterator[Span]:
    """The span, cut where a table column or a paragraph ends: no name goes on behind that."""
    start = span.start
    for gap in _COLUMN_GAP.finditer(text, span.start, span.end):
        if gap.start() > start:
            yield Span(start, gap.start())
        start = gap.end()
    if start < span.end:
        yield Span(start, span.end)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """One document's evidence that candidates share."""

    scanned: ScannedText = field(repr=False)
    candidates: Sequence[Candidate] = field(repr=False)
    names: Sequence[tuple[Span, float]] = field(repr=False)  # names of something else
    person_votes: Mapping[str, float] = field(repr=False)  # word key -> mean NER confidence where it stands
    name_votes: Mapping[str, float] = field(repr=False)
    strong_counts: Mapping[str, int] = field(repr=False)  # word key -> strong candidates that hold it

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
        return cls(scanned, candidates, names, _votes(scanned, persons), _votes(scanned, names), strong)


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


@dataclass(frozen=True, slots=True)
class View:
    """A candidate with its words and neighbours, from which features are read."""

    candidate: Candidate
    around: Surroundings = field(repr=False)
    words: tuple[Word, ...] = field(repr=False)
    cores: tuple[Word, ...] = field(repr=False)
    first: int
    rivals: tuple[Candidate, ...] = field(repr=False)

    @property
    def text(self) -> str:
        return self.around.scanned.text

    def word_before(self, distance: int = 1) -> Word | None:
        """The word that many places before, if no more than a little punctuation lies between."""
        index = self.first - distance
        if index < 0:
            return None
        word = self.around.scanned.words[index]
        between = self.text[word.end : self.candidate.span.start]
        return word if len(between) <= 4 * distance + 8 and "\n\n" not in between else None

    def word_after(self) -> Word | None:
        index = self.around.scanned.index_from(self.candidate.span.end)
        words = self.around.scanned.words
        if index >= len(words) or "\n" in self.text[self.candidate.span.end : words[index].start]:
            return None
        return words[index]

    def mark_before(self) -> str:
        start = self.candidate.span.start
        return self.text[start - 1] if start else "\n"

    def mark_after(self) -> str:
        end = self.candidate.span.end
        return self.text[end] if end < len(self.text) else "\n"


def views(around: Surroundings) -> list[View]:
    """One for each candidate, in order."""
    scanned, found = around.scanned, []
    ordered = around.candidates
    begins = [candidate.span.start for candidate in ordered]
    for place, candidate in enumerate(ordered):
        words = scanned.words_in(candidate.span)
        cores = tuple(word for word in words if is_name_word(word)) or words
        behind = bisect.bisect_left(begins, candidate.span.end)
        rivals = list(ordered[place + 1 : behind])
        rivals += [c for c in ordered[max(0, place - 12) : place] if c.span.overlaps(candidate.span)]
        first = scanned.index_from(candidate.span.start)
        found.append(View(candidate, around, words, cores, first, tuple(rivals)))
    return found


Feature = Callable[[View], float]


def _rival(view: View, confidence: Callable[[Candidate], float], fits: Callable[[Span, Span], bool]) -> float:
    own = view.candidate.span
    return max((confidence(other) for other in view.rivals if fits(own, other.span)), default=0.0)


def _name_overlap(view: View) -> float:
    own = view.candidate.span
    return max((c for span, c in view.around.names if span.overlaps(own)), default=0.0)


def _name_beyond(view: View) -> float:
    """Confidence of another name that holds this span and more: "Jan Voskuillaan" around "Jan"."""
    own = view.candidate.span
    return max(
        (c for span, c in view.around.names if span.contains(own) and len(span) > len(own)), default=0.0
    )


def _log(value: float) -> float:
    return math.log10(1 + value)


def _cue(view: View, kind: str) -> float:
    for distance in (1, 2):
        word = view.word_before(distance)
        if word is not None and kind in word.facts.cues:
            return 1.0 / distance
    return 0.0


def _marker(word: Word | None, kind: str) -> float:
    return float(word is not None and kind in word.facts.markers)


def _title_before(view: View) -> float:
    word = view.word_before()
    return float(word is not None and word.facts.title and not word.all_capitals)


def _before_is(view: View, keys: frozenset[str]) -> float:
    word = view.word_before()
    return float(word is not None and word.surface.lower() in keys)


def _name_goes_on_before(view: View) -> float:
    """Capitalized word, particle or initial right before, so that the span may begin too late."""
    if view.first == 0:
        return 0.0
    scanned = view.around.scanned
    word = scanned.words[view.first - 1]
    gap = view.text[word.end : view.candidate.span.start]
    if gap in {".", ". "} and len(word.surface) <= 3 and word.capitalized:
        return 1.0
    if not joins(gap) or "\n" in gap:
        return 0.0
    if word.facts.particle:
        return 0.5 if not word.capitalized else 0.8
    if word.capitalized and not scanned.starts_sentence(view.first - 1) and not word.facts.title:
        return 0.9
    return 0.4 if word.facts.given and word.capitalized else 0.0


def _name_goes_on_after(view: View) -> float:
    word = view.word_after()
    if word is None:
        return 0.0
    gap = view.text[view.candidate.span.end : word.start]
    if not joins(gap):
        return 0.0
    if word.capitalized:
        return 1.0 if word.facts.surname else 0.8
    return 0.5 if word.facts.particle else 0.0


def _in_address(view: View) -> float:
    """Glued to a mark of e-mail addresses, handles, paths: not a mention."""
    before, after = view.mark_before(), view.mark_after()
    text, end = view.text, view.candidate.span.end
    dotted = after == "." and end + 1 < len(text) and text[end + 1].isalnum() and text[end + 1].islower()
    return float(before in "@/\\_#" or after in "@\\_" or dotted)


def _glued(view: View) -> float:
    before, after = view.mark_before(), view.mark_after()
    return float(before.isalnum()) + 2 * float(after.isalnum())


def _bracket_after(view: View) -> float:
    """What brackets follow: 1 with figures ("Bloem (1960)"), 2 with capitals ("Visser (VVD)"), 3 with other words."""
    text, end = view.text, view.candidate.span.end
    if text[end : end + 2] != " (":
        return 0.0
    inside = text[end + 2 : end + 8]
    if inside[:1].isdigit():
        return 1.0
    return 2.0 if sum(character.isupper() for character in inside) >= 2 else 3.0


def _alone_on_line(view: View) -> float:
    text, span = view.text, view.candidate.span
    line_start = text.rfind("\n", 0, span.start) + 1
    line_end = text.find("\n", span.end)
    line_end = len(text) if line_end < 0 else line_end
    before, after = (
        text[line_start : span.start].strip(" \t-*•>"),
        text[span.end : line_end].strip(" \t,.;:-|"),
    )
    return float(not before) + 2 * float(not after)


def _case(view: View) -> float:
    """0 lower case, 1 mixed, 2 capitalized, 3 all capitals."""
    cores = view.cores
    if not cores:
        return 1.0
    capitals = sum(word.capitalized for word in cores)
    if capitals == 0:
        return 0.0
    if capitals < len(cores):
        return 1.0
    return 3.0 if all(word.all_capitals for word in cores) else 2.0


def _vote(view: View, votes: Mapping[str, float]) -> float:
    return max((votes.get(word.facts.key, 0.0) for word in view.cores), default=0.0)


def _word_share_before(view: View) -> float:
    """Of a capitalized word right before, which may belong to the name; -1 if there is none."""
    if view.first == 0:
        return -1.0
    word = view.around.scanned.words[view.first - 1]
    gap = view.text[word.end : view.candidate.span.start]
    return word.facts.word_share if word.capitalized and joins(gap) else -1.0


def _widest_gap(view: View) -> float:
    """The oddest thing between two words: 0 blank, 1 hyphen, 2 line end, 3 quotes, 4 comma, 5 columns."""
    odd = 0.0
    for left, right in pairwise(view.words):
        gap = view.text[left.end : right.start]
        if gap == " " or gap in {".", ". "}:
            continue
        if gap == "-":
            odd = max(odd, 1.0)
        elif "  " in gap or "\t" in gap or "\n\n" in gap:
            odd = max(odd, 5.0)
        elif "," in gap or ";" in gap or "|" in gap:
            odd = max(odd, 4.0)
        elif "\n" in gap:
            odd = max(odd, 2.0)
        else:
            odd = max(odd, 3.0)
    return odd


def _genitive_known(view: View) -> float:
    """1 if the form without its s stands elsewhere as a strong name, -1 if the form with an s does."""
    last = _last(view)
    if last is None:
        return 0.0
    counts = view.around.strong_counts
    if view.mark_after() == "s":  # cut off here
        return 1.0 if last.facts.key in counts else 0.0
    if last.facts.key.endswith("s") and last.facts.key[:-1] in counts:
        return -1.0
    return 0.0


def _last(view: View) -> Word | None:
    return view.cores[-1] if view.cores else None


def _facts(word: Word | None, read: Callable[[Word], float]) -> float:
    return math.nan if word is None else read(word)


FEATURES: Mapping[str, Feature] = {
    "ner": lambda v: v.candidate.ner,
    "listed": lambda v: v.candidate.listed,
    "consistent": lambda v: v.candidate.consistent,
    "misspelt": lambda v: v.candidate.misspelt,
    "derived": lambda v: v.candidate.derived,
    "derived_around": lambda v: _rival(v, lambda c: c.derived, lambda own, other: other.contains(own)),
    "ner_around": lambda v: _rival(v, lambda c: c.ner, lambda own, other: other.contains(own)),
    "ner_inside": lambda v: _rival(v, lambda c: c.ner, lambda own, other: own.contains(other)),
    "ner_crossing": lambda v: _rival(
        v, lambda c: c.ner, lambda own, other: not own.contains(other) and not other.contains(own)
    ),
    "listed_around": lambda v: _rival(v, lambda c: c.listed, lambda own, other: other.contains(own)),
    "listed_inside": lambda v: _rival(v, lambda c: c.listed, lambda own, other: own.contains(other)),
    "consistent_around": lambda v: _rival(
        v, lambda c: max(c.consistent, c.misspelt), lambda own, other: other.contains(own)
    ),
    "consistent_inside": lambda v: _rival(
        v, lambda c: max(c.consistent, c.misspelt), lambda own, other: own.contains(other)
    ),
    "other_name": _name_overlap,
    "other_name_around": _name_beyond,
    "person_vote": lambda v: _vote(v, v.around.person_votes),
    "other_name_vote": lambda v: _vote(v, v.around.name_votes),
    "strong_elsewhere": lambda v: float(
        max((v.around.strong_counts.get(word.facts.key, 0) for word in v.cores), default=0)
    ),
    "words": lambda v: float(len(v.words)),
    "core_words": lambda v: float(len(v.cores)),
    "letters": lambda v: float(len(v.candidate.span)),
    "case": _case,
    "sentence_start": lambda v: float(
        v.first < len(v.around.scanned.words) and v.around.scanned.starts_sentence(v.first)
    ),
    "word_share_first": lambda v: v.words[0].facts.word_share if v.words else 0.0,
    "word_share_before": _word_share_before,
    "gap": _widest_gap,
    "genitive_known": _genitive_known,
    "word_share_highest": lambda v: max((w.facts.word_share for w in v.cores), default=0.0),
    "word_share_lowest": lambda v: min((w.facts.word_share for w in v.cores), default=0.0),
    "zipf_highest": lambda v: max((w.facts.zipf for w in v.cores), default=0.0),
    "zipf_last": lambda v: _facts(_last(v), lambda w: w.facts.zipf),
    "is_word_last": lambda v: _facts(_last(v), lambda w: float(w.facts.word)),
    "given_first": lambda v: float(bool(v.cores) and v.cores[0].facts.given),
    "given_frequency_first": lambda v: _log(v.cores[0].facts.given_frequency) if v.cores else 0.0,
    "surname_last": lambda v: _facts(_last(v), lambda w: float(w.facts.surname)),
    "surname_frequency_last": lambda v: _facts(_last(v), lambda w: _log(w.facts.surname_frequency)),
    "place": lambda v: sum(w.facts.place for w in v.cores) / max(len(v.cores), 1),
    "organisation": lambda v: sum(w.facts.organisation for w in v.cores) / max(len(v.cores), 1),
    "unknown_words": lambda v: float(sum(not w.facts.given and not w.facts.surname for w in v.cores)),
    "digits": lambda v: float(any(w.has_digit for w in v.words)),
    "particle_inside": lambda v: float(sum(w.facts.particle for w in v.words)),
    "initials_inside": lambda v: float(sum(len(w.surface) == 1 and w.capitalized for w in v.words)),
    "line_break_inside": lambda v: float("\n" in v.candidate.span.cut(v.text)),
    "title_before": _title_before,
    "salutation_before": lambda v: _cue(v, "salutation"),
    "closing_before": lambda v: _cue(v, "closing"),
    "signing_before": lambda v: _cue(v, "signing"),
    "label_before": lambda v: _cue(v, "label"),
    "role_before": lambda v: _cue(v, "role"),
    "speech_after": lambda v: float((w := v.word_after()) is not None and "speech" in w.facts.cues),
    "speech_before": lambda v: _cue(v, "speech"),
    "preposition_before": lambda v: _before_is(v, _PLACE_PREPOSITIONS),
    "article_before": lambda v: _before_is(v, _ARTICLES),
    "organisation_before": lambda v: _marker(v.word_before(), "before_organisation"),
    "organisation_after": lambda v: _marker(v.word_after(), "after_organisation"),
    "work_before": lambda v: _marker(v.word_before(), "before_work"),
    "work_after": lambda v: _marker(v.word_after(), "after_work"),
    "place_before": lambda v: _marker(v.word_before(), "before_place"),
    "disease_or_brand": lambda v: float(
        any(w.facts.markers & {"disease", "eponym_brand", "month_or_day", "nobody"} for w in v.cores)
    ),
    "street_ending": lambda v: float(
        (last := _last(v)) is not None and last.facts.key.endswith(_STREET_ENDS)
    ),
    "number_after": lambda v: float((w := v.word_after()) is not None and w.surface.isdigit()),
    "name_goes_on_before": _name_goes_on_before,
    "name_goes_on_after": _name_goes_on_after,
    "initials_before": lambda v: float(
        initials_start(v.text, v.candidate.span.start) < v.candidate.span.start
        or bare_initials_start(v.around.scanned, v.candidate.span.start) < v.candidate.span.start
    ),
    "hyphen_after": lambda v: float(v.mark_after() == "-"),
    "in_address": _in_address,
    "glued": _glued,
    "alone_on_line": _alone_on_line,
    "bracket_after": _bracket_after,
    "rivals": lambda v: float(len(v.rivals)),
}  # fmt: skip


def feature_values(around: Surroundings) -> npt.NDArray[np.float32]:
    """Shape (n_candidates, n_features); NaN where the span has no word."""
    rows = [[feature(view) for feature in FEATURES.values()] for view in views(around)]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(FEATURES))
