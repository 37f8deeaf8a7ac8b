"""The sentences of a page of the documentation: its prose, without code, tables and headings."""

import re
from typing import Final

_BLOCK: Final = re.compile(r"^```.*?^```$|<!--.*?-->", re.DOTALL | re.MULTILINE)
_ABBREVIATION: Final = re.compile(r"\b(?:e\.g|i\.e|vs|dr|mr|no)\.", re.IGNORECASE)
_END: Final = re.compile(r"(?<=[.!?:;])\s+|(?<=[.!?][)\"*_])\s+|\n{2,}")
_WORD: Final = re.compile(r"[^\W_][\w'’-]*")


def paragraphs(page: str) -> list[str]:
    """Paragraphs and items of lists, each as one line."""
    kept: list[str] = []
    for line in _BLOCK.sub("\n", page).split("\n"):
        if not line.strip() or line.startswith(("#", "|", "    ", "![")):
            kept.append("")
        elif re.match(r"\s*(?:[-*]|\d+\.)\s", line):
            kept += ["", re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", line)]
        else:
            kept.append(line.strip())
    text = re.sub(r"(?<=\S)\n(?=\S)", " ", "\n".join(kept))
    return [line for line in text.split("\n") if line]


def sentences(page: str) -> list[str]:
    """The sentences of the prose; code between back ticks counts as one word."""
    found: list[str] = []
    for paragraph in paragraphs(page):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)
        plain = re.sub(r"`[^`]*`", "code", plain)
        plain = _ABBREVIATION.sub(lambda one: one[0].replace(".", ""), plain)
        found += [one.strip() for one in _END.split(plain) if one and one.strip()]
    return found


def words(sentence: str) -> int:
    """How many words a sentence has; numbers are none."""
    return sum(not one[0][0].isdigit() for one in _WORD.finditer(sentence))
