"""Requests of programs: frozen records, as a body of HTTP has them in JSON and a frame in MessagePack.

They are checked when they are decoded. An error names a field of these records, and no value.
"""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

MOST_TEXTS: Final = 500  # in one request
LONGEST_TEXT: Final = 1_000_000  # code points of one text
MOST_LISTED: Final = 1_000  # texts in always, or in never
LONGEST_RECEIPT: Final = 4_000_000  # characters; about 150 a person and 10 a place
_LONGEST_LISTED: Final = 200
_MOST_KINDS: Final = 200
_LONGEST_NAME: Final = 200

Text = Annotated[str, Meta(max_length=LONGEST_TEXT, description="The text, as it is; offsets count in it.")]
Name = Annotated[str, Meta(min_length=1, max_length=_LONGEST_NAME)]
Listed = Annotated[str, Meta(min_length=1, max_length=_LONGEST_LISTED)]
ListedTexts = Annotated[tuple[Listed, ...], Meta(max_length=MOST_LISTED)]
Lists = ListedTexts | dict[Name, ListedTexts]
Kinds = Annotated[
    tuple[Name, ...],
    Meta(max_length=_MOST_KINDS, description="Kinds or categories of /api/v1/kinds; others stay."),
]
Confidence = Annotated[float, Meta(ge=0, le=1, description="What is less sure stays.")]
OffsetUnit = Literal["codepoint", "utf16"]
ScopeName = Literal["project", "document", "occurrence"]
StyleName = Literal["code", "token", "tag", "surrogate", "mask", "initials"]


class GivenText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text of a request. id: the caller's own, which the answer gives back."""

    text: Text
    id: Annotated[str, Meta(max_length=_LONGEST_NAME)] = ""

    def __repr__(self) -> str:
        return f"GivenText({len(self.text)} characters)"


Texts = Annotated[tuple[GivenText, ...], Meta(min_length=1, max_length=MOST_TEXTS)]


class DetectTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Find mentions and who is who in these texts. Nothing is stored.

    always, never: texts that are, and are not, a mention: by kind, or a list of texts of persons.
    """

    texts: Texts
    kinds: Kinds | None = None
    always: Lists = ()
    never: Lists = ()
    min_confidence: Confidence = 0.0
    offset_unit: OffsetUnit = "codepoint"

    def __repr__(self) -> str:
        return f"DetectTexts({len(self.texts)} texts)"


class HowTreated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How texts and files of a project are treated.

    kinds: what is treated; others stay. profile, treatments: as of `nymlink run --profile` and `--treat`.
    restyle: the style and treatments may differ from those of the project. always, never: see DetectTexts.
    """

    kinds: Kinds | None = None
    profile: Name | None = None
    treatments: dict[Name, Name] = {}
    style: StyleName | None = None
    scope: ScopeName = "project"
    always: Lists = ()
    never: Lists = ()
    min_confidence: Confidence = 0.0
    restyle: bool = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"  # lists hold names


class TreatOptions(HowTreated, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How texts and files are treated, and of which project.

    project: as the token or the service has it where it is left out.
    """

    project: Name | None = None


class PseudonymizeTexts(TreatOptions, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Write labels in place of what is found in these texts, which are linked together.

    receipt: the answer has a receipt, with which this account gets back what it sent, for 24 hours. The other
    options: see TreatOptions.
    """

    texts: Texts
    receipt: bool = False
    offset_unit: OffsetUnit = "codepoint"

    def __repr__(self) -> str:
        return f"PseudonymizeTexts({len(self.texts)} texts)"


class RestoreTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Give names back in these texts, for a stated purpose, on record.

    grant: of a request that was approved; it covers one text. made_from: outputs of the project that the
    texts were made from, so that invented names come back. confirm_project: the texts are of this project,
    so that tags come back which other projects have as well. receipt: that of a request of the same account;
    with it, what was sent in that request comes back, as it was sent, and purpose may be left out.
    """

    texts: Texts
    purpose: Annotated[str, Meta(max_length=2_000)] = ""
    project: Name | None = None
    ticket: Annotated[str, Meta(max_length=500)] = ""
    grant: Annotated[str, Meta(max_length=200)] | None = None
    made_from: Annotated[tuple[Text, ...], Meta(max_length=MOST_TEXTS)] = ()
    confirm_project: bool = False
    receipt: Annotated[str, Meta(max_length=LONGEST_RECEIPT)] | None = None

    def __repr__(self) -> str:
        return f"RestoreTexts({len(self.texts)} texts)"


class RestoreStream(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Give names back in one text that comes in pieces, on record.

    notation: what the text is, so that names are written as it needs. receipt, purpose, ticket, made_from,
    confirm_project: see RestoreTexts.
    """

    purpose: Annotated[str, Meta(max_length=2_000)] = ""
    project: Name | None = None
    ticket: Annotated[str, Meta(max_length=500)] = ""
    made_from: Annotated[tuple[Text, ...], Meta(max_length=MOST_TEXTS)] = ()
    confirm_project: bool = False
    receipt: Annotated[str, Meta(max_length=LONGEST_RECEIPT)] | None = None
    notation: Literal["text", "json", "html"] = "text"

    def __repr__(self) -> str:
        return "RestoreStream()"


class StreamPiece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The next piece of a text. is_last: nothing comes after it."""

    text: Text
    is_last: bool = False

    def __repr__(self) -> str:
        return f"StreamPiece({len(self.text)} letters)"


class PseudonymizeDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Write labels in place of what is found in one file. name: of the file, without folders; it may hold
    names, which are replaced too.
    """

    name: Annotated[str, Meta(min_length=1, max_length=255)]
    content: bytes
    options: TreatOptions

    def __repr__(self) -> str:
        return f"PseudonymizeDocument({len(self.content)} bytes)"


class RestoreDocument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Give the original of one file back, for a stated purpose, on record."""

    name: Annotated[str, Meta(min_length=1, max_length=255)]
    content: bytes
    purpose: str
    project: Name | None = None
    ticket: str = ""
    grant: str | None = None

    def __repr__(self) -> str:
        return f"RestoreDocument({len(self.content)} bytes)"


class OfProject(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question about one project, or about none."""

    project: Name | None = None


Asked = (
    DetectTexts | PseudonymizeTexts | RestoreTexts | RestoreStream | StreamPiece | PseudonymizeDocument
    | RestoreDocument | OfProject
)  # fmt: skip
