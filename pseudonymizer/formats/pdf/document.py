"""PDF: the text layer is truly changed; properties, bookmarks, annotations and forms too; old revisions
are gone.

What comes back from a rewritten file is its text: the page stays as rewritten.
"""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pikepdf
import pypdfium2

from linkage.errors import (
    DamagedDocumentError,
    DocumentError,
    EncryptedDocumentError,
    UnsupportedInputError,
)
from linkage.reading import decode
from pseudonymizer.formats.office.office_xml import Rules, parse_member
from pseudonymizer.formats.pdf.labels import LABEL_FONT, rewrite_stream
from pseudonymizer.formats.pdf.lines import add_lines
from pseudonymizer.formats.pdf.marks import mark
from pseudonymizer.formats.pdf.objects import (
    Place,
    TextStream,
    attachments,
    blank_signatures,
    put,
    strings,
    text_streams,
    unknown_streams,
)
from pseudonymizer.formats.pdf.text import IDENTITY, UNKNOWN, Follower, Fonts, Stream
from pseudonymizer.formats.pictures import ocr
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.text.html import add_html
from pseudonymizer.formats.text.markup import may_hold_name
from pseudonymizer.formats.tree.nodes import Changes, Node, TextNode
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, render_root, separate
from pseudonymizer.formats.tree.text_edits import is_of_mended, text_edits, undone
from pseudonymizer.formats.tree.textmap import Change, collect_changes
from pseudonymizer.formats.vocabulary import label, words

if TYPE_CHECKING:
    from pseudonymizer.formats.pdf.scans import ScannedPage

_XMP = Rules(
    labels={"li": "", "Author": label("author"), "Keywords": label("keywords"), "AuthorsPosition": ""},
    shown={"Author": label("author"), "creator": label("author"), "title": label("title")},
    search_all=False,
    searched=words("about CreatorTool Producer"),
)
_MAX_UNKNOWN = 0.2  # of the glyphs of a page
_MIN_GLYPHS = 8  # below this a page with pictures counts as one without text
_LEAST_NAME = 2  # letters: turned text of fewer, such as the name of an axis, holds no name
_MAX_PAGES = 20_000
_RICH = ("/RC", "/RV")  # keys of texts that are pages (PDF 32000-1, section 12.7.3.4)
_MOST_OF_PIECE = 20_000  # characters of a piece of a form that are looked at
_MARGIN = 12.0  # points between the end of a line and the edge of the page
_UNRECOGNIZED = "run text recognition (OCR) on the file first"
_TURNED = (
    "turn all of its text upright, or make pictures of its pages and run text recognition (OCR) on them; "
    "--keep-unread writes the file with the turned text as it is"
)


def read(raw: bytes, options: FormatOptions) -> "ParsedPdf":
    with _damage_told():
        return ParsedPdf(raw, options)


@contextmanager
def _damage_told() -> Iterator[None]:
    """Faults of a file that a library meets are its damage.

    Raises:
        DamagedDocumentError: there is one.
    """
    try:
        yield
    except (pikepdf.PdfError, pypdfium2.PdfiumError):
        raise DamagedDocumentError("a part of the PDF is damaged; open it and save it anew") from None


