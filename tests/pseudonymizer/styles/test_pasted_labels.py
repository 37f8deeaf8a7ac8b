"""Codes, tokens and tags in edited text: the readings of a place."""

import gzip
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from linkage.settings import data_directory
from pseudonymizer.styles.code import CodeLabels, CodeMaker, code_of
from pseudonymizer.styles.labels import LabelRequest
from pseudonymizer.styles.looks import kind_words
from pseudonymizer.styles.pasted_labels import label_places
from pseudonymizer.styles.readable_text import ReadableText

WORDS = frozenset({"PERSOON", "PERSON", "KENTEKEN"})
TOKEN = "P1-CHWEG64023FVH4DHS69M"  # noqa: S105  a label
TEXTS = Path(__file__).parents[4] / "shared" / "data" / "text"


def readings(text: str) -> list[tuple[str, str]]:
    """(label, what gives way) of the certain readings, in the order of the text."""
    found = [
        (reading.span.start, reading.text, reading.span.cut(text))
        for place in label_places(text, WORDS)
        for reading in place.readings
        if reading.is_certain
    ]
    return [rest for _, *rest in sorted(found)]  # type: ignore[misc]


def shown(text: str) -> list[str]:
    return [place.shown for place in label_places(text, WORDS) if place.shown]


@pytest.mark.parametrize(
    "text",
    [
        "PERSOON-7KQM3", "persoon-7kqm3", "Persoon-7KQM3", "PERSOON-\n7KQM3", "PERSOON-7K\nQM3",
        "PERSOON-7K-\n> QM3", "PERSOON-7K\u00adQM3", r"PERSOON\-7KQM3", "PERSOON\u20117KQM3",
        "PERSOON\u20137KQM3", "PERSOON 7KQM3", "PERSOON7KQM3", "persoon7kqm3", "PERSOON_7KQM3",
        "PERSOON&#8209;7KQM3", "PERSOON-7K\u200bQM3", "PERSOON-7K<wbr>QM3",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""), ("**", "**"), ("`", "`"), ("(", ")"), ("[", "]"), ("_", "_"), ('"', '"'), ("<b>", "</b>"),
        ("voor ", "s auto"), ("", "'s"), ("", "."), ("zie: ", ", en"), ("", "\nDaarna"), ("x\\n", "\\nx"),
    ],
)  # fmt: skip
def test_a_code_is_read_as_people_and_programs_write_it(text: str, before: str, after: str) -> None:
    assert ("7KQM3", text) in [tuple(one) for one in readings(before + text + after)]


@pytest.mark.parametrize("text", ["7KQM3", "(7KQM3)", "7KQM3s", "7KQM3's", "x 7KQM3, y", '"7KQM3"'])
def test_a_code_in_capitals_needs_no_word(text: str) -> None:
    assert [tuple(one) for one in readings(text)] == [("7KQM3", "7KQM3")]


@pytest.mark.parametrize(
    "text",
    [
        "7kqm3", "x7KQM3", "7KQM3x", "AB-7KQ-7KQM3-9X", "https://x.nl/7KQM3", "#7KQM3", "7KQM3.txt",
        "PERSOON-KAART", "persoon-12345", "PERSOON-7KQ\nM\n3",
    ],
)  # fmt: skip
def test_what_is_no_code(text: str) -> None:
    assert [one for one in readings(text) if one[0] in {"7KQM3", "KAART", "12345", "12ABC"}] == []


