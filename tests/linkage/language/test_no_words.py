"""Words of a language stand in its folder: no code outside linkage.language holds one.

A module that still does is listed with its words, and the list must match exactly: it shrinks.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[3]
DUTCH: Final = ROOT / "data" / "languages" / "nl"
_WORD: Final = re.compile(r"[^\W\d_]+")
_ESCAPE: Final = re.compile(r"\\[A-Za-z]")  # of expressions: "\bvan\b" holds the word "van"
_KEY: Final = re.compile(r"\[([a-z])\](?=[a-z])")  # of a menu: "[q]uit" is the word "quit"
# Tables whose words are looked for in code, each with its column.
_TABLES: Final = {
    "titles.tsv": "title", "kin.tsv": "word", "roles.tsv": "word", "professions.tsv": "word",
    "particles.tsv": "particle", "name_cues.tsv": "cue", "words.tsv": "word", "patterns.tsv": "expression",
    "months.tsv": "word", "weekdays.tsv": "word", "numerals.tsv": "word", "street_endings.tsv": "ending",
    "empty_values.tsv": "value",
}  # fmt: skip
_SHORTEST: Final = 3  # letters; shorter words are parts of any expression
# Words of the tables that are English, too, or names of things in code.
_OTHER: Final = frozenset((ROOT / "tests/linkage/language/no_dutch_alone.txt").read_text().split())
# By module, the Dutch words that it holds. The first has beginnings of names with a capital inside, as the
# decision was fitted with them. Those of three others are of no language's rules: an algorithm's own parts of
# words, what a program writes behind names of styles in four languages, and a label that outputs hold. A text
# that warms models up is Dutch.
_EXEMPT: Final[Mapping[str, frozenset[str]]] = {
    "linkage/recognition/words.py": frozenset({"van"}),
    "linkage/comparison/double_metaphone.py": frozenset({"hoek", "van", "von"}),
    "pseudonymizer/formats/office/own_words.py": frozenset({"teken"}),
    "pseudonymizer/engine/styling.py": frozenset({"naam"}),
    "pseudonymizer/desk/models.py": frozenset({"belde", "woont"}),
}


def _dutch_words() -> frozenset[str]:
    words: set[str] = set()
    for table, column in _TABLES.items():
        head, *rows = (DUTCH / table).read_text(encoding="utf-8").splitlines()
        place = head.split("\t").index(column)
        for row in rows:
            words.update(word.lower() for word in _WORD.findall(row.split("\t")[place]))
    return frozenset(word for word in words if len(word) >= _SHORTEST) - _OTHER


def _literals(tree: ast.Module) -> Iterator[str]:
    """The string literals of a module, without its docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def _held(source: str, words: frozenset[str]) -> frozenset[str]:
    texts = (_ESCAPE.sub(" ", _KEY.sub(r"\1", text)) for text in _literals(ast.parse(source)))
    found = {word.lower() for text in texts for word in _WORD.findall(text)}
    return frozenset(found & words)


def test_no_code_outside_the_language_holds_its_words() -> None:
    words = _dutch_words()
    held: dict[str, frozenset[str]] = {}
    for package in ("linkage", "pseudonymizer"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if not name.startswith("linkage/language/") and (
                found := _held(path.read_text(encoding="utf-8"), words)
            ):
                held[name] = found
    assert held == _EXEMPT, (
        "move words of a language to its tables (data/languages), or take a module that has none any more "
        "off the list; a word that is English, too, goes to tests/linkage/language/no_dutch_alone.txt"
    )


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('X = re.compile(r"\\b(?:mevrouw|huisarts)\\b")', {"mevrouw", "huisarts"}),
        ('def f():\n    """mevrouw in a docstring is none"""\n', set()),
        ('X = "[q]uit"', set()),
        ('X = "person"  # mevrouw in a comment is none', set()),
    ],
)
def test_what_counts_as_a_word_in_code(source: str, found: set[str]) -> None:
    assert _held(source, _dutch_words()) == found
