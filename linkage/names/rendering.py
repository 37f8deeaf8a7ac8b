"""A name taken apart, written out again."""

import re

from linkage.names.spelling import dotted
from linkage.records import PersonName, fold


def render_name(name: PersonName, *, listing: bool = False) -> str:
    """The name written out: "Jan P. van Dijk-de Boer jr.", or as a listing "Van Dijk-de Boer, Jan P., jr.".

    Only the listing is always read back as the same name: parse_name(render_name(n, listing=True)) == n for
    every n that parse_name made.
    """
    forenames = _forenames(name)
    surname = _joined(name.particle, name.family)
    if name.partner_family is not None:
        # A hyphen or a space of their own makes it unclear which hyphen joins them.
        is_plain = not re.search(r"[- ]", f"{name.partner_family}{name.family or ''}")
        joint = "-" if is_plain else " - "
        surname = f"{_joined(name.partner_particle, name.partner_family)}{joint}{surname}"
    nickname = f'"{name.nickname}"' if name.nickname else ""
    parts = [f"{surname},", forenames, nickname] if listing else [forenames, nickname, surname]
    if name.suffix:
        parts.append(f", {name.suffix}" if listing else name.suffix)
    return " ".join(part for part in parts if part).replace(" ,", ",")


def _joined(particle: str | None, family: str | None) -> str:
    joint = "" if particle and particle.endswith("'") else " "
    return f"{particle or ''}{joint}{family or ''}".strip()


def _forenames(name: PersonName) -> str:
    if name.given is None or name.initials is None:
        return name.given or name.initials or ""
    own = initials_of(name.given)
    if name.initials.startswith(own):
        return f"{name.given} {name.initials.removeprefix(own)}".strip()
    return f"{name.initials.removesuffix(own)} {name.given}"


def initials_of(given: str) -> str:
    """The initials of given names with dots: "J.P.", with "IJ." for both letters."""
    return "".join(dotted("ij" if fold(word).startswith("ij") else word[0]) for word in given.split())
