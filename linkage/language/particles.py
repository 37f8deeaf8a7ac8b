"""Particles of family names, and small words that are read as they are: the table particles.tsv."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from linkage.errors import KindsError
from linkage.language.tables import read_table


class ParticleUse(StrEnum):
    """A use of a particle: a name in the column "uses" of particles.tsv."""

    LISTED = "listed"  # a particle wherever names are read
    SHORTENED = "shortened"  # one written with full stops or strokes, here without these: "vd" of "v.d."
    JOINED = "joined"  # in one word with the family name in an identifier: "jan.vandijk@"
    GLUED = "glued"  # in one word with the family name in a text: "vanDijk"
    INITIAL = "initial"  # one letter of an identifier that stands for it: "jdvries@"
    LETTERED = "lettered"  # a single letter that may stand for one behind initials
    ADDRESS = "address"  # left out where an address spells a full name
    SIGNATURE = "signature"  # small letters between the capitals of a signature: "RvdS"
    CODE = "code"  # letters of one in the code of a name: "MvdH"
    BEFORE_CAPITALS = "before_capitals"  # before the capitals of a family name: "Ton vdH"
    ELIDED = "elided"  # foreign, and without its vowel before the word that follows: "dell'"
    ARABIC = "arabic"  # an article that a hyphen joins to the family name: "El-Amrani"
    ALWAYS = "always"  # also where it stands first with a capital, and is a given name elsewhere
    NOT_ALONE = "not_alone"  # no particle without another beside it
    LINE_END = "line_end"  # before it a hyphen at the end of a line stays: "Jansen-/de Boer"
    BEHIND_TORN = "behind_torn"  # shows that the two words before it are one given name: "Wil helmina de"
    BETWEEN_WORDS = "between_words"  # may stand between two parts of a name that were found apart
    OPENING = "opening"  # may open a family name that the lists do not have
    SURNAME = "surname"  # shows a family name also without a given name before it
    ARCHAIC = "archaic"  # no word of its own in texts of today
    PLACE = "place"  # stands before names of places, too
    AMBIGUOUS = "ambiguous"  # with a capital it begins titles and firms, too
    ARTICLE = "article"  # an article, too, so that a word behind it is seldom a family name
    FROM = "from"  # stands before what somebody comes from, or what belongs to somebody: "firma van Bos"
    NO_GIVEN = "no_given"  # with a capital it opens no given name
    COMMON = "common"  # a word of any name of a file
    WEAK = "weak"  # shows in the name of a file no family name by itself
    INVENTED = "invented"  # one that invented names get
    INVENTED_START = "invented_start"  # a particle that begins with it gets an invented one in its place


def read_particles(table: Path) -> Mapping[ParticleUse, Mapping[str, str]]:
    """By use the particles as they are written, each with its usual form, in the order of the table.

    Raises:
        KindsError: a row has an unknown use.
        GazetteerError: the table is missing or damaged.
    """
    found: dict[ParticleUse, dict[str, str]] = {use: {} for use in ParticleUse}
    for row in read_table(table, ("particle", "canonical", "uses")):
        try:
            uses = [ParticleUse(use) for use in row["uses"].split()]
        except ValueError as error:
            raise KindsError(f"{table.name}: {error}") from None
        for use in uses:
            found[use][row["particle"]] = row["canonical"]
    return found
