"""Receipts through a vault service; a part of pseudonymizer.vault.remote.client."""

from collections.abc import Sequence

from pseudonymizer.receipts import GivenBack, SentText
from pseudonymizer.vault.remote import receipt_messages as m
from pseudonymizer.vault.remote.connection import VaultConnection


class ReceiptsClient(VaultConnection):
    """A vault service as a ReceiptsApi."""

    def receipt(self, project: str, sent: Sequence[SentText]) -> str:
        return self.ask(m.RECEIPT, m.OfSent(project=project, sent=tuple(sent)))

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
        asked = m.OfReceipt(
            project=project, receipt=receipt, labels=tuple(labels), outputs=tuple(outputs), purpose=purpose,
            ticket=ticket,
        )  # fmt: skip
        return self.ask(m.GIVE_BACK, asked)
