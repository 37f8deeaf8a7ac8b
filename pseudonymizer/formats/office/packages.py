"""What Office and OpenDocument packages have in common: which member is read in which way."""

import re
from collections.abc import Callable, Sequence

from linkage.errors import DocumentError, UnsupportedInputError
from pseudonymizer.formats.office.office_xml import Rules, parse_member
from pseudonymizer.formats.office.own_words import is_of_program, searched_length
from pseudonymizer.formats.office.package_marks import package_mark
from pseudonymizer.formats.text.markup import add_text, as_reference, check_xml, decode_markup, may_hold_name
from pseudonymizer.formats.text.xml import parse as parse_xml
from pseudonymizer.formats.tree.archive import ArchiveNode, ArchivePacking, Member, unzip
from pseudonymizer.formats.tree.nodes import BytesNode, Node, TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.vocabulary import label, words

MemberParser = Callable[[str, bytes], Node | None]

PROPERTIES = Rules(
    labels={
        "creator": label("author"), "lastModifiedBy": label("changed_by"), "title": label("title"),
        "subject": label("subject"), "description": label("summary"), "keywords": label("keywords"),
        "category": label("category"), "contentStatus": label("status"), "Manager": label("manager"),
        "Company": label("organization"),
        "lpstr": "", "lpwstr": "", "bstr": "",
    },
    searched=frozenset({"name"}),
)  # fmt: skip
RELATIONSHIPS = Rules(searched=frozenset({"Target"}))
# Names that users gave in parts that say how things look: of themes, and of styles of their own.
_GIVEN_NAMES = re.compile(
    r"<(?:\w+:)?(?:theme|clrScheme|fontScheme|tblStyle|cellStyle|tableStyle|style|list-style)\s[^>]*?"
    r"\b(?:name|styleName)=\"(?P<theme>[^\"]*)\""
    r"|<(?:w:)?(?:name|lvlText|font)\s[^>]*?(?:w:)?(?:val|name)=\"(?P<style>[^\"]*)\""
    r"|<numFmt\s[^>]*?formatCode=\"(?P<code>[^\"]*)\""
)
_UNKNOWN = Rules(search_all=True)
_LOOKS_PARTS = re.compile(
    r"(?:.*/)?(?:theme/.*|styles\w*|numbering|fontTable|tableStyles|viewProps|presProps)\.xml|.*/theme\d*\.xml"
)
_NO_SOURCES = re.compile(rb"<b:Sources\s[^>]*officeDocument/2006/bibliography\"[^>]*(?:/>|>\s*</b:Sources>)")
_MEDIA = words(
    "png jpg jpeg gif bmp tif tiff emf wmf svg webp ico mp3 mp4 wav avi mov m4a wdp odttf fntdata ttf otf"
)
_NO_TEXT = frozenset({"[Content_Types].xml", "mimetype", "META-INF/manifest.xml", "layout-cache"})
# Names of members that Office programs number; others may be anybody's words.
_GENERATED = re.compile(
    r"(?:word|xl|ppt|visio)/(?:media|embeddings)/(?:image|media|audio|hdphoto|oleObject|package|Microsoft_\w{1,40}?)"
    r"\d*\.[A-Za-z0-9]{1,5}"
)
# Two words with capitals: programs do not name parts so, but for those of _GENERATED.
_WORDS = re.compile(r"[^\W\d_a-z][^\W\d_]+[ _.-]+[^\W\d_a-z][^\W\d_]+")
_OTHER_TEXTS = words(
    "htm html xhtml rtf txt docx mht eml csv json"
)  # of parts that a document takes in (altChunk)
_PREVIEW = "thumbnail."
# The smallest picture there is: previews show the first page, and so its names.
_BLANK_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c63f80f0001"
    "010100b138f6140000000049454e44ae426082"
)
_BLANK_JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300ffffffffffffffffffffffffffffffffffffffffffffff"
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0000b080001"
    "000101011100ffc40014000100000000000000000000000000000003ffc4001410010000000000000000000000000000"
    "0000ffda0008010100003f0047ffd9"
)


