"""What the vault asks of a linker, which it is given, and of that linker's index of known people."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol, runtime_checkable

from linkage.records import (
    Beyond,
    Candidates,
    DocumentId,
    KnownIdentity,
    LinkageResult,
    NormalizedMention,
)
from linkage.review import Judgement

MetIn = tuple[str, int, Collection[str]]  # a document, the number of a name, marks


class MentionLinker(Protocol):
    """Decides which mentions are one person, such as linkage.linker.Linker."""

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult: ...


class PeopleIndex(Protocol):
    """Finds the known people whom names may mean, such as linkage.linker.people_index.PeopleIndex."""

    def add(self, number: int, names: Iterable[Sequence[str]], met: Iterable[MetIn]) -> None: ...

    def add_unclear(self, number: int, names: Iterable[Sequence[str]], met: Iterable[MetIn]) -> None: ...

    def candidates(
        self,
        mentions: Iterable[NormalizedMention],
        documents: Iterable[DocumentId] = (),
        names_of: Callable[[int], Iterable[Sequence[str]]] | None = None,
        also_known: Callable[[set[int]], set[int]] = set,
    ) -> Candidates: ...


@runtime_checkable
class CandidateLinker(MentionLinker, Protocol):
    """A linker that needs of the known people only those whom its index finds."""

    def people_index(self) -> PeopleIndex: ...

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
        beyond: Beyond | None = None,
    ) -> LinkageResult: ...
