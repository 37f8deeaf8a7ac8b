"""The table of kinds: what it refuses, and what it says."""

import pickle

import pytest

from linkage.errors import KindsError
from linkage.kinds import PERSON, Kinds, Needs, patterns_of
from linkage.texts import KindId

_ROW = (
    'category = "ID"\nwords = { en = "THING" }\nletter = "T"\nlink = "value"\n'
    'direct = true\ndefault = "code"\n'
)


def test_every_kind_has_an_english_and_a_dutch_word() -> None:
    kinds = Kinds.load()
    assert {"nl", "en"} <= set(kinds[PERSON].words)
    assert all({"nl", "en"} <= set(kind.words) for kind in kinds.values())


def test_schemes_name_known_kinds_alone_and_each_once() -> None:
    for labels in Kinds.load().schemes.values():
        named = [kind for kinds in labels.values() for kind in kinds]
        assert len(named) == len(set(named))


def test_direct_identifiers_are_those_of_the_labels() -> None:
    direct = Kinds.load().direct
    assert {"PERSON", "USERNAME", "EMAIL", "NATIONAL_ID", "STREET", "POSTCODE", "BIRTH_DATE"} <= direct
    assert not {"CITY", "DATE", "MONEY", "FILE", "NUMBER"} & direct


def test_a_kind_that_borrows_patterns_needs_a_cue() -> None:
    toml = (
        f"[kinds.A]\n{_ROW}[[kinds.A.patterns]]\nid = 'a'\nregex = 'x'\nneeds = 'shape'\n"
        f"[kinds.B]\n{_ROW}like = 'A'\n[schemes]\n"
    )
    (borrowed,) = patterns_of(Kinds.of_toml(toml.encode()), KindId("B"))
    assert borrowed.needs is Needs.CUE


def test_a_list_of_kinds_may_name_categories() -> None:
    chosen = Kinds.load().chosen("person, contact")
    assert {"PERSON", "EMAIL", "PHONE"} <= chosen
    assert "DATE" not in chosen
    assert Kinds.load().chosen("all") == frozenset(Kinds.load())
    with pytest.raises(KindsError, match="no such kind"):
        Kinds.load().chosen("preson")


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        (f"[kinds.A]\n{_ROW}colour = 1\n[schemes]\n", "colour"),
        (f"[kinds.A]\n{_ROW}like = 'Z'\n[schemes]\n", "unknown kind Z"),
        (f"[kinds.A]\n{_ROW}[schemes.s]\nX = ['Z']\n", "unknown kind Z"),
        (f"[kinds.A]\n{_ROW}[schemes.s]\nX = ['A:box']\n", "unknown kind A:box"),
        ("[kinds.A]\ncategory = 1\n", "category"),
        (
            f"[kinds.A]\n{_ROW}[[kinds.A.patterns]]\nid = 'a'\nregex = 'x'\nneeds = 'luck'\n[schemes]\n",
            "luck",
        ),
    ],
)
def test_a_damaged_table_is_refused_with_the_field(toml: str, message: str) -> None:
    with pytest.raises(KindsError, match=message):
        Kinds.of_toml(toml.encode())


def test_a_pattern_may_use_a_shape_of_the_table() -> None:
    row = "\n".join(
        [
            "[shapes]",
            "CODE = '[A-Z]{2}-[0-9]+'",
            "[kinds.CASE_NUMBER]",
            "category = 'ID'",
            "words = { en = 'CASE' }",
            "letter = 'C'",
            "link = 'value'",
            "direct = true",
            "default = 'code'",
            "[[kinds.CASE_NUMBER.patterns]]",
            "id = 'case'",
            "regex = '({CODE})(?={MONTH})'",
            "needs = 'shape'",
            "[schemes]",
        ]
    )
    (kind,) = Kinds.of_toml(row.encode()).values()
    assert kind.patterns[0].regex == "([A-Z]{2}-[0-9]+)(?={MONTH})"


def test_kinds_can_be_sent_to_another_process() -> None:
    kinds = Kinds.load()
    sent: Kinds = pickle.loads(pickle.dumps(kinds))  # noqa: S301  its own bytes
    assert sent == kinds
    assert list(sent) == list(kinds)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("bsn", "NATIONAL_ID"), ("iban", "BANK_ACCOUNT"), ("Telefoon", "PHONE"), ("kenteken", "VEHICLE"),
        ("naam", "PERSON"), ("persn", "PERSON"), ("birth-dat", "BIRTH_DATE"),
    ],
)  # fmt: skip
def test_what_a_kind_is_called_elsewhere_leads_to_it(typed: str, meant: str) -> None:
    kinds = Kinds.load()
    assert kinds.question(typed) == f"did you mean {meant}? "
    with pytest.raises(KindsError, match=rf"^there is no such kind; did you mean {meant}\? known: all"):
        kinds.chosen(f"email,{typed}")


def test_a_word_that_means_no_kind_is_asked_for_no_kind() -> None:
    assert Kinds.load().question("zwoitek") == ""
