"""The 18 format cases of tests/cases, through the formats layer with the names that each case gives.

What a case asks of detection, linkage or the command is tested elsewhere, on the same cases.
"""

import base64
import codecs
import csv
import email
import email.policy
import html
import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import docx
import openpyxl
import pikepdf
import pypdfium2
import pytest

from linkage.errors import EncodingUndeterminedError, UnsupportedInputError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions, ParsedFile, PartRole
from pseudonymizer.identifiers import follow
from tests.pseudonymizer.formats.naming import LABEL, index_of, occurrences

_CASES = Path(__file__).parents[1] / "cases"
_MARKS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
# Full names where the checks of a case give a part of them only ("lijst_Douma": a made-up Jan Douma).
_NAMES: Mapping[str, Sequence[str]] = {
    "F01": ["Sanne de Boer", "Terpstra"],
    "F02": ["Jan Tolsma"],
    "F03": ["Ada Postma", "Bas Terpstra", "Els Wiersma", "Ko Hoekema", "Ria Zijlstra"],
    "F05": ["Els Wiersma", "Ko Hoekema", "Bas Terpstra", "Ada Postma", "Ria Zijlstra", "Jet Douma"],
    "F06": ["Anne\u2011Marie Bos\u00adman"],
    "F09": ["Ko Hoekema", "Bas Terpstra", "Els Wiersma", "Ada Postma", "Ria Zijlstra", "Jet Douma",
            "Sjoerd Sikkema"],
    "F13": ["Jan Terpstra", "Els Wiersma", "Ko Hoekema", "Ada Postma", "Ria Zijlstra", "Sjoerd Sikkema",
            "Jan Douma", "Jet Bouma"],
    "F14": ["Groß, Jürgen", "Jürgen Groß", "Terpstra, Els"],
    "F15": ["Renée Köhler", "Wilhelmina van Oudenhoven"],
    "F16": ["Jürgen Terpstra", "Els Wiersma", "Ko Hoekema"],
    "F17": ["Bas Terpstra", "Els Wiersma"],
    "F18": ["Jan Terpstra"],
    "F19": ["Terpstra; Jan", "Els Wiersma", "Ko Hoekema"],
    "F20": ["Jan Terpstra", "Zoë"],
    "F27": ["Jan Terpstra"],
    "F28": ["Bas Terpstra"],
}  # fmt: skip


class Run:
    """One input of a case, rewritten, and what its checks look at."""

    def __init__(self, case: Mapping[str, Any], raw: bytes, name: str) -> None:
        columns = case["input"].get("config", {}).get("columns")
        options = FormatOptions(columns=tuple(columns) if columns else None)
        self.raw, self.name = raw, name
        self.parsed: ParsedFile = formats.read(raw, name=name, options=options)
        self.found: list[str] = []
        names = _NAMES.get(case["id"], [m["text"] for m in case["expected"].get("mentions", [])])
        made = {}
        index = index_of([n.replace("; ", ", ") for n in names])
        for part in self.parsed.parts:
            technical = part.role is PartRole.TECHNICAL
            spans = {} if technical else occurrences(part.text, names)
            matches = index.find(part.text, technical=technical, taken=list(spans))
            kept = {
                span: name for span, name in spans.items() if not any(m.span.overlaps(span) for m in matches)
            }
            self.found += kept.values()
            made[part.part_id] = dict.fromkeys(kept, LABEL) | {m.span: follow(m, LABEL) for m in matches}
        self.rendered = self.parsed.render(made)
        self.out = self.rendered.raw

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in formats.read(self.out, name=self.name).parts)

    def everything(self) -> str:
        """All parts of the output, unpacked and decoded, with and without tags."""
        if self.out.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(self.out)) as archive:
                decoded = [
                    archive.read(n).decode("utf-8", "replace") for n in archive.namelist()
                ] + archive.namelist()
        else:
            decoded = [self.out.decode("utf-8", "replace")]
        return "\n".join(decoded + [html.unescape(re.sub("<[^>]*>", "", text)) for text in decoded])

    def mail(self) -> str:
        """All decoded headers and bodies, and the raw bytes."""
        message = email.message_from_bytes(self.out, policy=email.policy.default)
        pieces = [self.out.decode("utf-8", "replace")]
        for part in message.walk():
            pieces += [f"{key}: {value}" for key, value in part.items()]
            pieces.append(str(part.get_filename()))
            if not part.is_multipart():
                content = str(part.get_content())
                pieces += [content, html.unescape(re.sub("<[^>]*>", "", content))]
        return "\n".join(pieces)

    def restored(self) -> bytes:
        return formats.undo(self.parsed.format_name, self.out, self.rendered.edits)


Check = Callable[[Run, Mapping[str, Any]], None]


def _mention_strings(run: Run, check: Mapping[str, Any]) -> None:
    assert sorted(run.found) == sorted(check["equals"])


def _mention_strings_normalised(run: Run, check: Mapping[str, Any]) -> None:
    assert [name.replace("\u00ad", "").replace("\u2011", "-") for name in run.found] == check["equals"]


