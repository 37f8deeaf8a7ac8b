"""The words that a network knows beforehand: frequent ones, those of name lists, those of the gold."""

import csv
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import torch

from linkage.errors import GazetteerError
from linkage.training.export import rounded
from linkage.training.labels import PERSON
from linkage.training.tokens import NO_WORDS, TokenRules
from linkage.training.windows import Window
from linkage.training.word_company import company_vectors

WIDTH: Final = 64  # dimensions of a vector; lists fill the first six, the company of words the others
_FREQUENT: Final = 20_000  # words of the language
_LONGEST_LIST: Final = 60_000  # names of one sort
_USED_IN_TEXTS: Final = 8  # times that a word stands in plain texts before a network knows it


@dataclass(frozen=True, slots=True)
class Names:
    """Names with how often they are borne, as written. elsewhere: by origin, names of other origins."""

    given: dict[str, float] = field(default_factory=dict, repr=False)
    surnames: dict[str, float] = field(default_factory=dict, repr=False)
    elsewhere: dict[str, "Names"] = field(default_factory=dict, repr=False)

    def all_given(self) -> dict[str, float]:
        """The given names of all origins; those of other origins count once."""
        return {name: 1.0 for one in self.elsewhere.values() for name in one.given} | self.given

    def all_surnames(self) -> dict[str, float]:
        """The surnames of all origins; those of other origins count once."""
        return {name: 1.0 for one in self.elsewhere.values() for name in one.surnames} | self.surnames


def read_names(paths: Sequence[Path], rules: TokenRules = NO_WORDS) -> Names:
    """The names of tables with tabs: a column `name` holds given names, `surname` surnames, `count` counts.

    A column `origin`, where a table has one, says to which names of other origins a row belongs; the rows
    without any are names of the language.

    rules: say which parts of a name are tokens of their own; a space stands behind each.

    Raises:
        GazetteerError: a file has neither column, or a count is no number.
    """
    names = Names()
    for number, path in enumerate(paths, 1):
        with path.open(encoding="utf-8", newline="") as handle:
            rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
            columns = rows.fieldnames or ()
            column = next((one for one in ("name", "surname") if one in columns), None)
            if column is None:
                raise GazetteerError(
                    f"names file {number} has no column `name` or `surname` in its first line"
                )
            for at, row in enumerate(rows, 2):
                origin = row.get("origin")
                of = names.elsewhere.setdefault(origin, Names()) if origin else names
                into = of.given if column == "name" else of.surnames
                try:
                    into[rules.spaced(row[column])] = float(row.get("count") or 1)
                except ValueError:
                    raise GazetteerError(f"names file {number}, line {at}: count is no number") from None
    return names


def build_words(
    windows: Sequence[Window], names: Names, language: str, texts: Sequence[Sequence[str]] = ()
) -> tuple[list[str], torch.Tensor]:
    """Words in small letters, and their vectors, float32, shape (n_words, WIDTH).

    A word of the gold that stands only inside names of persons is left out, so that a pack does not tell it.
    texts: plain ones as tokens, whose words tell what they stand beside; their frequent words are taken, too.
    """
    outside: Counter[str] = Counter()
    for window in windows:
        inside = {at for start, end, label in window.spans if label == PERSON for at in range(start, end)}
        outside.update(token.lower() for at, token in enumerate(window.tokens) if at not in inside)
    frequent = _frequencies(language)
    given, surnames = _parts(names.all_given()), _parts(names.all_surnames())
    own = sorted(word for word, count in outside.items() if count > 1)
    plain = Counter(token.lower() for text in texts for token in text)
    common = sorted(word for word, count in plain.items() if count >= _USED_IN_TEXTS)
    words = list(dict.fromkeys([*frequent, *own, *given, *surnames, *common]))
    rows = [
        (
            float(word in given), math.log10(given.get(word, 0) + 1) / 2,
            float(word in surnames), math.log10(surnames.get(word, 0) + 1) / 2,
            frequent.get(word, 0.0) / 4, float(word in outside),
        )
        for word in words
    ]  # fmt: skip
    vectors = torch.zeros(len(words), WIDTH)
    if rows:
        listed = len(rows[0])
        vectors[:, :listed] = torch.tensor(rows) * 2
        company = company_vectors(
            [*(window.tokens for window in windows), *texts], words, width=WIDTH - listed
        )
        vectors[:, listed:] = torch.from_numpy(company)
    return words, rounded(vectors)


def has_frequencies(language: str) -> bool:
    """Whether the words of the language are counted: wordfreq, of the extra `train`, is here and knows it."""
    if find_spec("wordfreq") is None:
        return False
    from wordfreq import available_languages

    return language in available_languages()


def _frequencies(language: str) -> dict[str, float]:
    """By frequent word the logarithm of how often it stands in 10^9 words; nothing where none are counted."""
    if not has_frequencies(language):
        return {}
    from wordfreq import top_n_list, zipf_frequency

    return {word: zipf_frequency(word, language) for word in top_n_list(language, _FREQUENT)}


def _parts(names: dict[str, float]) -> dict[str, float]:
    leading = sorted(names, key=lambda name: (-names[name], name))[:_LONGEST_LIST]
    parts: dict[str, float] = {}
    for name in leading:
        for part in name.lower().replace("-", " ").split():
            parts[part] = max(parts.get(part, 0), names[name])
    return parts
