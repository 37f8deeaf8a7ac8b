"""The way back: request, approve, grant, reveal, restore, lookup. On record before any name leaves.

In library mode whoever calls this holds the keys: roles and grants are guard rails. Behind `nymlink vault
serve`, under another user of the operating system, they are a boundary. Each verb takes a vault that is open
here, or the client of such a service.
"""

from collections.abc import Collection, Mapping, Sequence

from linkage.kinds import LITERAL
from linkage.records import DocumentId, PersonName
from linkage.texts import PERSON
from pseudonymizer.errors import AccessRefusedError, GrantInvalidError, UnknownPseudonymError
from pseudonymizer.policy import Verb
from pseudonymizer.records import AccessRequest, LikelyPerson, LookupResult, RevealedName, Rewrite
from pseudonymizer.values import Value
from pseudonymizer.vault.access import add_approval, grant_text, read_request, set_request_state
from pseudonymizer.vault.api import NameJudge
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import documents, entities, people, person_documents, values
from pseudonymizer.vault.rows.forms import LITERAL_MARK, Fact, Mark, SurfaceForm, fullest, normal_form
from pseudonymizer.vault.rows.indexing import NAME_LABEL, tags_of
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.ways_back.gate import Gate, gate, request_gate
from pseudonymizer.vault.ways_back.likely import folded, likely_others


