# ruff: noqa: E501  tables of snippets, one a line
"""Places of names in PDF."""

import io
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import pikepdf
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfgen.canvas import Canvas

Plant = Callable[[str], bytes]
Change = Callable[[pikepdf.Pdf, str], None]


def _page(name: str, draw: Callable[[Canvas, str], None] | None = None) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.drawString(60, 760, f"Toen belde {name} op.")
    if draw is not None:
        draw(canvas, name)
    canvas.save()
    return buffer.getvalue()


def _changed(change: Change) -> Plant:
    def plant(name: str) -> bytes:
        buffer = io.BytesIO()
        with pikepdf.open(io.BytesIO(_page(name))) as document:
            change(document, name)
            document.save(buffer)
        return buffer.getvalue()

    return plant


def _drawn(draw: Callable[[Canvas, str], None]) -> Plant:
    return lambda name: _page(name, draw)


def _turned(canvas: Canvas, name: str, *, angle: float) -> None:
    canvas.saveState()
    canvas.translate(300, 400)
    canvas.rotate(angle)
    canvas.drawString(0, 0, f"Toen belde {name} nog eens.")
    canvas.restoreState()


def _content(text: Callable[[str], bytes]) -> Plant:
    def change(document: pikepdf.Pdf, name: str) -> None:
        page = document.pages[0]
        page.contents_add(document.make_stream(text(name)))

    return _changed(change)


def _literal(name: str) -> bytes:
    return f"({name})".encode()


def _annotation(**fields: Callable[[str], object]) -> Plant:
    def change(document: pikepdf.Pdf, name: str) -> None:
        made = Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=Array([10, 10, 30, 30]))
        for key, value in fields.items():
            made[f"/{key}"] = value(name)
        document.pages[0].Annots = document.make_indirect(Array([document.make_indirect(made)]))

    return _changed(change)


def _field(**fields: Callable[[pikepdf.Pdf, str], object]) -> Plant:
    def change(document: pikepdf.Pdf, name: str) -> None:
        made = Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, FT=Name.Tx, T=String("veld"), Rect=Array([10, 10, 90, 30])
        )
        for key, value in fields.items():
            made[f"/{key}"] = value(document, name)
        field = document.make_indirect(made)
        document.pages[0].Annots = Array([field])
        document.Root.AcroForm = Dictionary(Fields=Array([field]))

    return _changed(change)


def _root(key: str, value: Callable[[pikepdf.Pdf, str], object]) -> Plant:
    def change(document: pikepdf.Pdf, name: str) -> None:
        document.Root[f"/{key}"] = value(document, name)

    return _changed(change)


def _info(key: str) -> Plant:
    def change(document: pikepdf.Pdf, name: str) -> None:
        document.docinfo[f"/{key}"] = name

    return _changed(change)


def _attached(document: pikepdf.Pdf, name: str) -> None:
    document.attachments[f"{name}.txt"] = pikepdf.AttachedFileSpec(
        document, f"Toen kwam {name}".encode(), filename=f"{name}.txt", description=name
    )


def _outlined(document: pikepdf.Pdf, name: str) -> None:
    with document.open_outline() as outline:
        outline.root.append(pikepdf.OutlineItem(name, 0))


def _metadata(document: pikepdf.Pdf, name: str) -> None:
    with document.open_metadata() as data:
        data["dc:creator"] = [name]
        data["dc:title"] = name


def _form(document: pikepdf.Pdf, name: str) -> None:
    stream = document.make_stream(b"BT /F1 12 Tf 60 500 Td " + _literal(name) + b" Tj ET")
    stream.Type, stream.Subtype, stream.BBox = Name.XObject, Name.Form, Array([0, 0, 600, 800])
    page = document.pages[0]
    stream.Resources = page.Resources
    page.Resources.XObject = Dictionary(Fx=document.make_indirect(stream))
    page.contents_add(document.make_stream(b"/Fx Do"))


