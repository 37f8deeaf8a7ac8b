"""The mark of FHIR resources: a security label."""

from pseudonymizer.formats.text.scanned_json import JsonObject, JsonString, JsonValue, scan
from pseudonymizer.formats.tree.stamps import Stamp

# HL7 v3 ObservationValue, concept SecurityAlterationIntegrityObservationValue: made pseudonymous.
_CODE, _SYSTEM = "PSEUDED", "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
_CODING = f'{{"system":"{_SYSTEM}","code":"{_CODE}"}}'


def stamps(raw: bytes) -> list[Stamp]:
    """meta.security of the resource, and of the resources of a bundle; contained ones may have none."""
    bom = 3 if raw.startswith(b"\xef\xbb\xbf") else 0
    try:
        text = raw[bom:].decode("utf-8")
    except UnicodeDecodeError:
        return []
    resource = scan(text)
    found = [_resource_place(text, resource)]
    entries = _member(resource, "entry")
    found += [
        _resource_place(text, _member(entry, "resource"))
        for entry in (entries if isinstance(entries, list) else ())
    ]
    made: list[Stamp] = []
    at, start = 0, bom
    for place, new in sorted(one for one in found if one is not None):
        start += len(text[at:place].encode("utf-8"))
        at = place
        made.append(Stamp(start, start, new.encode("ascii")))
    return made


def _resource_place(text: str, resource: JsonValue | None) -> tuple[int, str] | None:
    """(where, what) to write into a resource; None where it is no resource or is marked."""
    kind, meta = _member(resource, "resourceType"), _member(resource, "meta")
    if not isinstance(resource, JsonObject) or not isinstance(kind, JsonString):
        return None
    if meta is None:
        return kind.end + 1, f',"meta":{{"security":[{_CODING}]}}'
    if not isinstance(meta, JsonObject):
        return None
    security = _member(meta, "security")
    if security is None:
        inside = text.index("{", _key(resource, "meta").end + 1) + 1
        return inside, f'"security":[{_CODING}]' + ("," if meta.members else "")
    if not isinstance(security, list) or any(is_mark(text, coding) for coding in security):
        return None
    inside = text.index("[", _key(meta, "security").end + 1) + 1
    return inside, _CODING + ("," if security else "")


def is_mark(text: str, coding: JsonValue) -> bool:
    """Whether a value of a FHIR resource is the mark."""
    code = _member(coding, "code")
    return isinstance(code, JsonString) and text[code.start : code.end] == _CODE


def _member(value: JsonValue | None, name: str) -> JsonValue | None:
    if isinstance(value, JsonObject):
        for key, (_, member) in zip(value.keys, value.members, strict=True):
            if key == name:
                return member
    return None


def _key(value: JsonObject, name: str) -> JsonString:
    return value.members[value.keys.index(name)][0]


def is_marked(raw: bytes) -> bool:
    """Whether a resource of the file has the label."""
    return _CODING.encode() in raw
