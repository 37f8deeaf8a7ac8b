"""docs/how-to/language-model.md, with a model that writes labels its own way: all of it is told."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake, make_vault

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "language-model.md"
QUESTION: Final = "Jan Tolsma belde over Els Wiersma en Kees Mol. Vat samen."
NAMES: Final = ("Jan Tolsma", "Els Wiersma", "Kees Mol")
LABEL: Final = {
    Style.CODE: re.compile(r"PERSOON-[0-9A-Z]{5,9}"),
    Style.TOKEN: re.compile(r"P1-[0-9A-Z]{20}"),
    Style.TAG: re.compile(r"<PERSOON-[0-9]+>"),
}
STYLES: Final = tuple(LABEL)
Habit = Callable[[str], str]

# What a model does to each label of its answer, and to the answer as a whole.
HABITS: Final[dict[str, Habit]] = {
    "as it is": str,
    "small letters": str.lower,
    "capital at the beginning": str.capitalize,
    "Dutch or English s": lambda label: f"{label}s",
    "apostrophe": lambda label: f"{label}'s",
    "typographic apostrophe": lambda label: f"{label}\u2019s",
    "bold": lambda label: f"**{label}**",
    "italic": lambda label: f"_{label}_",
    "code": lambda label: f"`{label}`",
    "escaped for Markdown": lambda label: label.replace("-", "\\-").replace("<", "\\<").replace(">", "\\>"),
    "line end at the hyphen": lambda label: label.replace("-", "-\n"),
    "soft hyphen": lambda label: f"{label[:-2]}\u00ad{label[-2:]}",
    "other hyphen": lambda label: label.replace("-", "\u2011"),
}
ONLY: Final[dict[tuple[Style, str], Habit]] = {
    (Style.CODE, "translated word"): lambda label: label.replace("PERSOON", "PERSON"),
    (Style.CODE, "without word"): lambda label: label.partition("-")[2],
    (Style.CODE, "glued"): lambda label: label.replace("-", ""),
    (Style.CODE, "blank for hyphen"): lambda label: label.replace("-", " "),
    (Style.CODE, "line end inside"): lambda label: f"{label[:10]}\n{label[10:]}",
    (Style.TAG, "without brackets"): lambda label: label.strip("<>"),
    (Style.TAG, "square brackets"): lambda label: f"[{label.strip('<>')}]",
    (Style.TAG, "HTML"): lambda label: label.replace("<", "&lt;").replace(">", "&gt;"),
    (Style.TOKEN, "without hyphen"): lambda label: label.replace("-", ""),
}
CASES: Final = [(style, name, habit) for style in STYLES for name, habit in HABITS.items()] + [
    (style, name, habit) for (style, name), habit in ONLY.items()
]


class StandIn:
    """A model that answers with the labels of its prompt, by its habits."""

    def __init__(self, style: Style, habit: Habit = str) -> None:
        self.style, self.habit = style, habit
        self.prompts: list[str] = []

    def labels(self, prompt: str) -> list[str]:
        self.prompts.append(prompt)
        return [self.habit(label) for label in LABEL[self.style].findall(prompt)]

    def prose(self, prompt: str) -> str:
        first, *others = self.labels(prompt)
        return f"Samengevat: {first} heeft gebeld. Het ging over {' en '.join(others)}."

    def english(self, prompt: str) -> str:
        first, *others = self.labels(prompt)
        return f"In short: {first} called about {' and '.join(others)}."

    def markdown(self, prompt: str) -> str:
        first, *others = self.labels(prompt)
        rows = "\n".join(f"| {other} | onderwerp |" for other in others)
        return f"## Verslag\n\n- {first} belde\n\n| wie | wat |\n| --- | --- |\n{rows}\n\n> {first}\n"

    def json(self, prompt: str) -> str:
        first, *others = self.labels(prompt)
        return json.dumps({"beller": first, "over": others}, indent=1)


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    with make_vault(tmp_path / "vault")() as opened:
        yield opened


def project_of(vault: Vault, style: Style, name: str = "chat") -> Project:
    return Project.open(vault, name, ProjectOptions(load=load_fake, styles=StyleSettings(style)))


def recipe() -> dict[str, Any]:
    """The functions of the page."""
    found: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, found)  # noqa: S102  our own page
    return found


@pytest.mark.parametrize("form", ["prose", "english", "markdown", "json"])
@pytest.mark.parametrize(("style", "name", "habit"), CASES)
def test_every_name_comes_back_whatever_the_model_does_to_its_label(
    vault: Vault, style: Style, name: str, habit: Habit, form: str
) -> None:
    if form == "json" and name == "escaped for Markdown":
        pytest.skip("no model escapes twice")
    model = StandIn(style, habit)
    answer, told = recipe()["answered"](project_of(vault, style), QUESTION, getattr(model, form))
    assert told == []
    assert not any(part in model.prompts[0] for whole in NAMES for part in whole.split())
    assert all(whole in answer for whole in NAMES)
    assert LABEL[style].search(answer) is None
    if form == "json":
        assert json.loads(answer)["beller"].strip("*_`s'\u2019") == "Jan Tolsma".strip("s")


@pytest.mark.parametrize(("style", "name", "habit"), CASES)
def test_the_same_answer_comes_back_letter_by_letter(
    vault: Vault, style: Style, name: str, habit: Habit
) -> None:
    del name
    project = project_of(vault, style)
    sent = project.pseudonymize(QUESTION)
    receipt = project.receipt(QUESTION, sent)
    reply = StandIn(style, habit).prose(sent[0].text or "")
    pieces = list(recipe()["streamed"](project, receipt, reply))
    assert "".join(pieces) == project.restore_text(reply, receipt=receipt).content.decode()
    assert all(whole in "".join(pieces) for whole in NAMES)


@pytest.mark.parametrize("style", STYLES)
def test_labels_that_were_never_given_or_belong_to_another_project_are_told(
    vault: Vault, style: Style
) -> None:
    project, other = project_of(vault, style), project_of(vault, style, "ander")
    for number in range(5):  # so that its numbers are none of the first project's
        foreign = other.pseudonymize(f"Els Tolsma{'abcde'[number]} kwam.")[0].mentions[0].label
    earlier = project.pseudonymize("Otto Bos kwam.")[0].mentions[0].label
    made_up = {Style.CODE: "PERSOON-ZZZZ9", Style.TOKEN: f"P1-{'7' * 20}", Style.TAG: "<PERSOON-99>"}[style]

    def ask(prompt: str) -> str:
        return f"{StandIn(style).prose(prompt)} Ook {foreign}, {earlier} en {made_up}."

    answer, told = recipe()["answered"](project, QUESTION, ask)
    assert all(whole in answer for whole in NAMES)
    assert answer.endswith(f"Ook {foreign}, {earlier} en {made_up}.")
    assert "Bos" not in answer
    assert len(told) == 3
    for label in (foreign, earlier, made_up):
        assert sum(label in one for one in told) == 1, label


def test_a_sign_that_the_model_got_wrong_gives_nobody(vault: Vault) -> None:
    project = project_of(vault, Style.CODE)

    def ask(prompt: str) -> str:
        label: str = LABEL[Style.CODE].findall(prompt)[0]
        return label[:-1] + ("2" if label[-1] != "2" else "3")

    answer, told = recipe()["answered"](project, QUESTION, ask)
    assert not any(whole in answer for whole in NAMES)
    assert len(told) == 1
    assert "mistyped" in told[0]


def test_a_tag_with_a_translated_word_is_nobody_for_certain(vault: Vault) -> None:
    project = project_of(vault, Style.TAG)
    answer, told = recipe()["answered"](project, QUESTION, lambda _: "Bel <PERSON-1>.")
    assert answer == "Bel <PERSON-1>."
    assert told == ["the model wrote <PERSON-1>, which is no label of this question"]


def test_the_page_says_in_a_stream_what_stays(vault: Vault) -> None:
    project = project_of(vault, Style.CODE)
    sent = project.pseudonymize(QUESTION)
    receipt = project.receipt(QUESTION, sent)
    pieces = "".join(recipe()["streamed"](project, receipt, ["PERSOON-ZZZ", "Z9 kwam."]))
    assert pieces == "PERSOON-ZZZZ9 kwam.\n(1 labels are not of this question)"
