"""Calls as HTTP has them, and their answers as records: without a connection, for both clients."""

import ipaddress
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypedDict, TypeVar
from urllib.parse import quote, unquote

import httpx
import msgspec

from nymlink_client.answers import (
    FoundTexts,
    KindsInUse,
    Problem,
    ProfilesShown,
    ProjectsShown,
    PseudonymizedTexts,
    RestoredTexts,
    StylesShown,
)
from nymlink_client.errors import (
    BusyError,
    InsecureAddressError,
    NymlinkError,
    ServiceFailedError,
    WrongRequestError,
    error_of,
)
from nymlink_client.files import Outgoing

API: Final = "/api/v1"
MOST_WAIT: Final = 30.0  # seconds before a request is sent again; a longer wait is the caller's to decide
_URN: Final = "urn:nymlink:problem:"
_T = TypeVar("_T")

Lists = Iterable[str] | Mapping[str, Iterable[str]]  # of persons, or by kind


class FindOptions(TypedDict, total=False):
    """Of find and pseudonymize. kinds: kinds or categories; others stay. always, never: texts that are, or
    are not, a mention. min_confidence: 0 to 1; what is less sure stays.
    """

    kinds: Iterable[str]
    always: Lists
    never: Lists
    min_confidence: float


class WriteOptions(FindOptions, total=False):
    """Of pseudonymize. See docs/reference/api.md of nymlink for each."""

    profile: str
    treatments: Mapping[str, str]
    style: str
    scope: str
    restyle: bool


class DocumentOptions(TypedDict, total=False):
    """Of pseudonymize_document. See docs/reference/api.md of nymlink for each."""

    kinds: Iterable[str]
    profile: str
    style: str
    restyle: bool


@dataclass(frozen=True, slots=True)
class Call(Generic[_T]):
    """One request. body: what is sent as JSON; None: nothing. given: the type of the answer; bytes: as it is,
    None: there is none. asked: what stands behind the path. raw: bytes that are sent as they are, at once or
    piece by piece. headers: further ones.
    """

    method: str
    path: str
    given: type[_T]
    body: Mapping[str, Any] | None = field(default=None, repr=False)
    asked: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | Outgoing | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


class Downloaded(msgspec.Struct, frozen=True):
    """A file as it was written or came back. name: with labels in place of names. how: written, exact, by
    labels and so on. left_in, unread: by kind, what stays and what could not be read.
    """

    name: str
    content: bytes
    how: str
    left_in: Mapping[str, int] = {}
    unread: Mapping[str, int] = {}
    audit_sequence: int = 0

    def __repr__(self) -> str:
        return f"Downloaded({len(self.content)} bytes, {self.how})"


def base_url(address: str) -> str:
    """The address of a service, without a slash at its end.

    Raises:
        InsecureAddressError: it is neither HTTPS nor this machine.
        WrongRequestError: it is no address of HTTP.
    """
    try:
        url = httpx.URL(address)
    except httpx.InvalidURL:
        raise WrongRequestError(
            detail="this is no address of a service; it looks like https://nymlink.example:8650"
        ) from None
    if url.scheme not in ("http", "https") or not url.host:
        raise WrongRequestError(detail="an address of a service begins with https:// or http://")
    if url.userinfo:
        raise WrongRequestError(detail="an address of a service holds no name and password; give a token")
    if url.scheme == "http" and not _is_this_machine(url.host):
        raise InsecureAddressError(
            detail="token and texts would cross a network unencrypted: use https://, or an address of this "
            "machine"
        )
    return address.rstrip("/")


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def find(texts: str | Iterable[str], options: FindOptions) -> Call[FoundTexts]:
    """Raises WrongRequestError for texts that cannot be sent."""
    return Call("POST", f"{API}/text/detect", FoundTexts, {"texts": _texts(texts), **told_options(options)})


def pseudonymize(
    project: str | None, texts: str | Iterable[str], options: WriteOptions
) -> Call[PseudonymizedTexts]:
    """Raises WrongRequestError for texts that cannot be sent."""
    body = {"texts": _texts(texts), "receipt": True, **told_options(options), **_of(project)}
    return Call("POST", f"{API}/text/pseudonymize", PseudonymizedTexts, body)


def restore(project: str | None, texts: Sequence[str], told: Mapping[str, Any]) -> Call[RestoredTexts]:
    """told: receipt, purpose, ticket, grant, made_from, confirm_project; empty ones are left out."""
    body = {"texts": _texts(texts), **{k: v for k, v in told.items() if v}, **_of(project)}
    return Call("POST", f"{API}/text/restore", RestoredTexts, body)