def _rotated(document: pikepdf.Pdf, name: str) -> None:
    del name
    document.pages[0].Rotate = 90


def _structure(**fields: str) -> Plant:
    def value(document: pikepdf.Pdf, name: str) -> object:
        element = Dictionary(Type=Name.StructElem, S=Name.P)
        for key, text in fields.items():
            element[f"/{key}"] = String(text.replace("NAME", name))
        return Dictionary(Type=Name.StructTreeRoot, K=document.make_indirect(element))

    return _root("StructTreeRoot", value)


def _earlier(name: str) -> bytes:
    """A page whose title an appended revision took away."""
    with pikepdf.open(io.BytesIO(_page(name))) as document:
        document.docinfo["/Title"] = name
        buffer = io.BytesIO()
        document.save(buffer, object_stream_mode=pikepdf.ObjectStreamMode.disable)
    raw = buffer.getvalue()
    start = raw.rindex(b"startxref") + 9
    offset = int(raw[start:].split()[0])
    with pikepdf.open(io.BytesIO(raw)) as document:
        size, root = int(document.trailer.Size), document.Root.objgen[0]
    number = size
    info = f"{number} 0 obj\n<< /Title (leeg) >>\nendobj\n".encode()
    at = len(raw)
    table = f"xref\n{number} 1\n{at:010d} 00000 n \ntrailer\n<< /Size {number + 1} /Root {root} 0 R /Info {number} 0 R /Prev {offset} >>\nstartxref\n{at + len(info)}\n%%EOF\n"
    return raw + info + table.encode()


def _kerned(name: str) -> bytes:
    pieces = b" ".join(f"({letter})-20".encode() for letter in name)
    return b"BT /F1 12 Tf 60 700 Td [" + pieces + b"] TJ ET"


def _placed(name: str) -> bytes:
    steps = b" ".join(f"7 0 Td ({letter}) Tj".encode() for letter in name)
    return b"BT /F1 12 Tf 60 690 Td " + steps + b" ET"


def _script(name: str) -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String(f'app.alert("{name}")'))


