"""Tokens by rule."""

from linkage.training.tokens import TokenRules, rules_of, tokenize


def cut(text: str, rules: TokenRules | None = None) -> list[str]:
    found = tokenize(text, rules) if rules else tokenize(text)
    return [text[start:end] for start, end in found]


def test_marks_stand_alone_and_initials_keep_their_full_stop() -> None:
    assert cut("(Mora, A.B. Gralo).") == ["(", "Mora", ",", "A.B.", "Gralo", ")", "."]


def test_a_language_brings_its_abbreviations() -> None:
    assert cut("mor. Gralo") == ["mor", ".", "Gralo"]
    assert cut("mor. Gralo", TokenRules(frozenset({"mor."}))) == ["mor.", "Gralo"]


def test_a_word_that_lost_its_end_is_a_token() -> None:
    rules = TokenRules(elisions=frozenset({"mor'", "d'"}))
    assert cut("mor'Abelo, D\u2019Angra; po'Gralo", rules) == [
        "mor'",
        "Abelo",
        ",",
        "D\u2019",
        "Angra",
        ";",
        "po'Gralo",
    ]
    assert cut("mor'Abelo") == ["mor'Abelo"]
    assert rules.spaced("D'Angra Mor'Elo O'Bri") == "D' Angra Mor' Elo O'Bri"


def test_the_table_of_elisions_knows_italian_and_leaves_dutch_alone() -> None:
    assert cut("dell'Anna Rossi e un po'di L'Aquila", rules_of("it")) == [
        "dell'", "Anna", "Rossi", "e", "un", "po'di", "L'", "Aquila",
    ]  # fmt: skip
    assert rules_of("nl") == TokenRules()
