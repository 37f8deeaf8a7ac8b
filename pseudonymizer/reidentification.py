"""The way back: request, approve, grant, reveal, restore, lookup. On record before any name leaves.

In library mode whoever calls this holds the keys: roles and grants are guard rails. Behind `nymlink vault
serve`, under another user of the operating system, they are a boundary. Each function takes a vault that is
open here, or the client of such a service.
"""

from collections.abc import Mapping, Sequence

from linkage.records import DocumentId, PersonName
from pseudonymizer.policy import Verb
from pseudonymizer.records import AccessRequest, LookupResult, RevealedName, Rewrite
from pseudonymizer.values import Value
from pseudonymizer.vault.api import NameJudge, VaultApi


def reveal(
    vault: VaultApi,
    *,
    project: str,
    pseudonyms: Sequence[str],
    purpose: str,
    ticket: str = "",
    grant: str | None = None,
) -> Mapping[str, RevealedName]:
    """The names behind pseudonyms, by the pseudonyms as they are stored. All or none.

    Raises:
        AccessRefusedError and its children, UnknownPseudonymError; each is on record.
    """
    return vault.reveal(project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket, grant=grant)


def stored_forms(
    vault: VaultApi,
    *,
    project: str,
    labels: Sequence[str],
    purpose: str,
    ticket: str = "",
    grant: str | None = None,
) -> Mapping[str, str]:
    """The fullest name by pseudonym, for text that was edited since; labels that the project lacks are left
    out.
    """
    return vault.stored_forms(project=project, labels=labels, purpose=purpose, ticket=ticket, grant=grant)


def stored_addresses(
    vault: VaultApi, *, project: str, labels: Sequence[str], purpose: str, ticket: str = ""
) -> Mapping[str, tuple[str, ...]]:
    """The e-mail addresses that each of these pseudonyms stood for in rewritten files; labels that the
    project lacks are left out.
    """
    return vault.stored_addresses(project=project, labels=labels, purpose=purpose, ticket=ticket)


def restore(
    vault: VaultApi,
    *,
    project: str,
    outputs: Sequence[bytes],
    purpose: str,
    ticket: str = "",
    grant: str | None = None,
    doc_ids: Sequence[DocumentId | None] = (),
) -> tuple[Rewrite | None, ...]:
    """What undoes each of these files, found by their bytes; None for one that is unknown or was edited
    since. doc_ids, one a file, choose between documents whose outputs are equal.

    Edits of people who were erased are missing: their pseudonyms stay in the text.
    """
    return vault.restore(
        project=project, outputs=outputs, purpose=purpose, ticket=ticket, grant=grant, doc_ids=doc_ids
    )


def lookup(
    vault: VaultApi,
    *,
    project: str,
    name: PersonName | str,
    purpose: str,
    ticket: str = "",
    judge: NameJudge | None = None,
) -> LookupResult:
    """The pseudonyms and documents of a given name: for access and erasure requests of the person it names.

    judge: finds people with other names who may be meant; a service that links has its own.

    A full PersonName is found by the blind index; text is compared with every stored form, which takes about
    ten seconds a million people. The name does not enter the audit.
    """
    return vault.lookup(project=project, name=name, purpose=purpose, ticket=ticket, judge=judge)


def lookup_value(
    vault: VaultApi, *, project: str, value: Value, purpose: str, ticket: str = ""
) -> LookupResult:
    """The pseudonyms and documents of a value of another kind than persons, given in its normal form or in a
    spelling that was met. The value does not enter the audit.
    """
    return vault.lookup_value(project=project, value=value, purpose=purpose, ticket=ticket)


def request(
    vault: VaultApi,
    *,
    project: str,
    pseudonyms: Sequence[str],
    purpose: str,
    legal_basis: str = "",
    ticket: str = "",
    action: Verb = Verb.REVEAL,
) -> AccessRequest:
    """Ask for names. Others approve; then a grant can be had."""
    return vault.request(
        project=project, pseudonyms=pseudonyms, purpose=purpose, legal_basis=legal_basis, ticket=ticket,
        action=action,
    )  # fmt: skip


def request_restore(
    vault: VaultApi,
    *,
    project: str,
    outputs: Sequence[bytes],
    purpose: str,
    legal_basis: str = "",
    ticket: str = "",
) -> AccessRequest:
    """Ask for the originals of exactly these files, given by their bytes; the grant then is for restore.

    Raises:
        UnknownPseudonymError: none of the files is an output of this project as it was written.
    """
    return vault.request_restore(
        project=project, outputs=outputs, purpose=purpose, legal_basis=legal_basis, ticket=ticket
    )


def approve(vault: VaultApi, request_id: int) -> AccessRequest:
    """Approve someone's request; one's own only where the project has single approval."""
    return vault.approve(request_id)


def requests(vault: VaultApi, project: str | None = None) -> tuple[AccessRequest, ...]:
    """The requests of a project, or of all, that the actor may see, the first one first."""
    return vault.requests(project)


def deny(vault: VaultApi, request_id: int, *, reason: str = "") -> AccessRequest:
    """Deny a request that has not been used, whether it is approved or not. reason: for who asked."""
    return vault.deny(request_id, reason=reason)


def withdraw(vault: VaultApi, request_id: int) -> AccessRequest:
    """Take back a request of one's own that has not been used."""
    return vault.withdraw(request_id)


def grant(vault: VaultApi, request_id: int) -> str:
    """The grant of a request that has its approvals: works once, for its requester, for a short time."""
    return vault.grant(request_id)
