"""Problem answers (RFC 9457). None holds a value of the request: details are fixed texts, one for each error.

An error of the engine comes as the names of its class and of those above; the first with a row decides.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    SerializationException,
    ValidationException,
)

from pseudonymizer.desk.engine_client import EngineFailedError
from pseudonymizer.errors import EngineError
from pseudonymizer.web.own_fields import field_at_fault, own_field

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
_URN: Final = "urn:nymlink:problem:"


@dataclass(frozen=True, slots=True)
class Problem:
    """What is answered. slug: end of the type. detail: what to do. retry_after: seconds; None: no use."""

    status: int
    slug: str
    title: str
    detail: str
    retry_after: int | None = None


class ProblemError(Exception):
    """Ends a request with a problem. headers: further ones. field: the place in the body that is at fault."""

    def __init__(
        self, problem: Problem, *, headers: Mapping[str, str] | None = None, field: str = ""
    ) -> None:
        super().__init__(problem.slug)
        self.problem = problem
        self.headers = dict(headers or {})
        self.field = field


MALFORMED: Final = Problem(400, "malformed", "The request is malformed", "Send one JSON value in UTF-8.")
WRONG_HOST: Final = Problem(
    400, "wrong-host", "The host is not this service", "Use the address at which the service was started."
)
NO_LOGIN: Final = Problem(
    401,
    "no-login",
    "Nobody is logged in",
    "Send a living API token as Authorization: Bearer, or a session cookie, and not both.",
)
NOT_ALLOWED: Final = Problem(
    403, "not-allowed", "The token is not for this", "Use a token whose verbs allow this route."
)
LOGIN_AGAIN: Final = Problem(
    403,
    "login-again",
    "This needs a recent login",
    "Log in once more: to reveal, to erase and to give roles takes a login of the last five minutes.",
)
NO_RIGHTS: Final = Problem(
    403,
    "no-rights",
    "The account has no rights here",
    "Whoever runs the service lists accounts or groups with their roles and projects.",
)
NO_PROVIDER: Final = Problem(
    503, "no-provider", "The provider of logins cannot be reached", "Try it again later.", 30
)
FOREIGN_ORIGIN: Final = Problem(
    403,
    "foreign-origin",
    "The request comes from another site",
    "A browser may change something only from a page of this service.",
)
NOT_FOUND: Final = Problem(
    404,
    "not-found",
    "There is no such thing, or it is not yours",
    "Check the address, the project and the id.",
)
WRONG_METHOD: Final = Problem(
    405, "wrong-method", "The route has no such method", "See /api/v1/openapi.json for the methods."
)
TOO_SLOW: Final = Problem(408, "too-slow", "The body took too long", "Send it at once, or send less.")
NO_LENGTH: Final = Problem(411, "no-length", "The length is missing", "Send Content-Length with every body.")
TOO_LARGE: Final = Problem(413, "too-large", "The body is too large", "Send fewer or shorter texts.")
WRONG_TYPE: Final = Problem(
    415, "wrong-type", "The type of the body is not supported", "Send Content-Type: application/json."
)
WRONG_STREAM: Final = Problem(
    415,
    "wrong-type",
    "The type of the body is not supported",
    "Send Content-Type: application/x-ndjson, one JSON object a line: first the options, then pieces.",
)
NOTHING_TICKED: Final = Problem(
    422, "nothing-ticked", "Nothing was ticked", "Tick what the button is about, then press it again."
)
WRONG_VALUE: Final = Problem(
    422,
    "wrong-value",
    "A field of the request is wrong",
    "The field named here is unknown, has another type, or is out of range; see /api/v1/openapi.json.",
)
WRONG_NAME: Final = Problem(
    422,
    "wrong-name",
    "The name of the file cannot be used",
    "Send Content-Disposition with a file name of at most 255 bytes, without folders and control characters.",
)
WRONG_SIZE: Final = Problem(
    422, "wrong-size", "The length is not what was told", "Send as many bytes as the file was named with."
)
NO_REVISION: Final = Problem(
    428, "no-revision", "The revision is missing", "Send the ETag of the workspace as If-Match."
)
WRONG_KEY: Final = Problem(
    422,
    "wrong-key",
    "The Idempotency-Key cannot be used",
    "Send 1 to 255 letters, figures and signs of ASCII.",
)
KEY_USED: Final = Problem(
    422, "key-used", "The Idempotency-Key came with another request", "Make a new key for each request."
)
STILL_GOING_ON: Final = Problem(
    409,
    "still-going-on",
    "The first request of this Idempotency-Key is not answered yet",
    "Wait as long as Retry-After says, then send it again.",
    1,
)
TOO_MANY: Final = Problem(
    429, "too-many", "Too many requests", "Wait as long as Retry-After says, then send it again."
)
NO_VAULT: Final = Problem(
    503,
    "vault-unavailable",
    "The vault cannot be used",
    "Whoever runs the service finds the reason there.",
    30,
)
FAILED: Final = Problem(500, "failed", "The service failed", "Report this with the request id.")

# By the class of an error of the engine.
ERRORS: Final[Mapping[str, Problem]] = {
    "PurposeRequiredError": Problem(
        403,
        "purpose-required",
        "A purpose is required",
        "Say in purpose what it is done for; it is on record.",
    ),
    "LimitExceededError": Problem(
        429,
        "limit-exceeded",
        "The limit of this project is reached",
        "So many names come back in an hour; wait, or ask for fewer.",
        600,
    ),
    "GrantInvalidError": Problem(
        403,
        "grant-invalid",
        "The grant is not valid for this",
        "A grant works once, for one text, and for actor, project, purpose and pseudonyms of its request.",
    ),
    "ReceiptInvalidError": Problem(
        403,
        "receipt-invalid",
        "The receipt is not valid",
        "It is of another account or project, or its 24 hours are over: send the texts again.",
    ),
    "AccessRefusedError": Problem(
        403,
        "refused",
        "Access is refused",
        "The account has no role that allows it; the refusal is on record.",
    ),
    "UnknownProjectError": NOT_FOUND,
    "UnknownPseudonymError": NOT_FOUND,
    "UnknownRequestError": NOT_FOUND,
    "UnknownWorkspaceError": NOT_FOUND,
    "NoPresidioError": Problem(
        501,
        "no-presidio",
        "Presidio is not installed",
        "Whoever runs the service installs nymlink[presidio].",
    ),
    "NoWorkspacesError": Problem(
        501,
        "no-workspaces",
        "The service keeps no workspaces",
        "Whoever runs it starts it with --workspaces and a folder.",
    ),
    "WorkspaceFullError": Problem(
        413,
        "workspace-full",
        "A bound on files is reached",
        "The file, the workspace or the number of workspaces is too large; delete what is done.",
    ),
    "UploadRefusedError": Problem(
        422,
        "wrong-file",
        "The file cannot be taken",
        "Its path is absolute, leads out, is there already or has control characters, or it is whole.",
    ),
    "WorkspaceStateError": Problem(
        409,
        "not-now",
        "The workspace is not as far, or a job works on it",
        "See its state: wait for the job or cancel it, or analyse the files first.",
    ),
    "OutdatedCorrectionError": Problem(
        409,
        "outdated",
        "The correction is about what is not there",
        "A mention, a person or words of it are not there by now; read them anew. Nothing was changed.",
    ),
    "CorrectionRefusedError": Problem(
        409,
        "correction-refused",
        "The correction cannot be made",
        "It overlaps another mention, or changes nothing. Nothing was changed.",
    ),
    "WrongCorrectionsError": Problem(
        422,
        "wrong-corrections",
        "A file of corrections cannot be taken",
        "Send lines of `nymlink detect` or `nymlink review` about texts of this workspace.",
    ),
    "UnsealedWorkError": Problem(
        503,
        "no-work-place",
        "Jobs have no place in memory",
        "Whoever runs the service names one with --work-folder, or allows a disk with --unsealed-work.",
        600,
    ),
    "StaleRevisionError": Problem(
        412, "stale", "The workspace was changed meanwhile", "Read it anew, and send the change again."
    ),
    "RewrittenTextChangedError": Problem(
        409, "text-changed", "The text was changed", "Send the text as it was written."
    ),
    "RestyleNeededError": Problem(
        422,
        "restyle-needed",
        "The project has another style or treatment",
        "Send restyle: true if that is meant, or leave style, profile and treatments out.",
    ),
    "ForeignOutputError": Problem(
        422, "foreign-output", "The text is of another project", "Name the project in which it was written."
    ),
    "BatchError": Problem(
        422,
        "not-an-output",
        "A text of made_from is no output of the project",
        "Send outputs as they were written.",
    ),
    "DocumentTooLargeError": Problem(
        413,
        "too-large",
        "The file is too large",
        "It is larger, or unpacks to more, than this service reads.",
    ),
    "UnsupportedInputError": Problem(
        415, "wrong-format", "The format is not supported", "README.md names the formats that are read."
    ),
    "DamagedDocumentError": Problem(
        422, "damaged", "The file is damaged", "It is not what its name or its beginning says; send it again."
    ),
    "EncryptedDocumentError": Problem(
        422, "encrypted", "The file is encrypted", "Send it without a password."
    ),
    "EncodingUndeterminedError": Problem(
        422, "encoding", "The encoding of the text cannot be told", "Send it in UTF-8."
    ),
    "LeftInOutputError": Problem(
        422,
        "left-in-output",
        "The file would still say what was replaced",
        "It says a name in a place that nobody sees; nothing was written. Send it in another format.",
    ),
    "UntreatedDocumentError": Problem(
        422,
        "untreated",
        "None of the texts could be treated",
        "Send text, without NUL, that is no binary file.",
    ),
    "SettingsError": WRONG_VALUE,
    "InvalidRecordError": WRONG_VALUE,
    "VaultBusyError": Problem(
        503, "vault-busy", "The vault is busy", "Wait as long as Retry-After says, then send it again.", 2
    ),
    "EngineBusyError": Problem(429, "too-many", TOO_MANY.title, TOO_MANY.detail, 1),
    "EngineSlowError": Problem(
        503, "too-slow", "The request took too long", "Send fewer or shorter texts in a request.", 5
    ),
    "EngineGoneError": Problem(
        503, "not-ready", "The engine is not ready", "It loads its models, or begins anew; send it again.", 2
    ),
    "VaultError": NO_VAULT,
    "ServiceError": NO_VAULT,
    "SurrogatesExhaustedError": Problem(
        503, "surrogates-exhausted", "No invented name is left", "Ask for another style, such as code.", 600
    ),
}


def problem_of(names: tuple[str, ...]) -> Problem:
    """The problem of an error, by the names of its class and of those above."""
    return next((ERRORS[name] for name in names if name in ERRORS), FAILED)


def slug_of(error: Exception) -> str:
    """The last part of the type of the problem that an error becomes."""
    return _told(error)[0].slug


def answer(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The answer to whatever ended a request."""
    problem, field, headers = _told(error)
    if problem is FAILED:
        log.error("a request failed: %s", type(error).__name__)
    body = _body(request, problem, field)
    if problem.retry_after is not None:
        headers.setdefault("Retry-After", str(problem.retry_after))
    return Response(
        msgspec.json.encode(body), status_code=problem.status, media_type=MEDIA_TYPE, headers=headers
    )


