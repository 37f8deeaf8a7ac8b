"""The files that the kept runs read. All names are invented."""

import io
import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

MODIFIED: Final = 1_700_000_000  # seconds since 1970: the time of change that work files know of every input
LOOKS_LIKE_A_TOKEN: Final = "P1-7Q2M9KX4T8B6Z1N5W3RA"  # noqa: S105  of no project

MAIN: Final[Mapping[str, str]] = {
    "brieven/een.txt": "Aan Jasmijn Terlouwe,\r\n\r\nOp maandag sprak mevrouw Terlouwe met Ruben "
    "Oskamp-Vaart. "
    "Ruben vertelde dat Jasmijn al eerder had gebeld.\r\nMet groet,\r\nJ. Terlouwe\r\n",
    "brieven/twee.txt": "Verslag van Fenna van der Hulsbeek. Aanwezig: Ruben Oskamp-Vaart, Jasmijn "
    "Terlouwe en "
    "R. Oskamp-Vaart. Mail naar jasmijn.terlouwe@voorbeeld.example of "
    "fenna.vanderhulsbeek@voorbeeld.example.\n"
    f"Het kenmerk {LOOKS_LIKE_A_TOKEN} en de regel <PERSOON-9> staan in de brief.\n",
    "brieven/Fenna van der Hulsbeek.txt": "Fenna van der Hulsbeek en Jasmijn Terlouw kwamen samen.\n",
    "brieven/drie.txt": "Robert Eekmaat en Albert Eekmaat waren er allebei. Later zei Bert dat hij "
    "niets wist. "
    "Ook Anna Vlietkamp kwam.\n",
    "brieven/vier.txt": "Anneke Vlietkamp belde met B. Eekmaat. Hanna Vlietkamp was er niet, A. "
    "Vlietkamp wel.\n",
    "tabel.csv": "Voornaam;Achternaam;Notitie\r\nDaan;Wiegersma;Daan belde met Ruben Oskamp-Vaart\r\n"
    "Mirjam;Ottevanger;geen bijzonderheden\r\n",
    "regels.jsonl": '{"id": "r1", "text": "Mirjam Ottevanger sprak met Daan Wiegersma."}\n'
    '{"id": "r2", "text": "D. Wiegersma schreef aan Fenna van der Hulsbeek."}\n',
    "bericht.eml": "From: Daan Wiegersma <daan.wiegersma@voorbeeld.example>\r\nTo: "
    "mirjam@voorbeeld.example\r\n"
    "Subject: Afspraak met Mirjam Ottevanger\r\nMIME-Version: 1.0\r\n"
    "Content-Type: text/plain; charset=utf-8\r\n\r\nDag Mirjam,\r\n\r\nFenna van der Hulsbeek komt "
    "ook.\r\n\r\n"
    "Daan Wiegersma\r\n",
    "bladzijde.html": "<!DOCTYPE html>\n<html><head><title>Fenna van der Hulsbeek</title></head>\n"
    "<body><p>Gesprek met <b>Mirjam</b> Ottevanger &amp; Ruben Oskamp-Vaart.</p></body></html>\n",
    ".DS_Store": "left by an operating system",
}
FULL_NAMES: Final = (
    "Jasmijn Terlouwe", "Ruben Oskamp-Vaart", "Fenna van der Hulsbeek", "Daan Wiegersma", "Mirjam Ottevanger",
)  # fmt: skip
# Full names alone: deterministic mode gives these the same tokens whenever a run was killed.
KILLED: Final[Mapping[str, str]] = {
    f"map{number % 2}/brief{number}.txt": f"Op dag {number} sprak {FULL_NAMES[number % 5]} met "
    f"{FULL_NAMES[(number + 2) % 5]} over het plan.\n"
    for number in range(6)
}
SETTINGS: Final = """\
[recognition]
language = "nl"
names_files = ["namen.txt"]
persons_file = "personen.csv"
allow_file = "toegestaan.txt"
deny_file = "geweigerd.txt"
find_typing_errors = false
corpus_consistency = false
{model}
[linking]
{classifier}link_threshold = 0.93
review_threshold = 0.4
max_block_size = 1500

[pseudonyms]
style = "surrogate"
kinds = {{ email = "token", handle = "token", url = "token", path = "surrogate", text = "surrogate" }}
keep_initials = true
keep_family = false
keep_professionals = true
keep_domain = true
mark = false
tag_word = "MENS"
"""
LISTS: Final[Mapping[str, str]] = {
    "namen.txt": "Ottevanger\nWiegersma\n",
    "personen.csv": "id;voornaam;achternaam;geboortedatum\n17;Jasmijn;Terlouwe;1980-02-03\n"
    "18;Ruben;Oskamp-Vaart;\n",
    "toegestaan.txt": "Hulsbeek\n",
    "geweigerd.txt": "Voorbeeld\n",
    "every_key.toml": SETTINGS.format(
        model='ner_model = "eigen/ner.pt"\n', classifier='classifier = "eigen/classifier.json"\n'
    ),
    "run.toml": SETTINGS.format(model="", classifier=""),
}


def write_inputs(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())
        os.utime(place, (MODIFIED, MODIFIED))


def word_file() -> bytes:
    """A Word file of one paragraph, a name in two runs of it."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    office = "http://schemas.openxmlformats.org"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{office}/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        'wordprocessingml.document.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>'
        "</Relationships>",
        "word/document.xml": f'<w:document xmlns:w="{office}/wordprocessingml/2006/main"><w:body><w:p>'
        '<w:r><w:t xml:space="preserve">Notitie van Mirjam </w:t></w:r><w:r><w:t>Ottevanger</w:t></w:r>'
        '<w:r><w:t xml:space="preserve"> voor Ruben Oskamp-Vaart.</w:t></w:r></w:p></w:body></w:document>',
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in parts.items():
            packed.writestr(zipfile.ZipInfo(name, (2024, 1, 2, 3, 4, 6)), head + text)
    return made.getvalue()


def large_file() -> str:
    """Lines of JSON with much white space between their fields: above 2 MB, so that it is read in units."""
    texts = [f"{FULL_NAMES[n % 5]} schreef aan {FULL_NAMES[(n + 1) % 5]}." for n in range(8)]
    return "".join(json.dumps({"text": text})[:-1] + " " * 300_000 + "}\n" for text in texts)
