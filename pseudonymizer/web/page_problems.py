"""Errors in plain words, as a page says them: what went wrong, and what to do."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from litestar import Request, Response

from pseudonymizer.desk.engine_client import EngineFailedError
from pseudonymizer.web import problems
from pseudonymizer.web.frame import is_fragment, page
from pseudonymizer.web.languages import marked as _
from pseudonymizer.web.parts import front_of

# By the last part of the type of a problem (problems.py): what went wrong, what to do.
SAID: Final[Mapping[str, tuple[str, str]]] = {
    "no-login": (
        _("You are not logged in"),
        _(
            "Your session has ended, or there was none. Start nymlink web again and open the address "
            "it prints."
        ),
    ),
    "not-allowed": (_("This is not for your account"), _("Ask whoever runs the service for the right role.")),
    "login-again": (
        _("Log in once more"),
        _(
            "Names are shown, people erased and roles given only within five minutes after a login. "
            "Nothing was done yet."
        ),
    ),
    "no-rights": (
        _("Nothing is for your account here"),
        _("Ask whoever runs the service to give your account or your group a role in a project."),
    ),
    "no-provider": (_("The login cannot be reached"), _("Wait a moment, then try again.")),
    "refused": (
        _("Access is refused"),
        _(
            "Your account has no role for this, or the project wants somebody else to decide. "
            "The refusal is on record."
        ),
    ),
    "foreign-origin": (
        _("This request came from another site"),
        _("Open this page from the address of the service itself."),
    ),
    "not-found": (_("There is no such page, or it is not yours"), _("Go back to the start page.")),
    "too-large": (_("The text is too long"), _("Paste less at once: a million letters at most.")),
    "too-slow": (_("It took too long"), _("Try again with a shorter text.")),
    "wrong-value": (
        _("Something in the form is not right"),
        _("Look at the choices you made. A text has a million letters at most."),
    ),
    "nothing-ticked": (
        _("Too little is ticked"),
        _("Tick what the button is about, at least two to put people together. Nothing was changed."),
    ),
    "too-many": (_("Too many requests"), _("Wait a minute, then try again.")),
    "purpose-required": (_("A purpose is missing"), _("Say what you need the names for; it is on record.")),
    "limit-exceeded": (
        _("The limit of this project is reached"),
        _("So many names come back in an hour and no more. Wait, or ask for fewer."),
    ),
    "grant-invalid": (
        _("The grant is not valid for this"),
        _("A grant works once, for one text, and for the pseudonyms and the purpose of its request."),
    ),
    "text-changed": (_("The text was changed"), _("Paste the text as it was written here.")),
    "restyle-needed": (
        _("The project writes in another way"),
        _("Choose \u201cas the project has it\u201d, or tick that this text may differ."),
    ),
    "foreign-output": (
        _("The text is of another project"),
        _("Choose the project in which it was written."),
    ),
    "not-an-output": (
        _("The text it was made from is not known"),
        _("Paste that text exactly as it was written here."),
    ),
    "untreated": (_("The text could not be treated"), _("Paste plain text.")),
    "vault-busy": (_("The vault is busy"), _("Wait a moment, then try again.")),
    "not-ready": (_("The model is loading"), _("Wait a moment, then try again.")),
    "vault-unavailable": (
        _("The vault cannot be used"),
        _("Whoever runs the service finds the reason where it was started."),
    ),
    "no-workspaces": (
        _("The service keeps no files"),
        _("Whoever runs it starts it with a folder for workspaces."),
    ),
    "no-work-place": (
        _("Files cannot be worked on here"),
        _("Whoever runs the service names a place in memory for it."),
    ),
    "workspace-full": (
        _("There is no room for more"),
        _("Delete files or workspaces that you do not need any more."),
    ),
    "not-now": (
        _("This cannot be done now"),
        _("Wait for the job or cancel it, or analyse the files first. Then load this page again."),
    ),
    "stale": (
        _("Something was changed meanwhile"),
        _("Perhaps in another window. Nothing was changed now: load this page again."),
    ),
    "outdated": (
        _("What you corrected is not there any more"),
        _("Nothing was changed: load this page again."),
    ),
    "correction-refused": (
        _("This correction cannot be made"),
        _("It overlaps another mention, or changes nothing. Nothing was changed."),
    ),
    "surrogates-exhausted": (_("No invented name is left"), _("Choose another style, such as codes.")),
}  # fmt: skip
# By the class of an error of the engine, where its problem says less than a page should.
OF_ERRORS: Final[Mapping[str, tuple[str, str]]] = {
    "UnknownPseudonymError": (
        _("A pseudonym is not known in this project"),
        _(
            "Look at the letters of the pseudonyms, and choose their project. A person who was erased has no "
            "pseudonym any more."
        ),
    ),
}
OTHER: Final = (_("Something went wrong"), _("Try again. If it stays so, tell whoever runs the service."))


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[str]:
    """The error as a page, or as a piece of the page that asked."""
    told = problems.answer(request, error)
    slug = problems.slug_of(error)
    names = error.names if isinstance(error, EngineFailedError) else ()
    said = next((OF_ERRORS[name] for name in names if name in OF_ERRORS), None)
    title, advice = said or SAID.get(slug, OTHER)
    template = "problem_fragment.html" if is_fragment(request) else "problem.html"
    login = _login_of(request, slug)
    if login and slug == "no-login" and template == "problem.html" and request.method == "GET":
        return Response("", status_code=303, headers={"Location": login})
    made = page(
        request, template, status=told.status_code or 500, title=title, advice=advice,
        request_id=str(request.scope.get("nymlink_request", "")), is_loading=slug == "not-ready", login=login,
    )  # fmt: skip
    made.headers.update(told.headers)
    return made


def _login_of(request: Request[Any, Any, Any], slug: str) -> str:
    """Where the reader logs in, so that this works; "" where that would not help."""
    if slug not in ("no-login", "login-again") or front_of(request).logins is None:
        return ""
    back = request.url.path if request.method == "GET" else urlsplit(request.headers.get("referer", "")).path
    place = "/login" if slug == "no-login" else "/login/again"
    return f"{place}?{urlencode({'back': back or '/'})}"
