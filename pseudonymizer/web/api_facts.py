"""/api/v1: kinds, styles, profiles and projects as they are now."""

from typing import Annotated, Any

from litestar import Request, Router, get
from litestar.params import Parameter

from pseudonymizer.desk.answered import KindsInUse, ProfilesShown, ProjectsShown, StylesShown
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.web.guards import needs_login
from pseudonymizer.web.parts import caller_of, front_of

_Request = Request[Any, Any, Any]
_ProjectName = Annotated[
    str | None, Parameter(max_length=200, description="A project; else that of the token.")
]
_OPEN = needs_login()


@get("/kinds", opt=_OPEN)
async def kinds(request: _Request, project: _ProjectName = None) -> KindsInUse:
    """Every kind, what becomes of it under the settings of the project, and what may."""
    return await front_of(request).engine.ask(
        "kinds", caller_of(request), OfProject(project=project), KindsInUse
    )


@get("/styles", opt=_OPEN)
async def styles(request: _Request) -> StylesShown:
    """Every style of pseudonyms."""
    return await front_of(request).engine.ask("styles", caller_of(request), OfProject(), StylesShown)


@get("/profiles", opt=_OPEN)
async def profiles(request: _Request) -> ProfilesShown:
    """Every profile with the treatments of its kinds."""
    return await front_of(request).engine.ask("profiles", caller_of(request), OfProject(), ProfilesShown)


@get("/projects", opt=_OPEN)
async def projects(request: _Request) -> ProjectsShown:
    """The projects that the caller may name."""
    return await front_of(request).engine.ask("projects", caller_of(request), OfProject(), ProjectsShown)


router = Router("/api/v1", route_handlers=[kinds, styles, profiles, projects])
