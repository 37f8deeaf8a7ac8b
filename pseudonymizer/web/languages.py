"""Languages of the pages: catalogues in locale/, made ready once; which of them a reader gets."""

import gettext
from collections.abc import Mapping
from importlib.resources import files
from io import BytesIO
from typing import Final

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES: Final[Mapping[str, str]] = {"nl": "Nederlands", "en": "English"}  # in their own words
ENGLISH: Final = "en"  # that of the messages in templates and modules
COOKIE: Final = "__Host-nymlink-language"


def catalogue(language: str) -> gettext.NullTranslations:
    """The messages of a language."""
    if language == ENGLISH:
        return gettext.NullTranslations()
    raw = files("pseudonymizer.web").joinpath("locale", f"{language}.po").read_bytes()
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(raw), locale=language, abort_invalid=True))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


CATALOGUES: Final = {language: catalogue(language) for language in LANGUAGES}


def chosen(cookie: str | None, accepted: str) -> str:
    """The language of a reader: that of his cookie, else the one that his browser likes best, else English.

    accepted: the header Accept-Language.
    """
    if cookie in LANGUAGES:
        return str(cookie)
    best, weight_of_best = ENGLISH, 0.0
    for one in accepted.split(","):
        tag, _, rest = one.strip().partition(";")
        language = tag.partition("-")[0].strip().lower()
        weight = _weight(rest)
        if language in LANGUAGES and weight > weight_of_best:
            best, weight_of_best = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def marked(message: str) -> str:
    """The message itself. It says that a catalogue has it: the message is translated where it is shown."""
    return message
