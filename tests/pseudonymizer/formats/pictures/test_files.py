"""Picture files: names black, text restorable, metadata gone."""

import io
from typing import Any

import pytest
from PIL import Image

from linkage.errors import DamagedDocumentError, UnsupportedInputError
from linkage.records import Span
from pseudonymizer import formats
from pseudonymizer.formats import FormatOptions, ParsedFile, RenderedFile
from pseudonymizer.formats.marking import is_marked
from pseudonymizer.formats.pictures import files as picture_files
from pseudonymizer.formats.pictures import metadata, ocr
from tests.pseudonymizer.formats.naming import LABEL
from tests.pseudonymizer.formats.pictures.test_ocr import needs_engine, picture

LINES = ["Gisteren sprak mevrouw Zoë Köhler", "met de heer Bas Terpstra op de gang."]
NAMES = ("Zoë Köhler", "Bas Terpstra", "Jitske")


def saved(kind: str, page: Image.Image, **extra: Any) -> bytes:
    buffer = io.BytesIO()
    page.save(buffer, kind, **extra)
    return buffer.getvalue()


def rewritten(raw: bytes, name: str) -> tuple[ParsedFile, RenderedFile]:
    parsed = formats.read(raw, name=name, options=FormatOptions(mark=True))
    text = parsed.parts[0].text
    labels = {
        Span(text.index(one), text.index(one) + len(one)): LABEL for one in NAMES if one in text
    }  # fmt: skip
    return parsed, parsed.render({"": labels})


def seen(raw: bytes) -> str:
    frame = Image.open(io.BytesIO(raw))
    pages = []
    for number in range(getattr(frame, "n_frames", 1)):
        frame.seek(number)
        pages.append(ocr.read_picture(frame.convert("RGB")).text)
    return "\n".join(pages)


def metadata_of(raw: bytes) -> list[str]:
    return metadata.texts_of(raw, picture_files._opened(raw), besides="")


def exif_of(author: str) -> Image.Exif:
    exif = Image.Exif()
    exif[315] = author
    return exif


@pytest.mark.parametrize(
    ("prefix", "encoding"),
    [
        (b"ASCII\0\0\0", "utf-8"),
        (b"UNICODE\0", "utf-16-le"),
        (b"UNICODE\0", "utf-16-be"),
        (bytes(8), "utf-8"),
    ],
)
def test_what_the_camera_and_its_user_say_is_read(prefix: bytes, encoding: str) -> None:
    exif = exif_of("Jitske Mol")
    comment = "Foto van Zoë Köhler".encode(encoding)
    exif.get_ifd(0x8769).update({37510: prefix + comment, 42032: "Bas Terpstra"})
    texts = metadata_of(saved("JPEG", picture(LINES), exif=exif))
    assert {"Jitske Mol", "Foto van Zoë Köhler", "Bas Terpstra"} <= set(texts)


def test_texts_of_later_pages_are_read() -> None:
    pages = [picture(LINES).convert("1") for _ in range(2)]
    pages[1].encoderinfo = {"tiffinfo": {270: "Jitske Mol"}}
    raw = saved("TIFF", pages[0], save_all=True, append_images=pages[1:])
    assert "Jitske Mol" in metadata_of(raw)


@needs_engine
@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("a.png", saved("PNG", picture(LINES), dpi=(200, 200))),
        ("a.jpg", saved("JPEG", picture(LINES), quality=90, exif=exif_of("Jitske Mol"))),
        ("a.tif", saved("TIFF", picture(LINES).convert("1"), compression="group4")),
    ],
)
def test_names_are_black_and_the_text_comes_back(name: str, raw: bytes) -> None:
    parsed, rendered = rewritten(raw, name)
    assert not is_marked(parsed.format_name, raw)
    assert is_marked(parsed.format_name, rendered.raw)
    shown = seen(rendered.raw)
    for word in ("Zoë", "Köhler", "Bas", "Terpstra"):
        assert word not in shown
    for word in ("Gisteren", "mevrouw", "gang"):
        assert word in shown
    assert b"Jitske" not in rendered.raw
    before, after = Image.open(io.BytesIO(raw)), Image.open(io.BytesIO(rendered.raw))
    assert (after.format, after.size, after.mode) == (before.format, before.size, before.mode)
    assert formats.undo(parsed.format_name, rendered.raw, rendered.edits).decode() == parsed.parts[0].text
    assert formats.restored_suffix(parsed.format_name) == ".txt"
    kept = [edit for edit in rendered.edits if edit.owner is None or edit.owner[1].start > 30]
    partly = formats.undo(parsed.format_name, rendered.raw, kept).decode()
    assert "Köhler" not in partly  # the edit of a person who was erased is gone, and the name with it
    assert "Bas Terpstra" in partly


@needs_engine
def test_every_page_of_a_tiff_is_read() -> None:
    raw = saved("TIFF", picture(["niemand hier"]), save_all=True, append_images=[picture(LINES[1:])])
    parsed, rendered = rewritten(raw, "x.tiff")
    assert len(parsed.recognized) == 2
    shown = seen(rendered.raw)
    assert "niemand hier" in shown
    assert "Terpstra" not in shown


@needs_engine
def test_picture_without_text_or_changes_stays_as_it_is() -> None:
    raw = saved("PNG", Image.new("L", (64, 64), 128))
    parsed = formats.read(raw, name="x.png")
    assert [(one.kind, one.count) for one in parsed.unread] == [("picture without text", 1)]
    assert parsed.render({}).raw == raw


def test_without_the_engine_pictures_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_available", lambda: False)
    with pytest.raises(UnsupportedInputError, match="text recognition"):
        formats.read(saved("PNG", Image.new("L", (8, 8))), name="x.png")


@needs_engine
def test_damaged_and_misnamed_pictures_are_refused() -> None:
    raw = saved("PNG", picture(LINES))
    with pytest.raises(DamagedDocumentError):
        formats.read(raw[: len(raw) // 2], name="x.png")
    with pytest.raises(DamagedDocumentError):
        formats.read(raw[:20], name="x.png")
    with pytest.raises(UnsupportedInputError):
        formats.read(b"geen beeld", name="x.png")
