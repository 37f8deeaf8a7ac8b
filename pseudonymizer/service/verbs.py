"""The verbs that a vault service answers, and which rights a caller needs for each."""

from dataclasses import replace
from typing import Final

from linkage.records import MentionId
from pseudonymizer.engine.loading import judge_of
from pseudonymizer.engine.records import ComparingLinker
from pseudonymizer.errors import ServiceError, UnknownProjectError
from pseudonymizer.policy import Role, Verb
from pseudonymizer.records import (
    Accepted,
    AccessRequest,
    AuditEvent,
    CrossLink,
    ErasureReceipt,
    LookupResult,
    Pseudonym,
    PseudonymLink,
    ReadLabel,
    RevealedName,
    RunKey,
    SignedHead,
    Style,
    StyledPseudonyms,
    VerifyReport,
)
from pseudonymizer.service.calls import ANY_ROLE, VERBS, Session, run_verb, serve
from pseudonymizer.settings import ONE_WAY, ProjectSettings
from pseudonymizer.vault import access
from pseudonymizer.vault.remote import messages as m

__all__ = ["VERBS", "Session", "run_verb"]
_EVENTS_A_PAGE: Final = 5_000

# -- projects and people -------------------------------------------------------------------------------------


@serve(m.PROJECTS, *ANY_ROLE)
def projects(session: Session, _: m.Nothing) -> tuple[str, ...]:
    return session.vault.projects()


@serve(m.ENSURE_PROJECT, *ANY_ROLE)
def ensure_project(session: Session, asked: m.EnsureProject) -> m.Nothing:
    try:
        session.vault.keys_of(asked.project)
    except UnknownProjectError:
        wanted = (Verb.PSEUDONYMIZE, Verb.MANAGE) if _is_usual(asked.settings) else (Verb.MANAGE,)
        access.authorize_one_of(session.vault, wanted)
        session.vault.ensure_project(asked.project, asked.settings)
    return m.Nothing()


def _is_usual(settings: ProjectSettings | None) -> bool:
    """Whether these are the settings that programs give a new project, in whatever style with a way back."""
    if settings is None or settings.style in ONE_WAY:
        return settings is None
    usual = (ProjectSettings(), ProjectSettings.of_new_project())
    return any(settings == replace(one, style=settings.style) for one in usual)


@serve(m.PROJECT_SETTINGS, *ANY_ROLE)
def project_settings(session: Session, asked: m.OfProject) -> ProjectSettings:
    return session.vault.project_settings(asked.project)


@serve(m.CHANGE_SETTINGS, Verb.MANAGE)
def change_settings(session: Session, asked: m.ChangeSettings) -> m.Nothing:
    session.vault.change_settings(asked.project, asked.settings)
    return m.Nothing()


@serve(m.KNOWN, Verb.SEE_NAMES)
def known(session: Session, asked: m.KnownSince) -> m.KnownNow:
    found = session.vault.known(asked.project)
    has_it = bool(found.revision) and found.revision == asked.revision
    return m.KnownNow(known=None if has_it else m.SentKnown.of(found))


@serve(m.CHECK_MAY_SEE_NAMES, Verb.SEE_NAMES)
def check_may_see_names(session: Session, asked: m.OfProject) -> m.Nothing:
    session.vault.check_may_see_names(asked.project)
    return m.Nothing()


@serve(m.ARE_KNOWN_NAMES, Verb.PSEUDONYMIZE)
def are_known_names(session: Session, asked: m.OfNames) -> tuple[bool, ...]:
    return session.vault.are_known_names(asked.project, asked.names)


@serve(m.LINKED, Verb.PSEUDONYMIZE)
def linked(session: Session, asked: m.Link) -> m.LinkedPeople:
    if session.linker is None:
        raise ServiceError("this vault service was started without a linker and links nothing")
    linker = session.linker
    mentions, registered = asked.told()
    found = session.vault.linked(
        asked.project, mentions, linker=lambda: linker, registered=registered, judgements=asked.judgements
    )
    return m.LinkedPeople.of(found)


