"""Tokens by rule."""

from linkage.training.tokens import TokenRules, tokenize


def cut(text: str, rules: TokenRules | None = None) -> list[str]:
    found = tokenize(text, rules) if rules else tokenize(text)
    return [text[start:end] for start, end in found]


def test_marks_stand_alone_and_initials_keep_their_full_stop() -> None:
    assert cut("(Mora, A.B. Gralo).") == ["(", "Mora", ",", "A.B.", "Gralo", ")", "."]


def test_a_language_brings_its_abbreviations() -> None:
    assert cut("mor. Gralo") == ["mor", ".", "Gralo"]
    assert cut("mor. Gralo", TokenRules(frozenset({"mor."}))) == ["mor.", "Gralo"]
