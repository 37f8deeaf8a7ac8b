"""Forms of pages: fields as a browser sends them, read strictly and never turned into anything but text."""

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from pseudonymizer.web import problems
from pseudonymizer.web.problems import ProblemError

_TYPE: Final = "application/x-www-form-urlencoded"
_MOST_FIELDS: Final = 500


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a form in their order."""

    pairs: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def one(self, name: str) -> str:
        """The first value of a field; "" where there is none."""
        return next((value for key, value in self.pairs if key == name), "")

    def every(self, name: str) -> tuple[str, ...]:
        """All values of a field."""
        return tuple(value for key, value in self.pairs if key == name)

    def has(self, name: str) -> bool:
        """Whether there is such a field, as of a box that is ticked."""
        return any(key == name for key, _ in self.pairs)


def number_of(written: str, otherwise: int) -> int:
    """A whole number of a field, from 0; otherwise where it is none."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 16 else otherwise


def form_body(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Nothing, for the form of a page; raises ProblemError for any other body."""
    del handler
    kind = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _TYPE:
        raise ProblemError(problems.WRONG_TYPE)


async def fields_of(request: Request[Any, Any, Any]) -> Fields:
    """The fields of a request.

    Raises:
        ProblemError: the body is no form in UTF-8, or has too many fields.
    """
    body = await request.body()
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, strict_parsing=bool(body), encoding="utf-8",
            errors="strict", max_num_fields=_MOST_FIELDS,
        )  # fmt: skip
    except ValueError:
        raise ProblemError(problems.MALFORMED) from None
    return Fields(tuple(pairs))
