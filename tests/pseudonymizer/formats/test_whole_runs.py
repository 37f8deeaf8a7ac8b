"""Whole runs over generated files of every format: no detected name is left, and the way back holds."""

import html as html_module
import io
import os
import random
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import hypothesis.strategies as st
import olefile
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings

from linkage.records import Detector, Document, Mention, Span
from pseudonymizer import formats
from pseudonymizer.engine.sources import find_sources
from pseudonymizer.runs.restore import EXACT, TEXT_ONLY, Restoration
from pseudonymizer.runs.run import BatchSettings
from tests.pseudonymizer.batch_fakes import PROJECT, FakePipeline, make_vault, new_batch
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.made_texts import without_marks
from tests.pseudonymizer.formats.naming import members
from tests.security.decodings import seen_in

_GIVEN = ("Sanne", "Jürgen", "Bouke", "Zoë", "Teun", "Anne-Fleur")
_FAMILY = ("Terpstra", "de Boerema", "Hoekema", "Köhler", "van Wielinga", "O'Haganstra")
_NAMES = tuple(f"{given} {family}" for given in _GIVEN for family in _FAMILY)
_FOUND = re.compile("|".join(map(re.escape, _NAMES)))
_WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn", "Zl", "Zp"]), max_size=12
)
EVERY_FORMAT = samples.EVERY_FORMAT | samples.TEXT_FORMATS
_FILES_OF_EACH = int(os.environ.get("NYMLINK_GENERATED_FILES", "200"))

Case = tuple[list[str], list[str]]


class ListPipeline(FakePipeline):
    """Finds the names of this module wherever they stand."""

    def detect_kinds(
        self,
        documents: Sequence[Document],
        *,
        searched: Callable[[int], None] | None = None,  # noqa: ARG002  the interface
    ) -> tuple[tuple[Mention, ...], ...]:
        return tuple(
            tuple(
                Mention.at(document, Span(*found.span()), detector=Detector.NER, confidence=0.9)
                for found in _FOUND.finditer(document.text)
            )
            for document in documents
        )


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Names, and a sentence with each of them between words of any script."""
    people = draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=4, unique=True))
    return people, [f"{draw(_WORDS).strip()} belde {n} over {draw(_WORDS).strip()}." for n in people]


def random_cases(count: int, seed: int) -> Iterator[Case]:
    chance = random.Random(seed)  # noqa: S311  no secret
    letters = "abcdeé\u0301ïߣжשあ🙂&<>\"'{}\\;,| \u00ad\u200b"
    for _ in range(count):
        people = chance.sample(_NAMES, chance.randint(1, 4))
        words = ["".join(chance.choices(letters, k=chance.randint(0, 12))).strip() for _ in range(8)]
        yield people, [f"{words[at]} belde {name} over {words[at + 4]}." for at, name in enumerate(people)]


def run_and_return(folder: Path, files: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """(outputs, restored files), by name. Every file must be done and come back as the format promises."""
    (folder / "in").mkdir()
    for name, raw in files.items():
        (folder / "in" / name).write_bytes(raw)
    opened = make_vault(folder / "vault")
    sources = find_sources([folder / "in"], output=folder / "out")
    report = new_batch(
        sources, folder / "out", BatchSettings(PROJECT), load=ListPipeline, open_vault=opened
    ).run()
    assert report.errors == {}
    back = Restoration(opened, PROJECT, "test").files(find_sources([folder / "out"]), folder / "back")
    text_only = sum(name.endswith(".pdf") for name in files)
    assert (back.counts[EXACT], back.counts[TEXT_ONLY]) == (len(files) - text_only, text_only)
    return _files(folder / "out"), _files(folder / "back")


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def assert_clean(name: str, raw: bytes) -> None:
    """No family name in a part as we read it, nor in what others find in the file."""
    texts = [part.text for part in formats.read(raw, name=name).parts]
    texts += [html_module.unescape(re.sub("<[^>]*>", "", piece)) for piece in _pieces(raw)]
    words = [family.split()[-1] for family in _FAMILY]
    for word in words:
        assert not [text for text in texts if word in text]
    if name.partition(".")[2] in samples.TEXT_FORMATS:
        assert not seen_in(raw.replace(b"\r\n ", b""), words)
        assert not seen_in(without_marks(raw), words)
    if name.endswith(".zip"):
        assert not seen_in(raw, words)
        assert not any(seen_in(without_marks(content), words) for content in members(raw).values())


def _pieces(raw: bytes) -> list[str]:
    if raw.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return [archive.read(info).decode("utf-8", "replace") for info in archive.infolist()]
    if raw.startswith(b"PAR1"):
        return [str(pq.read_table(io.BytesIO(raw)).to_pydict())]
    if raw.startswith(olefile.MAGIC):
        streams = _streams(raw).values()
        return [content.decode(how, "replace") for content in streams for how in ("utf-16-le", "utf-8")]
    return [raw.decode(how, "replace") for how in ("utf-8", "utf-16-le")]


def _streams(raw: bytes) -> dict[str, bytes]:
    with olefile.OleFileIO(io.BytesIO(raw)) as file:
        return {"/".join(path): file.openstream(path).read() for path in file.listdir()}


def assert_came_back(name: str, raw: bytes, restored: Mapping[str, bytes]) -> None:
    """Byte for byte; equal parts for packages, and for mail with a package in it; the text for pdf."""
    suffix = name.partition(".")[2]
    if suffix == "pdf":
        assert restored[f"{name}.txt"].decode() == formats.read(raw, name=name).parts[0].text
        return
    found = restored[name]
    if suffix in samples.PACKAGE_FORMATS or suffix in {"odp", "zip"}:
        assert members(found) == members(raw)
    elif suffix in samples.MAIL_FORMATS:
        before, after = (formats.read(one, name=name).parts for one in (raw, found))
        assert [part.text for part in after] == [part.text for part in before]
        at = raw.index(b"b.docx")
        assert found[:at] == raw[:at]
    elif suffix == "msg":
        assert _streams(found) == _streams(raw)
    elif suffix == "parquet":
        assert pq.read_table(io.BytesIO(found)).equals(pq.read_table(io.BytesIO(raw)))
    else:
        assert found == raw


def _check(folder: Path, suffix: str, made: Sequence[Case]) -> None:
    build = EVERY_FORMAT[suffix]
    files = {f"f{number}.{suffix}": build(*case) for number, case in enumerate(made)}
    outputs, restored = run_and_return(folder, files)
    assert sorted(outputs) == sorted(files)
    for name, raw in files.items():
        assert outputs[name] != raw
        assert_clean(name, outputs[name])
        assert_came_back(name, raw, restored)


@pytest.mark.parametrize("suffix", EVERY_FORMAT)
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
@given(made=st.lists(cases(), min_size=2, max_size=4))
def test_restore_undoes_run(suffix: str, made: list[Case]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _check(Path(folder), suffix, made)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", EVERY_FORMAT)
def test_many_files_of_each_format(tmp_path: Path, suffix: str) -> None:
    _check(tmp_path, suffix, list(random_cases(_FILES_OF_EACH, seed=6)))
