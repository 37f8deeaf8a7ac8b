"""Styles and scripts of the pages. They are read once; their address holds a hash over all of them, so that a
browser may keep them for ever, and modules find each other by relative names.
"""

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Self

from litestar import Request, Response, Router, get

from pseudonymizer.web import problems
from pseudonymizer.web.guards import is_public
from pseudonymizer.web.problems import ProblemError

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOR_EVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
_DIGEST_LETTERS: Final = 16


@dataclass(frozen=True, slots=True)
class StaticFile:
    """integrity: what a browser checks the content by, sha384 in base64."""

    content: bytes
    media_type: str
    integrity: str


@dataclass(frozen=True, slots=True)
class StaticFiles:
    """All files by name. digest: over their names and contents."""

    by_name: dict[str, StaticFile]
    digest: str

    @classmethod
    def load(cls) -> Self:
        """The files of this version."""
        found, over_all = {}, hashlib.sha256()
        for place in sorted(
            files("pseudonymizer.web").joinpath("static").iterdir(), key=lambda one: one.name
        ):
            media_type = next((kind for end, kind in _TYPES.items() if place.name.endswith(end)), None)
            if media_type is None:
                continue
            content = place.read_bytes()
            integrity = base64.b64encode(hashlib.sha384(content).digest()).decode()
            found[place.name] = StaticFile(content, media_type, f"sha384-{integrity}")
            over_all.update(place.name.encode() + b"\0" + hashlib.sha256(content).digest())
        return cls(found, over_all.hexdigest()[:_DIGEST_LETTERS])

    def url(self, name: str) -> str:
        """The address of a file.

        Raises:
            KeyError: there is none of this name.
        """
        _ = self.by_name[name]
        return f"/static/{self.digest}/{name}"

    def integrity(self, name: str) -> str:
        """See StaticFile."""
        return self.by_name[name].integrity


STATIC: Final = StaticFiles.load()


@get("/static/{digest:str}/{name:str}", opt=is_public(), include_in_schema=False)
async def static_file(request: Request[Any, Any, Any]) -> Response[bytes]:
    """A style or script of this version."""
    found = STATIC.by_name.get(request.path_params["name"])
    if found is None or request.path_params["digest"] != STATIC.digest:
        raise ProblemError(problems.NOT_FOUND)
    return Response(found.content, media_type=found.media_type, headers=_FOR_EVER)


router = Router("/", route_handlers=[static_file])
