# ruff: noqa: E501  tables of snippets, one a line
"""Places of names in text formats: html, xml, json, csv, rtf, hl7, fhir, plain text; and in parquet."""

import base64
import io
import json
from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

import pyarrow as pa
import pyarrow.parquet as pq

Plant = Callable[[str], bytes]


def _text(template: str, encoding: str = "utf-8") -> Plant:
    """The template with the name in it; PERCENT, BASE64, DOTTED and the like are codings of it."""
    return lambda name: filled(template, name).encode(encoding)


def filled(template: str, name: str) -> str:
    """The template with marks replaced by the name and by codings of it."""
    given, _, family = name.partition(" ")
    marks = {
        "NAME": name, "GIVEN": given, "FAMILY": family, "PERCENT": quote(name), "DOTTED": name.replace(" ", ".").lower(),
        "BASE64": base64.b64encode(f"Toen belde {name} op vrijdag weer terug.".encode()).decode(),
        "ENTITIES": "".join(f"&#x{ord(c):x};" for c in name), "DECIMAL": "".join(f"&#{ord(c)};" for c in name),
        "ESCAPED": "".join(f"\\u{ord(c):04x}" for c in name), "HEXED": "".join(f"\\'{ord(c):02x}" for c in name),
        "UNITS": "".join(f"\\u{ord(c)}?" for c in name), "BYTES": name.encode().hex(),
    }  # fmt: skip
    for mark, value in marks.items():
        template = template.replace(mark, value)
    return template


def _page(inner: str) -> Plant:
    return _text(
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>x</title></head><body><p>Toen belde NAME op.</p>{inner}</body></html>"
    )


HTML: Final[Mapping[str, Plant]] = {
    place: _page(inner)
    for place, inner in {
        "over tags": "<p>GIVEN <b>Vlas</b><i>bloem</i></p>", "hexadecimal entities": "<p>ENTITIES</p>", "decimal entities": "<p>DECIMAL</p>", "entities of blanks": "<p>GIVEN&nbsp;FAMILY</p>", "title": "<p title='NAME'>x</p>", "alternative": "<img alt='NAME'>", "placeholder": "<input placeholder='NAME'>", "value": "<input value='NAME'>", "hidden value": "<input type=hidden value=NAME>", "own data": "<p data-klant='NAME'>x</p>", "aria": "<p aria-label='NAME'>x</p>", "class": "<p class='GIVEN-FAMILY'>x</p>", "id": "<p id='GIVEN_FAMILY'>x</p>", "name": "<a name='NAME'>x</a>", "address": "<a href='mailto:DOTTED@x.example?subject=NAME'>x</a>", "link": "<a href='http://x.example/?q=PERCENT'>x</a>", "data address": "<a href='data:text/plain;base64,BASE64'>x</a>", "data address in percent": "<a href='data:text/plain,PERCENT'>x</a>", "page inside": "<iframe srcdoc='&lt;p&gt;NAME&lt;/p&gt;'></iframe>", "comment": "<!-- NAME -->", "conditional comment": "<!--[if mso]><p>NAME</p><![endif]-->", "script": "<script>var n = 'NAME';</script>", "escapes of a script": "<script>var n = 'ESCAPED';</script>", "linked data": "<script type='application/ld+json'>{\"name\": \"NAME\"}</script>", "style": "<style>p:after { content: 'NAME'; }</style>", "style of an element": "<p style=\"--x: 'NAME'\">x</p>", "event": "<p onclick=\"alert('NAME')\">x</p>", "no script": "<noscript>NAME</noscript>", "template": "<template><p>NAME</p></template>", "text area": "<textarea>NAME</textarea>", "option": "<select><option label='NAME' value='NAME'>x</option></select>", "picture": "<svg><title>NAME</title><text>NAME</text></svg>", "formula": "<math><mtext>NAME</mtext></math>", "own element": "<x-klant naam='NAME'>NAME</x-klant>", "meta": "<meta name=author content='NAME'>", "caption": "<table summary='NAME'><caption>NAME</caption></table>", "plain text": "<plaintext>NAME", "unclosed tag": "<p title='NAME", "behind the end": "</body></html>NAME",
    }.items()
}  # fmt: skip
HTML_CODED: Final[Mapping[str, Plant]] = {
    "UTF-16": lambda name: (
        b"\xff\xfe" + filled("<html><body><p>Toen belde NAME op.</p></body></html>", name).encode("utf-16-le")
    ),
}