def _output_lacks(run: Run, check: Mapping[str, Any]) -> None:
    assert check["value"] not in (run.text if check["where"] == "text" else run.everything())


def _output_keeps(run: Run, check: Mapping[str, Any]) -> None:
    assert check["value"] in (run.text if check["where"] == "text" else run.everything())


def _output_opens(run: Run, check: Mapping[str, Any]) -> None:  # noqa: ARG001
    kind = run.parsed.format_name
    if kind == "docx":
        docx.Document(io.BytesIO(run.out))
    elif kind == "xlsx":
        openpyxl.load_workbook(io.BytesIO(run.out))
    elif kind == "pdf":
        assert len(pikepdf.open(io.BytesIO(run.out)).pages) == 1
    else:
        message = email.message_from_bytes(run.out, policy=email.policy.default)
        assert not any(part.defects for part in message.walk())


def _roundtrip_exact(run: Run, check: Mapping[str, Any]) -> None:  # noqa: ARG001
    if run.out.startswith(b"PK"):
        with (
            zipfile.ZipFile(io.BytesIO(run.raw)) as before,
            zipfile.ZipFile(io.BytesIO(run.restored())) as after,
        ):
            assert after.namelist() == before.namelist()
            assert [after.read(n) for n in after.namelist()] == [before.read(n) for n in before.namelist()]
    else:
        assert run.restored() == run.raw


def _run_formatting(run: Run, check: Mapping[str, Any]) -> None:
    runs = [r for p in docx.Document(io.BytesIO(run.out)).paragraphs for r in p.runs]
    for text, kind in check["equals"]:
        (found,) = [r for r in runs if r.text == text]
        assert found.bold if kind == "b" else found.italic


def _pdf_bytes_lack(run: Run, check: Mapping[str, Any]) -> None:
    pieces = [run.out]
    for value in pikepdf.open(io.BytesIO(run.out)).objects:
        if isinstance(value, pikepdf.Stream):
            pieces.append(value.read_bytes())
        pieces.append(repr(value).encode())
    document = pypdfium2.PdfDocument(run.out)
    pieces += [page.get_textpage().get_text_bounded().encode() for page in document]
    document.close()
    value = check["value"]
    for piece in pieces:
        for encoding in ("utf-8", "utf-16-be", "utf-16-le"):
            assert value.encode(encoding) not in piece


def _pdf_revisions(run: Run, check: Mapping[str, Any]) -> None:
    assert run.out.count(b"%%EOF") == check["equals"]


def _references_valid(run: Run, check: Mapping[str, Any]) -> None:  # noqa: ARG001
    book = openpyxl.load_workbook(io.BytesIO(run.out))
    for name in book.defined_names.values():
        for sheet, cells in name.destinations:
            assert book[sheet][cells.replace("$", "")].value is not None


def _eml_decoded_lacks(run: Run, check: Mapping[str, Any]) -> None:
    text, value = run.mail(), check["value"]
    assert (value.lower() not in text.lower()) if check.get("ignore_case") else (value not in text)


def _address_count(run: Run, check: Mapping[str, Any]) -> None:
    message = email.message_from_bytes(run.out, policy=email.policy.default)
    assert len(message[check["header"]].addresses) == check["equals"]


def _same_pseudonym_in_parts(run: Run, check: Mapping[str, Any]) -> None:
    message = email.message_from_bytes(run.out, policy=email.policy.default)
    kinds = {
        part.get_content_type(): str(part.get_content()) for part in message.walk() if not part.is_multipart()
    }
    for kind in check["parts"]:
        assert f"Hoi {LABEL}" in re.sub("<[^>]*>", "", kinds[kind])


def _header_present(run: Run, check: Mapping[str, Any]) -> None:
    assert email.message_from_bytes(run.out)[check["header"]]


def _thread_consistent(run: Run, check: Mapping[str, Any]) -> None:  # noqa: ARG001
    answer = run.raw.replace(
        b"In-Reply-To: <els.wiersma.9@voorbeeld.example>",
        b"In-Reply-To: <bas.terpstra.1@pc-terpstra.voorbeeld.example>",
    )
    other = Run({"id": "F17", "input": {}, "expected": {}}, answer, "x.eml")
    ours = email.message_from_bytes(run.out)["Message-ID"]
    assert email.message_from_bytes(other.out)["In-Reply-To"] == ours


def _bom_kept(run: Run, check: Mapping[str, Any]) -> None:  # noqa: ARG001
    assert run.out.startswith(codecs.BOM_UTF8)


def _header_equals(run: Run, check: Mapping[str, Any]) -> None:
    assert next(csv.reader(io.StringIO(run.out.decode("utf-8-sig")), delimiter=";")) == check["value"]


def _csv_shape(run: Run, check: Mapping[str, Any]) -> None:
    rows = list(csv.reader(io.StringIO(run.out.decode("utf-8"), newline=""), delimiter=check["delimiter"]))
    assert len(rows) == check["rows"]
    assert {len(row) for row in rows} == {check["columns"]}


