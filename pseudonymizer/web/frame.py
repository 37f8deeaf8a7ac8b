"""What all pages have in common: templates, the layout, the language of the reader."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final, Literal

from babel.dates import format_datetime
from babel.numbers import format_decimal, format_percent
from babel.units import format_unit
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import MediaType, Request, Response

from pseudonymizer.desk.records import Principal
from pseudonymizer.policy import Verb
from pseudonymizer.web import languages, words
from pseudonymizer.web.static_files import STATIC

_Request = Request[Any, Any, Any]
_SIZES: Final = ((1 << 30, "digital-gigabyte"), (1 << 20, "digital-megabyte"), (1 << 10, "digital-kilobyte"))


def _size(count: int, language: str) -> str:
    """A number of bytes in the largest unit of which there is one at least."""
    size, unit = next((one for one in _SIZES if count >= one[0]), (1, "digital-byte"))
    told = round(count / size, 1 if size > 1 else None)
    length: Literal["long", "short"] = "short" if size > 1 else "long"
    return str(format_unit(told, unit, length=length, locale=language))


def _moment(written: str, language: str) -> str:
    """A moment in ISO 8601, in UTC and in words."""
    return f"{format_datetime(datetime.fromisoformat(written), 'd MMM y HH:mm', locale=language)} UTC"


def _environment(language: str) -> Environment:
    made = Environment(
        loader=PackageLoader("pseudonymizer.web", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"],
    )  # fmt: skip
    made.install_gettext_translations(languages.CATALOGUES[language], newstyle=True)  # type: ignore[attr-defined]
    made.filters["number"] = partial(format_decimal, locale=language)
    made.filters["percent"] = partial(format_percent, locale=language)
    made.filters["size"] = partial(_size, language=language)
    made.filters["moment"] = partial(_moment, language=language)
    made.globals.update(static=STATIC, language=language, languages=languages.LANGUAGES, words=words)
    return made


_ENVIRONMENTS: Final = {language: _environment(language) for language in languages.LANGUAGES}


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads a page. language: see languages. principal: None where nobody is logged in."""

    language: str
    principal: Principal | None

    def says(self, message: str) -> str:
        """The message in the reader's language."""
        return languages.CATALOGUES[self.language].gettext(message)

    def says_of(self, one: str, many: str, count: int) -> str:
        """The message for a count, with the count in it."""
        told = languages.CATALOGUES[self.language].ngettext(one, many, count)
        return told % {"num": format_decimal(count, locale=self.language)}

    def percent(self, share: float) -> str:
        """A share from 0 to 1 as the reader writes it."""
        return str(format_percent(share, locale=self.language))

    def may(self, *verbs: Verb) -> bool:
        """Whether the reader may use one of these verbs."""
        return self.principal is not None and not self.principal.verbs.isdisjoint(verbs)


def reader_of(request: _Request) -> Reader:
    """Who sent a request, and in which language he reads."""
    language = languages.chosen(
        request.cookies.get(languages.COOKIE), request.headers.get("accept-language", "")
    )
    return Reader(language, request.scope.get("user"))


def is_fragment(request: _Request) -> bool:
    """Whether a page asks for a piece of itself."""
    return bool(request.headers.get("hx-request") == "true")


def rendered(reader: Reader, template: str, **values: Any) -> str:
    """A template in the language of the reader."""
    return _ENVIRONMENTS[reader.language].get_template(template).render(reader=reader, **values)


def page(request: _Request, template: str, *, status: int = 200, **values: Any) -> Response[str]:
    """A page, or a piece of one, as an answer."""
    reader = reader_of(request)
    content = rendered(reader, template, path=request.url.path, **values)
    return Response(
        content, status_code=status, media_type=MediaType.HTML,
        headers={"Content-Language": reader.language, "Vary": "Accept-Language, Cookie, HX-Request"},
    )  # fmt: skip
