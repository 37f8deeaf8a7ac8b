"""A project of a nymlink service, with the method names of pseudonymizer.Project."""

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Self, Unpack

import httpx

from nymlink_client import calls
from nymlink_client import steward_calls as stewards
from nymlink_client import workspace_calls as workspaces
from nymlink_client.answers import (
    FoundTexts,
    KindInUse,
    ProfileShown,
    ProjectShown,
    PseudonymizedTexts,
    RestoredText,
    StyleShown,
)
from nymlink_client.calls import DocumentOptions, Downloaded, FindOptions, WriteOptions
from nymlink_client.files import Content
from nymlink_client.sending import RETRIES, SECONDS, Sender, Settings
from nymlink_client.steward_answers import AccessRequest, AuditEvent, LookedUp, PersonSplit, RevealedNames
from nymlink_client.steward_calls import MOST_EVENTS
from nymlink_client.streams import RestoringStream, stream_options
from nymlink_client.told import name_of, only, receipt_of, told_of_restore
from nymlink_client.workspaces import Job, Workspace, bytes_of


class Project:
    """A project of a service. For one thread at a time; close it, or use it as a context manager."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    @classmethod
    def open(
        cls,
        url: str,
        *,
        token: str,
        name: str | None = None,
        timeout: float = SECONDS,
        retries: int = RETRIES,
        transport: httpx.BaseTransport | None = None,
    ) -> Self:
        """The project at a service. Nothing is asked yet.

        name: of the project; None: that of the token. timeout: in seconds, for one request. retries: how
        often a request is sent again to a service that is busy. transport: another way to send requests.

        Raises:
            InsecureAddressError, WrongRequestError: the address cannot be used.
        """
        return cls(Sender(Settings(url, token, name, retries, timeout), transport))

    def __repr__(self) -> str:
        return f"Project({self._sender.settings.name or 'of the token'})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._sender.close()

    @property
    def name(self) -> str | None:
        """The name of the project; None: that of the token."""
        return self._sender.settings.name

    # -- texts -----------------------------------------------------------------------------------------------

    def find(self, texts: str | Iterable[str], **options: Unpack[FindOptions]) -> FoundTexts:
        """The mentions of texts, in their order, and who is who. Nothing is stored.

        Raises:
            NymlinkError: in one of its children, as all methods do.
        """
        return self._sender.ask(calls.find(texts, options))

    def pseudonymize(self, texts: str | Iterable[str], **options: Unpack[WriteOptions]) -> PseudonymizedTexts:
        """The texts with labels in place of what is found, linked together, with their receipt."""
        return self._sender.ask(calls.pseudonymize(self.name, texts, options))

    @staticmethod
    def receipt(answer: PseudonymizedTexts) -> str:
        """The receipt of an answer: for 24 hours the same account gets by it what it sent.

        Raises:
            ServiceFailedError: the answer has none.
        """
        return receipt_of(answer)

    def restore_text(
        self,
        text: str,
        *,
        receipt: str | None = None,
        purpose: str = "",
        ticket: str = "",
        grant: str | None = None,
        made_from: Sequence[str] = (),
        is_confirmed: bool = False,
    ) -> RestoredText:
        """The text with names in place of labels, and which labels were left; on record.

        receipt: what this account sent itself comes back. Without one a purpose is needed, and the right to
        restore, or a grant. made_from: outputs that the text was made from, so that invented names come back.
        is_confirmed: tags of it are this project's, though another one has the same.
        """
        told = told_of_restore(receipt, purpose, ticket, grant, made_from, is_confirmed=is_confirmed)
        return only(self._sender.ask(calls.restore(self.name, [text], told)).texts)

    def restore_stream(
        self,
        *,
        receipt: str | None = None,
        purpose: str = "",
        ticket: str = "",
        made_from: Sequence[str] = (),
        is_confirmed: bool = False,
        notation: str = "text",
    ) -> RestoringStream:
        """What restores one text while it is written: `for piece in stream.restored(pieces)`. Only what may
        be the beginning of a label is held back. It has a connection of its own.

        notation: what the text is, so that names are written as it needs: text, json or html. The other
        arguments are those of restore_text.
        """
        told = told_of_restore(receipt, purpose, ticket, None, made_from, is_confirmed=is_confirmed)
        return self._sender.settings.stream(stream_options(self.name, told, notation))

    def restore(self, text: str, *, purpose: str, ticket: str = "", grant: str | None = None) -> bytes:
        """The text with names in place of labels, in UTF-8; see restore_text."""
        return self.restore_text(text, purpose=purpose, ticket=ticket, grant=grant).content

    def give_back(self, text: str, receipt: str, *, purpose: str = "", ticket: str = "") -> RestoredText:
        """The text with the names that this account sent itself; see restore_text."""
        return self.restore_text(text, receipt=receipt, purpose=purpose, ticket=ticket)

    # -- what there is ---------------------------------------------------------------------------------------

    def projects(self) -> tuple[ProjectShown, ...]:
        """The projects that the account may name."""
        return self._sender.ask(calls.PROJECTS).projects

    def kinds(self) -> tuple[KindInUse, ...]:
        """Every kind of identifiers, and what becomes of it in the project."""
        return self._sender.ask(calls.kinds(self.name)).kinds

    def styles(self) -> tuple[StyleShown, ...]:
        """Every style of pseudonyms."""
        return self._sender.ask(calls.STYLES).styles

    def profiles(self) -> tuple[ProfileShown, ...]:
        """Every profile of treatments."""
        return self._sender.ask(calls.PROFILES).profiles

    def is_ready(self) -> bool:
        """Whether the service can treat texts; False while it loads."""
        return self._sender.is_ready()

    # -- documents and workspaces ----------------------------------------------------------------------------

    def pseudonymize_document(
        self, content: Content, name: str | None = None, **options: Unpack[DocumentOptions]
    ) -> Downloaded:
        """A small file in its own format, with labels in place of names. name: of the file, without folders;
        it may be left out for a path.
        """
        raw, named = bytes_of(content), name_of(content, name)
        return self._sender.ask(stewards.write_document(self.name, raw, named, options))

    def restore_document(
        self,
        content: Content,
        name: str | None = None,
        *,
        purpose: str,
        ticket: str = "",
        grant: str | None = None,
    ) -> Downloaded:
        """The original of a file that was written here, for a stated purpose; on record."""
        raw, named = bytes_of(content), name_of(content, name)
        told = {"purpose": purpose, "ticket": ticket, "grant": grant}
        return self._sender.ask(stewards.restore_document(self.name, raw, named, told))

    def make_workspace(self, *, keep_hours: int = 24) -> Workspace:
        """A new workspace. keep_hours: without use, after which it is destroyed."""
        return Workspace(self._sender, self._sender.ask(workspaces.make(self.name, keep_hours)).workspace)

    def workspaces(self) -> tuple[Workspace, ...]:
        """The workspaces of the account, the last made first."""
        found = self._sender.ask(workspaces.WORKSPACES).workspaces
        return tuple(Workspace(self._sender, one.workspace) for one in found)

    def workspace(self, workspace_id: str) -> Workspace:
        """The workspace with this id. Nothing is asked yet."""
        return Workspace(self._sender, workspace_id)

    def job(self, job_id: str) -> Job:
        """The job with this id, as it stands."""
        return Job(self._sender, self._sender.ask(workspaces.job(job_id)))

    def jobs(self) -> tuple[Job, ...]:
        """The jobs of the account, the last one first."""
        return tuple(Job(self._sender, one) for one in self._sender.ask(workspaces.jobs(None)).jobs)

    # -- names for which others are asked --------------------------------------------------------------------

    def request(
        self, pseudonyms: str | Iterable[str], *, purpose: str, legal_basis: str = "", ticket: str = ""
    ) -> AccessRequest:
        """A request for the names behind pseudonyms, which others approve."""
        told = {"purpose": purpose, "legal_basis": legal_basis, "ticket": ticket}
        return self._sender.ask(stewards.ask(self.name, pseudonyms, told))

    def requests(self) -> tuple[AccessRequest, ...]:
        """The requests that the account may see, as they stand."""
        return self._sender.ask(stewards.REQUESTS).requests

    def approve(self, number: int) -> AccessRequest:
        """A request of another account, approved."""
        return self._sender.ask(stewards.approve(number))

    def deny(self, number: int, *, reason: str = "") -> AccessRequest:
        """A request, denied. reason: for who asked; it stands in the trail."""
        return self._sender.ask(stewards.deny(number, reason))

    def withdraw(self, number: int) -> AccessRequest:
        """A request of one's own, taken back."""
        return self._sender.ask(stewards.withdraw(number))

    def grant(self, number: int) -> str:
        """The grant of an approved request of one's own. It works once."""
        return self._sender.ask(stewards.grant(number)).grant

    def reveal(
        self, pseudonyms: str | Iterable[str], *, purpose: str, ticket: str = "", grant: str | None = None
    ) -> RevealedNames:
        """The names behind pseudonyms, all or none; on record."""
        told = {"purpose": purpose, "ticket": ticket, "grant": grant}
        return self._sender.ask(stewards.reveal(self.name, pseudonyms, told))

    def lookup(self, name: str, *, purpose: str, kind: str | None = None, ticket: str = "") -> LookedUp:
        """Pseudonyms and documents of a name, or of a value of a kind; on record, without the name."""
        told = {"name": name, "purpose": purpose, "kind": kind, "ticket": ticket}
        return self._sender.ask(stewards.lookup(self.name, told))

    def split(
        self, pseudonym: str, forms: str | Iterable[str], *, purpose: str, ticket: str = ""
    ) -> PersonSplit:
        """Two people taken apart who have one pseudonym: these forms of the name get another one."""
        told = {"purpose": purpose, "ticket": ticket}
        return self._sender.ask(stewards.split(self.name, pseudonym, forms, told))

    def audit_events(self, *, after: int = 0) -> tuple[AuditEvent, ...]:
        """The events of the trail with a higher number, the first ones first. Never a name."""
        found: list[AuditEvent] = []
        while True:
            page = self._sender.ask(stewards.audit(after, MOST_EVENTS))
            found += page.events
            if len(page.events) < MOST_EVENTS:
                return tuple(found)
            after = page.last
