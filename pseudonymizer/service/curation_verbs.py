"""The verbs of the vault service for splitting and relinking."""

from pseudonymizer.errors import ServiceError
from pseudonymizer.policy import Verb
from pseudonymizer.relinks import Relinked
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.splits import Split
from pseudonymizer.vault.remote import curation_messages as m


@serve(m.SPLIT, Verb.SEE_NAMES)
def split(session: Session, asked: m.OfSplit) -> Split:
    return session.vault.split(
        project=asked.project, pseudonym=asked.pseudonym, part=asked.part(), purpose=asked.purpose,
        ticket=asked.ticket,
    )  # fmt: skip


@serve(m.RELINK, Verb.RELINK)
def relink(session: Session, asked: m.OfRelink) -> Relinked:
    if session.linker is None:
        raise ServiceError("this vault service was started without a linker and links nothing")
    linker = session.linker
    return session.vault.relink(
        asked.project, asked.how, linker=lambda: linker, registered=asked.people(), purpose=asked.purpose,
        ticket=asked.ticket,
    )  # fmt: skip
