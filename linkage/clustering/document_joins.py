"""The joins that make mentions of one document one person, each with its probability."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.nodes import Node

OfForms = Callable[[int, int], float]


class Join(NamedTuple):
    """Two ends that are one person. An end is the number of a mention, or -1 - number of a known person.

    is_full: both names are full. Then link_threshold decides about the join, else short_name_threshold.
    """

    left: int
    right: int
    probability: float
    is_full: bool


class DocumentJoins:
    """Joins, and in left_two pairs of full names that the document did not join, with what the names say.

    Nodes are told by their numbers (linkage.clustering.nodes).
    """

    def __init__(self, forms: Sequence[NameForm]) -> None:
        self.joins: list[Join] = []
        self.left_two: list[Join] = []
        self._forms = forms
        self._nodes: Sequence[Node] = ()

    def note_nodes(self, nodes: Sequence[Node]) -> None:
        """Mentions of one node are one person: by name and evidence, or because the text says so."""
        self._nodes = nodes
        for node in nodes:
            first = node.mentions[0]
            self.joins += [Join(first, other, 1.0, is_full=True) for other in node.mentions[1:]]

    def note_merges(self, merges: Iterable[tuple[int, int, float]]) -> None:
        """Pairs of nodes of one kind whose groups joined, with the mean probability."""
        self.joins += [self._between(left, right, probability) for left, right, probability in merges]

    def note_attached(self, node: int, group: Sequence[int], probability: float, fit: OfForms) -> None:
        """A shorter name joins a group: by that name of it that fits best, a full one before others."""

        def rank(member: int) -> tuple[bool, float, int]:
            other = self._nodes[member]
            best = max(fit(f, g) for f in self._fullest(node) for g in other.forms)
            return other.kind is NameKind.FULL and best > 0, best, -member

        self.joins.append(self._between(node, max(group, key=rank), probability))

    def note_left_two(self, pairs: Iterable[tuple[int, int]], scored: OfForms) -> None:
        """Pairs of nodes of one kind that could have joined, and did not; shorter names are not noted."""
        for left, right in pairs:
            if self._nodes[left].kind is NameKind.FULL:
                best = max(scored(f, g) for f in self._fullest(left) for g in self._fullest(right))
                self.left_two.append(self._between(left, right, best))

    def _fullest(self, node: int) -> list[int]:
        found = self._nodes[node]
        return [form for form in found.forms if self._forms[form].kind is found.kind]

    def _between(self, left: int, right: int, probability: float) -> Join:
        a, b = self._nodes[left], self._nodes[right]
        return Join(a.mentions[0], b.mentions[0], probability, a.kind is b.kind is NameKind.FULL)
