# ruff: noqa: E501  tables of snippets, one a line
"""Places of names in odt, ods and odp."""

import io
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

from odf import style, table, text
from odf.opendocument import OpenDocumentSpreadsheet, OpenDocumentText

from tests.pseudonymizer.formats import samples
from tests.security.planting.packages import edited, with_parts

Plant = Callable[[str], bytes]


def _saved(document: object) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def _odt(name: str) -> bytes:
    document = OpenDocumentText()
    document.text.addElement(text.P(text=f"Toen belde {name} op."))
    document.styles.addElement(style.Style(name="x", family="paragraph"))
    return _saved(document)


def _ods(name: str) -> bytes:
    document = OpenDocumentSpreadsheet()
    sheet, row = table.Table(name="Blad"), table.TableRow()
    cell = table.TableCell(valuetype="string")
    cell.addElement(text.P(text=f"Toen belde {name} op."))
    row.addElement(cell)
    sheet.addElement(row)
    document.spreadsheet.addElement(sheet)
    return _saved(document)


def _odp(name: str) -> bytes:
    return samples.odp([name], [f"Toen belde {name} op."])


def _in(make: Plant, mark: str, snippet: str, part: str = "content.xml", *, before: bool = True) -> Plant:
    def plant(name: str) -> bytes:
        given, _, family = name.partition(" ")
        filled = snippet
        for sign, value in (("NAME", name), ("GIVEN", given), ("FAMILY", family), ("PERCENT", quote(name))):
            filled = filled.replace(sign, value)
        return edited(make(name), part, mark, filled, before=before)

    return plant


def _meta(make: Plant, snippet: str) -> Plant:
    return _in(make, "</office:meta>", snippet, "meta.xml")


def _beside(make: Plant, member: str, content: str) -> Plant:
    return lambda name: with_parts(
        make(name), {member.replace("NAME", name): content.replace("NAME", name).encode()}
    )


