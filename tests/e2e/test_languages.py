"""Texts of several languages in one run: each by its own tables and models, a person of two by one label."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

STORE: Final = ("--vault", "sqlite:///v.db", "--key-file", "k.key")
TEXTS: Final[Mapping[str, str]] = {
    "brief.txt": "Sehr geehrter Herr von Ambach,\n\nFrau Sabine Körner, geb. Wiesinger, hat uns am 14. März "
    "geschrieben. Bitte rufen Sie Frau Körner unter 089 123456 an.\n\nMit freundlichen Grüßen\nPaul Müller\n",
    "nota.txt": "Vandaag heb ik gesproken met mevrouw Sabine Körner en met de heer Jan Willem de Vries over "
    "het dossier van haar broer. Zij komt volgende week terug.\n\nMet vriendelijke groet,\nPieter Bakker\n",
    "letter.txt": "Dear Ms Körner,\n\nThank you for your letter about the claim. I have asked Mr Robert "
    "Smith to look at it, and Bob Smith will call you on 12 March 2024. Please ring Dr O'Brien's secretary "
    "if you cannot wait.\n\nYours sincerely,\nMargaret Adeyemi\n",
    "lettera.txt": "Gentile dottoressa Ferri,\n\nle scrivo per il signor Giuseppe Bianchi, nato a Forlì il "
    "12 marzo 1980, residente in via Garibaldi 12. Ieri Pippo Bianchi ha telefonato dell'esame di sua moglie "
    "Carmela D'Angelo.\n\nCordiali saluti\nSalvatore Lo Presti\n",
    "lettre.txt": "Aujourd'hui, j'ai parlé avec madame Sabine Körner du dossier de son frère, et revient "
    "la semaine prochaine pour signer les papiers avec nous.\n",
}
LINES: Final = (
    '{"doc_id": "1", "language": "de", "text": "Frau Sabine Körner hat heute angerufen."}',
    '{"doc_id": "2", "language": "pl", "text": "Pani Sabine Körner dzwoniła."}',
    '{"doc_id": "3", "language": "nl", "text": "Mevrouw Sabine Körner belde weer."}',
)
SOME_FAILED: Final = 4  # the status of a command of which some files failed


def nymlink(folder: Path, *words: str) -> int:
    path = {"PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    command = [sys.executable, "-c", "from pseudonymizer.cli import main; main()", *words]
    return subprocess.run(command, cwd=folder, env={**os.environ, **path}, check=False).returncode  # noqa: S603


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("languages")
    (made / "in").mkdir()
    for name, text in TEXTS.items():
        (made / "in" / name).write_text(text, encoding="utf-8")
    (made / "in" / "regels.jsonl").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def run(folder: Path) -> Mapping[str, str]:
    """The outputs by the names of their inputs, of a run that tells the language of each text."""
    assert nymlink(folder, "vault", "init", *STORE) == 0
    words = ("run", "in", "--out", "out", *STORE, "--project", "p", "--language", "auto")
    assert nymlink(folder, *words) == SOME_FAILED
    return {
        path.name: path.read_text(encoding="utf-8") for path in (folder / "out").glob("*.*") if path.is_file()
    }


def test_a_person_of_two_languages_has_one_label(run: Mapping[str, str]) -> None:
    said = {name: re.findall(r"(?:Frau|mevrouw) (\S+?)[, ]", run[name]) for name in ("brief.txt", "nota.txt")}
    assert len({label for labels in said.values() for label in labels}) == 1
    for name in (
        "Körner", "Wiesinger", "Ambach", "Müller", "Vries", "Bakker", "Smith", "Bob", "O'Brien", "Adeyemi",
        "Pippo", "Angelo", "Presti",
    ):  # fmt: skip
        assert not any(name in text for text in run.values())


def test_a_short_form_is_the_person_of_the_full_name(run: Mapping[str, str]) -> None:
    text = run["letter.txt"]
    robert, bob = re.search(r"asked Mr (.+?) to look", text), re.search(r"at it, and (.+?) will", text)
    assert robert is not None
    assert bob is not None
    assert robert[1] == bob[1]
    secretary = re.search(r"ring Dr (.+?)'s secretary", text)
    assert secretary is not None
    assert secretary[1] != robert[1]


def test_an_english_letter_comes_back(run: Mapping[str, str], folder: Path) -> None:
    assert (
        nymlink(folder, "restore", "out", "--out", "english", *STORE, "--project", "p", "--purpose", "test")
        == 0
    )
    assert run["letter.txt"] != TEXTS["letter.txt"]
    assert (folder / "english" / "letter.txt").read_text(encoding="utf-8") == TEXTS["letter.txt"]


def test_a_pet_name_of_an_italian_is_he(run: Mapping[str, str]) -> None:
    said = re.search(r"per il signor (.+?), nat.*Ieri (.+?) ha telefonato", run["lettera.txt"], re.DOTALL)
    assert said is not None
    assert said[1] == said[2]


def test_an_italian_letter_comes_back(run: Mapping[str, str], folder: Path) -> None:
    why = ("--purpose", "test")
    assert nymlink(folder, "restore", "out", "--out", "italian", *STORE, "--project", "p", *why) == 0
    assert run["lettera.txt"] != TEXTS["lettera.txt"]
    assert (folder / "italian" / "lettera.txt").read_text(encoding="utf-8") == TEXTS["lettera.txt"]


def test_a_text_in_a_language_that_is_not_installed_is_left_out(run: Mapping[str, str]) -> None:
    assert sorted(run) == ["brief.txt", "letter.txt", "lettera.txt", "nota.txt", "regels.jsonl"]


def test_a_line_in_a_language_that_is_not_installed_is_left_out_alone(
    run: Mapping[str, str], folder: Path
) -> None:
    lines = [json.loads(line) for line in run["regels.jsonl"].splitlines() if line]
    assert [line["doc_id"] for line in lines] == ["1", "3"]
    label = re.search(r"Frau (\S+) hat", lines[0]["text"])
    assert label is not None
    assert lines[1]["text"] == f"Mevrouw {label[1]} belde weer."
    assert (
        nymlink(folder, "restore", "out", "--out", "back", *STORE, "--project", "p", "--purpose", "test") == 0
    )
    assert (folder / "back" / "regels.jsonl").read_text(encoding="utf-8") == "\n".join(LINES) + "\n"
