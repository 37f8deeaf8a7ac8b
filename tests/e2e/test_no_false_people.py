"""Files without a name have no people: names of styles, of programs and of layouts are no text of anybody."""

import io
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from odf import dc, meta, style, text
from odf.opendocument import OpenDocumentText
from openpyxl.styles import NamedStyle
from pptx.util import Inches

from pseudonymizer.engine.sources import find_sources
from pseudonymizer.project import Project

SENTENCE = "Er staat hier geen naam."
# Names of styles as Word, LibreOffice and their templates have them.
STYLES = (
    "Header Char", "Footer Char", "Title Char", "Subtitle Char", "Balloon Text Char", "Body Text 2 Char",
    "Macro Text Char", "Intense Quote Char", "Heading 1 Char", "Unresolved Mention", "Grid Table Light",
    "Kop 1 Char", "Koptekst Char", "Voettekst Char", "Lijstalinea", "Normaal (Web)", "Standaardalinea",
    "Ballontekst Char", "Plattetekst Char", "Geen afstand Char", "Citaat Char", "Nadruk", "Subtiele nadruk",
    "Frame contents", "Text body indent", "Illustration Index Heading", "Bullet Symbols", "Drawing Object",
)  # fmt: skip


def _saved(document: object) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]  # the libraries share this method, not a type
    return buffer.getvalue()


def _docx(sentence: str) -> bytes:
    document = docx.Document()
    for name in STYLES:
        if name not in [one.name for one in document.styles]:
            document.styles.add_style(name, WD_STYLE_TYPE.CHARACTER)
    document.add_heading("Inhoud", 1)
    document.add_paragraph(sentence)
    document.add_paragraph("punt", style="List Bullet 2")
    document.add_table(1, 2, style="Medium Shading 1 Accent 6").rows[0].cells[0].text = "cel"
    document.sections[0].header.paragraphs[0].text = "Kenmerk"
    return _saved(document)


def _xlsx(sentence: str) -> bytes:
    book = openpyxl.Workbook()
    for name in STYLES:
        book.add_named_style(NamedStyle(name=name))
    sheet = book.active
    assert sheet is not None
    sheet.title = "Blad 1"
    sheet.append(["nummer", "opmerking"])
    sheet.append([1, sentence])
    sheet.append([2, "=SUM(A2:A2)"])
    sheet["A2"].style = "Header Char"
    return _saved(book)


def _pptx(sentence: str) -> bytes:
    show = pptx.Presentation()
    show.core_properties.last_modified_by = "beheer"  # the template has the name of its author
    for layout in show.slide_layouts:
        slide = show.slides.add_slide(layout)
        if slide.shapes.title is not None:
            slide.shapes.title.text = "Overzicht"
        box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
        box.text_frame.text = sentence
    return _saved(show)


def _odt(sentence: str) -> bytes:
    document = OpenDocumentText()
    document.meta.addElement(meta.Generator(text="LibreOffice/7.4.7.2$Linux_X86_64"))
    document.meta.addElement(dc.Language(text="nl-NL"))
    for name in STYLES:
        document.styles.addElement(
            style.Style(name=name.replace(" ", "_20_"), displayname=name, family="paragraph")
        )
    document.text.addElement(text.P(text=sentence, stylename="Header_20_Char"))
    return _saved(document)


def _html(sentence: str) -> bytes:
    look = "{ font-family: 'Times New Roman', Georgia }"
    rules = "".join(f".{name.replace(' ', '-')} {look}" for name in STYLES)
    classes = " ".join(name.replace(" ", "-") for name in STYLES)
    return (
        "<!DOCTYPE html><html lang=nl><head><meta name=generator content='Microsoft Word 15'>"
        f"<title>Overzicht</title><style>{rules}</style></head>"
        f'<body class="MsoHeader {classes}" id="inhoud"><p class=MsoNormal style="font-family:Verdana">'
        f"{sentence}</p></body></html>"
    ).encode()


FILES: dict[str, Callable[[str], bytes]] = {
    "a.docx": _docx, "a.xlsx": _xlsx, "a.pptx": _pptx, "a.odt": _odt, "a.html": _html,
}  # fmt: skip


@pytest.fixture(scope="module")
def project() -> Project:
    return Project.without_vault()


@pytest.mark.parametrize("name", FILES)
def test_a_file_without_a_name_has_no_people(project: Project, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name](SENTENCE))
    found = list(project.find_in(find_sources([tmp_path])))
    assert found
    assert [mention.mention.surface for document in found for mention in document.mentions] == []


@pytest.mark.parametrize("name", FILES)
def test_a_name_in_such_a_file_is_found(project: Project, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name]("Gisteren belde Jolanda Dijkstra ons."))
    found = list(project.find_in(find_sources([tmp_path])))
    surfaces = {mention.mention.surface for document in found for mention in document.mentions}
    assert surfaces == {"Jolanda Dijkstra"}
