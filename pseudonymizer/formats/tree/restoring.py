"""The way back: a rewritten file and its edits give the original bytes."""

from collections import defaultdict
from collections.abc import Sequence

from linkage.errors import DamagedDocumentError
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.tree import archive, packing


def undo(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The bytes before the edits; the order of the edits does not matter.

    Raises:
        DamagedDocumentError: the file is not the one the edits were made for, or was changed since.
    """
    by_parent: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        parent = edit.location[:-1].rpartition("/")[0] if edit.location.endswith("!") else edit.location
        by_parent[parent].append(edit)
    return _undo_at("", raw, by_parent)


def _undo_at(location: str, raw: bytes, by_parent: dict[str, list[Edit]]) -> bytes:
    if location.endswith(f":{archive.ZIP}"):
        return _undo_in_archive(location, raw, by_parent)
    pieces: list[bytes] = []
    position = 0
    for edit in sorted(by_parent.get(location, ()), key=lambda e: (e.start, e.end)):
        if not position <= edit.start <= edit.end <= len(raw):
            raise DamagedDocumentError("the rewritten file is not as it was when its edits were noted")
        pieces.append(raw[position : edit.start])
        pieces.append(_original(edit, raw[edit.start : edit.end], by_parent))
        position = edit.end
    return b"".join([*pieces, raw[position:]])


def _original(edit: Edit, rewritten: bytes, by_parent: dict[str, list[Edit]]) -> bytes:
    if not edit.location.endswith("!"):
        return edit.original
    inner = edit.location[:-1]
    name = inner.rpartition(":")[2]
    if name == archive.ZIP:
        return _undo_at(inner, rewritten, by_parent)
    return packing.repack(name, _undo_at(inner, packing.unpack(name, rewritten), by_parent), edit.original)


def _undo_in_archive(location: str, raw: bytes, by_parent: dict[str, list[Edit]]) -> bytes:
    members = archive.unzip_trusted(raw)
    added: set[int] = set()
    for edit in by_parent.get(location, ()):
        if not edit.start < len(members):
            raise DamagedDocumentError("the rewritten file has fewer parts than when its edits were noted")
        name, content = members[edit.start]
        if edit.location.endswith(f":{archive.ADDED}!"):
            added.add(edit.start)
        elif edit.location.endswith(f":{archive.NAME}!"):
            members[edit.start] = (archive.renamed(name, edit.original.decode("utf-8")), content)
        elif edit.location.endswith("!"):
            members[edit.start] = (name, _undo_at(edit.location[:-1], content, by_parent))
        else:
            members[edit.start] = (name, edit.original)
    return archive.zip_members([member for n, member in enumerate(members) if n not in added])
