"""The verbs of an open vault for receipts; a part of pseudonymizer.vault.vault."""

from collections.abc import Sequence

from pseudonymizer.receipts import GivenBack, SentText
from pseudonymizer.vault.request_verbs import RequestsVault
from pseudonymizer.vault.ways_back import receipts


class ReceiptsVault(RequestsVault):
    """An open vault as a ReceiptsApi."""

    def receipt(self, project: str, sent: Sequence[SentText]) -> str:
        """Text with which this actor, for 24 hours, gets back what he sent."""
        return receipts.receipt(self, project=project, sent=sent)

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
        """What a receipt gives for these labels and outputs."""
        return receipts.give_back(
            self, project=project, receipt=receipt, labels=labels, outputs=outputs, purpose=purpose,
            ticket=ticket,
        )  # fmt: skip
