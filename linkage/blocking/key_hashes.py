"""Keys of many words at once, as numbers: two words that share a key of blocking share a number."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from linkage.blocking.keys import LONGEST_FOR_DELETIONS, SHORTEST_FOR_DELETIONS, sound_keys

Numbers = npt.NDArray[np.uint32]
_Sums = npt.NDArray[np.uint64]

# A text is the sum of its letters times powers of an odd number, modulo 2**64; of the sum the upper half is
# kept. Of 100,000 words two share a number by chance as seldom as with any hash of 32 bits.
_BASE = 0x9E3779B97F4A7C15
_LETTER = np.uint64(0xD6E8FEB86659FD93)  # spreads the numbers of letters, which are small
_SOUND = np.uint64(0xA0761D6478BD642F)  # keeps what sounds alike from what is spelt alike
_UPPER = np.uint64(32)


def hashed_keys(words: Sequence[str]) -> tuple[Numbers, Numbers]:
    """The numbers of the keys of folded words, and of each the place of its word: the sound of the word, the
    word itself, and what is left of it when one letter is left out.

    The same word has the same numbers in every call and every process. A number may come several times.
    """
    spelt = [word.replace(" ", "") for word in words]
    owners = np.arange(len(words), dtype=np.uint32)
    letters, lengths = _letters(spelt)
    kept, left = _with_one_left_out(letters, lengths)
    sounds = _sums(*_letters(sound_keys(words))) + _SOUND
    hashes = np.concatenate((_sums(letters, lengths), sounds, left))
    return (hashes >> _UPPER).astype(np.uint32), np.concatenate((owners, owners, owners[kept]))


def _letters(texts: Sequence[str]) -> tuple[_Sums, npt.NDArray[np.int64]]:
    """The letters of all texts as numbers, one after another, and how many each text has."""
    whole = "".join(texts).encode("utf-32-le", "surrogatepass")
    letters = np.frombuffer(whole, np.uint32).astype(np.uint64) + np.uint64(1)
    return letters * _LETTER, np.fromiter(map(len, texts), np.int64, len(texts))


def _powers(count: int) -> _Sums:
    return np.cumprod(np.full(count, _BASE, np.uint64), dtype=np.uint64)


def _sums(letters: _Sums, lengths: npt.NDArray[np.int64]) -> _Sums:
    if not len(letters):
        return np.zeros(len(lengths), np.uint64)
    ends = np.cumsum(lengths)
    places = np.arange(len(letters)) - np.repeat(ends - lengths, lengths)
    so_far = np.concatenate(
        (np.zeros(1, np.uint64), np.cumsum(letters * _powers(int(lengths.max()))[places], dtype=np.uint64))
    )
    sums: _Sums = so_far[ends] - so_far[ends - lengths]
    return sums


def _with_one_left_out(letters: _Sums, lengths: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], _Sums]:
    """For words of a middling length, their places, each as often as the word has letters, and the sums of
    what is left without each letter.
    """
    chosen = np.flatnonzero((lengths >= SHORTEST_FOR_DELETIONS) & (lengths <= LONGEST_FOR_DELETIONS))
    starts = (np.cumsum(lengths) - lengths)[chosen]
    columns = np.arange(LONGEST_FOR_DELETIONS)
    has_letter = columns < lengths[chosen, None]
    table = np.zeros(has_letter.shape, np.uint64)
    places = (starts[:, None] + columns)[has_letter]
    table[has_letter] = letters[places]
    powers = _powers(LONGEST_FOR_DELETIONS)
    here = np.cumsum(table * powers, axis=1, dtype=np.uint64)
    # Behind the letter that is left out each stands one place further ahead.
    ahead = np.zeros(table.shape, np.uint64)
    ahead[:, 1:] = np.cumsum(table[:, 1:] * powers[:-1], axis=1, dtype=np.uint64)
    left = np.zeros(table.shape, np.uint64)
    left[:, 1:] = here[:, :-1]
    left += ahead[:, -1:] - ahead
    return np.repeat(chosen, lengths[chosen]), left[has_letter]
