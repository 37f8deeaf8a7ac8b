"""Typeset text: words without commands, accents as letters; each author of a list is a name."""

import pytest

from pseudonymizer import formats
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Zo\u00eb K\u00f6hler"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"Zo\"{e} K\"ohler", NAME), (r"Zo{\"e} K\"{o}hler", NAME), (r"Zo\"e~K\"{o}h\-ler", NAME),
        (r"\textbf{Zo\"e} \emph{K\"ohler}", NAME), (r"Stra\ss{}e", "Stra\u00dfe"), (r"\o{}re", "\u00f8re"),
        (r"50\,\% \& meer", "50% & meer"), (r"a\\b", "a\nb"), (r"\'Eva", "\u00c9va"), (r"\c{c}a", "\u00e7a"),
    ],
)  # fmt: skip
def test_words_without_their_commands(written: str, shown: str) -> None:
    assert formats.read(written.encode(), name="x.tex").parts[0].text == shown


def test_names_go_and_come_back() -> None:
    raw = b'\\author{Zo\\"{e}~K\\"ohler}\n% Zo\\"e K\\"ohler\n\\cite{x} K\\"oh\\-ler\n'.replace(
        b'% Zo\\"e K\\"ohler', "% Zo\u00eb K\u00f6hler".encode()
    )
    parsed, rendered = rewrite(raw, "x.tex", [NAME])
    assert rendered.raw.decode().count(LABEL) == 2
    assert f"\\author{{{LABEL}}}" in rendered.raw.decode().replace("{{", "{").replace("}}", "}")
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits) == raw


def test_each_author_of_a_list_is_a_name() -> None:
    raw = (
        b'@article{kohler2024,\n  author = {K\\"ohler, Zo\\"e and de Boer, J. and others},\n'
        b'  title = {Over {Grou}},\n  editor = "Bas Hoekema"\n}\n'
    )
    part = formats.read(raw, name="x.bib").parts[0]
    assert [span.cut(part.text) for span in part.names] == [
        "K\u00f6hler, Zo\u00eb", "de Boer, J.", "Bas Hoekema",
    ]  # fmt: skip
    assert "article" not in part.text
    assert "author" not in part.text
    _, rendered = rewrite(raw, "x.bib", ["K\u00f6hler, Zo\u00eb"])
    assert f"author = {{{{{LABEL}}} and de Boer" in rendered.raw.decode()
    assert formats.undo("bib", rendered.raw, rendered.edits) == raw


def test_accents_in_quotes_and_signs_of_percent_in_addresses_are_read() -> None:
    editors = b'Terpstra, J{\\"u}rgen and Sanne Vos'
    raw = b'@book{a,\n  editor = "' + editors + b'",\n  url = {https://x.example/a%20b}, note = {c}\n}'
    part = formats.read(raw, name="x.bib").parts[0]
    assert [part.text[one.start : one.end] for one in part.names] == ["Terpstra, Jürgen", "Sanne Vos"]
    assert "https://x.example/a%20b" in part.text


def test_what_stands_between_names_is_no_text() -> None:
    raw = b"@book{a,\n  author = {Sanne Vos and Jan Tolsma},\n  title = {Over and uit}\n}"
    text = formats.read(raw, name="x.bib").parts[0].text
    assert text.count("and") == 1
    assert "Over and uit" in text
