"""Notebooks: a name over two strings of a list, in Markdown, in pages and in messages of errors."""

import json

import pytest

from linkage.errors import DamagedDocumentError
from pseudonymizer import formats
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAME = "Ren\u00e9e K\u00f6hler"
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "markdown", "source": ["# Titel\n", "**Ren\u00e9e** K\u00f6hler\n"]},
            {
                "cell_type": "code", "source": "df[df.naam == 'Ren\u00e9e K\u00f6hler']",
                "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": ["x Ren\u00e9e K\u00f6h", "ler y\n"]},
                    {"data": {"text/html": ["<td>Ren&eacute;e <b>K&ouml;hler</b></td>"],
                              "image/png": "iVBORw0KGgo="}},
                    {"evalue": NAME, "traceback": ["\u001b[0;31mFout\u001b[0m: Ren\u00e9e K\u00f6hler"]},
                ],
            },
        ],
        "metadata": {"authors": [{"name": NAME}]}, "nbformat": 4,
    },
    indent=1,
).encode()  # fmt: skip


def test_names_go_everywhere_and_come_back() -> None:
    parsed, rendered = rewrite(NOTEBOOK, "x.ipynb", [NAME])
    assert parsed.format_name == "ipynb"
    written = json.loads(rendered.raw)
    text = json.dumps(written, ensure_ascii=False)
    assert "ler" not in text
    assert "hler" not in text
    assert "".join(written["cells"][1]["outputs"][0]["text"]) == f"x {LABEL} y\n"
    assert formats.undo("ipynb", rendered.raw, rendered.edits) == NOTEBOOK


def test_keywords_are_no_text_and_pictures_are_told() -> None:
    parsed = formats.read(NOTEBOOK, name="x.json")
    assert parsed.format_name == "ipynb"
    assert "cell_type" not in parsed.parts[0].text
    assert [one.kind for one in parsed.unread] == ["media"]


def test_a_broken_notebook_is_one_clear_error() -> None:
    with pytest.raises(DamagedDocumentError, match="no valid JSON: character"):
        formats.read(NOTEBOOK[:-20], name="x.ipynb")