def undo(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The text of the file before the edits, in UTF-8."""
    with _damage_told():
        parsed = ParsedPdf(raw, FormatOptions(keep_unread=True, ocr=False), mends=is_of_mended(edits))
    return undone(parsed.parts[0].text, edits).encode("utf-8")


class ParsedPdf(ParsedFile):
    """One PDF file. Each content stream, string and metadata stream is a source of text."""

    def __init__(self, raw: bytes, options: FormatOptions, *, mends: bool = True) -> None:
        """mends: see Reading."""
        self._options = options
        reading = Reading(options, parse_nested, size=len(raw), mends=mends)
        pdf = _open(raw)
        if len(pdf.pages) > _MAX_PAGES:
            raise UnsupportedInputError(
                f"the file has {len(pdf.pages)} pages, more than {_MAX_PAGES}; divide it into smaller files"
            )
        if blank_signatures(pdf):
            reading.leave_unread("signature taken out")
        for page in pdf.pages:
            page.contents_coalesce()
            for key in ("/Thumb", "/PieceInfo"):
                if key in page.obj:
                    del page.obj[key]
        if "/PieceInfo" in pdf.Root:
            del pdf.Root["/PieceInfo"]
        self._raw = _saved(pdf)  # one revision, objects numbered anew
        self._streams: dict[int, Stream] = {}
        self._places: dict[int, Place] = {}
        self._nodes: dict[int, tuple[tuple[int, int], Node]] = {}
        self._scans: list[ScannedPage] = []
        self._property_of: set[int] = set()
        self._attached: list[tuple[tuple[int, int], Node]] = []
        self._attached_sources: set[int] = set()
        self._drawn: pypdfium2.PdfDocument | None = None
        pdf = _open(self._raw)
        self._read_pages(pdf, reading)
        if self._drawn is not None:
            self._drawn.close()
        self._read_streams(pdf, reading)
        self._read_strings(pdf, reading)
        super().__init__("pdf", _NoNode(), reading)

    def render(self, replacements: Replacements) -> RenderedFile:
        """Raises DamagedDocumentError, as ParsedFile.render does, also for a part that cannot be written."""
        with _damage_told():
            return self._rendered(replacements)

    def _rendered(self, replacements: Replacements) -> RenderedFile:
        changes, unplaced = collect_changes(self._maps, replacements, self._derived)
        pdf = _open(self._raw)
        font = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Font,
                Subtype=pikepdf.Name.Type1,
                BaseFont=pikepdf.Name.Helvetica,
                Encoding=pikepdf.Name.WinAnsiEncoding,
            )
        )
        scanned = {page.source for page in self._scans}
        for source, made in changes.items():
            if source in scanned:
                continue
            if source in self._streams or source in self._property_of:
                continue  # below: a stream is written once
            if source in self._attached_sources:
                continue
            if source in self._places:
                place = self._places[source]
                put(pdf, place, _spliced(place.text, made))
            else:
                number, node = self._nodes[source]
                written, _ = render_root(node, changes)
                pdf.get_object(*number).write(written)
        crowded = 0
        for source, stream in self._streams.items():
            texts = _new_properties(stream, changes)
            if source in changes or texts:
                crowded += _rewrite(pdf, stream, changes.get(source, ()), font, texts)
        for number, node in self._attached:
            if node.is_changed(changes):
                written, _ = render_root(node, changes)
                pdf.get_object(*number).write(written)
        self._flatten(pdf, changes, font)
        if self._options.mark and changes:
            mark(pdf)
        raw = _saved(pdf)
        self._check(raw, replacements)
        return RenderedFile(raw, self._edits(raw, replacements), unplaced, crowded=crowded)

    def _flatten(self, pdf: pikepdf.Pdf, changes: dict[int, list[Change]], font: Any) -> None:
        """Makes the scanned pages anew on which something changes."""
        from pseudonymizer.formats.pdf import scans as pdf_scans

        touched = [page for page in self._scans if pdf_scans.is_touched(page, changes)]
        if not touched:
            return
        drawn = pypdfium2.PdfDocument(_saved(pdf))
        try:
            for page in touched:
                pdf_scans.flatten(pdf, drawn, page, changes, font)
        finally:
            drawn.close()

    def _read_pages(self, pdf: pikepdf.Pdf, reading: Reading) -> None:
        follower = Follower(Fonts(self._raw), reading.new_source)
        for number, page in enumerate(pdf.pages):
            reading.place = f"page {number + 1}"
            separate(reading.prose)
            images, hidden, rewritten = follower.image_count, follower.hidden_count, follower.rewritten_count
            turned = follower.turned_count
            shown = list(follower.follow(page.obj, page.resources, IDENTITY))
            count = add_lines(shown, reading.prose)
            unknown = sum(stream.glyphs[number].text == UNKNOWN for stream, number in shown)
            if count and unknown > _MAX_UNKNOWN * count:
                self._refuse(reading, "page whose fonts do not say what their letters are")
            images, hidden = follower.image_count - images, follower.hidden_count - hidden
            is_turned = follower.turned_count - turned >= _LEAST_NAME
            if images and follower.rewritten_count == rewritten:
                if count < _MIN_GLYPHS or hidden > count / 2:
                    page_read = self._read_scan(
                        number, shown, reading, is_hidden=count >= _MIN_GLYPHS, is_turned=is_turned
                    )
                    is_turned = is_turned and not page_read  # made anew from its picture, without its text
                else:
                    reading.leave_unread("image", images)
            if is_turned:
                self._refuse(reading, "page with turned text", remedy=_TURNED)
            reading.prose.new_field()
        reading.place = ""
        # Appearances of annotations, patterns and forms that no page calls.
        turned = follower.turned_count
        for value in pdf.objects:
            is_form = isinstance(value, pikepdf.Stream) and (
                value.get("/Subtype") == "/Form" or value.get("/PatternType") == 1
            )
            if is_form and value.objgen not in follower.seen_forms:
                follower.seen_forms.add(value.objgen)
                separate(reading.prose)
                resources = value.get("/Resources", pikepdf.Dictionary())
                add_lines(list(follower.follow(value, resources, IDENTITY)), reading.prose)
        if follower.turned_count - turned >= _LEAST_NAME:
            self._refuse(reading, "annotation or form with turned text", remedy=_TURNED)
        self._streams = {stream.source: stream for stream in follower.streams}
        for stream in follower.streams:
            for held in stream.properties:
                separate(reading.prose, "\n")
                reading.prose.copied(held.source, held.text, 0)
        self._property_of = {held.source for stream in follower.streams for held in stream.properties}

    def _read_scan(
        self,
        number: int,
        shown: Sequence[tuple[Stream, int]],
        reading: Reading,
        *,
        is_hidden: bool,
        is_turned: bool,
    ) -> bool:
        """Whether a page that is a picture, with a hidden text layer or without, says what its text says.

        is_turned: the text layer cannot be read, so that the page is made anew in any case.
        """
        kind = "page that is a picture with hidden text" if is_hidden else "page without text layer"
        if not self._options.ocr or not ocr.is_available():
            self._refuse(reading, kind)
            return False
        from pseudonymizer.formats.pdf import scans as pdf_scans

        if self._drawn is None:
            self._drawn = pypdfium2.PdfDocument(self._raw)
        read = pdf_scans.read_page(self._drawn, number)
        if not read.text.strip() and not shown:
            reading.leave_unread("image")
            return False
        if read.confidence < ocr.MIN_CONFIDENCE:
            self._refuse(reading, f"{kind}, which text recognition does not read well enough")
            return False
        reading.recognized.append(read.confidence)
        source = reading.new_source()
        separate(reading.prose)
        reading.prose.copied(source, read.text, 0)
        separate(reading.prose)
        self._scans.append(pdf_scans.ScannedPage(number, source, read, tuple(shown), is_turned))
        return True

    def _refuse(self, reading: Reading, kind: str, *, remedy: str = _UNRECOGNIZED) -> None:
        if not self._options.keep_unread:
            raise UnsupportedInputError(f"not processed: 1 {kind}; {remedy}")
        reading.leave_unread(kind)

    def _read_streams(self, pdf: pikepdf.Pdf, reading: Reading) -> None:
        """Metadata (XMP), XML forms, attached files."""
        known = {stream.holder for stream in self._streams.values()}
        for page in pdf.pages:
            contents = page.obj.get("/Contents")
            known |= {contents.objgen} if isinstance(contents, pikepdf.Stream) else set()
        for value in pdf.objects:
            if not isinstance(value, pikepdf.Stream):
                continue
            if value.get("/Type") == "/Metadata":
                source = reading.new_source()
                node = parse_member(_trimmed(value.read_bytes()), _XMP, _Numbered(reading, source))
                self._nodes[source] = (value.objgen, node)
        for text_stream in text_streams(pdf):
            known.add(text_stream.number)
            self._read_text_stream(text_stream, reading)
        known |= self._read_attachments(pdf, reading) | self._read_form(pdf, reading)
        if count := unknown_streams(pdf, known):
            reading.leave_unread("stream of unknown use", count)
        named = pdf.Root.get("/Dests")
        names = list(dict(named.items())) if isinstance(named, pikepdf.Dictionary) else []
        if count := sum(may_hold_name(key[1:]) for key in names):
            reading.leave_unread("name of a destination", count)

    def _read_form(self, pdf: pikepdf.Pdf, reading: Reading) -> set[tuple[int, int]]:
        """A form in XML (XFA), in one stream or in named pieces; the numbers of the streams."""
        known: set[tuple[int, int]] = set()
        form = pdf.Root.get("/AcroForm")
        held = form.get("/XFA") if isinstance(form, pikepdf.Dictionary) else None
        streams = list(held) if isinstance(held, pikepdf.Array) else [held]
        for stream in streams:
            if not isinstance(stream, pikepdf.Stream):
                continue
            known.add(stream.objgen)
            first = reading.new_source()
            try:
                node = reading.nested(stream.read_bytes(), "xml")
            except DocumentError:  # the first and the last piece are half an element each
                if may_hold_name(stream.read_bytes().decode("latin-1")[:_MOST_OF_PIECE]):
                    self._refuse(reading, "XML form (XFA)")
                continue
            self._attached.append((stream.objgen, node))
            self._attached_sources |= set(range(first, reading.new_source()))
        return known

    def _read_text_stream(self, found: TextStream, reading: Reading) -> None:
        """A value of a field, or a script, that is a stream."""
        wide = found.raw.startswith((b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf"))
        decoded = decode(found.raw) if wide else None
        text = found.raw.decode("latin-1") if decoded is None else decoded.text
        source = reading.new_source()
        if decoded is None:
            node = TextNode(source, text, "latin-1")
        else:
            node = TextNode(source, text, decoded.encoding, decoded.byte_order_mark)
        self._nodes[source] = (found.number, node)
        if found.key in _RICH:
            separate(reading.prose, "\n")
            add_html(text, 0, len(text), source, reading)
        else:
            builder = reading.technical if found.key == "/JS" else reading.prose
            separate(builder, "\n")
            builder.copied(source, text, 0)

    def _read_attachments(self, pdf: pikepdf.Pdf, reading: Reading) -> set[tuple[int, int]]:
        """Attached files, each by its own format; the numbers of their streams."""
        known: set[tuple[int, int]] = set()
        for count, found in enumerate(attachments(pdf), start=1):
            known.add(found.number)
            reading.place = f"attachment {count}"
            if not found.raw.strip():
                continue
            first = reading.new_source()
            try:
                node = reading.nested(found.raw, found.suffix)
            except DocumentError as error:
                if not self._options.keep_unread:
                    raise UnsupportedInputError(
                        f"an attached file was not read ({error}); take it out, or allow unread content"
                    ) from None
                reading.leave_unread("attached file")
                continue
            self._attached.append((found.number, node))
            self._attached_sources |= set(range(first, reading.new_source()))
        reading.place = ""
        return known

    def _read_strings(self, pdf: pikepdf.Pdf, reading: Reading) -> None:
        for place in strings(pdf):
            source = reading.new_source()
            self._places[source] = place
            builder = reading.prose if place.is_shown else reading.technical
            separate(builder, "\n")
            if place.path[-1] in _RICH and "<" in place.text:
                add_html(place.text, 0, len(place.text), source, reading)
                continue
            builder.gap(place.label)
            builder.copied(source, place.text, 0)

    def _check(self, raw: bytes, replacements: Replacements) -> None:
        """No name that was replaced everywhere may still be found by another reader of the same file.

        Raises DamagedDocumentError: then the file has text in a place that was not read.
        """
        before = {part.part_id: part.text for part in self.parts}
        surfaces = {span.cut(before[part_id]) for part_id, labels in replacements.items() for span in labels}
        rest = "\n".join(part.text for part in read(raw, FormatOptions(keep_unread=True, ocr=False)).parts)
        gone = {surface for surface in surfaces if len(surface) > 3 and surface not in rest}
        document = pypdfium2.PdfDocument(raw)
        try:
            for page in document:
                text = page.get_textpage().get_text_bounded()
                if any(surface in text for surface in gone):
                    raise DamagedDocumentError(
                        "a replaced name is still found on a page: the file was not rewritten"
                    )
        finally:
            document.close()

    def _edits(self, raw: bytes, replacements: Replacements) -> tuple[Edit, ...]:
        """Where each label stands in the text of the new file, and what stood there."""
        old = self.parts[0].text
        new = read(raw, FormatOptions(keep_unread=True, ocr=False)).parts[0].text
        return tuple(text_edits(old, new, replacements.get(self.parts[0].part_id, {})))


def _open(raw: bytes) -> pikepdf.Pdf:
    try:
        return pikepdf.open(io.BytesIO(raw))
    except pikepdf.PasswordError:
        raise EncryptedDocumentError("the file needs a password; take the protection off first") from None
    except (pikepdf.PdfError, ValueError, RuntimeError):
        raise DamagedDocumentError("the file is named or begins as a PDF but cannot be read as one") from None


def _saved(pdf: pikepdf.Pdf) -> bytes:
    buffer = io.BytesIO()
    pdf.remove_unreferenced_resources()
    pdf.save(buffer, deterministic_id=True, encryption=False)
    return buffer.getvalue()


def _new_properties(stream: Stream, changes: Mapping[int, Sequence[Change]]) -> dict[int, dict[str, str]]:
    """By operator and key, the texts beside what a stream shows that change."""
    new: dict[int, dict[str, str]] = {}
    for held in stream.properties:
        if held.source in changes:
            new.setdefault(held.instruction, {})[held.key] = _spliced(held.text, changes[held.source])
    return new


def _rewrite(
    pdf: pikepdf.Pdf,
    stream: Stream,
    changes: Sequence[Change],
    font: Any,
    properties: Mapping[int, Mapping[str, str]],
) -> int:
    """How many labels found too little room."""
    holder = pdf.get_object(*stream.holder)
    rewritten = rewrite_stream(stream, changes, properties, _right_edge(holder))
    if isinstance(holder, pikepdf.Stream):
        holder.write(rewritten.content)
        own: Any = holder.stream_dict
        resources = own.get("/Resources", pikepdf.Dictionary())
    else:
        holder["/Contents"] = pdf.make_stream(rewritten.content)
        own = holder
        resources = pikepdf.Page(holder).resources
    fresh = pikepdf.Dictionary(dict(resources.items()))
    fonts = pikepdf.Dictionary(dict(resources.get("/Font", pikepdf.Dictionary()).items()))
    fonts[LABEL_FONT] = font
    fresh["/Font"] = fonts
    own["/Resources"] = fresh
    return rewritten.crowded


def _right_edge(holder: Any) -> float | None:
    """Where the lines of a page must end, in its units; None for a form, which does not know its page."""
    if isinstance(holder, pikepdf.Stream):
        return None
    box = [float(number) for number in pikepdf.Page(holder).cropbox]
    return max(box[0], box[2]) - _MARGIN


def _spliced(text: str, changes: Sequence[Change]) -> str:
    pieces: list[str] = []
    position = 0
    for change in changes:
        pieces += [text[position : change.start], change.new]
        position = change.end
    return "".join([*pieces, text[position:]])


def _trimmed(raw: bytes) -> bytes:
    return raw.strip(b"\0\r\n\t ")


class _Numbered(Reading):
    """A reading whose next source is already known, for a part that is read by its own rules."""

    def __init__(self, outer: Reading, source: int) -> None:
        super().__init__(outer.options, parse_nested, size=outer.size)
        self.prose, self.aside, self.technical = outer.prose, outer.aside, outer.technical
        self._known = source

    def new_source(self) -> int:
        return self._known


class _NoNode:
    """The file is no tree of bytes; render does not use it."""

    def is_changed(self, changes: Changes) -> bool:  # noqa: ARG002
        return False

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:  # noqa: ARG002
        return json.dumps(None).encode()