def parse_package(
    raw: bytes, reading: Reading, first: Sequence[str], member_parser: Callable[[list[Member]], MemberParser]
) -> BytesNode:
    """A package as a tree. first: members to read first, in this order.

    member_parser gets all members and gives a function that reads one of them, or says None where the common
    rules apply: properties, relationships, custom XML, embedded files; anything else is left unread and
    counted.
    """
    members = unzip(raw, reading)
    parse_one = member_parser(members)
    order = {name: number for number, name in enumerate(first)}
    children: dict[int, Node] = {}
    blanked: dict[int, bytes] = {}
    numbers = sorted(
        range(len(members)),
        key=lambda n: (
            order.get(members[n][0].filename, len(order)),
            members[n][0].filename.startswith("docProps/"),
            n,
        ),
    )
    for number in numbers:
        info, content = members[number]
        name = info.filename
        if name not in _NO_TEXT and _WORDS.search(name.rpartition("/")[2]) and not _GENERATED.fullmatch(name):
            reading.place = f"member {number + 1}"
            reading.leave_unread("name of a part")
        if info.is_dir() or name in _NO_TEXT or not content:
            continue
        if _PREVIEW in name.lower():
            blanked[number] = _BLANK_JPEG if name.lower().endswith(("jpg", "jpeg")) else _BLANK_PNG
            continue
        reading.place = name if _GENERATED.fullmatch(name) else f"member {number + 1}"
        node = parse_one(name, content)
        if node is None:
            node = _common(name, content, reading)
        if node is not None:
            children[number] = node
    reading.place = ""
    archive = ArchiveNode(
        members, children, blanked, make_mark=package_mark if reading.options.mark else None
    )
    return BytesNode(raw, [(0, len(raw), ArchivePacking(), archive)])


def _common(name: str, content: bytes, reading: Reading) -> Node | None:
    if name.startswith("docProps/") and name.endswith(".xml"):
        return parse_member(content, PROPERTIES, reading)
    if name.endswith(".rels"):
        return parse_member(content, RELATIONSHIPS, reading)
    suffix = name.rpartition(".")[2].lower()
    if suffix in {"xml", "vml", "rdf"}:
        if name.startswith("customXml/itemProps"):
            return parse_member(content, _UNKNOWN, reading)
        if name.startswith("customXml/"):
            # Word's list of sources, mostly empty: its attributes name a style of quoting.
            return None if _NO_SOURCES.search(content) else parse_xml(content, reading)
        if _LOOKS_PARTS.fullmatch(name):
            return _parse_looks(content, reading)
        return parse_member(content, _UNKNOWN, reading)
    if suffix in _MEDIA or name.startswith(("Pictures/", "media/")):
        reading.leave_unread("media")
        return None
    if ("embeddings/" in name and suffix not in {"bin", ""}) or (
        suffix in _OTHER_TEXTS and not name.startswith("META-INF/")
    ):
        try:
            return reading.nested(content, suffix)
        except DocumentError as error:
            if not reading.options.keep_unread:
                raise UnsupportedInputError(
                    f"an embedded file was not read ({error}); take it out, or allow unread content"
                ) from None
    reading.leave_unread("embedded object" if "embeddings/" in name else "other part")
    return None


def _parse_looks(content: bytes, reading: Reading) -> Node:
    text, encoding, mark = decode_markup(content)
    check_xml(text)
    source = reading.new_source()
    for found in _GIVEN_NAMES.finditer(text):
        start, end = found.span(found.lastgroup or "theme")
        if not may_hold_name(text[start:end]) or is_of_program(text[start:end]):
            continue
        separate(reading.technical, "\n")
        end = start + searched_length(text[start:end])
        add_text(reading.technical, source, text, start, end, collapse=False, named=False)
    return TextNode(source, text, encoding, mark, as_reference)