def _column_unchanged(run: Run, check: Mapping[str, Any]) -> None:
    def column(raw: bytes) -> list[str]:
        rows = csv.DictReader(io.StringIO(raw.decode("utf-8"), newline=""), delimiter=";")
        return [row[check["column"]] for row in rows]

    assert column(run.out) == column(run.raw)


def _elsewhere(run: Run, check: Mapping[str, Any]) -> None:
    """Checks of identities and of the command: there is nothing of them in this layer."""


_CHECKS: Mapping[str, Check] = {
    "mention_strings": _mention_strings, "mention_strings_normalised": _mention_strings_normalised,
    "output_lacks": _output_lacks, "output_keeps": _output_keeps, "output_opens": _output_opens,
    "roundtrip_exact": _roundtrip_exact, "run_formatting": _run_formatting, "pdf_bytes_lack": _pdf_bytes_lack,
    "pdf_revisions": _pdf_revisions, "references_valid": _references_valid, "same_person": _elsewhere,
    "eml_decoded_lacks": _eml_decoded_lacks, "address_count": _address_count,
    "same_pseudonym_in_parts": _same_pseudonym_in_parts, "header_present": _header_present,
    "thread_consistent": _thread_consistent, "bom_kept": _bom_kept, "header_equals": _header_equals,
    "csv_shape": _csv_shape, "column_unchanged": _column_unchanged, "no_error": _elsewhere,
}  # fmt: skip


def _cases() -> dict[str, dict[str, Any]]:
    lines = (_CASES / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [cast("dict[str, Any]", json.loads(line)) for line in lines if line]
    return {case["id"]: case for case in cases if case["area"] == "formats"}


def _bytes(given: Mapping[str, Any]) -> bytes:
    if "bytes_b64" in given:
        return base64.b64decode(given["bytes_b64"])
    encoding = str(given.get("encoding", "utf-8"))
    return (_MARKS[encoding] if given.get("bom") else b"") + str(given["text"]).encode(encoding)


CASES = _cases()
_SINGLE = [
    i
    for i, case in CASES.items()
    if case["input"]["format"] != "docs" and case["expected"]["type"] == "behaviour"
]
_MENTIONS = [i for i, case in CASES.items() if case["expected"]["type"] == "mentions"]


def test_all_eighteen_cases_are_here() -> None:
    assert len(CASES) == 18
    assert {*_SINGLE, *_MENTIONS, "F20", "F27", "F28"} == set(CASES)


@pytest.mark.parametrize("case_id", _SINGLE)
def test_file_case(case_id: str) -> None:
    case = CASES[case_id]
    kind = case["input"]["format"]
    kept = _CASES / "inputs" / f"{case_id}.{kind}"
    raw = kept.read_bytes() if kept.exists() else _bytes(case["input"])
    run = Run(case, raw, f"input.{kind}")
    for check in case["expected"]["checks"]:
        _CHECKS[check["check"]](run, check)


@pytest.mark.parametrize("case_id", _MENTIONS)
def test_text_case_is_read_as_it_stands(case_id: str) -> None:
    case = CASES[case_id]
    raw = _bytes(case["input"])
    run = Run(case, raw, "input.txt")
    (part,) = run.parsed.parts
    assert part.text == case["input"]["text"]
    gold = {Span(m["start"], m["end"]) for m in case["expected"]["mentions"]}
    assert set(occurrences(part.text, [m["text"] for m in case["expected"]["mentions"]])) == gold
    if case_id == "F26":  # the format itself says which texts are names
        assert set(part.names) == gold
    assert run.restored() == raw


def test_f20_utf_16() -> None:
    case = CASES["F20"]
    for given in case["input"]["docs"]:
        run = Run(case, _bytes(given), given["name"])
        assert sorted(run.found) == ["Jan Terpstra", "Zoë"]
        decoded = run.out.decode("utf-16" if given.get("bom") else given["encoding"])
        assert decoded == f"{LABEL} belde {LABEL}."
        assert run.restored() == run.raw


def test_f27_empty_and_binary() -> None:
    case = CASES["F27"]
    expected = {c["doc"]: c for c in case["expected"]["checks"] if c["check"] == "status"}
    errors = {
        "UnsupportedInputError": UnsupportedInputError,
        "EncodingUndeterminedError": EncodingUndeterminedError,
    }
    for given in case["input"]["docs"]:
        check = expected[given["name"]]
        if check["equals"] == "ok":
            assert Run(case, _bytes(given), given["name"]).found == check["mentions"]
        else:
            with pytest.raises(errors[check["error"]]):
                formats.read(_bytes(given), name=given["name"])


def test_f28_index_files() -> None:
    case = CASES["F28"]
    for given in case["input"]["docs"]:
        run = Run(case, _bytes(given), given["name"])
        assert "Terpstra" not in run.everything()
        assert LABEL in run.everything()
        assert run.restored() == run.raw
