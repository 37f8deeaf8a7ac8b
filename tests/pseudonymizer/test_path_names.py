"""Names in the names of files, by the shipped lists: words that are names too stay where they are words."""

import pytest

from linkage.gazetteer import Gazetteer
from linkage.records import Document, DocumentId
from pseudonymizer.engine.spelled import path_mentions, path_text


@pytest.fixture(scope="module")
def lists() -> Gazetteer:
    return Gazetteer.load()


def found(path: str, lists: Gazetteer) -> list[str]:
    mentions, _ = path_mentions(Document(DocumentId("d"), path_text(path)), lists)
    return [mention.surface for mention in mentions]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("Jan.txt", "Jan"),
        ("jan.txt", "jan"),
        ("jan (2).txt", "jan"),
        ("Brief.Jan.txt", "Jan"),
        ("2024.Kees.txt", "Kees"),
        ("Verslag.Emma.docx.txt", "Emma"),
        ("Dr. Bakker.txt", "Bakker"),
        ("2024-03-01_jan.txt", "jan"),
        ("Sanne.docx", "Sanne"),
        ("mohammed.pdf", "mohammed"),
        ("Fatima/verslag.txt", "Fatima"),
        ("intake_sanne.docx", "sanne"),
        ("CV Jeroen.pdf", "Jeroen"),
        ("brief_van_jan.txt", "jan"),
        ("brief_aan_sanne.txt", "sanne"),
        ("mail voor Kees.txt", "Kees"),
        ("gesprek_met_ahmed.txt", "ahmed"),
        ("brief_aan_Roos.txt", "Roos"),
        ("foto_van_opa_henk.jpg", "henk"),
        ("brief van jan de vries.docx", "jan de vries"),
        ("brief_van_wiersma.txt", "wiersma"),
        ("brief_van_bakker.txt", "bakker"),
        ("brief_aan_mw_de_boer.txt", "de_boer"),
        ("ontslagbrief_mevr_de_wit.pdf", "de_wit"),
        ("brief_van_den_berg.txt", "van_den_berg"),
        ("brief_van_van_den_berg.txt", "van_den_berg"),
        ("foto_van_der_meer.jpg", "van_der_meer"),
        ("de_vries.txt", "de_vries"),
        ("jansen.txt", "jansen"),
        ("Wiersma.txt", "Wiersma"),
    ],
)
def test_who_is_named(path: str, name: str, lists: Gazetteer) -> None:
    assert found(path, lists) == [name]


@pytest.mark.parametrize(
    "path",
    [
        "brief_aan_bank.txt", "brief_van_school.txt", "brief_van_de_bank.txt", "brief_van_de_bakker.txt",
        "brief_aan_moeder.txt", "brief_aan_dokter.txt", "plan_voor_zomer.txt", "notulen_jan.txt",
        "jan2024.txt", "jan-2024.txt", "verslag_Jan_2024.txt", "mei.txt", "notulen_mei.txt", "bloem.txt",
        "brief_van_bos.txt",
        "brief_van_utrecht.txt", "route_van_den_haag.txt", "lijst_van_namen.txt", "main.py", "bin/index.html",
        "README.md", "brief_aan_bestuur.txt", "aantekeningen_voor_jury.txt", "regels.jsonl", "lief.txt",
        "Amsterdam.txt", "Breda/2023/verslag.txt", "star.txt", "art.txt",
    ],
)  # fmt: skip
def test_words_stay(path: str, lists: Gazetteer) -> None:
    assert found(path, lists) == []
