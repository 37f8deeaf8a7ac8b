"""Archives (ZIP): each file by its own format; names of files change with the names in them."""

import re
from typing import Final

from linkage.errors import DocumentError, UnsupportedInputError
from pseudonymizer.formats.tree.archive import ArchiveNode, ArchivePacking, unzip
from pseudonymizer.formats.tree.nodes import BytesNode, Node, TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.vocabulary import words

# What every system puts into archives beside the files of the user.
_OF_SYSTEMS: Final = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)")
_MEDIA: Final = words("gif bmp emf wmf svg webp ico mp3 mp4 wav avi mov m4a mkv ttf otf woff woff2")
_NOT_IN_NAME: Final = re.compile(r"[<>:\"/\\|?*\s;\x00-\x1f]")


def parse(raw: bytes, reading: Reading) -> BytesNode:
    """Each file of the archive in its order.

    Raises:
        DamagedDocumentError, EncryptedDocumentError, DocumentTooLargeError: the archive cannot be unpacked.
        UnsupportedInputError: a file in it cannot be read, and unread content is not allowed.
    """
    members = unzip(raw, reading)
    children: dict[int, Node] = {}
    names: dict[int, TextNode] = {}
    for number, (info, content) in enumerate(members):
        source = reading.new_source()
        separate(reading.technical, "\n")
        reading.technical.copied(source, info.filename, 0, _in_name)
        names[number] = TextNode(source, info.filename, "utf-8")
        if info.is_dir() or not content.strip() or _OF_SYSTEMS.search(info.filename):
            continue
        reading.place = f"file {number + 1}"
        suffix = info.filename.rpartition("/")[2].rpartition(".")[2].lower()
        if suffix in _MEDIA:
            reading.leave_unread("media")
            continue
        separate(reading.prose)
        try:
            children[number] = reading.nested(content, suffix if "." in info.filename else "")
        except DocumentError as error:
            if not reading.options.keep_unread:
                raise UnsupportedInputError(
                    f"file {number + 1} of the archive was not read ({error}); take it out, or allow"
                    " unread content"
                ) from None
            reading.leave_unread("file in an archive")
    reading.place = ""
    return BytesNode(raw, [(0, len(raw), ArchivePacking(), ArchiveNode(members, children, {}, names=names))])


def _in_name(label: str) -> str:
    return _NOT_IN_NAME.sub("_", label)
