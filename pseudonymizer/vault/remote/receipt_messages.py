"""The verbs of the vault service for receipts; as pseudonymizer.vault.remote.messages."""

from typing import Final

from pseudonymizer.receipts import GivenBack, SentText
from pseudonymizer.vault.remote.messages import OfProject, WireVerb


class OfSent(OfProject, frozen=True, kw_only=True):
    sent: tuple[SentText, ...]


class OfReceipt(OfProject, frozen=True, kw_only=True):
    """outputs: digests of outputs. purpose: may be empty, for the caller sent all of it himself."""

    receipt: str
    labels: tuple[str, ...]
    outputs: tuple[bytes, ...] = ()
    purpose: str = ""
    ticket: str = ""


RECEIPT: Final = WireVerb("receipt", OfSent, str)
GIVE_BACK: Final = WireVerb("give_back", OfReceipt, GivenBack)
