"""What all pages have in common: templates, the layout, the language of the reader."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from babel.numbers import format_decimal, format_percent
from jinja2 import Environment, PackageLoader, StrictUndefined
from litestar import MediaType, Request, Response

from pseudonymizer.desk.records import Principal
from pseudonymizer.policy import Verb
from pseudonymizer.web import languages, words
from pseudonymizer.web.static_files import STATIC

_Request = Request[Any, Any, Any]


def _environment(language: str) -> Environment:
    made = Environment(
        loader=PackageLoader("pseudonymizer.web", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.i18n"],
    )  # fmt: skip
    made.install_gettext_translations(languages.CATALOGUES[language], newstyle=True)  # type: ignore[attr-defined]
    made.filters["number"] = partial(format_decimal, locale=language)
    made.filters["percent"] = partial(format_percent, locale=language)
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
