"""The vault behind a socket: a VaultApi as a vault in this process is, without its keys.

The operating system tells the service who calls, and it knows the caller's roles. Each verb is a unit of work
of its own there, durable when it returns: commit and rollback have nothing to do here.
"""

import socket
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import Final, Self

from linkage.codec import MentionRow
from linkage.known_rows import KnownRow
from linkage.records import (
    DocumentId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
)
from linkage.review import Judgement
from pseudonymizer.crypto import OutputDigest, Sealer
from pseudonymizer.policy import Role, Verb
from pseudonymizer.records import (
    Accepted,
    AccessRequest,
    AuditEvent,
    CrossLink,
    ErasureReceipt,
    Known,
    Linked,
    LookupResult,
    Pseudonym,
    PseudonymLink,
    RevealedName,
    Rewrite,
    Rotated,
    RunKey,
    Scope,
    SignedHead,
    Style,
    StyledPseudonyms,
    VerifyReport,
)
from pseudonymizer.settings import ONE_WAY, ProjectSettings, StylesWanted
from pseudonymizer.styles.name_pool import InventedNames
from pseudonymizer.vault.api import MentionLinker, NameJudge
from pseudonymizer.vault.remote import messages as m
from pseudonymizer.vault.remote.curation_client import CurationClient
from pseudonymizer.vault.remote.known_client import KnownClient
from pseudonymizer.vault.remote.label_client import LabelClient
from pseudonymizer.vault.remote.receipts_client import ReceiptsClient
from pseudonymizer.vault.remote.requests_client import RequestsClient
from pseudonymizer.vault.remote.values_client import ValuesClient

_REWRITES_A_MESSAGE: Final = 512  # what a run stores in one transaction


