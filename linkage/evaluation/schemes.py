"""Which kinds are scored, and under which label: each kind by itself, or the labels of a coarser scheme."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from linkage.detection.compiling import compiled_pattern
from linkage.evaluation.marked import PERSON, PERSON_LABELS, Labels
from linkage.kinds import LITERAL, Kinds
from linkage.language import Language
from linkage.texts import KindId

ALL_KINDS = "all"  # the scheme in which each kind is its own label
NUMBER = KindId("NUMBER")
NEVER_MARKED = frozenset({NUMBER, LITERAL})  # found by rule, and not marked by hand (LABELS)


@dataclass(frozen=True)
class Scheme:
    """A scheme of labels. Marks of gold may have a kind of ours, or a label of the scheme.

    label_of: by kind, its label; a kind that is not in it is not scored. A key such as "STREET:post_box"
    stands for the mentions of the kind that the pattern matches; part says which these are. language: has the
    words of such patterns.
    """

    name: str
    kinds: Kinds = field(repr=False)
    label_of: Mapping[str, str]
    language: Language = field(default_factory=partial(Language.load, "nl"), repr=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of their table."""
        return tuple(dict.fromkeys(self.label_of.values()))

    def part(self, kind: str, surface: str) -> str:
        """The part of a kind to which a mention belongs, such as "STREET:post_box"; else the kind."""
        return next((p for p, regex in self._parts.get(kind, ()) if regex.fullmatch(surface)), kind)

    @cached_property
    def _parts(self) -> Mapping[str, list[tuple[str, re.Pattern[str]]]]:
        """By kind, the parts that have a label of their own, with their patterns."""
        parts: dict[str, list[tuple[str, re.Pattern[str]]]] = defaultdict(list)
        for name in self.label_of:
            kind, _, pattern_id = name.partition(":")
            for pattern in self.kinds[KindId(kind)].patterns if pattern_id else ():
                if pattern.id == pattern_id:
                    compiled = compiled_pattern(pattern, self.language, None)
                    if isinstance(compiled, re.Pattern):  # no scheme has a part of a user's kind
                        parts[kind].append((name, compiled))
        return parts

    def label(self, kind: str) -> str | None:
        """The label under which a kind, or a part of one, is scored; None where it is not."""
        if (label := self.label_of.get(kind)) is not None:
            return label
        return kind if _kind(kind) not in self.kinds and kind in self.label_of.values() else None

    def category(self, kind: str) -> str:
        """The category of all kinds of a kind's label; the label itself where they have several."""
        label = self.label(kind)
        found = {self.kinds[_kind(key)].category for key, own in self.label_of.items() if own == label}
        return found.pop() if len(found) == 1 else label or kind

    def is_direct(self, kind: str) -> bool:
        """Whether a kind, or every kind of a label, points to one person by itself."""
        meant = self._kinds_of(kind)
        return bool(meant) and all(self.kinds[_kind(key)].direct for key in meant)

    def may_hold(self, outer: str, inner: str) -> bool:
        """Whether a mention of the inner kind may stand inside one of the outer kind."""
        return _kind(outer) in self.kinds and inner in self.kinds[_kind(outer)].holds

    def only(self, kinds: Collection[str]) -> "Scheme":
        """This scheme, with these kinds and labels alone scored."""
        kept = {
            key: label
            for key, label in self.label_of.items()
            if not {key, _kind(key), label}.isdisjoint(kinds)
        }
        return Scheme(self.name, self.kinds, kept)

    def file_labels(self, people: Collection[str] = PERSON_LABELS) -> Labels:
        """What the labels of files stand for: kinds, labels of the scheme, and the labels of people."""
        of_scheme = {label: label for label in self.label_of.values()}
        of_kinds = {str(key): str(key) for key in self.kinds}
        return Labels().with_labels(of_scheme | dict.fromkeys(people, PERSON) | of_kinds)

    def _kinds_of(self, kind: str) -> tuple[str, ...]:
        if _kind(kind) in self.kinds:
            return (kind,)
        return tuple(key for key, label in self.label_of.items() if label == kind)


def _kind(name: str) -> KindId:
    """The kind of a part such as "STREET:post_box"; any other name is its own."""
    return KindId(name.partition(":")[0])


def scheme_of(kinds: Kinds, name: str) -> Scheme:
    """The scheme of this name: "all", or one of kinds.schemes.

    Raises:
        KeyError: there is none of this name.
    """
    if name == ALL_KINDS:
        return Scheme(name, kinds, {key: str(key) for key in kinds if key != LITERAL})
    labels = kinds.schemes[name]
    return Scheme(name, kinds, {key: label for label, meant in labels.items() for key in meant})
