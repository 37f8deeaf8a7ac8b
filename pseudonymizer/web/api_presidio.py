"""/presidio: routes of Presidio's analyzer and anonymizer, for programs that know those; with --presidio."""

from typing import Any

import msgspec
from litestar import Request, Router, get, post
from litestar.params import JSONBody

from pseudonymizer.desk.presidio_asked import (
    OPERATORS,
    Analyze,
    Anonymize,
    Anonymized,
    EntitiesOfPresidio,
    EntityNames,
    ResultShown,
    ResultsShown,
)
from pseudonymizer.policy import Verb
from pseudonymizer.web.guards import is_public, json_body, needs
from pseudonymizer.web.parts import caller_of, front_of

_Request = Request[Any, Any, Any]
_OPEN = needs(Verb.PSEUDONYMIZE)


@post("/analyze", status_code=200, opt=_OPEN)
async def analyze(
    request: _Request, data: JSONBody[Analyze]
) -> tuple[ResultShown, ...] | tuple[tuple[ResultShown, ...], ...]:
    """Find entities in a text, or in several."""
    found = await front_of(request).engine.ask("presidio-analyze", caller_of(request), data, ResultsShown)
    return found.texts[0] if isinstance(data.text, str) else found.texts


@post("/anonymize", status_code=200, opt=_OPEN)
async def anonymize(request: _Request, data: JSONBody[Anonymize]) -> Anonymized:
    """Write pseudonyms of the project, or what Presidio's operators make, in place of what was found."""
    return await front_of(request).engine.ask("presidio-anonymize", caller_of(request), data, Anonymized)


@get("/supportedentities", opt=_OPEN)
async def supported_entities(request: _Request) -> tuple[str, ...]:
    """The names of all entities that may be found."""
    asked = EntitiesOfPresidio()
    found = await front_of(request).engine.ask("presidio-entities", caller_of(request), asked, EntityNames)
    return found.names


@get("/recognizers", opt=_OPEN)
async def recognizers() -> tuple[str, ...]:
    """What finds them."""
    return ("NymlinkNames", "NymlinkValues")


@get("/anonymizers", opt=_OPEN)
async def anonymizers() -> tuple[str, ...]:
    """The types of anonymizers that may be asked for."""
    return ("nymlink", *OPERATORS)


class PresidioHealth(msgspec.Struct, frozen=True):
    """Whether the front is alive."""

    state: str


@get("/health", opt=is_public())
async def health() -> PresidioHealth:
    """Whether the front is alive."""
    return PresidioHealth("Presidio's routes of nymlink are up")


router = Router(
    "/presidio",
    route_handlers=[analyze, anonymize, supported_entities, recognizers, anonymizers, health],
    guards=[json_body],
)
