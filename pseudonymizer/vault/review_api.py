"""What a VaultApi has for the review of runs; a part of pseudonymizer.vault.api."""

from collections.abc import Sequence
from typing import Protocol

from linkage.records import DocumentId
from pseudonymizer.open_links import KeptLinks, OpenLinks, RunOutput
from pseudonymizer.records import Rewrite


class ReviewApi(Protocol):
    """What runs leave for review."""

    def keep_open_links(self, project: str, found: OpenLinks) -> None:
        """Keep what a linkage result leaves for review, until it is forgotten or erased; its mentions are
        assigned by then.
        """
        ...

    def kept_links(self, project: str, outputs: Sequence[RunOutput]) -> KeptLinks:
        """The open links that runs left, between mentions of the originals of these outputs. On record;
        commits.
        """
        ...

    def reviewed_rewrites(
        self, project: str, outputs: Sequence[bytes], doc_ids: Sequence[DocumentId | None] = ()
    ) -> tuple[Rewrite | None, ...]:
        """What undoes these outputs, for the words around an open link. On record; commits. A service refuses
        it: there, who reviews may not restore.
        """
        ...

    def forget_open_links(self, project: str, outputs: Sequence[RunOutput]) -> int:
        """Keep no more what runs left for review of the originals of these outputs; returns of how many
        something was kept. Commits.
        """
        ...
