"""The marks of all kinds of one document beside what was found there."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from linkage.evaluation.confusion import Confusion, confusion_of
from linkage.evaluation.marked import PERSON, GoldDocument, GoldMention
from linkage.evaluation.schemes import NEVER_MARKED, Scheme
from linkage.evaluation.span_comparison import SentenceScore, SpanComparison, word_spans
from linkage.records import DocumentId, Span
from linkage.spans import SpanCover, SpanIndex


@dataclass(frozen=True, slots=True, order=True)
class FoundSpan:
    """A span that a program found, and its kind."""

    span: Span
    kind: str = PERSON


def people_of(found: Mapping[DocumentId, Sequence[FoundSpan]]) -> dict[DocumentId, list[Span]]:
    """The found spans of people, by document."""
    return {doc_id: [one.span for one in spans if one.kind == PERSON] for doc_id, spans in found.items()}


@dataclass(frozen=True, slots=True)
class Leak:
    """Letters and digits of some marks. leaked: those that no found span covers.

    left: those that no found span of a direct kind covers: what stays where direct kinds alone are treated.
    """

    letters: int = 0
    leaked: int = 0
    left: int = 0

    def __add__(self, other: "Leak") -> "Leak":
        return Leak(self.letters + other.letters, self.leaked + other.leaked, self.left + other.left)


class KindComparison:
    """One document. marks: those that are scored, with their labels as kinds; gold and found keep theirs.

    marks_inner: whether the gold marks mentions inside others, such as a PERSON inside an EMAIL. Where it
    does so nowhere, a found mention inside another found one that may hold it is not punished.
    """

    def __init__(
        self, gold: GoldDocument, found: Iterable[FoundSpan], scheme: Scheme, *, marks_inner: bool
    ) -> None:
        self.text = gold.document.text
        self.gold, self._document, self._scheme = gold, gold.document, scheme
        self._gold = [
            replace(mark, kind=scheme.part(mark.kind, mark.span.cut(self.text)))
            for mark in (*gold.mentions, *(gold.identifiers or ()))
        ]
        everything = sorted(
            {FoundSpan(one.span, scheme.part(one.kind, one.span.cut(self.text))) for one in found}
        )
        self.found = everything if marks_inner else self._without_extra_inner(everything)
        self._cover = SpanCover(one.span for one in everything if one.kind not in NEVER_MARKED)
        self._direct_cover = SpanCover(one.span for one in everything if scheme.is_direct(one.kind))
        self.words = word_spans(self.text)

    @cached_property
    def by_label(self) -> Mapping[str, SpanComparison]:
        """A comparison for each label that occurs, scored with its own marks and found spans."""
        return self._grouped(self._scheme.label)

    def by_category(self) -> Mapping[str, SpanComparison]:
        """A comparison for each category of scored kinds."""
        return self._grouped(
            lambda kind: None if self._scheme.label(kind) is None else self._scheme.category(kind)
        )

    @cached_property
    def binary(self) -> SpanComparison:
        """All scored marks beside all scored found spans, whatever their kind."""
        groups = self._grouped(lambda kind: None if self._scheme.label(kind) is None else "any")
        return groups.get("any") or SpanComparison(GoldDocument(self._document, ()), ())

    @cached_property
    def labelled(self) -> tuple[tuple[GoldMention, ...], tuple[FoundSpan, ...]]:
        """The scored marks and found spans, with their labels."""
        label = self._scheme.label
        marks = [
            replace(mark, kind=name, entity=None)
            for mark in self._gold
            if (name := label(mark.kind)) is not None
        ]
        spans = [FoundSpan(one.span, name) for one in self.found if (name := label(one.kind)) is not None]
        return tuple(marks), tuple(spans)

    @property
    def marks(self) -> tuple[GoldMention, ...]:
        """The scored marks, with their labels as kinds."""
        return self.labelled[0]

    def confusion(self) -> Confusion:
        """Which label each mark was found under."""
        marks, spans = self.labelled
        return confusion_of(
            [(m.span, m.kind) for m in marks if not m.unsure],
            [(one.span, one.kind) for one in spans],
            [m.span for m in marks if m.unsure],
        )

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the gold mentions, scored or not."""
        return frozenset(mark.kind for mark in self._gold)

    def leak(self, kinds: Collection[str]) -> Leak:
        """Letters of the sure gold mentions of these kinds, scored or not, each letter once."""
        places: set[int] = set()
        for mark in self._gold:
            if not mark.unsure and mark.kind in kinds:
                places |= min(
                    (self._letters(span) for span in mark.accepted),
                    key=lambda letters: (self._open(letters, self._cover), len(letters)),
                )
        return Leak(len(places), self._open(places, self._cover), self._open(places, self._direct_cover))

    def sentences(self) -> SentenceScore:
        """Sentences without an error, over all labels."""
        uncovered = self.binary.uncovered()
        return SentenceScore.of(
            self.text,
            self.binary.required,
            strict=(span for group in self.by_label.values() for span in group.wrong_strict()),
            relaxed=[*uncovered, *self.binary.wrong_relaxed],
            covered=uncovered,
        )

    def _without_extra_inner(self, found: Sequence[FoundSpan]) -> list[FoundSpan]:
        """The found spans without those inside others that overlap no gold mention of their kind."""
        inner = _inner(found, self._scheme)
        marked: dict[str, list[Span]] = defaultdict(list)
        for mark in self._gold:
            marked[mark.kind] += mark.accepted
        covers = {kind: SpanCover(spans) for kind, spans in marked.items()}
        return [
            one for one in found
            if one not in inner or (one.kind in covers and covers[one.kind].overlaps(one.span))
        ]  # fmt: skip

    def _grouped(self, name: Callable[[str], str | None]) -> dict[str, SpanComparison]:
        marks: dict[str, list[GoldMention]] = defaultdict(list)
        spans: dict[str, list[Span]] = defaultdict(list)
        unsure = [replace(mark, entity=None) for mark in self._gold if mark.unsure]
        for mark in self._gold:
            if not mark.unsure and (group := name(mark.kind)) is not None:
                marks[group].append(replace(mark, entity=None))
        for one in self.found:
            if (group := name(one.kind)) is not None:
                spans[group].append(one.span)
        return {
            group: SpanComparison(GoldDocument(self._document, (*marks[group], *unsure)), spans[group])
            for group in sorted(marks.keys() | spans.keys())
        }

    def _letters(self, span: Span) -> set[int]:
        return {place for place in range(span.start, span.end) if self.text[place].isalnum()}

    @staticmethod
    def _open(places: Collection[int], cover: SpanCover) -> int:
        return sum(not cover.overlaps(Span(place, place + 1)) for place in places)


