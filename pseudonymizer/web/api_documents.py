"""/api/v1/projects/NAME/documents: one small file in, the same format out.

The name of the file stands in Content-Disposition, as it does in a download: an address would be logged.
"""

import unicodedata
from email.message import Message
from typing import Annotated, Any, Final
from urllib.parse import quote, unquote

import msgspec
from litestar import Request, Response, Router, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, Parameter

from pseudonymizer.desk.answered import DocumentGiven
from pseudonymizer.desk.asked import PseudonymizeDocument, RestoreDocument, StyleName, TreatOptions
from pseudonymizer.policy import Verb
from pseudonymizer.web import problems
from pseudonymizer.web.guards import needs
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_Request = Request[Any, Any, Any]
_ProjectName = FromPath[str]
_LONGEST_NAME: Final = 255  # bytes, as file systems have it
_LONGEST_PURPOSE: Final = 2_000
_NO_NAME: Final = "document.txt"
_Style = Annotated[StyleName | None, Parameter(description="As of texts.")]
_Words = Annotated[str | None, Parameter(max_length=2_000, description="Kinds and categories, with commas.")]
_Profile = Annotated[str | None, Parameter(max_length=200)]
_Restyle = Annotated[bool, Parameter(description="Another style or profile than the project's is meant.")]
_PurposeHeader = Annotated[
    str, HeaderParameter(name="Nymlink-Purpose", description="What for; percent-encoded UTF-8; on record.")
]
_TicketHeader = Annotated[str, HeaderParameter(name="Nymlink-Ticket")]
_GrantHeader = Annotated[str | None, HeaderParameter(name="Nymlink-Grant")]
_RESPONSES: Final = {
    200: ResponseSpec(data_container=bytes, media_type="application/octet-stream", description="The file.")
}


@post("/{project:str}/documents", status_code=200, opt=needs(Verb.PSEUDONYMIZE), responses=_RESPONSES)
async def pseudonymize(
    request: _Request,
    project: _ProjectName,
    kinds: _Words = None,
    profile: _Profile = None,
    style: _Style = None,
    restyle: _Restyle = False,  # noqa: FBT002  litestar names it
) -> Response[bytes]:
    """A file with labels in place of names and values, in its own format. The body is the file."""
    options = TreatOptions(
        project=project, profile=profile, style=style, restyle=restyle,
        kinds=None if kinds is None else tuple(one.strip() for one in kinds.split(",") if one.strip()),
    )  # fmt: skip
    asked = PseudonymizeDocument(name=name_of(request), content=await request.body(), options=options)
    given = await front_of(request).engine.ask(
        "pseudonymize-document", caller_of(request), asked, DocumentGiven
    )
    return download(given)


@post("/{project:str}/documents/restored", status_code=200, opt=needs(Verb.RESTORE), responses=_RESPONSES)
async def restore(
    request: _Request,
    project: _ProjectName,
    purpose: _PurposeHeader = "",
    ticket: _TicketHeader = "",
    grant: _GrantHeader = None,
) -> Response[bytes]:
    """The original of a file that was written here, for a stated purpose. It is on record."""
    asked = RestoreDocument(
        name=name_of(request), content=await request.body(), project=project, grant=grant,
        purpose=unquote(purpose)[:_LONGEST_PURPOSE], ticket=unquote(ticket),
    )  # fmt: skip
    given = await front_of(request).engine.ask("restore-document", caller_of(request), asked, DocumentGiven)
    return download(given)


def name_of(request: _Request) -> str:
    """The name of the file in Content-Disposition.

    Raises:
        ProblemError: it is no name of a file without folders.
    """
    header = Message()
    header["Content-Disposition"] = request.headers.get("content-disposition", "")
    found = header.get_filename(failobj=_NO_NAME)
    name = unicodedata.normalize("NFC", found)
    is_plain = name.isprintable() and not set("/\\") & set(name) and name not in (".", "..")
    if not is_plain or not 0 < len(name.encode("utf-8", "surrogatepass")) <= _LONGEST_NAME:
        raise ProblemError(problems.WRONG_NAME)
    return name


def download(given: DocumentGiven) -> Response[bytes]:
    """A file that a browser keeps and does not show."""
    name = given.name.rpartition("/")[2]
    return Response(
        given.content,
        media_type="application/octet-stream",
        headers={
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}",
            "Content-Security-Policy": "sandbox; default-src 'none'",
            "Nymlink-How": given.how,
            "Nymlink-Audit-Sequence": str(given.audit_sequence),
            "Nymlink-Left-In": msgspec.json.encode(given.left_in).decode(),
            "Nymlink-Unread": msgspec.json.encode(given.unread).decode(),
        },
    )  # fmt: skip


router = Router("/api/v1/projects", route_handlers=[pseudonymize, restore])
