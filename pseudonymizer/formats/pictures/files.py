"""Picture files (PNG, JPEG, TIFF): read by text recognition (extra `ocr`), written with the names black.

What comes back of a rewritten picture is the text that was recognized; the picture stays as rewritten. Its
metadata are read too, and all of them go when anything is replaced.
"""

import io
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from linkage.errors import DamagedDocumentError, DocumentTooLargeError, UnsupportedInputError
from linkage.records import Span
from pseudonymizer.formats.marking import PROPERTY, WORD
from pseudonymizer.formats.pictures import metadata, ocr
from pseudonymizer.formats.pictures.blacking import blacken, changed_words, write_label
from pseudonymizer.formats.records import Edit, FormatOptions, RenderedFile, Replacements
from pseudonymizer.formats.registry import parse_nested
from pseudonymizer.formats.tree.nodes import Changes
from pseudonymizer.formats.tree.parsing import ParsedFile, Reading, separate
from pseudonymizer.formats.tree.textmap import collect_changes

if TYPE_CHECKING:
    from PIL.Image import Image

_SAVED_AS: Final = {"png": "PNG", "jpeg": "JPEG", "tiff": "TIFF"}
_MAX_PIXELS: Final = 120_000_000  # of all frames together
_MAX_FRAMES: Final = 500
_MARK: Final = f"{PROPERTY}: {WORD}"
_DESCRIPTION: Final = 270  # Exif
_TEXT, _WHOLE = "text", "whole"  # locations of edits: in the new text, and the new text itself


def read(raw: bytes, options: FormatOptions) -> "ParsedPicture":
    return ParsedPicture(raw, options)


def format_of_picture(raw: bytes) -> str | None:
    """By the first bytes."""
    if raw.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if raw.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    return "tiff" if raw.startswith((b"II*\0", b"MM\0*")) else None


class ParsedPicture(ParsedFile):
    """The frames of a picture; each is a source of text, and so is each text of its metadata."""

    def __init__(self, raw: bytes, options: FormatOptions) -> None:
        if not options.ocr or not ocr.is_available():
            raise UnsupportedInputError(
                "not processed: pictures need text recognition; install it with: pip install 'nymlink[ocr]'"
            )
        self._raw, self._mark = raw, options.mark
        name = format_of_picture(raw) or "png"
        reading = Reading(options, parse_nested, size=len(raw))
        self._read: dict[int, ocr.ReadPicture] = {}
        for number, frame in enumerate(_frames(raw), start=1):
            reading.place = f"picture {number}"
            self._read_frame(frame.convert("RGB"), reading)
        for text in metadata.texts_of(raw, _opened(raw), besides=_MARK):
            separate(reading.prose, "\n")
            reading.prose.copied(reading.new_source(), text, 0)
        super().__init__(name, _NoNode(), reading)

    def _read_frame(self, frame: "Image", reading: Reading) -> None:
        found = ocr.read_picture(frame)
        source = reading.new_source()
        if not found.text.strip():
            reading.leave_unread("picture without text")
        elif found.confidence < ocr.MIN_CONFIDENCE:
            kind = "picture that text recognition does not read well enough"
            if not reading.options.keep_unread:
                raise UnsupportedInputError(f"not processed: {kind}")
            reading.leave_unread(kind)
        else:
            reading.recognized.append(found.confidence)
            separate(reading.prose)
            reading.prose.copied(source, found.text, 0)
            self._read[source] = found

    def render(self, replacements: Replacements) -> RenderedFile:
        changes, unplaced = collect_changes(self._maps, replacements, self._derived)
        if not changes:
            return RenderedFile(self._raw, (), unplaced)
        frames: list[Image] = []
        for source, frame in enumerate(_frames(self._raw)):
            mode = frame.mode if frame.mode in {"1", "L", "RGB"} else "RGB"
            drawn = frame.convert("RGB")
            if source in changes:
                drawn = _drawn(drawn, self._read[source], changes[source])
            frames.append(drawn.convert(mode))
        text = self.parts[0].text
        edits, written = _spliced(text, replacements.get(self.parts[0].part_id, {}))
        return RenderedFile(_saved(frames, self.format_name, mark=self._mark), (*edits, written), unplaced)


def undo(raw: bytes, edits: Sequence[Edit]) -> bytes:
    """The text that was recognized, in UTF-8; of people who were erased their pseudonyms."""
    del raw
    whole = next((edit.original for edit in edits if edit.location == _WHOLE), None)
    if whole is None:
        raise DamagedDocumentError("the edits of the picture are not whole")
    pieces: list[bytes] = []
    position = 0
    for edit in sorted((e for e in edits if e.location == _TEXT), key=lambda e: e.start):
        pieces += [whole[position : edit.start], edit.original]
        position = edit.end
    return b"".join([*pieces, whole[position:]])


