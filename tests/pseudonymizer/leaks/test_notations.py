"""What a written file says in the notations of its format is read by the check for names that are left."""

import base64
import json
from urllib.parse import quote, quote_plus

import pytest

from pseudonymizer.leaks import read_again
from pseudonymizer.leaks.notations import NOTATIONS, readings
from tests.pseudonymizer.formats import samples

NAME = "Zoë van 't Hoff"
WAYS = {
    "percent": quote(NAME),
    "percent with plus": quote_plus(NAME),
    "quoted-printable": "met Zo=C3=AB van 't=20Hof=\r\nf gebeld",
    "calendar, folded": "BEGIN:VCALENDAR\r\nSUMMARY:met Zoë va\r\n n 't Hof\r\n f en meer\r\nEND:VCALENDAR",
    "card, parts in order": "BEGIN:VCARD\r\nN:Hoff;Zoë;van 't;;\r\nEND:VCARD",
    "card, escaped": "BEGIN:VCARD\r\nNOTE:bel\\nZoë van\\ 't Hoff\\, graag\r\nEND:VCARD",
    "notebook": json.dumps({"source": ["met Zoë van ", "'t Hoff\n"]}),
    "JSON": json.dumps({"tekst": f"met\t{NAME}\nen"}),
    "TeX": "met Zo\\\"{e} van~'t Hoff",
    "TeX in braces": 'met {\\"Z}o{\\"e} van~\'t Hoff'.replace('{\\"Z}', "Z"),
    "YAML, codes": 'naam: "Zo\\xeb van \'t Hoff"',
    "YAML, over lines": "naam: >\n  met Zoë\n  van 't Hoff\n",
    "YAML, doubled": "naam: 'Zoë van ''t Hoff'",
    "SQL": "INSERT INTO p VALUES (1, 'Zoë van ''t Hoff');",
    "entities": "<p>Zo&euml; van &#39;t Hoff</p>",
    "RTF": "{\\rtf1\\ansi Zo\\'eb van 't Hoff\\par}",
    "hexadecimal": f"waarde {NAME.encode().hex()} einde",
    "hexadecimal of UTF-16": f"titel feff{NAME.encode('utf-16-be').hex()}",
    "base64": base64.b64encode(f"gebeld met {NAME}, dank".encode()).decode(),
    "base64 of addresses": base64.urlsafe_b64encode(f"??>>gebeld met {NAME}, dank".encode()).decode(),
    "base64 of UTF-16": base64.b64encode(f"gebeld met {NAME}, dank".encode("utf-16")).decode(),
    "wrong encoding": "met ZoÃ« van â€™t Hoff".replace("â€™", "'"),
    "JSON in an address": quote(json.dumps({"tekst": f"met {NAME}"})),
    "entities in JSON": json.dumps({"pagina": "<p>met Zo&euml; van &#39;t Hoff</p>"}),
}


def says(raw: bytes) -> bool:
    again = read_again(raw, [NAME], most_bytes=1_000_000)
    return bool(again.values)


@pytest.mark.parametrize("way", WAYS)
def test_a_name_is_seen_in_every_notation(way: str) -> None:
    assert says(WAYS[way].encode())
    other = WAYS[way].replace("Hof", "Mol").replace(NAME.encode().hex(), "Zoë van 't Mol".encode().hex())
    if other != WAYS[way] and "base64" not in way and "hex" not in way:
        assert not says(other.encode())


def test_a_text_in_utf_16_is_read() -> None:
    assert says(f"gebeld met {NAME}".encode("utf-16"))


@pytest.mark.parametrize("name", ["ics", "vcf", "vtt", "ipynb", "log", "sql", "tex", "yaml"])
def test_names_of_generated_files_are_seen(name: str) -> None:
    raw = getattr(samples, name)([NAME, "Bas Terpstra"], [f"Gebeld met {NAME}.", "Bas Terpstra kwam."])
    assert says(raw)


def test_plain_words_have_no_other_reading() -> None:
    assert list(readings("Gewoon een zin, met komma's en (haakjes).")) == []
    assert len(NOTATIONS) > 10
