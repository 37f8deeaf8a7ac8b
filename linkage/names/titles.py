"""Titles and degrees around a name: what is left out of it before it is taken apart."""

from collections.abc import Sequence
from functools import cache

from linkage.gazetteer import Gazetteer, Title
from linkage.language import Language
from linkage.language.people import TitleUse
from linkage.names.words import is_initials
from linkage.records import fold

_FAMILIAR_CATEGORIES = frozenset({"kinship", "noble", "clerical"})


def title_of(text: str, gazetteer: Gazetteer) -> Title | None:
    """What the lists know of a title as written; None for anything else, and for initials ("P.", "H.M.")."""
    if is_initials(text):
        return None
    # Titles that the table cannot hold: without case and dot, "Hr." is a department.
    return gazetteer.title(gazetteer.language.grammar.title_of.get(text, text))


def without_titles(text: str, gazetteer: Gazetteer) -> tuple[str, bool]:
    """Cut titles off the front, longest first, and degrees off the end; at least one word stays."""
    words = text.split()
    found = False
    while len(words) > 1:
        for length in range(min(4, len(words) - 1), 0, -1):
            head = " ".join(words[:length])
            title = None if head.endswith(",") else title_of(head, gazetteer)
            if title is not None and title.position == "pre":
                # "Bakker Jan": a capital word that people bear as a name is a title only with a dot.
                is_name = words[0][0].isupper() and "." not in head and gazetteer.is_surname(head)
                if not is_name or _is_form_of_address(title, words[length:]):
                    words = words[length:]
                    found = found or not is_familiar(title, gazetteer.language)
                    break
        else:
            break
    while len(words) > 1 and _is_degree(words[-1], gazetteer.language):
        has_surname = len(words) > 2 or words[-2].endswith(",")
        if not has_surname and fold(words[-1]) in gazetteer.language.words("degree_or_name"):
            break
        words[-2:] = [words[-2].rstrip(",")]
    return " ".join(words), found


def _is_form_of_address(title: Title, following: Sequence[str]) -> bool:
    """ "DE HEER J. JANSEN": before a whole name it is none of the people called De Heer."""
    return " " in title.text and title.category == "courtesy" and not all(map(is_initials, following))


def _is_degree(word: str, language: Language) -> bool:
    """Whether a word at the end is one: "MBA", "ing."; "ma" alone may be a name in small letters."""
    degree = fold(word)
    may_be_name = degree in language.words("degree_or_name") and word.islower() and not word.endswith(".")
    return degree in language.words("degree") and not may_be_name


def without_inner_titles(text: str, gazetteer: Gazetteer) -> str:
    """ "W.A. baron van Heemstra", "Baron van Heemstra" without the title that stands before the particle."""
    words = text.split()
    kept: list[str] = []
    for index, word in enumerate(words):
        following = words[index + 1] if index + 1 < len(words) else ""
        title = gazetteer.title(word) if gazetteer.canonical_particle(following.lower()) else None
        opens = index == 0
        inside = bool(kept) and word.islower() and not gazetteer.canonical_particle(kept[-1].lower())
        is_rank = title is not None and title.position == "mid" and title.category == "noble"
        if not (is_rank and (opens or inside)):
            kept.append(word)
    return " ".join(kept)


def is_familiar(title: Title, language: Language) -> bool:
    """Whether people say it with a given name alone: "oom Piet", "juf Anja"."""
    return title.category in _FAMILIAR_CATEGORIES or title.text.lower() in _familiar_titles(language)


@cache
def _familiar_titles(language: Language) -> frozenset[str]:
    return language.titles_for(TitleUse.FAMILIAR)