def is_marked(raw: bytes) -> bool:
    with _opened(raw) as picture:
        known = [
            picture.info.get(PROPERTY),
            picture.info.get("comment"),
            metadata.exif_of(picture).get(_DESCRIPTION),
        ]
    return any(
        value in (WORD, _MARK) or value == _MARK.encode() for value in known if isinstance(value, str | bytes)
    )


def _drawn(frame: "Image", read: ocr.ReadPicture, changes: Any) -> "Image":
    turned = ocr.turned(frame, read.turn).copy()
    words = changed_words(read, changes)
    blacken(turned, [word[1] for word in words if not isinstance(word, ocr.Word)])
    for word in words:
        if not isinstance(word, ocr.Word) and word[0]:
            write_label(turned, *word)
    return ocr.turned(turned, -read.turn)


def _spliced(text: str, labels: Any) -> tuple[list[Edit], Edit]:
    """Edits of the text that undo the labels, and the text with the labels in it."""
    written = bytearray()
    edits: list[Edit] = []
    position = 0
    for span in sorted(labels):
        written += text[position : span.start].encode()
        start = len(written)
        written += labels[span].encode()
        edits.append(
            Edit(_TEXT, start, len(written), span.cut(text).encode(), ("", Span(span.start, span.end)))
        )
        position = span.end
    written += text[position:].encode()
    return edits, Edit(_WHOLE, 0, 0, bytes(written))


def _opened(raw: bytes) -> "Image":
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes, which are looked at here, and of odd metadata
            return Image.open(io.BytesIO(raw), formats=tuple(_SAVED_AS.values()))
    except Image.DecompressionBombError:
        raise DocumentTooLargeError("the picture has more pixels than can be read: refused") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise DamagedDocumentError("the file begins as a picture but cannot be read as one") from None


def _frames(raw: bytes) -> "list[Image]":
    """All pictures of the file, turned as its metadata say. Raises DocumentTooLargeError."""
    from PIL import ImageOps

    frames: list[Image] = []
    pixels = 0
    with _opened(raw) as picture:
        count = getattr(picture, "n_frames", 1)
        if count > _MAX_FRAMES:
            raise DocumentTooLargeError(f"the file holds {count} pictures, more than {_MAX_FRAMES}: refused")
        try:
            for number in range(count):
                picture.seek(number)
                pixels += picture.width * picture.height
                if pixels > _MAX_PIXELS:
                    raise DocumentTooLargeError(f"more than {_MAX_PIXELS} pixels: refused")
                upright = ImageOps.exif_transpose(picture)
                frame = upright.convert(upright.mode)
                frame.info = {"dpi": dpi} if (dpi := picture.info.get("dpi")) else {}
                frames.append(frame)
        except (OSError, SyntaxError, ValueError, EOFError):
            raise DamagedDocumentError("the picture is cut off or damaged") from None
    return frames


def _saved(frames: "Sequence[Image]", format_name: str, *, mark: bool) -> bytes:
    """The frames in their format, without any metadata but their resolution and the mark."""
    from PIL.Image import Exif
    from PIL.PngImagePlugin import PngInfo

    extra: dict[str, Any] = {str(key): value for key, value in frames[0].info.items()}
    first, *others = frames
    if format_name == "png" and mark:
        extra["pnginfo"] = PngInfo()
        extra["pnginfo"].add_text(PROPERTY, WORD)
    elif format_name == "jpeg":
        extra |= {"quality": 92, "optimize": True} | ({"comment": _MARK} if mark else {})
    elif format_name == "tiff":
        exif = Exif()
        if mark:
            exif[_DESCRIPTION] = _MARK
        bilevel = all(frame.mode == "1" for frame in frames)
        extra |= {"compression": "group4" if bilevel else "tiff_lzw", "exif": exif}
        if others:
            extra |= {"save_all": True, "append_images": others}
    buffer = io.BytesIO()
    plain = first.copy()
    plain.info = {}
    plain.save(buffer, _SAVED_AS[format_name], **extra)
    return buffer.getvalue()


class _NoNode:
    """The file is no tree of bytes; render does not use it."""

    def is_changed(self, changes: Changes) -> bool:  # noqa: ARG002
        return False

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:  # noqa: ARG002
        return b""
