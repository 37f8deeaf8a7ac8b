"""What a form says about how texts and files are treated, as requests to the engine have it."""

from typing import Any, Final

import msgspec
from litestar import Request

from pseudonymizer.desk.answered import KindInUse, KindsInUse, ProfilesShown, StylesShown
from pseudonymizer.desk.asked import OfProject
from pseudonymizer.web import problems
from pseudonymizer.web.forms import Fields
from pseudonymizer.web.parts import caller_of, front_of
from pseudonymizer.web.problems import ProblemError

_KEPT: Final = "keep"


def checked(values: dict[str, Any], kind: Any) -> Any:
    """A request of these values, checked as one of a program is.

    Raises:
        ProblemError: a value has another type, or is out of range.
    """
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError:
        raise ProblemError(problems.WRONG_VALUE) from None


def offered(kinds: KindsInUse, *, without: str = "") -> list[KindInUse]:
    """The kinds that are found and that may be treated in more than one way. without: one that is not
    offered.
    """
    return [one for one in kinds.kinds if one.found and len(one.treatments) > 1 and one.kind != without]


def other_kinds(fields: Fields, kinds: list[KindInUse]) -> tuple[str, ...] | None:
    """The kinds that are ticked of those that were offered; None where they are those that the project treats
    anyway, or none were offered.
    """
    if not fields.has("offered"):
        return None
    ticked = frozenset(fields.every("kinds"))
    usual = frozenset(one.kind for one in kinds if one.treatment != _KEPT)
    return None if ticked == usual else tuple(one.kind for one in kinds if one.kind in ticked)


def _by_kind(fields: Fields, kinds: list[KindInUse]) -> dict[str, str]:
    """Treatments that the form tells by kind; the others are those of the profile."""
    return {one.kind: told for one in kinds if (told := fields.one(f"treat:{one.kind}"))}


async def choices(request: Request[Any, Any, Any], kinds: list[KindInUse]) -> dict[str, Any]:
    """What the template treat_choices.html offers: kinds by category, profiles, styles."""
    engine, caller = front_of(request).engine, caller_of(request)
    profiles = await engine.ask("profiles", caller, OfProject(), ProfilesShown)
    styles = await engine.ask("styles", caller, OfProject(), StylesShown)
    by_category: dict[str, list[KindInUse]] = {}
    for one in kinds:
        by_category.setdefault(one.category, []).append(one)
    return {
        "by_category": by_category, "profiles": [one.profile for one in profiles.profiles],
        "styles": [one.style for one in styles.styles],
    }  # fmt: skip


def treated(fields: Fields, kinds: list[KindInUse]) -> dict[str, Any]:
    """The options that the form of treat_choices.html tells."""
    return {
        "kinds": other_kinds(fields, kinds), "profile": fields.one("profile") or None,
        "treatments": _by_kind(fields, kinds), "style": fields.one("style") or None,
        "restyle": fields.has("restyle"),
    }  # fmt: skip
