"""What the vault asks of a linker, which it is given, and of that linker's index of known people; and what it
gives a linker of them.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol, runtime_checkable

from linkage.records import (
    Beyond,
    Candidates,
    KnownIdentity,
    LinkageResult,
    NormalizedMention,
)
from linkage.review import Judgement
from linkage.text_forms import TextForms
from pseudonymizer.records import KnownCandidates

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

    def add(self, number: int, names: Sequence[tuple[str, ...]], met: Sequence[MetIn]) -> None: ...

    def add_unclear(self, number: int, names: Sequence[tuple[str, ...]], met: Sequence[MetIn]) -> None: ...

    def candidates(
        self,
        text: TextForms,
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


class KnownSource(Protocol):
    """The known people of one project, fetched by the names of a text: the same for a vault in this process,
    a vault service, and whatever links with what comes of it.
    """

    def candidates(self, forms: TextForms) -> KnownCandidates:
        """Those whom the names of a text may mean, as the stores have them now, and counts of the others.

        Everybody, without counts, where they are few or where forms ask for everybody.

        Raises:
            AccessRefusedError: on record; what was not committed is rolled back.
        """
        ...


class KnownApi(Protocol):
    """Known people as a vault gives them to a linker."""

    def known_source(self, project: str, *, linker: Callable[[], MentionLinker]) -> KnownSource:
        """The known people of a project. The linker, whose index finds them, is for a vault in this process:
        a service has its own.
        """
        ...
