"""What a folder of a language must hold, and what one lacks: the work of whoever adds a language."""

from collections.abc import Mapping
from functools import cache
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
    "particles.tsv": "particles of family names and their usual forms: particle, canonical",
    "written_particles.tsv": "particles as they are shortened or joined to a name: written, particle, use",
    "name_cues.tsv": "words beside which a name is expected: cue, kind, uses",
    "name_frames.tsv": "words that stand before, inside or behind what surely is a name: frame, word",
    "markers.tsv": "words that show a name to be no person's: marker, kind",
    "name_kinds.tsv": "countries, regions, and words in names that tell their kind: kind, place, text",
    "patterns.tsv": "phrases that say who is who: meaning, place, expression",
    "words.tsv": "further words and endings that rules ask for: word, kind",
    "grammar.toml": "how names are built: suffixes, where a name is joined, letters of signatures",
    "street_endings.tsv": "last parts of names of streets and buildings: ending, strength, uses",
    "columns.tsv": "header words of tables: kind, part, about, header",
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
    "models/model.json": "the files of the network: scripts/train_ner",
    "models/ner.pt": "the network that finds names: scripts/train_ner",
    "models/tokenizer.pt": "the network that cuts sentences and words: scripts/train_ner",
    "models/vectors.pt": "word vectors: scripts/train_ner",
    "models/pos.pt": "the network that tells parts of speech: scripts/train_ner",
    "models/detection.json": "the model that decides about mentions: scripts/train_detection",
}


def missing(directory: Path) -> tuple[str, ...]:
    """The files that a folder of a language lacks, by their names in it."""
    return tuple(name for name in CONTENTS if not (directory / name).is_file())


def missing_models(directory: Path) -> tuple[str, ...]:
    """The models that a folder of a language lacks, by their names in it."""
    return tuple(name for name in MODELS if not (directory / name).is_file())


def language_folder(code: str) -> Path:
    """Where the tables of a language lie, by its ISO 639-1 code.

    Raises:
        ModelNotFoundError: no shipped data is installed.
    """
    return data_directory() / "languages" / code


@cache
def installed_languages() -> tuple[str, ...]:
    """The languages that lack no table, by ISO 639-1, in order; none where no shipped data is installed."""
    try:
        folders = language_folder("").iterdir()
        return tuple(sorted(folder.name for folder in folders if folder.is_dir() and not missing(folder)))
    except (ModelNotFoundError, OSError):
        return ()