def _xml(inner: str, *, head: str = "") -> Plant:
    return _text(
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<lijst><t>Toen belde NAME op.</t>{inner}</lijst>'
    )


XML: Final[Mapping[str, Plant]] = {
    **{
        place: _xml(inner)
        for place, inner in {
            "attribute": "<x a='NAME'/>", "character data": "<x><![CDATA[NAME]]></x>", "comment": "<!-- NAME -->", "instruction": "<?x NAME?>", "over elements": "<x>GIVEN <y>FAM</y></x>".replace("FAM", "FAMILY"), "name of an element": "<GIVEN_FAMILY/>", "name of an attribute": "<x GIVEN_FAMILY='1'/>", "namespace": "<x xmlns='http://x.example/PERCENT'/>", "entities": "<x>ENTITIES</x>", "entities of an attribute": "<x a='DECIMAL'/>", "base64": "<x>BASE64</x>", "hex": "<x>BYTES</x>", "JSON inside": "<x>{\"naam\": \"ESCAPED\"}</x>", "XML inside": "<x>&lt;y a=\"NAME\"&gt;NAME&lt;/y&gt;</x>", "address": "<x href='http://x.example/PERCENT'/>",
        }.items()
    },
    "document type": _xml("", head='<!DOCTYPE lijst SYSTEM "http://x.example/PERCENT.dtd">'),
    "UTF-16": lambda name: b"\xff\xfe" + filled('<?xml version="1.0" encoding="UTF-16"?><x a="NAME">Toen belde NAME op.</x>', name).encode("utf-16-le"),
}  # fmt: skip


def _json(value: Callable[[str], object]) -> Plant:
    return lambda name: json.dumps({"tekst": f"Toen belde {name} op.", "x": value(name)}).encode()


JSON: Final[Mapping[str, Plant]] = {
    "value": _json(lambda name: name), "key": _json(lambda name: {name: 1}), "key in one word": _json(lambda name: {name.replace(" ", "_"): 1}), "list": _json(lambda name: [[name]]), "two values": _json(lambda name: {"voornaam": name.split()[0], "achternaam": name.split()[1]}), "JSON inside": _json(lambda name: json.dumps({"naam": name, "x": 'y"'})), "JSON inside twice": _json(lambda name: json.dumps({"a": json.dumps({"naam": name})})), "base64": _json(lambda name: base64.b64encode(f"Toen belde {name} op vrijdag".encode()).decode()), "percent": _json(lambda name: f"http://x.example/?q={quote(name)}"), "page inside": _json(lambda name: f"<p title='{name}'>{name[:5]}<b>{name[5:]}</b></p>"), "data address": _json(lambda name: "data:text/plain;base64," + base64.b64encode(f"Toen belde {name}".encode()).decode()), "bytes as numbers": _json(lambda name: list(name.encode())),
    "escapes": _text('{"tekst": "Toen belde NAME op.", "x": "ESCAPED"}'), "escaped key": _text('{"tekst": "Toen belde NAME op.", "ESCAPED": 1}'), "doubled key": _text('{"tekst": "Toen belde NAME op.", "tekst": "NAME"}'),
}  # fmt: skip
JSONL: Final[Mapping[str, Plant]] = {
    "value": _text('{"text": "Toen belde NAME op."}\n{"text": "x", "door": "NAME"}\n'), "key": _text('{"text": "Toen belde NAME op.", "NAME": 1}\n'), "id": _text('{"doc_id": "NAME", "text": "Toen belde NAME op."}\n'), "nested": _text('{"text": "Toen belde NAME op.", "meta": {"auteurs": [{"n": "ESCAPED"}]}}\n'),
}  # fmt: skip
CSV: Final[Mapping[str, Plant]] = {
    "title": _text("nr;NAME\n1;Toen belde NAME op.\n2;x\n"), "cell over lines": _text('nr;tekst\n1;"Toen belde NAME op."\n2;"x\nNAME\ny"\n'), "quoted": _text('nr;tekst\n1;"Toen belde ""NAME"" op."\n'), "two cells": _text("voornaam;achternaam;tekst\nGIVEN;FAMILY;Toen belde NAME op.\n"), "formula": _text('nr;tekst\n1;Toen belde NAME op.\n2;="NAME"\n'), "too many cells": _text("nr;tekst\n1;Toen belde NAME op.\n2;x;y;NAME\n"), "line above": _text("# NAME\nnr;tekst\n1;Toen belde NAME op.\n"), "address": _text("nr;tekst\n1;Toen belde NAME op.\n2;http://x.example/PERCENT\n"), "page": _text("nr;tekst\n1;Toen belde NAME op.\n2;<b>GIVEN</b> FAMILY\n"), "JSON": _text('nr;tekst\n1;Toen belde NAME op.\n2;"{""n"": ""ESCAPED""}"\n'), "base64": _text("nr;tekst\n1;Toen belde NAME op.\n2;BASE64\n"),
}  # fmt: skip


