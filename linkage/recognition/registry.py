"""Known persons that the user brings, and finding which of them a name in a text is."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Final, Self

from linkage.errors import GazetteerError, why_unread
from linkage.gazetteer import Gazetteer, lookup_key
from linkage.language import Language
from linkage.language.headers import NamePart, bare
from linkage.names import parse_name
from linkage.records import EntityId, KnownIdentity, PersonName
from linkage.texts import PERSON, KindId

_ALIAS_SEPARATORS = "|;"
_LANGUAGE: Final = "nl"  # whose header words a file of persons has; the language adds English ones
# Fields of a person -> kind and parts of names of the header words that name them.
_FIELDS: Final[Mapping[str, tuple[KindId, tuple[NamePart, ...]]]] = {
    "person_id": (PERSON, (NamePart.ID,)),
    "given": (PERSON, (NamePart.GIVEN,)),
    "initials": (PERSON, (NamePart.INITIALS,)),
    "particle": (PERSON, (NamePart.PARTICLE,)),
    "surname": (PERSON, (NamePart.FAMILY, NamePart.GENERIC)),
    "aliases": (PERSON, (NamePart.ALIAS,)),
    "birth_date": (KindId("BIRTH_DATE"), ()),
}


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """One person of the registry. given holds all given names, separated by spaces, as written."""

    person_id: str
    given: str | None = field(default=None, repr=False)
    initials: str | None = field(default=None, repr=False)
    particle: str | None = field(default=None, repr=False)
    surname: str | None = field(default=None, repr=False)
    aliases: tuple[str, ...] = field(default=(), repr=False)
    birth_date: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self.person_id:
            raise GazetteerError("a person of the registry has an empty id")
        if not (self.given or self.surname or self.aliases):
            raise GazetteerError(
                "a person of the registry has no name: give given names, a surname or an alias"
            )

    def letters(self) -> str:
        """First letters, folded: of the initials, else of the given names."""
        return _letters(self.initials) or "".join(word[0] for word in _given_words(self.given))


class Registry:
    """The user's known persons.

    A file is JSONL (one object a line) or CSV/TSV with a header: id, given names, initials, particle,
    surname, aliases (separated by | or ;), birth date; Dutch column names do too.
    """

    def __init__(self, persons: Iterable[KnownPerson], gazetteer: Gazetteer) -> None:
        self.persons = tuple(persons)
        self.gazetteer = gazetteer
        ids = [person.person_id for person in self.persons]
        if len(set(ids)) != len(ids):
            raise GazetteerError("the registry of persons has two rows with one id; give each person one row")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.persons)} persons)"

    @classmethod
    def read(cls, path: Path, gazetteer: Gazetteer) -> Self:
        """Read a file of persons.

        Raises:
            GazetteerError: for a file that cannot be read, an unknown layout, or a row without name or id.
        """
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise GazetteerError(
                f"the file of persons cannot be read: {why_unread(error)}; check its "
                "path, and that it is text in UTF-8"
            ) from None
        rows = _json_rows(text) if text.lstrip().startswith("{") else _table_rows(text)
        return cls((_person(row, number) for number, row in rows), gazetteer)

    def known_identities(self) -> tuple[KnownIdentity, ...]:
        """The persons as linkage takes them: entity_id is the registry's id."""
        return tuple(
            KnownIdentity(
                EntityId(person.person_id),
                tuple(self._names(person)),
                frozenset({("birth_date", person.birth_date)} if person.birth_date else ()),
            )
            for person in self.persons
        )

    def _names(self, person: KnownPerson) -> Iterator[PersonName]:
        initials = person.initials
        if initials and "." not in initials:
            initials = "".join(f"{letter}." for letter in initials if letter.isalpha())
        if person.given or person.surname:
            yield PersonName(
                given=person.given or None,
                initials=initials or None,
                particle=(person.particle or "").lower() or None,
                family=person.surname or None,
            )
        yield from (parse_name(alias, self.gazetteer) for alias in person.aliases)

    def names(self) -> Iterator[PersonName]:
        """The names of all persons, their aliases among them."""
        for person in self.persons:
            yield from self._names(person)

    def _particle(self, written: str | None) -> str:
        return self.gazetteer.canonical_particle(written or "") or lookup_key(written or "")

    @cached_property
    def _by_surname(self) -> Mapping[tuple[str, ...], tuple[KnownPerson, ...]]:
        found: dict[tuple[str, ...], list[KnownPerson]] = defaultdict(list)
        for person in self.persons:
            if person.surname:
                found[self._surname_words(person.surname)].append(person)
        return {key: tuple(value) for key, value in found.items()}

    def _surname_words(self, written: str) -> tuple[str, ...]:
        words = _words(written.replace("-", " "))
        return tuple(word for word in words if not self.gazetteer.is_particle(word)) or tuple(words)

    @cached_property
    def _by_given(self) -> Mapping[str, tuple[KnownPerson, ...]]:
        found: dict[str, dict[str, KnownPerson]] = defaultdict(dict)
        for person in self.persons:
            for word in _given_words(person.given):
                found[word][person.person_id] = person
        return {key: tuple(value.values()) for key, value in found.items()}

    @cached_property
    def alias_phrases(self) -> Mapping[tuple[str, ...], frozenset[str]]:
        """Folded words of an alias -> ids."""
        found: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for person in self.persons:
            for alias in person.aliases:
                words = tuple(_words(alias.replace("-", " ").replace(".", " ")))
                if words:
                    found[words].add(person.person_id)
        return {key: frozenset(value) for key, value in found.items()}

    def matches(self, name: PersonName) -> frozenset[str]:
        """Ids of the persons that this name fits. None of its parts may say otherwise.

        A double family name fits where one of its halves is the person's. A lone given name fits everybody
        who has it; whether that is enough is the caller's matter.
        """
        if name.family:
            candidates = self._with_surname(self._surname_words(f"{name.partner_family or ''} {name.family}"))
            return frozenset(p.person_id for p in candidates if self._fits(p, name))
        given = _given_words(name.given)
        candidates = self._by_given.get(given[0], ()) if given else ()
        return frozenset(p.person_id for p in candidates if set(given) <= set(_given_words(p.given)))

    def _with_surname(self, surname: tuple[str, ...]) -> Collection[KnownPerson]:
        exact = self._by_surname.get(surname)
        if exact is not None or len(surname) == 1:
            return exact or ()
        return [p for word in surname for p in self._by_surname.get((word,), ())]

    def _fits(self, person: KnownPerson, name: PersonName) -> bool:
        particles = {self._particle(name.particle)}
        if name.partner_family:
            particles.add(self._particle(name.partner_particle))
        is_alone = not (name.given or name.initials)  # "Jan Boer" is not "Jan de Boer", "Boer" may be
        if self._particle(person.particle) not in particles and not (is_alone and particles == {""}):
            return False
        given, known = _given_words(name.given), _given_words(person.given)
        letters, initials = person.letters(), _letters(name.initials)
        if given and known:
            return given[0] in known and all(word in known for word in given[1:])
        if given and letters:
            return given[0].startswith(letters[:1])
        if initials and letters:
            return letters.startswith(initials) or (
                initials.startswith(letters) and not person.initials and len(letters) == 1
            )
        return True


