"""Checks of addresses: streets with a number, e-mail addresses in disguise."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from linkage.detection.candidate import Candidate, Checked, Validator
from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.language.expressions import NOTHING

_BEFORE_NUMBER: Final = re.compile(r"\D*")
# From this frequency on, a noun before a number is no street: "Antwoord 3", "Vergadering 12"; "Boomgaard 5"
# may be one. log10 of uses per billion words, and the share of them that are no name; set on kamerstukken.
_COMMON_NOUN: Final = 3.5
_NO_NAME: Final = 0.85
_SHORTEST_WORD_NAME: Final = 5  # letters of a user name without any sign; set on office-train
_MOSTLY_A_WORD: Final = 0.5  # share of the uses of a word in which it is no name, 0 to 1; set on office-train


def checked_street(candidate: Candidate) -> Checked | None:
    """The street and number in small letters with single blanks. A town before a number is no street: the
    check fails; a year behind a weak ending ("Naaldwijk 2021") neither.
    """
    text = " ".join(candidate.text.casefold().replace(",", " ").split())
    name = _BEFORE_NUMBER.match(text)
    last_word = name[0].split()[-1] if name and name[0].split() else ""
    is_other = Gazetteer.of(candidate.language).is_place(last_word) or _is_common_noun(last_word, candidate)
    return Checked(text, last_word.endswith(candidate.language.endings_for("sure")) or not is_other)


def _is_common_noun(word: str, candidate: Candidate) -> bool:
    """Whether people mostly mean a thing by the word, and no street: "markt" by itself is the end of one."""
    use = Gazetteer.of(candidate.language).word_use(word)
    is_common = "n" in use.classes and use.zipf >= _COMMON_NOUN and use.word_share >= _NO_NAME
    return is_common and word not in candidate.language.street_endings("weak")


def checked_street_before_town(candidate: Candidate) -> Checked | None:
    """The street and number; the check passes where a known town stands behind it, and no street is one."""
    street, town = candidate.groups["value"] or "", candidate.groups["town"] or ""
    words = Gazetteer.of(candidate.language)
    first = town.split()[0]
    is_town = words.is_place(town) or words.is_place(first)
    name = _BEFORE_NUMBER.match(street)
    if not candidate.groups["set_off"]:  # "Vraag 5 Bent u", "Antwoord 3 India": no comma parts them
        word = town if words.is_place(town) else first
        is_town = is_town and words.word_share(word) < _NO_NAME
        is_town = is_town and not (name and _is_common_noun(name[0].strip().casefold(), candidate))
    starts_with_town = name is None or words.is_place(name[0].strip())
    return Checked(" ".join(street.casefold().split()), is_town and not starts_with_town)


def checked_street_in_address(candidate: Candidate) -> Checked | None:
    """The street and number in small letters with single blanks, whatever its name."""
    return Checked(" ".join(candidate.text.casefold().replace(",", " ").split()))


def checked_street_alone(candidate: Candidate) -> Checked | None:
    """A name that ends as streets do, in small letters; None for an ordinary word ("Spoorweg")."""
    return _street_by_its_name(candidate)


def checked_street_said(candidate: Candidate) -> Checked | None:
    """A name that ends as streets do and stands behind "in de"; None for a town, a surname, an ordinary word.

    Behind an article, names in which streets alone end count although a surname or a town is called so too.
    """
    sure = candidate.language.endings_for("sure_with_article")
    if candidate.groups["article"] is not None and candidate.text.endswith(sure):
        return checked_street_in_address(candidate)
    return _street_by_its_name(candidate)


def _street_by_its_name(candidate: Candidate) -> Checked | None:
    parts = candidate.text.casefold().split()
    last, words = parts[-1], Gazetteer.of(candidate.language)
    is_other = any(words.is_place(one) or words.is_surname(one) for one in (last, " ".join(parts)))
    return None if is_other or words.word_share(last) > _MOSTLY_A_WORD else Checked(" ".join(parts))


def checked_user_name(candidate: Candidate) -> Checked | None:
    """The name in small letters; None for an ordinary word: "gebruiker van lijn 4" names nobody."""
    text = candidate.text.casefold()
    is_used = Gazetteer.of(candidate.language).zipf(text) > 0
    is_word = text.isalpha() and (is_used or len(text) < _SHORTEST_WORD_NAME)
    return None if is_word or text.replace(".", "").replace("-", "").isdigit() else Checked(text)


def checked_postcode_behind_street(candidate: Candidate) -> Checked | None:
    """The figures; None where no street with its number, and no P.O. box, stands before them."""
    street = _street_with_number(candidate.language).search(candidate.before)
    return None if street is None else Checked(candidate.text)


@cache
def _street_with_number(language: Language) -> re.Pattern[str]:
    slots = language.slots
    endings = f"{language.slots['STREET_ENDING']}|{language.slots['STREET_ENDING_WEAK']}"
    romance = rf"{slots.get('STREET_BEFORE_NAME', NOTHING)} [\w'\u2019. -]{{2,40}},?(?: n\.)?"
    number = rf" ?\d{{1,4}}[a-zA-Z]?(?:,? ?{slots.get('BOX_WORD', NOTHING)} ?\w{{1,5}})?"
    behind = r"(?:,| -| \u2013|;)?[ \t]*(?:\r?\n)?[ \t]{0,12}(?:B-)?"
    return re.compile(rf"(?i)(?:{endings}|{romance}|{slots.get('BOX_ALONE', NOTHING)}){number}{behind}$")


@cache
def _at(language: Language) -> re.Pattern[str]:
    at = language.slots.get("AT_WORD", NOTHING)
    return re.compile(rf"\s*[\[({{<]?\s*(?:{at}|@)\s*[\])}}>]?\s*", re.IGNORECASE)


@cache
def _dot(language: Language) -> re.Pattern[str]:
    dot = language.slots.get("DOT_WORD", NOTHING)
    return re.compile(rf"\s*[\[({{<]\s*(?:{dot}|\.)\s*[\])}}>]\s*|\s+{dot}\s+", re.IGNORECASE)


def checked_email(candidate: Candidate) -> Checked | None:
    """The address as it is meant: "jan [at] x.nl" is "jan@x.nl"."""
    local, *domain = _at(candidate.language).split(candidate.text, maxsplit=1)
    if not domain:
        return None
    return Checked(f"{local}@{_dot(candidate.language).sub('.', domain[0])}".casefold())


VALIDATORS: Final[Mapping[str, Validator]] = {
    "street": checked_street, "email": checked_email, "user_name": checked_user_name,
    "street_before_town": checked_street_before_town, "street_alone": checked_street_alone,
    "street_said": checked_street_said, "postcode_behind_street": checked_postcode_behind_street,
    "street_in_address": checked_street_in_address,
}  # fmt: skip
