"""Calls of stewards: requests for names, reveals, look-ups, the trail; and of single documents."""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from nymlink_client.calls import API, Call, Downloaded, one_post, path_part
from nymlink_client.errors import WrongRequestError
from nymlink_client.steward_answers import (
    AccessRequest,
    EventsShown,
    GrantGiven,
    LookedUp,
    PersonSplit,
    RequestsShown,
    RevealedNames,
)

MOST_EVENTS: Final = 1_000  # in one request
REQUESTS: Final = Call("GET", f"{API}/requests", RequestsShown)


def ask(project: str | None, pseudonyms: Iterable[str], told: Mapping[str, str]) -> Call[AccessRequest]:
    """A request for names. told: purpose, legal_basis, ticket."""
    return one_post(f"{API}/requests", AccessRequest, _body(project, pseudonyms, told))


def request(number: int) -> Call[AccessRequest]:
    """A request as it stands."""
    return Call("GET", f"{API}/requests/{number}", AccessRequest)


def approve(number: int) -> Call[AccessRequest]:
    """An approval."""
    return Call("POST", f"{API}/requests/{number}/approvals", AccessRequest)


def deny(number: int, reason: str) -> Call[AccessRequest]:
    """A denial."""
    return Call("POST", f"{API}/requests/{number}/denials", AccessRequest, {"reason": reason})


def withdraw(number: int) -> Call[AccessRequest]:
    """A request that is taken back."""
    return Call("DELETE", f"{API}/requests/{number}", AccessRequest)


def grant(number: int) -> Call[GrantGiven]:
    """The grant of a request."""
    return Call("POST", f"{API}/requests/{number}/grant", GrantGiven)


def reveal(project: str | None, pseudonyms: Iterable[str], told: Mapping[str, Any]) -> Call[RevealedNames]:
    """Names behind pseudonyms. told: purpose, ticket, grant."""
    return Call("POST", f"{API}/reveals", RevealedNames, _body(project, pseudonyms, told))


def lookup(project: str | None, told: Mapping[str, Any]) -> Call[LookedUp]:
    """Pseudonyms of a name. told: name, kind, purpose, ticket."""
    return Call("POST", f"{API}/lookups", LookedUp, _said(project, told))


def split(
    project: str | None, pseudonym: str, forms: Iterable[str], told: Mapping[str, Any]
) -> Call[PersonSplit]:
    """Two people taken apart. told: purpose, ticket."""
    given = [forms] if isinstance(forms, str) else list(forms)
    body = {"pseudonym": pseudonym, "forms": given, **_said(project, told)}
    return one_post(f"{API}/splits", PersonSplit, body)


def audit(after: int, limit: int) -> Call[EventsShown]:
    """A page of the trail."""
    return Call("GET", f"{API}/audit", EventsShown, asked={"after": str(after), "limit": str(limit)})


def write_document(
    project: str | None, content: bytes, name: str, options: Mapping[str, Any]
) -> Call[Downloaded]:
    """A file with labels in place of names. options: kinds, profile, style, restyle."""
    asked = {key: ",".join(value) if key == "kinds" else str(value) for key, value in options.items()}
    asked = {key: value.lower() if key == "restyle" else value for key, value in asked.items()}
    return _document(f"{_documents(project)}", content, name, {}, asked)


def restore_document(
    project: str | None, content: bytes, name: str, told: Mapping[str, str | None]
) -> Call[Downloaded]:
    """The original of a file. told: purpose, ticket, grant."""
    headers = {f"Nymlink-{key.title()}": quote(value, safe="") for key, value in told.items() if value}
    return _document(f"{_documents(project)}/restored", content, name, headers, {})


def _document(
    path: str, content: bytes, name: str, headers: Mapping[str, str], asked: Mapping[str, str]
) -> Call[Downloaded]:
    disposition = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
    return Call(
        "POST", path, Downloaded, raw=content, asked=asked,
        headers={
            **headers, "Content-Disposition": disposition, "Content-Type": "application/octet-stream",
        },
    )  # fmt: skip


def _documents(project: str | None) -> str:
    if project is None:
        raise WrongRequestError(detail="name the project of a document: Project.open(..., name=...)")
    return f"{API}/projects/{path_part(project)}/documents"


def _body(project: str | None, pseudonyms: Iterable[str], told: Mapping[str, Any]) -> dict[str, Any]:
    given = [pseudonyms] if isinstance(pseudonyms, str) else list(pseudonyms)
    return {"pseudonyms": given, **_said(project, told)}


def _said(project: str | None, told: Mapping[str, Any]) -> dict[str, Any]:
    body = {name: value for name, value in told.items() if value}
    return body if project is None else {**body, "project": project}