PDF: Final[Mapping[str, Plant]] = {
    "text": _drawn(lambda canvas, name: canvas.drawString(60, 700, f"daarna {name} weer.")),
    **{f"text turned by {angle}": _drawn(partial(_turned, angle=angle)) for angle in (45, 90, 180, 270)},
    "page turned": _changed(_rotated),
    "kerned text": _content(_kerned),
    "letters placed singly": _content(_placed),
    "hex text": _content(lambda name: b"BT /F1 12 Tf 60 680 Td <" + name.encode().hex().encode() + b"> Tj ET"),
    "octal text": _content(lambda name: b"BT /F1 12 Tf 60 670 Td (" + "".join(f"\\{ord(c):03o}" for c in name).encode() + b") Tj ET"),
    "text by quote": _content(lambda name: b"BT /F1 12 Tf 14 TL 60 660 Td " + _literal(name) + b" ' ET"),
    "invisible text": _content(lambda name: b"BT /F1 12 Tf 3 Tr 60 650 Td " + _literal(name) + b" Tj ET"),
    "white text": _content(lambda name: b"1 1 1 rg BT /F1 12 Tf 60 640 Td " + _literal(name) + b" Tj ET"),
    "text beside the page": _content(lambda name: b"BT /F1 12 Tf 9000 640 Td " + _literal(name) + b" Tj ET"),
    "actual text of content": _content(lambda name: b"/Span << /ActualText " + _literal(name) + b" >> BDC BT /F1 12 Tf 60 630 Td (x) Tj ET EMC"),
    "alternative of content": _content(lambda name: b"/Span << /Alt " + _literal(name) + b" >> BDC EMC"),
    "comment of content": _content(lambda name: b"% " + name.encode() + b"\n"),
    "form object": _changed(_form),
    "property title": _info("Title"), "property author": _info("Author"), "property keywords": _info("Keywords"), "own property": _info("Klant"),
    "metadata": _changed(_metadata),
    "attachment": _changed(_attached),
    "outline": _changed(_outlined),
    "note": _annotation(Contents=String), "author of a note": _annotation(T=String), "subject of a note": _annotation(Subj=String), "rich note": _annotation(RC=lambda name: String(f"<body><p>{name}</p></body>")), "name of a note": _annotation(NM=String),
    "link": _annotation(Subtype=lambda _: Name.Link, A=lambda name: Dictionary(S=Name.URI, URI=String("http://x.example/" + name.replace(" ", "%20")))),
    "address of a link": _annotation(Subtype=lambda _: Name.Link, A=lambda _: Dictionary(S=Name.URI, URI=String("mailto:quirinus.vlasbloem@x.example"))),
    "file of a link": _annotation(Subtype=lambda _: Name.Link, A=lambda name: Dictionary(S=Name.GoToR, F=String(f"C:/Users/{name}/x.pdf"))),
    "free text": _annotation(Subtype=lambda _: Name.FreeText, Contents=String, DA=lambda _: String("/Helv 12 Tf")),
    "value of a field": _field(V=lambda _, name: String(name)), "default of a field": _field(DV=lambda _, name: String(name)), "name of a field": _field(T=lambda _, name: String(name)), "help of a field": _field(TU=lambda _, name: String(name)), "export name of a field": _field(TM=lambda _, name: String(name)), "rich value of a field": _field(RV=lambda _, name: String(f"<p>{name}</p>")),
    "options of a field": _field(FT=lambda _, __: Name.Ch, Opt=lambda _, name: Array([String(name)])),
    "value as a stream": _field(V=lambda document, name: document.make_stream(name.encode())),
    "look of a field": _field(AP=lambda document, name: Dictionary(N=document.make_stream(b"BT /Helv 12 Tf " + _literal(name) + b" Tj ET", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 80, 20])))),
    "script": _root("OpenAction", lambda _, name: _script(name)),
    "script of names": _root("Names", lambda _, name: Dictionary(JavaScript=Dictionary(Names=Array([String(name), _script(name)])))),
    "script as a stream": _root("OpenAction", lambda document, name: Dictionary(S=Name.JavaScript, JS=document.make_stream(f'app.alert("{name}")'.encode()))),
    "destination": _root("Dests", lambda document, name: Dictionary({f"/{name}": Array([document.pages[0].obj, Name.Fit])})),
    "destination of names": _root("Names", lambda document, name: Dictionary(Dests=Dictionary(Names=Array([String(name), Array([document.pages[0].obj, Name.Fit])])))),
    "label of pages": _root("PageLabels", lambda _, name: Dictionary(Nums=Array([0, Dictionary(P=String(name))]))),
    "layer": _root("OCProperties", lambda document, name: Dictionary(OCGs=Array([document.make_indirect(Dictionary(Type=Name.OCG, Name=String(name)))]), D=Dictionary())),
    "structure: actual text": _structure(ActualText="NAME"), "structure: alternative": _structure(Alt="NAME"), "structure: expansion": _structure(E="NAME"), "structure: title": _structure(T="NAME"), "structure: id": _structure(ID="NAME"),
    "XFA": _root("AcroForm", lambda document, name: Dictionary(Fields=Array([]), XFA=document.make_stream(f"<x>{name}</x>".encode()))),
    "thread": _root("Threads", lambda document, name: Array([document.make_indirect(Dictionary(Type=Name.Thread, I=Dictionary(Title=String(name))))])),
    "private data": _root("PieceInfo", lambda _, name: Dictionary(App=Dictionary(Private=String(name)))),
    "earlier revision": _earlier,
    "behind the end": lambda name: _page(name) + f"\n% {name}\n".encode(),
    "stream of nobody": _changed(lambda document, name: document.Root.__setattr__("Extra", document.make_indirect(document.make_stream(name.encode())))),
}  # fmt: skip
