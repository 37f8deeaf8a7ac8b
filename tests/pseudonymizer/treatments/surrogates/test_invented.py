"""Invented values: of the right type, in the spelling of the real one, and nobody's."""

import ipaddress
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban, imei, luhn
from stdnum.be import nn
from stdnum.nl import bsn

from linkage.detection import find_values
from linkage.detection.validators.citizens import compact
from linkage.detection.values import normal_form
from linkage.gazetteer import Gazetteer
from linkage.kinds import KindId
from linkage.language import Language
from linkage.language.tables import read_table
from linkage.settings import data_directory
from pseudonymizer.treatments.surrogates import InventedValues
from pseudonymizer.treatments.treatment import TreatedValue
from pseudonymizer.values import Candidate, Value

_DUTCH: Final = Language.load("nl")
_SPELLED: Final = Path(__file__).parents[3] / "linkage" / "detection" / "spellings"
_KINDS: Final = sorted(
    path.stem for path in _SPELLED.glob("*.txt") if path.stem in InventedValues(b"", {}).kinds
)
_LINES: Final = [
    (kind, line)
    for kind in _KINDS
    for line in (_SPELLED / f"{kind}.txt").read_text(encoding="utf-8").splitlines()
]
# Of these, some have no cue word in their sentence: they pass a check or have a shape that no surrogate has.
_CHECKED: Final = {
    "BANK_ACCOUNT",
    "PAYMENT_CARD",
    "NATIONAL_ID",
    "COMPANY_NUMBER",
    "DEVICE",
    "PHONE",
    "CASE_NUMBER",
    "POSTCODE",
}

_NOT_READ: Final = {"112"}  # other short numbers than those for emergencies are read with a name before them


def _candidates(
    kind: str, text: str, *, country: str = "international", attempt: int = 0, key: bytes = b"k" * 32
) -> Sequence[Candidate]:
    value = Value(kind, normal_form(KindId(kind), text))
    spelled = TreatedValue(KindId(kind), value.normal, text, country)
    return InventedValues(key, {value: spelled})(value, attempt)


def _text(kind: str, text: str, *, country: str = "international", attempt: int = 0) -> str:
    return _candidates(kind, text, country=country, attempt=attempt)[0].text


@pytest.mark.parametrize(("kind", "line"), _LINES)
def test_a_surrogate_takes_the_place_of_each_spelling(kind: str, line: str) -> None:
    before, _, rest = line.partition("«")
    text, _, after = rest.partition("»")
    found = [value for value in find_values(before + text + after, _DUTCH) if value.kind == kind]
    value = Value(kind, found[0].normal if found else normal_form(KindId(kind), text))
    spelled = TreatedValue(KindId(kind), value.normal, text, found[0].country if found else "international")
    candidates = InventedValues(b"k" * 32, {value: spelled})(value, 0)
    assert candidates
    for candidate in candidates:
        assert candidate.text != text
        assert candidate.normal not in ("", value.normal)
        assert candidate.normal == normal_form(KindId(kind), candidate.text)
    if not found or text in _NOT_READ or (kind in _CHECKED and not found[0].cued):
        return
    written = before + candidates[0].text + after
    assert candidates[0].text in [
        one.span.cut(written) for one in find_values(written, _DUTCH) if one.kind == kind
    ]


def test_the_same_candidates_for_the_same_value_and_others_at_the_next_attempt() -> None:
    first = _candidates("PHONE", "06-12345678")
    assert first == _candidates("PHONE", "06-12345678")
    assert set(first).isdisjoint(_candidates("PHONE", "06-12345678", attempt=1))
    assert set(first).isdisjoint(_candidates("PHONE", "06-12345678", key=b"l" * 32))


def test_kinds_without_surrogates_and_what_cannot_be_read_have_no_candidates() -> None:
    assert _candidates("DATE", "12-03-1951") == ()
    assert _candidates("EMAIL", "geen adres") == ()
    assert _candidates("PHONE", "geen") == ()


def test_every_kind_that_may_be_replaced_by_a_surrogate_has_one() -> None:
    texts = {"STREET": "Havenstraat 2", "POSTCODE": "8933 KT", "USERNAME": "@ab_12", "URL": "www.x.nl"}
    texts |= {"EMAIL": "a.b@x.nl"}
    for kind in InventedValues(b"k" * 32, {}).kinds:
        text = texts.get(kind) or next(
            line.partition("«")[2].partition("»")[0] for own, line in _LINES if own == kind
        )
        assert _candidates(kind, text)


