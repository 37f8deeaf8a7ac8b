"""A candidate with its words, neighbours and rivals: a span is read once, for all features and decisions."""

import bisect
from array import array
from collections.abc import Iterator, Sequence

from linkage.recognition.boundaries import is_name_word
from linkage.recognition.enumerations import listing
from linkage.recognition.evidence import Candidate, Surroundings
from linkage.recognition.words import ScannedText, Word
from linkage.records import Span

_MOST_RIVALS_BEFORE = 12


class SpanView:
    """A span of a text with its words and neighbours: read once, whatever detectors say of it."""

    __slots__ = (
        "after", "before", "before_last", "cores", "end", "first", "last_core", "mark_after", "mark_before",
        "previous", "previous_gap", "scanned", "start", "text", "values", "words",
    )  # fmt: skip

    def __init__(self, scanned: ScannedText, span: Span) -> None:
        self.scanned, self.text = scanned, scanned.text
        self.start, self.end = span.start, span.end
        self.words = scanned.words_in(span)
        self.cores = tuple([word for word in self.words if is_name_word(word)]) or self.words
        self.last_core = self.cores[-1] if self.cores else None
        self.first = scanned.index_from(self.start)
        self.mark_before = self.text[self.start - 1] if self.start else "\n"
        self.mark_after = self.text[self.end] if self.end < len(self.text) else "\n"
        self.values: array[float] | None = None  # of features that read no more than this
        self._read_neighbours(scanned)

    def __repr__(self) -> str:
        return f"SpanView({self.start}..{self.end})"

    def _read_neighbours(self, scanned: ScannedText) -> None:
        words, text = scanned.words, self.text
        # The word right before, whatever lies between; before and before_last only if that is little.
        self.previous: Word | None = words[self.first - 1] if self.first else None
        self.previous_gap = text[self.previous.end : self.start] if self.previous else ""
        self.before = self._near(self.previous, 12)
        self.before_last = self._near(words[self.first - 2] if self.first > 1 else None, 16)
        index = self.first + len(self.words)
        following = words[index] if index < len(words) else None
        if following is not None and "\n" in text[self.end : following.start]:
            following = None
        self.after = following

    def _near(self, word: Word | None, most_letters: int) -> Word | None:
        if word is None or self.start - word.end > most_letters or "\n\n" in self.text[word.end : self.start]:
            return None
        return word


class CandidateView:
    """A candidate in its place; of its rivals the highest confidence of each detector."""

    __slots__ = (
        "around", "candidate", "consistent_around", "consistent_inside", "derived_around", "end",
        "listed_around", "listed_inside", "listing", "ner_around", "ner_crossing", "ner_inside", "other_name",
        "other_name_around", "place", "rivals", "start",
    )  # fmt: skip

    def __init__(self, candidate: Candidate, around: Surroundings, rivals: Sequence[Candidate]) -> None:
        scanned, span = around.scanned, candidate.span
        self.candidate, self.around = candidate, around
        self.start, self.end = span.start, span.end
        place = scanned.views.get(span)
        if place is None:
            place = scanned.views[span] = SpanView(scanned, span)
        self.place = place
        self.listing = listing(
            scanned.text, self.start, self.end, scanned.language, sure_starts=around.sure_starts,
            sure_ends=around.sure_ends, first_of_end=around.first_of_end,
        )  # fmt: skip
        self.rivals = len(rivals)
        self._read_rivals(rivals)
        self.other_name, self.other_name_around = self._names_over()

    def __repr__(self) -> str:
        return f"CandidateView({self.start}..{self.end})"

    def _read_rivals(self, rivals: Sequence[Candidate]) -> None:
        self.ner_around = self.listed_around = self.consistent_around = self.derived_around = 0.0
        self.ner_inside = self.listed_inside = self.consistent_inside = self.ner_crossing = 0.0
        own_start, own_end = self.start, self.end
        for other in rivals:
            start, end = other.span.start, other.span.end
            if start <= own_start and own_end <= end:
                self.ner_around = max(self.ner_around, other.ner)
                self.listed_around = max(self.listed_around, other.listed)
                self.consistent_around = max(self.consistent_around, other.consistent, other.misspelt)
                self.derived_around = max(self.derived_around, other.derived)
            elif own_start <= start and end <= own_end:
                self.ner_inside = max(self.ner_inside, other.ner)
                self.listed_inside = max(self.listed_inside, other.listed)
                self.consistent_inside = max(self.consistent_inside, other.consistent, other.misspelt)
            else:
                self.ner_crossing = max(self.ner_crossing, other.ner)

    def _names_over(self) -> tuple[float, float]:
        """Highest confidence of a name of something else that overlaps, and of one that holds it and more."""
        overlap = beyond = 0.0
        names = self.around.names
        place = bisect.bisect_left(self.around.name_starts, self.end)
        for span, confidence in reversed(names[max(0, place - 3) : place]):
            if span.end > self.start:
                overlap = max(overlap, confidence)
                if span.start <= self.start and self.end <= span.end and len(span) > self.end - self.start:
                    beyond = max(beyond, confidence)
        return overlap, beyond


def views(around: Surroundings) -> Iterator[CandidateView]:
    """One for each candidate, in order."""
    ordered = around.candidates
    begins = [candidate.span.start for candidate in ordered]
    for place, candidate in enumerate(ordered):
        span: Span = candidate.span
        rivals = list(ordered[place + 1 : bisect.bisect_left(begins, span.end)])
        rivals += [
            other
            for other in ordered[max(0, place - _MOST_RIVALS_BEFORE) : place]
            if other.span.end > span.start
        ]
        yield CandidateView(candidate, around, rivals)
