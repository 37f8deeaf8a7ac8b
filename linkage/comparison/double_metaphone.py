"""Double Metaphone codes of a name: how it sounds in English, and how it may sound where it comes from.

After Lawrence Philips, "The Double Metaphone Search Algorithm" (C/C++ Users Journal, June 2000), written
anew, with the rules that matter for European names. "X" stands for sh/ch, "0" for th.
"""

from collections.abc import Callable

from linkage.kept_words import remembered

_VOWELS = frozenset("aeiouy")
_Step = tuple[str, str, int]  # primary code, secondary code, letters used up


@remembered(200_000)
def double_metaphone(word: str, *, max_length: int = 6) -> tuple[str, str]:
    """Primary and secondary code of letters a-z; the same where only one way of saying it is likely."""
    primary: list[str] = []
    secondary: list[str] = []
    index = 1 if word[:2] in ("gn", "kn", "pn", "wr", "ps") else 0
    while index < len(word) and (len(primary) < max_length or len(secondary) < max_length):
        letter = word[index]
        if letter in _VOWELS:
            if index == 0:
                primary.append("A")
                secondary.append("A")
            index += 1
            continue
        first, second, used = _RULES[letter](word, index) if letter in _RULES else ("", "", 1)
        primary.extend(first)
        secondary.extend(second)
        index += used
    return "".join(primary)[:max_length], "".join(secondary)[:max_length]


def _at(word: str, index: int, *patterns: str) -> bool:
    return index >= 0 and any(word.startswith(pattern, index) for pattern in patterns)


def _is_slavic_or_germanic(word: str) -> bool:
    return "w" in word or "k" in word or "cz" in word or "witz" in word


def _single(code: str, letter: str) -> Callable[[str, int], _Step]:
    """A letter with one sound, written once or twice."""

    def rule(word: str, index: int) -> _Step:
        return code, code, 2 if _at(word, index + 1, letter) else 1

    return rule


def _b(word: str, index: int) -> _Step:
    if index == len(word) - 1 and _at(word, index - 1, "m"):
        return "", "", 1
    return "P", "P", 2 if _at(word, index + 1, "b") else 1


def _c(word: str, index: int) -> _Step:
    if (
        index > 1
        and word[index - 2] not in _VOWELS
        and _at(word, index - 1, "ach")
        and not _at(word, index + 2, "i")
    ):
        return "K", "K", 2  # bacher, macher
    if index == 0 and _at(word, index, "caesar"):
        return "S", "S", 2
    if _at(word, index, "ch"):
        return _ch(word, index)
    if _at(word, index, "cz") and not _at(word, index - 2, "wicz"):
        return "S", "X", 2
    if _at(word, index + 1, "cia"):
        return "X", "X", 3
    if _at(word, index, "cc") and not (index == 1 and word[0] == "m"):
        if _at(word, index + 2, "i", "e", "h") and not _at(word, index + 2, "hu"):
            is_ks = (index == 1 and word[0] == "a") or _at(word, index - 1, "uccee", "ucces")
            return ("KS", "KS", 3) if is_ks else ("X", "X", 3)
        return "K", "K", 2
    if _at(word, index, "ck", "cg", "cq"):
        return "K", "K", 2
    if _at(word, index, "ci", "ce", "cy"):
        return ("S", "X", 2) if _at(word, index, "cio", "cie", "cia") else ("S", "S", 2)
    return "K", "K", 2 if _at(word, index + 1, "c", "k", "q") and not _at(word, index + 1, "ce", "ci") else 1