@serve(m.ASSIGN, Verb.PSEUDONYMIZE)
def assign(session: Session, asked: m.Assign) -> dict[MentionId, Pseudonym]:
    found = session.vault.assign(
        asked.result.result(), project=asked.project, scope=asked.scope, deterministic=asked.deterministic,
        run=asked.run, seen_through=asked.seen_through,
    )  # fmt: skip
    return dict(found)


@serve(m.ASSIGN_STYLED, Verb.PSEUDONYMIZE)
def assign_styled(session: Session, asked: m.AssignStyled) -> StyledPseudonyms:
    return session.vault.assign_styled(
        asked.result.result(), asked.wanted, project=asked.project, invented=session.invented,
        seen_through=asked.seen_through,
    )  # fmt: skip


@serve(m.LITERAL_LABEL, Verb.PSEUDONYMIZE)
def literal_label(session: Session, asked: m.OfText) -> Pseudonym:
    session.vault.keys_of(asked.project)
    return session.vault.literal_label(asked.project, asked.text)


@serve(m.ARE_TOKENS, Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.REVEAL)
def are_tokens(session: Session, asked: m.OfTexts) -> tuple[bool, ...]:
    session.vault.keys_of(asked.project)
    reader = session.vault.tokens(asked.project)
    return tuple(reader.is_valid(text) for text in asked.texts)


@serve(m.READ_LABELS, Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.REVEAL)
def read_labels(session: Session, asked: m.OfTexts) -> tuple[ReadLabel, ...]:
    return session.vault.read_labels(asked.project, asked.texts)


@serve(m.STYLES_OF_PEOPLE, Verb.PSEUDONYMIZE)
def styles_of_people(session: Session, asked: m.OfProject) -> tuple[Style, ...]:
    return session.vault.styles_of_people(asked.project)


@serve(m.STORED_LABELS, Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.REVEAL)
def stored_labels(session: Session, asked: m.OfStyle) -> tuple[str, ...]:
    return session.vault.stored_labels(asked.project, asked.style)


# -- documents -----------------------------------------------------------------------------------------------


@serve(m.DOCUMENT_ID, Verb.PSEUDONYMIZE, Verb.RESTORE)
def document_id(session: Session, asked: m.OfPath) -> str:
    session.vault.keys_of(asked.project)
    return session.vault.document_id(asked.project, m.path_text(asked.relative_path))


@serve(m.OUTPUTS_AMONG, Verb.PSEUDONYMIZE, Verb.RESTORE)
def outputs_among(session: Session, asked: m.OutputsAmong) -> tuple[bytes, ...]:
    wanted = {bytes(m.sent_digest(one)) for one in asked.digests}
    return tuple(sorted(session.vault.outputs_among(asked.project, wanted)))


@serve(m.WORK_KEY, Verb.PSEUDONYMIZE)
def work_key(session: Session, asked: m.OfProject) -> bytes:
    return session.vault.keys_of(asked.project).work_key_of(session.vault.actor)


@serve(m.STORE_REWRITES, Verb.PSEUDONYMIZE)
def store_rewrites(session: Session, asked: m.StoreRewrites) -> m.Nothing:
    session.vault.keys_of(asked.project)
    stored = [(sent.rewrite(), m.sent_digest(sent.output_digest)) for sent in asked.rewrites]
    session.vault.store_rewrites(asked.project, stored)
    return m.Nothing()


@serve(m.RESTORE, Verb.RESTORE)
def restore(session: Session, asked: m.Restore) -> tuple[m.SentRewrite | None, ...]:
    found = session.vault.restore(
        project=asked.project, outputs=[m.sent_digest(one) for one in asked.outputs], purpose=asked.purpose,
        ticket=asked.ticket, grant=asked.grant, doc_ids=asked.doc_ids,
    )  # fmt: skip
    return tuple(None if one is None else m.SentRewrite.of(one, b"") for one in found)


# -- ways back -----------------------------------------------------------------------------------------------


