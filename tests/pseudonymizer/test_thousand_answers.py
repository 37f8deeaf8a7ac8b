"""A thousand answers with altered labels: intact ones come back, the rest is listed, nobody is wrong.

The labels are those of persons, telephone numbers and accounts in two projects of one vault, in each style
that comes back from pasted text. An answer is a sentence that a reader or a language model may write.
"""

import json
import random
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Final

import pytest

from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Style
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake, make_vault

PEOPLE: Final = 60
KINDS: Final = ("phone", "bank_account")
CONSONANTS, VOWELS = "bdfghklmnprstvwz", "aeiou"

Alter = Callable[[str, random.Random], str]


def _between(label: str, chance: random.Random, sign: str) -> str:
    at = chance.randrange(1, len(label))
    return label[:at] + sign + label[at:]


# By name, a way in which text around a label changes while its letters stay.
INTACT: Final[dict[str, Alter]] = {
    "as it is": lambda label, _: f"Morgen belt {label} terug.",
    "in brackets": lambda label, _: f"De aanvrager ({label}) kwam.",
    "bold": lambda label, _: f"Het gaat om **{label}**, zei zij.",
    "slanted": lambda label, _: f"Het gaat om *{label}*.",
    "as code": lambda label, _: f"Zie `{label}`.",
    "in a table": lambda label, _: f"| naam | rol |\n| {label} | zoon |",
    "in JSON": lambda label, _: json.dumps({"wie": label, "wat": "belt"}),
    "in HTML": lambda label, _: f"<p>Dan komt <b>{escape(label)}</b>.</p>",
    "in quotes": lambda label, _: f'Zij schreef "{label}".',
    "at the end": lambda label, _: f"Ondertekend,\n{label}",
}
# The same for labels whose letters tell them, not for invented names.
INTACT_LABELS: Final[dict[str, Alter]] = {
    "small letters": lambda label, _: f"Morgen belt {label.lower()} terug.",
    "with an s": lambda label, _: f"{label}s brief kwam.",
    "with an apostrophe": lambda label, _: f"{label}'s brief kwam.",
    "soft hyphen": lambda label, chance: f"Dan belt {_between(label, chance, chr(0xAD))} weer.",
    "line end": lambda label, _: f"Dan belt {label.replace('-', '-' + chr(10), 1)} weer.",
}
# Ways that damage a label: it comes back only if its letters still tell which one it was. The number of a tag
# is left alone, since nothing checks it.
DAMAGED: Final[dict[str, Alter]] = {
    "wrong letter": lambda label, chance: f"Dan belt {_wrong_letter(label, chance)} weer.",
    "swapped": lambda label, chance: f"Dan belt {_swapped(label, chance)} weer.",
    "cut": lambda label, _: f"Dan belt {label[:-1]} weer.",
}


def _wrong_letter(label: str, chance: random.Random) -> str:
    is_tag = label.startswith("<")
    places = [at for at, sign in enumerate(label) if (sign.isalpha() if is_tag else sign.isalnum())]
    at = chance.choice(places)
    return label[:at] + chance.choice("234789BCDFGHK".replace(label[at], "")) + label[at + 1 :]


def _swapped(label: str, chance: random.Random) -> str:
    pairs = [label[at : at + 2] for at in range(len(label) - 1)]
    is_tag = label.startswith("<")
    places = [
        at
        for at, pair in enumerate(pairs)
        if pair[0] != pair[1] and (pair.isalpha() if is_tag else pair.isalnum())
    ]
    at = chance.choice(places)
    return label[:at] + label[at + 1] + label[at] + label[at + 2 :]


def _word(chance: random.Random) -> str:
    letters = (chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(3))
    return "".join(letters).capitalize() + chance.choice("nkls")


def _labelled(
    vault: Vault, name: str, style: Style, seed: int
) -> tuple[Project, dict[str, str], list[bytes]]:
    """(the project, the original of each label, the outputs)."""
    chance = random.Random(seed)  # noqa: S311  no secret
    texts = [
        f"toen belde {_word(chance)} {_word(chance)} met 06-{chance.randrange(10**7, 10**8)} over "
        f"NL{chance.randrange(10, 100)} ABNA 0{chance.randrange(10**8, 10**9)}, rekening van haar."
        for _ in range(PEOPLE)
    ]
    treat = dict.fromkeys(KINDS, style.value)
    project = Project.open(
        vault, name, ProjectOptions(load=load_fake), style=style, profile="direct", treat=treat
    )
    answer = project.pseudonymize(texts)
    originals: dict[str, str] = {}
    for text, document in zip(texts, answer, strict=True):
        assert document.failure is None
        for one in document.mentions:
            originals[one.label] = one.span.cut(text)
    return project, originals, [document.content for document in answer]


@pytest.mark.parametrize(
    "answers", [pytest.param(1_000, id="a thousand", marks=pytest.mark.slow), pytest.param(60, id="sixty")]
)
@pytest.mark.parametrize("style", [Style.CODE, Style.TOKEN, Style.TAG, Style.SURROGATE])
def test_altered_answers(tmp_path: Path, style: Style, answers: int) -> None:
    chance = random.Random(19)  # noqa: S311  no secret
    with make_vault(tmp_path / "vault")() as vault:
        project, own, outputs = _labelled(vault, "one", style, 1)
        _, foreign, _ = _labelled(vault, "two", style, 2)
        ways = INTACT | (INTACT_LABELS | DAMAGED if style is not Style.SURROGATE else {})
        every = {*own.values(), *foreign.values()}
        wrong, lost, silent = [], [], []
        for number in range(answers):
            way = chance.choice(list(ways))
            is_foreign = number % 10 == 0
            label = chance.choice(
                sorted((set(foreign) - set(own)) if is_foreign and style is not Style.TAG else own)
            )
            text = ways[way](label, chance)
            came = project.restore_text(
                text, purpose="a test of a thousand answers", made_from=outputs,
                is_confirmed=style is Style.TAG,
            )  # fmt: skip
            back = came.content.decode()
            right = own.get(label)
            if any(one in back for one in every if one != right):
                wrong.append((way, label, back))
            elif right is not None and right in back:
                continue
            elif way not in DAMAGED and right is not None:
                lost.append((way, label, back))
            elif not came.labels.left:
                silent.append((way, label, back))
        assert wrong == []
        assert lost == []
        if style is not Style.SURROGATE:
            assert silent == []
