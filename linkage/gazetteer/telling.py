"""Which language a text is in, by how common its words are in the lexicon of each language.

A text in none of them has words of about one commonness in each: the margin between the two best tells it.
"""

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Final, Self

from linkage.gazetteer.folding import lookup_key
from linkage.gazetteer.lookup import Gazetteer
from linkage.language_contents import installed_languages, language_folder, missing_models
from linkage.shipped_data import data_directory

_WORD: Final = re.compile(r"[^\W\d_]+")


@cache
def _numbers() -> Mapping[str, float]:
    with (data_directory() / "telling.toml").open("rb") as handle:
        return {name: float(value) for name, value in tomllib.load(handle).items()}


class LanguageTeller:
    """Tells languages apart. It reads the word lists once."""

    def __init__(self, lists: Mapping[str, Gazetteer], without_models: Collection[str] = ()) -> None:
        """lists: by code, those of each language that a text may be in. without_models: codes of those that
        lack models, in which no name is found.
        """
        self._lists, self._without_models = lists, frozenset(without_models)

    @classmethod
    @cache
    def load(cls) -> Self:
        """A teller of the languages that are installed.

        Raises:
            KindsError: the tables of one have been changed.
        """
        codes = installed_languages()
        without_models = [code for code in codes if missing_models(language_folder(code))]
        return cls({code: Gazetteer.load(code) for code in codes}, without_models)

    def language_of(self, text: str, usual: str) -> str | None:
        """The code of the language that a text is in; None where it is in none of these, or in one that lacks
        its models.

        usual: the code for a text of too few words to tell; models of its own may lie elsewhere.
        """
        words = _words(text)
        if len(words) < _numbers()["least_words"]:
            return usual
        means = {code: self._mean(words, code) for code in self._lists}
        best = max(means, key=lambda code: (means[code], code == usual, code))
        others = (mean for code, mean in means.items() if code != best)
        margin = means[best] - max(others, default=_numbers()["mean_of_none"])
        is_found = best == usual or best not in self._without_models
        return best if is_found and margin >= _numbers()["least_margin"] else None

    def _mean(self, words: Sequence[str], code: str) -> float:
        """The mean of how common words are in a language: log10 of occurrences in 10^9 words, 0 of none."""
        return sum(map(self._lists[code].zipf, words)) / len(words)


def _words(text: str) -> list[str]:
    """The first words of a text in small letters, folded; what is all capitals or figures is left out."""
    found: list[str] = []
    for match in _WORD.finditer(text):
        if len(match[0]) > 1 and match[0].islower():
            found.append(lookup_key(match[0]))
            if len(found) >= _numbers()["most_words"]:
                break
    return found
