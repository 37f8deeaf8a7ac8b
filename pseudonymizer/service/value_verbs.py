"""The verbs of the vault service for values of other kinds than persons."""

from collections.abc import Sequence
from dataclasses import replace

from pseudonymizer.policy import Verb
from pseudonymizer.records import ErasureReceipt, LookupResult
from pseudonymizer.service.calls import Session, serve
from pseudonymizer.values import Candidate, ErasurePlan, Value
from pseudonymizer.vault.assigning.value_assignment import HowToLabel, assign_values
from pseudonymizer.vault.assigning.value_surrogates import CandidatesWantedError
from pseudonymizer.vault.remote import messages
from pseudonymizer.vault.remote import value_messages as m


@serve(m.ASSIGN_VALUES, Verb.PSEUDONYMIZE)
def assign(session: Session, asked: m.AssignValues) -> m.ValuesAssigned:
    """Candidates are the client's: where some are missing nothing is stored, and it is told which."""
    sent = None if asked.candidates is None else {row.asked.key: row.found() for row in asked.candidates}

    def candidates(wanted: Sequence[tuple[Value, int]]) -> list[list[Candidate]]:
        known = sent or {}
        if missing := [one for one in wanted if one not in known]:
            raise CandidatesWantedError(missing)
        return [known[one] for one in wanted]

    ask = None if sent is None else candidates
    how = HowToLabel(asked.by_kind(), ask, asked.avoid_tags, asked.deterministic)
    try:
        found = assign_values(session.vault, asked.project, [row.met() for row in asked.values], how)
    except CandidatesWantedError as error:
        session.vault.rollback()
        rows = tuple(m.AskedRow(value.kind, value.normal, attempt) for value, attempt in error.wanted)
        return m.ValuesAssigned(wanted=rows)
    return m.ValuesAssigned(assigned=found)


@serve(m.PLANNED_ERASURE, Verb.ERASE)
def planned_erasure(session: Session, asked: m.PlanErasure) -> ErasurePlan:
    """Paths as they are shown: the name of a file need not be Unicode."""
    found = session.vault.planned_erasure(
        asked.project, asked.what, purpose=asked.purpose, ticket=asked.ticket
    )
    return replace(found, paths=tuple(path.encode("utf-8", "replace").decode() for path in found.paths))


@serve(m.TREATMENT_KEY, Verb.PSEUDONYMIZE)
def treatment_key(session: Session, asked: messages.OfProject) -> bytes:
    session.vault.keys_of(asked.project)
    return session.vault.treatment_key(asked.project)


@serve(m.LOOKUP_VALUE, Verb.LOOKUP)
def lookup(session: Session, asked: m.OfValue) -> LookupResult:
    """Paths as they are shown: the name of a file need not be Unicode."""
    found = session.vault.lookup_value(
        project=asked.project, value=asked.value, purpose=asked.purpose, ticket=asked.ticket
    )
    return replace(found, paths=tuple(path.encode("utf-8", "replace").decode() for path in found.paths))


@serve(m.ERASE_VALUES, Verb.ERASE)
def erase(session: Session, asked: m.OfValues) -> ErasureReceipt:
    return session.vault.erase_values(
        project=asked.project, values=asked.values, purpose=asked.purpose, ticket=asked.ticket
    )


@serve(m.STORED_VALUE_LABELS, Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.REVEAL)
def stored_labels(session: Session, asked: messages.OfStyle) -> tuple[str, ...]:
    return session.vault.stored_value_labels(asked.project, asked.style)
