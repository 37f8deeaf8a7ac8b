"""Which fields of tables and records hold names of people, told by their headers, and how their parts go
together."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from enum import Enum

from pseudonymizer.formats.vocabulary import words


class NameField(Enum):
    """What a field holds, in the order in which the parts of a name are written."""

    GIVEN = 1
    INITIALS = 2
    PARTICLE = 3
    FAMILY = 4
    FULL = 5
    GENERIC = 6  # "naam": of a person only where other fields speak of a person


_WORDS: Mapping[NameField, frozenset[str]] = {
    NameField.GIVEN: words(
        "voornaam voornamen roepnaam doopnaam firstname givenname givennames forename prenom vorname"
        " given"
    ),
    NameField.INITIALS: words("voorletters voorletter initialen initials"),
    NameField.PARTICLE: words(
        "tussenvoegsel tussenvoegsels voorvoegsel voorvoegsels tv tussen voorvoegselgeslachtsnaam"
        " voorvoegselachternaam infix nameprefix"
    ),
    NameField.FAMILY: words(
        "achternaam achternamen familienaam geslachtsnaam meisjesnaam lastname surname familyname"
        " nachname nom family"
    ),
    NameField.FULL: words(
        "volledigenaam fullname displayname persoon personen patient client clientnaam patientnaam"
        " contactpersoon medewerker behandelaar hoofdbehandelaar huisarts arts leerling docent leerkracht"
        " mentor mantelzorger begeleider casemanager aanvrager verzekerde bewoner bestuurder curator"
        " partner echtgenoot auteur author ondertekenaar opsteller vertegenwoordiger gemachtigde melder"
        " klager getuige verdachte slachtoffer eiser gedaagde advocaat rechter notulist voorzitter"
        " secretaris penningmeester eigenaar rekeninghouder tennamevan tnv ouder verzorger naampatient"
        " naamclient naammedewerker naamleerling naamcontactpersoon employee employeename patientname"
        " clientname customername contactname contact"
    ),
    NameField.GENERIC: words("naam name namen names"),
}  # fmt: skip
_ROLE = {word: role for role, words in _WORDS.items() for word in words}
_NO_NAMES = frozenset(
    [
        "ja",
        "nee",
        "j",
        "n",
        "yes",
        "no",
        "onbekend",
        "unknown",
        "nvt",
        "n.v.t.",
        "geen",
        "none",
        "null",
        "nan",
        "-",
        "x",
    ]
)
_MAX_WORDS = 7
_ABOUT_PERSONS = re.compile(
    r"geb(?:oorte|\.?dat)|birth|bsn|burgerservice|geslacht|gender|leeftijd|telefoon|mobiel|e-?mail|adres|woonplaats"
    r"|postcode|functie|rol\b|relatie|patient|client|personeel",
    re.IGNORECASE,
)


def name_field(header: str) -> NameField | None:
    """What the header of a field says about names, None if nothing."""
    bare = unicodedata.normalize("NFKD", header)
    letters = "".join(c for c in bare.lower() if c.isalpha() and c.isascii())
    role = _ROLE.get(letters)
    if role is None and letters.endswith(("naam", "name")):
        # "naam_patient" and "patient_naam" alike: the word that is left decides.
        role = {NameField.FULL: NameField.FULL}.get(_ROLE.get(letters[:-4], NameField.GENERIC))
    return role


def name_columns(headers: Iterable[str]) -> dict[int, NameField]:
    """Column number -> what it holds, for the columns that hold names of people."""
    titles = list(headers)
    roles = {number: role for number, title in enumerate(titles) if (role := name_field(title)) is not None}
    of_persons = any(role is not NameField.GENERIC for role in roles.values()) or any(
        _ABOUT_PERSONS.search(unicodedata.normalize("NFKD", title)) for title in titles
    )
    return {
        number: NameField.FULL if role is NameField.GENERIC else role
        for number, role in roles.items()
        if role is not NameField.GENERIC or of_persons
    }


def looks_like_name(value: str, role: NameField) -> bool:
    """Whether a value of such a field can be a name at all: not "ja", "n.v.t.", "P001" or a sentence.

    Fields for one part of a name may hold it in lower case; fields for a person as a whole may hold other
    things.
    """
    bare = value.strip()
    parts = bare.split()
    if not 0 < len(parts) <= _MAX_WORDS or any(c.isdigit() for c in bare) or bare.casefold() in _NO_NAMES:
        return False
    if role is NameField.FULL:
        return any(len(part) > 1 and part[0].isupper() for part in parts)
    return any(c.isalpha() for c in bare)


def composed(roles: Mapping[int, NameField]) -> tuple[int, ...]:
    """The columns that together hold one name, in the order in which a name is written; empty if there are
    none.

    More than one column of a kind (a second person in the same row) cannot be put together with certainty.
    """
    parts = {number: role for number, role in roles.items() if role is not NameField.FULL}
    if len(parts) < 2 or len(set(parts.values())) < len(parts) or NameField.FAMILY not in parts.values():
        return ()
    if {NameField.GIVEN, NameField.INITIALS} <= set(parts.values()):
        # Given name and initials say the same; the initials stand on their own.
        parts = {number: role for number, role in parts.items() if role is not NameField.INITIALS}
    return tuple(sorted(parts, key=lambda number: parts[number].value))