def _ch(word: str, index: int) -> _Step:
    if index > 0 and _at(word, index, "chae"):
        return "K", "X", 2  # michael
    greek = (
        index == 0
        and _at(word, 1, "harac", "haris", "hor", "hym", "hia", "hem")
        and not _at(word, 0, "chore")
    )
    germanic = word.startswith(("van", "von", "sch")) or _at(word, index - 2, "orches", "archit", "orchid")
    before_consonant = _at(word, index + 2, "l", "r", "n", "m", "b", "h", "f", "v", "w", "t", "s")
    after_hard = index == 0 or word[index - 1] in "aoue"
    if greek or germanic or _at(word, index + 2, "t", "s") or (after_hard and before_consonant):
        return "K", "K", 2
    if index > 0:
        return ("K", "K", 2) if word.startswith("mc") else ("X", "K", 2)
    return "X", "X", 2


def _d(word: str, index: int) -> _Step:
    if _at(word, index, "dg"):
        return ("J", "J", 3) if _at(word, index + 2, "i", "e", "y") else ("TK", "TK", 2)
    return "T", "T", 2 if _at(word, index, "dt", "dd") else 1


def _g(word: str, index: int) -> _Step:
    if _at(word, index + 1, "h"):
        return _gh(word, index)
    if _at(word, index + 1, "n"):
        if index == 1 and word[0] in _VOWELS and not _is_slavic_or_germanic(word):
            return "KN", "N", 2
        is_plain = not _at(word, index + 2, "ey") and not _is_slavic_or_germanic(word)
        return ("N", "KN", 2) if is_plain else ("KN", "KN", 2)
    if _at(word, index + 1, "li") and not _is_slavic_or_germanic(word):
        return "KL", "L", 2
    if index == 0 and _at(word, 1, "y", "es", "ep", "eb", "el", "ey", "ib", "il", "in", "ie", "ei", "er"):
        return "K", "J", 2
    if _at(word, index + 1, "e", "i", "y") or _at(word, index - 1, "aggi", "oggi"):
        if word.startswith(("van", "von", "sch")) or _at(word, index + 1, "et"):
            return "K", "K", 2
        return ("J", "J", 2) if word.endswith("gier") else ("J", "K", 2)
    return "K", "K", 2 if _at(word, index + 1, "g") else 1


def _gh(word: str, index: int) -> _Step:
    if index > 0 and word[index - 1] not in _VOWELS:
        return "K", "K", 2
    if index == 0:
        return ("J", "J", 2) if _at(word, 2, "i") else ("K", "K", 2)
    if (index > 1 and word[index - 2] in "bhd") or (index > 2 and word[index - 3] in "bhd"):
        return "", "", 2
    if index > 2 and word[index - 1] == "u" and word[index - 3] in "cglrt":
        return "F", "F", 2
    return ("K", "K", 2) if word[index - 1] != "i" else ("", "", 2)


def _h(word: str, index: int) -> _Step:
    between = (
        (index == 0 or word[index - 1] in _VOWELS) and index + 1 < len(word) and word[index + 1] in _VOWELS
    )
    return ("H", "H", 2) if between else ("", "", 1)


def _j(word: str, index: int) -> _Step:
    if _at(word, index, "jose") or word.startswith("san"):
        return "H", "H", 1
    if index == 0:
        return "J", "A", 2 if _at(word, index + 1, "j") else 1
    if word[index - 1] in _VOWELS and not _is_slavic_or_germanic(word) and _at(word, index + 1, "a", "o"):
        return "J", "H", 1
    if index == len(word) - 1:
        return "J", "", 1
    silent = _at(word, index + 1, "l", "t", "k", "s", "n", "m", "b", "z") or word[index - 1] in "skl"
    return ("", "", 1) if silent else ("J", "J", 2 if _at(word, index + 1, "j") else 1)


def _l(word: str, index: int) -> _Step:
    if not _at(word, index + 1, "l"):
        return "L", "L", 1
    is_spanish = word.endswith(("illo", "illa", "alle")) and index == len(word) - 3
    return ("L", "", 2) if is_spanish else ("L", "L", 2)


def _p(word: str, index: int) -> _Step:
    if _at(word, index + 1, "h"):
        return "F", "F", 2
    return "P", "P", 2 if _at(word, index + 1, "p", "b") else 1


