"""The pages that everybody has: the start page, the language of the reader, whether the model is loaded."""

from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.datastructures import Cookie

from pseudonymizer.web import languages, page_problems
from pseudonymizer.web.forms import Fields, fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import is_public
from pseudonymizer.web.parts import front_of

_Request = Request[Any, Any, Any]
_A_YEAR: Final = 365 * 24 * 3600


class Loaded(msgspec.Struct, frozen=True):
    """is_ready: the models are loaded and texts can be treated."""

    is_ready: bool


@get("/", opt=is_public(), include_in_schema=False)
async def start(request: _Request) -> Response[str]:
    """The start page. Of who is not logged in, it takes the one-time code from its own address."""
    return page(request, "start.html", has_accounts=front_of(request).logins is not None)


@get("/loaded", opt=is_public(), include_in_schema=False)
async def loaded(request: _Request) -> Loaded:
    """Whether the model is loaded, for pages that wait for it."""
    return Loaded(await front_of(request).engine.is_ready())


@post("/language", opt=is_public(), guards=[form_body], status_code=303, include_in_schema=False)
async def choose_language(request: _Request) -> Response[None]:
    """Keep the language that the reader chose, and go back to the page where he was."""
    fields: Fields = await fields_of(request)
    language = fields.one("language")
    cookies = []
    if language in languages.LANGUAGES:
        cookies.append(
            Cookie(
                key=languages.COOKIE, value=language, path="/", secure=True, httponly=True, samesite="lax",
                max_age=_A_YEAR,
            )
        )  # fmt: skip
    return Response(
        None, status_code=303, headers={"Location": own_address(fields.one("back"))}, cookies=cookies
    )


def own_address(address: str) -> str:
    """An address of this service; the start page in place of any other."""
    parts = urlsplit(address)
    is_path = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if is_path and not parts.netloc and not parts.scheme and address.isascii() else "/"


router = Router(
    "/", route_handlers=[start, loaded, choose_language], exception_handlers={Exception: page_problems.answer}
)
