"""The methods that everything outside this package calls on a vault.

`Vault` is one that is open in this process, with its keys; `VaultClient` is one behind the socket of `nymlink
vault serve`. Both are a `VaultApi`, method for method, and a caller that takes a VaultApi works with either.
The methods of a `Vault` end with its unit of work (`commit`, `rollback`), unless they say that they commit;
those of a client are durable when they return.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Protocol, Self

from linkage.records import (
    DocumentId,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
)
from linkage.review import Judgement
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
    StyledPseudonyms,
    VerifyReport,
)
from pseudonymizer.settings import ProjectSettings, StylesWanted
from pseudonymizer.styles.name_pool import InventedNames
from pseudonymizer.vault.curation_api import CurationApi
from pseudonymizer.vault.folders_api import FoldersApi
from pseudonymizer.vault.label_api import LabelApi
from pseudonymizer.vault.linker_api import KnownApi
from pseudonymizer.vault.linker_api import MentionLinker as MentionLinker
from pseudonymizer.vault.receipts_api import ReceiptsApi
from pseudonymizer.vault.requests_api import RequestsApi
from pseudonymizer.vault.review_api import ReviewApi
from pseudonymizer.vault.values_api import ValuesApi
from pseudonymizer.work_files.sealing import Sealing

# Of a name and others as they are written: the probability of each that it is the same person's, in [0, 1].
NameJudge = Callable[[str, Sequence[str]], Sequence[float]]


class ProjectsApi(Protocol):
    """Projects and their settings."""

    def projects(self) -> tuple[str, ...]:
        """All names, in the order in which the projects were made."""
        ...

    def ensure_project(self, name: str, settings: ProjectSettings | None = None) -> None:
        """Make the project unless it is there."""
        ...

    def project_settings(self, name: str) -> ProjectSettings:
        """Raises UnknownProjectError."""
        ...

    def change_settings(self, project: str, settings: ProjectSettings) -> None:
        """Change them; what was and what is are on record."""
        ...


class PeopleApi(Protocol):
    """People of a project and their pseudonyms."""

    def known(self, project: str) -> Known:
        """Every person of the project with all names that were met; nobody without such a project."""
        ...

    def known_identities(self, project: str) -> tuple[KnownIdentity, ...]:
        """The people of `known`; the vault remembers what this look has seen."""
        ...

    def are_known_names(self, project: str, names: Sequence[PersonName]) -> tuple[bool, ...]:
        """For each full name whether a person of the project has just this one; False for names that are not
        full. For who may pseudonymize.
        """
        ...

    def check_may_see_names(self, project: str) -> None:
        """Nothing, for an actor who may see names of the project; raises AccessRefusedError for others."""
        ...

    def linked(
        self,
        project: str,
        mentions: Sequence[NormalizedMention],
        *,
        linker: Callable[[], MentionLinker],
        registered: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> Linked:
        """Identities of these mentions, the people of the project and the registered ones.

        The linker is for a vault in this process: a service has its own. Ends the unit of work.
        """
        ...

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
        """A token for every mention; new people are stored.

        seen_through: of the Known or Linked that the result was made with; None: of the last look at known
        people that this vault gave (0 without one). Raises LinkageOutdatedError for a result to link again.
        """
        ...

    def assign_styled(
        self,
        result: LinkageResult,
        wanted: StylesWanted,
        *,
        project: str,
        invented: InventedNames,
        seen_through: int | None = None,
    ) -> StyledPseudonyms:
        """A pseudonym for every mention in each of these styles that has a way back; see assign.

        invented is for a vault in this process: a service has lists of its own.
        """
        ...


class DocumentsApi(Protocol):
    """Documents, and what undoes rewritten files."""

    def document_id(self, project: str, relative_path: str) -> DocumentId:
        """An id that says nothing about the path and is the same in every run."""
        ...

    def work_sealer(self, project: str) -> Sealing:
        """The sealing of work files that a version before 0.2 made; others have keys (folder_keys)."""
        ...

    def store_rewrite(self, project: str, rewrite: Rewrite, *, output: bytes) -> None:
        """Store the record that undoes one output. output: its bytes, or their OutputDigest."""
        ...

    def store_rewrites(self, project: str, rewrites: Iterable[tuple[Rewrite, bytes]]) -> None:
        """Store the records that undo outputs, each with the bytes of the output or their OutputDigest.

        A record takes the place of one with the same doc_id.
        """
        ...

    def outputs_among(self, project: str, digests: Collection[bytes]) -> set[bytes]:
        """The digests (crypto.digest_sha256 of a file's bytes) that belong to outputs of the project."""
        ...

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
        """The record that undoes each output; see pseudonymizer.reidentification. Commits."""
        ...


class WaysBackApi(Protocol):
    """From pseudonyms to names: requested, granted, on record; see pseudonymizer.reidentification. Each
    commits."""

    def reveal(
        self,
        *,
        project: str,
        pseudonyms: Sequence[str],
        purpose: str,
        ticket: str = "",
        grant: str | None = None,
    ) -> Mapping[str, RevealedName]:
        """The names behind pseudonyms, all or none."""
        ...

    def stored_forms(
        self, *, project: str, labels: Sequence[str], purpose: str, ticket: str = "", grant: str | None = None
    ) -> Mapping[str, str]:
        """The fullest name by pseudonym; labels that the project lacks are left out."""
        ...

    def stored_addresses(
        self, *, project: str, labels: Sequence[str], purpose: str, ticket: str = ""
    ) -> Mapping[str, tuple[str, ...]]:
        """The e-mail addresses by pseudonym; labels that the project lacks are left out."""
        ...

    def lookup(
        self,
        *,
        project: str,
        name: PersonName | str,
        purpose: str,
        ticket: str = "",
        judge: NameJudge | None = None,
    ) -> LookupResult:
        """The pseudonyms and documents of a given name, and of likely others where somebody judges names.

        judge is for a vault in this process: a service that links has its own.
        """
        ...

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
        """Ask for the names behind pseudonyms."""
        ...

    def request_restore(
        self,
        *,
        project: str,
        outputs: Sequence[bytes],
        purpose: str,
        legal_basis: str = "",
        ticket: str = "",
    ) -> AccessRequest:
        """Ask for the originals of these files."""
        ...

    def request_link(
        self, *, project: str, other: str, purpose: str, legal_basis: str = "", ticket: str = ""
    ) -> AccessRequest:
        """Ask for the links between two projects."""
        ...

    def approve(self, request_id: int) -> AccessRequest:
        """Approve the request of another actor."""
        ...

    def grant(self, request_id: int) -> str:
        """The grant of a request that has its approvals."""
        ...

    def link_projects(
        self, *, project: str, other: str, purpose: str, ticket: str = "", grant: str | None = None
    ) -> tuple[CrossLink, ...]:
        """Pairs of pseudonyms, one of each project, that stand for one person."""
        ...


class CareApi(Protocol):
    """Run keys, curation, erasure, rotation, roles, the trail."""

    def hand_out(self, *, project: str, run: str, hours: int, purpose: str, ticket: str = "") -> RunKey:
        """A key for workers that share nothing; commits."""
        ...

    def accept(self, *, project: str, run: str, parcels: Sequence[bytes]) -> Accepted:
        """Store what workers of a run found; commits."""
        ...

    def pseudonym_links(self, project: str) -> Iterator[PseudonymLink]:
        """The links between two people who have a pseudonym of project scope."""
        ...

    def add_decoy(self, *, project: str, name: PersonName, surface: str) -> str:
        """The pseudonym of a person who does not exist; the trail sounds an alarm when it is revealed."""
        ...

    def erase(
        self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = ""
    ) -> ErasureReceipt:
        """Destroy what the vault knows of the people behind these pseudonyms. Commits."""
        ...

    def erase_unseen_since(
        self, *, project: str, days: int, purpose: str, ticket: str = "", clock_is_right: bool = False
    ) -> ErasureReceipt | None:
        """Erase the people that no document has named for days; None: there are none. Commits.

        clock_is_right: somebody says so, of a clock that is far ahead of the last event.
        """
        ...

    def rotate(self, what: Rotated, *, project_name: str) -> int:
        """Renew one kind of key of a project; returns how many rows were made anew. Commits."""
        ...

    def give_role(self, actor: str, role: Role) -> None:
        """Give a role to an actor."""
        ...

    def take_role(self, actor: str, role: Role) -> None:
        """Take a role away from an actor."""
        ...

    def stored_roles(self) -> tuple[tuple[str, Role], ...]:
        """Pairs of actor and role; empty while everyone has all roles."""
        ...

    def audit_events(self, *, project: str | None = None, limit: int | None = None) -> Iterator[AuditEvent]:
        """The trail in order; limit gives the last ones."""
        ...

    def audit_head(self) -> SignedHead:
        """The end of the trail, signed."""
        ...

    def verify_audit(self, heads: Sequence[SignedHead] = ()) -> int:
        """The number of events, all as they were written; raises AuditTamperedError."""
        ...

    def verify(self, heads: Sequence[SignedHead] = ()) -> VerifyReport:
        """Findings about everything that is stored."""
        ...


class VaultApi(
    ProjectsApi,
    PeopleApi,
    KnownApi,
    LabelApi,
    ValuesApi,
    DocumentsApi,
    FoldersApi,
    ReviewApi,
    RequestsApi,
    ReceiptsApi,
    CurationApi,
    WaysBackApi,
    CareApi,
    Protocol,
):
    """A vault, wherever its keys are."""

    @property
    def lock(self) -> AbstractContextManager[object]:
        """Held while several calls belong together, by one of the threads that share the vault."""
        ...

    @property
    def last_event(self) -> int:
        """The number, in the trail, of the last event that was put on record here; 0 where none was."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def close(self) -> None:
        """Roll back what was not committed and let go of the stores, or of the connection."""
        ...

    def commit(self) -> None:
        """Make the unit of work durable."""
        ...

    def rollback(self) -> None:
        """Give the unit of work up."""
        ...

    def has_open_work(self) -> bool:
        """Whether something was written or recorded that is not committed."""
        ...
