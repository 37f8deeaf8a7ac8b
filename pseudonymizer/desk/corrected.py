"""Mentions and verdicts as a person has corrected them, and the files of docs/reference/judgements.md."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from linkage.judgement import Judgement, MentionPlace, Verdict, in_force
from linkage.records import PERSON, Detector, KindId, Span
from pseudonymizer.errors import OutdatedCorrectionError
from pseudonymizer.mention_lines import given_mentions

_OF_LINES: Final = frozenset({"start", "end", "text", "kind", "detector", "confidence", "typo_of", "judged"})


@dataclass(frozen=True, slots=True)
class CorrectedMention:
    """A mention of a document. judged: a person has looked at it. further: other fields of its line."""

    mention_id: str
    document: str = field(repr=False)
    span: Span
    text: str = field(repr=False)
    kind: KindId = PERSON
    detector: Detector = Detector.REGISTRY
    confidence: float = 1.0
    typo_of: str | None = field(default=None, repr=False)
    judged: bool = False
    further: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def place(self) -> MentionPlace:
        """Where it stands, as a judgement says it."""
        return MentionPlace(self.document, self.span.start, self.span.end)


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What was decided about two mentions."""

    left: str
    right: str
    verdict: Verdict
    moment: str = ""
    judge: str = ""

    @property
    def pair(self) -> frozenset[str]:
        """Both mentions, in whatever order."""
        return frozenset((self.left, self.right))


@dataclass(frozen=True, slots=True)
class Corrected:
    """Mentions by id, the person of each that names one, and verdicts. others: verdicts that came with a file
    and name no mention of these, or were superseded there.

    made: how many mentions and persons were made, so that no id comes twice.
    """

    mentions: Mapping[str, CorrectedMention] = field(repr=False)
    persons: Mapping[str, str] = field(default_factory=dict, repr=False)
    verdicts: tuple[PairVerdict, ...] = ()
    others: tuple[Judgement, ...] = field(default=(), repr=False)
    made: int = 0

    def mention(self, mention_id: str) -> CorrectedMention:
        """The mention of this id.

        Raises:
            OutdatedCorrectionError: there is none by now.
        """
        found = self.mentions.get(mention_id)
        if found is None:
            raise OutdatedCorrectionError(
                "a mention of the correction is not there by now; read the text anew"
            )
        return found

    def in_document(self, document: str) -> list[CorrectedMention]:
        """The mentions of a document, in no order."""
        return [one for one in self.mentions.values() if one.document == document]

    def of_person(self, person: str) -> list[CorrectedMention]:
        """The mentions of a person, in the order of documents and places.

        Raises:
            OutdatedCorrectionError: there is no such person by now.
        """
        found = [self.mentions[mention] for mention, one in self.persons.items() if one == person]
        if not found:
            raise OutdatedCorrectionError(
                "a person of the correction is not there by now; read the text anew"
            )
        return sorted(found, key=in_order)

    def lines(self, documents: Iterable[str]) -> Iterator[dict[str, Any]]:
        """A line for each document, in the format of `nymlink detect`, as `run --mentions` reads it."""
        by_document: dict[str, list[CorrectedMention]] = {}
        for one in self.mentions.values():
            by_document.setdefault(one.document, []).append(one)
        for document in documents:
            mentions = sorted(by_document.get(document, ()), key=in_order)
            yield {"doc_id": document, "mentions": [_fields(one) for one in mentions]}

    def judgements(self) -> tuple[Judgement, ...]:
        """All verdicts, as `run --judgements` reads them: first those that came with the files."""
        own = (
            Judgement(
                left.text, right.text, one.verdict, judged_at=one.moment, judge=one.judge,
                left_at=left.place, right_at=right.place,
            )
            for one in self.verdicts
            for left, right in ((self.mentions[one.left], self.mentions[one.right]),)
        )  # fmt: skip
        return (*self.others, *own)


def in_order(mention: CorrectedMention) -> tuple[str, int, int]:
    """What mentions are sorted by: document, start, the wider one first."""
    return mention.document, mention.span.start, -mention.span.end


def corrected(
    lines: Sequence[Mapping[str, Any]],
    persons: Mapping[MentionPlace, str],
    judgements: Iterable[Judgement] = (),
) -> Corrected:
    """The state that lines of `nymlink detect` or `nymlink review`, and judgements, say.

    persons: the person of each mention of one, as it was linked; a mention without one is somebody by itself.

    Raises:
        DocumentError: a line lacks a field, or has one of the wrong type.
    """
    given = given_mentions(lines)
    mentions: dict[str, CorrectedMention] = {}
    of_persons: dict[str, str] = {}
    at: dict[MentionPlace, str] = {}
    for line in lines:
        document = str(line.get("doc_id", ""))
        for raw, one in zip(line.get("mentions", ()), given.get(document, ()), strict=False):
            key = f"m{len(mentions) + 1}"
            further = {name: value for name, value in raw.items() if name not in _OF_LINES}
            mention = CorrectedMention(
                key, document, one.span, one.text, one.kind, one.detector, one.confidence, one.typo_of,
                bool(raw.get("judged", False)), further,
            )  # fmt: skip
            mentions[key], at[mention.place] = mention, key
            if one.kind == PERSON:
                of_persons[key] = persons.get(mention.place, f"p{key}")
    verdicts, others = list[PairVerdict](), list[Judgement]()
    told = tuple(judgements)
    latest = set(in_force(told))
    for judgement in told:
        left, right = (
            None if place is None else at.get(place) for place in (judgement.left_at, judgement.right_at)
        )
        known = judgement in latest and left in of_persons and right in of_persons and left != right
        if (
            known
            and left is not None
            and right is not None
            and _is_about(judgement, mentions[left], mentions[right])
        ):
            verdicts.append(PairVerdict(left, right, judgement.verdict, judgement.judged_at, judgement.judge))
        else:
            others.append(judgement)
    return Corrected(mentions, of_persons, tuple(verdicts), tuple(others), len(mentions))


def _is_about(judgement: Judgement, left: CorrectedMention, right: CorrectedMention) -> bool:
    return (judgement.left_form, judgement.right_form) == (left.text, right.text)


def _fields(one: CorrectedMention) -> dict[str, Any]:
    row: dict[str, Any] = {
        "start": one.span.start, "end": one.span.end, "text": one.text, "kind": str(one.kind),
        "detector": one.detector.value, "confidence": round(one.confidence, 4),
    }  # fmt: skip
    if one.typo_of is not None:
        row["typo_of"] = one.typo_of
    row |= one.further
    if one.judged:
        row["judged"] = True
    return row


def looked_at(mention: CorrectedMention) -> CorrectedMention:
    """The mention as one that a person has confirmed."""
    return replace(mention, confidence=1.0, judged=True)
