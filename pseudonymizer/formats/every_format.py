"""The table of all formats, put together from those of the folders, and what is looked up in it."""

from collections.abc import Mapping
from typing import Final

from pseudonymizer.formats import health, mail, office, pdf, pictures, tables, text
from pseudonymizer.formats.format import Format

# The order in which a file is held against them: those with heads of their own are told first, and a text
# without a telling suffix is the first that it looks like.
FORMATS: Final[tuple[Format, ...]] = (
    *pdf.FORMATS, *office.FORMATS, *mail.FORMATS, *pictures.FORMATS, *tables.FORMATS, *health.FORMATS,
    *text.FORMATS,
)  # fmt: skip
BY_NAME: Final[Mapping[str, Format]] = {one.name: one for one in FORMATS}
BY_SUFFIX: Final[Mapping[str, Format]] = {suffix: one for one in FORMATS for suffix in one.suffixes}
BY_MEDIA_TYPE: Final[Mapping[str, Format]] = {kind: one for one in FORMATS for kind in one.media_types}