_META: Final[Mapping[str, str]] = {
    "creator": "<dc:creator>NAME</dc:creator>",
    "first creator": "<meta:initial-creator>NAME</meta:initial-creator>",
    "printed by": "<meta:printed-by>NAME</meta:printed-by>",
    "subject": "<dc:subject>NAME</dc:subject>",
    "keyword": "<meta:keyword>NAME</meta:keyword>",
    "own property": '<meta:user-defined meta:name="NAME">NAME</meta:user-defined>',
    "template": '<meta:template xlink:href="/home/PERCENT/x.ott" xlink:title="NAME"/>',
}
_TEXT: Final[Mapping[str, str]] = {
    "spans": "<text:p><text:span>GIVEN Vlas</text:span><text:span>bloem</text:span></text:p>",
    "annotation": "<text:p>x<office:annotation><dc:creator>NAME</dc:creator><text:p>NAME</text:p></office:annotation></text:p>",
    "deletion": '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><office:change-info><dc:creator>NAME</dc:creator></office:change-info><text:p>NAME</text:p></text:deletion></text:changed-region></text:tracked-changes>',
    "footnote": '<text:p>x<text:note text:note-class="footnote"><text:note-body><text:p>NAME</text:p></text:note-body></text:note></text:p>',
    "user field": '<text:user-field-decls><text:user-field-decl office:value-type="string" office:string-value="NAME" text:name="x"/></text:user-field-decls>',
    "variable": '<text:p><text:variable-set text:name="x" text:formula="ooow:NAME" office:string-value="NAME">x</text:variable-set></text:p>',
    "sender": "<text:p><text:sender-lastname>NAME</text:sender-lastname></text:p>",
    "placeholder": '<text:p><text:placeholder text:placeholder-type="text" text:description="NAME">x</text:placeholder></text:p>',
    "conditional text": '<text:p><text:conditional-text text:condition="ooow:x" text:string-value-if-true="NAME" text:string-value-if-false="y">y</text:conditional-text></text:p>',
    "hidden text": '<text:p><text:hidden-text text:string-value="NAME" text:condition="ooow:x"/></text:p>',
    "bookmark": '<text:p><text:bookmark text:name="NAME"/>x</text:p>',
    "section": '<text:section text:name="NAME"><text:p>x</text:p></text:section>',
    "link": '<text:p><text:a xlink:href="http://x.example/PERCENT" office:title="NAME" office:name="NAME">x</text:a></text:p>',
    "address of a link": '<text:p><text:a xlink:href="mailto:quirinus.vlasbloem@x.example">x</text:a></text:p>',
    "database": '<text:p><text:database-display text:table-name="NAME" text:column-name="NAME">x</text:database-display></text:p>',
    "script": '<text:p><text:script script:language="x">NAME</text:script></text:p>',
    "ruby": "<text:p><text:ruby><text:ruby-base>x</text:ruby-base><text:ruby-text>NAME</text:ruby-text></text:ruby></text:p>",
    "frame": '<text:p><draw:frame draw:name="NAME"><svg:title>NAME</svg:title><svg:desc>NAME</svg:desc></draw:frame></text:p>',
    "form": '<office:forms><form:form form:name="NAME"><form:text form:name="x" form:value="NAME" form:current-value="NAME" form:label="NAME"/></form:form></office:forms>',
    "picture in base64": "<text:p><draw:frame><draw:image><office:binary-data>UXVpcmludXMgVmxhc2Jsb2VtIGJlbGRl</office:binary-data></draw:image></draw:frame></text:p>",
    "comment of XML": "<!-- NAME -->",
    "instruction of XML": "<?x NAME?>",
}  # fmt: skip
ODT: Final[Mapping[str, Plant]] = {
    **{f"property {place}": _meta(_odt, snippet) for place, snippet in _META.items()},
    **{place: _in(_odt, "</office:text>", snippet) for place, snippet in _TEXT.items()},
    "name of a style": _in(_odt, "</office:styles>", '<style:style style:name="y" style:display-name="NAME" style:family="paragraph"/>', "styles.xml"),
    "text of a list level": _in(_odt, "</office:styles>", '<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-prefix="NAME"/></text:list-style>', "styles.xml"),
    "settings": _beside(_odt, "settings.xml", '<office:document-settings xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:config="urn:oasis:names:tc:opendocument:xmlns:config:1.0"><office:settings><config:config-item-set config:name="x"><config:config-item config:name="PrinterName" config:type="string">NAME</config:config-item></config:config-item-set></office:settings></office:document-settings>'),
    "statements": _beside(_odt, "manifest.rdf", '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="NAME"/></rdf:RDF>'),
    "object": _beside(_odt, "Object 1/content.xml", '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">NAME</office:document-content>'),
    "other object": _beside(_odt, "ObjectReplacements/Object 1", "\0 NAME"),
    "macro": _beside(_odt, "Basic/Standard/Module1.xml", "<x>' NAME</x>"),
    "name of a member": _beside(_odt, "Pictures/NAME.png", "x"),
}  # fmt: skip
ODS: Final[Mapping[str, Plant]] = {
    "creator": _meta(_ods, _META["creator"]),
    "title of a sheet": _in(_ods, "</office:spreadsheet>", '<table:table table:name="NAME"><table:table-row><table:table-cell/></table:table-row></table:table>'),
    "value of a cell": _in(_ods, "</table:table>", '<table:table-row><table:table-cell office:value-type="string" office:string-value="NAME"/></table:table-row>'),
    "formula": _in(_ods, "</table:table>", '<table:table-row><table:table-cell table:formula="of:=&quot;NAME&quot;" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row>'),
    "annotation": _in(_ods, "</table:table>", "<table:table-row><table:table-cell><office:annotation><dc:creator>NAME</dc:creator><text:p>NAME</text:p></office:annotation></table:table-cell></table:table-row>"),
    "validation": _in(_ods, "<table:table ", '<table:content-validations><table:content-validation table:name="v" table:condition="of:cell-content-is-in-list(&quot;NAME&quot;)"><table:help-message table:title="NAME"><text:p>NAME</text:p></table:help-message></table:content-validation></table:content-validations>'),
    "filter": _in(_ods, "</office:spreadsheet>", '<table:database-ranges><table:database-range table:name="NAME" table:target-range-address="Blad.A1"><table:filter><table:filter-condition table:field-number="0" table:value="NAME" table:operator="="/></table:filter></table:database-range></table:database-ranges>'),
    "named expression": _in(_ods, "</office:spreadsheet>", '<table:named-expressions><table:named-expression table:name="NAME" table:expression="of:=&quot;NAME&quot;"/></table:named-expressions>'),
    "scenario": _in(_ods, "</table:table>", '<table:scenario table:comment="NAME" table:scenario-ranges="Blad.A1" table:is-active="true"/>'),
    "form": _in(_ods, "</table:table>", _TEXT["form"]),
    "change": _in(_ods, "<table:table ", "<table:tracked-changes><table:cell-content-change><office:change-info><dc:creator>NAME</dc:creator></office:change-info><table:previous><table:change-track-table-cell><text:p>NAME</text:p></table:change-track-table-cell></table:previous></table:cell-content-change></table:tracked-changes>"),
    "source of data": _in(_ods, "</office:spreadsheet>", '<table:data-pilot-tables><table:data-pilot-table table:name="NAME"><table:data-pilot-field table:source-field-name="NAME"><table:data-pilot-level><table:data-pilot-members><table:data-pilot-member table:name="NAME"/></table:data-pilot-members></table:data-pilot-level></table:data-pilot-field></table:data-pilot-table></table:data-pilot-tables>'),
    "comment of XML": _in(_ods, "</office:spreadsheet>", "<!-- NAME -->"),
}  # fmt: skip
ODP: Final[Mapping[str, Plant]] = {
    "creator": _meta(_odp, _META["creator"]),
    "name of a slide": _in(_odp, "</office:presentation>", '<draw:page draw:name="NAME"/>'),
    "notes": _in(_odp, "</draw:page>", '<presentation:notes><draw:frame><draw:text-box><text:p>NAME</text:p></draw:text-box></draw:frame></presentation:notes>'),
    "frame": _in(_odp, "</draw:page>", '<draw:frame draw:name="NAME"><svg:title>NAME</svg:title><svg:desc>NAME</svg:desc></draw:frame>'),
    "footer": _in(_odp, "</office:presentation>", '<presentation:footer-decl presentation:name="f">NAME</presentation:footer-decl>'),
    "own show": _in(_odp, "</office:presentation>", '<presentation:settings><presentation:show presentation:name="NAME" presentation:pages="x"/></presentation:settings>'),
    "annotation": _in(_odp, "</draw:page>", "<office:annotation><dc:creator>NAME</dc:creator><text:p>NAME</text:p></office:annotation>"),
}  # fmt: skip
