"""The verbs of the vault service for requests and the list of people."""

from pseudonymizer.policy import Verb
from pseudonymizer.records import AccessRequest, ListedPerson
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.vault.remote import request_messages as m
from pseudonymizer.vault.remote.messages import OfRequest


@serve(m.REQUESTS, Verb.APPROVE, Verb.READ_AUDIT, Verb.REQUEST)
def requests(session: Session, asked: m.OfRequests) -> tuple[AccessRequest, ...]:
    return session.vault.requests(asked.project)


@serve(m.LISTED_PEOPLE, Verb.SEE_NAMES)
def listed_people(session: Session, asked: m.ListedPeople) -> tuple[ListedPerson, ...]:
    return session.vault.listed_people(
        asked.project, purpose=asked.purpose, ticket=asked.ticket, most=asked.most
    )


@serve(m.DENY, Verb.APPROVE)
def deny(session: Session, asked: m.Deny) -> AccessRequest:
    return session.vault.deny(asked.request_id, reason=asked.reason)


@serve(m.WITHDRAW, Verb.REQUEST)
def withdraw(session: Session, asked: OfRequest) -> AccessRequest:
    return session.vault.withdraw(asked.request_id)
