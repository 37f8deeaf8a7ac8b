"""Cue words of a text: beside a value, near it, and what a faulty table of cues is told."""

import re
import time
from pathlib import Path

import pytest

from linkage.detection.cues import CueTable
from linkage.errors import KindsError
from linkage.language import Language
from linkage.language.digests import write_digests
from linkage.texts import KindId
from tests.linkage.language.made_up import write_made_up

_KIND = KindId("CASE_NUMBER")
_OTHER = KindId("PHONE")
_DIGITS = re.compile(r"\d+")


def _language(folder: Path, *cues: str) -> Language:
    directory = write_made_up(folder)
    (directory / "cues.tsv").write_text("\n".join(["kind\tplace\tcue", *cues]) + "\n")
    (directory / "slots.tsv").write_text("slot\tregex\nFILLER\t(?:is|nr)\n")
    write_digests(directory)
    return Language.read(directory)


@pytest.fixture
def cues(tmp_path: Path) -> CueTable:
    language = _language(
        tmp_path,
        "CASE_NUMBER\tbefore\tpolis(?:nummer)?",
        "CASE_NUMBER\tbefore\t[a-z]{2,9}nummer",
        "PHONE\tbefore\ttel",
        "PHONE\tbefore\tpolis(?:nummer)?",
        "PHONE\tafter\tmobiel",
    )
    return CueTable(language, {_KIND, _OTHER})


@pytest.mark.parametrize(
    ("text", "is_announced"),
    [
        ("Polis 12", True),
        ("POLISNUMMER: 12", True),
        ("lidnummer 12", True),
        ("polis nr. is 12", True),
        (f"polis{' ' * 40}12", True),
        ("polis:\n\n12", True),
        ("polis:\n\n\n12", False),
        ("polis van 12", False),
        ("metropolis 12", False),
        ("polissen 12", False),
        ("tel 12", False),
    ],
)
def test_a_cue_stands_beside_the_value_that_it_announces(
    cues: CueTable, text: str, *, is_announced: bool
) -> None:
    start = text.index("12")
    assert cues.read(text).announce(_KIND, start, start + 2) is is_announced


def test_one_phrase_may_announce_two_kinds_and_stand_behind_the_value(cues: CueTable) -> None:
    read = cues.read("polis 12 of 34 (mobiel)")
    assert read.announce(_KIND, 6, 8)
    assert read.announce(_OTHER, 6, 8)
    assert read.announce(_OTHER, 12, 14)
    assert not read.announce(_KIND, 12, 14)


def test_letters_that_grow_when_small_move_no_cue(cues: CueTable) -> None:
    text = "İİİ polis 12"
    assert cues.read(text).announce(_KIND, text.index("12"), len(text))


def test_near_gives_what_begins_within_reach_of_a_cue_or_of_a_match_before(cues: CueTable) -> None:
    text = "1 polis 2 3" + " x" * 40 + " 4 polis" + " x" * 20 + " 5"
    found = [match[0] for match in cues.read(text).near({_KIND}, _DIGITS, text)]
    assert found == ["2", "3", "5"]


def test_near_takes_linear_time(cues: CueTable) -> None:
    def seconds(count: int) -> float:
        text = "polis " * count
        read = cues.read(text)
        begin = time.process_time()
        assert list(read.near({_KIND}, _DIGITS, text)) == []
        return time.process_time() - begin

    seconds(1_000)
    assert min(seconds(40_000) for _ in range(3)) < 8 * min(seconds(10_000) for _ in range(3)) + 0.01


@pytest.mark.parametrize("cue", ["polis(", "(polis|zaak)"])
def test_a_faulty_cue_is_refused(tmp_path: Path, cue: str) -> None:
    language = _language(tmp_path, f"CASE_NUMBER\tbefore\t{cue}")
    with pytest.raises(KindsError, match="a cue of CASE_NUMBER"):
        CueTable(language, {_KIND})
