"""What a vault service does for a caller: verbs by name, who may ask for them, and the types of their
arguments. What is not in this table cannot be asked for.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, get_type_hints

import msgspec

from linkage.records import DocumentId, Identity, KnownIdentity, LinkageResult, MentionId, NormalizedMention
from linkage.review import Judgement
from pseudonymizer import assignment, crosslinks, reidentification, runkeys, styled_assignment
from pseudonymizer.crypto import OutputDigest
from pseudonymizer.errors import ServiceError, UnknownProjectError
from pseudonymizer.policy import Verb
from pseudonymizer.records import (
    AuditEvent,
    LookupResult,
    Pseudonym,
    Rewrite,
    Scope,
    SignedHead,
    Style,
    VerifyReport,
)
from pseudonymizer.settings import ProjectSettings, StyleSettings
from pseudonymizer.vault import Vault, access, decoys, erasure, links, merging, rotation, styled, wire
from pseudonymizer.vault.client import MentionLinker, SentRewrite

_DIGEST_BYTES: Final = 32
_EVENTS_A_PAGE: Final = 5_000
ANY_ROLE: Final = tuple(Verb)  # whoever may do anything at all


@dataclass(slots=True)
class Session:
    """One caller: the vault opened in the caller's name, and the service's linker."""

    vault: Vault
    linker: MentionLinker | None = field(default=None, repr=False)
    invented: styled_assignment.InventedNames | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Served:
    """needs: the caller must be allowed at least one of these."""

    needs: tuple[Verb, ...]
    arguments: type[msgspec.Struct]
    run: Callable[..., Any] = field(repr=False)


VERBS: dict[str, Served] = {}


def run_verb(session: Session, call: wire.Call) -> bytes:
    """The encoded result of a call. Leaves nothing uncommitted behind.

    Raises:
        AccessRefusedError: on record, before the arguments are looked at.
        ServiceError: there is no such verb, or the arguments are not what it declares.
    """
    served = VERBS.get(call.verb)
    if served is None:
        raise wire.FrameRefusedError("the vault service has no such verb")
    vault = session.vault
    try:
        access.authorize_one_of(vault, served.needs)
        arguments = wire.decode(call.arguments, served.arguments)
        result = served.run(
            session, **{name: getattr(arguments, name) for name in served.arguments.__struct_fields__}
        )
        return wire.encode(tuple(result) if isinstance(result, Iterator) else result)
    finally:
        vault.rollback()


def _add(
    name: str,
    needs: tuple[Verb, ...],
    function: Callable[..., Any],
    run: Callable[..., Any],
    left_out: frozenset[str],
) -> None:
    hints = get_type_hints(function)
    fields: list[Any] = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in left_out:
            continue
        kind = hints[parameter.name]
        if parameter.default is inspect.Parameter.empty:
            fields.append((parameter.name, kind))
        else:
            fields.append((parameter.name, kind, parameter.default))
    made = msgspec.defstruct(name, fields, kw_only=True, forbid_unknown_fields=True)
    VERBS[name] = Served(needs, made, run)


def _serve(*needs: Verb) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Serve a function of this module; its first parameter is the session."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        _add(function.__name__, needs, function, function, frozenset({"session"}))
        return function

    return add


def _serve_function(function: Callable[..., Any], *needs: Verb) -> None:
    """Serve a function of the library that takes a vault; it commits itself, or is committed here."""

    def run(session: Session, **arguments: Any) -> Any:
        if "outputs" in arguments:
            arguments["outputs"] = [_digest(one) for one in arguments["outputs"]]
        result = function(session.vault, **arguments)
        session.vault.commit()
        return _sent(result)

    _add(function.__name__, needs, function, run, frozenset({"vault", "progress", "batch"}))


def _sent(result: Any) -> Any:
    """Names of files need not be Unicode: edits travel with paths as bytes, other paths as they are shown."""
    if isinstance(result, LookupResult):
        shown = tuple(path.encode("utf-8", "replace").decode() for path in result.paths)
        return replace(result, paths=shown)
    if isinstance(result, tuple):
        return tuple(SentRewrite.of(one, b"") if isinstance(one, Rewrite) else one for one in result)
    return result


def _digest(raw: bytes) -> OutputDigest:
    if len(raw) != _DIGEST_BYTES:
        raise ServiceError(f"a digest has {_DIGEST_BYTES} bytes, not {len(raw)}")
    return OutputDigest(raw)


# -- projects and people ----------------------------------------------------------------


@_serve(*ANY_ROLE)
def projects(session: Session) -> tuple[str, ...]:
    return session.vault.projects()


@_serve(*ANY_ROLE)
def ensure_project(session: Session, name: str, settings: ProjectSettings | None = None) -> None:
    try:
        session.vault.keys_of(name)
    except UnknownProjectError:
        wanted = (Verb.MANAGE,) if settings is not None else (Verb.PSEUDONYMIZE, Verb.MANAGE)
        access.authorize_one_of(session.vault, wanted)
        session.vault.ensure_project(name, settings)
        session.vault.commit()


@_serve(*ANY_ROLE)
def project_settings(session: Session, name: str) -> ProjectSettings:
    return session.vault.project_settings(name)


@_serve(Verb.MANAGE)
def change_settings(session: Session, project: str, settings: ProjectSettings) -> None:
    session.vault.change_settings(project, settings)
    session.vault.commit()


@_serve(Verb.SEE_NAMES)
def known_identities(session: Session, project: str) -> tuple[tuple[KnownIdentity, ...], int]:
    known = session.vault.known_identities(project)
    return known, session.vault.seen_through.get(project, 0)


@_serve(Verb.PSEUDONYMIZE)
def linked(
    session: Session,
    project: str,
    mentions: list[NormalizedMention],
    registered: list[KnownIdentity],
    judgements: tuple[Judgement, ...] = (),
) -> tuple[tuple[Identity, ...], int]:
    if session.linker is None:
        raise ServiceError("this vault service was started without a linker and links nothing")
    linker = session.linker
    result = session.vault.linked(
        project, mentions, linker=lambda: linker, registered=registered, judgements=judgements
    )
    return result.identities, session.vault.seen_through.get(project, 0)


@_serve(Verb.PSEUDONYMIZE)
def assign(
    session: Session,
    result: LinkageResult,
    project: str,
    seen_through: int = 0,
    scope: Scope = Scope.PROJECT,
    deterministic: bool = False,  # noqa: FBT001, FBT002  named on the wire
    run: str = "",
) -> Mapping[MentionId, Pseudonym]:
    vault = session.vault
    vault.seen_through[project] = seen_through
    found = assignment.assign(
        result, vault, project=project, scope=scope, deterministic=deterministic, run=run
    )
    vault.commit()
    return found


@_serve(Verb.PSEUDONYMIZE)
def assign_styled(
    session: Session,
    result: LinkageResult,
    project: str,
    styles: StyleSettings,
    seen_through: int = 0,
    scope: Scope = Scope.PROJECT,
    deterministic: bool = False,  # noqa: FBT001, FBT002  named on the wire
    avoid_tags: tuple[str, ...] = (),
    registered: tuple[KnownIdentity, ...] = (),
) -> styled_assignment.StyledPseudonyms:
    vault = session.vault
    if session.invented is None:
        raise ServiceError("this vault service was started without lists of names and makes tokens only")
    vault.seen_through[project] = seen_through
    found = styled_assignment.assign_styled(
        result, vault, project=project, styles=styles, invented=session.invented, scope=scope,
        deterministic=deterministic, avoid_tags=avoid_tags, registered=registered,
    )  # fmt: skip
    vault.commit()
    return found


@_serve(Verb.PSEUDONYMIZE)
def literal_label(session: Session, project: str, text: str) -> Pseudonym:
    session.vault.keys_of(project)
    made = assignment.literal_label(session.vault, project, text)
    session.vault.commit()
    return made


# -- documents ----------------------------------------------------------------


@_serve(Verb.PSEUDONYMIZE, Verb.RESTORE)
def document_id(session: Session, project: str, relative_path: bytes) -> DocumentId:
    session.vault.keys_of(project)
    return session.vault.document_id(project, relative_path.decode("utf-8", "surrogatepass"))


@_serve(Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.REVEAL)
def are_tokens(session: Session, project: str, texts: list[str]) -> list[bool]:
    session.vault.keys_of(project)
    reader = session.vault.tokens(project)
    return [reader.is_valid(text) for text in texts]


@_serve(Verb.PSEUDONYMIZE, Verb.RESTORE, Verb.REVEAL)
def stored_labels(session: Session, project: str, style: Style) -> list[str]:
    return list(styled.stored_labels(session.vault, project, style))


@_serve(Verb.PSEUDONYMIZE)
def outputs_among(session: Session, project: str, digests: list[bytes]) -> list[bytes]:
    wanted = {bytes(_digest(one)) for one in digests}
    return sorted(styled.outputs_among(session.vault, project, wanted))


@_serve(Verb.PSEUDONYMIZE)
def work_key(session: Session, project: str) -> bytes:
    return session.vault.keys_of(project).work_key_of(session.vault.actor)


@_serve(Verb.PSEUDONYMIZE)
def store_rewrites(session: Session, project: str, rewrites: list[SentRewrite]) -> None:
    session.vault.keys_of(project)
    stored = [(sent.rewrite(), _digest(sent.output_digest)) for sent in rewrites]
    session.vault.store_rewrites(project, stored)
    session.vault.commit()


# -- the trail ----------------------------------------------------------------


@_serve(Verb.READ_AUDIT)
def audit_events(
    session: Session, project: str | None = None, limit: int | None = None, after: int = 0
) -> tuple[AuditEvent, ...]:
    if limit is not None:
        return tuple(session.vault.audit_events(project=project, limit=min(limit, _EVENTS_A_PAGE)))
    found: list[AuditEvent] = []
    for event in session.vault.trail.events(after=after):
        if project is None or event.project == project:
            found.append(event)
        if len(found) == _EVENTS_A_PAGE:
            break
    return tuple(found)


@_serve(Verb.VERIFY)
def verify_audit(session: Session, heads: Sequence[SignedHead] = ()) -> int:
    return session.vault.verify_audit(heads)


@_serve(Verb.VERIFY)
def verify(session: Session, heads: Sequence[SignedHead] = ()) -> VerifyReport:
    return session.vault.verify(heads)


@_serve(Verb.READ_AUDIT, Verb.VERIFY)
def audit_head(session: Session) -> SignedHead:
    return session.vault.audit_head()


for _function, *_needs in (
    (reidentification.reveal, Verb.REVEAL),
    (reidentification.stored_forms, Verb.REVEAL),
    (reidentification.stored_addresses, Verb.REVEAL),
    (reidentification.restore, Verb.RESTORE),
    (reidentification.lookup, Verb.LOOKUP),
    (reidentification.request, Verb.REQUEST),
    (reidentification.request_restore, Verb.REQUEST),
    (reidentification.approve, Verb.APPROVE),
    (reidentification.grant, Verb.REQUEST),
    (crosslinks.request_link, Verb.REQUEST),
    (crosslinks.link_projects, Verb.LINK_PROJECTS),
    (runkeys.hand_out, Verb.RUN_KEY),
    (runkeys.accept, Verb.PSEUDONYMIZE),
    (erasure.erase, Verb.ERASE),
    (erasure.erase_unseen_since, Verb.ERASE),
    (rotation.rotate, Verb.ROTATE),
    (merging.merge, Verb.SEE_NAMES),
    (merging.unmerge, Verb.SEE_NAMES),
    (links.pseudonym_links, Verb.EXPORT_LINKS),
    (decoys.add_decoy, Verb.MANAGE),
    (access.give_role, Verb.MANAGE),
    (access.take_role, Verb.MANAGE),
    (access.stored_roles, Verb.MANAGE),
):
    _serve_function(_function, *_needs)