def test_a_value_that_was_never_met_is_written_as_its_normal_form() -> None:
    (first, *_) = InventedValues(b"k" * 32, {})(Value("BANK_ACCOUNT", "NL26RABO5406135895"), 0)
    assert re.fullmatch(r"NL\d\d[A-Z]{4}\d{10}", first.text)


@settings(max_examples=30)
@given(number=st.integers(1_000_000, 99_999_999), key=st.binary(min_size=32, max_size=32))
def test_no_citizen_number_account_or_card_passes_its_check(number: int, key: bytes) -> None:
    citizen = f"{number:08d}{sum(int(sign) * (9 - n) for n, sign in enumerate(f'{number:08d}')) % 11 % 10}"
    for candidate in _candidates("NATIONAL_ID", citizen, country="NL", key=key):
        assert not bsn.is_valid(compact(candidate.text))
    account = f"NL{iban.calc_check_digits(f'NL00BANK00{number:08d}')}BANK00{number:08d}"
    for candidate in _candidates("BANK_ACCOUNT", account, key=key):
        assert candidate.text[:2] == "NL"
        assert not iban.is_valid(candidate.text)
    card = f"47891024{number:07d}"[:15]
    card += luhn.calc_check_digit(card)
    for candidate in _candidates("PAYMENT_CARD", card, key=key):
        assert not luhn.is_valid(compact(candidate.text))


def test_numbers_with_a_day_of_birth_hold_another_day_and_fail() -> None:
    text = _text("NATIONAL_ID", "78.10.27-010.15", country="BE")
    assert re.fullmatch(r"\d\d\.\d\d\.\d\d-\d{3}\.\d\d", text)
    assert int(compact(text)[2:4]) % 20 <= 12
    assert not nn.is_valid(compact(text))
    assert not imei.is_valid(_text("DEVICE", "353081614099169"))


@pytest.mark.parametrize(
    ("text", "country", "form"),
    [
        ("TX-918-P", "international", r"Q[A-Z]-\d{3}-[A-Z]"), ("tx918p", "NL", r"q[a-z]\d{3}[a-z]"),
        ("12-AB-34", "NL", r"\d\d-Q[A-Z]-\d\d"), ("1-ABC-123", "BE", r"\d-[A-Z]{3}-000"),
        ("ABC-123", "BE", r"[A-Z]{3}-000"), ("B-AB 1234", "DE", r"X-[A-Z]{2} \d{4}"),
        ("AB12 CDE", "international", r"I[A-Z]\d\d [A-Z]{3}"),
        ("1HGCM82633A004352", "international", r"0\w{16}"),
    ],
)  # fmt: skip
def test_plates_of_series_that_are_never_issued(text: str, country: str, form: str) -> None:
    assert re.fullmatch(form, _text("VEHICLE", text, country=country))


@pytest.mark.parametrize(
    ("text", "country", "form"),
    [
        ("8933 KT", "NL", r"0\d{3} [A-Z]{2}"), ("8933KT", "international", r"0\d{3}[A-Z]{2}"),
        ("10115", "DE", r"00\d{3}"), ("D-10115", "international", r"D-00\d{3}"), ("1000", "BE", r"0\d{3}"),
        ("B-1000", "international", r"B-0\d{3}"), ("20121", "IT", r"99\d{3}"), ("02139", "US", r"000\d\d"),
        ("SW1A 1AA", "GB", r"ZY\d[A-Z] \d[A-Z]{2}"), ("M1 1AE", "GB", r"Z\d \d[A-Z]{2}"),
    ],
)  # fmt: skip
def test_post_codes_of_no_area(text: str, country: str, form: str) -> None:
    assert re.fullmatch(form, _text("POSTCODE", text, country=country))


