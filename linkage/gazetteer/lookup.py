"""Gazetteer: every look-up ignores case and accents; large parts are read when first needed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Self

from linkage.errors import GazetteerError
from linkage.gazetteer.entries import GivenName, Surname, Title, Variant, WordUse
from linkage.gazetteer.folding import lookup_key
from linkage.language import Language, ParticleUse
from linkage.language.people import TitleUse, Use, used
from linkage.language.tables import ParsedOnDemand, read_keyed, read_rows, read_table
from linkage.records import Gender

_NO_USE = WordUse(0.0, "", 0.0)
_CUES_OF_PEOPLE = {Use.CUE: "role", Use.LABEL: "label"}  # use of a word for a person -> kind of cue
_CUES_OF_TITLES = {TitleUse.COURTESY: "courtesy", TitleUse.CUE: "role"}  # use of a title -> kind of cue
_GENDERS = {gender.value: gender for gender in Gender}


_KEPT: "dict[tuple[type[Gazetteer], Language], Gazetteer]" = {}


class Gazetteer:
    """The name lists of a language, its lexicon.

    Names may be given in any case and with or without accents. Nothing here changes after loading.
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self._directory = language.directory / "lexicon"

    @classmethod
    def load(cls, code: str = "nl") -> Self:
        """The shipped lists of a language. A damaged list raises a GazetteerError when it is first used.

        Raises:
            KindsError: there are no tables for the language, or some are missing.
        """
        return cls.of(Language.load(code))

    @classmethod
    def of(cls, language: Language) -> Self:
        """The lists of a language, which a process reads once: they take about 40 MB."""
        kept = _KEPT.get((cls, language))
        if kept is None:
            kept = _KEPT[cls, language] = cls(language)
        assert isinstance(kept, cls)  # noqa: S101  for the type checker
        return kept

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    # given names and surnames

    @cached_property
    def given_names(self) -> Mapping[str, GivenName]:
        """Folded name -> entry."""
        return ParsedOnDemand(self._given_rows, _given_name)

    @cached_property
    def surnames(self) -> Mapping[str, Surname]:
        """Folded name without particle -> entry."""
        return ParsedOnDemand(self._surname_rows, _surname)

    def given_name(self, text: str) -> GivenName | None:
        return self.given_names.get(lookup_key(text))

    def is_given_name(self, text: str) -> bool:
        return lookup_key(text) in self._given_rows

    def given_name_frequency(self, text: str) -> int:
        entry = self.given_name(text)
        return entry.frequency if entry else 0

    def gender(self, text: str) -> Gender | None:
        """Gender that a given name is mostly used for; BOTH where it is used for both, None where unknown.

        Of a name in several parts ("Anne-Marie", "Jan Willem") the whole is asked, then the first part.
        """
        entry = self.given_name(text)
        if entry is None or entry.gender is None:
            first = lookup_key(text).replace("-", " ").split(" ")[0]
            entry = self.given_names.get(first)
        return entry.gender if entry else None

    def surname(self, text: str) -> Surname | None:
        """Entry of a family name, given with or without its particle."""
        entry = self.surnames.get(lookup_key(text))
        if entry is None:
            particle, core = self.split_particle(text)
            entry = self.surnames.get(lookup_key(core)) if particle else None
        return entry

    def is_surname(self, text: str) -> bool:
        return self.surname(text) is not None

    def surname_frequency(self, text: str) -> int:
        entry = self.surname(text)
        return entry.frequency if entry else 0

    # particles and titles

    @cached_property
    def particles(self) -> Mapping[str, str]:
        """Folded particle, also misspelt or shortened -> its usual form: "v.d." -> "van der"."""
        listed = self.language.particles(ParticleUse.LISTED)
        return {lookup_key(written): usual for written, usual in listed.items()}

    def particle_words(self, use: ParticleUse) -> frozenset[str]:
        """Folded particles that have this use."""
        return frozenset(map(lookup_key, self.language.particles(use)))

    def is_particle(self, text: str) -> bool:
        return self.canonical_particle(text) is not None

    def canonical_particle(self, text: str) -> str | None:
        """The usual form of a particle, in lower case; None if it is no particle."""
        return self.particles.get(" ".join(lookup_key(text).split()))

    def split_particle(self, text: str) -> tuple[str | None, str]:
        """Cut the longest particle off the front: "van den Berg" -> ("van den", "Berg").

        Letters stay as written. A particle is only cut where a rest is left: "de" alone is (None, "de").
        """
        words = text.split()
        for length in range(min(4, len(words) - 1), 0, -1):
            particle = " ".join(words[:length])
            if self.canonical_particle(particle) is not None:
                return particle, " ".join(words[length:])
        first = words[0] if words else ""
        for mark in ("'", "’"):
            head, found, rest = first.partition(mark)
            if found and rest and head and lookup_key(head + "'") in self.particles:
                return head + mark, " ".join([rest, *words[1:]])
        return None, text

    @cached_property
    def titles(self) -> Mapping[str, Title]:
        """Folded title, without its last full stop -> entry."""
        found: dict[str, Title] = {}
        for title in self.language.titles:
            if not title.position:
                continue  # a word that is asked for by its use alone
            entry = Title(title.text, title.category, title.position, title.gender)
            for form in (title.text, *title.variants):
                found.setdefault(lookup_key(form).removesuffix("."), entry)
        return found

    def title(self, text: str) -> Title | None:
        return self.titles.get(" ".join(lookup_key(text).split()).removesuffix("."))

    # words

    def word_use(self, text: str) -> WordUse:
        """How this string is used as an ordinary word; all zero where it is not known as a word."""
        row = self._word_rows.get(lookup_key(text))
        return _NO_USE if row is None else _word_use(row)

    def zipf(self, text: str) -> float:
        """log10 of occurrences per billion words, of the string in any use, names included; 0.0 = rare."""
        return self.word_use(text).zipf

    def word_share(self, text: str) -> float:
        """How often this string is an ordinary word rather than a name, in [0, 1]; unknown: 0.0."""
        return self.word_use(text).word_share

    def person_share(self, text: str) -> float:
        """How often this string, used as a name, is a person's rather than a place's or a firm's, in [0, 1];
        unknown: 1.0."""
        return self.word_use(text).person_share

    def is_word(self, text: str) -> bool:
        """Whether this is an ordinary Dutch word: in the dictionary in lower case, or mostly written so."""
        use = self.word_use(text)
        return bool(use.classes) or (
            use.zipf > 0 and use.word_share >= 0.5 and lookup_key(text) not in self._given_rows
        )

    # other names

    @cached_property
    def places(self) -> frozenset[str]:
        """Folded names of places, regions, countries and islands."""
        return frozenset(read_rows(self._directory / "places" / "places.txt.gz"))

    @cached_property
    def organisations(self) -> frozenset[str]:
        """Folded names of organisations, products and feasts."""
        return frozenset(read_rows(self._directory / "organisations" / "organisations.txt.gz"))

    def is_place(self, text: str) -> bool:
        return lookup_key(text) in self.places

    def is_organisation(self, text: str) -> bool:
        return lookup_key(text) in self.organisations

    @cached_property
    def cues(self) -> Mapping[str, frozenset[str]]:
        """Folded word or phrase before a name -> kinds: salutation, closing, signing, label, role, speech."""
        cues = list(self.language.name_cues)
        for asked, kind in _CUES_OF_PEOPLE.items():
            cues += [(word, kind) for word in used(self.language.people, asked)]
        for title in self.language.titles:
            for use, kind in _CUES_OF_TITLES.items():
                cues += [(title.text.removesuffix("."), kind)] if use in title.uses else []
        return _kinds(cues)

    @cached_property
    def markers(self) -> Mapping[str, frozenset[str]]:
        """Folded word that shows a name to be no person's -> kinds, such as "disease"."""
        return _kinds(self.language.markers)

    @cached_property
    def name_slots(self) -> Mapping[str, float]:
        """Log-odds of a name beside words and pairs of words; see linkage.recognition.name_slots."""
        rows = read_table(self._directory / "name_slots" / "name_slots.tsv", ("slot", "log_odds"))
        try:
            return {row["slot"]: float(row["log_odds"]) for row in rows}
        except ValueError:
            raise GazetteerError("name list name_slots/name_slots.tsv: a log-odds is no number") from None

    def marked(self, kind: str) -> frozenset[str]:
        """All markers of one kind."""
        return frozenset(word for word, kinds in self.markers.items() if kind in kinds)

    def grammar_words(self, kind: str) -> frozenset[str]:
        """Folded words of one kind that the rules of recognition ask for.

        Raises:
            KindsError: for a kind that the table does not have.
        """
        return frozenset(map(lookup_key, self.language.words(kind)))

    # variants of given names

    def variants(self, text: str) -> tuple[Variant, ...]:
        """Other forms of a given name, in the order of the list."""
        return self._variants.get(lookup_key(text), ())

    def variant_kind(self, left: str, right: str) -> str | None:
        """Kind of variant that two given names are of each other; None if not listed."""
        key = lookup_key(right)
        kinds = [variant.kind for variant in self.variants(left) if lookup_key(variant.name) == key]
        return min(kinds, key=_KIND_ORDER.index) if kinds else None

    def full_forms(self, text: str) -> tuple[str, ...]:
        """Full forms that this short form may stand for; none where it is no short form."""
        return self._full_forms.get(lookup_key(text), ())

    def shared_full_forms(self, left: str, right: str) -> int:
        """Number of full forms that two names have in common; each name counts as a full form of itself."""
        return len(self._full_form_keys(left) & self._full_form_keys(right))

    def _full_form_keys(self, text: str) -> set[str]:
        forms = {lookup_key(variant.name) for variant in self.variants(text) if variant.kind == "form"}
        return {lookup_key(text), *(lookup_key(name) for name in self.full_forms(text)), *forms}

    @cached_property
    def _variants(self) -> Mapping[str, tuple[Variant, ...]]:
        found: dict[str, list[Variant]] = defaultdict(list)
        for row in read_rows(self._directory / "variants" / "pairs.tsv.gz"):
            left, right, kind, confidence, _ = row.split("\t")
            found[lookup_key(left)].append(Variant(right, kind, confidence))
            found[lookup_key(right)].append(Variant(left, kind, confidence))
        return {key: tuple(entries) for key, entries in found.items()}

    @cached_property
    def _full_forms(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for row in read_rows(self._directory / "variants" / "pairs.tsv.gz"):
            left, right, kind, _, _ = row.split("\t")
            if kind in ("diminutive", "nickname"):
                found[lookup_key(right)].setdefault(lookup_key(left), left)
        return {key: tuple(names.values()) for key, names in found.items()}

    # rows as read

    @cached_property
    def _given_rows(self) -> dict[str, str]:
        return read_keyed(self._directory / "given_names" / "names.tsv.gz")

    @cached_property
    def _surname_rows(self) -> dict[str, str]:
        return read_keyed(self._directory / "surnames" / "names.tsv.gz")

    @cached_property
    def _word_rows(self) -> dict[str, str]:
        return read_keyed(self._directory / "words" / "words.tsv.gz")


_KIND_ORDER = ("spelling", "diminutive", "nickname", "form", "formal")


def _given_name(key: str, row: str) -> GivenName:
    name, gender, frequency = row.split("\t")
    return GivenName(name or key.title(), _GENDERS.get(gender), int(frequency))


def _surname(key: str, row: str) -> Surname:
    name, particles, frequency = row.split("\t")
    known = particles.split("|")
    return Surname(name or key.title(), tuple(p for p in known if p), "" in known, int(frequency))


def _word_use(row: str) -> WordUse:
    hundredths, classes, per_cent, of_persons = (row + "\t").split("\t")[:4]
    person_share = int(of_persons) / 100 if of_persons else 1.0
    return WordUse(int(hundredths) / 100, classes, int(per_cent) / 100, person_share)


def _kinds(rows: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    """Folded word -> its kinds, from (word, kind)."""
    found: dict[str, set[str]] = defaultdict(set)
    for word, kind in rows:
        found[lookup_key(word)].add(kind)
    return {key: frozenset(kinds) for key, kinds in found.items()}
