"""Identities with their evidence, from the people that clustering put together."""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence, Set

import numpy as np

from linkage.clustering.name_forms import NameForm, NameKind, is_full
from linkage.clustering.people import CorpusPeople, Person
from linkage.linker.forms import FormTable, ScoredPairs
from linkage.linker.judged_persons import JudgedPersons
from linkage.linker.scoring import NameTable
from linkage.linker.thresholds import Bounds
from linkage.records import (
    CandidatePair,
    EntityId,
    FormLink,
    Identity,
    IdentityId,
    LinkDecision,
    MentionId,
    NormalizedMention,
    ScoredLink,
)

# (position of the one form, of the other, match probability of the two) -> what becomes of the pair
Decide = Callable[[int, int, float], LinkDecision]


def form_links(
    table: NameTable, scored: ScoredPairs, texts: Sequence[str], decide: Decide
) -> tuple[FormLink, ...]:
    """The scored pairs as records, in their order. texts: each form as it is told."""
    kinds = table.variant_kinds(scored.left, scored.right)
    ratios = table.partial_ratios(scored.left, scored.right)
    rows = zip(
        scored.left.tolist(), scored.right.tolist(), scored.probabilities.tolist(), kinds, ratios.tolist(),
        strict=True,
    )  # fmt: skip
    return tuple(
        FormLink(texts[left], texts[right], p, decide(left, right, p), kind, ratio)
        for left, right, p, kind, ratio in rows
    )


