"""Files of each format, made by the libraries that people use, with names at places that are easily
forgotten."""

import email.headerregistry
import email.message
import email.policy
import io
import json
import re
import struct
from collections.abc import Callable, Sequence
from urllib.parse import quote

import docx
import openpyxl
import pptx
import pyarrow as pa
import pyarrow.parquet as pq
from odf import dc, draw, office, style, table, teletype, text
from odf.opendocument import OpenDocumentPresentation, OpenDocumentSpreadsheet, OpenDocumentText
from openpyxl.comments import Comment
from pptx.util import Inches
from reportlab.pdfgen import canvas

from pseudonymizer.formats.mail.compound import Entry, write_compound
from tests.pseudonymizer.formats.made_texts import bib, ini, md, properties, srt, toml, zip_file
from tests.pseudonymizer.formats.made_winmail import tnef

Builder = Callable[[Sequence[str], Sequence[str]], bytes]  # names, sentences (each with one name in it)


def txt(names: Sequence[str], sentences: Sequence[str]) -> bytes:  # noqa: ARG001
    return "\r\n".join(sentences).encode("utf-8")


def utf_16(names: Sequence[str], sentences: Sequence[str]) -> bytes:  # noqa: ARG001
    return b"\xff\xfe" + "\n".join(sentences).encode("utf-16-le")


