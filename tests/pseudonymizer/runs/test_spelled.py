"""People whose name stands only in an address, a user name, a path or a technical field."""

from pathlib import Path

import pytest

from pseudonymizer.project import Project, ProjectOptions
from pseudonymizer.records import Scope
from pseudonymizer.reidentification import reveal
from tests.pseudonymizer.batch_fakes import PROJECT, load_fake, make_vault
from tests.pseudonymizer.runs.test_run import OpenVault, fill, outputs, restored, run

NAMES = (b"wiersma", b"jitske", b"douma")


@pytest.fixture
def open_vault(tmp_path: Path) -> OpenVault:
    return make_vault(tmp_path / "vault")


def leaks(folder: Path) -> list[bytes]:
    return [n for n in NAMES for path, raw in outputs(folder).items() if n in (path.encode() + raw).lower()]


@pytest.mark.parametrize("scope", [Scope.PROJECT, Scope.DOCUMENT])
@pytest.mark.parametrize(
    "files",
    [
        {"a.txt": b"Mail naar jitske.wiersma@voorbeeld.example, of kom langs."},
        {"a.txt": b"Zie https://voorbeeld.example/team/jitske-wiersma en bijlage Brief_Jitske_Wiersma.pdf."},
        {"a.eml": b"From: info@voorbeeld.example\r\nIn-Reply-To: <jitske.wiersma.9@x.example>\r\n\r\nA\r\n"},
        {"Jitske Wiersma/verslag.txt": b"Niets bijzonders."},
        {"lijst_Douma.txt": b"Niets bijzonders.", "b.txt": b"douma@voorbeeld.example belde"},
        {"a.txt": b"Mail jitskewiersma@voorbeeld.example, j.dewiersma88@x.example of volg @jitskewiersma."},
        {"a.txt": b"Zie www.jitskewiersma.example, mail info@jitske-wiersma.example"},
        {"Wiersma, Jitske.txt": b"Niets bijzonders.", "Douma, J. de/a.txt": b"Ook niets."},
    ],
    ids=["address", "links", "technical field", "folder", "file name", "one word", "sites", "family first"],
)
def test_a_name_in_identifiers_alone_is_replaced(
    tmp_path: Path, open_vault: OpenVault, files: dict[str, bytes], scope: Scope
) -> None:
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out", scope=scope)
    assert leaks(tmp_path / "out") == []
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files
    report = run(open_vault, [tmp_path / "out"], tmp_path / "again", scope=scope)
    assert outputs(tmp_path / "again") == outputs(tmp_path / "out")
    assert report.mentions == 0


def test_an_address_here_and_a_name_there_are_one_person(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a.txt": b"mail jitske.wiersma@voorbeeld.example", "b.txt": b"Jitske Wiersma"}
    report = run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    written = outputs(tmp_path / "out")
    assert report.identities == 1
    assert written["a.txt"].lower().startswith(b"mail " + written["b.txt"].lower() + b"@")


def test_addresses_of_nobody_stay(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {
        "brief breda.txt": b"info@mol.example, administratie@douma-bouw.example, noreply@x.example, "
        b"secretariaat@x.example en https://breda.example/lijst.html"
    }
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    assert outputs(tmp_path / "out") == files


def test_given_mentions_are_not_added_to(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"a.txt": b"jitske.wiersma@voorbeeld.example"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out", given={})
    report = run(open_vault, [tmp_path / "in"], tmp_path / "out2", given={"a.txt": ()})
    assert report.mentions == 0


def test_one_text_by_itself(open_vault: OpenVault) -> None:
    with open_vault() as vault:
        project = Project.open(vault, PROJECT, ProjectOptions(load=load_fake))
        written = project.pseudonymize("mail jitske.wiersma@wiersma-bouw.nl")[0].text
    assert written is not None
    assert "wiersma" not in written
    assert "jitske" not in written
    assert written.endswith("@nymlink.example")  # the domain goes as it does in files


def test_names_of_files_that_become_one_stay_apart(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"Jitske Wiersma.txt": b"een", "jitske.wiersma.txt": b"twee", "Jitske  Wiersma.txt": b"drie"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    assert sorted(outputs(tmp_path / "out").values()) == [b"drie", b"een", b"twee"]
    assert leaks(tmp_path / "out") == []
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("mail_van_jitske.txt", "jitske"),
        ("Mail van Jitske.txt", "jitske"),
        ("Jitske/x.txt", "jitske"),
        ("jitske (2).txt", "jitske"),
        ("brief_van_wiersma.txt", "wiersma"),
        ("brief_aan_de_douma.txt", "douma"),
    ],
)
@pytest.mark.parametrize("text", [b"niets", b"Jitske Wiersma en Ada Douma"])
@pytest.mark.parametrize("scope", [Scope.PROJECT, Scope.DOCUMENT, Scope.OCCURRENCE])
def test_a_lone_name_in_a_path_is_replaced(
    tmp_path: Path, open_vault: OpenVault, name: str, gone: str, text: bytes, scope: Scope
) -> None:
    files = {name: text}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out", scope=scope)
    (written,) = outputs(tmp_path / "out")
    assert gone not in written.lower()
    assert written.count("/") == name.count("/")
    assert restored(open_vault, tmp_path / "out", tmp_path / "back") == files


def test_words_in_a_path_stay(tmp_path: Path, open_vault: OpenVault) -> None:
    files = {"brief_aan_mol.txt": b"niets", "lijst/brief van breda.txt": b"niets"}
    run(open_vault, [fill(tmp_path / "in", files)], tmp_path / "out")
    assert outputs(tmp_path / "out") == files


def test_a_name_in_a_path_is_revealed_as_it_stands_there(tmp_path: Path, open_vault: OpenVault) -> None:
    run(open_vault, [fill(tmp_path / "in", {"Jitske de Wiersma/a.txt": b"niets"})], tmp_path / "out")
    (written,) = outputs(tmp_path / "out")
    label = written.removesuffix("/a.txt")
    with open_vault() as vault:
        found = reveal(vault, project=PROJECT, pseudonyms=[label], purpose="test")[label]
    assert (found.name, found.forms) == ("Jitske de Wiersma", ("Jitske de Wiersma",))
