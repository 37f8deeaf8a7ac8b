"""Settings of linkage: the tables [recognition], [linking] and [kinds.NAME] of a file, checked when read.

A program with tables of its own composes them all: linkage reads its tables and leaves the others alone.
"""

import difflib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Self

from msgspec import Meta

from linkage.errors import SettingsError, ThresholdError
from linkage.kind_lists import NO_TEXTS, TextsByKind
from linkage.own_kinds import OwnKind, OwnValues, read_own_values
from linkage.settings_file import SettingsFile
from linkage.settings_table import Place, typed_table
from linkage.shipped_data import data_directory as data_directory
from linkage.texts import refuse_unknown_language

log = logging.getLogger(__name__)

Probability = Annotated[float, Meta(ge=0, le=1)]

# Keys that are read without effect until the next version: what the hint says of each.
_WITHOUT_EFFECT: Final = {
    "corpus_consistency": "names over the corpus cost more than they found (docs/measurements/detection.md)"
}
# Keys that have another name from the next version on: what their texts are, and what to write.
_OTHER_NAME: Final = {
    "allow_file": "its texts are names of persons, unless the model is sure of something else; write "
    "[recognition.always] PERSON = FILE, which nothing outweighs",
    "deny_file": "its texts are no names of persons and stay in clear, other than with a deny list of "
    "Presidio; write [recognition.never] PERSON = FILE",
}
TABLES: Final = ("recognition", "linking", "kinds")
_LISTS: Final = ("always", "never")  # keys of [recognition] that read_own_values reads
# Likeness of two names from 0 to 1, by difflib: [linkng] means [linking], [link] may be another program's.
_NEARLY: Final = 0.75


@dataclass(frozen=True, slots=True)
class RecognitionSettings:
    """How mentions are found. Paths left out mean the shipped files."""

    language: Annotated[
        str,
        Meta(
            title="a language that is installed (`nymlink models list`)", description="language of the texts"
        ),
    ] = "nl"
    tell_language: Annotated[
        bool, Meta(description="each text is in the language that its words tell, of those installed")
    ] = False
    ner_model: Annotated[
        Path | None,
        Meta(description="folder of another recognition model (`nymlink models list`), else the shipped one"),
    ] = None
    names_files: Annotated[
        tuple[Path, ...], Meta(description="lists of names that are found wherever they stand, one a line")
    ] = ()
    persons_file: Annotated[
        Path | None,
        Meta(description="registry of people, CSV or JSON: they are found and linked by their ids"),
    ] = None
    allow_file: Annotated[Path | None, Meta(description="until the next version; see `always`")] = None
    deny_file: Annotated[Path | None, Meta(description="until the next version; see `never`")] = None
    always: Annotated[
        TextsByKind,
        Meta(
            title="a table from kinds to a file or texts",
            description="texts that are a mention of the kind wherever they stand, such as "
            '`{ PERSON = "names.txt", CASE_NUMBER = ["INK-0925"] }`; a file has one a line',
        ),
    ] = NO_TEXTS
    never: Annotated[
        TextsByKind,
        Meta(
            title="a table from kinds to a file or texts",
            description="texts that never are a mention of the kind, also as a part of one: they are left in",
        ),
    ] = NO_TEXTS
    find_typing_errors: Annotated[bool, Meta(description="find misspelt names too")] = True
    document_consistency: Annotated[
        bool,
        Meta(description="what is found once as an organization or a place holds all over its document"),
    ] = True
    corpus_consistency: Annotated[
        bool, Meta(description="without effect since 0.2.0; the next version does not know it: take it out")
    ] = False

    def __post_init__(self) -> None:
        refuse_unknown_language(self.language)


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """How mentions are linked: pairs from review_threshold up to the threshold of a link are open links."""

    classifier: Annotated[
        Path | None, Meta(description="folder of another classifier of name pairs, else the shipped one")
    ] = None
    link_threshold: Annotated[
        Probability | None,
        Meta(
            description="least probability of a link of two full names, inside documents and over them; else "
            "what was shipped: 0.7 inside documents, 0.8 over them"
        ),
    ] = None
    short_name_threshold: Annotated[
        Probability | None,
        Meta(
            description="least probability of a link of anything shorter (initials and surname, one name, "
            "letters), inside documents and over them; else what was shipped: 0.5 inside documents, "
            "0.55 over them, and 0.75 where several fit"
        ),
    ] = None
    review_threshold: Annotated[
        Probability | None,
        Meta(description="least probability of an open link, no more than the other two; else 0.33"),
    ] = None
    max_block_size: Annotated[
        int, Meta(ge=1, description="names with one key of blocking, above which the key is divided")
    ] = 2_000

    def __post_init__(self) -> None:
        for name in ("link_threshold", "short_name_threshold"):
            low, high = self.review_threshold, getattr(self, name)
            if not 0 <= (low or 0.0) <= (1.0 if high is None else high) <= 1:
                raise ThresholdError(
                    f"review_threshold is {low} and {name} {high}; they lie from 0 to 1, "
                    "the first not above the second"
                )


