"""A project of a nymlink service, with the method names of pseudonymizer.Project."""

import asyncio
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Final, Self, TypeVar, Unpack

import httpx

from nymlink_client import calls
from nymlink_client.answers import (
    FoundTexts,
    KindInUse,
    ProfileShown,
    ProjectShown,
    PseudonymizedTexts,
    RestoredText,
    StyleShown,
)
from nymlink_client.calls import Call, FindOptions, WriteOptions
from nymlink_client.errors import NymlinkError, ServiceFailedError, UnreachableError, WrongRequestError
from nymlink_client.streams import RestoringStream, stream_options

_T = TypeVar("_T")
_SECONDS: Final = 90.0  # a service gives up after 60
_RETRIES: Final = 2


class _Settings:
    """What both clients are made with."""

    def __init__(self, url: str, token: str, name: str | None, retries: int, timeout: float) -> None:
        self.url = calls.base_url(url)
        self.timeout = timeout
        self.name = name
        self.retries = retries
        self.headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}

    def stream(self, told: dict[str, Any]) -> RestoringStream:
        return RestoringStream(self.url, self.headers, self.timeout, told)

    def request(self, call: Call[Any]) -> dict[str, Any]:
        body = calls.encoded(call)
        headers = {} if body is None else {"Content-Type": "application/json"}
        asked = dict(call.asked) or None
        return {
            "method": call.method, "url": call.path, "content": body, "headers": headers, "params": asked,
        }  # fmt: skip


class Project:
    """A project of a service. For one thread at a time; close it, or use it as a context manager."""

    def __init__(self, client: httpx.Client, settings: _Settings) -> None:
        self._client, self._settings = client, settings

    @classmethod
    def open(
        cls,
        url: str,
        *,
        token: str,
        name: str | None = None,
        timeout: float = _SECONDS,
        retries: int = _RETRIES,
        transport: httpx.BaseTransport | None = None,
    ) -> Self:
        """The project at a service. Nothing is asked yet.

        name: of the project; None: that of the token. timeout: in seconds, for one request. retries: how
        often a request is sent again to a service that is busy. transport: another way to send requests.

        Raises:
            InsecureAddressError, WrongRequestError: the address cannot be used.
        """
        settings = _Settings(url, token, name, retries, timeout)
        client = httpx.Client(
            base_url=settings.url,
            headers=settings.headers,
            timeout=timeout,
            transport=transport,
            trust_env=False,
        )
        return cls(client, settings)

    def __repr__(self) -> str:
        return f"Project({self._settings.name or 'of the token'})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    @property
    def name(self) -> str | None:
        """The name of the project; None: that of the token."""
        return self._settings.name

    # -- texts -----------------------------------------------------------------------------------------------

    def find(self, texts: str | Iterable[str], **options: Unpack[FindOptions]) -> FoundTexts:
        """The mentions of texts, in their order, and who is who. Nothing is stored.

        Raises:
            NymlinkError: in one of its children, as all methods do.
        """
        return self._ask(calls.find(texts, options))

    def pseudonymize(self, texts: str | Iterable[str], **options: Unpack[WriteOptions]) -> PseudonymizedTexts:
        """The texts with labels in place of what is found, linked together, with their receipt."""
        return self._ask(calls.pseudonymize(self.name, texts, options))

    @staticmethod
    def receipt(answer: PseudonymizedTexts) -> str:
        """The receipt of an answer: for 24 hours the same account gets by it what it sent.

        Raises:
            ServiceFailedError: the answer has none.
        """
        return _receipt(answer)

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
        told = _told(receipt, purpose, ticket, grant, made_from, is_confirmed=is_confirmed)
        return _only(self._ask(calls.restore(self.name, [text], told)).texts)

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
        told = _told(receipt, purpose, ticket, None, made_from, is_confirmed=is_confirmed)
        return self._settings.stream(stream_options(self.name, told, notation))

    def restore(self, text: str, *, purpose: str, ticket: str = "", grant: str | None = None) -> bytes:
        """The text with names in place of labels, in UTF-8; see restore_text."""
        return self.restore_text(text, purpose=purpose, ticket=ticket, grant=grant).content

    def give_back(self, text: str, receipt: str, *, purpose: str = "", ticket: str = "") -> RestoredText:
        """The text with the names that this account sent itself; see restore_text."""
        return self.restore_text(text, receipt=receipt, purpose=purpose, ticket=ticket)

    # -- what there is ---------------------------------------------------------------------------------------

    def projects(self) -> tuple[ProjectShown, ...]:
        """The projects that the account may name."""
        return self._ask(calls.PROJECTS).projects

    def kinds(self) -> tuple[KindInUse, ...]:
        """Every kind of identifiers, and what becomes of it in the project."""
        return self._ask(calls.kinds(self.name)).kinds

    def styles(self) -> tuple[StyleShown, ...]:
        """Every style of pseudonyms."""
        return self._ask(calls.STYLES).styles

    def profiles(self) -> tuple[ProfileShown, ...]:
        """Every profile of treatments."""
        return self._ask(calls.PROFILES).profiles

    def is_ready(self) -> bool:
        """Whether the service can treat texts; False while it loads."""
        return self._sent({"method": "GET", "url": "/ready"}).status_code == 200

    # -- requests --------------------------------------------------------------------------------------------

    def _ask(self, call: Call[_T]) -> _T:
        request = self._settings.request(call)
        attempt = 0
        while True:
            response = self._sent(request)
            try:
                return calls.answered(call, response)
            except NymlinkError as error:
                wait = calls.seconds_to_wait(error, response, attempt)
                if wait is None or attempt >= self._settings.retries:
                    raise
            time.sleep(wait)
            attempt += 1

    def _sent(self, request: dict[str, Any]) -> httpx.Response:
        try:
            return self._client.request(**request)
        except httpx.HTTPError as error:
            raise _unreachable(error) from None


