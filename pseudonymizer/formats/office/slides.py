"""Presentations (PPTX): slides, notes, masters, comments and properties."""

import re
from dataclasses import replace

from pseudonymizer.formats.office.office_xml import Rules, parse_member
from pseudonymizer.formats.office.packages import MemberParser, parse_package
from pseudonymizer.formats.tree.archive import Member
from pseudonymizer.formats.tree.nodes import BytesNode, Node
from pseudonymizer.formats.tree.parsing import Reading
from pseudonymizer.formats.vocabulary import label, words

_SLIDES = Rules(
    text=words("t text v"),
    paragraphs=words("p text cm"),
    cells=words("tc pt"),
    rows=words("tr"),
    marks={"br": "\n"},
    shown={
        "descr": label("description"),
        "title": label("title"),
        "tooltip": "",
        "alt": "",
        "author": label("author"),
    },
    searched=words("userId providerId name action"),
    values=words("tag"),
)
# Layouts hold texts of the program, "Click to edit Master title style", which stand for others.
_LAYOUTS = replace(_SLIDES, skips_own_words=True)
_OF_LAYOUT = re.compile(r"ppt/(?:slideLayouts|slideMasters|notesMasters|handoutMasters)/")
_AUTHORS = Rules(shown={"name": label("author")}, searched=words("userId providerId"))
_TEXT_PARTS = re.compile(
    r"ppt/(?:slides|notesSlides|slideLayouts|slideMasters|notesMasters|handoutMasters|comments|charts|diagrams|tags"
    r"|drawings)/[^/]+\.(?:xml|vml)|ppt/presentation\.xml"
)


def parse(raw: bytes, reading: Reading) -> BytesNode:
    def member_parser(members: list[Member]) -> MemberParser:  # noqa: ARG001
        def parse_one(name: str, content: bytes) -> Node | None:
            if name in {"ppt/commentAuthors.xml", "ppt/authors.xml"}:
                return parse_member(content, _AUTHORS, reading)
            rules = _LAYOUTS if _OF_LAYOUT.match(name) else _SLIDES
            return parse_member(content, rules, reading) if _TEXT_PARTS.fullmatch(name) else None

        return parse_one

    return parse_package(raw, reading, [], member_parser)
