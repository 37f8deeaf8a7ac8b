"""The way back: request, approve, grant, reveal, restore, lookup. On record before any name leaves.

In library mode whoever calls this holds the keys: roles and grants are guard rails. Behind `nymlink vault
serve`, under another user of the operating system, they are a boundary.
"""

import logging
import unicodedata
from collections.abc import Mapping, Sequence

from linkage.records import DocumentId, PersonName
from pseudonymizer.errors import (
    AccessRefusedError,
    GrantInvalidError,
    LimitExceededError,
    PurposeRequiredError,
    UnknownPseudonymError,
    VaultClosedError,
)
from pseudonymizer.policy import Verb, allowing_role, approvals_needed
from pseudonymizer.records import AccessRequest, LookupResult, RevealedName, Rewrite
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.surrogates import TOKEN_LIKE, TokenReader
from pseudonymizer.vault import Vault, documents, entities, people
from pseudonymizer.vault.access import (
    EVERY_ROLE,
    add_approval,
    add_request,
    authorize,
    grant_text,
    read_request,
    refuse,
    roles_of,
    set_request_state,
    take_from_bucket,
    use_grant,
)
from pseudonymizer.vault.forms import (
    Attribute,
    Fact,
    Mark,
    SurfaceForm,
    fullest,
    normal_form,
)
from pseudonymizer.vault.indexing import NAME_LABEL, tags_of
from pseudonymizer.vault.projectkeys import ProjectKeys

log = logging.getLogger(__name__)


