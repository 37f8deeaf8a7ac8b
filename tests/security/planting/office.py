# ruff: noqa: E501  tables of snippets, one a line
"""Places of names in docx, xlsx and pptx."""

import base64
import io
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

import docx
import openpyxl
import pptx
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule, FormulaRule
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table
from pptx.util import Inches

from tests.security.planting.packages import (
    edited,
    external,
    part_of,
    replaced,
    with_parts,
    with_related,
)

Plant = Callable[[str], bytes]

_RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_BODY: Final = "word/document.xml"


def _saved(document: object) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]  # the libraries share this method, not a type
    return buffer.getvalue()


def _docx(name: str) -> bytes:
    document = docx.Document()
    document.add_paragraph(f"Toen belde {name} op.")
    document.sections[0].header.paragraphs[0].text = "Kop"
    document.sections[0].footer.paragraphs[0].text = "Voet"
    return _saved(document)


def _in_body(snippet: str) -> Plant:
    """The snippet as a paragraph of the body; NAME is the name, GIVEN and FAMILY its parts, PERCENT coded."""
    return lambda name: edited(_docx(name), _BODY, "<w:sectPr", _filled(snippet, name))


def _filled(snippet: str, name: str) -> str:
    given, _, family = name.partition(" ")
    for mark, text in (("NAME", name), ("GIVEN", given), ("FAMILY", family), ("PERCENT", quote(name))):
        snippet = snippet.replace(mark, text)
    return snippet


def _paragraph(inner: str) -> Plant:
    return _in_body(f'<w:p><w:r><w:t xml:space="preserve">zie </w:t></w:r>{inner}</w:p>')


def _core(field: str) -> Plant:
    def plant(name: str) -> bytes:
        document = docx.Document(io.BytesIO(_docx(name)))
        setattr(document.core_properties, field, name)
        return _saved(document)

    return plant


def _docx_part(part: str, content: str, *, kind: str, content_type: str = "application/xml") -> Plant:
    return lambda name: with_related(
        _docx(name), _BODY, part, _filled(content, name).encode(), kind=kind, content_type=content_type
    )


_W: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_WORD: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_DOCX_PARAGRAPHS: Final[Mapping[str, str]] = {
    "runs": "<w:r><w:t>GIVEN Vlas</w:t></w:r><w:r><w:t>bloem</w:t></w:r>",
    "inserted text": '<w:ins w:id="7" w:author="NAME" w:date="2024-01-01T00:00:00Z"><w:r><w:t>iets</w:t></w:r></w:ins>',
    "deleted text": '<w:del w:id="8" w:author="A" w:date="2024-01-01T00:00:00Z"><w:r><w:delText>NAME</w:delText></w:r></w:del>',
    "moved text": '<w:moveFrom w:id="9" w:author="NAME" w:date="2024-01-01T00:00:00Z"><w:r><w:t>NAME</w:t></w:r></w:moveFrom>',
    "field code": '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>AUTHOR "NAME"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
    "deleted field code": '<w:r><w:delInstrText>AUTHOR "NAME"</w:delInstrText></w:r>',
    "simple field": '<w:fldSimple w:instr="AUTHOR &quot;NAME&quot;"><w:r><w:t>x</w:t></w:r></w:fldSimple>',
    "bookmark": '<w:bookmarkStart w:id="1" w:name="GIVEN_FAMILY"/><w:bookmarkEnd w:id="1"/>',
    "tag of a control": '<w:sdt><w:sdtPr><w:alias w:val="NAME"/><w:tag w:val="NAME"/></w:sdtPr><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt>',
    "items of a list control": '<w:sdt><w:sdtPr><w:dropDownList><w:listItem w:displayText="NAME" w:value="NAME"/></w:dropDownList></w:sdtPr><w:sdtContent><w:r><w:t>x</w:t></w:r></w:sdtContent></w:sdt>',
    "form field": '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="NAME"/><w:helpText w:val="NAME"/><w:textInput><w:default w:val="NAME"/></w:textInput></w:ffData></w:fldChar></w:r>',
    "smart tag": '<w:smartTag w:element="NAME"><w:smartTagPr><w:attr w:name="x" w:val="NAME"/></w:smartTagPr><w:r><w:t>x</w:t></w:r></w:smartTag>',
    "custom XML attribute": '<w:customXml w:element="x"><w:customXmlPr><w:attr w:name="x" w:val="NAME"/></w:customXmlPr><w:r><w:t>x</w:t></w:r></w:customXml>',
    "editor of a range": '<w:permStart w:id="3" w:ed="NAME"/><w:permEnd w:id="3"/>',
    "hidden text": "<w:r><w:rPr><w:vanish/></w:rPr><w:t>NAME</w:t></w:r>",
    "ruby": "<w:r><w:ruby><w:rt><w:r><w:t>NAME</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>x</w:t></w:r></w:rubyBase></w:ruby></w:r>",
    "formula": '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>NAME</m:t></m:r></m:oMath>',
    "text box": '<w:r><w:pict><v:textbox xmlns:v="urn:schemas-microsoft-com:vml"><w:txbxContent><w:p><w:r><w:t>NAME</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></w:r>',
    "alternative text of a shape": '<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" alt="NAME" id="NAME"/></w:pict></w:r>',
    "alternative text of a drawing": '<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="NAME" descr="NAME" title="NAME"/></wp:inline></w:drawing></w:r>',
    "tooltip of a link": '<w:hyperlink w:anchor="x" w:tooltip="NAME"><w:r><w:t>x</w:t></w:r></w:hyperlink>',
    "anchor of a link": '<w:hyperlink w:anchor="GIVEN_FAMILY"><w:r><w:t>x</w:t></w:r></w:hyperlink>',
    "comment of XML": "<!-- NAME -->",
    "instruction of XML": "<?x NAME?>",
    "character data": "<w:r><w:t><![CDATA[NAME]]></w:t></w:r>",
    "numeric entities": "<w:r><w:t>&#81;&#117;irinus &#86;lasbloem</w:t></w:r>",
    "another namespace": '<x:y xmlns:x="urn:x" z="NAME">NAME</x:y>',
    "alternate content": '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Fallback><w:r><w:t>NAME</w:t></w:r></mc:Fallback></mc:AlternateContent>',
    "soft hyphen": "<w:r><w:t>GIVEN Vlas</w:t><w:softHyphen/><w:t>bloem</w:t></w:r>",
}  # fmt: skip

