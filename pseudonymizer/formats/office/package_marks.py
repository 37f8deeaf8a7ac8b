"""The mark of Office and OpenDocument packages: a property of the user's, among those of the document.

Office: docProps/custom.xml (ISO/IEC 29500-1, section 15.2.12.2), made with its content type and relationship
where the package has none. OpenDocument: user-defined metadata in meta.xml (OpenDocument 1.3, part 3, 4.3.3).
"""

import io
import re
import zipfile
from collections.abc import Mapping

from pseudonymizer.formats.marking import PROPERTY, WORD
from pseudonymizer.formats.tree.archive import ArchiveMark
from pseudonymizer.formats.tree.stamps import Stamp

_TYPES, _RELATIONSHIPS, _CUSTOM = "[Content_Types].xml", "_rels/.rels", "docProps/custom.xml"
_META, _MANIFEST = "meta.xml", "META-INF/manifest.xml"
_NAMED = f'name="{PROPERTY}"'.encode()
_RELATIONSHIP = re.compile(rb"<(?:\w+:)?Relationship\s[^>]*>")
_TARGET = re.compile(rb"\bTarget\s*=\s*[\"']/?([^\"']+)[\"']")
_CUSTOM_KIND = re.compile(rb"/relationships/custom-?properties[\"']", re.IGNORECASE)
_PID = re.compile(rb"\bpid\s*=\s*[\"'](\d{1,9})[\"']")
_STRICT = b"purl.oclc.org/ooxml"
_CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_FORMAT_ID = "{D5CDD505-2E9C-101B-9397-08002B2CF9AE}"  # of all custom properties
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_TRANSITIONAL_ROOT = "http://schemas.openxmlformats.org/officeDocument/2006"
_STRICT_ROOT = "http://purl.oclc.org/ooxml/officeDocument"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"


_NONE = ArchiveMark({})


def package_mark(contents: Mapping[str, bytes]) -> ArchiveMark:
    """What marks a package with these members; nothing where it is marked, or has no usual metadata."""
    return _office_mark(contents) if _TYPES in contents else _open_document_mark(contents)


def is_marked(raw: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        names = set(archive.namelist())
        if _TYPES not in names:
            return _META in names and _NAMED in archive.read(_META)
        custom = _custom_part(archive.read(_RELATIONSHIPS)) if _RELATIONSHIPS in names else None
        return custom in names and _NAMED in archive.read(custom or "")


def _office_mark(contents: Mapping[str, bytes]) -> ArchiveMark:
    types, relationships = contents.get(_TYPES, b""), contents.get(_RELATIONSHIPS, b"")
    is_strict = _STRICT in relationships
    custom = _custom_part(relationships)
    if custom is not None:
        old = contents.get(custom, b"")
        identifier = max([1, *(int(pid) for pid in _PID.findall(old))]) + 1
        stamp = None if _NAMED in old else _into(old, "Properties", _office_property(identifier, is_strict))
        return ArchiveMark({custom: [stamp]}) if stamp is not None else _NONE
    if _CUSTOM in contents:
        return _NONE  # a part that nothing refers to: left as it is
    root = _STRICT_ROOT if is_strict else _TRANSITIONAL_ROOT
    kind = "customProperties" if is_strict else "custom-properties"
    type_stamp = _into(
        types, "Types", f'<{{0}}Override PartName="/{_CUSTOM}" ContentType="{_CONTENT_TYPE}"/>'
    )
    relationship_stamp = _into(
        relationships,
        "Relationships",
        f'<{{0}}Relationship Id="{_fresh_id(relationships)}" Type="{root}/relationships/{kind}"'
        f' Target="{_CUSTOM}"/>',
    )
    if type_stamp is None or relationship_stamp is None:
        return _NONE
    namespace = f"{root}/{kind}"
    made = f'{_DECLARATION}<Properties xmlns="{namespace}">{_office_property(2, is_strict)}</Properties>'
    return ArchiveMark(
        {_TYPES: [type_stamp], _RELATIONSHIPS: [relationship_stamp]}, [(_CUSTOM, made.encode("ascii"))]
    )


def _custom_part(relationships: bytes) -> str | None:
    for found in _RELATIONSHIP.finditer(relationships):
        target = _TARGET.search(found[0])
        if _CUSTOM_KIND.search(found[0]) and target is not None:
            return target[1].decode("utf-8", "replace")
    return None


def _fresh_id(relationships: bytes) -> str:
    number = 1
    while f'"rIdMark{number}"'.encode() in relationships:
        number += 1
    return f"rIdMark{number}"


def _office_property(identifier: int, is_strict: bool) -> str:  # noqa: FBT001
    root = _STRICT_ROOT if is_strict else _TRANSITIONAL_ROOT
    own, values = (
        ("customProperties", "docPropsVTypes") if is_strict else ("custom-properties", "docPropsVTypes")
    )
    # The namespaces stand here once more, so that any prefix of the part around it does.
    return (
        f'<property xmlns="{root}/{own}" fmtid="{_FORMAT_ID}" pid="{identifier}" name="{PROPERTY}">'
        f'<vt:lpwstr xmlns:vt="{root}/{values}">{WORD}</vt:lpwstr></property>'
    )


def _open_document_mark(contents: Mapping[str, bytes]) -> ArchiveMark:
    defined = (
        f'<meta:user-defined xmlns:meta="{_OASIS}:meta:1.0" meta:name="{PROPERTY}">{WORD}</meta:user-defined>'
    )
    old = contents.get(_META)
    if old is not None:
        stamp = None if _NAMED in old else _into(old, "meta", defined)
        return ArchiveMark({_META: [stamp]}) if stamp is not None else _NONE
    entry = f'<{{0}}file-entry {{0}}full-path="{_META}" {{0}}media-type="text/xml"/>'
    manifest = _into(contents.get(_MANIFEST, b""), "manifest", entry)
    if manifest is None:
        return _NONE
    made = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-meta xmlns:office="{_OASIS}:office:1.0"'
        f' office:version="1.2"><office:meta>{defined}</office:meta></office:document-meta>'
    )
    return ArchiveMark({_MANIFEST: [manifest]}, [(_META, made.encode("ascii"))])


def _into(content: bytes, element: str, inner: str) -> Stamp | None:
    """inner as the last child of the last element of this name; "{0}" in it is that element's prefix.

    None where there is no such element, or the encoding is none in which ASCII stands as it is.
    """
    if b"\0" in content[:16]:
        return None
    name = element.encode()
    closing = list(re.finditer(rb"</((?:[\w.-]+:)?)" + name + rb"\s*>", content))
    if closing:
        at = closing[-1].start()
        return Stamp(at, at, inner.replace("{0}", closing[-1][1].decode()).encode("ascii"))
    empty = re.search(rb"<((?:[\w.-]+:)?)" + name + rb"(?:\s[^<>]*)?(/)>", content)
    if empty is None:
        return None
    prefix = empty[1].decode()
    new = f">{inner.replace('{0}', prefix)}</{prefix}{element}>".encode("ascii")
    return Stamp(empty.start(2), empty.end(), new)
