"""Words that Office programs write themselves: names of their styles and parts, texts of templates."""

import re
from typing import Final

from pseudonymizer.formats.vocabulary import words

_WORD: Final = re.compile(r"[^\W\d_]+")
# In the English of the file formats: programs translate them on the screen only.
OWN_WORDS: Final = words(
    "accent address and annotation attachment balloon bibliography black blank block body book box"
    " bullet caption char chart charts classic click closing color colorful colour colourful columns"
    " comment comments comparison connector contemporary content continue dark date default diagram"
    " document drawing edit effects elegant email emphasis endnote envelope excel fifth figure first"
    " followed font fonts footer footnote for format fourth frame grid group header heading hidden html"
    " hyperlink icon image indent index intense level light line link list macro map master masters"
    " medium mention message move named no normal note notes number object of office only outline oval page"
    " paragraph picture placeholder plain professional quote ranges rectangle reference return revision"
    " salutation second section servers seventh shading shape signature simple sixth slide slides smart"
    " smartart spacing strong style styles subject subtitle subtle table tables text the theme themes third"
    " time title titles to toc two unresolved used vertical web with word worksheet worksheets x"
    # names of the programs themselves
    " libreoffice macintosh microsoft on openoffice powerpoint screen show"
)
# What Office writes behind the name of a style for paragraphs that is used for characters as well.
_LINKED: Final = re.compile(r"(?: |_20_)(?:Char|Teken|Zchn|Car)\d?\s*\Z")


def searched_length(text: str) -> int:
    """How many characters of the name of a style are searched: without "Char" behind it."""
    found = _LINKED.search(text)
    return len(text) if found is None else found.start()


def is_of_program(text: str) -> bool:
    """Whether a text is made of words of the program alone, such as "List Bullet 2"."""
    found = _WORD.findall(text)
    return bool(found) and all(word.lower() in OWN_WORDS for word in found)
