"""Changes of files that are zips of XML parts, for planting a name in one of them."""

import io
import zipfile
from collections.abc import Mapping


def with_parts(raw: bytes, parts: Mapping[str, bytes], *, comment: bytes = b"") -> bytes:
    """The zip with these members in place of those of their names, or beside the others."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            if member.filename not in parts:
                new.writestr(member, old.read(member))
        for name, content in parts.items():
            new.writestr(name, content)
        new.comment = comment
    return buffer.getvalue()


def part_of(raw: bytes, name: str) -> bytes:
    """The content of one member."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return archive.read(name)


def edited(raw: bytes, part: str, mark: str, text: str, *, before: bool = True) -> bytes:
    """The zip with a text put before or behind the last place of a mark in one of its parts."""
    content = part_of(raw, part).decode()
    at = content.rindex(mark)
    at += 0 if before else len(mark)
    return with_parts(raw, {part: (content[:at] + text + content[at:]).encode()})


def replaced(raw: bytes, part: str, old: str, new: str) -> bytes:
    """The zip with one text of one of its parts replaced wherever it stands."""
    content = part_of(raw, part).decode()
    assert old in content, old
    return with_parts(raw, {part: content.replace(old, new).encode()})


def with_related(
    raw: bytes, owner: str, part: str, content: bytes, *, kind: str, content_type: str, number: str = "rId900"
) -> bytes:
    """The package with a further part that another one relates to."""
    folder, _, name = owner.rpartition("/")
    relations = f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels"
    target = f"/{part}"
    relation = f'<Relationship Id="{number}" Type="{kind}" Target="{target}"/>'
    raw = edited(raw, relations, "</Relationships>", relation)
    kinds = f'<Override PartName="{target}" ContentType="{content_type}"/>'
    raw = edited(raw, "[Content_Types].xml", "</Types>", kinds)
    return with_parts(raw, {part: content})


def external(raw: bytes, owner: str, target: str, *, kind: str, number: str = "rId901") -> bytes:
    """The package with a relation of a part to an address outside."""
    folder, _, name = owner.rpartition("/")
    relation = f'<Relationship Id="{number}" Type="{kind}" Target="{target}" TargetMode="External"/>'
    return edited(raw, f"{folder}/_rels/{name}.rels", "</Relationships>", relation)
