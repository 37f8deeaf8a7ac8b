"""What people decided about mentions and name forms, as it holds among those of one corpus.

Numbers are places of mentions in their order of content, and of forms in the form table.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import combinations, product

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import PartLinks, family_fit, form_fit, given_fit
from linkage.constraints import OF_ACCEPTED, Evidence, reason_apart, suffixes_differ
from linkage.records import DocumentId, NormalizedMention
from linkage.review import Judgement, Verdict, judged_moment

_Pair = tuple[int, int]
_ONE_NAME = 0.5  # structure of two full names that may be one person's
_MAY_BE_ONE = 0.3  # fit of a shorter name that may be a fuller one
_NEVER_COMPARED = frozenset(
    {frozenset({NameKind.GIVEN, NameKind.FAMILY}), frozenset({NameKind.GIVEN, NameKind.INITIALS})}
)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The judgements in force: of several on one pair the latest one.

    accepted and accepted_forms come in the order in which they were decided, those of one moment in the order
    of the pairs.
    """

    accepted: tuple[_Pair, ...] = ()
    rejected: frozenset[_Pair] = frozenset()
    accepted_forms: tuple[_Pair, ...] = ()
    rejected_forms: Mapping[int, frozenset[int]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.accepted or self.rejected or self.accepted_forms or self.rejected_forms)

    @classmethod
    def of(
        cls,
        judgements: Sequence[Judgement],
        mentions: Sequence[NormalizedMention],
        form_of_text: Callable[[str], int | None],
    ) -> "Verdicts":
        """Judgements about what is not in the corpus are left out. form_of_text: the form of a name as
        written; None where the corpus has none.
        """
        if not judgements:
            return cls()
        number_of = {mention.mention_id: number for number, mention in enumerate(mentions)}
        found: tuple[dict[_Pair, tuple[datetime, Verdict]], ...] = ({}, {})
        # Of two of one moment the rejection counts: a wrong merge is the graver fault.
        for judgement in sorted(judgements, key=lambda j: (judged_moment(j), j.verdict is Verdict.REJECT)):
            if judgement.left_mention is not None and judgement.right_mention is not None:
                left, right = number_of.get(judgement.left_mention), number_of.get(judgement.right_mention)
                is_of_forms = False
                if left == right:
                    continue
            elif judgement.left_at is not None:
                continue  # two places that nobody looked up, or that are not here
            else:
                left, right = form_of_text(judgement.left_form), form_of_text(judgement.right_form)
                is_of_forms = True
            if left is not None and right is not None:
                pair = (min(left, right), max(left, right))
                found[is_of_forms][pair] = judged_moment(judgement), judgement.verdict
        of_mentions, of_forms = found
        rejected_forms: dict[int, set[int]] = defaultdict(set)
        for left, right in _with(Verdict.REJECT, of_forms):
            rejected_forms[left].add(right)
            rejected_forms[right].add(left)
        return cls(
            _with(Verdict.ACCEPT, of_mentions),
            frozenset(_with(Verdict.REJECT, of_mentions)),
            _with(Verdict.ACCEPT, of_forms),
            {form: frozenset(others) for form, others in rejected_forms.items()},
        )

    def with_form_links(self, links: dict[int, dict[int, float]]) -> dict[int, dict[int, float]]:
        """Links of forms with those that were judged: 1.0 where accepted, 0.0 where rejected."""
        judged = [(pair, 1.0) for pair in self.accepted_forms]
        judged += [((f, g), 0.0) for f, others in self.rejected_forms.items() for g in others]
        for (left, right), probability in judged:
            if left != right:
                links.setdefault(left, {})[right] = probability
                links.setdefault(right, {})[left] = probability
        return links


def _with(verdict: Verdict, found: Mapping[_Pair, tuple[datetime, Verdict]]) -> tuple[_Pair, ...]:
    return tuple(
        pair for _, pair in sorted((when, pair) for pair, (when, v) in found.items() if v is verdict)
    )


