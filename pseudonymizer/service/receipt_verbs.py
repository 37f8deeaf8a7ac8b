"""The verbs of the vault service for receipts."""

from pseudonymizer.policy import Verb
from pseudonymizer.receipts import GivenBack
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.vault.remote import receipt_messages as m


@serve(m.RECEIPT, Verb.PSEUDONYMIZE)
def receipt(session: Session, asked: m.OfSent) -> str:
    return session.vault.receipt(asked.project, asked.sent)


@serve(m.GIVE_BACK, Verb.GIVE_BACK)
def give_back(session: Session, asked: m.OfReceipt) -> GivenBack:
    return session.vault.give_back(
        project=asked.project, receipt=asked.receipt, labels=asked.labels, outputs=asked.outputs,
        purpose=asked.purpose, ticket=asked.ticket,
    )  # fmt: skip
