"""Reading runs of words in the shape of a name."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.name_grammar import NameGrammar
from linkage.recognition.name_tokens import WordBook


@pytest.fixture(scope="module")
def grammar(gazetteer: Gazetteer) -> NameGrammar:
    return NameGrammar(gazetteer)


@pytest.fixture(scope="module")
def book(gazetteer: Gazetteer) -> WordBook:
    return WordBook(gazetteer)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("J.-P. van den Berg kwam", [("I", "J.-P."), ("p", "van den"), ("C", "Berg")]),
        ("Chr.J.M. Smit", [("I", "Chr.J.M."), ("C", "Smit")]),
        ("Anne-Marie Groen-van den Akker at", [("C", "Anne-Marie"), ("C", "Groen-van den Akker")]),
        ("Jan \u2019t Hart", [("C", "Jan"), ("p", "\u2019t"), ("C", "Hart")]),
        ("Ludo D'hondt", [("C", "Ludo"), ("C", "D'hondt")]),
        ("Kees v.d. Laan", [("C", "Kees"), ("p", "v.d."), ("C", "Laan")]),
        ("Mohammed El-Amrani", [("C", "Mohammed"), ("p", "El-"), ("C", "Amrani")]),
        ("Gerrit (Pietje) Pols", [("C", "Gerrit"), ("N", "(Pietje)"), ("C", "Pols")]),
        ("Jan van huis", [("C", "Jan")]),
        ("Jan  Bos", [("C", "Jan")]),
        ("Jan\tBos", [("C", "Jan")]),
        ("tafel", []),
        ("TC Jansen", [("I", "TC"), ("C", "Jansen")]),  # an office, or T.C. Jansen
        ("van PW Jansen", []),  # of P.W. Jansen
        ("POH Jansen", [("C", "POH"), ("C", "Jansen")]),
    ],
)
def test_units(grammar: NameGrammar, book: WordBook, text: str, units: list[tuple[str, str]]) -> None:
    tokens = book.tokens(text)
    found = grammar.run(tokens, 0)
    assert [(u.kind.value, text[tokens[u.first].start : tokens[u.last - 1].end]) for u in found] == units


def test_small_letters_only_where_asked_for(grammar: NameGrammar, book: WordBook) -> None:
    tokens = book.tokens("sanne de boer belde")
    assert grammar.run(tokens, 0) == []
    assert len(grammar.run(tokens, 0, lower=True)) == 3


@pytest.mark.parametrize(
    ("text", "particle"),
    [
        ("van der Laan", "van der"), ("VAN DER LAAN", "van der"), ("in 't Veld", "in 't"), ("d'Arcy", "d'"),
        ("in Den Haag", None), ("vandaag", None), ("tafel", None),
    ],
)  # fmt: skip
def test_the_longest_particle(grammar: NameGrammar, book: WordBook, text: str, particle: str | None) -> None:
    found = grammar.particle_at(book.tokens(text), 0)
    assert (found[1] if found else None) == particle


def test_a_name_goes_over_a_line_end_only_in_running_text(grammar: NameGrammar, book: WordBook) -> None:
    running = book.tokens("Gisteren verscheen ook Anna van\nden Berg")
    assert [u.kind.value for u in grammar.run(running, 3)] == ["C", "p", "C"]
    listed = book.tokens("Peter\nBakker")
    assert len(grammar.run(listed, 0)) == 1
