"""The look-up key of a name or word: what stays equal when case, accents and ligatures change."""

import unicodedata
from functools import lru_cache

# Letters that Unicode decomposition leaves alone, and signs that stand for an apostrophe or a hyphen.
_SINGLE = str.maketrans(
    {
        "ß": "ss", "ẞ": "ss", "ı": "i", "İ": "i", "ø": "o", "Ø": "o", "æ": "ae", "Æ": "ae", "œ": "oe",
        "Œ": "oe", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "þ": "th", "Þ": "th", "ĳ": "ij", "Ĳ": "ij",
        "ħ": "h", "ŋ": "n", "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "′": "'", "ʹ": "'",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "−": "-", "­": "",  # noqa: RUF001
    }
)  # fmt: skip


@lru_cache(maxsize=262_144)
def fold(text: str) -> str:
    """Lower case, without accents, ligatures written out, one kind of apostrophe and hyphen.

    Folding twice equals folding once. The result may be longer or shorter than the text, so offsets into
    one are no offsets into the other.
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    decomposed = unicodedata.normalize("NFKD", text.translate(_SINGLE))
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return bare.translate(_SINGLE).casefold()
