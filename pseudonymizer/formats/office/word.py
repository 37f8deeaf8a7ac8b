"""Word documents (DOCX): all text parts, comments, changes, fields and properties, formatting untouched."""

import re

from pseudonymizer.formats.office.office_xml import Rules, parse_member
from pseudonymizer.formats.office.packages import MemberParser, parse_package
from pseudonymizer.formats.tree.archive import Member
from pseudonymizer.formats.tree.nodes import BytesNode, Node
from pseudonymizer.formats.tree.parsing import Reading
from pseudonymizer.formats.vocabulary import label, words

WORD = Rules(
    text=frozenset({"t", "delText", "v"}),
    paragraphs=frozenset({"p"}),
    cells=frozenset({"tc", "pt"}),
    rows=frozenset({"tr"}),
    marks={"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"},
    apart=frozenset({"txbxContent", "txbx", "textbox"}),
    ignored=frozenset({"tabs"}),
    shown={
        "author": label("author"), "descr": label("description"), "title": label("title"),
        "alt": label("description"),
        "tooltip": "", "displayText": "", "string": "", "lastEdited": "",
    },
    searched=words("name anchor instr userId Target href connectString docLocation"),
    values=words("alias tag docVar default listEntry statusText helpText query connectString mailSubject"),
    marks_space=True,
)  # fmt: skip
_TEXT_PARTS = re.compile(
    r"word/(?:glossary/)?(?:document|header\d*|footer\d*|footnotes|endnotes|comments\w*|people|settings|webSettings"
    r"|charts/[^/]+|diagrams/[^/]+|drawings/[^/]+)\.xml"
)


def parse(raw: bytes, reading: Reading) -> BytesNode:
    def member_parser(members: list[Member]) -> MemberParser:  # noqa: ARG001
        def parse_one(name: str, content: bytes) -> Node | None:
            if _TEXT_PARTS.fullmatch(name):
                return parse_member(content, WORD, reading)
            return None

        return parse_one

    return parse_package(raw, reading, ["word/document.xml"], member_parser)
