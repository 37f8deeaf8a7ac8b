"""Over generated documents of every format: no name is left, the way back is exact, a second reading
agrees."""

import html as html_module
import io
import re
from collections.abc import Sequence

import hypothesis.strategies as st
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings

from pseudonymizer import formats
from tests.pseudonymizer.formats import samples
from tests.pseudonymizer.formats.naming import LABEL, member_order, members, rewrite
from tests.security.decodings import seen_in

_GIVEN = ["Sanne", "Jürgen", "Bouke", "Zoë", "Teun", "Anne-Fleur"]
_FAMILY = ["Terpstra", "de Boer", "Hoekema", "Köhler", "van der Wielen", "O'Hagan"]
_WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Co", "Cn", "Zl", "Zp"]), max_size=12
)

names = st.builds(lambda g, f: f"{g} {f}", st.sampled_from(_GIVEN), st.sampled_from(_FAMILY))


@st.composite
def documents(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Names, and a sentence with each of them between words of any script."""
    people = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    sentences = []
    for name in people:
        before, after = draw(_WORDS), draw(_WORDS)
        sentences.append(f"{before.strip()} belde {name} over {after.strip()}.")
    return people, sentences


def _few(count: int) -> settings:
    return settings(max_examples=count, deadline=None, suppress_health_check=list(HealthCheck))


def _assert_gone(texts: Sequence[str], people: Sequence[str]) -> None:
    for name in people:
        for text in texts:
            assert name not in text


@pytest.mark.parametrize("suffix", samples.BYTE_FORMATS)
@_few(8)
@given(case=documents())
def test_text_formats_come_back_byte_for_byte(suffix: str, case: tuple[list[str], list[str]]) -> None:
    people, sentences = case
    raw = samples.BYTE_FORMATS[suffix](people, sentences)
    parsed, rendered = rewrite(raw, f"x.{suffix}", people)

    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw
    again = formats.read(rendered.raw, name=f"x.{suffix}")
    assert again.format_name == parsed.format_name
    _assert_gone([part.text for part in again.parts], people)
    assert LABEL in again.parts[0].text
    text = rendered.raw.decode("utf-16" if suffix == "utf16.txt" else "utf-8")
    _assert_gone([text, html_module.unescape(re.sub("<[^>]*>", "", text))], people)


@pytest.mark.parametrize("suffix", samples.TEXT_FORMATS)
@_few(40)
@given(case=documents())
def test_formats_with_notations_of_their_own(suffix: str, case: tuple[list[str], list[str]]) -> None:
    people, sentences = case
    raw = samples.TEXT_FORMATS[suffix](people, sentences)
    parsed, rendered = rewrite(raw, f"x.{suffix}", people)
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw
    again = formats.read(rendered.raw, name=f"x.{suffix}")
    assert again.format_name == parsed.format_name
    _assert_gone([part.text for part in again.parts], people)
    _assert_gone([part.text.replace("\n", "") for part in again.parts], people)
    assert LABEL in again.parts[0].text
    assert not seen_in(rendered.raw.replace(b"\r\n ", b""), people)


@pytest.mark.parametrize("suffix", samples.PACKAGE_FORMATS)
@_few(2)
@given(case=documents())
def test_packages_come_back_with_equal_parts(suffix: str, case: tuple[list[str], list[str]]) -> None:
    people, sentences = case
    raw = samples.PACKAGE_FORMATS[suffix](people, sentences)
    parsed, rendered = rewrite(raw, f"x.{suffix}", people)

    restored = formats.undo(parsed.format_name, rendered.raw, rendered.edits)
    assert members(restored) == members(raw) | {
        n: c for n, c in members(restored).items() if "thumbnail" in n.lower()
    }
    assert member_order(restored) == member_order(raw)
    again = formats.read(rendered.raw, name=f"x.{suffix}")
    _assert_gone([part.text for part in again.parts], people)
    for content in members(rendered.raw).values():
        if not content.startswith(b"\x89PNG"):
            _assert_gone(
                [html_module.unescape(re.sub("<[^>]*>", "", content.decode("utf-8", "replace")))], people
            )


@pytest.mark.parametrize("suffix", samples.MAIL_FORMATS)
@_few(2)
@given(case=documents())
def test_mail_comes_back_byte_for_byte(suffix: str, case: tuple[list[str], list[str]]) -> None:
    people, sentences = case
    raw = samples.MAIL_FORMATS[suffix](people, sentences)
    parsed, rendered = rewrite(raw, f"x.{suffix}", people)

    again = formats.read(rendered.raw, name=f"x.{suffix}")
    _assert_gone([part.text for part in again.parts], people)
    restored = formats.undo(parsed.format_name, rendered.raw, rendered.edits)
    assert [part.text for part in formats.read(restored, name=f"x.{suffix}").parts] == [
        p.text for p in parsed.parts
    ]
    # The attached Word file comes back with equal parts, packed anew; everything before it byte for byte.
    before = raw.index(b"b.docx")
    assert restored[:before] == raw[:before]


@_few(10)
@given(case=documents())
def test_parquet_comes_back_with_equal_values(case: tuple[list[str], list[str]]) -> None:
    people, sentences = case
    raw = samples.parquet(people, sentences)
    parsed, rendered = rewrite(raw, "x.parquet", people)
    restored = formats.undo(parsed.format_name, rendered.raw, rendered.edits)
    assert pq.read_table(io.BytesIO(restored)).equals(pq.read_table(io.BytesIO(raw)))
    _assert_gone([str(pq.read_table(io.BytesIO(rendered.raw)).to_pydict())], people)


@pytest.mark.parametrize("suffix", [*samples.BYTE_FORMATS, *samples.PACKAGE_FORMATS, *samples.MAIL_FORMATS])
def test_without_replacements_nothing_changes(suffix: str) -> None:
    builders = samples.BYTE_FORMATS | samples.PACKAGE_FORMATS | samples.MAIL_FORMATS
    raw = builders[suffix](["Sanne de Boer"], ["Toen belde Sanne de Boer terug."])
    rendered = formats.read(raw, name=f"x.{suffix}").render({})
    assert rendered.raw == raw
    assert rendered.edits == ()


def test_docx_preview_goes_and_comes_back() -> None:
    raw = samples.docx_file(["Sanne de Boer"], ["Toen belde Sanne de Boer terug."])
    assert "docProps/thumbnail.jpeg" in members(raw)
    parsed, rendered = rewrite(raw, "x.docx", ["Sanne de Boer"])
    assert members(rendered.raw)["docProps/thumbnail.jpeg"] != members(raw)["docProps/thumbnail.jpeg"]
    restored = formats.undo(parsed.format_name, rendered.raw, rendered.edits)
    assert members(restored) == members(raw)