def _rtf(inner: str, info: str = "") -> Plant:
    return _text(
        f"{{\\rtf1\\ansi\\ansicpg1252\\deff0{{\\fonttbl{{\\f0 Arial;}}}}{info}\\f0 Toen belde NAME op.\\par {inner}}}",
        "ascii",
    )


RTF: Final[Mapping[str, Plant]] = {
    **{
        place: _rtf(inner)
        for place, inner in {
            "bytes": "HEXED\\par", "units": "UNITS\\par", "over groups": "{\\b GIVEN }{\\i FAM}ILY".replace("FAM}ILY", "Vlas}bloem"), "header": "{\\header NAME\\par}", "footnote": "{\\footnote NAME}", "field": '{\\field{\\*\\fldinst AUTHOR "NAME"}{\\fldrslt x}}', "link": '{\\field{\\*\\fldinst HYPERLINK "mailto:DOTTED@x.example"}{\\fldrslt x}}', "bookmark": "{\\*\\bkmkstart NAME}{\\*\\bkmkend NAME}", "author of a note": "{\\*\\atnid QV}{\\*\\atnauthor NAME}{\\annotation x}", "note": "{\\annotation NAME}", "hidden": "{\\v NAME}", "deleted": "{\\deleted NAME}", "object": "{\\object{\\*\\objdata BYTES}}", "picture": "{\\pict\\pngblip BYTES}", "picture name": "{\\pict{\\*\\picprop{\\sp{\\sn wzDescription}{\\sv NAME}}}}", "unknown group": "{\\*\\onbekend NAME}", "text box": "{\\shp{\\*\\shpinst{\\shptxt NAME}}}", "index": "{\\xe NAME}", "form field": "{\\*\\formfield{\\ffname NAME}{\\ffdeftext NAME}}", "binary": "{\\*\\x\\bin18 Quirinus Vlasbloem}", "line break": "GIVEN\n FAMILY", "optional hyphen": "GIVEN Vlas\\-bloem", "tab": "GIVEN\\tab FAMILY",
        }.items()
    },
    **{
        f"property {field}": _rtf("", f"{{\\info{{\\{field} NAME}}}}")
        for field in ("author", "operator", "title", "subject", "manager", "company", "keywords", "doccomm", "hlinkbase")
    },
    "own property": _rtf("", "{\\*\\userprops{\\propname NAME}\\proptype30{\\staticval NAME}}"), "name of a style": _rtf("", "{\\stylesheet{\\s1 NAME;}}"), "name of a font": _rtf("", "{\\fonttbl{\\f1 NAME;}}"), "name of a list": _rtf("", "{\\*\\listtable{\\list{\\listname NAME;}}}"), "authors of changes": _rtf("", "{\\*\\revtbl{Unknown;}{NAME;}}"), "template": _rtf("", "{\\*\\template C:\\\\Users\\\\NAME\\\\x.dot}"), "behind the end": _text("{\\rtf1\\ansi Toen belde NAME op.}NAME", "ascii"),
}  # fmt: skip


