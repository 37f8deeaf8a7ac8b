"""All doors lead to one engine: one text gives one output, whichever way it comes in."""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from typer.testing import CliRunner

from pseudonymizer.cli import app
from pseudonymizer.project import Project, open_vault
from pseudonymizer.settings import ProjectSettings
from tests.e2e import doors
from tests.e2e.doors import DOORS, PROJECT, Place, command, served, standard_input

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
# Sixteen kinds that the profile `direct` treats, and five that it keeps.
KINDS: Final = (
    "Fenna Oudshoorn (geboren 12-03-1951, BSN 111222333) woont op Havenstraat 12, 8933 KT Leeuwarden.\n"
    "Mail f.oudshoorn@ziggo.nl of info@garage-bakker.nl, gebruiker foudshoorn88, tel. 06-12345678, "
    "fax 058-1234567.\nIBAN NL91 ABNA 0417 1643 00, kaart 4111 1111 1111 1111, kenteken XX-123-B, "
    "dossier HDN-24-00718.\nVan 192.168.2.14 op https://www.garage-bakker.nl/contact, "
    "wachtwoord: Zomer2024!, KvK 12345678.\nOp 5 augustus 2024 om 14.30 uur betaalde Joris Hoekzema "
    "(42 jaar) 1.250,00 euro."
)
WRITTEN: Final = (
    "<PERSOON 1> (geboren <GEBOORTEDATUM 1>, BSN <BURGERNUMMER 1>) woont op <STRAAT 1>, <POSTCODE 1> "
    "Leeuwarden.\nMail <PERSOON 1>@nymlink.example of <EMAIL 1>, gebruiker <PERSOON 1>, tel. <TELEFOON 1>, "
    "fax <FAX 1>.\nIBAN <REKENING 1>, kaart <BETAALKAART 1>, kenteken <KENTEKEN 1>, dossier <NUMMER 1>.\n"
    "Van <IPADRES 1> op https://www.garage-bakker.nl/contact, wachtwoord: <WACHTWOORD 1>, "
    "KvK <BEDRIJFSNUMMER 1>.\nOp 5 augustus 2024 om 14.30 uur betaalde <PERSOON 2> (42 jaar) 1.250,00 euro."
)
CODE: Final = re.compile(r"\b([A-Z]{2,20})-(?=[0-9A-Z]{0,4}[2-9])[0-9A-Z]{5}\b")
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
def direct(tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(tmp_path_factory.mktemp("doors") / "direct", settings=ProjectSettings.of_new_project())


@pytest.fixture(scope="module")
def expected_shape(drawn: Place) -> str:
    return shape(doors.standard_input(drawn, SHORTER))


def shape(text: str) -> str:
    """The text with the people numbered in the order in which they come."""
    numbers: dict[str, int] = {}
    return LABEL.sub(lambda label: f"<{numbers.setdefault(label[0], len(numbers))}>", text)


def coded(text: str) -> str:
    """The text with the codes of each word numbered in the order in which they come."""
    numbers: dict[str, dict[str, int]] = {}

    def numbered(found: re.Match[str]) -> str:
        of_word = numbers.setdefault(found[1], {})
        return f"<{found[1]} {of_word.setdefault(found[0], len(of_word) + 1)}>"

    return CODE.sub(numbered, text)


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


@pytest.mark.parametrize("door", [standard_input, *DOORS], ids=lambda door: str(door.__name__))
def test_values_of_all_kinds_come_out_the_same(door: Callable[[Place, str], str], direct: Place) -> None:
    assert coded(door(direct, KINDS)) == WRITTEN


@pytest.mark.parametrize("is_served", [False, True], ids=["vault", "service"])
def test_presidio_is_a_door_as_well(direct: Place, *, is_served: bool) -> None:
    pytest.importorskip("presidio_anonymizer", reason="needs the extra nymlink[presidio]")
    from presidio_anonymizer import AnonymizerEngine

    from pseudonymizer.presidio import VaultNames, VaultPseudonymize, recognize

    engine = AnonymizerEngine()  # type: ignore[no-untyped-call]
    engine.add_anonymizer(VaultPseudonymize)
    place = direct.copy()
    with ExitStack() as opened:
        if is_served:
            vault = opened.enter_context(open_vault(opened.enter_context(served(place))))
        else:
            vault = opened.enter_context(open_vault(place / "vault.db", place / "kek.key"))
        project = Project.open(vault, PROJECT)
        names = VaultNames(vault, PROJECT, linker=lambda: project.engine.pipeline.linker)
        found = recognize(project, KINDS)
        result = engine.anonymize(KINDS, found, names.operators_for(KINDS, found))
        names.keep(KINDS, result)
        assert project.restore(result.text, purpose="test").decode() == KINDS
    assert coded(result.text) == WRITTEN


def test_a_whole_run_over_the_socket_and_the_ways_back_of_every_kind(direct: Place, tmp_path: Path) -> None:
    """Run, reveal, lookup, restore and erase, each by its verb, with the vault of a service."""
    place = direct.copy()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "brief.txt").write_text(KINDS, encoding="utf-8")
    ask = ("--purpose", "klacht 7")
    with served(place) as service:

        def ask_vault(*words: str) -> str:
            return command(place, *words, service=service).decode()

        told = json.loads(ask_vault("run", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--json"))
        written = (tmp_path / "out" / "brief.txt").read_text(encoding="utf-8")
        assert coded(written) == WRITTEN
        kinds = {one["kind"]: (one["found"], one["replaced"]) for one in told["kinds"] if one["found"]}
        assert kinds == {
            **dict.fromkeys(
                ["BIRTH_DATE", "NATIONAL_ID", "STREET", "POSTCODE", "USERNAME", "PHONE", "FAX",
                 "BANK_ACCOUNT", "PAYMENT_CARD", "VEHICLE", "CASE_NUMBER", "IP_ADDRESS", "PASSWORD",
                 "COMPANY_NUMBER"], (1, 1),
            ),
            **dict.fromkeys(["URL", "DATE", "TIME", "AGE", "MONEY", "CITY"], (1, 0)),
            "EMAIL": (2, 2),
        }  # fmt: skip
        by_word = {found[1]: found[0] for found in CODE.finditer(written)}
        values = {
            "BANK_ACCOUNT": ("nl91abna0417164300", "REKENING"), "PHONE": ("0612345678", "TELEFOON"),
            "NATIONAL_ID": ("111222333", "BURGERNUMMER"), "BIRTH_DATE": ("12 maart 1951", "GEBOORTEDATUM"),
            "VEHICLE": ("xx123b", "KENTEKEN"), "CASE_NUMBER": ("HDN-24-00718", "NUMMER"),
        }  # fmt: skip
        for kind, (typed, word) in values.items():
            answer = tmp_path / f"{kind}.txt"
            ask_vault("lookup", typed, "--kind", kind, *ask, "--out", str(answer))
            assert by_word[word] in answer.read_text(encoding="utf-8"), kind
        ask_vault("reveal", *by_word.values(), *ask, "--out", str(tmp_path / "revealed.txt"))
        revealed = (tmp_path / "revealed.txt").read_text(encoding="utf-8")
        for original in (
            "06-12345678",
            "NL91 ABNA 0417 1643 00",
            "12-03-1951",
            "Zomer2024!",
            "Havenstraat 12",
        ):
            assert original in revealed
        ask_vault("restore", str(tmp_path / "out"), "--out", str(tmp_path / "back"), *ask)
        assert (tmp_path / "back" / "brief.txt").read_text(encoding="utf-8") == KINDS
        ask_vault("vault", "erase", "--value", "NL91ABNA0417164300", "--kind", "BANK_ACCOUNT", *ask)
        ask_vault("restore", str(tmp_path / "out"), "--out", str(tmp_path / "again"), *ask)
    again = (tmp_path / "again" / "brief.txt").read_text(encoding="utf-8")
    assert again == KINDS.replace("NL91 ABNA 0417 1643 00", by_word["REKENING"])


def test_a_run_with_places_of_one_way_gives_the_rest_back_and_counts_them(
    direct: Place, tmp_path: Path
) -> None:
    place = direct.copy()
    (tmp_path / "in.txt").write_text(KINDS, encoding="utf-8")
    treat = (
        "--treat",
        "date=month,phone=mask,age=bands,money=round",
        "--treat",
        "vehicle=random,national_id=random",
    )
    command(place, "run", str(tmp_path / "in.txt"), "--out", str(tmp_path / "out"), *treat)
    written = (tmp_path / "out" / "in.txt").read_text(encoding="utf-8")
    assert "Op augustus 2024" in written
    told = json.loads(
        command(
            place,
            "restore",
            str(tmp_path / "out"),
            "--out",
            str(tmp_path / "back"),
            "--purpose",
            "toets",
            "--json",
        )
    )
    assert (told["files"]["in part"], told["one_way"]) == (1, 4)
    back = (tmp_path / "back" / "in.txt").read_text(encoding="utf-8")
    lost = re.escape(KINDS)
    for value in ("06\\-12345678", "5\\ augustus\\ 2024", "42\\ jaar", "1\\.250,00\\ euro"):
        assert value in lost
        lost = lost.replace(value, ".+?")
    assert re.fullmatch(lost, back)
    assert back != KINDS


@pytest.mark.spark
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_spark_is_a_door_as_well(
    deterministic: Place, expected: str, drawn: Place, expected_shape: str, direct: Place
) -> None:
    pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")
    assert coded(doors.spark(direct, KINDS)) == WRITTEN
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