@dataclass(frozen=True, slots=True)
class KindComparisons:
    """The compared documents, and the scheme with the kinds that are scored."""

    scheme: Scheme
    documents: tuple[KindComparison, ...]


def compare_kinds(
    gold: Sequence[GoldDocument], found: Mapping[DocumentId, Sequence[FoundSpan]], scheme: Scheme
) -> KindComparisons:
    """Each gold document beside what was found in it; a document that is not in found has nothing.

    Documents whose gold marks people alone are left out where others mark more; where all do, people alone
    are scored. Kinds that are never marked by hand (NUMBER) are scored only where the gold marks them all the
    same.
    """
    documents = [g for g in gold if g.identifiers is not None]
    if documents:
        marked = {m.kind for g in documents for m in (*g.mentions, *(g.identifiers or ()))}
        unmarked = {kind for kind in NEVER_MARKED if marked.isdisjoint({kind, scheme.label(kind)})}
        scored = scheme.only({*scheme.label_of} - unmarked)
    else:
        documents, scored = list(gold), scheme.only({PERSON})
    inner = marks_inner(documents, scored)
    return KindComparisons(
        scored,
        tuple(
            KindComparison(g, found.get(g.document.doc_id, ()), scored, marks_inner=inner) for g in documents
        ),
    )


def marks_inner(gold: Iterable[GoldDocument], scheme: Scheme) -> bool:
    """Whether some gold mention stands inside another one of a kind that may hold it."""
    return any(
        _inner(sorted({FoundSpan(m.span, m.kind) for m in (*g.mentions, *(g.identifiers or ()))}), scheme)
        for g in gold
    )


def _inner(spans: Sequence[FoundSpan], scheme: Scheme) -> set[FoundSpan]:
    """The spans that lie inside a longer one of a kind that may hold them."""
    index = SpanIndex([one.span for one in spans])
    return {
        one
        for one in spans
        for outer in (spans[number] for number in index.overlapping(one.span))
        if outer.span != one.span and outer.span.contains(one.span) and scheme.may_hold(outer.kind, one.kind)
    }