def _hl7(segment: str) -> Plant:
    return _text(f"MSH|^~\\&|A|B|||20240503||ADT^A01|1|P|2.5\rNTE|1||Toen belde NAME op.\r{segment}\r")


HL7: Final[Mapping[str, Plant]] = {
    "patient": _hl7("PID|1||7||FAMILY^GIVEN"), "kin": _hl7("NK1|1|FAMILY^GIVEN"), "mother": _hl7("PID|1||7||x^y|FAMILY^GIVEN"), "doctor": _hl7("PV1|1|I|||||12^FAMILY^GIVEN"), "observation": _hl7("OBX|1|TX|x||NAME"), "name as a value": _hl7("OBX|1|PN|x||FAMILY^GIVEN"), "document in base64": _hl7("OBX|1|ED|x||^TEXT^^Base64^BASE64"), "escaped": _hl7("NTE|2||\\X517569\\rinus FAMILY \\F\\ NAME"), "own segment": _hl7("ZZZ|1|NAME"), "repetition": _hl7("PID|1||7||x^y~FAMILY^GIVEN"), "insured": _hl7("IN1|1||||||||||||||||FAMILY^GIVEN"), "address": _hl7("PID|1||7||x^y|||||||||q@x^^^DOTTED@x.example"), "sender": _text("MSH|^~\\&|A|NAME|||20240503||ADT^A01|1|P|2.5\rNTE|1||Toen belde NAME op.\r"),
}  # fmt: skip


def _fhir(**fields: object) -> Plant:
    def plant(name: str) -> bytes:
        told = json.loads(filled(json.dumps(fields), name))
        resource = {
            "resourceType": "Patient",
            "text": {"status": "generated", "div": f"<div>Toen belde {name} op.</div>"},
        }
        return json.dumps(resource | told).encode()

    return plant


