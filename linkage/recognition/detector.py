"""Detection: network, lists, consistency and typing errors together; one call for many documents."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from linkage.detection.text_view import TextView
from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.pieces import CutText
from linkage.recognition.boundaries import is_name_word
from linkage.recognition.combine import SURE_AGAIN, combine, strong_mentions, with_support
from linkage.recognition.consistency import exact_hits, spread
from linkage.recognition.evidence import Candidate, Surroundings, collect
from linkage.recognition.features import feature_values
from linkage.recognition.genitives import without_genitives
from linkage.recognition.kind_consistency import spread_identifiers
from linkage.recognition.known_names import KnownNames
from linkage.recognition.network_decision import scorer_of
from linkage.recognition.read_ahead import ReadAhead, Recognizer
from linkage.recognition.sure_spans import sure_spans
from linkage.recognition.typos import TypoFinder
from linkage.recognition.variants import derived_candidates
from linkage.recognition.windows import MOST_LETTERS, batches, joined, windows
from linkage.recognition.words import Lexicon, ScannedText
from linkage.records import PERSON, Detector, Document, Mention, RecognizedSpan, RecognizedText, Span, fold
from linkage.settings import RecognitionSettings
from linkage.spans import lie_inside

_STRONG = 0.5
_SUPPORT_OF_LIKELY = 0.7


class NamesFinder(Protocol):
    """The lists and the registry: linkage.recognition.names_list.NamesList, or a fake in tests."""

    def find(self, document: Document, recognized: RecognizedText, cut: CutText) -> tuple[Mention, ...]: ...
    def denied(self, document: Document, cut: CutText | None = None) -> tuple[Span, ...]: ...
    def always(self, document: Document, cut: CutText | None = None) -> tuple[Span, ...]: ...


class Scorer(Protocol):
    """The decision model, or a fake in tests."""

    @property
    def acceptance(self) -> float: ...
    def probabilities(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]: ...


@dataclass(slots=True)
class DetectionState:
    """One document on its way through detection. All spans are places in the readable view of its text."""

    document: Document
    view: TextView = field(repr=False)
    readable: Document
    recognized: RecognizedText
    scanned: ScannedText = field(repr=False)
    found: list[Mention] = field(repr=False)
    denied: tuple[Span, ...]
    always: tuple[Span, ...] = ()  # that are a mention whatever the decision model says
    others: tuple[Span, ...] = ()  # in which nothing of any kind is
    candidates: list[Candidate] = field(default_factory=list, repr=False)
    known_words: frozenset[str] = field(default=frozenset(), repr=False)  # that the candidates follow from
    known_names: tuple[tuple[Span, str | None], ...] = field(default=(), repr=False)  # that hold these words


class MentionDetector:
    """Finds the mentions of people in documents. Load once; detect as often as needed."""

    def __init__(
        self,
        recognizer: Recognizer,
        names: NamesFinder,
        lexicon: Lexicon,
        typo_finder: TypoFinder,
        scorer: Scorer,
        settings: RecognitionSettings,
    ) -> None:
        self._recognizer = recognizer
        self._names = names
        self._lexicon = lexicon
        self._typo_finder = typo_finder
        self._scorer = scorer
        self._settings = settings

    @classmethod
    def load(cls, settings: RecognitionSettings, gazetteer: Gazetteer) -> Self:
        """Load the shipped models and lists, or those that settings name.

        A language without a decision model is decided by its network's probabilities.

        Raises:
            ModelNotFoundError, ModelDamagedError, FeatureMismatchError, GazetteerError
        """
        # Imported here, because they bring torch.
        from linkage.recognition.names_list import NamesList
        from linkage.recognition.stanza_ner import StanzaRecognizer

        lexicon = Lexicon(gazetteer)
        return cls(
            ReadAhead(StanzaRecognizer.load(settings, with_tokens=False)),
            NamesList.load(gazetteer, settings),
            lexicon,
            TypoFinder.load(lexicon, settings, gazetteer),
            scorer_of(gazetteer.language, settings.ner_model),
            settings,
        )

    def with_lists(self, settings: RecognitionSettings, gazetteer: Gazetteer) -> Self:
        """A detector with the user's lists of other settings, over the same models.

        Raises:
            GazetteerError: a file of a list cannot be read.
        """
        from linkage.recognition.names_list import NamesList

        return type(self)(
            self._recognizer, NamesList.load(gazetteer, settings), self._lexicon, self._typo_finder,
            self._scorer, settings,
        )  # fmt: skip

    def read_ahead(self, documents: Sequence[Document]) -> None:
        """Let the network read these in one go, before each is searched by itself; see ReadAhead.read."""
        if isinstance(self._recognizer, ReadAhead):
            self._recognizer.read([_readable(document)[1] for document in documents])

    def detect(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        """The mentions of people in each document, in input order, sorted by span, never overlapping.

        searched: is called with 1 for each document, in input order, as soon as it is searched.
        """
        return tuple(
            tuple(mention for mention in found if mention.kind == PERSON)
            for found in self.detect_kinds(documents, searched=searched)
        )

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        """The mentions of people, and of every other kind that the network tells, sorted by span.

        Mentions of people never overlap one another, nor do those of other kinds; a mention of another kind
        may hold, or cut, one of a person. searched: as in detect.
        """
        results: list[tuple[Mention, ...]] = []
        for batch in batches(documents):
            if len(batch) == 1 and len(batch[0].text) > MOST_LETTERS:
                results.append(self._detect_large(batch[0]))
                if searched is not None:
                    searched(1)
            else:
                results += self._detect_batch(batch, searched)
        return tuple(results)

    def _detect_large(self, document: Document) -> tuple[Mention, ...]:
        """The mentions of a document that is searched in windows."""
        parts: list[tuple[int, tuple[Mention, ...]]] = []
        denied: list[Span] = []
        for start, window in windows(document):
            parts.append((start, self._detect_batch([window], None)[0]))
            view, shown = _readable(window)
            found = (view.span(one.start, one.end) for one in self._names.denied(shown))
            denied += [Span(start + one.start, start + one.end) for one in found]
        return joined(document, parts, denied)

    def prepare(
        self, documents: Sequence[Document], searched: Callable[[int], None] | None = None
    ) -> list[DetectionState]:
        """Everything before the decision: what the detectors found, and the candidates. For training, too."""
        states = self._start(documents)
        for state in states:
            self.propose(state, strong_mentions(state.found, least_confidence=_STRONG))
            if searched is not None:
                searched(1)
        return states

    def _start(self, documents: Sequence[Document]) -> list[DetectionState]:
        views = [_readable(document) for document in documents]
        states: list[DetectionState] = []
        recognized_texts = self._recognizer.recognize([shown for _, shown in views])
        for document, (view, shown), recognized in zip(documents, views, recognized_texts, strict=True):
            cut = CutText.of(shown.text)
            scanned = self._lexicon.scan(shown.text, recognized, cut)
            recognized = without_genitives(scanned, recognized)
            found = [
                Mention.at(shown, person.span, detector=Detector.NER, confidence=person.confidence)
                for person in recognized.persons
            ]
            found += self._names.find(shown, recognized, cut)
            strong = strong_mentions(found, least_confidence=SURE_AGAIN)
            likely = strong_mentions(found, least_confidence=_STRONG)
            sure = sure_spans(scanned, strong, self._lexicon.knowledge, likely)
            always = tuple(dict.fromkeys((*self._names.always(shown, cut), *sure.names)))
            denied = (*self._names.denied(shown, cut), *sure.others)
            states.append(
                DetectionState(document, view, shown, recognized, scanned, found, denied, always, sure.others)
            )
        return states

    def propose(self, state: DetectionState, strong: Sequence[Mention]) -> None:
        """Set the candidates that follow from the strong mentions."""
        known = _known_names(state.scanned, strong)
        state.known_words = frozenset(known.words)
        state.known_names = _places(strong)
        if self._settings.find_typing_errors:
            self._typo_finder.set_apart_misspelt(known)
        proposed = list(state.found)
        hits = exact_hits(state.scanned, known)
        proposed += spread(
            state.readable, strong, self._lexicon, scanned=state.scanned, known=known, hits=hits
        )
        if self._settings.find_typing_errors:
            misspelt = self._typo_finder.find(
                state.readable, strong, state.recognized, scanned=state.scanned, known=known, hits=hits
            )
            proposed += misspelt
            proposed += _right_forms(state, strong, misspelt)
        candidates = collect(state.scanned, proposed, self._lexicon)
        there = {candidate.span for candidate in candidates}
        candidates += [Candidate(span, listed=_STRONG) for span in set(state.always) - there]
        candidates += derived_candidates(state.scanned, candidates, self._lexicon)
        state.candidates = sorted(candidates, key=lambda one: (one.span.start, one.span.end))

    def _detect_batch(
        self, documents: Sequence[Document], searched: Callable[[int], None] | None
    ) -> list[tuple[Mention, ...]]:
        states = self.prepare(documents, searched)
        chosen = self._decide(states)
        # Again from what was decided: a name that was doubtful at first now supports its other occurrences,
        # and what only followed from a false one falls.
        changed = []
        for place, (state, mentions) in enumerate(zip(states, chosen, strict=True)):
            if (
                _places(mentions) != state.known_names
                and _known_names(state.scanned, mentions).words.keys() != state.known_words
            ):
                self.propose(state, mentions)
                changed.append(place)
        again = self._decide([states[place] for place in changed])
        for place, mentions in zip(changed, again, strict=True):
            chosen[place] = mentions
        return [self._finish(state, mentions) for state, mentions in zip(states, chosen, strict=True)]

    def _decide(self, states: Sequence[DetectionState]) -> list[tuple[Mention, ...]]:
        """Score the candidates of all documents in one go, and pick."""
        values = [
            feature_values(Surroundings.of(state.scanned, state.candidates, state.recognized))
            for state in states
        ]
        if not values:
            return []
        probabilities = self._scorer.probabilities(np.concatenate(values))
        cuts = np.cumsum([len(rows) for rows in values])[:-1]
        acceptance = self._scorer.acceptance
        return [
            combine(
                state.readable,
                state.candidates,
                with_support(
                    state.candidates, part, state.readable.text, Language.load(state.document.language)
                ),
                acceptance=acceptance,
                denied=state.denied,
                always=state.always,
            )
            for state, part in zip(states, np.split(probabilities, cuts), strict=True)
        ]

    def _finish(self, state: DetectionState, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Back to places in the text as read, with the corrections of names that occur only misspelt."""
        finished = []
        for mention in mentions:
            typo_of = mention.typo_of
            if self._settings.find_typing_errors and typo_of is None:
                typo_of = self._typo_finder.correct(state.readable, mention, state.scanned)
            finished.append(
                Mention.at(
                    state.document,
                    state.view.span(mention.span.start, mention.span.end),
                    detector=mention.detector,
                    confidence=mention.confidence,
                    typo_of=typo_of,
                    person_id=mention.person_id,
                )
            )
        finished += [
            Mention.at(
                state.document,
                state.view.span(seen.span.start, seen.span.end),
                detector=Detector.NER,
                confidence=seen.confidence,
                kind=seen.kind,
            )
            for seen in self._identifiers(state, mentions)
            if seen.kind is not None
        ]
        return tuple(sorted(finished, key=lambda mention: mention.span))

    def _identifiers(self, state: DetectionState, persons: Sequence[Mention]) -> Sequence[RecognizedSpan]:
        """The identifiers of other kinds than persons, in the readable view."""
        taken = [mention.span for mention in persons]
        # "Oosterwijck" in a name with an estate is no place.
        inside = lie_inside(
            [one.span for one in state.recognized.identifiers], (*state.always, *state.others)
        )
        found = [one for one, lies in zip(state.recognized.identifiers, inside, strict=True) if not lies]
        return (
            spread_identifiers(state.scanned, found, taken) if self._settings.document_consistency else found
        )


