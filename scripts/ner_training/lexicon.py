"""The network's word vectors: distributional vectors joined with what the name lists say about each word.

A network of this size cannot learn from 300,000 tokens which words are names. So each word's vector
carries, beside
its 100 distributional dimensions, ten that come from lists: given name, surname, place, particle, title,
ordinary
word, and their frequencies. The result is an ordinary Stanza pretrain file.
"""

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import torch

from linkage.training.labels import NAME, PERSON
from ner_training.corpus import read_bio

LIST_FEATURES = (
    "given_name",
    "given_name_frequency",
    "surname",
    "surname_frequency",
    "place",
    "particle",
    "title",
    "ordinary_word",
    "word_frequency",
    "has_vector",
)
# Faker's locales that are written in Latin letters and bring names Dutch lists lack.
FOREIGN_LOCALES = (
    "en_US",
    "en_GB",
    "en_IE",
    "en_IN",
    "en_NG",
    "en_KE",
    "en_PK",
    "de_DE",
    "de_AT",
    "fr_FR",
    "fr_DZ",
    "es_ES",
    "es_MX",
    "es_CO",
    "it_IT",
    "pt_PT",
    "pt_BR",
    "pl_PL",
    "cs_CZ",
    "sk_SK",
    "hu_HU",
    "ro_RO",
    "hr_HR",
    "sl_SI",
    "sv_SE",
    "no_NO",
    "da_DK",
    "fi_FI",
    "et_EE",
    "lt_LT",
    "lv_LV",
    "tr_TR",
    "az_AZ",
    "id_ID",
    "vi_VN",
    "tw_GH",
    "yo_NG",
    "ha_NG",
    "ig_NG",
    "zu_ZA",
    "ga_IE",
)


@dataclass(slots=True)
class NameLists:
    """Names to draw from and to look words up in, as written (not lower-cased)."""

    given: dict[str, float] = field(default_factory=dict)  # name -> weight
    surnames: dict[tuple[str, str], float] = field(default_factory=dict)  # (particle, core) -> weight
    foreign: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)  # locale -> given, surnames
    places: list[str] = field(default_factory=list)
    particles: set[str] = field(default_factory=set)
    titles: set[str] = field(default_factory=set)
    attested: list[tuple[str, ...]] = field(
        default_factory=list
    )  # whole names as the press of the world has them
    other_names: list[tuple[str, ...]] = field(default_factory=list)  # whole names that are no persons


_PARTICLE_OF_TAG = {
    "NIX": "",
    "VAN": "van",
    "VDE": "van de",
    "VDR": "van der",
    "VDN": "van den",
    "DE_": "de",
    "TER": "ter",
    "TEN": "ten",
    "EL_": "El",
    "DEN": "den",
    "TE_": "te",
    "VNT": "van 't",
    "DU_": "du",
    "LE_": "le",
    "_T_": "'t",
    "VHT": "van het",
    "I_T": "in 't",
    "O_T": "op 't",
    "DLA": "de la",
    "ODN": "op den",
}


def read_name_lists(shared: Path, dictionary_entries: Iterable[tuple[str, str]]) -> NameLists:
    """Lists that may ship: shared/names/free, the LanguageTool dictionary, Faker's providers (MIT)."""
    lists = NameLists()
    free = shared / "data" / "names" / "free"
    for row in _rows(free / "given_names_nl.tsv"):
        lists.given[row["name"]] = 1.0 + float(row["freq_be_2022"] or 0)
    for row in _rows(free / "surnames_nl.tsv"):
        lists.surnames[row["particle"], row["core"]] = 60.0 + float(row["count_be"] or 0) / 10
    lists.particles = {
        w for row in _rows(free / "name_particles_nl.tsv") for w in row["particle"].lower().split()
    }
    lists.titles = {w for row in _rows(free / "titles_nl.tsv") for w in row["title"].lower().split()} - {
        "de",
        "van",
        "en",
    }
    for form, tag in dictionary_entries:
        if tag == "ENM:PER:FST":
            lists.given.setdefault(form, 3.0)
        elif tag.startswith("ENM:PER:LST"):
            lists.surnames.setdefault((_PARTICLE_OF_TAG.get(tag[12:], ""), form), 3.0)
        elif tag.startswith("ENM:LOC"):
            lists.places.append(form)
    for locale in FOREIGN_LOCALES:
        lists.foreign[locale] = _faker_names(locale)
    lists.foreign.update(_own_foreign_names())
    lists.attested, lists.other_names = _multiconer_names(shared / "data" / "ner")
    return lists


def _own_foreign_names() -> dict[str, tuple[list[str], list[str]]]:
    """Names that Faker has in other scripts only, as Dutch newspapers write them; our own lists."""
    parts: dict[str, dict[str, list[str]]] = defaultdict(dict)
    for row in _rows(Path(__file__).parent / "text" / "foreign_names.tsv"):
        parts[row["origin"]][row["part"]] = row["names"].split("|")
    return {origin: (names["given"], names["surname"]) for origin, names in parts.items()}