DOCX: Final[Mapping[str, Plant]] = {
    **{place: _paragraph(snippet) for place, snippet in _DOCX_PARAGRAPHS.items()},
    **{f"property {field}": _core(field) for field in ("author", "title", "subject", "comments", "keywords", "last_modified_by", "category", "content_status", "identifier", "version")},
    "company": lambda name: edited(_docx(name), "docProps/app.xml", "</Properties>", f"<Company>{name}</Company>"),
    "manager": lambda name: edited(_docx(name), "docProps/app.xml", "</Properties>", f"<Manager>{name}</Manager>"),
    "address of links": lambda name: edited(_docx(name), "docProps/app.xml", "</Properties>", f"<HyperlinkBase>http://x/{quote(name)}</HyperlinkBase>"),
    "own property": lambda name: with_related(
        _docx(name), "word/document.xml", "docProps/custom.xml",
        f'<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" name="{name}"><vt:lpwstr>{name}</vt:lpwstr></property></Properties>'.encode(),
        kind=f"{_RELATIONS}/custom-properties", content_type="application/vnd.openxmlformats-officedocument.custom-properties+xml"),
    "footnote": _docx_part("word/footnotes.xml", f'<w:footnotes {_W}><w:footnote w:id="2"><w:p><w:r><w:t>NAME</w:t></w:r></w:p></w:footnote></w:footnotes>', kind=f"{_RELATIONS}/footnotes", content_type=f"{_WORD}footnotes+xml"),
    "comment": _docx_part("word/comments.xml", f'<w:comments {_W}><w:comment w:id="0" w:author="NAME" w:initials="QV"><w:p><w:r><w:t>NAME</w:t></w:r></w:p></w:comment></w:comments>', kind=f"{_RELATIONS}/comments", content_type=f"{_WORD}comments+xml"),
    "person of comments": _docx_part("word/people.xml", '<w15:people xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"><w15:person w15:author="NAME"><w15:presenceInfo w15:providerId="AD" w15:userId="S::NAME"/></w15:person></w15:people>', kind="http://schemas.microsoft.com/office/2011/relationships/people", content_type=f"{_WORD}people+xml"),
    "glossary": _docx_part("word/glossary/document.xml", f'<w:glossaryDocument {_W}><w:docParts><w:docPart><w:docPartPr><w:name w:val="NAME"/></w:docPartPr><w:docPartBody><w:p><w:r><w:t>NAME</w:t></w:r></w:p></w:docPartBody></w:docPart></w:docParts></w:glossaryDocument>', kind=f"{_RELATIONS}/glossaryDocument", content_type=f"{_WORD}document.glossary+xml"),
    "custom XML part": _docx_part("customXml/item1.xml", '<x a="NAME">NAME</x>', kind=f"{_RELATIONS}/customXml"),
    "page in HTML": _docx_part("word/afchunk.htm", "<html><body>NAME</body></html>", kind=f"{_RELATIONS}/aFChunk", content_type="text/html"),
    "page in RTF": _docx_part("word/afchunk.rtf", "{\\rtf1 NAME}", kind=f"{_RELATIONS}/aFChunk", content_type="application/rtf"),
    "object": _docx_part("word/embeddings/ole.bin", "\0\1 NAME \0", kind=f"{_RELATIONS}/oleObject", content_type="application/vnd.openxmlformats-officedocument.oleObject"),
    "chart": _docx_part("word/charts/chart1.xml", '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:strCache><c:pt idx="0"><c:v>NAME</c:v></c:pt></c:strCache></c:chartSpace>', kind=f"{_RELATIONS}/chart", content_type="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"),
    "diagram": _docx_part("word/diagrams/data1.xml", '<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:t><a:p><a:r><a:t>NAME</a:t></a:r></a:p></dgm:t></dgm:dataModel>', kind=f"{_RELATIONS}/diagramData", content_type="application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"),
    "variable": lambda name: edited(_docx(name), "word/settings.xml", "</w:settings>", f'<w:docVars><w:docVar w:name="x" w:val="{name}"/></w:docVars>'),
    "mail merge": lambda name: edited(_docx(name), "word/settings.xml", "</w:settings>", f'<w:mailMerge><w:connectString w:val="User ID={name}"/><w:query w:val="SELECT \'{name}\'"/><w:odso><w:udl w:val="{name}"/></w:odso></w:mailMerge>'),
    "template": lambda name: with_parts(_docx(name), {"word/_rels/settings.xml.rels": f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="{_RELATIONS}/attachedTemplate" Target="file:///C:/Users/{quote(name)}/x.dotx" TargetMode="External"/></Relationships>'.encode()}),
    "name of a style": lambda name: edited(_docx(name), "word/styles.xml", "</w:styles>", f'<w:style w:type="paragraph" w:styleId="x"><w:name w:val="{name}"/></w:style>'),
    "text of a list level": lambda name: edited(_docx(name), "word/numbering.xml", "</w:numbering>", f'<w:abstractNum w:abstractNumId="99"><w:name w:val="{name}"/><w:lvl w:ilvl="0"><w:lvlText w:val="{name} %1"/></w:lvl></w:abstractNum>'),
    "target of a link": lambda name: external(_docx(name), _BODY, f"http://x.example/{quote(name)}", kind=f"{_RELATIONS}/hyperlink"),
    "address of a link": lambda name: external(_docx(name), _BODY, f"mailto:{name.replace(' ', '.').lower()}@x.example", kind=f"{_RELATIONS}/hyperlink"),
    "header": lambda name: replaced(_docx(name), "word/header1.xml", ">Kop<", f">{name}<"),
    "footer": lambda name: replaced(_docx(name), "word/footer1.xml", ">Voet<", f">{name}<"),
    "name of a member": lambda name: with_parts(_docx(name), {f"word/{name}.xml": b"<x/>"}),
    "comment of the zip": lambda name: with_parts(_docx(name), {}, comment=name.encode()),
    "document inside": lambda name: with_parts(_docx(name), {"word/embeddings/a.docx": _docx(name)}),
    "picture in base64": _paragraph('<w:binData xmlns:w="urn:w">BASE64</w:binData>'.replace("BASE64", base64.b64encode(b"Quirinus Vlasbloem belde").decode())),
}  # fmt: skip


def _xlsx(name: str, change: Callable[[openpyxl.Workbook], None] | None = None) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Blad"
    sheet["A1"], sheet["A2"] = "opmerking", f"Toen belde {name} op."
    sheet["C1"], sheet["C2"], sheet["C3"] = "n", 1, 2
    if change is not None:
        change(book)
    return _saved(book)


def _book(change: Callable[[openpyxl.Workbook, str], None]) -> Plant:
    return lambda name: _xlsx(name, lambda book: change(book, name))


def _sheet(change: Callable[[object, str], None]) -> Plant:
    return _book(lambda book, name: change(book.active, name))


def _set(path: str, value: Callable[[str], object]) -> Plant:
    def change(book: openpyxl.Workbook, name: str) -> None:
        target: object = book
        *before, last = path.split(".")
        for step in before:
            target = getattr(target, step)
        setattr(target, last, value(name))

    return _book(change)


def _validated(sheet, name: str) -> None:  # type: ignore[no-untyped-def]
    rule = DataValidation(type="list", formula1=f'"{name},ander"', prompt=name, error=name)
    rule.add("B1")
    sheet.add_data_validation(rule)


def _tabled(sheet, name: str) -> None:  # type: ignore[no-untyped-def]
    sheet["E1"], sheet["E2"] = name, "x"
    sheet.add_table(Table(displayName="Tabel", ref="E1:E2"))


def _charted(sheet, name: str) -> None:  # type: ignore[no-untyped-def]
    chart = BarChart()
    chart.title = name
    chart.add_data(Reference(sheet, min_col=3, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "G1")


def _linked(sheet, name: str) -> None:  # type: ignore[no-untyped-def]
    sheet["B2"] = "hier"
    sheet["B2"].hyperlink = f"http://x.example/{quote(name)}"
    sheet["B2"].hyperlink.tooltip = name


def _cell(value: Callable[[str], str]) -> Plant:
    def change(sheet, name: str) -> None:  # type: ignore[no-untyped-def]
        sheet["B2"] = value(name)

    return _sheet(change)


def _xlsx_part(part: str, content: str, *, kind: str) -> Plant:
    return lambda name: with_related(
        _xlsx(name), "xl/workbook.xml", part, _filled(content, name).encode(), kind=f"{_RELATIONS}/{kind}",
        content_type="application/xml",
    )  # fmt: skip


def _in_sheet(snippet: str, mark: str = "<pageMargins") -> Plant:
    return lambda name: edited(_xlsx(name), "xl/worksheets/sheet1.xml", mark, _filled(snippet, name))


def _in_book(snippet: str) -> Plant:
    return lambda name: edited(_xlsx(name), "xl/workbook.xml", "</workbook>", _filled(snippet, name))


_S: Final = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
XLSX: Final[Mapping[str, Plant]] = {
    "cell": _cell(lambda name: name),
    "formula": _cell(lambda name: f'="x"&"{name}"'),
    "formula over parts": _cell(lambda name: f'="{name[:4]}"&"{name[4:]}"'),
    "title of a sheet": _book(lambda book, name: book.create_sheet(name) and None),
    "property creator": _set("properties.creator", lambda name: name),
    "property last modified by": _set("properties.lastModifiedBy", lambda name: name),
    "property keywords": _set("properties.keywords", lambda name: name),
    "header": _set("active.oddHeader.center.text", lambda name: name),
    "footer of even pages": _set("active.evenFooter.left.text", lambda name: name),
    "code name": _set("active.sheet_properties.codeName", lambda name: name.replace(" ", "_")),
    "comment": _sheet(lambda sheet, name: sheet["A1"].__setattr__("comment", Comment(name, name))),  # type: ignore[index]
    "validation": _sheet(_validated),
    "condition": _sheet(lambda sheet, name: sheet.conditional_formatting.add("A1", FormulaRule(formula=[f'A1="{name}"']))),  # type: ignore[attr-defined]
    "condition by value": _sheet(lambda sheet, name: sheet.conditional_formatting.add("A1", CellIsRule(operator="equal", formula=[f'"{name}"']))),  # type: ignore[attr-defined]
    "condition by text": _in_sheet('<conditionalFormatting sqref="A1"><cfRule type="containsText" priority="1" operator="containsText" text="NAME"><formula>NOT(ISERROR(SEARCH("NAME",A1)))</formula></cfRule></conditionalFormatting>'),
    "column of a table": _sheet(_tabled),
    "chart": _sheet(_charted),
    "link": _sheet(_linked),
    "number format": _sheet(lambda sheet, name: sheet["C2"].__setattr__("number_format", f'"{name}"0')),  # type: ignore[index]
    "defined name": _in_book("<definedNames><definedName name=\"x\" comment=\"NAME\">\"NAME\"</definedName></definedNames>"),
    "name of a defined name": _in_book('<definedNames><definedName name="GIVEN_FAMILY">Blad!$A$1</definedName></definedNames>'),
    "path of the file": _in_book('<x15ac:absPath xmlns:x15ac="http://schemas.microsoft.com/office/spreadsheetml/2010/11/ac" url="C:\\Users\\NAME\\"/>'),
    "sharing": _in_book('<fileSharing userName="NAME"/>'),
    "filter": _in_sheet('<autoFilter ref="A1:A2"><filterColumn colId="0"><filters><filter val="NAME"/></filters></filterColumn></autoFilter>'),
    "own filter": _in_sheet('<autoFilter ref="A1:A2"><filterColumn colId="0"><customFilters><customFilter val="*NAME*"/></customFilters></filterColumn></autoFilter>'),
    "scenario": _in_sheet('<scenarios><scenario name="NAME" user="NAME" comment="NAME"><inputCells r="A1" val="NAME"/></scenario></scenarios>'),
    "protected range": _in_sheet('<protectedRanges><protectedRange name="GIVEN_FAMILY" sqref="A1"/></protectedRanges>'),
    "inline text": _in_sheet('<row r="9"><c r="A9" t="inlineStr"><is><r><t>GIVEN </t></r><r><t>FAMILY</t></r></is></c></row>', "</sheetData>"),
    "cached text of a formula": _in_sheet('<row r="9"><c r="A9" t="str"><f>A2</f><v>NAME</v></c></row>', "</sheetData>"),
    "external book": _xlsx_part("xl/externalLinks/externalLink1.xml", f'<externalLink {_S}><externalBook><sheetNames><sheetName val="NAME"/></sheetNames><definedNames><definedName name="x" refersTo="NAME"/></definedNames><sheetDataSet><sheetData sheetId="0"><row r="1"><cell r="A1" t="str"><v>NAME</v></cell></row></sheetData></sheetDataSet></externalBook></externalLink>', kind="externalLink"),
    "connection": _xlsx_part("xl/connections.xml", f'<connections {_S}><connection id="1" name="NAME" description="NAME"><dbPr connection="User ID=NAME" command="SELECT \'NAME\'"/></connection></connections>', kind="connections"),
    "pivot cache": _xlsx_part("xl/pivotCache/pivotCacheDefinition1.xml", f'<pivotCacheDefinition {_S} refreshedBy="NAME"><cacheFields><cacheField name="NAME"><sharedItems><s v="NAME"/></sharedItems></cacheField></cacheFields></pivotCacheDefinition>', kind="pivotCacheDefinition"),
    "records of a pivot cache": _xlsx_part("xl/pivotCache/pivotCacheRecords1.xml", f'<pivotCacheRecords {_S}><r><s v="NAME"/></r></pivotCacheRecords>', kind="pivotCacheRecords"),
    "persons": _xlsx_part("xl/persons/person.xml", '<personList xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><person displayName="NAME" userId="NAME" id="{1}"/></personList>', kind="person"),
    "threaded comment": _xlsx_part("xl/threadedComments/threadedComment1.xml", '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="A1" id="{2}" personId="{1}"><text>NAME</text></threadedComment></ThreadedComments>', kind="threadedComment"),
    "query table": _xlsx_part("xl/queryTables/queryTable1.xml", f'<queryTable {_S} name="NAME"><queryTableRefresh><queryTableFields><queryTableField id="1" name="NAME"/></queryTableFields></queryTableRefresh></queryTable>', kind="queryTable"),
    "revision": _xlsx_part("xl/revisions/userNames.xml", f'<users {_S}><userInfo guid="{{1}}" name="NAME" id="1"/></users>', kind="usernames"),
    "custom XML part": _xlsx_part("customXml/item1.xml", '<x a="NAME">NAME</x>', kind="customXml"),
    "macro": _xlsx_part("xl/vbaProject.bin", "\0 NAME \0", kind="vbaProject"),
    "name of a style": lambda name: replaced(_xlsx(name), "xl/styles.xml", 'name="Normal"', f'name="{name}"'),
    "font": lambda name: replaced(_xlsx(name), "xl/styles.xml", 'val="Calibri"', f'val="{name}"'),
    "comment of XML": _in_sheet("<!-- NAME -->"),
}  # fmt: skip


def _pptx(name: str) -> bytes:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = f"Toen belde {name} op"
    slide.notes_slide.notes_text_frame.text = "Noot"
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1))
    box.text_frame.text = "vak"
    return _saved(show)


_SLIDE: Final = "ppt/slides/slide1.xml"
_SHOW: Final = "ppt/presentation.xml"


def _pptx_part(part: str, content: str, *, kind: str) -> Plant:
    return lambda name: with_related(
        _pptx(name), _SHOW, part, _filled(content, name).encode(), kind=f"{_RELATIONS}/{kind}",
        content_type="application/xml",
    )  # fmt: skip


_P: Final = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
PPTX: Final[Mapping[str, Plant]] = {
    "text": lambda name: replaced(_pptx(name), _SLIDE, ">vak<", f">{name}<"),
    "text over runs": lambda name: replaced(_pptx(name), _SLIDE, "<a:t>vak</a:t></a:r>", f"<a:t>{name[:5]}</a:t></a:r><a:r><a:t>{name[5:]}</a:t></a:r>"),
    "notes": lambda name: replaced(_pptx(name), "ppt/notesSlides/notesSlide1.xml", ">Noot<", f">{name}<"),
    "name of a shape": lambda name: replaced(_pptx(name), _SLIDE, 'name="TextBox', f'descr="{name}" name="{name} TextBox'),
    "author": lambda name: edited(_pptx(name), "docProps/core.xml", "</cp:coreProperties>", f"<dc:subject>{name}</dc:subject>"),
    "section": lambda name: edited(_pptx(name), _SHOW, "</p:presentation>", f'<p:extLst><p:ext uri="{{521415D9-36F7-43E2-AB2F-B90AF26B5E84}}"><p14:sectionLst xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main"><p14:section name="{name}" id="{{1}}"/></p14:sectionLst></p:ext></p:extLst>'),
    "own show": lambda name: edited(_pptx(name), _SHOW, "</p:presentation>", f'<p:custShowLst><p:custShow name="{name}" id="0"><p:sldLst/></p:custShow></p:custShowLst>'),
    "layout": lambda name: edited(_pptx(name), "ppt/slideLayouts/slideLayout6.xml", "</p:spTree>", f'<p:sp><p:nvSpPr><p:cNvPr id="77" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{name}</a:t></a:r></a:p></p:txBody></p:sp>'),
    "master": lambda name: edited(_pptx(name), "ppt/slideMasters/slideMaster1.xml", "</p:spTree>", f'<p:sp><p:nvSpPr><p:cNvPr id="77" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{name}</a:t></a:r></a:p></p:txBody></p:sp>'),
    "name of a theme": lambda name: replaced(_pptx(name), "ppt/theme/theme1.xml", 'name="Office Theme"', f'name="{name}"'),
    "author of comments": _pptx_part("ppt/commentAuthors.xml", f'<p:cmAuthorLst {_P}><p:cmAuthor id="0" name="NAME" initials="QV" lastIdx="1" clrIdx="0"/></p:cmAuthorLst>', kind="commentAuthors"),
    "comment": _pptx_part("ppt/comments/comment1.xml", f'<p:cmLst {_P}><p:cm authorId="0" idx="1"><p:text>NAME</p:text></p:cm></p:cmLst>', kind="comments"),
    "modern author": _pptx_part("ppt/authors.xml", '<p188:authorLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main"><p188:author id="{1}" name="NAME" userId="NAME"/></p188:authorLst>', kind="authors"),
    "tags": _pptx_part("ppt/tags/tag1.xml", f'<p:tagLst {_P}><p:tag name="X" val="NAME"/></p:tagLst>', kind="tags"),
    "link": lambda name: external(_pptx(name), _SLIDE, f"http://x.example/{quote(name)}", kind=f"{_RELATIONS}/hyperlink"),
    "document inside": lambda name: with_parts(_pptx(name), {"ppt/embeddings/a.docx": _docx(name)}),
    "comment of XML": lambda name: edited(_pptx(name), _SLIDE, "</p:sld>", f"<!-- {name} -->"),
    "custom XML part": _pptx_part("customXml/item1.xml", '<x a="NAME">NAME</x>', kind="customXml"),
}  # fmt: skip

__all__ = ["DOCX", "PPTX", "XLSX", "Plant", "part_of"]
