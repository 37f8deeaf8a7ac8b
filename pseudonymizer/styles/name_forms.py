"""A name in the form of a mention: as its given name alone, with initials, family name first, in capitals.

A surrogate is one full name for a person. What stands in a text is that name in the form in which the real
one stood there, so that the sentence goes on reading well; typing errors and abbreviations are not copied.
The same rules write a real name in the form of a surrogate that was pasted into other text.
"""

import re
import zlib
from collections.abc import Sequence
from typing import Final

from linkage.name_places import part_places
from linkage.records import PersonName, Span, fold
from pseudonymizer.styles.name_pool import is_reserved

_LETTERS: Final = "ABCDEFGHJKLMNPRSTVW"  # that Dutch given names often begin with
_WORD: Final = re.compile(r"[^\W\d_]+")
_SINGLE: Final = re.compile(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])")
_DOTTED: Final = re.compile(r"[^\W\d_]\.")
_POSSESSIVE: Final = re.compile(r"['\u2019]s?\Z")


def label_of(name: PersonName) -> str:
    """A surrogate as one text: "Given Given particle Family-Partner"."""
    family = "-".join(part for part in (name.family, name.partner_family) if part)
    return " ".join(part for part in (name.given, name.particle, family) if part)


def parse_label(label: str) -> PersonName:
    """The parts of a surrogate's label, the other way round.

    Words that are kept for double names mark a double name that is one unit; other hyphens join the names
    of two partners.
    """
    words = label.split()
    at = len(words) - 1
    while at > 1 and words[at - 1][0].islower():
        at -= 1
    family, partner = words[-1], None
    first, hyphen, rest = family.partition("-")
    if hyphen and not is_reserved(first):
        family, partner = first, rest
    return PersonName(
        given=" ".join(words[:at]) or None,
        particle=" ".join(words[at:-1]) or None,
        family=family,
        partner_family=partner,
    )


def initials_of(surrogate: PersonName, count: int) -> str:
    """So many letters without dots: of the given names, then letters that are always the same for a name."""
    letters = [
        word[0].upper() for word in (surrogate.given or surrogate.initials or "").replace(".", " ").split()
    ]
    if surrogate.given is None and surrogate.initials is not None:
        letters = [c.upper() for c in surrogate.initials if c.isalpha()]
        return "".join(letters[:count])
    seed = label_of(surrogate)
    while len(letters) < count:
        letters.append(_LETTERS[zlib.crc32(f"{seed}{len(letters)}".encode()) % len(_LETTERS)])
    return "".join(letters[:count])


def write_name(wanted: PersonName, form: PersonName, surface: str, *, as_partner: bool = False) -> str:
    """The name wanted, in the form of a mention: form are the parts of the mention, surface its characters.

    as_partner: the family name of the mention is the one that the person has from a partner. A part that the
    wanted name lacks is left out; something is always written.
    """
    given, initials = _first_part(wanted, form, surface)
    family = _family(wanted, form, surface, as_partner=as_partner)
    particle = wanted.particle if form.particle and family and not as_partner else None
    if family is None and not (given or initials):
        family = wanted.family or wanted.given or initials_of(wanted, 2)
    given, initials, family, particle = _in_case(given, initials, family, particle, form, surface)
    first = _joined_first(given, initials, form, surface)
    text = _in_order(first, particle, family, form, surface)
    if form.suffix and family is not None and fold(form.suffix) in fold(surface):
        text += f" {form.suffix}"
    return text + _ending(text, form, surface)


def _first_part(wanted: PersonName, form: PersonName, surface: str) -> tuple[str | None, str | None]:
    """(given name, initials with their dots)"""
    given: str | None = None
    if form.given or form.nickname:
        words = (wanted.given or "").split()
        count = len((form.given or form.nickname or "").split())
        given = " ".join(words[: max(count, 1)]) or None
    letters = sum(c.isalpha() for c in form.initials or "")
    if form.given and letters and "(" not in surface:  # "Jan P. de Vries": letters go on after the given name
        letters = len(_SINGLE.findall(surface))
        before = len(form.given.split())
        shown = initials_of(wanted, before + letters)[before:] if letters else ""
    else:
        shown = initials_of(wanted, letters) if letters else ""
        if given is None and (form.given or form.nickname) and form.family is None:
            shown = initials_of(wanted, 1)  # a given name is asked for and only initials are known
    return given, _dotted(shown, surface) or None


def _dotted(letters: str, surface: str) -> str:
    if _DOTTED.search(surface) is None and "." not in surface:
        return letters
    gap = " " if re.search(r"[^\W\d_]\.\s+[^\W\d_]\.", surface) else ""
    return gap.join(f"{letter}." for letter in letters)


