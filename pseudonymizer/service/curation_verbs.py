"""The verb of the vault service for splitting."""

from pseudonymizer.policy import Verb
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.splits import Split
from pseudonymizer.vault.remote import curation_messages as m


@serve(m.SPLIT, Verb.SEE_NAMES)
def split(session: Session, asked: m.OfSplit) -> Split:
    return session.vault.split(
        project=asked.project, pseudonym=asked.pseudonym, part=asked.part(), purpose=asked.purpose,
        ticket=asked.ticket,
    )  # fmt: skip