FHIR: Final[Mapping[str, Plant]] = {
    "name": _fhir(name=[{"given": ["GIVEN"], "family": "FAMILY"}]), "name as text": _fhir(name=[{"text": "NAME"}]), "contact": _fhir(contact=[{"name": {"family": "FAMILY", "given": ["GIVEN"]}}]), "reference": _fhir(generalPractitioner=[{"display": "NAME", "reference": "Practitioner/GIVEN-FAMILY"}]), "contained": _fhir(contained=[{"resourceType": "Practitioner", "name": [{"text": "NAME"}]}]), "extension": _fhir(extension=[{"url": "x", "valueString": "NAME"}]), "attachment": _fhir(photo=[{"contentType": "text/plain", "data": "BASE64", "title": "NAME"}]), "attachment by address": _fhir(photo=[{"url": "http://x.example/PERCENT"}]), "identifier": _fhir(identifier=[{"value": "NAME", "assigner": {"display": "NAME"}}]), "telecom": _fhir(telecom=[{"system": "email", "value": "DOTTED@x.example"}]), "address": _fhir(address=[{"text": "p/a NAME"}]), "tag": _fhir(meta={"tag": [{"display": "NAME"}]}), "id": _fhir(id="GIVEN-FAMILY"),
}  # fmt: skip
TXT: Final[Mapping[str, Plant]] = {
    place: _text(f"Toen belde NAME op.\n{text}\n")
    for place, text in {
        "text": "Daarna kwam NAME.", "address": "DOTTED@x.example", "percent": "http://x.example/?q=PERCENT", "path": "C:\\Users\\NAME\\x.txt", "underscore": "GIVEN_FAMILY", "emphasis": "**GIVEN** *FAMILY*", "base64": "BASE64", "quoted-printable": "GIVEN=20FAMILY", "over lines": "GIVEN\nFAMILY", "wide letters": "\uff31\uff55irinus FAMILY", "zero width": "GIVEN Vlas\u200bbloem", "soft hyphen": "GIVEN Vlas\u00adbloem", "entities": "ENTITIES", "escapes": "ESCAPED",
    }.items()
}  # fmt: skip
MD: Final[Mapping[str, Plant]] = {
    place: _text(f"{head}Toen belde NAME op.\n\n{text}\n")
    for place, (head, text) in {
        "front matter": ("---\nauteur: NAME\n---\n", "x"), "emphasis": ("", "- **NAME** en *GIVEN* **FAMILY**"), "link": ("", "[x](http://x.example/PERCENT \"NAME\")"), "picture": ("", "![NAME](x.png)"), "comment": ("", "<!-- NAME -->"), "code": ("", "`NAME`"), "block of code": ("", "```\nNAME\n```"), "footnote": ("", "[^1]\n\n[^1]: NAME"), "page": ("", "<b title='NAME'>GIVEN</b> FAMILY"), "escaped": ("", "GIVEN\\_FAMILY"),
    }.items()
}  # fmt: skip
# What no reader knows is read as plain text, under its own ending.
OTHER: Final[Mapping[str, tuple[str, Plant]]] = {
    "calendar": ("ics", _text("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDESCRIPTION:Toen belde NAME op.\r\nSUMMARY:Gesprek met GIVEN Vlas\r\n bloem\r\nATTENDEE;CN=\"NAME\":mailto:DOTTED@x.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")),
    "business card": ("vcf", _text("BEGIN:VCARD\r\nNOTE:Toen belde NAME op.\r\nN:FAMILY;GIVEN;;;\r\nFN;ENCODING=QUOTED-PRINTABLE:Quirinus=20Vlas=62loem\r\nEND:VCARD\r\n")),
    "subtitles": ("srt", _text("1\n00:00:01,000 --> 00:00:02,000\nToen belde NAME op.\n<i>GIVEN</i> FAMILY\n")),
    "notebook": ("ipynb", _text('{"cells": [{"cell_type": "markdown", "source": ["Toen belde NAME op.", "**ESCAPED**"]}]}')),
    "log": ("log", _text("Toen belde NAME op.\n10:00 GET /?naam=PERCENT 200\n")),
    "dump of a database": ("sql", _text("-- Toen belde NAME op.\nINSERT INTO t VALUES ('NAME', x'BYTES');\n")),
    "settings": ("yaml", _text("tekst: Toen belde NAME op.\nnaam: \"Quirinus\\x20Vlasbloem\"\n")),
    "typeset text": ("tex", _text("Toen belde NAME op.\n\\author{GIVEN~FAMILY} Vlas\\-bloem\n")),
}  # fmt: skip


def _parquet(change: Callable[[dict[str, object], str], pa.Table]) -> Plant:
    def plant(name: str) -> bytes:
        sink = io.BytesIO()
        pq.write_table(change({"tekst": [f"Toen belde {name} op.", "x"]}, name), sink)
        return sink.getvalue()

    return plant


PARQUET: Final[Mapping[str, Plant]] = {
    "column": _parquet(lambda columns, name: pa.table({**columns, name: [1, 2]})),
    "value": _parquet(lambda columns, name: pa.table({**columns, "naam": [name, "y"]})),
    "nested value": _parquet(lambda columns, name: pa.table({**columns, "m": [{"naam": name}, {"naam": "y"}]})),
    "list": _parquet(lambda columns, name: pa.table({**columns, "m": [[name], ["y"]]})),
    "bytes": _parquet(lambda columns, name: pa.table({**columns, "m": pa.array([name.encode(), b"y"], pa.binary())})),
    "key of a map": _parquet(lambda columns, name: pa.table({**columns, "m": pa.array([[(name, 1)], []], pa.map_(pa.string(), pa.int32()))})),
    "metadata": _parquet(lambda columns, name: pa.table(columns).replace_schema_metadata({"auteur": name})),
    "metadata of a column": _parquet(lambda columns, name: pa.table(columns, schema=pa.schema([pa.field("tekst", pa.string(), metadata={"bron": name})]))),
    "dictionary": _parquet(lambda columns, name: pa.table({**columns, "d": pa.array([name, name]).dictionary_encode()})),
}  # fmt: skip
