"""Mentions, people and open questions of a corrected state, as they are shown: pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from linkage.judgement import MentionPlace
from pseudonymizer.desk.corrected import Corrected, CorrectedMention, in_order
from pseudonymizer.desk.correction_answered import FormShown, LinkShown, MentionShown, PersonShown

_MOST_MENTIONS: Final = 500  # of a person in one answer
_MOST_FORMS: Final = 100

Link = tuple[tuple[str, int, int], tuple[str, int, int], float]


def shown(state: Corrected, mention: CorrectedMention) -> MentionShown:
    """A mention as it is shown."""
    return MentionShown(
        mention.mention_id, mention.document, mention.span.start, mention.span.end, mention.text,
        str(mention.kind), mention.detector.value, round(mention.confidence, 4), mention.judged,
        state.persons.get(mention.mention_id),
    )  # fmt: skip


def mentions_of(state: Corrected, documents: Sequence[str]) -> list[CorrectedMention]:
    """The mentions of these documents, in their order and that of each text."""
    place = {document: number for number, document in enumerate(documents)}
    found = [one for one in state.mentions.values() if one.document in place]
    return sorted(found, key=lambda one: (place[one.document], in_order(one)))


def unsure(state: Corrected, *, sure_from: float) -> list[CorrectedMention]:
    """The mentions that nobody has looked at and that are less sure, the least sure first."""
    found = [one for one in state.mentions.values() if not one.judged and one.confidence < sure_from]
    return sorted(found, key=lambda one: (one.confidence, in_order(one)))


def open_links(state: Corrected, links: Iterable[Link]) -> Iterator[LinkShown]:
    """The links between two persons that nobody has judged, in their order, one for each pair of persons."""
    told = tuple(links)
    if not told:
        return
    at = {one.place: one for one in state.mentions.values() if one.mention_id in state.persons}
    judged: set[frozenset[str | None]] = set()
    for verdict in state.verdicts:
        judged.add(frozenset(state.persons.get(one) for one in (verdict.left, verdict.right)))
    for left_place, right_place, probability in told:
        left, right = at.get(MentionPlace(*left_place)), at.get(MentionPlace(*right_place))
        if left is None or right is None:
            continue
        pair = frozenset((state.persons.get(left.mention_id), state.persons.get(right.mention_id)))
        if len(pair) == 2 and pair not in judged:
            judged.add(pair)
            yield LinkShown(shown(state, left), shown(state, right), probability)


def people(
    state: Corrected,
    links: Iterable[Link],
    files: Mapping[str, Sequence[str]],
    stretch: slice = slice(None),
) -> list[PersonShown]:
    """The people, those with most open links first, then those with most mentions.

    files: documents by file. stretch: which of them, in that order; the others cost little.
    """
    file_of = {document: file for file, documents in files.items() for document in documents}
    open_of: Counter[str | None] = Counter()
    for link in open_links(state, links):
        open_of.update((link.left.person, link.right.person))
    by_person: defaultdict[str, list[CorrectedMention]] = defaultdict(list)
    for key, person in state.persons.items():
        by_person[person].append(state.mentions[key])

    def rank(person: str) -> tuple[int, int, str]:
        mentions = by_person[person]
        return -open_of[person], -len(mentions), min(mentions, key=in_order).mention_id

    found = []
    for person in sorted(by_person, key=rank)[stretch]:
        mentions = sorted(by_person[person], key=in_order)
        forms = Counter(one.text for one in mentions)
        found.append(
            PersonShown(
                person, tuple(FormShown(text, count) for text, count in forms.most_common(_MOST_FORMS)),
                tuple(one.mention_id for one in mentions[:_MOST_MENTIONS]), len(mentions),
                tuple(dict.fromkeys(file_of[one.document] for one in mentions if one.document in file_of)),
                open_of[person],
            )
        )  # fmt: skip
    return found
