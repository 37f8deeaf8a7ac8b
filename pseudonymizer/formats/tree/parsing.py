"""What reading a file builds up, and the parsed file that comes out."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from linkage.errors import DocumentTooLargeError
from linkage.reading import decode
from pseudonymizer.formats.records import (
    Edit,
    FormatOptions,
    PartRole,
    ReadAgain,
    RejectedLine,
    RenderedFile,
    Replacements,
    TextPart,
    UnreadContent,
)
from pseudonymizer.formats.tree.nodes import Changes, Node, TextNode
from pseudonymizer.formats.tree.textmap import Encoded, Escape, PartMap, TextBuilder, collect_changes

_SMALL: Final = 1024 * 1024  # bytes: below this a high compression ratio does no harm
ParseNested = Callable[[bytes, str, "Reading"], Node]


class Reading:
    """One file being read: the texts found so far, and what was left unread.

    A format adds to prose what people read, to aside what people read apart from that (titles of pictures,
    comments; it comes after the prose of the same part), and to technical what only carries names now and
    then (message ids, link targets, field names of a program).
    """

    def __init__(
        self,
        options: FormatOptions,
        parse_nested: ParseNested,
        depth: int = 0,
        *,
        size: int,
        mends: bool = True,
    ) -> None:
        """depth: how many files it lies in. size: its bytes as they are stored. mends: see TextBuilder."""
        self.options = options
        self._mends = mends and not options.as_written
        self.size, self._unpacked = size, 0
        self.depth = depth
        self.prose = TextBuilder(mends=self._mends)
        self.aside = TextBuilder(mends=self._mends)
        self.technical = TextBuilder(mends=self._mends)
        self.finished: list[tuple[TextPart, PartMap]] = []
        self.derived: dict[int, PartMap | Encoded] = {}
        self.recognized: list[float] = []  # confidence of each page that was read by text recognition
        self.place = ""  # where what is read now stands, for what is left unread there; see UnreadContent
        self._outer_place = ""  # of the file, where it lies in another one
        self._parse_nested = parse_nested
        self._unread: Counter[tuple[str, str]] = Counter()
        self._sources = 0

    def count_unpacked(self, size: int) -> None:
        """Note that so many bytes of the file, or of a file in it, are about to be unpacked.

        Raises:
            DocumentTooLargeError: all levels together are larger than options allow.
        """
        self._unpacked += size
        most, ratio = self.options.max_bytes, self.options.max_ratio
        if self._unpacked > most or self._unpacked > max(_SMALL, ratio * self.size):
            raise DocumentTooLargeError(
                f"unpacked it would be {self._unpacked} bytes, {self._unpacked // max(self.size, 1)} times "
                "its size: refused"
            )

    def new_source(self) -> int:
        """Number of the next text that can be changed."""
        self._sources += 1
        return self._sources - 1

    def derive(self, builder: TextBuilder) -> tuple[int, str]:
        """What builder holds as a source of its own, to be read by the rules of another format: (source,
        text)."""
        part, part_map = builder.part("")
        source = self.new_source()
        self.derived[source] = part_map
        return source, part.text

    def encoded(self, place: Encoded) -> int:
        """The number of a source that is packed in the text of another one."""
        source = self.new_source()
        self.derived[source] = place
        return source

    def leave_unread(self, kind: str, count: int = 1) -> None:
        """Note what is not read at the place where reading is now."""
        self._unread[kind, self._whole_place] += count

    @property
    def _whole_place(self) -> str:
        return ": ".join(place for place in (self._outer_place, self.place) if place)

    def nested(self, raw: bytes, suffix: str) -> Node:
        """A file within this one, read by its own format.

        Raises:
            DocumentTooLargeError: files within files within files, deeper than options allow.
        """
        if self.depth >= self.options.max_depth:
            raise DocumentTooLargeError(
                f"files within files, more than {self.options.max_depth} deep: refused"
            )
        self.depth += 1
        outer, place = self._outer_place, self.place
        self._outer_place, self.place = self._whole_place, ""
        try:
            return self._parse_nested(raw, suffix, self)
        finally:
            self.depth -= 1
            self._outer_place, self.place = outer, place

    def finish_part(
        self, part_id: str, document_key: str | None = None, group: str = "", language: str = ""
    ) -> None:
        """What was read since the last part is a document of its own. group, language: as in TextPart."""
        if self.aside.length:
            separate(self.prose)
            self.prose.append(self.aside)
            self.aside = TextBuilder(mends=self._mends)
        self.finished.append(self.prose.part(part_id, PartRole.PROSE, document_key, group, language))
        self.prose = TextBuilder(mends=self._mends)
        if self.technical.length:
            technical_id = f"{part_id}/technical" if part_id else "technical"
            self.finished.append(self.technical.part(technical_id, PartRole.TECHNICAL, document_key))
            self.technical = TextBuilder(mends=self._mends)

    @property
    def has_text(self) -> bool:
        """Whether anything was read since the last finished part."""
        return bool(self.prose.length or self.aside.length or self.technical.length)

    @property
    def unread(self) -> tuple[UnreadContent, ...]:
        """By kind, and within a kind in the order of the file."""
        found = (UnreadContent(kind, count, place) for (kind, place), count in self._unread.items())
        return tuple(sorted(found, key=lambda content: content.kind))


def separate(builder: TextBuilder, gap: str = "\n\n") -> None:
    """Keep what comes next apart from what stands there already."""
    if builder.length and not builder.ends_with(gap):
        builder.gap(gap)
    builder.new_field()


class ParsedFile:
    """A file as its texts, ready to be written again with replacements in it."""

    format_name: str
    parts: tuple[TextPart, ...]
    unread: tuple[UnreadContent, ...]
    recognized: tuple[float, ...] = ()
    rejected: tuple[RejectedLine, ...] = ()

    def __init__(self, format_name: str, root: Node, reading: Reading) -> None:
        if reading.has_text or not reading.finished:
            reading.finish_part("")
        self.format_name = format_name
        self.parts = tuple(part for part, _ in reading.finished)
        self.unread = reading.unread
        self.recognized = tuple(reading.recognized)
        self._root = root
        self._maps: Mapping[str, PartMap] = {part.part_id: part_map for part, part_map in reading.finished}
        self._derived = reading.derived

    def render(self, replacements: Replacements) -> RenderedFile:
        """The file with each span of each part replaced; everything else stays byte for byte.

        Raises:
            OverlappingReplacementsError: an unknown part, or spans of one part overlap.
            EncodingUndeterminedError: a label cannot be written in the encoding of the file.
        """
        changes, unplaced = collect_changes(self._maps, replacements, self._derived)
        raw, edits = render_root(self._root, changes)
        return RenderedFile(raw, edits, unplaced)

    def render_and_read(
        self, replacements: Replacements, values: Sequence[str]
    ) -> tuple[RenderedFile, ReadAgain | None]:
        """What render gives, and what that says when it is read again; values: texts that are looked for
        then. None for a file whose bytes are its text: nothing stands there that its parts do not have.

        Raises as render does.
        """
        del values
        return self.render(replacements), None


def render_root(root: Node, changes: Changes) -> tuple[bytes, tuple[Edit, ...]]:
    edits: list[Edit] = []
    raw = root.render(changes, "", edits)
    return raw, tuple(edits)


def text_tree(
    raw: bytes,
    reading: Reading,
    add: Callable[[str, int, int, int, Reading], None],
    *,
    node: type[TextNode] = TextNode,
    fallback: Escape | None = None,
) -> TextNode:
    """The tree of a file that is one text. add: reads text, from a start to an end, of a source. node,
    fallback: how it is written.
    """
    decoded = decode(raw)
    source = reading.new_source()
    separate(reading.prose)
    add(decoded.text, 0, len(decoded.text), source, reading)
    return node(source, decoded.text, decoded.encoding, decoded.byte_order_mark, fallback)
