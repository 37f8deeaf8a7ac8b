"""What a folder of a language must hold, and what one lacks: the work of whoever adds a language."""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import metadata, resources
from pathlib import Path
from typing import Final

from linkage.errors import ModelNotFoundError
from linkage.shipped_data import data_directory

DIGESTS: Final = "digests.tsv"
MODEL_FOLDER: Final = "models"
# By file in the folder of a language, what it holds and its columns. A language without one is refused.
CONTENTS: Final[Mapping[str, str]] = {
    "titles.tsv": "titles before, inside and behind names: title, category, position, gender, variants, uses",
    "kin.tsv": "words for relatives: word, gender, role, uses",
    "roles.tsv": "words for the parts that people play in a matter: word, gender, role, uses",
    "professions.tsv": "words for professions and offices: word, gender, role, uses",
    "particles.tsv": "particles of family names, as they are written: particle, canonical, uses",
    "name_cues.tsv": "words beside which a name is expected: cue, kind, uses",
    "name_frames.tsv": "words that stand before, inside or behind what surely is a name: frame, word",
    "markers.tsv": "words that show a name to be no person's: marker, kind",
    "name_kinds.tsv": "countries, regions, and words in names that tell their kind: kind, place, text",
    "patterns.tsv": "phrases that say who is who: meaning, place, expression",
    "words.tsv": "further words and endings that rules ask for: word, kind",
    "grammar.toml": "how names are built: endings, suffixes, how particles and initials are written",
    "street_endings.tsv": "last parts of names of streets and buildings: ending, strength, uses",
    "columns.tsv": "header words of tables: kind, part, about, header",
    "labels.tsv": "words that announce parts of files, such as the author of a letter: what, label",
    "empty_values.tsv": "what a cell says that holds no value: value",
    "cues.tsv": "phrases beside values of other kinds: kind, place, cue",
    "slots.tsv": "parts of patterns that depend on the language: slot, regex",
    "months.tsv": "months: word, number, short",
    "weekdays.tsv": "days of the week: word, number, short",
    "numerals.tsv": "numbers in words: word, number",
    "ordinals.tsv": "places in a row in words: word, number",
    "feasts.tsv": "feasts and their days: word, day",
    "multiples.tsv": "words that multiply a number: word, number",
    "currencies.tsv": "names of currencies: word, code",
    "times.tsv": "words of times and ages: what, phrase, means",
    "quotes.tsv": "languages whose dates its texts quote: language, short",
    "lexicon/given_names/names.tsv.gz": "given names: folded name, name, gender, bearers; no header line",
    "lexicon/surnames/names.tsv.gz": "family names: folded name, name, particles, bearers; no header line",
    "lexicon/words/words.tsv.gz": "word use: word, frequency, classes, share, of persons; no header line",
    "lexicon/variants/pairs.tsv.gz": "variants of given names: two names, kind, confidence, source",
    "lexicon/places/places.txt.gz": "folded names of places, one a line",
    "lexicon/organisations/organisations.txt.gz": "folded names of organisations and products, one a line",
    "lexicon/name_slots/name_slots.tsv": "log-odds of names beside words, counted by scripts/train_detection",
    DIGESTS: "SHA-256 of each file: python -m linkage.language CODE --write-digests",
}
# By file in the folder of a language, what makes this model. A language without them takes names apart, but
# finds none.
MODELS: Final[Mapping[str, str]] = {
    "models/model.json": "the files of the network: nymlink train detection",
    "models/ner.pt": "the network that finds names: nymlink train detection",
    "models/tokenizer.pt": "the network that cuts sentences and words: nymlink train detection",
    "models/vectors.pt": "word vectors: nymlink train detection",
    "models/detection.json": "the model that decides about mentions: scripts/train_detection",
    "models/variants.npz": "weights of how given names are made of each other: scripts/train_variants",
    "models/variants.json": "the model that judges two given names alone: scripts/train_variants",
}
NETWORK: Final = ("models/model.json", "models/ner.pt", "models/tokenizer.pt", "models/vectors.pt")
# The model of name variants: without it the classifier of full names judges given names alone as well.
VARIANT_MODEL: Final = ("models/variants.npz", "models/variants.json")
DECISION_MODEL: Final = "models/detection.json"
# Models that a language may do without: where no model decides about mentions, the network's own
# probabilities do.
SPARED: Final = frozenset({DECISION_MODEL, *VARIANT_MODEL})
LANGUAGE_PACKS: Final = "nymlink.languages"  # group of entry points: a code, and the package of its folder


def missing(directory: Path) -> tuple[str, ...]:
    """The files that a folder of a language lacks, by their names in it."""
    return tuple(name for name in CONTENTS if not (directory / name).is_file())


def missing_models(directory: Path) -> tuple[str, ...]:
    """The models that a folder of a language lacks and cannot do without, by their names in it."""
    return tuple(name for name in MODELS if name not in SPARED and not (directory / name).is_file())


def language_folder(code: str) -> Path:
    """Where the tables of a language lie, by its ISO 639-1 code: shipped ones, else those of a distribution.

    An installed distribution gives a language by an entry point of the group LANGUAGE_PACKS, which names a
    package that is the folder of the language.

    Raises:
        ModelNotFoundError: no shipped data is installed.
    """
    shipped = data_directory() / "languages" / code
    # The distributions of this machine are looked through only where they may have an answer.
    return shipped if not missing(shipped) or code not in _packs() else _packs()[code]


@cache
def _packs() -> Mapping[str, Path]:
    """The folders of the languages that installed distributions give, by code."""
    entries = sorted(metadata.entry_points(group=LANGUAGE_PACKS), key=lambda entry: (entry.name, entry.value))
    return {entry.name: Path(str(resources.files(entry.module))) for entry in entries}


@lru_cache(maxsize=64)
def is_installed(code: str) -> bool:
    """Whether a language lacks no table; as installed_languages, but a shipped one is known at once."""
    try:
        is_shipped = code in _shipped() and not missing(data_directory() / "languages" / code)
    except (ModelNotFoundError, OSError):
        return False
    return is_shipped or code in installed_languages()


def _shipped() -> frozenset[str]:
    """The names of the folders in the shipped data. A code is one of these names: a path is none."""
    return frozenset(folder.name for folder in (data_directory() / "languages").iterdir() if folder.is_dir())


@cache
def installed_languages() -> tuple[str, ...]:
    """The languages that lack no table, by ISO 639-1, in order; none where no shipped data is installed."""
    try:
        shipped = _shipped()
    except (ModelNotFoundError, OSError):
        return ()
    return tuple(code for code in sorted(shipped | _packs().keys()) if not missing(language_folder(code)))