def csv(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    rows = [
        f'{n};"{name}";"{s.replace(chr(34), chr(34) * 2)}"'
        for n, (name, s) in enumerate(zip(names, sentences, strict=True))
    ]
    return ("\ufeffnr;naam;opmerking\r\n" + "\r\n".join(rows) + "\r\n").encode("utf-8")


def json_text(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    rows = [{"naam": name, "tekst": s, name: 1} for name, s in zip(names, sentences, strict=True)]
    return json.dumps({"rijen": rows, "n": len(rows)}, indent=1).encode("ascii")


def jsonl(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    rows = [{"doc_id": str(n), "text": s, "by": names[n]} for n, s in enumerate(sentences)]
    return "".join(json.dumps(row, ensure_ascii=n % 2 == 0) + "\n" for n, row in enumerate(rows)).encode(
        "utf-8"
    )


def html(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    paragraphs = []
    for name, sentence in zip(names, sentences, strict=True):
        entity = (
            sentence.replace("&", "&amp;").replace("<", "&lt;").encode("ascii", "xmlcharrefreplace").decode()
        )
        split = f"<b>{name[:2]}</b><i>{name[2:]}</i>"
        paragraphs.append(f'<p title="{name}">{entity}</p>\n<!-- {name} --><td>{split}</td>')
    page = "<!DOCTYPE html><html><head><meta charset=utf-8><title>x</title></head><body>"
    return (page + "\n".join(paragraphs) + "</body></html>").encode("utf-8")


def xml(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    rows = "".join(
        f'<rij naam="{name}">\n  <tekst>{_in_xml(sentence)}</tekst><![CDATA[{name}]]></rij>'
        for name, sentence in zip(names, sentences, strict=True)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<lijst>{rows}</lijst>'.encode()


def _in_xml(sentence: str) -> str:
    return sentence.replace("&", "&amp;").replace("<", "&lt;")


def eml(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    message = email.message.EmailMessage(policy=email.policy.SMTP)
    message["From"] = email.headerregistry.Address(names[0], "post", "voorbeeld.example")
    message["To"] = [
        email.headerregistry.Address(name, f"a{n}", "voorbeeld.example") for n, name in enumerate(names)
    ]
    message["Subject"] = f"Over {names[0]}: een lange regel die zeker een keer gevouwen wordt, {names[-1]}"
    message["Message-ID"] = "<1.2@voorbeeld.example>"
    message.set_content("\n".join(sentences), cte="quoted-printable")
    message.add_alternative(html(names, sentences).decode("utf-8"), subtype="html", cte="base64")
    message.add_attachment(
        csv(names, sentences), maintype="text", subtype="csv", filename=f"lijst {names[0]}.csv"
    )
    message.add_attachment(
        docx_file(names, sentences), maintype="application", subtype="octet-stream", filename="b.docx"
    )
    return message.as_bytes()


def mbox(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    one = eml(names, sentences).replace(b"\r\n", b"\n")
    return b"".join(b"From a@b.example Fri May  3 10:00:00 2024\n" + one + b"\n\n" for _ in range(2))


def rtf(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    def coded(value: str) -> str:
        return "".join(c if c.isascii() and c not in "\\{}" else _rtf_character(c) for c in value)

    rows = "".join(
        f"{coded(s)}\\par\r\n{{\\b {coded(n[:2])}}}{coded(n[2:])}\\par\r\n"
        for n, s in zip(names, sentences, strict=True)
    )
    return ("{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}}\\f0 " + rows + "}").encode("ascii")


def _rtf_character(character: str) -> str:
    units = character.encode("utf-16-le")
    codes = [int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2)]
    return "".join(f"\\u{code}?" for code in codes)


def hl7(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    delimiters = str.maketrans("", "", "|^~\\&")
    segments = ["MSH|^~\\&|A|B|||20240503||ADT^A01|1|P|2.5"]
    for number, (name, sentence) in enumerate(zip(names, sentences, strict=True), 1):
        given, _, family = name.partition(" ")
        segments += [f"NK1|{number}|{family}^{given}", f"NTE|{number}||{sentence.translate(delimiters)}"]
    return ("\r".join(segments) + "\r").encode("utf-8")


def fhir(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    people = [{"given": name.split()[:1], "family": name.partition(" ")[2]} for name in names]
    narrative = "".join(f"<p>{s.replace('&', '&amp;').replace('<', '&lt;')}</p>" for s in sentences)
    resource = {
        "resourceType": "Patient",
        "name": people,
        "text": {"div": f'<div xmlns="http://www.w3.org/1999/xhtml">{narrative}</div>'},
    }
    return json.dumps(resource).encode("utf-8")


def docx_file(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    document = docx.Document()
    document.core_properties.author = names[0]
    document.core_properties.title = f"Dossier {names[-1]}"
    document.sections[0].header.paragraphs[0].text = f"Kop {names[0]}"
    for name, sentence in zip(names, sentences, strict=True):
        document.add_paragraph(sentence)
        paragraph = document.add_paragraph("Zie ")
        for at in range(0, len(name), 2):
            paragraph.add_run(name[at : at + 2]).bold = at % 4 == 0
    rows = document.add_table(rows=1, cols=2).rows[0].cells
    rows[0].text, rows[1].text = names[0], "buur"
    return _saved(document)


def xlsx(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    book = openpyxl.Workbook()
    book.properties.creator = names[0]
    sheet = book.active
    assert sheet is not None
    sheet.title = names[0][:31]
    sheet.append(["nr", "naam", "opmerking"])
    for number, (name, sentence) in enumerate(zip(names, sentences, strict=True)):
        sheet.append([number, name, sentence])
        sheet.cell(number + 2, 3).data_type = "s"  # a text, also where it begins as a formula does
    sheet["A2"].comment = Comment(f"bel {names[0]}", names[-1])
    sheet["D2"] = f'="x "&"{names[0]}"'
    sheet.oddHeader.center.text = f"Lijst van {names[0]}"
    book.create_sheet("Ander")["A1"] = "='{}'!B2".format(names[0][:31].replace("'", "''"))
    return _saved(book)


def pptx_file(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    show = pptx.Presentation()
    show.core_properties.author = names[0]
    for name, sentence in zip(names, sentences, strict=True):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = name
        box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
        box.text_frame.text = sentence
        slide.notes_slide.notes_text_frame.text = f"Noot over {name}"
    return _saved(show)


def odt(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    document = OpenDocumentText()
    document.meta.addElement(dc.Creator(text=names[0]))
    for name, sentence in zip(names, sentences, strict=True):
        paragraph = text.P()
        teletype.addTextToElement(paragraph, sentence)
        note = office.Annotation()
        note.addElement(dc.Creator(text=name))
        note.addElement(text.P(text=f"noot bij {name}"))
        paragraph.addElement(note)
        document.text.addElement(paragraph)
        split = text.P()
        split.addElement(text.Span(text=name[:3]))
        split.addElement(text.Span(text=name[3:]))
        document.text.addElement(split)
    return _saved(document)


def ods(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    document = OpenDocumentSpreadsheet()
    sheet = table.Table(name=names[0])
    for name, sentence in zip(names, sentences, strict=True):
        row = table.TableRow()
        for value in (name, sentence):
            cell = table.TableCell(valuetype="string", stringvalue=value)
            paragraph = text.P()
            teletype.addTextToElement(paragraph, value)
            cell.addElement(paragraph)
            row.addElement(cell)
        sheet.addElement(row)
    document.spreadsheet.addElement(sheet)
    return _saved(document)


def parquet(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(
        pa.table({"naam": list(names), "n": list(range(len(names))), "tekst": list(sentences)}), sink
    )
    return sink.getvalue()


def tsv(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    rows = [f"{n}\t{name}\t{s}" for n, (name, s) in enumerate(zip(names, sentences, strict=True))]
    return ("nr\tnaam\topmerking\n" + "\n".join(rows) + "\n").encode("utf-8")


def odp(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    show = OpenDocumentPresentation()
    show.meta.addElement(dc.Creator(text=names[0]))
    layout = style.PageLayout(name="layout")
    show.automaticstyles.addElement(layout)
    master = style.MasterPage(name="master", pagelayoutname=layout)
    show.masterstyles.addElement(master)
    for number, (name, sentence) in enumerate(zip(names, sentences, strict=True)):
        page = draw.Page(masterpagename=master, name=f"dia {number}")
        for shown in (name, sentence):
            frame = draw.Frame(width="9cm", height="3cm", x="1cm", y="1cm")
            box = draw.TextBox()
            paragraph = text.P()
            teletype.addTextToElement(paragraph, shown)
            box.addElement(paragraph)
            frame.addElement(box)
            page.addElement(frame)
        show.presentation.addElement(page)
    return _saved(show)


def pdf(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """Letters of other scripts than Latin are left out: the page's font has none."""
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer)
    page.setAuthor(names[0])
    page.setTitle(f"Dossier {names[-1]}")
    for number, (name, sentence) in enumerate(zip(names, sentences, strict=True)):
        drawn = "".join(c for c in sentence if c in " .'-" or (c.isalpha() and ord(c) < 256))
        page.drawString(50, 780 - 60 * number, drawn)
        page.drawString(50, 760 - 60 * number, f"Betreft {name}, buur")
        page.bookmarkPage(f"b{number}")
        page.addOutlineEntry(f"Over {name}", f"b{number}")
    page.save()
    return buffer.getvalue()


def msg(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """A message of Outlook with a subject, a body, a recipient for each name, and an attached text."""

    def properties(head: int, *sizes: tuple[int, int]) -> Entry:
        rows = b"".join(struct.pack("<HHIII", 0x001F, tag, 6, size, 0) for tag, size in sizes)
        return Entry("__properties_version1.0", bytes(head) + rows)

    subject, body = f"Over {names[0]}".encode("utf-16-le"), "\r\n".join(sentences).encode("utf-16-le")
    children = [
        properties(32, (0x0037, len(subject) + 2), (0x1000, len(body) + 2)),
        Entry("__substg1.0_0037001F", subject),
        Entry("__substg1.0_1000001F", body),
        Entry("__attach_version1.0_#00000000", None, [
            properties(8), Entry("__substg1.0_3703001F", ".txt".encode("utf-16-le")),
            Entry("__substg1.0_37010102", txt(names, sentences)),
        ]),
    ]  # fmt: skip
    children += [
        Entry(f"__recip_version1.0_#{number:08d}", None,
              [properties(8), Entry("__substg1.0_3001001F", name.encode("utf-16-le"))])
        for number, name in enumerate(names)
    ]  # fmt: skip
    children.sort(key=lambda child: (len(child.name), child.name.upper()))
    return write_compound(Entry("Root Entry", None, children))


def whatsapp(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    lines = [
        f"03-05-2024 10:{n:02d} - {name}: {s}"
        for n, (name, s) in enumerate(zip(names, sentences, strict=True))
    ]
    return ("\r\n".join(lines) + "\r\n").encode("utf-8")


def _saved(document: object) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]  # the four libraries share this method, not a type
    return buffer.getvalue()


def ics(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    events = "".join(
        f'BEGIN:VEVENT\r\nATTENDEE;CN="{name}":mailto:x@y.example\r\nDESCRIPTION:{_in_ics(sentence)}\r\nEND:VEVENT\r\n'
        for name, sentence in zip(names, sentences, strict=True)
    )
    return f"BEGIN:VCALENDAR\r\n{events}END:VCALENDAR\r\n".encode()


def _in_ics(text: str) -> str:
    """Escaped, and folded every nine letters, which is shorter than programs do."""
    written = text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return "\r\n ".join(written[at : at + 9] for at in range(0, len(written), 9))


def vcf(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    cards = "".join(
        f"BEGIN:VCARD\r\nVERSION:4.0\r\nFN:{name}\r\nNOTE:{_in_ics(sentence)}\r\nEND:VCARD\r\n"
        for name, sentence in zip(names, sentences, strict=True)
    )
    return cards.encode()


def vtt(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    cues = "".join(
        f"00:{n:02}.000 --> 00:{n:02}.900\n<v {name}>{_in_xml(sentence).replace('>', '&gt;')}</v>\n\n"
        for n, (name, sentence) in enumerate(zip(names, sentences, strict=True))
    )
    return f"WEBVTT\n\n{cues}".encode()


def ipynb(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    cells = [
        {"cell_type": "code", "source": [f"# {name[:4]}", f"{name[4:]}\n", sentence], "outputs": []}
        for name, sentence in zip(names, sentences, strict=True)
    ]
    return json.dumps({"cells": cells, "nbformat": 4}).encode()


def log(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    lines = [
        f"GET /?q={quote(name)}&x=1 200\n2024-05-03 INFO x: {sentence.replace('%', '')}"
        for name, sentence in zip(names, sentences, strict=True)
    ]
    return ("\n".join(lines) + "\n").encode()


def sql(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    rows = ", ".join(
        f"({n}, '{_in_sql(name)}', '{_in_sql(sentence)}')"
        for n, (name, sentence) in enumerate(zip(names, sentences, strict=True))
    )
    return f"-- MySQL dump\nINSERT INTO t (id, wie, tekst) VALUES {rows};\n".encode()


def _in_sql(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "''")


_NOT_IN_TEX = re.compile(r"[%$&#_{}~^\\`\"]")


def tex(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    lines = [
        f"\\author{{{name}}}\n{_NOT_IN_TEX.sub('', sentence)}\n"
        for name, sentence in zip(names, sentences, strict=True)
    ]
    return "".join(lines).encode()


def yaml(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    rows = [
        f"- auteur: {json.dumps(name)}\n  tekst: {json.dumps(sentence, ensure_ascii=n % 2 == 0)}\n"
        for n, (name, sentence) in enumerate(zip(names, sentences, strict=True))
    ]
    return "".join(rows).encode()


# Texts with a notation of their own, which the leak check does not know: tests/.../test_properties.py looks.
TEXT_FORMATS: dict[str, Builder] = {
    "ics": ics, "vcf": vcf, "vtt": vtt, "ipynb": ipynb, "log": log, "sql": sql, "tex": tex, "yaml": yaml,
    "srt": srt, "toml": toml, "ini": ini, "properties": properties, "bib": bib, "md": md,
}  # fmt: skip
BYTE_FORMATS: dict[str, Builder] = {
    "txt": txt, "text": txt, "utf16.txt": utf_16, "csv": csv, "json": json_text, "jsonl": jsonl, "html": html,
    "xml": xml, "rtf": rtf, "hl7": hl7, "fhir.json": fhir, "chat.txt": whatsapp,
}  # fmt: skip
PACKAGE_FORMATS: dict[str, Builder] = {
    "docx": docx_file, "xlsx": xlsx, "pptx": pptx_file, "odt": odt, "ods": ods,
}  # fmt: skip
MAIL_FORMATS: dict[str, Builder] = {"eml": eml, "mbox": mbox}
# Here the way back is that of the format: text (pdf), streams (msg), values (parquet), parts (odp), bytes.
OTHER_FORMATS: dict[str, Builder] = {
    "tsv": tsv, "odp": odp, "pdf": pdf, "msg": msg, "parquet": parquet, "tnef": tnef,
    "zip": zip_file,
}  # fmt: skip
EVERY_FORMAT: dict[str, Builder] = BYTE_FORMATS | PACKAGE_FORMATS | MAIL_FORMATS | OTHER_FORMATS