class ResultBuilder:
    """Turns groups of persons into Identity records; holds what that takes."""

    def __init__(
        self,
        mentions: Sequence[NormalizedMention],
        form_of: Sequence[int],
        forms: Sequence[NameForm],
        table: FormTable,
        name_table: NameTable,
        bounds: Bounds,
    ) -> None:
        self._mentions = mentions
        self._form_of = form_of
        self._forms = forms
        self._table = table
        self._name_table = name_table
        self._bounds = bounds
        self._review = bounds.review
        self._is_full = [is_full(name) for name in table.names]

    def form_links(self, scored: ScoredPairs, texts: Sequence[str]) -> tuple[FormLink, ...]:
        """Every pair of full forms that was judged, also those that disagree."""
        return form_links(self._name_table, scored, texts, self._decision)

    def _decision(self, left: int, right: int, probability: float) -> LinkDecision:
        is_full = self._is_full[left] and self._is_full[right]
        return self._bounds.decide(probability, is_full=is_full)

    def identities(
        self, judged: JudgedPersons, people: CorpusPeople, scored: ScoredPairs
    ) -> tuple[Identity, ...]:
        """Groups that have mentions, numbered by their first mention id.

        Between two groups that people told apart no link is open; one that they accepted and that could not
        be kept is.
        """
        persons = judged.persons
        members: dict[int, list[int]] = {}
        for number, people_of in enumerate(people.groups):
            found = [m for p in people_of.persons for m in persons[p].mentions]
            if found:
                members[number] = found
        ordered = sorted(members, key=lambda g: min(self._mentions[m].mention_id for m in members[g]))
        identity_of = {group: IdentityId(f"p{n:06d}") for n, group in enumerate(ordered, start=1)}
        first_of = {group: self._first_mentions(members[group]) for group in ordered}
        parted = _parted(judged.told_apart, people.group_of)
        inside, between = self._links(first_of, scored, parted)
        candidates: dict[int, tuple[IdentityId, ...]] = {}
        for person, near in people.candidates.items():
            holder = people.group_of[person]
            if holder not in identity_of:
                continue
            told: Set[int] = parted.get(holder, frozenset())
            open_to = {g: p for g, p in near.items() if g in identity_of and g != holder and g not in told}
            ids = {identity_of[g] for g in open_to} | set(candidates.get(holder, ()))
            candidates[holder] = tuple(sorted(ids))
            for other, probability in sorted(open_to.items()):
                self._open_link(holder, other, probability, first_of, between)
        self._keep_open(judged.unheld, members, parted, scored, between)
        return tuple(
            Identity(
                identity_of[group],
                frozenset(self._mentions[m].mention_id for m in members[group]),
                tuple(sorted(inside.get(group, ()), key=lambda s: s.pair)),
                tuple(sorted(between.get(group, {}).values(), key=lambda s: s.pair)),
                candidates.get(group, ()),
                *self._entities(persons, people.groups[group].persons),
            )
            for group in ordered
        )

    def _entities(
        self, persons: Sequence[Person], members: Sequence[int]
    ) -> tuple[EntityId | None, tuple[EntityId, ...]]:
        known = sorted({e for p in members if (e := persons[p].entity) is not None})
        return (known[0], tuple(known[1:])) if known else (None, ())

    def _first_mentions(self, members: Sequence[int]) -> dict[int, MentionId]:
        """The mention that stands for each form of a group: its first; they come in their order."""
        first: dict[int, MentionId] = {}
        for mention in sorted(members):
            first.setdefault(self._form_of[mention], self._mentions[mention].mention_id)
        return first

    def _links(
        self,
        first_of: Mapping[int, Mapping[int, MentionId]],
        scored: ScoredPairs,
        parted: Mapping[int, Set[int]],
    ) -> tuple[dict[int, list[ScoredLink]], dict[int, dict[CandidatePair, ScoredLink]]]:
        """Scored pairs of forms as links between the mentions that stand for them, in groups and between."""
        holders: dict[int, list[int]] = defaultdict(list)
        for group, forms in first_of.items():
            for form in forms:
                holders[form].append(group)
        worth = np.flatnonzero(scored.probabilities >= self._review)
        left, right = scored.left[worth], scored.right[worth]
        kinds = self._name_table.variant_kinds(left, right)
        ratios = self._name_table.partial_ratios(left, right).tolist()
        probabilities = scored.probabilities[worth].tolist()
        inside: dict[int, list[ScoredLink]] = defaultdict(list)
        between: dict[int, dict[CandidatePair, ScoredLink]] = defaultdict(dict)
        for a, b, p, kind, ratio in zip(
            left.tolist(), right.tolist(), probabilities, kinds, ratios, strict=True
        ):
            for g in holders.get(a, ()):
                if b in first_of[g]:
                    decision = self._decision(a, b, p)
                    inside[g].append(_link_of(first_of[g][a], first_of[g][b], p, decision, kind, ratio))
                    continue
                told = parted.get(g, frozenset())
                for h in holders.get(b, ()):
                    if a not in first_of[h] and h not in told:
                        # Between two who are not one person it is a question, however alike their names are.
                        decision = LinkDecision.POSSIBLE_LINK
                        link = _link_of(first_of[g][a], first_of[h][b], p, decision, kind, ratio)
                        between[g][link.pair] = between[h][link.pair] = link
        self._partial_links(first_of, inside)
        return inside, between

    def _partial_links(
        self, first_of: Mapping[int, Mapping[int, MentionId]], inside: dict[int, list[ScoredLink]]
    ) -> None:
        """Shorter forms hang on the fullest form of their group, so that every form of it is linked."""
        for group, forms in first_of.items():
            if len(forms) < 2:
                continue
            fullest = max(forms, key=lambda f: (self._forms[f].kind, len(self._forms[f].given_text), -f))
            linked = {m for link in inside.get(group, ()) for m in (link.pair.left, link.pair.right)}
            for form, mention_id in forms.items():
                if form != fullest and mention_id not in linked:
                    kind = _VARIANT_OF_KIND[self._forms[form].kind]
                    probability = max(self._bounds.shorter, 0.95)
                    inside[group].append(
                        _link_of(forms[fullest], mention_id, probability, LinkDecision.LINK, kind, math.nan)
                    )

    def _open_link(
        self,
        group: int,
        other: int,
        probability: float,
        first_of: Mapping[int, Mapping[int, MentionId]],
        between: dict[int, dict[CandidatePair, ScoredLink]],
    ) -> None:
        form, mine = next(iter(first_of[group].items()))
        theirs = self._fullest(first_of[other])
        kind = _VARIANT_OF_KIND[self._forms[form].kind]
        pair = CandidatePair(min(mine, theirs), max(mine, theirs))
        link = ScoredLink(pair, probability, LinkDecision.POSSIBLE_LINK, kind)
        between[group][pair] = between[other][pair] = link

    def _keep_open(
        self,
        unheld: Sequence[tuple[int, int]],
        members: Mapping[int, Sequence[int]],
        parted: Mapping[int, Set[int]],
        scored: ScoredPairs,
        between: dict[int, dict[CandidatePair, ScoredLink]],
    ) -> None:
        """Accepted pairs that are not one person after all stay a question."""
        if not unheld:
            return
        group_of = {mention: group for group, found in members.items() for mention in found}
        for one, other in unheld:
            group, theirs = group_of[one], group_of[other]
            left, right = sorted(self._mentions[m].mention_id for m in (one, other))
            pair = CandidatePair(left, right)
            if group == theirs or theirs in parted.get(group, ()) or pair in between[group]:
                continue
            forms = sorted((self._form_of[one], self._form_of[other]))
            at = np.flatnonzero((scored.left == forms[0]) & (scored.right == forms[1]))
            probability = float(scored.probabilities[at[0]]) if len(at) else self._review
            link = ScoredLink(pair, max(probability, self._review), LinkDecision.POSSIBLE_LINK)
            between[group][pair] = between[theirs][pair] = link

    def _fullest(self, first: Mapping[int, MentionId]) -> MentionId:
        return first[max(first, key=lambda f: (self._forms[f].kind, -f))]


def _link_of(
    left: MentionId,
    right: MentionId,
    probability: float,
    decision: LinkDecision,
    kind: str | None,
    ratio: float,
) -> ScoredLink:
    pair = CandidatePair(min(left, right), max(left, right))
    return ScoredLink(pair, probability, decision, kind, ratio)


def _parted(told_apart: Mapping[int, Set[int]], group_of: Sequence[int]) -> dict[int, set[int]]:
    """Group -> groups that people told apart from it, from the same of persons."""
    found: dict[int, set[int]] = defaultdict(set)
    for person, others in told_apart.items():
        found[group_of[person]].update(group_of[other] for other in others)
    return found


_VARIANT_OF_KIND = {
    NameKind.LETTERS: "initials",
    NameKind.GIVEN: "given_name",
    NameKind.FAMILY: "surname",
    NameKind.INITIALS: "initials",
    NameKind.FULL: None,
}
