"""Records of linking a whole project anew: what one go over everything finds otherwise."""

from dataclasses import dataclass, field
from enum import StrEnum


class ChangeKind(StrEnum):
    """What is otherwise."""

    MERGE = "merge"  # these pseudonyms are one person
    UNMERGE = "unmerge"  # these were linked as one person, and are two
    SPLIT = "split"  # mentions of the first are the second's, or somebody new's
    OPEN = "open"  # a question between the two that was not open


@dataclass(frozen=True, slots=True)
class RelinkedPerson:
    """Somebody of a change. pseudonyms: none of who is made only when the change is applied. name: the
    fullest one, where names were asked for.
    """

    pseudonyms: tuple[str, ...]
    name: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class RelinkChange:
    """One thing that is otherwise. mentions: of a split, how many are the second person's. probability: of an
    open link that was scored, in [0, 1].
    """

    kind: ChangeKind
    people: tuple[RelinkedPerson, ...]
    mentions: int = 0
    probability: float | None = None


@dataclass(frozen=True, slots=True)
class Relinked:
    """What linking a project anew found. people, mentions: how many it looked at."""

    changes: tuple[RelinkChange, ...]
    people: int
    mentions: int
    is_applied: bool = False

    @property
    def counts(self) -> dict[ChangeKind, int]:
        """How many changes of each kind there are."""
        return {kind: sum(change.kind is kind for change in self.changes) for kind in ChangeKind}


@dataclass(frozen=True, slots=True)
class HowToRelink:
    """apply: make the changes, instead of listing them alone. names: list the people with their names, for
    who may see names.
    """

    apply: bool = False
    names: bool = False