@dataclass(frozen=True, slots=True)
class LinkageSettings:
    """The tables [recognition] and [linking], and the tables [kinds.NAME] of the user's own kinds."""

    recognition: RecognitionSettings = field(default_factory=RecognitionSettings)
    linking: LinkingSettings = field(default_factory=LinkingSettings)
    kinds: tuple[OwnKind, ...] = ()

    @property
    def own(self) -> OwnValues:
        """What the user adds to the shipped kinds."""
        return OwnValues(self.kinds, self.recognition.always, self.recognition.never)

    @classmethod
    def from_toml(cls, path: Path | str) -> Self:
        """The tables [recognition], [linking] and [kinds.NAME] of a file.

        Relative paths count from the folder of the file.

        Raises:
            SettingsError: the file cannot be read or is no TOML, a key is unknown, a value has the wrong type
                or is out of range, or a table has nearly the name of one of these.
            ThresholdError: the thresholds do not go together.
        """
        file = SettingsFile.read(path)
        for name in file.tables:
            near = difflib.get_close_matches(name, TABLES, n=1, cutoff=_NEARLY)
            if near and name not in TABLES:
                raise SettingsError(f"{file.place(name)}: unknown table; did you mean [{near[0]}]?")
        return cls.from_mapping(file.tables, folder=file.folder, place=file.place)

    @classmethod
    def from_mapping(cls, tables: Mapping[str, Any], *, folder: Path, place: Place | None = None) -> Self:
        """The settings in tables that were read; those of other programs are left alone.

        place gives the place of a key in their file, such as "nymlink.toml, line 3": errors open with it.
        """
        where = {name: None if place is None else partial(place, name) for name in TABLES}
        own = read_own_values(tables, folder=folder, place=place)
        recognition = tables.get("recognition", {})
        if isinstance(recognition, Mapping):
            recognition = {key: value for key, value in recognition.items() if key not in _LISTS}
        found = cls(
            typed_table(
                RecognitionSettings, recognition, name="[recognition]", place=where["recognition"],
                folder=folder, base=RecognitionSettings(always=own.always, never=own.never),
            ),
            typed_table(
                LinkingSettings, tables.get("linking", {}), name="[linking]", place=where["linking"],
                folder=folder,
            ),
            own.kinds,
        )  # fmt: skip
        for key, reason in _WITHOUT_EFFECT.items():
            if key in tables.get("recognition", {}):
                at = "" if place is None else f"{place('recognition', key)}: "
                log.warning("%s%s has no effect any more: %s; take it out", at, key, reason)
        for key, advice in _OTHER_NAME.items():
            if key in tables.get("recognition", {}):
                at = "" if place is None else f"{place('recognition', key)}: "
                log.warning("%s%s is read until the next version: %s", at, key, advice)
        return found