class DifferentNames:
    """Tells whether the names of two forms say that they are two people: NON_LINK, and nothing missing."""

    def __init__(
        self,
        forms: Sequence[NameForm],
        form_links: Mapping[int, Mapping[int, float]],
        part_links: PartLinks,
        review_threshold: float,
    ) -> None:
        self.forms = forms
        self._form_links, self._part_links, self._review = form_links, part_links, review_threshold
        self._known: dict[_Pair, bool] = {}

    def __call__(self, left: int, right: int) -> bool:
        pair = (min(left, right), max(left, right))
        if pair not in self._known:
            self._known[pair] = left != right and self._differ(*pair)
        return self._known[pair]

    def _differ(self, left: int, right: int) -> bool:
        a, b = self.forms[left], self.forms[right]
        if suffixes_differ((a.suffix,), (b.suffix,)):
            return True
        kinds = frozenset({a.kind, b.kind})
        if NameKind.LETTERS in kinds or kinds in _NEVER_COMPARED:
            return False
        if self._form_links.get(left, {}).get(right, 0.0) >= self._review:
            return False
        if kinds == {NameKind.FULL}:
            return family_fit(a, b, self._part_links) * given_fit(a, b, self._part_links) < _ONE_NAME
        return max(form_fit(a, b, self._part_links), form_fit(b, a, self._part_links)) < _MAY_BE_ONE

    def linked_to(self, form: int) -> Iterable[int]:
        """The forms that may be the same name, by the judgement of both as wholes."""
        links = self._form_links.get(form, {})
        return [other for other, probability in links.items() if probability >= self._review]

    def fullest(self, forms: Iterable[int]) -> list[int]:
        """Those of the forms that tell most."""
        found = list(forms)
        most = max((self.forms[form].kind for form in found), default=None)
        return [form for form in found if self.forms[form].kind is most]

    def any_of(self, left: Iterable[int], right: Iterable[int]) -> bool:
        """Whether a fullest form of one differs from a fullest form of the other."""
        return any(self(f, g) for f, g in product(self.fullest(left), self.fullest(right)))


class Unions:
    """Nodes joined by accepted pairs, in their order, as far as nothing holds apart whom a pair would join.

    Besides what is held apart, no two pairs chain two whose names differ: if "P. Jansen" is Pieter, he is not
    Paul as well. Who was accepted under two full names may well have a further form of either.
    """

    def __init__(
        self,
        are_apart: Callable[[int, int], bool],
        differ: Callable[[int, int], bool],
        is_full: Callable[[int], bool],
    ) -> None:
        self._are_apart, self._differ, self._is_full = are_apart, differ, is_full
        self._parent: dict[int, int] = {}
        self._members: dict[int, list[int]] = {}
        self._direct: dict[int, set[int]] = defaultdict(set)

    def root(self, node: int) -> int:
        while (above := self._parent.get(node, node)) != node:
            node = above
        return node

    def members(self, root: int) -> list[int]:
        return self._members.get(root, [root])

    def groups(self) -> dict[int, list[int]]:
        """Those of several nodes, by their smallest."""
        return self._members

    def join_pairs(self, pairs: Sequence[_Pair]) -> list[_Pair]:
        """Join the pairs one after the other; returns those that are not joined."""
        for one, other in pairs:
            self._direct[one].add(other)
            self._direct[other].add(one)
        return [pair for pair in pairs if not self.join(pair, {})]

    def join(self, nodes: Iterable[int], alike: Mapping[int, object]) -> bool:
        """Join all the nodes, or none. alike: what makes equal of nodes that stand alone; they are looked at
        once.
        """
        roots = sorted({self.root(node) for node in nodes})
        looked_at: dict[object, int] = {}
        for root in roots:
            found = self.members(root)
            if len(found) == 1 and root in alike:
                looked_at.setdefault(("alone", alike[root]), root)
            else:
                looked_at.update((("member", node), node) for node in found)
        everybody = list(looked_at.values())
        of = {node: self.root(node) for node in everybody}
        pairs = [(a, b) for a, b in combinations(everybody, 2) if of[a] != of[b]]
        if any(self._are_apart(a, b) for a, b in pairs) or self._chain(pairs, everybody):
            return False
        first = roots[0]
        for root in roots[1:]:
            self._parent[root] = first
            self._members.setdefault(first, [first]).extend(self._members.pop(root, [root]))
        return True

    def _chain(self, pairs: Iterable[_Pair], everybody: Collection[int]) -> bool:
        unsaid = [(a, b) for a, b in pairs if b not in self._direct.get(a, ()) and self._differ(a, b)]
        if not unsaid:
            return False
        # Full names that people said are one person's, though they differ: so may be forms of either.
        inside = set(everybody)
        aliases = [
            (u, v)
            for u in everybody
            for v in self._direct.get(u, set()) & inside
            if self._is_full(u) and self._is_full(v) and self._differ(u, v)
        ]
        return not all(
            any(not self._differ(u, a) and not self._differ(v, b) for u, v in aliases) for a, b in unsaid
        )