@pytest.mark.parametrize(
    "text",
    [
        TOKEN, TOKEN.lower(), TOKEN.replace("-", "\\-"), TOKEN.replace("-", "\u2011"), TOKEN.replace("-", ""),
        TOKEN.replace("-", "\u2013"), TOKEN.replace("-", "_"), f"{TOKEN[:12]}\n{TOKEN[12:]}",
        f"{TOKEN[:12]}\u200b{TOKEN[12:]}", TOKEN.replace("0", "O"), TOKEN.replace("-", "-\n"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("after", ["", "s", "'s", ".", "\nDit is", "**", "</b>"])
def test_a_token_is_read(text: str, after: str) -> None:
    assert [tuple(one) for one in readings(text + after) if len(one[0]) > 9] == [(TOKEN, text)]


@pytest.mark.parametrize(
    "text",
    [
        "<PERSOON-3>", "<Persoon-3>", r"\<PERSOON-3\>", "&lt;PERSOON-3&gt;", "PERSOON-3", "[PERSOON-3]",
        "<PERSOON\u20113>", "<PERSOON-\n3>", "<PERSOON 3>", r"<PERSOON\_3>", r"\u003cPERSOON-3\u003e",
        "%3CPERSOON-3%3E",
    ],
)  # fmt: skip
@pytest.mark.parametrize("after", ["", "'s", ".", ", en", "**", "s"])
def test_a_tag_is_read(text: str, after: str) -> None:
    assert [tuple(one) for one in readings(text + after)] == [("<PERSOON-3>", text)]


@pytest.mark.parametrize(
    "text", ["persoon-3", "PERSOON-3\n1 x", "PERSOON-3.5", "PERSOON-3-a", "PERSOON 3", "PERSOON-3a"]
)
def test_a_tag_without_brackets_that_may_be_something_else_is_not_certain(text: str) -> None:
    assert readings(text) == []


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("PERSOON-7KQM", ["PERSOON-7KQM"]),
        ("persoon-7kqm4", ["PERSOON-7KQM4"]), ("<PERSOON-99>", ["<PERSOON-99>"]),
        ("<PERSON-1>", ["<PERSON-1>"]), ("PERSOON-99", ["<PERSOON-99>"]), ("KENTEKEN-3", []),
        (TOKEN[:-1], [TOKEN[:-1]]),
        ("COVID-19A", []), ("7KQM4", []), ("PERSOON-KRAN", ["PERSOON-KRAN"]), ("Persoon-kaart", []),
        ("PERSOON-LIJST", []), ("PERSOON-GEBONDEN", []), ("de persoon 3", []),
    ],
)  # fmt: skip
def test_what_looks_like_a_label_is_listed(text: str, listed: list[str]) -> None:
    assert shown(text) == listed


def test_a_tag_without_its_hyphen_needs_its_brackets() -> None:
    assert ["<PERSOON-3>", "<PERSOON3>"] in [list(one) for one in readings("<PERSOON3>")]
    assert "<PERSOON-3>" not in [label for label, _ in readings("PERSOON3")]
    assert shown("[KENTEKEN 253] [kenteken253]") == []


def test_no_word_of_the_dutch_list_reads_as_a_code() -> None:
    raw = (data_directory() / "languages" / "nl" / "lexicon" / "words" / "words.tsv.gz").read_bytes()
    words = [line.split("\t")[0] for line in gzip.decompress(raw).decode().splitlines()]
    assert len(words) > 50_000
    for case in (str, str.upper):
        text = "\n\n".join(map(case, words))
        found = [reading for place in label_places(text, WORDS) for reading in place.readings]
        assert [one.text for one in found if not any(map(str.isdigit, one.span.cut(text)))] == []
    for text in _texts_of(f"PERSOON-{word.upper()}" for word in words):
        assert [place for place in label_places(text, WORDS) if place.readings] == []


def _texts_of(labels: Iterable[str]) -> Iterator[str]:
    """Texts of a thousand labels each, which nothing joins."""
    rest = iter(labels)
    while some := list(itertools.islice(rest, 1_000)):
        yield " (einde). ".join(some)


def test_long_text_is_read_in_time_that_its_length_explains() -> None:
    for piece in ("PERSOON-", "7KQM", "a-1\n", "<", "P1-" + "7" * 30, "A" * 50, "\\-", " \n> "):
        text = piece * (200_000 // len(piece))
        assert len(ReadableText.of(text).text) <= len(text)
        assert sum(1 for _ in itertools.islice(label_places(text, WORDS), 10)) <= 10


@pytest.mark.corpus
@pytest.mark.skipif(not TEXTS.is_dir(), reason="no ../shared/data")
@pytest.mark.parametrize(
    "share", [pytest.param(1, id="all", marks=pytest.mark.slow), pytest.param(30, id="a thirtieth")]
)
def test_real_text_holds_no_label_of_a_project_with_thirty_thousand_people(share: int) -> None:
    maker = CodeMaker(bytes(range(32)), {1: bytes(32)})
    labels = CodeLabels(maker).draw([LabelRequest()] * 30_000, taken=lambda _: ())
    issued = {code_of(label) for label in labels}
    files = sorted(TEXTS.glob("*.txt"))
    assert len(files) > 10
    candidates = 0
    for file in files:
        text = file.read_text(encoding="utf-8", errors="replace")
        for at in range(0, len(text), 100_000 * share):
            places = label_places(text[at : at + 100_000], kind_words())
            assert [place.shown for place in places if place.shown] == []
            found = [reading.text for place in places for reading in place.readings if reading.is_certain]
            assert [one for one in found if one in issued] == []
            candidates += len(found)
    assert candidates > 1_000 // share
