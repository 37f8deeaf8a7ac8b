"""The tables of a language: a folder in data/languages, named by ISO 639-1."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from linkage.errors import KindsError
from linkage.language.digests import refuse_changed
from linkage.language.expressions import NOTHING, any_of, filled_where_known
from linkage.language.grammar import Grammar, read_grammar
from linkage.language.headers import RUNNING_TEXT, About, Header, Headers, NamePart
from linkage.language.particles import ParticleUse, read_particles
from linkage.language.patterns import Meaning, Place, read_patterns
from linkage.language.people import PersonWord, TitleUse, TitleWord, Use, read_people, read_titles, used
from linkage.language.tables import read_grouped, read_table
from linkage.language_contents import CONTENTS, DIGESTS, MODEL_FOLDER, MODELS, language_folder, missing
from linkage.texts import KindId

# The full stop of a short word, not the one that ends a sentence: "9 j. oud", "(9 j.)".
_SHORT_STOP: Final = r"(?:\.(?=\s?[,;)]|\s(?-i:[a-z\d(])))?"


class CuePlace(StrEnum):
    """Where a cue stands beside the value that it announces."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase that announces a value of a kind: "polisnr" before a case number, "jaar" after an age.

    regex: the phrase as it stands in the table, a regular expression over small letters.
    """

    kind: KindId
    regex: str
    place: CuePlace = CuePlace.BEFORE


@dataclass(frozen=True, eq=False)
class Language:
    """The words of one language, read from its tables when they are first needed."""

    code: str
    directory: Path = field(repr=False)
    _checked: set[str] = field(default_factory=set, init=False, repr=False)  # models

    @staticmethod
    def load(code: str) -> "Language":
        """The shipped language of this code.

        Raises:
            KindsError: there is no folder for it, or it lacks tables or has changed ones, which are named.
        """
        return _loaded(code)

    @staticmethod
    def read(directory: Path, code: str = "") -> "Language":
        """The language of a folder. Its tables are read when they are needed.

        code: of the language, ISO 639-1; the name of the folder where none is given.

        Raises:
            KindsError: the folder lacks tables, or has some that its digests do not know, as may those of the
                languages that its texts quote, which may lack some. They are named.
            GazetteerError: a table of digests is missing or damaged.
        """
        if lacking := missing(directory):
            raise KindsError(
                f"the language {directory.name!r} is incomplete; it lacks {', '.join(lacking)}. "
                f"`python -m linkage.language {directory.name}` says what each of them holds"
            )
        tables = CONTENTS.keys() - {DIGESTS}
        refuse_changed(directory, tables)
        for row in read_table(directory / "quotes.tsv", ("language",)):
            refuse_changed(_beside(directory, row["language"]), tables)
        return Language(code or directory.name, directory)

    def models(self, wanted: Iterable[str] = tuple(MODELS)) -> Path:
        """The folder of the language's models, of which those wanted have the digest that the language tells.

        wanted: names of MODELS. A model that is not there is told by whatever reads it.

        Raises:
            KindsError: a model has another digest; it is named.
        """
        unchecked = [name for name in wanted if name not in self._checked]
        if unchecked:  # once in a process: a megabyte takes a millisecond
            refuse_changed(self.directory, unchecked)
            self._checked.update(unchecked)
        return self.directory / MODEL_FOLDER

    def check(self) -> None:
        """Nothing; reads every table.

        Raises:
            KindsError: a table has a row that cannot be used.
            GazetteerError: a table is damaged.
        """
        for table in (
            self.slots, self._patterns, self.grammar, self.headers, self.empty_values, self.cues, self.people,
            self.titles, self.name_cues, self.markers, self._particles, self._words, self.name_frames,
        ):  # fmt: skip
            del table
        self.endings_for("")

    @cached_property
    def months(self) -> Mapping[str, int]:
        """The number of a month, 1 to 12, by each of its names in small letters, without a full stop.

        The names of the languages that its texts quote are among them; its own name counts where two are one.
        """
        return {**self._quoted("months"), **self._numbers("months")}

    @cached_property
    def weekdays(self) -> Mapping[str, int]:
        """The number of a day of the week, Monday 1 to Sunday 7, by each of its names in small letters."""
        return {**self._quoted("weekdays"), **self._numbers("weekdays")}

    @cached_property
    def numerals(self) -> Mapping[str, int]:
        """The number that a word in small letters stands for."""
        return self._numbers("numerals")

    @cached_property
    def ordinals(self) -> Mapping[str, int]:
        """The number of a place in a row, "derde" 3, by each of its words in small letters."""
        return self._numbers("ordinals")

    @cached_property
    def feasts(self) -> Mapping[str, str]:
        """By name of a feast in small letters, its day as "--12-25", or what it is called where it moves."""
        rows = read_table(self.directory / "feasts.tsv", ("word", "day"))
        return {row["word"]: row["day"] for row in rows}

    @cached_property
    def multiples(self) -> Mapping[str, int]:
        """The number that a word behind a number multiplies it by: "miljoen", "mln"."""
        return self._numbers("multiples")

    @cached_property
    def currencies(self) -> Mapping[str, str]:
        """By name of a currency in small letters its code, ISO 4217; with "/100" behind it for its cents."""
        rows = read_table(self.directory / "currencies.tsv", ("word", "code"))
        return {row["word"]: row["code"] for row in rows}

    @cached_property
    def age_units(self) -> Mapping[str, str]:
        """By word for a span of time, as it stands behind an age, its letter in ISO 8601: "mnd" M."""
        return self._said("age_unit")

    @cached_property
    def age_endings(self) -> tuple[str, ...]:
        """What a number in words may have behind it where it is an age: "jarige" of "tweejarige"."""
        return tuple(self._said("age_ending"))

    @cached_property
    def named_hours(self) -> Mapping[str, str]:
        """By word for a time of day, "middernacht", the time."""
        return self._said("hour")

    @cached_property
    def clock_steps(self) -> Mapping[str, int]:
        """By phrase before an hour, "kwart voor", the minutes that it adds."""
        return {phrase: int(minutes) for phrase, minutes in self._said("clock_step").items()}

    @cached_property
    def clock_signs(self) -> Mapping[str, int]:
        """By word between minutes and an hour, "voor": -1 where they are taken off, 1 where added."""
        return {word: int(sign) for word, sign in self._said("clock_sign").items()}

    @cached_property
    def cues(self) -> tuple[Cue, ...]:
        """The phrases that announce values, in the order of the table."""
        rows = read_table(self.directory / "cues.tsv", ("kind", "place", "cue"))
        return tuple(Cue(KindId(row["kind"]), row["cue"], CuePlace(row["place"])) for row in rows)

    @cached_property
    def kin(self) -> tuple[PersonWord, ...]:
        """Words for relatives and others who are somebody's: "zoon", "buurvrouw"."""
        return read_people(self.directory / "kin.tsv")

    @cached_property
    def roles(self) -> tuple[PersonWord, ...]:
        """Words for the parts that people play in a matter, not by profession: "patiënt", "getuige"."""
        return read_people(self.directory / "roles.tsv")

    @cached_property
    def professions(self) -> tuple[PersonWord, ...]:
        """Words for what people are by profession or by office: "huisarts", "wethouder"."""
        return read_people(self.directory / "professions.tsv")

    @cached_property
    def titles(self) -> tuple[TitleWord, ...]:
        """Titles before and behind names: "mevr.", "prof.", "MSc"."""
        return read_titles(self.directory / "titles.tsv")

    def titles_for(self, use: TitleUse) -> frozenset[str]:
        """The titles that have this use, in small letters without a full stop."""
        return frozenset(title.bare for title in self.titles if use in title.uses)

    @property
    def people(self) -> tuple[PersonWord, ...]:
        """All words for people."""
        return self.kin + self.roles + self.professions

    def street_endings(self, strength: str) -> tuple[str, ...]:
        """The last parts of names of streets, in small letters.

        strength: "strong" for those that name a street alone ("straat"), "weak" with a house number ("hoek").
        """
        return tuple(row["ending"] for row in self._street_endings if row["strength"] == strength)

    def endings_for(self, use: str) -> tuple[str, ...]:
        """Last parts of names of streets and buildings, in small letters.

        use: "feature" for those that the decision about mentions was trained with, "compound" for those that
        make a family name part of another word, "marker" for those that are no name by themselves,
        "no_person" for those of names that are no person's, "start" for those that a name of a street is
        looked for before, "sure" for those that no town has, "sure_with_article" for those of streets alone
        behind an article.
        """
        return tuple(row["ending"] for row in self._street_endings if use in row["uses"].split())

    @cached_property
    def _street_endings(self) -> tuple[Mapping[str, str], ...]:
        return tuple(read_table(self.directory / "street_endings.tsv", ("ending", "strength", "uses")))

    def greetings(self, use: str) -> frozenset[str]:
        """Words that greet, in small letters.

        use: "letter" for those that open a letter before the name of its receiver, "given" for those behind
        which a lone name is a given name.
        """
        rows = read_table(self.directory / "name_cues.tsv", ("cue", "kind", "uses"))
        return frozenset(
            row["cue"] for row in rows if row["kind"] == "salutation" and use in row["uses"].split()
        )

    @cached_property
    def name_cues(self) -> tuple[tuple[str, str], ...]:
        """Words beside which a name is expected, each with its kind, in the order of the table."""
        rows = read_table(self.directory / "name_cues.tsv", ("cue", "kind"))
        return tuple((row["cue"], row["kind"]) for row in rows)

    @cached_property
    def markers(self) -> tuple[tuple[str, str], ...]:
        """Words that show a name to be no person's, each with its kind; street endings, too."""
        rows = read_table(self.directory / "markers.tsv", ("marker", "kind"))
        streets = ((ending, "street_ending") for ending in self.endings_for("marker"))
        return (*((row["marker"], row["kind"]) for row in rows), *streets)

    def name_kinds(self, place: str) -> Mapping[str, str]:
        """By a text in small letters, the kind of the names that it is ("whole") or stands in ("head")."""
        rows = read_table(self.directory / "name_kinds.tsv", ("kind", "place", "text"))
        return {row["text"].casefold(): row["kind"] for row in rows if row["place"] == place}

    def particles(self, use: ParticleUse) -> Mapping[str, str]:
        """By a particle as it is written, also misspelt or shortened, its usual form: "v.d." is "van der".

        They are those that have this use, in the order of the table.
        """
        return self._particles[use]

    @cached_property
    def _particles(self) -> Mapping[ParticleUse, Mapping[str, str]]:
        return read_particles(self.directory / "particles.tsv")

    @cached_property
    def name_frames(self) -> Mapping[str, frozenset[str]]:
        """By a frame of names, "called_after", its words in small letters: "variant"."""
        return read_grouped(self.directory / "name_frames.tsv", "frame", "word")

    def words(self, kind: str) -> frozenset[str]:
        """The words of one kind in the table of further words, in small letters.

        Raises:
            KindsError: the table has no words of this kind.
        """
        if kind not in self._words:
            raise KindsError(f"words.tsv has no words of the kind {kind!r}")
        return self._words[kind]

    @cached_property
    def _words(self) -> Mapping[str, frozenset[str]]:
        return read_grouped(self.directory / "words.tsv", "kind", "word")

    @cached_property
    def slots(self) -> Mapping[str, str]:
        """By name of a slot, the regular expression that takes its place in a pattern."""
        words = {
            "MONTH": any_of(self.months),
            "MONTH_NAME": any_of(self._whole("months")),
            "MONTH_SHORT": any_of(self._numbers("months").keys() - self._whole("months")),
            "WEEKDAY": any_of(self.weekdays),
            "WEEKDAY_NAME": any_of(self._whole("weekdays")),
            "WEEKDAY_SHORT": any_of(self._numbers("weekdays").keys() - self._whole("weekdays")),
            "NUMERAL": any_of(self.numerals),
            "STREET_ENDING": any_of(self.street_endings("strong")),
            "STREET_ENDING_WEAK": any_of(self.street_endings("weak")),
            "ORDINAL": any_of(self.ordinals),
            "FEAST": any_of(self.feasts),
            "CURRENCY": any_of(word for word in self.currencies if len(word) > 1 or not word.isalpha()),
            "MULTIPLE": any_of(self.multiples),
            "AGE_UNIT": any_of(self.age_units) + _SHORT_STOP,
            "NOON": any_of(self.named_hours),
            "TITLE_WORD": any_of(self.titles_for(TitleUse.PHRASE)),
            "ROLE_TITLE_WORD": any_of(self.titles_for(TitleUse.BEHIND_ROLE)),
            "KIN_WORD": any_of(used(self.people, Use.RELATIVE)),
            "OTHER_PERSON_WORD": any_of(used(self.people, Use.ANOTHER)),
        }
        words |= dict.fromkeys(("STREET_FRONT", "CLOCK_UNIT_FRONT"), NOTHING)  # few languages tell these
        for row in read_table(self.directory / "slots.tsv", ("slot", "regex")):  # may hold rows before it
            words[row["slot"]] = filled_where_known(row["regex"], words)
        return words

    @cached_property
    def grammar(self) -> Grammar:
        """How names are built."""
        return read_grammar(self.directory / "grammar.toml")

    @cached_property
    def _patterns(self) -> Mapping[tuple[Meaning, Place], str]:
        return read_patterns(self.directory / "patterns.tsv", self.slots)

    def phrases(self, meaning: Meaning, place: Place) -> str:
        """A regular expression, one group, for the phrases of this meaning that stand in this place.

        It matches nowhere where the language has none.

        Raises:
            KindsError: a row of patterns.tsv cannot be used.
        """
        return self._patterns.get((meaning, place), NOTHING)

    @cached_property
    def headers(self) -> Headers:
        """The header words of columns of tables."""
        rows = read_table(self.directory / "columns.tsv", ("kind", "part", "about", "header"))
        return Headers(
            Header(
                row["header"],
                None if row["kind"] == RUNNING_TEXT else KindId(row["kind"]),
                NamePart(row["part"]) if row["part"] else None,
                About(row["about"]),
            )
            for row in rows
        )

    @cached_property
    def empty_values(self) -> frozenset[str]:
        """What a cell says where it holds no value, in small letters: "nvt", "onbekend"."""
        rows = read_table(self.directory / "empty_values.tsv", ("value",))
        return frozenset(row["value"] for row in rows)

    def _numbers(self, table: str) -> Mapping[str, int]:
        rows = read_table(self.directory / f"{table}.tsv", ("word", "number"))
        return {row["word"]: int(row["number"]) for row in rows}

    def _said(self, table: str) -> Mapping[str, str]:
        """By phrase of times and ages what it means. table: the kind of phrase."""
        rows = read_table(self.directory / "times.tsv", ("what", "phrase", "means"))
        return {row["phrase"]: row["means"] for row in rows if row["what"] == table}

    def _whole(self, table: str) -> frozenset[str]:
        """The words of a table that are not shortened."""
        rows = read_table(self.directory / f"{table}.tsv", ("word", "number", "short"))
        return frozenset(row["word"] for row in rows if not row["short"])

    def _quoted(self, table: str) -> Mapping[str, int]:
        """The words of a table in the languages that texts of this one quote.

        A shortened word counts where quotes.tsv says so: the Italian "set" and "mag" are Dutch words.
        """
        found: dict[str, int] = {}
        for row in read_table(self.directory / "quotes.tsv", ("language", "short")):
            other = Language(row["language"], _beside(self.directory, row["language"]))
            words = other._numbers(table)
            allowed = words if row["short"] else {word: words[word] for word in other._whole(table)}
            found |= {word: number for word, number in allowed.items() if word not in found}
        return found


def _beside(directory: Path, code: str) -> Path:
    """The folder of a language that another one quotes: beside it, else the installed one."""
    beside = directory.parent / code
    return beside if beside.is_dir() else language_folder(code)


@cache
def _loaded(code: str) -> Language:
    directory = language_folder(code)
    if not code or Path(code).name != code or not directory.is_dir():  # "nl/../nl" is no code
        raise KindsError(f"there are no tables for the language {code!r}")
    return Language.read(directory, code)