@pytest.mark.parametrize(
    ("kind", "text", "country", "form"),
    [
        ("COMPANY_NUMBER", "71440982", "NL", r"00\d{6}"),
        ("COMPANY_NUMBER", "HRB 30417 P", "DE", r"HRB 0\d{4} P"),
        ("COMPANY_NUMBER", "CHE-714.945.086", "CH", r"CHE-0\d\d\.\d{3}\.\d{3}"),
        ("PROFESSIONAL_LICENCE", "29047718301", "NL", r"00\d{9}"),
        ("IDENTITY_DOCUMENT", "NXB4RP7L1", "NL", r"O[A-Z]{2}\d[A-Z]{2}\d[A-Z]\d"),
        ("IDENTITY_DOCUMENT", "4512789632", "international", r"000\d{7}"),
        ("NATIONAL_ID", "2790001234", "NL", r"000\d{7}"),
        ("BANK_ACCOUNT", "P 4412345", "international", r"P 0\d{6}"),
        ("BANK_ACCOUNT", "NL** RABO **** 88", "international", r"NL\*\* [A-Z]{4} \*{4} \d\d"),
        ("BANK_ACCOUNT", "NL91 ABNA XXXX XX43 00", "international", r"NL\d\d [A-Z]{4} XXXX XX\d\d \d\d"),
        ("PAYMENT_CARD", "xxxx-xxxx-xxxx-4807", "international", r"xxxx-xxxx-xxxx-\d{4}"),
        ("CASE_NUMBER", "10284417 CV EXPL 22-3391", "NL", r"\d{8} CV EXPL \d\d-\d{4}"),
        ("DEVICE", "00:1A:2b:3C:4D:5E", "international", r"[0-9a-f][26ae](?::[0-9a-f]{2}){5}"),
        ("DEVICE", "001A.2B3C.4D5E", "international", r"[0-9A-F][26AE][0-9A-F]{2}\.[0-9A-F]{4}\.[0-9A-F]{4}"),
    ],
)  # fmt: skip
def test_numbers_from_ranges_that_are_never_given(kind: str, text: str, country: str, form: str) -> None:
    for attempt in range(5):
        assert re.fullmatch(form, _text(kind, text, country=country, attempt=attempt))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("06-12345678", r"06-0\d{7}"), ("06 12 34 56 78", r"06 0\d \d\d \d\d \d\d"),
        ("+31 (0)6 12 34 56 78", r"\+31 \(0\)6 0\d \d\d \d\d \d\d"), ("0031612345678", r"003160\d{7}"),
        ("010-1234567", r"01[49]-\d{7}"), ("0592 - 33 10 48", r"01[49]\d - \d\d \d\d \d\d"),
        ("+32 472 60 11 93", r"\+32 44\d \d\d \d\d \d\d"),
        ("+32 (0)9 340 11 78", r"\+32 \(0\)1 [78]\d\d \d\d \d\d"),
        ("+49 30 123456", r"\+49 (?:30 23125|40 66969|69 90009|89 99998|221 4710)\d{3}"),
        ("+44 7700 112233", r"\+44 7700 900\d{3}"),
        ("+44 (0)1223 334455", r"\+44 (?:\(0\))?\d{2,4} ?(?:960|496|7946)\d* ?\d*"),
        ("+1 212 736 5000", r"\+1 \d{3} 555 01\d\d"), ("+353 20 911 2345", r"\+353 20 91\d \d{4}"),
        ("+33 1 42 68 53 00", r"\+33 (?:1 99 00|2 61 91|3 53 01|4 65 71|5 36 49) \d\d \d\d"),
        ("0900 - 5550", r"0999 - \d{4}"),
        ("010-1234567 tst. 12", r"01[49]-\d{7} tst\. \d\d"),
        ("4471", r"\d{4}"),
    ],
)  # fmt: skip
def test_telephone_numbers_for_fiction_or_of_no_area(text: str, form: str) -> None:
    for attempt in range(5):
        assert re.fullmatch(form, _text("PHONE", text, attempt=attempt))


@given(number=st.integers(10_000_000, 99_999_999), kind=st.sampled_from(["PHONE", "FAX"]))
@settings(max_examples=50)
def test_no_dutch_or_belgian_number_can_be_called(number: int, kind: str) -> None:
    for text, region in (
        (f"06{number}", "NL"),
        (f"0{number % 9 + 1}{number}", "NL"),
        (f"+32 4{number}", "BE"),
    ):
        for candidate in _candidates(kind, text):
            assert not phonenumbers.is_valid_number(phonenumbers.parse(candidate.text, region))


def test_addresses_in_networks_for_documentation() -> None:
    documentation = [
        ipaddress.ip_network(row["network"])
        for row in read_table(data_directory() / "treatments" / "addresses.tsv", ("network",))
    ]
    for text in ("10.4.18.77", "8.8.8.8", "2001:4860:4860::8888"):
        for attempt in range(5):
            address = ipaddress.ip_address(_text("IP_ADDRESS", text, attempt=attempt))
            assert any(address in network for network in documentation)