@serve(m.REVEAL, Verb.REVEAL)
def reveal(session: Session, asked: m.Reveal) -> dict[str, RevealedName]:
    found = session.vault.reveal(
        project=asked.project, pseudonyms=asked.pseudonyms, purpose=asked.purpose, ticket=asked.ticket,
        grant=asked.grant,
    )  # fmt: skip
    return dict(found)


@serve(m.STORED_FORMS, Verb.REVEAL)
def stored_forms(session: Session, asked: m.StoredForms) -> dict[str, str]:
    found = session.vault.stored_forms(
        project=asked.project, labels=asked.labels, purpose=asked.purpose, ticket=asked.ticket,
        grant=asked.grant,
    )  # fmt: skip
    return dict(found)


@serve(m.STORED_ADDRESSES, Verb.REVEAL)
def stored_addresses(session: Session, asked: m.Labels) -> dict[str, tuple[str, ...]]:
    found = session.vault.stored_addresses(
        project=asked.project, labels=asked.labels, purpose=asked.purpose, ticket=asked.ticket
    )
    return dict(found)


@serve(m.LOOKUP, Verb.LOOKUP)
def lookup(session: Session, asked: m.Lookup) -> LookupResult:
    """Paths as they are shown: the name of a file need not be Unicode."""
    judge = judge_of(session.linker) if isinstance(session.linker, ComparingLinker) else None
    found = session.vault.lookup(
        project=asked.project, name=asked.name, purpose=asked.purpose, ticket=asked.ticket, judge=judge
    )
    likely = tuple(replace(one, paths=_shown(one.paths)) for one in found.likely)
    return replace(found, paths=_shown(found.paths), likely=likely)


