"""Commands make corrected mentions of corrected mentions: pure, one function a command.

A command that shares characters with another mention, or is about what is not there by now, is refused. One
mention may lie inside another where the kind of the outer one may hold the kind of the inner one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Final

from linkage.judgement import Verdict
from linkage.kinds import Kinds
from linkage.mention_review import places
from linkage.records import PERSON, Detector, KindId, Span
from linkage.spans import SpanIndex
from pseudonymizer.desk.commands import (
    Add,
    ChangeKind,
    Confirm,
    Judge,
    Make,
    Merge,
    Narrow,
    Pick,
    Reject,
    RejectForms,
    Split,
    SplitForms,
    Step,
    Widen,
)
from pseudonymizer.desk.corrected import Corrected, CorrectedMention, PairVerdict, in_order, looked_at
from pseudonymizer.errors import CorrectionRefusedError, OutdatedCorrectionError


@dataclass(frozen=True, slots=True)
class Correcting:
    """Corrects mentions of these texts. texts: by name of the document. kinds: those that there are."""

    texts: Mapping[str, str] = field(repr=False)
    kinds: Kinds

    def applied(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        """(what the command makes of the state, how many mentions it changed).

        Raises:
            OutdatedCorrectionError: a mention, person or text of the command is not there by now.
            CorrectionRefusedError: it would overlap another mention, or changes nothing that can be changed.
        """
        return _COMMANDS[type(step.command)](self, state, step)

    # -- mentions --------------------------------------------------------------------------------------------

    def _add(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        kind, first = self._kind(command.kind), Span(command.start, command.end)
        self._refuse_other_text(command.document, first, command.text)
        self._refuse_overlap(state.in_document(command.document), first, kind)
        found = [(command.document, first)]
        if command.everywhere:
            found += self._free_places(state, command, kind)
        mentions, persons, made = dict(state.mentions), dict(state.persons), state.made + 1
        person = f"p{made}"
        for document, span in found:
            made += 1
            key = f"m{made}"
            mentions[key] = CorrectedMention(
                key, document, span, command.text, kind, Detector.REGISTRY, judged=True
            )
            if kind == PERSON:
                persons[key] = person
        return replace(state, mentions=mentions, persons=persons, made=made), len(found)

    def first_free(
        self, state: Corrected, documents: Iterable[str], words: str, kind: str
    ) -> tuple[str, int] | None:
        """(document, place) of the first place in these documents where the words stand as a whole and no
        mention is in the way; None where there is none.

        Raises:
            CorrectionRefusedError: there is no such kind.
        """
        key = self._kind(kind)
        for document in documents:
            mentions = state.in_document(document)
            index = SpanIndex([one.span for one in mentions])
            for start in places(self.texts.get(document, ""), words):
                span = Span(start, start + len(words))
                if not self._in_the_way([mentions[at] for at in index.overlapping(span)], span, key):
                    return document, start
        return None

    def _free_places(self, state: Corrected, command: Add, kind: KindId) -> list[tuple[str, Span]]:
        """Where else the words of the command stand as a whole, and no mention is in the way."""
        by_document: dict[str, list[CorrectedMention]] = {}
        for one in state.mentions.values():
            by_document.setdefault(one.document, []).append(one)
        found: list[tuple[str, Span]] = []
        own = Span(command.start, command.end)
        for document, text in self.texts.items():
            mentions = by_document.get(document, [])
            index = SpanIndex([one.span for one in mentions])
            read_to = 0
            for start in places(text, command.text):
                span = Span(start, start + len(command.text))
                near = [mentions[number] for number in index.overlapping(span)]
                is_own = document == command.document and span.overlaps(own)
                if start < read_to or is_own or self._in_the_way(near, span, kind):
                    continue
                read_to = span.end
                found.append((document, span))
        return found

    def _reject(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        gone = _alike(state, command.mention, everywhere=command.everywhere)
        return _without(state, gone), len(gone)

    def _confirm(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        alike = _alike(state, command.mention, everywhere=command.everywhere)
        return _changed(state, (looked_at(state.mentions[key]) for key in alike)), len(alike)

    def _bound(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        mention, span = state.mention(command.mention), Span(command.start, command.end)
        self._refuse_other_text(mention.document, span, command.text)
        outer, inner = (span, mention.span) if isinstance(command, Widen) else (mention.span, span)
        if span == mention.span or not outer.contains(inner):
            raise CorrectionRefusedError(
                "the new bounds are not wider, or narrower, than those of the mention"
            )
        near = [one for one in state.in_document(mention.document) if one.mention_id != mention.mention_id]
        swallowed = [one.mention_id for one in near if one.kind == mention.kind and span.contains(one.span)]
        self._refuse_overlap([one for one in near if one.mention_id not in swallowed], span, mention.kind)
        new = replace(looked_at(mention), span=span, text=command.text, typo_of=None)
        return _changed(_without(state, swallowed), [new]), 1 + len(swallowed)

    def _change_kind(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        kind = self._kind(command.kind)
        mention = state.mention(command.mention)
        if mention.kind == kind:
            raise CorrectionRefusedError("the mention is of this kind already")
        alike = _alike(state, command.mention, everywhere=command.everywhere)
        changing = set(alike)
        by_document: dict[str, list[CorrectedMention]] = {}
        for one in state.mentions.values():
            if one.mention_id not in changing:
                by_document.setdefault(one.document, []).append(one)
        indexes = {name: SpanIndex([one.span for one in found]) for name, found in by_document.items()}
        for key in alike:
            one = state.mentions[key]
            if (index := indexes.get(one.document)) is not None:
                near = [by_document[one.document][number] for number in index.overlapping(one.span)]
                self._refuse_overlap(near, one.span, kind)
        changed = [replace(looked_at(state.mentions[key]), kind=kind, typo_of=None) for key in alike]
        without = _without(state, alike) if mention.kind == PERSON else state
        new = _changed(without, changed)
        if kind == PERSON:
            person = f"p{new.made + 1}"
            new = replace(new, persons={**new.persons, **dict.fromkeys(alike, person)}, made=new.made + 1)
        return new, len(alike)

    # -- persons ---------------------------------------------------------------------------------------------

    def _pick(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        before = _person(state, command.mention)
        if before == command.person:
            raise CorrectionRefusedError("the mention means this person already")
        state.of_person(command.person)
        apart = _parted(state, (command.mention,), step) if len(state.of_person(before)) > 1 else state
        return _joined(apart, command.person, _person(apart, command.mention), step), 1

    def _make(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        return _parted(state, (command.mention,), step), 1

    def _merge(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        if command.left == command.right:
            raise CorrectionRefusedError("a person cannot be merged with itself; name another one")
        return _joined(state, command.left, command.right, step), len(state.of_person(command.right))

    def _split(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        keys = tuple(dict.fromkeys(command.mentions))
        return _parted(state, keys, step), len(keys)

    def _split_forms(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        going = _named_so(state, command.person, command.forms)
        return _parted(state, going, step), len(going)

    def _reject_forms(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        gone = _named_so(state, command.person, command.forms)
        return _without(state, gone), len(gone)

    def _judge(self, state: Corrected, step: Step) -> tuple[Corrected, int]:
        command: Any = step.command
        left, right = _person(state, command.left), _person(state, command.right)
        if left == right:
            raise CorrectionRefusedError("the mentions mean one person already; split it if that is wrong")
        if command.verdict == Verdict.ACCEPT:
            return _joined(state, left, right, step), len(state.of_person(right))
        first, second = state.mention(command.left), state.mention(command.right)
        rejected = _verdict(first, second, Verdict.REJECT, step)
        return replace(state, verdicts=_with(state.verdicts, [rejected])), 2

    # -- refusals --------------------------------------------------------------------------------------------

    def _kind(self, key: str) -> KindId:
        if key not in self.kinds:
            raise CorrectionRefusedError("there is no kind of this name; see the list of kinds")
        return KindId(key)

    def _refuse_other_text(self, document: str, span: Span, words: str) -> None:
        text = self.texts.get(document)
        if text is None or span.end > len(text) or span.cut(text) != words:
            raise OutdatedCorrectionError(
                f"other words stand at {span.start} to {span.end}; read the text anew"
            )

    def _refuse_overlap(self, mentions: Iterable[CorrectedMention], span: Span, kind: KindId) -> None:
        if self._in_the_way(mentions, span, kind):
            raise CorrectionRefusedError(f"a mention stands between {span.start} and {span.end} already")

    def _in_the_way(self, mentions: Iterable[CorrectedMention], span: Span, kind: KindId) -> bool:
        return any(span.overlaps(one.span) and not self._fits(one, span, kind) for one in mentions)

    def _fits(self, one: CorrectedMention, span: Span, kind: KindId) -> bool:
        """Whether a mention of this kind may stand there beside one with which it shares characters."""
        if span == one.span:
            return False
        if one.span.contains(span):
            return kind in self.kinds[one.kind].holds
        return span.contains(one.span) and one.kind in self.kinds[kind].holds


_COMMANDS: Final[Mapping[type, Callable[[Correcting, Corrected, Step], tuple[Corrected, int]]]] = {
    Add: Correcting._add,
    Reject: Correcting._reject,
    Confirm: Correcting._confirm,
    Widen: Correcting._bound,
    Narrow: Correcting._bound,
    ChangeKind: Correcting._change_kind,
    Pick: Correcting._pick,
    Make: Correcting._make,
    Merge: Correcting._merge,
    Split: Correcting._split,
    SplitForms: Correcting._split_forms,
    RejectForms: Correcting._reject_forms,
    Judge: Correcting._judge,
}


def _alike(state: Corrected, key: str, *, everywhere: bool) -> list[str]:
    """The mention, and where it is meant everywhere those of its kind with the same words."""
    mention = state.mention(key)
    if not everywhere:
        return [key]
    return [
        one.mention_id
        for one in state.mentions.values()
        if one.kind == mention.kind and one.text == mention.text
    ]


def _named_so(state: Corrected, person: str, forms: Collection[str]) -> list[str]:
    """The mentions of a person with one of these words.

    Raises:
        OutdatedCorrectionError: there is none by now.
    """
    wanted = set(forms)
    found = [one.mention_id for one in state.of_person(person) if one.text in wanted]
    if not found:
        raise OutdatedCorrectionError("the person is not named so by now; read the list anew")
    return found


def _changed(state: Corrected, mentions: Iterable[CorrectedMention]) -> Corrected:
    return replace(state, mentions={**state.mentions, **{one.mention_id: one for one in mentions}})


def _without(state: Corrected, gone: Collection[str]) -> Corrected:
    """The state without these mentions. What was decided about one holds for another of its person."""
    left = set(gone)
    stand_ins: dict[str, str] = {}
    for key, person in sorted(state.persons.items(), key=lambda one: in_order(state.mentions[one[0]])):
        if key not in left:
            stand_ins.setdefault(person, key)

    def standing(key: str) -> str | None:
        return key if key not in left else stand_ins.get(state.persons.get(key, ""))

    verdicts: dict[tuple[frozenset[str], Verdict], PairVerdict] = {}
    for one in state.verdicts:
        first, second = standing(one.left), standing(one.right)
        if first is not None and second is not None and first != second:
            verdicts.setdefault(
                (frozenset((first, second)), one.verdict), replace(one, left=first, right=second)
            )
    return replace(
        state,
        mentions={key: one for key, one in state.mentions.items() if key not in left},
        persons={key: person for key, person in state.persons.items() if key not in left},
        verdicts=tuple(verdicts.values()),
    )


def _person(state: Corrected, key: str) -> str:
    state.mention(key)
    person = state.persons.get(key)
    if person is None:
        raise CorrectionRefusedError("the mention names no person")
    return person


def _joined(state: Corrected, left: str, right: str, step: Step) -> Corrected:
    """Two persons as one. What held them apart is taken back. Every mention of either is accepted as the
    other: one pair alone would leave behind mentions in other documents, where the names differ.
    """
    ours, theirs = state.of_person(left), state.of_person(right)
    kept = _without_between(state.verdicts, _keys(ours), _keys(theirs), Verdict.REJECT)
    pairs = [*((one, theirs[0]) for one in ours), *((ours[0], one) for one in theirs[1:])]
    added = [_verdict(left, right, Verdict.ACCEPT, step) for left, right in pairs]
    return replace(
        state,
        persons={**state.persons, **dict.fromkeys(_keys(theirs), left)},
        verdicts=_with(kept, added),
    )


def _parted(state: Corrected, keys: Sequence[str], step: Step) -> Corrected:
    """Mentions of one person as another one. What joined the two is taken back; each stays one by itself,
    since a rejection holds for whoever was accepted as either.
    """
    persons = {_person(state, key) for key in keys}
    if len(persons) > 1:
        raise CorrectionRefusedError("the mentions are of several persons")
    going = set(keys)
    everybody = state.of_person(next(iter(persons)))
    away = [one for one in everybody if one.mention_id in going]
    stay = [one for one in everybody if one.mention_id not in going]
    if not stay:
        raise CorrectionRefusedError("all mentions of the person would go; nobody is left")
    kept = _without_between(state.verdicts, going, _keys(stay), Verdict.ACCEPT)
    apart = _verdict(away[0], stay[0], Verdict.REJECT, step)
    added = [*_one(away, step), *_one(stay, step), apart]
    made = state.made + 1
    return replace(
        state,
        persons={**state.persons, **dict.fromkeys(_keys(away), f"p{made}")},
        verdicts=_with(kept, added),
        made=made,
    )


def _one(mentions: Sequence[CorrectedMention], step: Step) -> list[PairVerdict]:
    """Verdicts that these mentions are of one person, each with the next."""
    return [_verdict(left, right, Verdict.ACCEPT, step) for left, right in pairwise(mentions)]


def _keys(mentions: Iterable[CorrectedMention]) -> list[str]:
    return [one.mention_id for one in mentions]


def _verdict(left: CorrectedMention, right: CorrectedMention, verdict: Verdict, step: Step) -> PairVerdict:
    return PairVerdict(left.mention_id, right.mention_id, verdict, step.moment, step.judge)


def _without_between(
    verdicts: Iterable[PairVerdict], left: Collection[str], right: Collection[str], verdict: Verdict
) -> list[PairVerdict]:
    """The verdicts without those of this sort between the two groups."""
    first, second = set(left), set(right)
    return [
        one for one in verdicts if one.verdict is not verdict or not (one.pair & first and one.pair & second)
    ]


def _with(kept: Iterable[PairVerdict], added: Iterable[PairVerdict]) -> tuple[PairVerdict, ...]:
    """The verdicts with the added ones; the later one about a pair takes the place of the earlier."""
    return tuple({one.pair: one for one in (*kept, *added)}.values())
