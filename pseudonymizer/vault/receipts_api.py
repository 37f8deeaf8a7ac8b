"""What a VaultApi has for receipts; a part of pseudonymizer.vault.api."""

from collections.abc import Sequence
from typing import Protocol

from pseudonymizer.receipts import GivenBack, SentText


class ReceiptsApi(Protocol):
    """Receipts: the way back to what the caller sent himself, without an approver, on record."""

    def receipt(self, project: str, sent: Sequence[SentText]) -> str:
        """Text with which this actor, for 24 hours, gets back what he sent. The vault keeps nothing of it."""
        ...

    def give_back(
        self,
        *,
        project: str,
        receipt: str,
        labels: Sequence[str],
        outputs: Sequence[bytes] = (),
        purpose: str = "",
        ticket: str = "",
    ) -> GivenBack:
        """What a receipt gives for these labels, as they are stored, and for outputs with these digests.

        Labels of other requests, and of those who were erased, are left out. Commits. Raises
        ReceiptInvalidError, on record, for a receipt that is expired, of another actor or project, altered,
        or none at all.
        """
        ...
