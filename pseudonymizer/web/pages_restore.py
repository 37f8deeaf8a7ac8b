"""The page /restore: a file that was written here comes back, for a stated purpose, on record."""

from typing import Any, Final
from urllib.parse import quote, unquote

from litestar import Request, Response, Router, get, post

from pseudonymizer.desk.answered import DocumentGiven
from pseudonymizer.desk.asked import RestoreDocument
from pseudonymizer.policy import Verb
from pseudonymizer.web import page_problems, problems, words
from pseudonymizer.web.api_documents import download, name_of
from pseudonymizer.web.choices import checked
from pseudonymizer.web.frame import page, reader_of
from pseudonymizer.web.guards import needs
from pseudonymizer.web.pages_requests import projects_of
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
_TOLD: Final = "Nymlink-Told"  # how the file came back, in the reader's words, percent-encoded UTF-8


@get("/restore", opt=needs(Verb.RESTORE), include_in_schema=False)
async def restore_page(request: _Request) -> Response[str]:
    """A form for a file that was written here."""
    return page(request, "restore.html", projects=await projects_of(request))


@post("/restore/file", opt=needs(Verb.RESTORE), status_code=200, include_in_schema=False)
async def restore(request: _Request) -> Response[Any]:
    """The original of a file. The body is the file; what a form has beside it stands in headers, as in the
    API: nothing of it is in an address.
    """
    purpose = _header(request, "nymlink-purpose").strip()
    if not purpose:
        raise ProblemError(problems.WRONG_VALUE)
    asked = checked(
        {
            "name": name_of(request), "content": await request.body(),
            "project": _header(request, "nymlink-project") or None,
            "purpose": purpose,
            "ticket": _header(request, "nymlink-ticket").strip(),
            "grant": _header(request, "nymlink-grant").strip() or None,
        },
        RestoreDocument,
    )  # fmt: skip
    given = await front_of(request).engine.ask("restore-document", caller_of(request), asked, DocumentGiven)
    made = download(given)
    made.headers[_TOLD] = quote(reader_of(request).says(words.HOW.get(given.how, given.how)))
    return made


def _header(request: _Request, name: str) -> str:
    return unquote(request.headers.get(name, ""))


router = Router(
    "/", route_handlers=[restore_page, restore], exception_handlers={Exception: page_problems.answer}
)