class Clusters:
    """Mentions that people said are one person, and which of these clusters they said are two.

    A mention nobody judged is a cluster by itself; the number of a cluster is its first mention.
    """

    def __init__(
        self,
        verdicts: Verdicts,
        mentions: Sequence[NormalizedMention],
        form_of: Sequence[int],
        differ: DifferentNames,
        *,
        without: frozenset[_Pair] = frozenset(),
    ) -> None:
        """without: accepted pairs that are left out, since something holds apart whom they would join."""
        self._verdicts, self._form_of = verdicts, form_of
        self.accepted = [pair for pair in verdicts.accepted if pair not in without]
        direct = frozenset(self.accepted)
        evidence = {m: Evidence.of(mentions[m]) for pair in self.accepted for m in pair}

        def are_apart(left: int, right: int) -> bool:
            pair = (min(left, right), max(left, right))
            if pair in verdicts.rejected or reason_apart(evidence[left], evidence[right], OF_ACCEPTED):
                return True
            if pair not in direct and form_of[right] in verdicts.rejected_forms.get(form_of[left], ()):
                return True
            a, b = mentions[left], mentions[right]
            return b.mention_id in a.context.joined_with or a.mention_id in b.context.joined_with

        unions = Unions(
            are_apart,
            lambda a, b: differ(form_of[a], form_of[b]),
            lambda a: differ.forms[form_of[a]].kind is NameKind.FULL,
        )
        self.refused = unions.join_pairs(self.accepted)
        self.groups = {root: sorted(found) for root, found in unions.groups().items()}
        self._cluster_of = {m: root for root, found in self.groups.items() for m in found}
        self._forms = {root: frozenset(form_of[m] for m in found) for root, found in self.groups.items()}
        self._apart: dict[int, set[int]] = defaultdict(set)
        for left, right in verdicts.rejected:
            a, b = self.of(left), self.of(right)
            self._apart[a].add(b)
            self._apart[b].add(a)

    def of(self, mention: int) -> int:
        return self._cluster_of.get(mention, mention)

    def forms(self, cluster: int) -> frozenset[int]:
        return self._forms.get(cluster) or frozenset((self._form_of[cluster],))

    def apart(self, cluster: int) -> set[int]:
        """Clusters that people said are somebody else, by their mentions."""
        return self._apart.get(cluster, set())

    def forms_apart(self, cluster: int) -> frozenset[int]:
        """Forms that people said are somebody else."""
        if not self._verdicts.rejected_forms:
            return frozenset()
        found = [self._verdicts.rejected_forms.get(form, frozenset()) for form in self.forms(cluster)]
        return frozenset().union(*found)

    def are_apart(self, left: int, right: int) -> bool:
        """Whether people said of two clusters that they are two."""
        if left == right:
            return False
        return right in self.apart(left) or not self.forms_apart(left).isdisjoint(self.forms(right))

    def told(
        self, mentions: Sequence[NormalizedMention], documents: Mapping[DocumentId, Sequence[int]]
    ) -> dict[int, NormalizedMention]:
        """The mentions that people told apart from others of their document, as the text would have it."""
        found: dict[int, NormalizedMention] = {}
        for indexes in documents.values():
            for index in indexes:
                mine = self.of(index)
                if not self.apart(mine) and not self.forms_apart(mine):
                    continue
                others = frozenset(
                    mentions[other].mention_id for other in indexes if self.are_apart(mine, self.of(other))
                )
                if others:
                    context = mentions[index].context
                    found[index] = replace(
                        mentions[index], context=replace(context, joined_with=context.joined_with | others)
                    )
        return found
