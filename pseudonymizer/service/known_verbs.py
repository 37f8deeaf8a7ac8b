"""The verb of the vault service that fetches known people."""

from pseudonymizer.errors import ServiceError
from pseudonymizer.policy import Verb
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.vault.remote import known_messages as m


@serve(m.CANDIDATES, Verb.SEE_NAMES)
def candidates(session: Session, asked: m.OfForms) -> m.SentCandidates:
    if session.linker is None:
        raise ServiceError("this vault service was started without a linker and finds nobody by a name")
    linker = session.linker
    known = session.vault.known_source(asked.project, linker=lambda: linker)
    return m.SentCandidates.of(known.candidates(asked.forms()))
