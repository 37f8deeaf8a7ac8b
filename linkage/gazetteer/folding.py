"""The look-up key of a name or word: what stays equal when case, accents and ligatures change."""

import unicodedata

from linkage.kept_words import remembered

# Letters that Unicode decomposition leaves alone.
_LETTERS = {
    "ß": "ss", "ẞ": "ss", "\u0131": "i", "İ": "i", "ø": "o", "Ø": "o", "æ": "ae", "Æ": "ae", "œ": "oe",
    "Œ": "oe", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "þ": "th", "Þ": "th", "ĳ": "ij",
    "Ĳ": "ij", "ħ": "h", "ŋ": "n",
}  # fmt: skip
# Signs that people and programs write for an apostrophe, and for a hyphen; the soft hyphen is dropped.
_APOSTROPHES = "\u2018\u2019\u02bc\u0060\u00b4\u2032\u02b9"
_HYPHENS = "\u2010\u2011\u2012\u2013\u2212"
_SINGLE = str.maketrans(
    {**_LETTERS, **dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(_HYPHENS, "-"), "\u00ad": ""}
)


@remembered(262_144)
def lookup_key(text: str) -> str:
    """Lower case, without accents, ligatures written out, one kind of apostrophe and hyphen.

    Folding twice equals folding once. The result may be longer or shorter than the text, so offsets into
    one are no offsets into the other.
    """
    if text.isascii():
        return text.lower().replace("`", "'")
    folded = _fold_once(text)
    while (again := _fold_once(folded)) != folded:  # folding case may bring forth a letter that folds further
        folded = again
    return folded


def _fold_once(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(_SINGLE))
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return bare.translate(_SINGLE).casefold()