class AsyncProject:
    """The same for async code; `async with`, or `await close()`."""

    def __init__(self, client: httpx.AsyncClient, settings: _Settings) -> None:
        self._client, self._settings = client, settings

    @classmethod
    def open(
        cls,
        url: str,
        *,
        token: str,
        name: str | None = None,
        timeout: float = _SECONDS,
        retries: int = _RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> Self:
        """The project at a service; see Project.open."""
        settings = _Settings(url, token, name, retries, timeout)
        client = httpx.AsyncClient(
            base_url=settings.url,
            headers=settings.headers,
            timeout=timeout,
            transport=transport,
            trust_env=False,
        )
        return cls(client, settings)

    def __repr__(self) -> str:
        return f"AsyncProject({self._settings.name or 'of the token'})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection."""
        await self._client.aclose()

    @property
    def name(self) -> str | None:
        """The name of the project; None: that of the token."""
        return self._settings.name

    async def find(self, texts: str | Iterable[str], **options: Unpack[FindOptions]) -> FoundTexts:
        """The mentions of texts; see Project.find."""
        return await self._ask(calls.find(texts, options))

    async def pseudonymize(
        self, texts: str | Iterable[str], **options: Unpack[WriteOptions]
    ) -> PseudonymizedTexts:
        """The texts with labels in place of what is found; see Project.pseudonymize."""
        return await self._ask(calls.pseudonymize(self.name, texts, options))

    @staticmethod
    def receipt(answer: PseudonymizedTexts) -> str:
        """The receipt of an answer; see Project.receipt."""
        return _receipt(answer)

    async def restore_text(
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
        """The text with names in place of labels; see Project.restore_text."""
        told = _told(receipt, purpose, ticket, grant, made_from, is_confirmed=is_confirmed)
        return _only((await self._ask(calls.restore(self.name, [text], told))).texts)

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
        """What restores one text while it is written; see Project.restore_stream. In async code its method
        `restored_async` takes and gives pieces.
        """
        told = _told(receipt, purpose, ticket, None, made_from, is_confirmed=is_confirmed)
        return self._settings.stream(stream_options(self.name, told, notation))

    async def restore(self, text: str, *, purpose: str, ticket: str = "", grant: str | None = None) -> bytes:
        """The text with names in place of labels, in UTF-8; see Project.restore_text."""
        return (await self.restore_text(text, purpose=purpose, ticket=ticket, grant=grant)).content

    async def give_back(
        self, text: str, receipt: str, *, purpose: str = "", ticket: str = ""
    ) -> RestoredText:
        """The text with the names that this account sent itself; see Project.restore_text."""
        return await self.restore_text(text, receipt=receipt, purpose=purpose, ticket=ticket)

    async def projects(self) -> tuple[ProjectShown, ...]:
        """The projects that the account may name."""
        return (await self._ask(calls.PROJECTS)).projects

    async def kinds(self) -> tuple[KindInUse, ...]:
        """Every kind of identifiers, and what becomes of it in the project."""
        return (await self._ask(calls.kinds(self.name))).kinds

    async def styles(self) -> tuple[StyleShown, ...]:
        """Every style of pseudonyms."""
        return (await self._ask(calls.STYLES)).styles

    async def profiles(self) -> tuple[ProfileShown, ...]:
        """Every profile of treatments."""
        return (await self._ask(calls.PROFILES)).profiles

    async def is_ready(self) -> bool:
        """Whether the service can treat texts; False while it loads."""
        return (await self._sent({"method": "GET", "url": "/ready"})).status_code == 200

    async def _ask(self, call: Call[_T]) -> _T:
        request = self._settings.request(call)
        attempt = 0
        while True:
            response = await self._sent(request)
            try:
                return calls.answered(call, response)
            except NymlinkError as error:
                wait = calls.seconds_to_wait(error, response, attempt)
                if wait is None or attempt >= self._settings.retries:
                    raise
            await asyncio.sleep(wait)
            attempt += 1

    async def _sent(self, request: dict[str, Any]) -> httpx.Response:
        try:
            return await self._client.request(**request)
        except httpx.HTTPError as error:
            raise _unreachable(error) from None


def _unreachable(error: httpx.HTTPError) -> UnreachableError:
    return UnreachableError(detail=f"the service does not answer ({type(error).__name__})")


def _receipt(answer: PseudonymizedTexts) -> str:
    if answer.receipt is None:
        raise ServiceFailedError(detail="the answer has no receipt; does the service give any?")
    return answer.receipt


def _told(
    receipt: str | None,
    purpose: str,
    ticket: str,
    grant: str | None,
    made_from: Sequence[str],
    *,
    is_confirmed: bool,
) -> dict[str, Any]:
    if receipt is not None and (grant is not None or made_from):
        raise WrongRequestError(detail="a receipt works alone: leave out the grant and the outputs")
    return {
        "receipt": receipt, "purpose": purpose, "ticket": ticket, "grant": grant,
        "made_from": list(made_from), "confirm_project": is_confirmed,
    }  # fmt: skip


def _only(texts: Sequence[RestoredText]) -> RestoredText:
    if len(texts) != 1:
        raise ServiceFailedError(200, detail="the service answered another number of texts")
    return texts[0]