def kinds(project: str | None) -> Call[KindsInUse]:
    """The kinds as a project treats them."""
    return Call("GET", f"{API}/kinds", KindsInUse, asked=_of(project))


PROJECTS: Final = Call("GET", f"{API}/projects", ProjectsShown)
STYLES: Final = Call("GET", f"{API}/styles", StylesShown)
PROFILES: Final = Call("GET", f"{API}/profiles", ProfilesShown)


def one_post(path: str, given: type[_T], body: Mapping[str, Any] | None) -> Call[_T]:
    """A POST that makes something: sent again it makes nothing twice, for it has a key of its own."""
    return Call("POST", path, given, body, headers={"Idempotency-Key": secrets.token_hex(16)})


def path_part(written: str) -> str:
    """An id as it stands in an address."""
    return quote(written, safe="")


def sent_headers(call: Call[Any]) -> dict[str, str]:
    """The headers of a call."""
    if call.body is None:
        return dict(call.headers)
    return {"Content-Type": "application/json", **call.headers}


def encoded(call: Call[Any]) -> bytes | Outgoing | None:
    """The body of a call. Raises WrongRequestError for half a character (a lone surrogate)."""
    if call.body is None:
        return call.raw
    try:
        return msgspec.json.encode(call.body)
    except UnicodeEncodeError:
        raise WrongRequestError(detail="a text holds half a character (a lone surrogate)") from None


def answered(call: Call[_T], response: httpx.Response) -> _T:
    """The answer to a call.

    Raises:
        NymlinkError: one of its children, for a problem, and for what is no answer of a service.
    """
    if not response.is_success:
        raise failure(response)
    given: Any = call.given
    try:
        found: Any = None
        if given is bytes:
            found = response.content
        elif given is Downloaded:
            found = _downloaded(response)
        elif given is not type(None):
            found = msgspec.json.decode(response.content, type=given)
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError):
        raise ServiceFailedError(
            200, detail="the answer cannot be read; give client and service one version"
        ) from None
    result: _T = found
    return result


def _downloaded(response: httpx.Response) -> Downloaded:
    """Raises ValueError for an answer that is no file of a service."""
    counts = dict[str, int]
    told = response.headers
    name = told.get("Content-Disposition", "").rpartition("filename*=UTF-8''")[2]
    return Downloaded(
        unquote(name), response.content, told.get("Nymlink-How", ""),
        msgspec.json.decode(told.get("Nymlink-Left-In", "{}"), type=counts),
        msgspec.json.decode(told.get("Nymlink-Unread", "{}"), type=counts),
        int(told.get("Nymlink-Audit-Sequence", "0")),
    )  # fmt: skip


def seconds_to_wait(error: NymlinkError, response: httpx.Response, attempt: int) -> float | None:
    """How long to wait before the call is sent again; None: it is not worth it. attempt: from 0."""
    if not isinstance(error, BusyError):
        return None
    told = response.headers.get("Retry-After", "")
    seconds = float(told) if told.isascii() and told.isdecimal() else float(2**attempt)
    return seconds if seconds <= MOST_WAIT else None


def failure(response: httpx.Response) -> NymlinkError:
    """The error that an answer without success is; it was read."""
    return problem_error(response.content, response.status_code)


def problem_error(raw: bytes, status: int) -> NymlinkError:
    """The error that an answer with this body and status is."""
    try:
        found = msgspec.json.decode(raw, type=Problem)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = Problem(detail="the service gave no reason")
    return error_of_problem(found, status)


def error_of_problem(found: Problem, status: int) -> NymlinkError:
    """The error that a problem is."""
    return error_of(status, found.type.removeprefix(_URN), found.detail or found.title, found.field)


def _texts(texts: str | Iterable[str]) -> list[dict[str, str]]:
    given = [texts] if isinstance(texts, str) else list(texts)
    if not given or not all(isinstance(one, str) for one in given):
        raise WrongRequestError(detail="give a text, or several; each is a str")
    return [{"id": str(number), "text": one} for number, one in enumerate(given, start=1)]


def _of(project: str | None) -> dict[str, str]:
    return {} if project is None else {"project": project}


def told_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as JSON has them."""
    return {name: _listed(value) for name, value in options.items()}


def _listed(value: Any) -> Any:
    if isinstance(value, str | int | float) or value is None:
        return value
    if isinstance(value, Mapping):
        return {key: _listed(one) for key, one in value.items()}
    return list(value)