_SMALL = frozenset(
    {"of", "the", "and", "de", "der", "den", "van", "von", "und", "del", "della", "di", "da", "do"}
    | {"dos", "la", "le", "du", "al", "el", "bin", "ibn", "ter", "y", "e"}
)


def _multiconer_names(folder: Path) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Distinct (persons, other names) of two words or more (persons) or one or more, from Wikipedia sentences
    in English, German and Dutch; lower-cased sources get capitals."""
    persons: dict[tuple[str, ...], None] = {}
    others: dict[tuple[str, ...], None] = {}
    labels = {"PER": PERSON, **dict.fromkeys(("LOC", "CORP", "GRP", "PROD"), NAME)}
    for name in ("multiconer-en.train", "multiconer-de.train", "multiconer-nl-recased.train"):
        for window in read_bio(folder / f"{name}.bio", label_of=labels):
            for start, end, label in window.spans:
                words = window.tokens[start:end]
                if (
                    len(words) > 4
                    or any(w != "-" and not w[0].isalpha() for w in words)
                    or max(words[0]) > "\u024f"
                ):
                    continue
                if not any(w[0].isupper() for w in words):
                    words = [w if w in _SMALL and i else w[0].upper() + w[1:] for i, w in enumerate(words)]
                if label == PERSON and len(words) > 1 and "." not in words[-1]:
                    persons[tuple(words)] = None
                elif label == NAME and words[0][0].isupper():
                    others[tuple(words)] = None
    return list(persons), list(others)


def _faker_names(locale: str) -> tuple[list[str], list[str]]:
    import importlib

    module = importlib.import_module(f"faker.providers.person.{locale}")
    provider = module.Provider

    def collect(stem: str) -> list[str]:
        found: set[str] = set()
        for suffix in ("", "_male", "_female", "_nonbinary"):
            names = getattr(provider, f"{stem}{suffix}", ())
            found.update(name for name in names if name and max(name) < "\u0250")
        return sorted(found)

    return collect("first_names"), collect("last_names")


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as handle:
        yield from csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)


def build_vectors(
    lists: NameLists,
    word_vectors: tuple[list[str], torch.Tensor],
    dictionary_entries: Iterable[tuple[str, str]],
    *,
    ordinary_words: int,
) -> tuple[list[str], torch.Tensor]:
    """Words and their vectors, float32, shape (n_words, n_dimensions + len(LIST_FEATURES)).

    word_vectors are the distributional ones (words lower-cased, shape (n, d)); they are scaled to unit
    spread so
    that list features of size about one weigh alike. ordinary_words bounds how many frequent words join in.
    """
    from wordfreq import top_n_list, zipf_frequency

    words, vectors = word_vectors
    vectors = vectors / vectors.std()
    given: dict[str, float] = defaultdict(float)
    surname: dict[str, float] = defaultdict(float)
    for name, weight in lists.given.items():
        for part in name.lower().replace("-", " ").split():
            given[part] = max(given[part], weight if " " not in name else 1.0)
        given[name.lower()] = max(given[name.lower()], weight)
    for (_, core), weight in lists.surnames.items():
        parts = core.lower().split()
        for part in parts:
            if part not in lists.particles:
                surname[part] = max(surname[part], weight if len(parts) == 1 else 1.0)
    for first, last in lists.foreign.values():
        for name in first:
            for part in name.lower().split():
                given.setdefault(part, 2.0)
        for name in last:
            for part in name.lower().split():
                if part not in lists.particles:
                    surname.setdefault(part, 2.0)
    place_words = {p.lower() for p in lists.places if " " not in p}
    frequent = [w for w in top_n_list("nl", ordinary_words) if w.isalpha() or "-" in w or "'" in w]
    # A place that no frequency list knows brings little; places double as surnames, so those are in anyway.
    kept_places = {p for p in place_words if zipf_frequency(p, "nl") > 0 or zipf_frequency(p, "en") > 1}
    vocabulary = list(
        dict.fromkeys([*words, *frequent, *sorted(given), *sorted(surname), *sorted(kept_places)])
    )
    wanted = set(vocabulary)
    ordinary = {
        f for f, tag in dictionary_entries if f in wanted and f == f.lower() and not tag.startswith("ENM")
    }
    row_of = {word: row for row, word in enumerate(words)}
    out = torch.zeros(len(vocabulary), vectors.shape[1] + len(LIST_FEATURES))
    out[: len(words), : vectors.shape[1]] = vectors
    features = [
        (
            float(word in given),
            math.log10(given[word]) / 2.5 if word in given else 0.0,
            float(word in surname),
            math.log10(surname[word]) / 2.5 if word in surname else 0.0,
            float(word in place_words),
            float(word in lists.particles),
            float(word in lists.titles),
            float(word in ordinary),
            zipf_frequency(word, "nl") / 4,
            float(word in row_of),
        )
        for word in vocabulary
    ]
    out[:, vectors.shape[1] :] = torch.tensor(features) * 2.0
    return vocabulary, out