def _shown(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(path.encode("utf-8", "replace").decode() for path in paths)


@serve(m.REQUEST, Verb.REQUEST)
def request(session: Session, asked: m.Request) -> AccessRequest:
    return session.vault.request(
        project=asked.project, pseudonyms=asked.pseudonyms, purpose=asked.purpose,
        legal_basis=asked.legal_basis, ticket=asked.ticket, action=asked.action,
    )  # fmt: skip


@serve(m.REQUEST_RESTORE, Verb.REQUEST)
def request_restore(session: Session, asked: m.RequestRestore) -> AccessRequest:
    return session.vault.request_restore(
        project=asked.project, outputs=[m.sent_digest(one) for one in asked.outputs], purpose=asked.purpose,
        legal_basis=asked.legal_basis, ticket=asked.ticket,
    )  # fmt: skip


@serve(m.REQUEST_LINK, Verb.REQUEST)
def request_link(session: Session, asked: m.RequestLink) -> AccessRequest:
    return session.vault.request_link(
        project=asked.project, other=asked.other, purpose=asked.purpose, legal_basis=asked.legal_basis,
        ticket=asked.ticket,
    )  # fmt: skip


@serve(m.APPROVE, Verb.APPROVE)
def approve(session: Session, asked: m.OfRequest) -> AccessRequest:
    return session.vault.approve(asked.request_id)


@serve(m.GRANT, Verb.REQUEST)
def grant(session: Session, asked: m.OfRequest) -> str:
    return session.vault.grant(asked.request_id)


@serve(m.LINK_PROJECTS, Verb.LINK_PROJECTS)
def link_projects(session: Session, asked: m.LinkProjects) -> tuple[CrossLink, ...]:
    return session.vault.link_projects(
        project=asked.project, other=asked.other, purpose=asked.purpose, ticket=asked.ticket,
        grant=asked.grant,
    )  # fmt: skip


# -- care ----------------------------------------------------------------------------------------------------


@serve(m.HAND_OUT, Verb.RUN_KEY)
def hand_out(session: Session, asked: m.HandOut) -> RunKey:
    return session.vault.hand_out(
        project=asked.project, run=asked.run, hours=asked.hours, purpose=asked.purpose, ticket=asked.ticket
    )


@serve(m.ACCEPT, Verb.PSEUDONYMIZE)
def accept(session: Session, asked: m.Accept) -> Accepted:
    return session.vault.accept(project=asked.project, run=asked.run, parcels=asked.parcels)


@serve(m.MERGE, Verb.SEE_NAMES)
def merge(session: Session, asked: m.Pseudonyms) -> int:
    return session.vault.merge(
        project=asked.project, pseudonyms=asked.pseudonyms, purpose=asked.purpose, ticket=asked.ticket
    )


@serve(m.UNMERGE, Verb.SEE_NAMES)
def unmerge(session: Session, asked: m.Pseudonyms) -> int:
    return session.vault.unmerge(
        project=asked.project, pseudonyms=asked.pseudonyms, purpose=asked.purpose, ticket=asked.ticket
    )


@serve(m.PSEUDONYM_LINKS, Verb.EXPORT_LINKS)
def pseudonym_links(session: Session, asked: m.OfProject) -> tuple[PseudonymLink, ...]:
    return tuple(session.vault.pseudonym_links(asked.project))


@serve(m.ADD_DECOY, Verb.MANAGE)
def add_decoy(session: Session, asked: m.AddDecoy) -> str:
    return session.vault.add_decoy(project=asked.project, name=asked.name, surface=asked.surface)


@serve(m.ERASE, Verb.ERASE)
def erase(session: Session, asked: m.Pseudonyms) -> ErasureReceipt:
    return session.vault.erase(
        project=asked.project, pseudonyms=asked.pseudonyms, purpose=asked.purpose, ticket=asked.ticket
    )


@serve(m.ERASE_UNSEEN_SINCE, Verb.ERASE)
def erase_unseen_since(session: Session, asked: m.EraseUnseen) -> m.Erased:
    receipt = session.vault.erase_unseen_since(
        project=asked.project, days=asked.days, purpose=asked.purpose, ticket=asked.ticket,
        clock_is_right=asked.clock_is_right,
    )  # fmt: skip
    return m.Erased(receipt=receipt)


@serve(m.ROTATE, Verb.ROTATE)
def rotate(session: Session, asked: m.Rotate) -> int:
    return session.vault.rotate(asked.what, project_name=asked.project)


@serve(m.GIVE_ROLE, Verb.MANAGE)
def give_role(session: Session, asked: m.OfRole) -> m.Nothing:
    session.vault.give_role(asked.actor, asked.role)
    return m.Nothing()


@serve(m.TAKE_ROLE, Verb.MANAGE)
def take_role(session: Session, asked: m.OfRole) -> m.Nothing:
    session.vault.take_role(asked.actor, asked.role)
    return m.Nothing()


@serve(m.STORED_ROLES, Verb.MANAGE)
def stored_roles(session: Session, _: m.Nothing) -> tuple[tuple[str, Role], ...]:
    return session.vault.stored_roles()


@serve(m.AUDIT_EVENTS, Verb.READ_AUDIT)
def audit_events(session: Session, asked: m.AuditEvents) -> tuple[AuditEvent, ...]:
    if asked.limit is not None:
        limit = min(asked.limit, _EVENTS_A_PAGE)
        return tuple(session.vault.audit_events(project=asked.project, limit=limit))
    found: list[AuditEvent] = []
    for event in session.vault.trail.events(after=asked.after):
        if asked.project is None or event.project == asked.project:
            found.append(event)
        if len(found) == _EVENTS_A_PAGE:
            break
    return tuple(found)


@serve(m.VERIFY_AUDIT, Verb.VERIFY)
def verify_audit(session: Session, asked: m.Heads) -> int:
    return session.vault.verify_audit(asked.heads)


@serve(m.VERIFY, Verb.VERIFY)
def verify(session: Session, asked: m.Heads) -> VerifyReport:
    return session.vault.verify(asked.heads)


@serve(m.AUDIT_HEAD, Verb.READ_AUDIT, Verb.VERIFY)
def audit_head(session: Session, _: m.Nothing) -> SignedHead:
    return session.vault.audit_head()
