"""The vault that is open in this process: a VaultApi over two stores and their keys."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self, Unpack

from linkage.records import DocumentId, LinkageResult, MentionId, PersonName
from pseudonymizer.audit import Entry
from pseudonymizer.keyring import KeyProvider, RecoveryKey, RecoveryPublicKek, new_recovery_key
from pseudonymizer.open_links import KeptLinks, OpenLinks, RunOutput
from pseudonymizer.policy import Role, Verb
from pseudonymizer.records import (
    Accepted,
    AccessRequest,
    CrossLink,
    ErasureReceipt,
    LookupResult,
    Pseudonym,
    PseudonymLink,
    ReadLabel,
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
from pseudonymizer.settings import StylesWanted
from pseudonymizer.styles.labels import TokenReader
from pseudonymizer.styles.name_pool import InventedNames
from pseudonymizer.vault import access, erasure
from pseudonymizer.vault.api import NameJudge
from pseudonymizer.vault.assigning import assignment, styled_assignment
from pseudonymizer.vault.care import links, rotation, verification
from pseudonymizer.vault.curation_verbs import CurationVault
from pseudonymizer.vault.remote.client import VaultClient
from pseudonymizer.vault.rows import documents, read_labels, styled
from pseudonymizer.vault.store.projectkeys import WorkSealer
from pseudonymizer.vault.store.surroundings import Options
from pseudonymizer.vault.ways_back import crosslinks, decoys, open_links, reidentification, runkeys


class Vault(CurationVault):
    """A vault that is open. Leaving it as a context manager without commit rolls back."""

    @classmethod
    def open(cls, url: str | Path, provider: KeyProvider, **options: Unpack[Options]) -> Self:
        """Open a vault that is there; an erasure that was cut off is finished first.

        Options: keys_url, actor, clock, entropy, head.

        Raises:
            VaultUninitializedError, KeyStoreMissingError, WrongKeyError, KeyUnavailableError,
            VaultDamagedError,
            VaultOutdatedError: each says what to do; none changes a byte.
        """
        opened = super().open(url, provider, **options)
        try:
            erasure.resume(opened)
        except BaseException:
            opened.close()
            raise
        return opened

    @staticmethod
    def connect(address: str | Path, *, acting_for: str = "") -> VaultClient:
        """The client of the vault service at unix:PATH: the same verbs, without a key in this process.

        acting_for: the account, as web:NAME, for which the user of the web front speaks.
        """
        return VaultClient.connect(address, acting_for=acting_for)

    # -- people ----------------------------------------------------------------------------------------------

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
        """A token for every mention; new people are stored. The caller commits before any text carries one.

        deterministic: tokens are derived from the full name under the project's token key and `run`, so that
        workers which share nothing agree; namesakes then are one person.

        seen_through: what the linker has seen of the project's people; None: what the last known_identities
        or linked gave out. Those who came later are found by their full names.

        Raises:
            LinkageOutdatedError: a person of the result was erased since.
        """
        seen = self.last_look(project) if seen_through is None else seen_through
        how = assignment.HowToAssign(scope, seen, deterministic=deterministic, run=run)
        return assignment.assign(result, self, how, project=project)

    def assign_styled(
        self,
        result: LinkageResult,
        wanted: StylesWanted,
        *,
        project: str,
        invented: InventedNames,
        seen_through: int | None = None,
    ) -> StyledPseudonyms:
        """A pseudonym for every mention in each style that has a way back; see assign.

        Raises:
            LinkageOutdatedError: a person of the result was erased since.
            SurrogatesExhaustedError: no unique label can be formed.
        """
        seen = self.last_look(project) if seen_through is None else seen_through
        drawing = styled_assignment.Drawing(self, project, result, wanted, invented)
        return styled_assignment.assign_styled(drawing, seen)

    def literal_label(self, project: str, text: str) -> Pseudonym:
        """A token that stands for text which only looks like one: so it comes back unchanged."""
        return assignment.literal_label(self, project, text)

    def tokens(self, project: str) -> TokenReader:
        """Tells this project's tokens from look-alikes."""
        return TokenReader(self.ensure_keys(project).tokens)

    def is_token(self, project: str, text: str) -> bool:
        return self.tokens(project).is_valid(text)

    def stored_labels(self, project: str, style: Style) -> tuple[str, ...]:
        """All pseudonyms of a style in a project that there is; of surrogates those of people."""
        keys = self.keys_of(project)
        if style is Style.SURROGATE:
            return tuple(label for label, _ in styled.labels_of_people(self, keys, style))
        return tuple(label for label, _ in styled.labels_of_style(self, keys, style))

    def styles_of_people(self, project: str) -> tuple[Style, ...]:
        return styled.styles_of_people(self, self.keys_of(project))

    def read_labels(self, project: str, texts: Sequence[str]) -> tuple[ReadLabel, ...]:
        """What the project knows of each text that may be a label."""
        return read_labels.read_labels(self, self.keys_of(project), texts)

    # -- documents -------------------------------------------------------------------------------------------

    def document_id(self, project: str, relative_path: str) -> DocumentId:
        """An id for a document that says nothing about its path, and is the same in every run."""
        keys = self.ensure_keys(project)
        return DocumentId("d" + keys.binder("path").tag(relative_path.encode("utf-8", "surrogatepass")).hex())

    def work_sealer(self, project: str) -> WorkSealer:
        """Opens work files that a version before 0.2 made, under the project's key."""
        with self.lock:
            access.authorize(self, Verb.PSEUDONYMIZE, project_name=project)
            return WorkSealer(self.ensure_keys(project))

    def store_rewrite(self, project: str, rewrite: Rewrite, *, output: bytes) -> None:
        """What undoes one rewritten file."""
        self.store_rewrites(project, [(rewrite, output)])

    def store_rewrites(self, project: str, rewrites: Iterable[tuple[Rewrite, bytes]]) -> None:
        """What undoes each rewritten file, with the file's bytes; replaces what was stored for the same
        doc_id.
        """
        with self.lock:
            access.authorize(self, Verb.PSEUDONYMIZE, project_name=project)
            keys = self.begin_in(project)
            stored, edits = documents.store_rewrites(self, keys, rewrites)
            self.record(Entry("store", project=project, counts={"documents": stored, "edits": edits}))

    def outputs_among(self, project: str, digests: Collection[bytes]) -> set[bytes]:
        """The digests (crypto.digest_sha256 of a file's bytes) that belong to outputs of the project."""
        return styled.outputs_among(self, project, digests)

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
        """What undoes each of these files; None for one that is unknown or was edited since."""
        return reidentification.restore(
            self, project=project, outputs=outputs, purpose=purpose, ticket=ticket, grant=grant,
            doc_ids=doc_ids,
        )  # fmt: skip

    # -- review ----------------------------------------------------------------------------------------------

    def keep_open_links(self, project: str, found: OpenLinks) -> None:
        """Keep what a linkage result leaves for review, until it is forgotten or erased."""
        open_links.keep_open_links(self, project=project, found=found)

    def kept_links(self, project: str, outputs: Sequence[RunOutput]) -> KeptLinks:
        """The open links that runs left, between mentions of the originals of these outputs."""
        return open_links.kept_links(self, project=project, outputs=outputs)

    def reviewed_rewrites(
        self, project: str, outputs: Sequence[bytes], doc_ids: Sequence[DocumentId | None] = ()
    ) -> tuple[Rewrite | None, ...]:
        """What undoes these outputs, for the words around an open link."""
        return open_links.reviewed_rewrites(self, project=project, outputs=outputs, doc_ids=doc_ids)

    def forget_open_links(self, project: str, outputs: Sequence[RunOutput]) -> int:
        """Keep no more what runs left for review of the originals of these outputs."""
        return open_links.forget_open_links(self, project=project, outputs=outputs)

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
        """The names behind pseudonyms, all or none."""
        return reidentification.reveal(
            self, project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket, grant=grant
        )

    def stored_forms(
        self, *, project: str, labels: Sequence[str], purpose: str, ticket: str = "", grant: str | None = None
    ) -> Mapping[str, str]:
        """The fullest name by pseudonym; labels that the project lacks are left out."""
        return reidentification.stored_forms(
            self, project=project, labels=labels, purpose=purpose, ticket=ticket, grant=grant
        )

    def stored_addresses(
        self, *, project: str, labels: Sequence[str], purpose: str, ticket: str = ""
    ) -> Mapping[str, tuple[str, ...]]:
        """The e-mail addresses by pseudonym; labels that the project lacks are left out."""
        return reidentification.stored_addresses(
            self, project=project, labels=labels, purpose=purpose, ticket=ticket
        )

    def lookup(
        self,
        *,
        project: str,
        name: PersonName | str,
        purpose: str,
        ticket: str = "",
        judge: NameJudge | None = None,
    ) -> LookupResult:
        """The pseudonyms and documents of a given name."""
        return reidentification.lookup(
            self, project=project, name=name, purpose=purpose, ticket=ticket, judge=judge
        )

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
        return reidentification.request(
            self, project=project, pseudonyms=pseudonyms, purpose=purpose, legal_basis=legal_basis,
            ticket=ticket, action=action,
        )  # fmt: skip

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
        return reidentification.request_restore(
            self, project=project, outputs=outputs, purpose=purpose, legal_basis=legal_basis, ticket=ticket
        )

    def request_link(
        self, *, project: str, other: str, purpose: str, legal_basis: str = "", ticket: str = ""
    ) -> AccessRequest:
        """Ask for the links between two projects."""
        return crosslinks.request_link(
            self, project=project, other=other, purpose=purpose, legal_basis=legal_basis, ticket=ticket
        )

    def approve(self, request_id: int) -> AccessRequest:
        """Approve the request of another actor."""
        return reidentification.approve(self, request_id)

    def grant(self, request_id: int) -> str:
        """The grant of a request that has its approvals."""
        return reidentification.grant(self, request_id)

    def link_projects(
        self, *, project: str, other: str, purpose: str, ticket: str = "", grant: str | None = None
    ) -> tuple[CrossLink, ...]:
        """Pairs of pseudonyms, one of each project, that stand for one person."""
        return crosslinks.link_projects(
            self, project=project, other=other, purpose=purpose, ticket=ticket, grant=grant
        )

    # -- care ------------------------------------------------------------------------------------------------

    def hand_out(self, *, project: str, run: str, hours: int, purpose: str, ticket: str = "") -> RunKey:
        """A key for workers that share nothing."""
        return runkeys.hand_out(self, project=project, run=run, hours=hours, purpose=purpose, ticket=ticket)

    def accept(self, *, project: str, run: str, parcels: Sequence[bytes]) -> Accepted:
        """Store what workers of a run found."""
        return runkeys.accept(self, project=project, run=run, parcels=parcels)

    def pseudonym_links(self, project: str) -> Iterator[PseudonymLink]:
        """The links between two people who have a pseudonym of project scope."""
        return links.pseudonym_links(self, project)

    def add_decoy(self, *, project: str, name: PersonName, surface: str) -> str:
        """The pseudonym of a person who does not exist."""
        return decoys.add_decoy(self, project=project, name=name, surface=surface)

    def erase(
        self, *, project: str, pseudonyms: Sequence[str], purpose: str, ticket: str = ""
    ) -> ErasureReceipt:
        """Destroy what the vault knows of the people behind these pseudonyms."""
        return erasure.erase(self, project=project, pseudonyms=pseudonyms, purpose=purpose, ticket=ticket)

    def erase_unseen_since(
        self, *, project: str, days: int, purpose: str, ticket: str = "", clock_is_right: bool = False
    ) -> ErasureReceipt | None:
        """Erase the people that no document has named for days; None: there are none."""
        return erasure.erase_unseen_since(
            self, project=project, days=days, purpose=purpose, ticket=ticket, clock_is_right=clock_is_right
        )

    def rotate(self, what: Rotated, *, project_name: str) -> int:
        """Renew one kind of key of a project; returns how many rows were made anew."""
        return rotation.rotate(self, what, project_name=project_name)

    def give_role(self, actor: str, role: Role) -> None:
        """Give a role to an actor; commit makes it durable."""
        access.give_role(self, actor, role)

    def take_role(self, actor: str, role: Role) -> None:
        """Take a role away from an actor; commit makes it durable."""
        access.take_role(self, actor, role)

    def stored_roles(self) -> tuple[tuple[str, Role], ...]:
        """Pairs of actor and role; empty while everyone has all roles."""
        return access.stored_roles(self)

    def verify_audit(self, heads: Sequence[SignedHead] = ()) -> int:
        """Number of events, all as they were written.

        Raises:
            AuditTamperedError: at the first thing that is not.
            AccessRefusedError: the actor may not verify; on record.
        """
        self.authorize_verifying()
        return self.check_trail(heads)

    def verify(self, heads: Sequence[SignedHead] = ()) -> VerifyReport:
        """Check everything that is stored; no finding means all is as the vault wrote it.

        Raises:
            AccessRefusedError: the actor may not verify; on record.
        """
        self.authorize_verifying()
        return verification.verify(self, heads)

    # -- with the key only -----------------------------------------------------------------------------------

    def add_recovery_key(self, public: bytes | None = None) -> RecoveryKey | None:
        """A second way in: made here and returned once, or for the public key that the organisation gives."""
        with self.lock:
            role = access.authorize(self, Verb.EXPORT_KEYS)
            self.begin_keys()
            made = None if public is not None else new_recovery_key(self.entropy)
            recovery = RecoveryPublicKek(public if made is None else made.public)  # type: ignore[arg-type]
            kek_id = self.keystore.add_kek(recovery, created_at=self.clock().isoformat())
            count = self.keystore.wrap_all_for(kek_id, recovery, created_at=self.clock().isoformat())
            self.record(Entry("recovery.add", role=role, counts={"keys": count}))
            self.commit()
            return made
