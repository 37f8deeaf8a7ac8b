"""Helpers of the format tests: invented names, replacing them everywhere, and looking into rewritten
files."""

import io
import zipfile
from collections.abc import Sequence

from linkage.records import PersonName, Span
from pseudonymizer import formats
from pseudonymizer.formats import ParsedFile, PartRole, RenderedFile, Replacements
from pseudonymizer.identifiers import PersonIndex, follow

LABEL = "P1-7QK2M9XWZ4T8VB3CDE5F"


def occurrences(text: str, names: Sequence[str]) -> dict[Span, str]:
    """Every place of every name, longer names first, without overlap."""
    found: dict[Span, str] = {}
    for name in sorted(names, key=len, reverse=True):
        start = text.find(name)
        while start >= 0:
            span = Span(start, start + len(name))
            if not any(span.overlaps(other) for other in found):
                found[span] = name
            start = text.find(name, start + 1)
    return found


def index_of(names: Sequence[str]) -> PersonIndex:
    return PersonIndex([(name, [person(name)]) for name in names])


def person(name: str) -> PersonName:
    """Given name, particle and family name of an invented name written out, or "family, given"."""
    if ", " in name:
        family, given = name.split(", ", 1)
        return PersonName(given=given, family=family)
    words = name.split()
    if len(words) == 1:
        return PersonName(family=words[0])
    particle = " ".join(words[1:-1]) or None
    if words[0].endswith("."):
        return PersonName(initials=words[0], particle=particle, family=words[-1])
    return PersonName(given=words[0], particle=particle, family=words[-1])


def replacements_for(parsed: ParsedFile, names: Sequence[str], label: str = LABEL) -> Replacements:
    """label for every name in prose, and for what known identifiers carry in all parts."""
    index = index_of(names)
    made: dict[str, dict[Span, str]] = {}
    for part in parsed.parts:
        spans = {} if part.role is PartRole.TECHNICAL else occurrences(part.text, names)
        matches = index.find(part.text, technical=part.role is PartRole.TECHNICAL, taken=list(spans))
        labels = {span: label for span in spans if not any(m.span.overlaps(span) for m in matches)}
        labels.update({match.span: follow(match, label) for match in matches})
        made[part.part_id] = labels
    return made


def rewrite(
    raw: bytes, name: str, names: Sequence[str], label: str = LABEL
) -> tuple[ParsedFile, RenderedFile]:
    parsed = formats.read(raw, name=name)
    return parsed, parsed.render(replacements_for(parsed, names, label))


def members(raw: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def member_order(raw: bytes) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return archive.namelist()
