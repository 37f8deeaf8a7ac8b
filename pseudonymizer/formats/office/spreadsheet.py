"""Excel workbooks (XLSX): cells in their rows, comments, headers, cached values; sheet names and
references agree."""

import re
from collections.abc import Mapping

from linkage.errors import DamagedDocumentError
from pseudonymizer.formats.office.office_xml import Rules, parse_member
from pseudonymizer.formats.office.packages import parse_package
from pseudonymizer.formats.office.sheet_dates import SheetDates
from pseudonymizer.formats.office.sheet_names import Names
from pseudonymizer.formats.office.sheet_rows import SharedStrings, SheetReader
from pseudonymizer.formats.records import FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.tree.archive import Member
from pseudonymizer.formats.tree.nodes import Node
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, render_root
from pseudonymizer.formats.tree.textmap import collect_changes
from pseudonymizer.formats.vocabulary import label, words

_TEXTS = Rules(
    text=words("t v"),
    paragraphs=words("p r comment author person threadedComment text si"),
    labels={"author": label("author"), "text": ""},
    marks={"br": "\n"},
    shown={"displayName": label("author"), "author": label("author"), "descr": label("description"),
           "title": label("title"),
           "v": "", "caption": "", "userName": label("user"), "alt": ""},
    searched=words("name userId providerId command connection sourceFile uniqueName refersTo refreshedBy"),
)  # fmt: skip
_TABLES = Rules(searched=words("name displayName caption u s totalsRowLabel"), text=frozenset())
_SHEETS = re.compile(r"xl/(?:worksheets|chartsheets|dialogsheets|macrosheets)/[^/]+\.xml")
_TEXT_PARTS = re.compile(
    r"xl/(?:comments[^/]*|threadedComments/[^/]+|persons/[^/]+|drawings/[^/]+|charts/[^/]+|pivotCache/[^/]+"
    r"|externalLinks/[^/]+|connections|queryTables/[^/]+|slicer\w*/[^/]+)\.(?:xml|vml)|xl/comments/[^/]+\.xml"
)


def parse(raw: bytes, reading: Reading) -> Node:
    """A workbook inside another file: sheet names are only replaced where they stand as text."""
    return _Workbook(reading).parse(raw)


def read(raw: bytes, options: FormatOptions) -> "ParsedWorkbook":
    reading = Reading(options, parse_nested, size=len(raw))
    workbook = _Workbook(reading)
    root = workbook.parse(raw)
    return ParsedWorkbook(root, reading, workbook.names)


class ParsedWorkbook(ParsedFile):
    """A workbook whose sheet and range names change in every formula when they change at all."""

    def __init__(self, root: Node, reading: Reading, names: Names) -> None:
        super().__init__("xlsx", root, reading)
        self._names = names

    def render(self, replacements: Replacements) -> RenderedFile:
        changes, unplaced = collect_changes(self._maps, replacements, self._derived)
        raw, edits = render_root(self._root, self._names.renamed(changes))
        return RenderedFile(raw, edits, unplaced)


class _Workbook:
    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self.names = Names()

    def parse(self, raw: bytes) -> Node:
        def member_parser(members: list[Member]) -> "_Members":
            return _Members(self._reading, self.names, {info.filename: content for info, content in members})

        first = ["xl/workbook.xml", "xl/sharedStrings.xml"]
        return parse_package(raw, self._reading, first, lambda members: member_parser(members).parse_one)


class _Members:
    """Reads the members of one workbook; workbook.xml comes first, the shared strings second."""

    def __init__(self, reading: Reading, names: Names, contents: Mapping[str, bytes]) -> None:
        self._reading, self._names, self._contents = reading, names, contents
        self._strings = SharedStrings()
        self._dates = SheetDates.of(contents)
        self._sheets_left = sum(1 for name in contents if _SHEETS.fullmatch(name))
        if "xl/workbook.xml" not in contents:
            raise DamagedDocumentError("the workbook lacks its main part xl/workbook.xml")

    def parse_one(self, name: str, content: bytes) -> Node | None:
        reading = self._reading
        if name == "xl/workbook.xml":
            return self._names.read_workbook(content, reading)
        if name == "xl/sharedStrings.xml":
            return self._strings.read(content, reading)
        if _SHEETS.fullmatch(name):
            node = SheetReader(reading, self._strings, self._names, self._dates).read(content)
            self._sheets_left -= 1
            if self._sheets_left == 0:
                self._strings.add_unused(reading)
            return node
        if name.startswith("xl/tables/"):
            return parse_member(content, _TABLES, reading)
        if _TEXT_PARTS.fullmatch(name):
            return parse_member(content, _TEXTS, reading)
        return None
