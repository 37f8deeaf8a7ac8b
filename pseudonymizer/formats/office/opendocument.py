"""OpenDocument texts, sheets and presentations (ODT, ODS, ODP)."""

from linkage.errors import EncryptedDocumentError
from pseudonymizer.formats.office.office_xml import Rules, parse_member
from pseudonymizer.formats.office.open_sheets import SheetWalker
from pseudonymizer.formats.office.packages import MemberParser, parse_package
from pseudonymizer.formats.tree.archive import Member
from pseudonymizer.formats.tree.nodes import BytesNode, Node
from pseudonymizer.formats.tree.parsing import Reading
from pseudonymizer.formats.vocabulary import label, words

_CONTENT = Rules(
    paragraphs=words("p h"),
    cells=words("table-cell covered-table-cell"),
    rows=words("table-row"),
    marks={"s": " ", "tab": "\t", "line-break": "\n", "soft-page-break": ""},
    apart=words("annotation note text-box tracked-changes ruby-text"),
    ignored=words("note-citation"),
    labels={
        "creator": label("author"), "initial-creator": label("author"), "title": label("title"),
        "desc": label("description"),
        "subject": label("subject"), "description": label("summary"), "keyword": label("keyword"),
        "user-defined": label("property"), "printed-by": label("printed_by"), "sender-initials": "",
        "creator-initials": label("initials"),
    },
    shown={"string-value": "", "display-name": "", "title": label("title")},
    searched=words(
        "name href formula expression target-range-address cell-range-address range-address link-data"
        " connection-name database-name ref-name author value-list"
    ),
    looks=words(
        "style list-style master-page presentation-page-layout marker gradient hatch fill-image stroke-dash"
        " opacity"
    ),
    all_text=True,
    keep_space=False,
)  # fmt: skip
_PARTS = words("content.xml styles.xml meta.xml settings.xml")


def parse(raw: bytes, reading: Reading) -> BytesNode:
    def member_parser(members: list[Member]) -> MemberParser:
        for info, content in members:
            if info.filename == "META-INF/manifest.xml" and b"encryption-data" in content:
                raise EncryptedDocumentError("the document needs a password; take the protection off first")

        def parse_one(name: str, content: bytes) -> Node | None:
            in_object = (
                "/" in name and name.rpartition("/")[2] in _PARTS
            )  # a chart or sheet inside the document
            return (
                parse_member(content, _CONTENT, reading, SheetWalker) if name in _PARTS or in_object else None
            )

        return parse_one

    return parse_package(raw, reading, ["content.xml", "styles.xml"], member_parser)