def told_within(request: Request[Any, Any, Any], error: Exception) -> dict[str, object]:
    """The body of the problem that ended an answer which had begun."""
    problem, field, _ = _told(error)
    if problem is FAILED:
        log.error("a request failed: %s", type(error).__name__)
    return _body(request, problem, field)


def _body(request: Request[Any, Any, Any], problem: Problem, field: str) -> dict[str, object]:
    request_id = str(request.scope.get("nymlink_request", ""))
    body: dict[str, object] = {
        "type": f"{_URN}{problem.slug}", "title": problem.title, "status": problem.status,
        "detail": problem.detail, "instance": f"urn:nymlink:request:{request_id}",
    }  # fmt: skip
    if field:
        body["field"] = field
    return body


def _told(error: Exception) -> tuple[Problem, str, dict[str, str]]:
    """(problem, field at fault, headers)."""
    match error:
        case ProblemError():
            return error.problem, error.field, error.headers
        case EngineFailedError():
            return problem_of(error.names), own_field(error.field), {}
        case EngineError():
            return problem_of(tuple(one.__name__ for one in type(error).__mro__)), "", {}
        case ValidationException():
            return WRONG_VALUE, field_at_fault(error), {}
        case SerializationException() | RecursionError():
            return MALFORMED, "", {}
        case NotFoundException():
            return NOT_FOUND, "", {}
        case MethodNotAllowedException():
            return WRONG_METHOD, "", dict(error.headers or {})
        case HTTPException():
            known = {400: MALFORMED, 401: NO_LOGIN, 403: NOT_ALLOWED, 413: TOO_LARGE, 415: WRONG_TYPE}
            return known.get(error.status_code, FAILED), "", {}
    return FAILED, "", {}