def reveal(
    vault: OpenVault,
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
    with gate(vault, Verb.REVEAL, project=project, purpose=purpose, ticket=ticket) as opened:
        owner_of = opened.owners(pseudonyms)
        opened.open(sorted(owner_of), grant, names=len(owner_of))
        facts = people.facts_of(vault, opened.keys, sorted(set(owner_of.values())))
        revealed = {label: _revealed(label, facts[owner]) for label, owner in owner_of.items()}
        opened.alarm(tuple(label for label, owner in owner_of.items() if _is_decoy(facts[owner])))
        return revealed


def stored_forms(
    vault: OpenVault,
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
        known = sorted(
            {one.label for one in entities.pseudonym_rows(vault, keys, "label", sorted(set(labels)))}
        )
        if not known:
            return {}
        found = reveal(vault, project=project, pseudonyms=known, purpose=purpose, ticket=ticket, grant=grant)
        return {label: name.name for label, name in found.items()}


def stored_addresses(
    vault: OpenVault, *, project: str, labels: Sequence[str], purpose: str, ticket: str = ""
) -> Mapping[str, tuple[str, ...]]:
    """The e-mail addresses that each of these pseudonyms stood for in rewritten files; labels that the
    project lacks are left out.
    """
    with gate(vault, Verb.REVEAL, project=project, purpose=purpose, ticket=ticket) as opened:
        rows = entities.pseudonym_rows(vault, opened.keys, "label", sorted(set(labels)))
        owner_of = {row.label: row.entity_id for row in rows}
        opened.open(sorted(owner_of), None, names=len(owner_of))
        found = person_documents.addresses_of_entities(vault, opened.keys, set(owner_of.values()))
        return {label: found[owner] for label, owner in owner_of.items()}


def restore(
    vault: OpenVault,
    *,
    project: str,
    outputs: Sequence[bytes],
    purpose: str,
    ticket: str = "",
    grant: str | None = None,
    doc_ids: Sequence[DocumentId | None] = (),
) -> tuple[Rewrite | None, ...]:
    """The record that undoes each output, found by its bytes; None for one that is unknown or was edited.

    doc_ids: one for each output, to choose between documents whose outputs are equal.

    Edits of people who were erased are missing: their pseudonyms stay in the text.
    """
    with gate(vault, Verb.RESTORE, project=project, purpose=purpose, ticket=ticket) as opened:
        labels = documents.labels_in_outputs(vault, opened.keys, outputs) if grant else ()
        opened.open(labels, grant, names=len(outputs), counts={"documents": len(outputs)})
        found = documents.read_rewrites(vault, opened.keys, outputs, doc_ids)
        return tuple(one[0] if one else None for one in found)


def lookup(
    vault: OpenVault,
    *,
    project: str,
    name: PersonName | str,
    purpose: str,
    ticket: str = "",
    judge: NameJudge | None = None,
) -> LookupResult:
    """The pseudonyms and documents of a given name: for access and erasure requests of the person it names.

    A full PersonName is found by the blind index; text is compared with every stored form, which takes about
    ten seconds a million people. The name does not enter the audit. judge: finds the people who have other
    names and may be meant.
    """
    with gate(vault, Verb.LOOKUP, project=project, purpose=purpose, ticket=ticket) as opened:
        owners = _owners_of_name(vault, opened.keys, name)
        others = {} if judge is None else likely_others(vault, opened.keys, _written(name), owners, judge)
        return _looked_up(opened, owners, others)


def lookup_value(
    vault: OpenVault, *, project: str, value: Value, purpose: str, ticket: str = ""
) -> LookupResult:
    """The pseudonyms and documents of a value, given in its normal form or in a spelling that was met: for
    access and erasure requests of the person whose it is. The value does not enter the audit.
    """
    with gate(vault, Verb.LOOKUP, project=project, purpose=purpose, ticket=ticket) as opened:
        return _looked_up(opened, values.owners_of(vault, opened.keys, value))


def _looked_up(
    opened: Gate, owners: Collection[int], others: Mapping[int, float] | None = None
) -> LookupResult:
    """What is told of the people of a name, and of others with the probability of each."""
    likely = others or {}
    everybody = sorted({*owners, *likely})
    labels_of: dict[int, set[str]] = {number: set() for number in everybody}
    for row in entities.pseudonym_rows(opened.vault, opened.keys, "entity_id", everybody):
        labels_of[row.entity_id].add(row.label)
    every_label = tuple(sorted(set().union(*labels_of.values())))
    opened.open(every_label, None, names=max(1, len(everybody)), needs_grant=False)
    told = []
    for number, probability in sorted(likely.items(), key=lambda one: (-one[1], one[0])):
        paths, count = person_documents.paths_of_entities(opened.vault, opened.keys, [number])
        told.append(LikelyPerson(tuple(sorted(labels_of[number])), round(probability, 3), paths, count))
    labels = tuple(sorted(set().union(*(labels_of[number] for number in owners))))
    paths, count = person_documents.paths_of_entities(opened.vault, opened.keys, owners)
    return LookupResult(labels, paths, count, tuple(told))


def request(
    vault: OpenVault,
    *,
    project: str,
    pseudonyms: Sequence[str],
    purpose: str,
    legal_basis: str = "",
    ticket: str = "",
    action: Verb = Verb.REVEAL,
) -> AccessRequest:
    """Ask for names. Others approve; then a grant can be had."""
    with gate(vault, Verb.REQUEST, project=project, purpose=purpose, ticket=ticket) as opened:
        labels = tuple(sorted(opened.owners(pseudonyms)))
        return opened.ask(action, labels, legal_basis)


def request_restore(
    vault: OpenVault,
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
    with gate(vault, Verb.REQUEST, project=project, purpose=purpose, ticket=ticket) as opened:
        labels = tuple(sorted(documents.labels_in_outputs(vault, opened.keys, outputs)))
        if not labels:
            opened.refuse("unknown pseudonym")
            raise UnknownPseudonymError("no file here is an output of this project as it was written")
        return opened.ask(Verb.RESTORE, labels, legal_basis)


def approve(vault: OpenVault, request_id: int) -> AccessRequest:
    """Approve someone's request; one's own only where the project has single approval."""
    with request_gate(vault, Verb.APPROVE, request_id) as (opened, asked):
        if asked.actor == vault.actor and not opened.settings.single_approval:
            opened.refuse("own request", asked.labels)
            raise AccessRefusedError("nobody approves his own request in this project; ask another approver")
        if asked.state != "open":
            raise GrantInvalidError(
                f"request {request_id} is {asked.state}; only open requests can be approved"
            )
        approved = add_approval(vault, request_id)
        counts = {"request": request_id, "approvals": len(approved.approvers)}
        opened.commit("approve", asked.labels, counts=counts)
        return approved


def grant(vault: OpenVault, request_id: int) -> str:
    """The grant of a request that has its approvals: works once, for its requester, for a short time."""
    with request_gate(vault, Verb.REQUEST, request_id) as (opened, asked):
        problem = None
        if asked.actor != vault.actor:
            problem = "a grant goes to the one who asked"
        elif asked.state != "open" or vault.clock() > asked.expires_at:
            problem = f"request {request_id} is {asked.state if asked.state != 'open' else 'expired'}"
        elif len(asked.approvers) < asked.approvals_needed:
            problem = f"request {request_id} has {len(asked.approvers)} of {asked.approvals_needed} approvals"
        if problem is not None:
            opened.refuse("no grant", asked.labels)
            raise GrantInvalidError(problem)
        set_request_state(vault, request_id, "granted", minutes=opened.settings.grant_minutes)
        text = grant_text(vault, read_request(vault, request_id))
        opened.commit("grant", asked.labels, counts={"request": request_id})
        return text


def _revealed(label: str, facts: Sequence[Fact]) -> RevealedName:
    if (value := values.value_in(facts)) is not None:
        spellings = values.spellings_in(facts) or (value.normal,)
        return RevealedName(label, spellings[0], spellings, value.kind)
    forms = [fact for fact in facts if isinstance(fact, SurfaceForm)]
    best = fullest(forms)
    if best is None:
        raise UnknownPseudonymError(f"the project has no person or value behind {label}")
    surfaces = tuple(dict.fromkeys(form.surface for form in forms))
    if Mark(LITERAL_MARK) in facts:
        return RevealedName(label, best.surface, surfaces, LITERAL)
    # A line of a form ends where there was no more room: that is no part of the name.
    return RevealedName(label, " ".join(best.surface.split()), surfaces, PERSON)


def _is_decoy(facts: Sequence[Fact]) -> bool:
    return any(isinstance(fact, Mark) and fact.kind == "decoy" for fact in facts)


def _owners_of_name(vault: OpenVault, keys: ProjectKeys, name: PersonName | str) -> set[int]:
    if isinstance(name, PersonName) and (form := normal_form(name)) is not None:
        tags = tags_of(keys, NAME_LABEL, form).values()
        return {owner for owners in entities.find_index(vault, keys, tags).values() for owner in owners}
    wanted = folded(_written(name))
    return {
        entity_id
        for entity_id, facts in people.facts_in_project(vault, keys)
        if any(isinstance(fact, SurfaceForm) and folded(fact.surface) == wanted for fact in facts)
    }


def _written(name: PersonName | str) -> str:
    """The name as text."""
    return " ".join(part for part in name.parts() if part) if isinstance(name, PersonName) else name