@pytest.mark.parametrize(
    ("kind", "text", "form"),
    [
        ("EMAIL", "j.devries84@voorbeeld.nl", r"[a-z]\.[a-z]{7}\d\d@[a-z]{7}\.example"),
        ("EMAIL", "jan at x dot nl", r"[a-z]{3} at [a-z]{7} dot example"),
        ("EMAIL", "jan [at] x.nl", r"[a-z]{3} \[at\] [a-z]{7}\.example"),
        ("URL", "https://www.bedrijf.nl/pad/jan?x=1", r"https://www\.[a-z]{7}\.example/[a-z]{3}/[a-z]{3}\?[a-z]=\d"),
        ("URL", "bedrijf.nl", r"[a-z]{7}\.example"),
        ("URL", "ftp://a:b@bedrijf.nl:21/x", r"ftp://[a-z]:[a-z]@[a-z]{7}\.example:21/[a-z]"),
        ("USERNAME", "@jan_84", r"@[a-z]{3}_\d\d"),
    ],
)  # fmt: skip
def test_addresses_in_reserved_domains(kind: str, text: str, form: str) -> None:
    assert re.fullmatch(form, _text(kind, text))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Havenstraat 201-2hoog", r"[A-Z][a-z]+straat \d{3}-\dhoog"),
        ("Laan van Meerdervoort 5a", r"Laan [A-Z][a-z]+ \d[a-z]"),
        ("Postbus 90151", r"Postbus 0\d{4}"),
        ("Hauptstraße 5", r"[A-Z][a-z]+straße \d"),
        ("12 High Street", r"\d\d [A-Z][a-z]+ Street"),
        ("Kerkweg 3, bus 4", r"[A-Z][a-z]+weg \d, bus \d"), ("'s-Gravelandseweg 12", r"[A-Z][a-z]+weg \d\d"),
        ("DORPSSTRAAT 8", r"[A-Z]+STRAAT \d"),
        ("Lange Haven 7", r"[A-Z][a-z]+haven \d"),
        ("Prins Hendrikplein", r"[A-Z][a-z]+plein"),
        ("kerkstraat 12 bis", r"[a-z]+straat \d\d bis"),
        ("Via Roma 12", r"Via [A-Z][a-z]+ \d\d"),
        ("Berliner Allee 3", r"[A-Z][a-z]+ Allee \d"),
        ("Keizersgracht 1", r"[A-Z][a-z]+gracht \d"), ("Am Markt 2", r"[A-Z][a-z]+markt \d"),
        ("Plein 1944 nr 3", r"[A-Z][a-z]+plein nr \d"),
    ],
)  # fmt: skip
def test_streets_for_streets(text: str, form: str) -> None:
    assert re.fullmatch(form, _text("STREET", text))


def test_made_names_of_streets_are_no_words_towns_or_people() -> None:
    known = Gazetteer.load()
    rows = list(read_table(data_directory() / "treatments" / "street_names.tsv", ("place", "syllable")))
    first = [row["syllable"] for row in rows if row["place"] == "first"]
    second = [row["syllable"] for row in rows if row["place"] == "second"]
    for name in (start + end for start in first for end in second):
        assert not known.is_place(name)
        assert not known.is_surname(name)
        assert known.zipf(name) == 0


def test_a_street_and_an_address_are_invented_in_the_language_of_their_text() -> None:
    """A "Hang" is a street, and "punkt" a full stop, in German alone."""
    street = Value("STREET", "hang 3")
    address = Value("EMAIL", "els@post.de")
    spelled = {
        street: TreatedValue(KindId("STREET"), "hang 3", "Hang 3", language="de"),
        address: TreatedValue(KindId("EMAIL"), "els@post.de", "els@post punkt de", language="de"),
    }
    german = InventedValues(b"k" * 32, spelled)
    assert re.fullmatch(r"[A-Z][a-z]+hang \d", german(street, 0)[0].text)
    assert re.fullmatch(r"[a-z]{3}@[a-z]{7} punkt example", german(address, 0)[0].text)


def test_no_repr_shows_a_candidate() -> None:
    assert "06-" not in repr(_candidates("PHONE", "06-12345678"))