def _r(word: str, index: int) -> _Step:
    french = index == len(word) - 1 and word.endswith("ier") and not _is_slavic_or_germanic(word)
    return ("" if french else "R"), "R", 2 if _at(word, index + 1, "r") else 1


def _s(word: str, index: int) -> _Step:
    if _at(word, index - 1, "isl", "ysl"):
        return "", "", 1
    if _at(word, index, "sh"):
        return ("S", "S", 2) if _at(word, index + 1, "heim", "hoek", "holm", "holz") else ("X", "X", 2)
    if _at(word, index, "sio", "sia"):
        return ("S", "S" if _is_slavic_or_germanic(word) else "X", 3)
    if (index == 0 and _at(word, 1, "m", "n", "l", "w")) or _at(word, index + 1, "z"):
        return "S", "X", 2 if _at(word, index + 1, "z") else 1
    if _at(word, index, "sch"):
        if _at(word, index + 3, "oo", "er", "en", "uy", "ed", "em"):
            return ("X", "SK", 3) if _at(word, index + 3, "er", "en") else ("SK", "SK", 3)
        return (
            ("X", "S", 3) if index == 0 and not _at(word, 3, "a", "e", "i", "o", "u", "w") else ("X", "X", 3)
        )
    if _at(word, index, "sc"):
        return ("S", "S", 3) if _at(word, index + 2, "i", "e", "y") else ("SK", "SK", 3)
    french = index == len(word) - 1 and word.endswith(("ais", "ois"))
    return ("" if french else "S"), "S", 2 if _at(word, index + 1, "s", "z") else 1


def _t(word: str, index: int) -> _Step:
    if _at(word, index, "tion", "tia", "tch"):
        return "X", "X", 3
    if _at(word, index, "th", "tth"):
        if _at(word, index + 2, "om", "am") or word.startswith(("van", "von", "sch")):
            return "T", "T", 2
        return "0", "T", 2
    return "T", "T", 2 if _at(word, index + 1, "t", "d") else 1


def _v(word: str, index: int) -> _Step:
    return "F", "F", 2 if _at(word, index + 1, "v") else 1


def _w(word: str, index: int) -> _Step:
    if _at(word, index, "wr"):
        return "R", "R", 2
    if index == 0 and len(word) > 1 and (word[1] in _VOWELS or _at(word, 0, "wh")):
        return "A", "F" if word[1] in _VOWELS else "A", 1
    if (index == len(word) - 1 and index and word[index - 1] in _VOWELS) or word.startswith("sch"):
        return "", "F", 1
    if _at(word, index, "wicz", "witz"):
        return "TS", "FX", 4
    return "", "", 1


def _x(word: str, index: int) -> _Step:
    if index == 0:
        return "S", "S", 1
    french = index == len(word) - 1 and word.endswith(("iaux", "eaux", "aux", "oux"))
    return ("", "", 1) if french else ("KS", "KS", 2 if _at(word, index + 1, "c", "x") else 1)


def _z(word: str, index: int) -> _Step:
    if _at(word, index + 1, "h"):
        return "J", "J", 2
    is_ts = _at(word, index + 1, "zo", "zi", "za") or (
        _is_slavic_or_germanic(word) and index > 0 and word[index - 1] != "t"
    )
    return "S", "TS" if is_ts else "S", 2 if _at(word, index + 1, "z") else 1


_RULES: dict[str, Callable[[str, int], _Step]] = {
    "b": _b, "c": _c, "d": _d, "f": _single("F", "f"), "g": _g, "h": _h, "j": _j,
    "k": _single("K", "k"), "l": _l,
    "m": _single("M", "m"), "n": _single("N", "n"), "p": _p, "q": _single("K", "q"), "r": _r, "s": _s,
    "t": _t,
    "v": _v, "w": _w, "x": _x, "z": _z,
}  # fmt: skip