class VaultClient(KnownClient, LabelClient, ValuesClient, RequestsClient, ReceiptsClient, CurationClient):
    """A vault service as a VaultApi."""

    def __init__(self, connection: socket.socket, *, acting_for: str = "") -> None:
        super().__init__(connection, acting_for=acting_for)
        self._last_look: dict[str, int] = {}  # by project
        self._known: dict[str, Known] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def commit(self) -> None:
        """Nothing: what a verb did is durable when it returns."""

    def rollback(self) -> None:
        """Nothing: what a verb did is durable when it returns, and each of them may be repeated."""

    def has_open_work(self) -> bool:
        return False

    @property
    def actor(self) -> str:
        """Who the service takes this process for."""
        return self.status.actor

    # -- projects --------------------------------------------------------------------------------------------

    def projects(self) -> tuple[str, ...]:
        return self.ask(m.PROJECTS, m.Nothing())

    def ensure_project(self, name: str, settings: ProjectSettings | None = None) -> None:
        self.ask(m.ENSURE_PROJECT, m.EnsureProject(project=name, settings=settings))

    def project_settings(self, name: str) -> ProjectSettings:
        return self.ask(m.PROJECT_SETTINGS, m.OfProject(project=name))

    def change_settings(self, project: str, settings: ProjectSettings) -> None:
        self.ask(m.CHANGE_SETTINGS, m.ChangeSettings(project=project, settings=settings))

    # -- people ----------------------------------------------------------------------------------------------

    def known(self, project: str) -> Known:
        """Every person of the project with all names: for roles that may see names, and for no other.

        An analyst links with `linked`: there the service compares, and no name leaves it. The people are sent
        again only if something changed.
        """
        with self.lock:
            kept = self._known.pop(project, Known())
            now = self.ask(m.KNOWN, m.KnownSince(project=project, revision=kept.revision)).known
            return self._known.setdefault(project, kept if now is None else now.known())

    def close(self) -> None:
        self._known.clear()
        super().close()

    def known_identities(self, project: str) -> tuple[KnownIdentity, ...]:
        known = self.known(project)
        self._last_look[project] = known.seen_through
        return known.people

    def _seen(self, project: str, seen_through: int | None) -> int:
        return self._last_look.get(project, 0) if seen_through is None else seen_through

    def check_may_see_names(self, project: str) -> None:
        self.ask(m.CHECK_MAY_SEE_NAMES, m.OfProject(project=project))

    def are_known_names(self, project: str, names: Sequence[PersonName]) -> tuple[bool, ...]:
        return self.ask(m.ARE_KNOWN_NAMES, m.OfNames(project=project, names=tuple(names)))

    def linked(
        self,
        project: str,
        mentions: Sequence[NormalizedMention],
        *,
        linker: Callable[[], MentionLinker] | None = None,
        registered: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> Linked:
        """The identities that the service's own linker finds. The scored pairs of name forms stay there: they
        may hold known names.
        """
        del linker
        asked = m.Link(
            project=project, mentions=tuple(map(MentionRow.of, mentions)),
            registered=tuple(map(KnownRow.of, registered)), judgements=tuple(judgements),
        )  # fmt: skip
        found = self.ask(m.LINKED, asked).linked(mentions)
        self._last_look[project] = found.seen_through
        return found

    def assign(
        self,
        result: LinkageResult,
        *,
        project: str,
        scope: Scope = Scope.PROJECT,
        deterministic: bool = False,
        run: str = "",
        seen_through: int | None = None,
    ) -> Mapping[MentionId, Pseudonym]:
        asked = m.Assign(
            project=project, result=m.SentResult.of(result), seen_through=self._seen(project, seen_through),
            scope=scope, deterministic=deterministic, run=run,
        )  # fmt: skip
        return self.ask(m.ASSIGN, asked)

    def assign_styled(
        self,
        result: LinkageResult,
        wanted: StylesWanted,
        *,
        project: str,
        invented: InventedNames | None = None,
        seen_through: int | None = None,
    ) -> StyledPseudonyms:
        """Invented names are drawn where the real ones are known, from the service's own lists."""
        del invented
        if wanted.styles.styles <= ONE_WAY:
            return StyledPseudonyms({})  # nothing is stored, so nothing is sent
        if Style.SURROGATE not in wanted.styles.styles:
            wanted = replace(wanted, registered=())
        asked = m.AssignStyled(
            project=project, result=m.SentResult.of(result), wanted=wanted,
            seen_through=self._seen(project, seen_through),
        )  # fmt: skip
        return self.ask(m.ASSIGN_STYLED, asked)

    # -- documents -------------------------------------------------------------------------------------------

    def document_id(self, project: str, relative_path: str) -> DocumentId:
        asked = m.OfPath(project=project, relative_path=m.path_bytes(relative_path))
        return DocumentId(self.ask(m.DOCUMENT_ID, asked))

    def work_sealer(self, project: str) -> Sealer:
        """Opens work files that a version before 0.2 made, under a key that is good for nothing else: this
        actor's own for this project.
        """
        return Sealer(self.ask(m.WORK_KEY, m.OfProject(project=project)), key_id=1)

    def store_rewrite(self, project: str, rewrite: Rewrite, *, output: bytes) -> None:
        self.store_rewrites(project, [(rewrite, output)])

    def store_rewrites(self, project: str, rewrites: Iterable[tuple[Rewrite, bytes]]) -> None:
        """What undoes each rewritten file; of the file itself only its digest is sent."""
        rows = tuple(m.SentRewrite.of(rewrite, OutputDigest.of(output)) for rewrite, output in rewrites)
        for start in range(0, len(rows), _REWRITES_A_MESSAGE):
            some = rows[start : start + _REWRITES_A_MESSAGE]
            self.ask(m.STORE_REWRITES, m.StoreRewrites(project=project, rewrites=some))

    def outputs_among(self, project: str, digests: Collection[bytes]) -> set[bytes]:
        return set(self.ask(m.OUTPUTS_AMONG, m.OutputsAmong(project=project, digests=tuple(sorted(digests)))))

    def restore(
        self,
        *,
        project: str,
        outputs: Sequence[bytes],
        purpose: str,
        ticket: str = "",
        grant: str | None = None,
        doc_ids: Sequence[DocumentId | None] = (),
    ) -> tuple[Rewrite | None, ...]:
        """What undoes each of these files; of the files themselves only their digests are sent."""
        asked = m.Restore(
            project=project, outputs=_digests(outputs), purpose=purpose, ticket=ticket, grant=grant,
            doc_ids=tuple(doc_ids),
        )  # fmt: skip
        return tuple(None if sent is None else sent.rewrite() for sent in self.ask(m.RESTORE, asked))

    # -- ways back -------------------------------------------------------------------------------------------

    def reveal(
        self,
        *,
        project: str,
        pseudonyms: Sequence[str],
        purpose: str,
        ticket: str = "",
        grant: str | None = None,
    ) -> Mapping[str, RevealedName]:
        asked = m.Reveal(
            project=project, pseudonyms=tuple(pseudonyms), purpose=purpose, ticket=ticket, grant=grant
        )
        return self.ask(m.REVEAL, asked)

    def stored_forms(
        self, *, project: str, labels: Sequence[str], purpose: str, ticket: str = "", grant: str | None = None
    ) -> Mapping[str, str]:
        asked = m.StoredForms(
            project=project, labels=tuple(labels), purpose=purpose, ticket=ticket, grant=grant
        )
        return self.ask(m.STORED_FORMS, asked)

    def stored_addresses(
        self, *, project: str, labels: Sequence[str], purpose: str, ticket: str = ""
    ) -> Mapping[str, tuple[str, ...]]:
        asked = m.Labels(project=project, labels=tuple(labels), purpose=purpose, ticket=ticket)
        return self.ask(m.STORED_ADDRESSES, asked)

    def lookup(
        self,
        *,
        project: str,
        name: PersonName | str,
        purpose: str,
        ticket: str = "",
        judge: NameJudge | None = None,
    ) -> LookupResult:
        del judge  # the service's own one judges
        return self.ask(m.LOOKUP, m.Lookup(project=project, name=name, purpose=purpose, ticket=ticket))

    def request(
        self,
        *,
        project: str,
        pseudonyms: Sequence[str],
        purpose: str,
        legal_basis: str = "",
        ticket: str = "",
        action: Verb = Verb.REVEAL,
    ) -> AccessRequest:
        asked = m.Request(
            project=project, pseudonyms=tuple(pseudonyms), purpose=purpose, legal_basis=legal_basis,
            ticket=ticket, action=action,
        )  # fmt: skip
        return self.ask(m.REQUEST, asked)

    def request_restore(
        self,
        *,
        project: str,
        outputs: Sequence[bytes],
        purpose: str,
        legal_basis: str = "",
        ticket: str = "",
    ) -> AccessRequest:
        asked = m.RequestRestore(
            project=project, outputs=_digests(outputs), purpose=purpose, legal_basis=legal_basis,
            ticket=ticket,
        )  # fmt: skip
        return self.ask(m.REQUEST_RESTORE, asked)

    def request_link(
        self, *, project: str, other: str, purpose: str, legal_basis: str = "", ticket: str = ""
    ) -> AccessRequest:
        asked = m.RequestLink(
            project=project, other=other, purpose=purpose, legal_basis=legal_basis, ticket=ticket
        )
        return self.ask(m.REQUEST_LINK, asked)

    def approve(self, request_id: int) -> AccessRequest:
        return self.ask(m.APPROVE, m.OfRequest(request_id=request_id))

    def grant(self, request_id: int) -> str:
        return self.ask(m.GRANT, m.OfRequest(request_id=request_id))

    def link_projects(
        self, *, project: str, other: str, purpose: str, ticket: str = "", grant: str | None = None
    ) -> tuple[CrossLink, ...]:
        asked = m.LinkProjects(project=project, other=other, purpose=purpose, ticket=ticket, grant=grant)
        return self.ask(m.LINK_PROJECTS, asked)

    # -- care ------------------------------------------------------------------------------------------------

    def hand_out(self, *, project: str, run: str, hours: int, purpose: str, ticket: str = "") -> RunKey:
        asked = m.HandOut(project=project, run=run, hours=hours, purpose=purpose, ticket=ticket)
        return self.ask(m.HAND_OUT, asked)

    def accept(self, *, project: str, run: str, parcels: Sequence[bytes]) -> Accepted:
        return self.ask(m.ACCEPT, m.Accept(project=project, run=run, parcels=tuple(parcels)))

    def pseudonym_links(self, project: str) -> Iterator[PseudonymLink]:
        return iter(self.ask(m.PSEUDONYM_LINKS, m.OfProject(project=project)))

    def add_decoy(self, *, project: str, name: PersonName, surface: str) -> str:
        return self.ask(m.ADD_DECOY, m.AddDecoy(project=project, name=name, surface=surface))

    def erase(
        self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = ""
    ) -> ErasureReceipt:
        return self.ask(m.ERASE, _pseudonyms(project, pseudonyms, purpose, ticket))

    def erase_unseen_since(
        self, *, project: str, days: int, purpose: str, ticket: str = "", clock_is_right: bool = False
    ) -> ErasureReceipt | None:
        asked = m.EraseUnseen(
            project=project, days=days, purpose=purpose, ticket=ticket, clock_is_right=clock_is_right
        )
        return self.ask(m.ERASE_UNSEEN_SINCE, asked).receipt

    def rotate(self, what: Rotated, *, project_name: str) -> int:
        return self.ask(m.ROTATE, m.Rotate(project=project_name, what=what))

    def give_role(self, actor: str, role: Role) -> None:
        self.ask(m.GIVE_ROLE, m.OfRole(actor=actor, role=role))

    def take_role(self, actor: str, role: Role) -> None:
        self.ask(m.TAKE_ROLE, m.OfRole(actor=actor, role=role))

    def stored_roles(self) -> tuple[tuple[str, Role], ...]:
        return self.ask(m.STORED_ROLES, m.Nothing())

    def audit_events(self, *, project: str | None = None, limit: int | None = None) -> Iterator[AuditEvent]:
        """The trail in order, page by page; limit gives the last ones."""
        after = 0
        while page := self.ask(m.AUDIT_EVENTS, m.AuditEvents(project=project, limit=limit, after=after)):
            yield from page
            if limit is not None:
                return
            after = page[-1].sequence

    def audit_head(self) -> SignedHead:
        return self.ask(m.AUDIT_HEAD, m.Nothing())

    def verify_audit(self, heads: Sequence[SignedHead] = ()) -> int:
        return self.ask(m.VERIFY_AUDIT, m.Heads(heads=tuple(heads)))

    def verify(self, heads: Sequence[SignedHead] = ()) -> VerifyReport:
        return self.ask(m.VERIFY, m.Heads(heads=tuple(heads)))


def _digests(outputs: Sequence[bytes]) -> tuple[bytes, ...]:
    return tuple(bytes(OutputDigest.of(output)) for output in outputs)


def _pseudonyms(project: str, pseudonyms: Sequence[str], purpose: str, ticket: str) -> m.Pseudonyms:
    return m.Pseudonyms(project=project, pseudonyms=tuple(pseudonyms), purpose=purpose, ticket=ticket)
