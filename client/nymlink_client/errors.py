"""What can go wrong; no error holds a value of a request."""

from dataclasses import dataclass


@dataclass
class NymlinkError(Exception):
    """Base of all errors of this client.

    status: of the answer of HTTP; 0 without one. kind: what the service calls the problem, such as
    "purpose-required". detail: what to do. field: the place in the request that is wrong.
    """

    status: int = 0
    kind: str = ""
    detail: str = ""
    field: str = ""

    def __str__(self) -> str:
        place = f" (at {self.field})" if self.field else ""
        return f"{self.kind or type(self).__name__}{place}: {self.detail}"


class WrongRequestError(NymlinkError):
    """The service does not take the request as it is."""


class AccessRefusedError(NymlinkError):
    """No living token, one that is not for this, no purpose, or a grant or receipt that is not valid."""


class NotFoundError(NymlinkError):
    """There is no such thing, or it is not the caller's."""


class ChangedError(NymlinkError):
    """Somebody else was quicker: the workspace has another revision by now. Look at it again."""


class JobFailedError(NymlinkError):
    """A job ended with an error. kind: the class of the error in the service."""


class BusyError(NymlinkError):
    """The service is loading, busy, or has had too many requests, also after waiting."""


class ServiceFailedError(NymlinkError):
    """The service failed, or answered what this client does not understand."""


class UnreachableError(NymlinkError):
    """Nothing answers at the address."""


class InsecureAddressError(NymlinkError):
    """The address would send the token and the texts over a network without HTTPS."""


class UntreatedTextError(NymlinkError):
    """A text was asked for that the service could not treat."""


def error_of(status: int, kind: str, detail: str, field: str) -> NymlinkError:
    """The error of an answer with this status."""
    if status in (401, 403):
        return AccessRefusedError(status, kind, detail, field)
    if status == 404:
        return NotFoundError(status, kind, detail, field)
    if status == 412:
        return ChangedError(status, kind, detail, field)
    if status in (429, 503):
        return BusyError(status, kind, detail, field)
    if 400 <= status < 500:
        return WrongRequestError(status, kind, detail, field)
    return ServiceFailedError(status, kind, detail, field)
