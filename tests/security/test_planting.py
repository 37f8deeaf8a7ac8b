"""A marked name at each place of each format: replaced, told as unread, refused, or a known failure.

The name also stands in plain sight of each file, so that the run knows it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from linkage.records import Detector, Document, Mention, Span
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import FakePipeline, make_vault, new_batch
from tests.security.decodings import seen_in
from tests.security.planting.places import PLACES

pytestmark = pytest.mark.slow  # a minute of processor time
NAME: Final = "Quirinus Vlasbloem"
KNOWN_FAILURES: Final = Path(__file__).parent / "planting" / "known_failures.txt"
_PLANTED: Final = re.compile("Quirinus\\s+Vlas\u00ad?bloem|Vlasbloem,?\\s+Quirinus")
# Words of the name alone say it in these places, where a blank cannot stand.
_FAMILY: Final = "Vlasbloem"


class PlantedPipeline(FakePipeline):
    """Finds the name wherever it is read as text: what stays is then the fault of a format."""

    def detect_kinds(
        self,
        documents: Sequence[Document],
        *,
        searched: Callable[[int], None] | None = None,  # noqa: ARG002  the interface
    ) -> tuple[tuple[Mention, ...], ...]:
        return tuple(
            tuple(
                Mention.at(document, Span(*found.span()), detector=Detector.NER, confidence=0.9)
                for found in _PLANTED.finditer(document.text)
            )
            for document in documents
        )


@dataclass(frozen=True)
class Written:
    """What became of each planted file: failed, or its output and whether unread content was told."""

    failed: frozenset[str]
    told: frozenset[str]
    outputs: Mapping[str, bytes]


def _file_of(ending: str, place: str) -> str:
    return f"{list(PLACES).index((ending, place)):03d}.{ending}"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "in").mkdir()
    for ending, place in PLACES:
        (folder / "in" / _file_of(ending, place)).write_bytes(PLACES[ending, place](NAME))
    report = new_batch(
        find_sources([folder / "in"]), folder / "out", BatchSettings("p"), load=PlantedPipeline,
        open_vault=make_vault(folder / "vault"),
    ).run()  # fmt: skip
    outputs = {path.name: path.read_bytes() for path in (folder / "out").glob("*.*") if path.is_file()}
    told = frozenset(one.file for one in report.unread_files)
    names = {_file_of(*key) for key in PLACES}
    return Written(frozenset(names - outputs.keys()), told, outputs)


def test_each_file_holds_the_name_before() -> None:
    missing = [key for key, plant in PLACES.items() if _FAMILY not in seen_in(plant(NAME), [_FAMILY])]
    assert missing == []


def test_nothing_stays_in_silence_but_what_is_known(written: Written) -> None:
    stays = {
        f"{ending}: {place}"
        for ending, place in PLACES
        if (name := _file_of(ending, place)) in written.outputs and name not in written.told
        if _FAMILY in seen_in(written.outputs[name], [_FAMILY])
    }
    known = {line for line in KNOWN_FAILURES.read_text().splitlines() if not line.startswith("#")}
    assert stays == known
    assert len(written.outputs) > len(PLACES) // 2


def test_known_failures_are_places_that_are_planted() -> None:
    places = {f"{ending}: {place}" for ending, place in PLACES}
    known = {line for line in KNOWN_FAILURES.read_text().splitlines() if not line.startswith("#")}
    assert known - places == set()
    assert len(PLACES) > 500