def _given_words(given: str | None) -> tuple[str, ...]:
    return tuple(_words((given or "").replace("-", " ")))


def _letters(initials: str | None) -> str:
    return "".join(part[0] for part in _words((initials or "").replace(".", " ")))


def _words(text: str) -> list[str]:
    return lookup_key(text).replace(",", " ").split()


def _json_rows(text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                raise GazetteerError(f"the file of persons, line {number}: not a JSON object") from None
            if not isinstance(row, dict):
                raise GazetteerError(f"the file of persons, line {number}: not a JSON object")
            yield number, row


def _table_rows(text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    header = text.splitlines()[0] if text.strip() else ""
    delimiter = max("\t;,", key=header.count)
    if not header.count(delimiter):
        raise GazetteerError(
            "the file of persons has no header with columns; expected JSONL, or CSV with id and names"
        )
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    for number, row in enumerate(reader, start=2):
        if None in row or None in row.values():
            raise GazetteerError(
                f"the file of persons, line {number}: another number of columns than the header"
            )
        yield number, dict(row)


def _person(row: Mapping[str, object], number: int) -> KnownPerson:
    known: dict[str, object] = {}
    for key, value in row.items():
        if value not in (None, "", []):
            known.setdefault(bare(str(key)), value)
    values = {
        target: next((known[name] for name in names if name in known), None)
        for target, names in _header_names().items()
    }
    try:
        return KnownPerson(
            person_id=_text(values["person_id"]) or "",
            given=_text(values["given"]),
            initials=_text(values["initials"]),
            particle=_text(values["particle"]),
            surname=_text(values["surname"]),
            aliases=_list(values["aliases"]),
            birth_date=_text(values["birth_date"]),
        )
    except GazetteerError as error:
        raise GazetteerError(f"the file of persons, line {number}: {error}") from None


@cache
def _header_names() -> Mapping[str, tuple[str, ...]]:
    """By field of a person, the bare letters of the headers that name it, those to prefer first."""
    headers = Language.load(_LANGUAGE).headers
    return {target: headers.of_registry(kind, *parts) for target, (kind, parts) in _FIELDS.items()}


def _text(value: object) -> str | None:
    if isinstance(value, list):
        value = " ".join(str(part) for part in value)
    return str(value).strip() or None if value is not None else None


def _list(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    parts = [str(part) for part in value] if isinstance(value, list) else [str(value)]
    for separator in _ALIAS_SEPARATORS:
        parts = [piece for part in parts for piece in part.split(separator)]
    return tuple(part.strip() for part in parts if part.strip())
