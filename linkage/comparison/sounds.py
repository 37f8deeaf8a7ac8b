"""Keys under which names that sound or look alike meet. All take and give plain letters a-z."""

import re

from linkage.kept_words import remembered

_NOT_LETTER = re.compile(r"[^a-z]")

_DUTCH_RULES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^dzj|^dj", "j"), (r"^ch(?=[rl])", "k"), (r"^ch(?=[aou])", "s"), (r"sch", "sg"),
        (r"tsj|tch|tz", "s"),
        (r"ph", "f"), (r"th", "t"), (r"dt$|dt(?=[^aeiouy])", "t"), (r"gh", "g"), (r"ck", "k"),
        (r"qu", "kw"), (r"q", "k"), (r"x", "ks"), (r"c(?=[eiy])", "s"), (r"ch", "g"), (r"c", "k"),
        (r"z", "s"),
        (r"aa|ae|ah", "a"), (r"ee|eh", "e"), (r"oo|oh", "o"), (r"uu|oe|ou|ue", "u"), (r"au", "ou"),
        (r"ij|ei|ey|ai|ay|aj|ej", "i"), (r"ie|iy|yi", "i"), (r"y|j", "i"),
        (r"w", "v"), (r"h(?=[^aeiou]|$)", ""), (r"d$", "t"), (r"b$", "p"),
    )
)  # fmt: skip
_DOUBLED = re.compile(r"(.)\1+")

# Longest first. What is left keeps at least two letters.
_DIMINUTIVES = (
    "etje",
    "ske",
    "tjen",
    "tje",
    "pje",
    "kje",
    "jen",
    "ken",
    "tke",
    "chen",
    "lein",
    "je",
    "ke",
    "ie",
    "y",
    "i",
    "s",
)
_ENDINGS = (
    "antius", "entius", "inius", "elius", "onius", "ianus", "ius", "eus", "aas", "ias", "us", "ina", "ine",
    "tina", "tine", "etta", "ette", "ella", "elle", "ien", "iena", "ia", "ea", "a", "e", "o",
    "is", "es", "as",
)  # fmt: skip


_LOOK_ALIKES = (
    ("rn", "m"), ("ss", "b"), ("vv", "w"), ("cl", "d"), ("ii", "n"), ("i", "l"), ("c", "e"),
    ("u", "n"), ("h", "b"),
)  # fmt: skip


def letters(folded: str) -> str:
    return _NOT_LETTER.sub("", folded)


@remembered(200_000)
def dutch_spelling_key(word: str) -> str:
    """One spelling for Dutch ways of writing one sound: ij/y/ei, ph/f, c/k, dt/t, ae/aa, oe/ou, z/s."""
    key = _DOUBLED.sub(r"\1", word)
    for pattern, replacement in _DUTCH_RULES:
        key = pattern.sub(replacement, key)
    return _DOUBLED.sub(r"\1", key)


def diminutive_stem(word: str) -> str:
    """The word without a diminutive ending: hansje -> hans, mieke -> mie, janneke -> jan."""
    for ending in _DIMINUTIVES:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            stem = word[: -len(ending)]
            stem = stem.removesuffix("ne") if ending == "ke" and len(stem) > 4 else stem
            return _DOUBLED.sub(r"\1", stem)
    return _DOUBLED.sub(r"\1", word)


def root(word: str) -> str:
    """The stem without a Latin, French or feminine ending: johannes -> johan, wilhelmina -> wilhelm."""
    stem = diminutive_stem(word)
    for ending in _ENDINGS:
        if stem.endswith(ending) and len(stem) - len(ending) >= 3:
            return _DOUBLED.sub(r"\1", stem[: -len(ending)])
    return stem


def consonant_skeleton(word: str) -> str:
    """The first letter and the consonants after it, doubles once: johannes -> jhns, h only where it opens."""
    key = dutch_spelling_key(word)
    return _DOUBLED.sub(r"\1", key[:1] + re.sub(r"[aeiouh]", "", key[1:]))


def cologne_code(word: str) -> str:
    """Cologne phonetics (Postel 1969, "Die Kölner Phonetik"), digits as text; empty for a word of only h."""
    codes: list[str] = []
    for index, letter in enumerate(word):
        before = word[index - 1] if index else ""
        after = word[index + 1] if index + 1 < len(word) else ""
        codes.append(_cologne_digit(letter, before, after, is_first=index == 0))
    code = _DOUBLED.sub(r"\1", "".join(codes))
    return code[:1] + code[1:].replace("0", "")


def _cologne_digit(letter: str, before: str, after: str, *, is_first: bool) -> str:
    if letter in "aeijouy":
        return "0"
    if letter == "h":
        return ""
    if letter == "p":
        return "3" if after == "h" else "1"
    if letter in "dt":
        return "8" if after and after in "csz" else "2"
    if letter == "x":
        return "8" if before and before in "ckq" else "48"
    if letter == "c":
        hard = "ahkloqrux" if is_first else "ahkoqux"
        is_hard = bool(after) and after in hard and (is_first or not before or before not in "sz")
        return "4" if is_hard else "8"
    for letters_of_digit, digit in (
        ("b", "1"),
        ("fvw", "3"),
        ("gkq", "4"),
        ("l", "5"),
        ("mn", "6"),
        ("r", "7"),
        ("sz", "8"),
    ):
        if letter in letters_of_digit:
            return digit
    return ""


def look_alike_key(text: str) -> str:
    """Letters drawn alike made one: text recognition takes rn for m, and a German sharp s for b."""
    for drawn, read in _LOOK_ALIKES:
        text = text.replace(drawn, read)
    return text
