"""All doors lead to one engine: one text gives one output, whichever way it comes in."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from pseudonymizer.cli import app
from pseudonymizer.project import Project
from tests.e2e import doors
from tests.e2e.doors import DOORS, PROJECT, Place

# Everybody is named in full once, so that deterministic mode gives each one label, whatever stands beside.
FULL: Final = (
    "Fenna Oudshoorn belde met Joris Hoekzema over het verslag. Mail: f.oudshoorn@ziggo.nl of "
    "info.hoekzema@hoekzemabouw.nl, gebruiker foudshoorn88. Wiebe Terpstra kwam ook."
)
# Shorter names and a typing error: linking decides, so outputs agree up to the labels themselves.
SHORTER: Final = (
    "Mevrouw Oudshoorn belde. Fenna Oudshoorn en Joris van der Veldt spraken met J. van der Veldt.\n"
    "Joris mailde Fenna Oudshoonr (f.oudshoorn@ziggo.nl). De heer Terpstra was er niet."
)
LABEL: Final = re.compile(r"P\d-[0-9A-Z]{20}")
NAMES: Final = re.compile("fenna|oudsho|joris|veldt|hoekzema|wiebe|terpstra|ziggo", re.IGNORECASE)


@pytest.fixture(scope="module")
def deterministic(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("doors") / "deterministic", deterministic=True)


@pytest.fixture(scope="module")
def expected(deterministic: Place) -> str:
    return doors.standard_input(deterministic, FULL)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("doors") / "drawn", deterministic=False)


@pytest.fixture(scope="module")
def expected_shape(drawn: Place) -> str:
    return shape(doors.standard_input(drawn, SHORTER))


def shape(text: str) -> str:
    """The text with the people numbered in the order in which they come."""
    numbers: dict[str, int] = {}
    return LABEL.sub(lambda label: f"<{numbers.setdefault(label[0], len(numbers))}>", text)


def test_nobody_is_left_in(expected: str) -> None:
    assert not NAMES.search(expected)
    assert shape(expected) == (
        "<0> belde met <1> over het verslag. Mail: <0>@nymlink.example of info.<1>@nymlink.example, "
        "gebruiker <0>. <2> kwam ook."
    )


@pytest.mark.parametrize("door", DOORS, ids=lambda door: str(door.__name__))
def test_a_text_of_full_names_comes_out_the_same(
    door: Callable[[Place, str], str], deterministic: Place, expected: str
) -> None:
    assert door(deterministic, FULL) == expected


@pytest.mark.parametrize("door", DOORS, ids=lambda door: str(door.__name__))
def test_other_texts_come_out_the_same_up_to_the_labels(
    door: Callable[[Place, str], str], drawn: Place, expected_shape: str
) -> None:
    assert shape(door(drawn, SHORTER)) == expected_shape
    assert not NAMES.search(expected_shape)


@pytest.mark.spark
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_spark_is_a_door_as_well(
    deterministic: Place, expected: str, drawn: Place, expected_shape: str
) -> None:
    pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")
    assert doors.spark(deterministic, FULL) == expected
    assert shape(doors.spark(drawn, SHORTER)) == expected_shape


def test_names_of_files_follow_as_well(deterministic: Place, expected: str, tmp_path: Path) -> None:
    fenna = LABEL.findall(expected)[0]
    letter = tmp_path / "gesprek Fenna Oudshoorn.txt"
    letter.write_text(FULL, encoding="utf-8")
    with deterministic.project() as project:
        answer = project.pseudonymize(letter)
        assert (answer[0].text, answer[0].relative) == (expected, f"gesprek {fenna}.txt")
    place = deterministic.copy()
    deterministic.run(place, str(letter), "--out", str(place / "out"))
    assert (place / "out" / f"gesprek {fenna}.txt").read_text(encoding="utf-8") == expected


def test_link_view_and_review_show_the_people_of_a_run(drawn: Place, tmp_path: Path) -> None:
    """In a new project, and in one that knows people: as many mentions and identities as the run has then."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "gesprek Wiebe Terpstra.txt").write_text(SHORTER, encoding="utf-8")
    place = drawn.copy()
    in_vault = ["--vault", f"sqlite:///{place / 'vault.db'}", "--key-file", str(place / "kek.key")]
    with_vault = [*in_vault, "--project", PROJECT]

    def linked(*words: str) -> tuple[int, int]:
        done = CliRunner().invoke(
            app, ["link", str(tmp_path / "in"), "--out", str(tmp_path / "l.jsonl"), "--json", *words]
        )
        assert done.exit_code == 0, done.output
        told = json.loads(done.stdout)
        return told["mentions"], told["identities"]

    def viewed(*words: str) -> str:
        out = tmp_path / "v.html"
        done = CliRunner().invoke(app, ["view", str(tmp_path / "in"), "--out", str(out), *words])
        assert done.exit_code == 0, done.output
        return out.read_text(encoding="utf-8")

    def run() -> tuple[int, int]:
        told = json.loads(
            drawn.run(place, str(tmp_path / "in"), "--out", str(place / f"out{place.name}"), "--json")
        )
        return told["mentions"], told["identities"]

    before = linked()
    assert before == linked(*with_vault)
    mentions, identities = before
    assert f"{mentions:,} mentions, {identities:,} identities" in viewed()
    assert "#/path" in viewed()
    assert run() == before
    assert linked(*with_vault) == before
    known = [json.loads(line) for line in (tmp_path / "l.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all("entity" in one for line in known for one in line["mentions"])
    assert f"{mentions:,} mentions, {identities:,} identities" in viewed(*with_vault)


def test_what_is_found_without_a_vault_is_found_with_one(drawn: Place) -> None:
    with drawn.project() as project:
        inside = [[m.mention.span for m in document.mentions] for document in project.find(FULL)]
    outside = Project.without_vault().find(FULL)
    assert [[m.mention.span for m in document.mentions] for document in outside] == inside
