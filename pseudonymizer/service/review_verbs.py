"""The verbs of the vault service for the review of runs."""

from pseudonymizer.policy import Verb
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.vault.remote import messages
from pseudonymizer.vault.remote import review_messages as m


@serve(m.KEEP_OPEN_LINKS, Verb.PSEUDONYMIZE)
def keep_open_links(session: Session, asked: m.KeepOpenLinks) -> messages.Nothing:
    session.vault.keys_of(asked.project)
    session.vault.keep_open_links(asked.project, asked.found)
    return messages.Nothing()


@serve(m.KEPT_LINKS, Verb.SEE_NAMES)
def kept_links(session: Session, asked: m.OfOutputs) -> m.SentLinks:
    outputs = [sent.output() for sent in asked.outputs]
    return m.SentLinks.of(session.vault.kept_links(asked.project, outputs))


@serve(m.FORGET_OPEN_LINKS, Verb.SEE_NAMES)
def forget_open_links(session: Session, asked: m.OfOutputs) -> int:
    outputs = [sent.output() for sent in asked.outputs]
    return session.vault.forget_open_links(asked.project, outputs)