def _known_names(scanned: ScannedText, mentions: Sequence[Mention]) -> KnownNames:
    """The words of the mentions. A misspelt form counts only where its right form is not among them."""
    known = KnownNames.of(scanned, (mention for mention in mentions if mention.typo_of is None))
    for mention in mentions:
        if mention.typo_of is not None and not any(
            fold(part) in known.words for part in re.split(r"[\s-]+", mention.typo_of)
        ):
            known.add(scanned, mention.span, confidence=mention.confidence)
    return known


def _places(mentions: Sequence[Mention]) -> tuple[tuple[Span, str | None], ...]:
    """All of mentions that _known_names reads their words from."""
    return tuple([(mention.span, mention.typo_of) for mention in mentions])


def _right_forms(state: DetectionState, right: Sequence[Mention], wrong: Sequence[Mention]) -> list[Mention]:
    """Of the right mentions those unknown words that also occur misspelt: what is written twice is a name."""
    meant = {fold(part) for mention in wrong for part in re.split(r"[\s-]+", mention.typo_of or "")}
    return [
        Mention.at(state.readable, mention.span, detector=Detector.TYPO, confidence=_SUPPORT_OF_LIKELY)
        for mention in right
        if any(word.facts.key in meant for word in state.scanned.words_in(mention.span))
        and _is_unknown(state.scanned, mention.span)
    ]


def _is_unknown(scanned: ScannedText, span: Span) -> bool:
    """Whether every name word in span has a capital inside a sentence and is in no dictionary."""
    words = [word for word in scanned.words_in(span) if is_name_word(word)]
    return bool(words) and all(
        word.capitalized
        and word.start not in scanned.sentence_starts
        and not (word.facts.word or word.facts.place or word.facts.organisation)
        for word in words
    )


def _readable(document: Document) -> tuple[TextView, Document]:
    """The readable view of a document, and the document with the text of it."""
    view = TextView.of(document.text, Language.load(document.language))
    return view, replace(document, text=view.text)