def _family(wanted: PersonName, form: PersonName, surface: str, *, as_partner: bool) -> str | None:
    if form.family is None and form.partner_family is None:
        return None
    if as_partner and wanted.partner_family:
        return wanted.partner_family
    if form.family and form.partner_family and wanted.family and wanted.partner_family:
        joint = " - " if re.search(r"\s[-\u2013]\s", surface) else "-"
        partner = " ".join(p for p in (wanted.partner_particle, wanted.partner_family) if p)
        return f"{wanted.family}{joint}{partner}"
    return wanted.family


def _in_case(
    given: str | None,
    initials: str | None,
    family: str | None,
    particle: str | None,
    form: PersonName,
    surface: str,
) -> tuple[str | None, str | None, str | None, str | None]:
    """Capitals or lower case for each part as it stood; a particle that began with a capital does again."""
    shown = _WORD.findall(surface)
    whole = _case_of([word for word in shown if len(word) > 1] or shown)
    places = part_places(form, surface)
    given_case = _case_at(places.given or places.nickname, surface) or whole
    family_case = _case_at(places.family, surface) or whole
    if particle is not None:
        first = surface.lstrip()[:1]
        comma = surface.find(",")
        leads = (given is None and initials is None) or (comma > 0 and _start(places.particle, surface) == 0)
        if family_case == "upper":
            particle = particle.upper()
        elif leads and first.isupper():
            particle = particle[0].upper() + particle[1:]
    return (
        _cased(given, given_case),
        _cased(initials, "lower" if whole == "lower" else None),
        _cased(family, family_case),
        particle,
    )


def _case_at(place: Span | None, surface: str) -> str | None:
    words = _WORD.findall(place.cut(surface)) if place is not None else []
    return _case_of([word for word in words if len(word) > 1])


def _case_of(words: Sequence[str]) -> str | None:
    if not words:
        return None
    if all(word.isupper() for word in words) and any(len(word) > 1 for word in words):
        return "upper"
    return "lower" if all(word.islower() for word in words) else "title"


def _cased(text: str | None, case: str | None) -> str | None:
    if text is None or case not in ("upper", "lower"):
        return text
    return text.upper() if case == "upper" else text.lower()


def _joined_first(given: str | None, initials: str | None, form: PersonName, surface: str) -> str:
    if given and initials:
        if "(" in surface:
            return f"{initials} ({given})"
        places = part_places(form, surface)
        is_before = _start(places.initials, surface) < _start(places.given, surface)
        return f"{initials} {given}" if is_before else f"{given} {initials}"
    return given or initials or ""


def _in_order(first: str, particle: str | None, family: str | None, form: PersonName, surface: str) -> str:
    with_particle = " ".join(part for part in (particle, family) if part)
    if particle and particle.endswith(("'", "\u2019")) and family:
        with_particle = particle + family
    if family is None or not first:
        return first or with_particle
    places = part_places(form, surface)
    if "," in surface:
        if particle and _start(places.particle, surface) > surface.find(","):
            return f"{family}, {first} {particle}"
        return f"{with_particle}, {first}"
    if _start(places.family, surface) == 0 and _start(places.given or places.initials, surface) > 0:
        return f"{with_particle} {first}"
    return f"{first} {with_particle}"


def _start(place: Span | None, surface: str) -> int:
    """Where a part begins in surface; far to the right where it does not stand there."""
    return len(surface) if place is None else place.start


def _ending(text: str, form: PersonName, surface: str) -> str:
    """The possessive ending that was part of the mention."""
    if (found := _POSSESSIVE.search(surface)) is not None:
        return found[0]
    shown = _WORD.findall(surface)
    last = next((p for p in (form.partner_family, form.family, form.given, form.nickname) if p), None)
    if not shown or last is None or fold(shown[-1]) != f"{fold(last).rpartition(' ')[2]}s":
        return ""
    if text[-1:].lower() in "sxz":
        return "'"
    ending = "'s" if text[-1:].lower() in "aiouy" else "s"
    return ending.upper() if text.isupper() else ending


def name_initials(name: PersonName, surface: str) -> str:
    """The first letters of a name: "J.d.V."; of text that was not taken apart, of its words."""
    if not any(name.parts()):
        return "".join(f"{word[0]}." for word in _WORD.findall(surface)) or "N.N."
    first = [c.upper() for c in name.initials or "" if c.isalpha()]
    if name.given or name.nickname:
        given = [word[0].upper() for word in re.split(r"[\s-]+", name.given or name.nickname or "") if word]
        first = first or given
    letters = list(first)
    for particle, family in ((name.particle, name.family), (name.partner_particle, name.partner_family)):
        letters += [word[0].lower() for word in _WORD.findall(particle or "")]
        letters += [word[0].upper() for word in _WORD.findall(family or "")]
    return "".join(f"{letter}." for letter in letters) or "N.N."
