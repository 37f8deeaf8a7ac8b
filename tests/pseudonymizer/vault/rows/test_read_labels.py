"""Labels as texts have them, read against what a project has issued."""

from typing import Any

import pytest

from pseudonymizer.errors import UnknownPseudonymError
from pseudonymizer.records import LabelState, Style
from pseudonymizer.styles.code import code_of
from pseudonymizer.vault import Vault
from pseudonymizer.vault.erasure import erase
from pseudonymizer.vault.rows.read_labels import code_in
from tests.pseudonymizer.vault.rows.test_published import give

ISSUED, UNKNOWN, MALFORMED = LabelState.ISSUED, LabelState.UNKNOWN, LabelState.MALFORMED


def read(vault: Vault, *texts: str, project: str = "p") -> list[tuple[LabelState, str]]:
    return [(one.state, one.label) for one in vault.read_labels(project, texts)]


def altered(code: str) -> str:
    return code[:-1] + ("2" if code[-1] != "2" else "3")


def test_codes_are_read_with_any_word_and_with_none(vault: Vault) -> None:
    labels = give(vault, Style.CODE, "Jan Tolsma", "Els Kok")
    code = code_of(labels[0]) or ""
    texts = [labels[0], code, f"PERSON-{code}", altered(labels[0]), altered(code)]
    assert read(vault, *texts) == [(ISSUED, labels[0])] * 3 + [(MALFORMED, "")] * 2
    keys = vault.keys_of("p").codes
    never = next(code for n in range(900, 1_000) if keys.is_valid(code := keys.code(n, 5)))
    assert read(vault, never, f"PERSOON-{never}") == [(UNKNOWN, "")] * 2


def test_letters_that_look_alike_are_read_in_codes(vault: Vault) -> None:
    labels = give(vault, Style.CODE, *(f"Jan Tol{letter}a" for letter in "abcdefghijklmnopqrstuvwxyz"))
    codes = [code_of(label) or "" for label in labels]
    typed = [code.replace("0", "O").replace("1", "I") for code in codes]
    assert typed != codes
    assert [label for _, label in read(vault, *typed)] == labels


def test_tokens_are_read_by_their_check_letters(vault: Vault) -> None:
    (token,) = give(vault, Style.TOKEN, "Jan Tolsma")
    never = vault.keys_of("p").token.draw()
    foreign = "P1-" + "0" * 20
    assert read(vault, token, never, foreign) == [(ISSUED, token), (UNKNOWN, ""), (MALFORMED, "")]


def test_a_tag_of_two_projects_is_nobodys(vault: Vault) -> None:
    give(vault, Style.TAG, "Jan Tolsma", "Els Kok", "Otto Rijk")
    give(vault, Style.TAG, "Piet Smit", project="q")
    (second,) = give(vault, Style.TAG, "Kees Laan", project="q")
    erase(vault, project="q", pseudonyms=[second], purpose="verzoek")
    assert read(vault, "<PERSOON-1>", "<PERSOON-2>", "<PERSOON-3>", "<PERSOON-4>") == [
        (LabelState.SHARED, "<PERSOON-1>"),
        (LabelState.SHARED, "<PERSOON-2>"),
        (ISSUED, "<PERSOON-3>"),
        (UNKNOWN, ""),
    ]


def test_an_erased_person_has_no_label(vault: Vault) -> None:
    (code,) = give(vault, Style.CODE, "Jan Tolsma")
    erase(vault, project="p", pseudonyms=[code], purpose="verzoek")
    assert read(vault, code) == [(UNKNOWN, "")]


@pytest.mark.parametrize("door", ["reveal", "request", "erase", "merge"])
def test_a_person_may_type_a_code_or_a_tag_carelessly(vault: Vault, door: str) -> None:
    codes = give(vault, Style.CODE, "Jan Tolsma", "Els Kok")
    give(vault, Style.TAG, "Jan Tolsma", "Els Kok")
    code = (code_of(codes[0]) or "").replace("0", "o")
    wanted: dict[str, Any] = {"project": "p", "purpose": "verzoek"}
    for typed in ([f" persoon-{code.lower()} ", "persoon-2"], [code, "[PERSOON-2]"]):
        if door == "erase" and typed[0] == code:
            continue
        found = getattr(vault, door)(**wanted, pseudonyms=typed)
        if door == "reveal":
            assert {name.name for name in found.values()} == {"Jan Tolsma", "Els Kok"}
        elif door == "request":
            assert set(found.labels) == {codes[0], "<PERSOON-2>"}
        elif door == "erase":
            assert codes[0] in found.pseudonyms
            assert len(found.pseudonyms) == 4
    with pytest.raises(UnknownPseudonymError):
        getattr(vault, door)(**wanted, pseudonyms=[altered(codes[1]), codes[1]])


def test_each_text_gets_its_answer(vault: Vault) -> None:
    (surrogate,) = give(vault, Style.SURROGATE, "Jan Tolsma")
    assert read(vault, surrogate, "Niemand", surrogate) == [
        (ISSUED, surrogate), (MALFORMED, ""), (ISSUED, surrogate),
    ]  # fmt: skip
    assert read(vault) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("PERSOON-7KQM3", "7KQM3"), ("7kqm3", "7KQM3"), ("7KQMO2", "7KQM02"), ("P1-" + "7" * 20, None),
        ("<PERSOON-3>", None), ("Yona van Hoorne", None), ("PERSOON-12345", None),
    ],
)  # fmt: skip
def test_the_code_in_a_text(text: str, code: str | None) -> None:
    assert code_in(text) == code
