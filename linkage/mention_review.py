"""Mentions before anything is written: a person confirms, rejects, widens and adds; each step can be undone.

Pure logic; showing text and asking is the command line's part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from linkage.errors import InvalidRecordError
from linkage.records import Detector, Span


@dataclass(frozen=True, slots=True)
class ReviewedMention:
    """A mention in the document of this name, as detection writes it; judged: a person has looked at it."""

    document: str = field(repr=False)
    span: Span
    text: str = field(repr=False)
    detector: Detector = Detector.NER
    confidence: float = 1.0
    typo_of: str | None = field(default=None, repr=False)
    judged: bool = False


@dataclass(frozen=True, slots=True)
class _Step:
    """How to take a decision back: the mentions as they were, and the place in the row."""

    mentions: tuple[ReviewedMention, ...]
    position: int


class MentionReview:
    """Walks through mentions that are less sure than sure_from, document after document."""

    def __init__(
        self, texts: Mapping[str, str], mentions: Sequence[ReviewedMention], *, sure_from: float = 0.9
    ) -> None:
        """texts: document name -> text. Mentions that do not stand in their text are kept and not shown."""
        self._texts = texts
        self._mentions = tuple(sorted(mentions, key=_order))
        self._waiting = tuple(
            m for m in self._mentions if m.confidence < sure_from and not m.judged and self._stands(m)
        )
        self._position = 0
        self._steps: list[_Step] = []

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def position(self) -> int:
        return self._position

    @property
    def mentions(self) -> tuple[ReviewedMention, ...]:
        """All mentions with what was decided, in the order of documents and places."""
        return self._mentions

    def current(self) -> ReviewedMention | None:
        """The mention to be judged now; None when all are done. What a wider one has swallowed is passed."""
        while self._position < len(self._waiting):
            mention = self._waiting[self._position]
            if mention in self._mentions:
                return mention
            self._position += 1
        return None

    def context(self, mention: ReviewedMention, *, reach: int = 60) -> tuple[str, str, str]:
        """What stands before a mention, the mention, and what stands after, each on one line."""
        text = self._texts[mention.document]
        start, end = mention.span.start, mention.span.end
        parts = (text[max(0, start - reach) : start], text[start:end], text[end : end + reach])
        return parts[0].replace("\n", " "), parts[1].replace("\n", " "), parts[2].replace("\n", " ")

    def confirm(self) -> None:
        mention = self._required()
        self._replace({mention: replace(mention, confidence=1.0, judged=True)})

    def reject(self) -> None:
        self._replace({self._required(): None})

    def skip(self) -> None:
        self._required()
        self._replace({})

    def widen(self, wanted: str) -> bool:
        """Make the current mention the nearest place of wanted that holds it; False if there is none."""
        mention = self._required()
        text = self._texts[mention.document]
        starts = [s for s in places(text, wanted) if Span(s, s + len(wanted)).contains(mention.span)]
        if not starts:
            return False
        span = Span(starts[0], starts[0] + len(wanted))
        swallowed: dict[ReviewedMention, ReviewedMention | None] = {
            other: None
            for other in self._mentions
            if other.document == mention.document and other.span.overlaps(span) and other != mention
        }
        wider = ReviewedMention(mention.document, span, span.cut(text), mention.detector, 1.0, judged=True)
        self._replace({**swallowed, mention: wider})
        return True

    def add(self, document: str, wanted: str) -> int:
        """Mark every free place of wanted in a document as a mention; returns how many."""
        return self._add([document], wanted)

    def add_everywhere(self, wanted: str) -> int:
        """Mark every free place of wanted in all documents, as add does in one; returns how many."""
        return self._add(list(self._texts), wanted)

    def _add(self, documents: Sequence[str], wanted: str) -> int:
        taken: dict[str, list[Span]] = {}
        for mention in self._mentions:
            taken.setdefault(mention.document, []).append(mention.span)
        added: list[ReviewedMention] = []
        for document in documents:
            own = taken.setdefault(document, [])
            for start in places(self._texts.get(document, ""), wanted):
                span = Span(start, start + len(wanted))
                if not any(span.overlaps(other) for other in own):
                    own.append(span)
                    added.append(ReviewedMention(document, span, wanted, Detector.REGISTRY, 1.0, judged=True))
        if added:
            self._steps.append(_Step(self._mentions, self._position))
            self._mentions = tuple(sorted([*self._mentions, *added], key=_order))
        return len(added)

    def undo(self) -> bool:
        """Take the last step back; False when there is none."""
        if not self._steps:
            return False
        step = self._steps.pop()
        self._mentions, self._position = step.mentions, step.position
        return True

    def _required(self) -> ReviewedMention:
        mention = self.current()
        if mention is None:
            raise InvalidRecordError(f"all {len(self)} mentions are judged; nothing is left to decide")
        return mention

    def _replace(self, changes: Mapping[ReviewedMention, ReviewedMention | None]) -> None:
        self._steps.append(_Step(self._mentions, self._position))
        changed = (changes.get(m, m) if m in changes else m for m in self._mentions)
        self._mentions = tuple(sorted((m for m in changed if m is not None), key=_order))
        self._position += 1

    def _stands(self, mention: ReviewedMention) -> bool:
        text = self._texts.get(mention.document)
        return text is not None and mention.span.cut(text) == mention.text


def _order(mention: ReviewedMention) -> tuple[str, Span]:
    return mention.document, mention.span


def places(text: str, wanted: str) -> list[int]:
    """Where wanted stands in a text as a whole, not inside a longer word; places may share characters."""
    found: list[int] = []
    start = text.find(wanted) if wanted.strip() else -1
    while start >= 0:
        end = start + len(wanted)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not (before.isalnum() and wanted[0].isalnum()) and not (after.isalnum() and wanted[-1].isalnum()):
            found.append(start)
        start = text.find(wanted, start + 1)
    return found
