"""The pages /projects and /roles: how names are had back, how long people are kept, who may what."""

from typing import Any, Final

from litestar import Request, Response, Router, get, post
from litestar.params import FromPath

from pseudonymizer.desk.answered import ProjectsShown
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.desk.steward_answered import RolesShown, SettingsShown
from pseudonymizer.desk.steward_asked import ChangeProject, ChangeRole, ListRoles
from pseudonymizer.policy import MATRIX, Role, Verb
from pseudonymizer.web import page_problems
from pseudonymizer.web.choices import checked
from pseudonymizer.web.forms import fields_of, form_body
from pseudonymizer.web.frame import page
from pseudonymizer.web.guards import RECENT, needs
from pseudonymizer.web.parts import caller_of, front_of

_Request = Request[Any, Any, Any]
_MANAGE: Final = needs(Verb.MANAGE)
_COUNTS: Final = (
    "approvals_needed", "extra_approval_above", "grant_minutes", "limit_capacity", "limit_per_hour",
)  # fmt: skip


@get("/projects", opt=_MANAGE, include_in_schema=False)
async def projects_page(request: _Request) -> Response[str]:
    """The projects of the vault."""
    engine, caller = front_of(request).engine, caller_of(request)
    found = await engine.ask("projects", caller, OfProject(), ProjectsShown)
    return page(request, "projects.html", projects=found.projects)


@get("/projects/{project:str}", opt=_MANAGE, include_in_schema=False)
async def project_page(request: _Request, project: FromPath[str]) -> Response[str]:
    """How names of a project are had back, and how long people are kept."""
    return await _project(request, project, is_stored=False)


@post("/projects/{project:str}/changed", opt=_MANAGE, guards=[form_body], status_code=200,
      include_in_schema=False)  # fmt: skip
async def change_project(request: _Request, project: FromPath[str]) -> Response[str]:
    """Change how a project is kept. It is on record."""
    fields = await fields_of(request)
    told: dict[str, Any] = {name: _count(fields.one(name)) for name in _COUNTS}
    told |= {
        "project": project, "single_approval": fields.has("single_approval"),
        "retention_days": _count(fields.one("retention_days")) if fields.one("retention_days") else None,
    }  # fmt: skip
    asked = checked(told, ChangeProject)
    await front_of(request).engine.ask("change-project", caller_of(request), asked, SettingsShown)
    return await _project(request, project, is_stored=True)


async def _project(request: _Request, project: str, *, is_stored: bool) -> Response[str]:
    asked = checked({"project": project}, OfProject)
    shown = await front_of(request).engine.ask("project-settings", caller_of(request), asked, SettingsShown)
    return page(request, "project.html", one=shown, is_stored=is_stored)


@get("/roles", opt=_MANAGE, include_in_schema=False)
async def roles_page(request: _Request) -> Response[str]:
    """Who has which role."""
    shown = await front_of(request).engine.ask("roles", caller_of(request), ListRoles(), RolesShown)
    return _roles(request, shown, is_stored=False)


@post("/roles/changed", opt=_MANAGE | RECENT, guards=[form_body], status_code=200, include_in_schema=False)
async def change_role(request: _Request) -> Response[str]:
    """Give a role, or take one. It is on record."""
    fields = await fields_of(request)
    told = {
        "account": fields.one("account").strip(), "role": fields.one("role"),
        "is_given": fields.one("do") == "give",
    }  # fmt: skip
    asked = checked(told, ChangeRole)
    shown = await front_of(request).engine.ask("change-role", caller_of(request), asked, RolesShown)
    return _roles(request, shown, is_stored=True)


def _roles(request: _Request, shown: RolesShown, *, is_stored: bool) -> Response[str]:
    may = {str(role): sorted(map(str, MATRIX[role])) for role in Role}
    return page(request, "roles.html", roles=shown.roles, may=may, is_stored=is_stored)


def _count(written: str) -> int | str:
    """A whole number of a field; what is none stays, and is refused where it is checked."""
    return int(written) if written.isascii() and written.isdigit() and len(written) < 12 else written


router = Router(
    "/",
    route_handlers=[projects_page, project_page, change_project, roles_page, change_role],
    exception_handlers={Exception: page_problems.answer},
)