def reveal(
    vault: Vault,
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
    with vault.lock:
        gate = _Gate(vault, Verb.REVEAL, project, purpose, ticket)
        owner_of = gate.owners(pseudonyms)
        gate.open(tuple(sorted(owner_of)), grant, names=len(owner_of))
        try:
            facts = people.facts_of(vault, gate.keys, sorted(set(owner_of.values())))
            revealed = {label: _revealed(label, facts[owner]) for label, owner in owner_of.items()}
        except BaseException:
            gate.failed()
            raise
        gate.alarm(tuple(label for label, owner in owner_of.items() if _is_decoy(facts[owner])))
        return revealed


def stored_forms(
    vault: Vault,
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
    with vault.lock:
        keys = vault.keys_of(project)
        known = sorted({row[1] for row in entities.pseudonym_rows(vault, keys, "label", sorted(set(labels)))})
        if not known:
            return {}
        found = reveal(vault, project=project, pseudonyms=known, purpose=purpose, ticket=ticket, grant=grant)
        return {label: name.name for label, name in found.items()}


def restore(
    vault: Vault,
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
    with vault.lock:
        gate = _Gate(vault, Verb.RESTORE, project, purpose, ticket)
        labels = documents.labels_in_outputs(vault, gate.keys, outputs) if grant else ()
        gate.open(labels, grant, names=len(outputs), counts={"documents": len(outputs)})
        try:
            found = documents.read_rewrites(vault, gate.keys, outputs, doc_ids)
        except BaseException:
            gate.failed()
            raise
        return tuple(one[0] if one else None for one in found)


def lookup(
    vault: Vault, *, project: str, name: PersonName | str, purpose: str, ticket: str = ""
) -> LookupResult:
    """The pseudonyms and documents of a given name: for access and erasure requests of the person it names.

    A full PersonName is found by the blind index; text is compared with every stored form, which takes about
    ten seconds a million people. The name does not enter the audit.
    """
    with vault.lock:
        gate = _Gate(vault, Verb.LOOKUP, project, purpose, ticket)
        owners = _owners_of_name(vault, gate.keys, name)
        labels = tuple(
            sorted({row[1] for row in entities.pseudonym_rows(vault, gate.keys, "entity_id", sorted(owners))})
        )
        gate.open(labels, None, names=max(1, len(owners)), needs_grant=False)
        paths, count = documents.paths_of_entities(vault, gate.keys, owners)
        return LookupResult(labels, paths, count)


def request(
    vault: Vault,
    *,
    project: str,
    pseudonyms: Sequence[str],
    purpose: str,
    legal_basis: str = "",
    ticket: str = "",
    action: Verb = Verb.REVEAL,
) -> AccessRequest:
    """Ask for names. Others approve; then a grant can be had."""
    with vault.lock:
        gate = _Gate(vault, Verb.REQUEST, project, purpose, ticket)
        labels = tuple(sorted(gate.owners(pseudonyms)))
        settings = gate.settings
        needed = approvals_needed(
            len(labels), base=settings.approvals_needed, extra_above=settings.extra_approval_above
        )
        made = add_request(
            vault, gate.keys, action=action, labels=labels, purpose=purpose, legal_basis=legal_basis,
            ticket=ticket, needed=needed, minutes=settings.grant_minutes * 24,
        )  # fmt: skip
        vault.record(
            "request", project=project, role=gate.role, subjects=labels, purpose=purpose, ticket=ticket,
            counts={"request": made.request_id, "approvals_needed": needed},
        )  # fmt: skip
        vault.commit()
        return made


def approve(vault: Vault, request_id: int) -> AccessRequest:
    """Approve someone's request; one's own only where the project has single approval."""
    with vault.lock:
        _no_open_work(vault)
        vault.begin()
        asked = read_request(vault, request_id)
        role = authorize(
            vault, Verb.APPROVE, project_name=asked.project, purpose=asked.purpose, ticket=asked.ticket
        )
        settings = vault.project_settings(asked.project)
        if asked.actor == vault.actor and not settings.single_approval:
            refuse(
                vault, Verb.APPROVE, project_name=asked.project, purpose=asked.purpose, ticket=asked.ticket,
                reason="own request", subjects=asked.labels,
            )  # fmt: skip
            raise AccessRefusedError("nobody approves his own request in this project; ask another approver")
        if asked.state != "open":
            vault.rollback()
            raise GrantInvalidError(
                f"request {request_id} is {asked.state}; only open requests can be approved"
            )
        approved = add_approval(vault, request_id)
        vault.record(
            "approve", project=asked.project, role=role, subjects=asked.labels, purpose=asked.purpose,
            ticket=asked.ticket, counts={"request": request_id, "approvals": len(approved.approvers)},
        )  # fmt: skip
        vault.commit()
        return approved


def grant(vault: Vault, request_id: int) -> str:
    """The grant of a request that has its approvals: works once, for its requester, for a short time."""
    with vault.lock:
        _no_open_work(vault)
        vault.begin()
        asked = read_request(vault, request_id)
        role = authorize(
            vault, Verb.REQUEST, project_name=asked.project, purpose=asked.purpose, ticket=asked.ticket
        )
        problem = None
        if asked.actor != vault.actor:
            problem = "a grant goes to the one who asked"
        elif asked.state != "open" or vault.clock() > asked.expires_at:
            problem = f"request {request_id} is {asked.state if asked.state != 'open' else 'expired'}"
        elif len(asked.approvers) < asked.approvals_needed:
            problem = f"request {request_id} has {len(asked.approvers)} of {asked.approvals_needed} approvals"
        if problem is not None:
            refuse(
                vault, Verb.REQUEST, project_name=asked.project, purpose=asked.purpose, ticket=asked.ticket,
                reason="no grant", subjects=asked.labels,
            )  # fmt: skip
            raise GrantInvalidError(problem)
        set_request_state(
            vault, request_id, "granted", minutes=vault.project_settings(asked.project).grant_minutes
        )
        text = grant_text(vault, read_request(vault, request_id))
        vault.record(
            "grant", project=asked.project, role=role, subjects=asked.labels, purpose=asked.purpose,
            ticket=asked.ticket, counts={"request": request_id},
        )  # fmt: skip
        vault.commit()
        return text


class _Gate:
    """Everything that must hold, and be on record, before a name leaves."""

    def __init__(self, vault: Vault, verb: Verb, project: str, purpose: str, ticket: str) -> None:
        _no_open_work(vault)
        self.vault, self.verb, self.project, self.purpose, self.ticket = (
            vault,
            verb,
            project,
            purpose.strip(),
            ticket,
        )
        self.keys: ProjectKeys = vault.keys_of(project)
        vault.begin()
        self.settings: ProjectSettings = vault.project_settings(project)
        self.role = authorize(vault, verb, project_name=project, purpose=self.purpose, ticket=ticket)
        if not self.purpose:
            self._refuse("no purpose")
            raise PurposeRequiredError("say what the names are needed for: --purpose TEXT")

    def owners(self, typed: Sequence[str]) -> dict[str, int]:
        """Entity by stored label. Raises UnknownPseudonymError, on record, if one is not the project's."""
        reader = TokenReader(self.keys.tokens)
        try:
            # A surrogate or tag is taken as it is; what has the form of a token must have its check letters.
            labels = [reader.parse(t) if TOKEN_LIKE.fullmatch(t.strip().upper()) else t for t in typed]
        except UnknownPseudonymError:
            self._refuse("unknown pseudonym")
            raise
        rows = entities.pseudonym_rows(self.vault, self.keys, "label", sorted(set(labels)))
        found = {label: entity_id for _, label, entity_id, _, _, _ in rows}
        if missing := len(set(labels) - set(found)):
            erased = entities.erased_labels(self.vault, self.keys, sorted(set(labels) - set(found)))
            self._refuse("unknown pseudonym")
            what = "belongs to a person who was erased" if erased else "is not of this project"
            raise UnknownPseudonymError(f"{missing} of {len(set(labels))} pseudonyms: at least one {what}")
        return found

    def open(
        self,
        labels: tuple[str, ...],
        grant: str | None,
        *,
        names: int,
        needs_grant: bool = True,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Check grant and limit, write the intent, make it durable. After this names may leave."""
        noted = dict(counts or {})
        try:
            if grant is not None:
                used = use_grant(
                    self.vault, grant, action=self.verb, project_name=self.project, labels=labels
                )
                noted["request"] = used.request_id
            elif needs_grant:
                self._approve_oneself()
                noted["self_approved"] = 1
            take_from_bucket(
                self.vault, self.keys, names, capacity=self.settings.limit_capacity,
                per_hour=self.settings.limit_per_hour,
            )  # fmt: skip
        except GrantInvalidError:
            self._refuse("grant", labels)
            raise
        except LimitExceededError:
            self._refuse("limit", labels)
            raise
        self.vault.record(
            str(self.verb), project=self.project, role=self.role, subjects=labels, purpose=self.purpose,
            ticket=self.ticket, outcome="allowed", counts=noted,
        )  # fmt: skip
        self.vault.commit()

    def failed(self) -> None:
        self.vault.rollback()
        self.vault.record(
            str(self.verb), project=self.project, role=self.role, purpose=self.purpose, ticket=self.ticket,
            outcome="failed",
        )  # fmt: skip
        self.vault.commit()

    def alarm(self, labels: tuple[str, ...]) -> None:
        """Someone asked for a person who does not exist."""
        if labels:
            log.warning("alarm: %d decoys were revealed; see the audit", len(labels))
            self.vault.record(
                "alarm", project=self.project, role=self.role, subjects=labels, purpose=self.purpose,
                ticket=self.ticket, outcome="decoy revealed",
            )  # fmt: skip
            self.vault.commit()

    def _approve_oneself(self) -> None:
        roles = roles_of(self.vault, self.vault.actor)
        may = self.role == EVERY_ROLE or allowing_role(roles, Verb.APPROVE) is not None
        if not (self.settings.single_approval and may):
            raise GrantInvalidError(
                "this project gives names for a grant only: request, have it approved, then reveal"
            )

    def _refuse(self, reason: str, labels: Sequence[str] = ()) -> None:
        refuse(
            self.vault, self.verb, project_name=self.project, purpose=self.purpose, ticket=self.ticket,
            reason=reason, subjects=labels,
        )  # fmt: skip


def _no_open_work(vault: Vault) -> None:
    if vault.has_open_work():
        raise VaultClosedError("commit or roll back first: re-identification is a unit of work of its own")


def _revealed(label: str, facts: Sequence[Fact]) -> RevealedName:
    forms = [fact for fact in facts if isinstance(fact, SurfaceForm)]
    best = fullest(forms)
    if best is None:
        raise UnknownPseudonymError(f"nothing is stored behind {label}")
    return RevealedName(label, best.surface, tuple(dict.fromkeys(form.surface for form in forms)))


def _is_decoy(facts: Sequence[Fact]) -> bool:
    return any(isinstance(fact, Mark) and fact.kind == "decoy" for fact in facts)


def _owners_of_name(vault: Vault, keys: ProjectKeys, name: PersonName | str) -> set[int]:
    if isinstance(name, PersonName) and (form := normal_form(name)) is not None:
        tags = tags_of(keys, NAME_LABEL, form).values()
        return {owner for owners in entities.find_index(vault, keys, tags).values() for owner in owners}
    wanted = _folded(
        " ".join(part for part in name.parts() if part) if isinstance(name, PersonName) else name
    )
    return {
        entity_id
        for entity_id, facts in people.facts_in_project(vault, keys)
        if any(not isinstance(fact, (Attribute, Mark)) and _folded(fact.surface) == wanted for fact in facts)
    }


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
