import io
import struct

import olefile
import pytest

from linkage.errors import EncryptedDocumentError, UnsupportedInputError
from pseudonymizer import formats
from pseudonymizer.formats.mail.compound import Entry, read_compound, write_compound
from pseudonymizer.formats.records import FormatOptions
from pseudonymizer.formats.tree.packed_rtf import uncompressed_rtf
from tests.pseudonymizer.formats.naming import LABEL, rewrite

NAMES = ["Els Wiersma", "Bas Terpstra"]
TABLE = "__properties_version1.0"


def _wide(text: str) -> bytes:
    return text.encode("utf-16-le")


def _table(head: int, *sizes: tuple[int, int]) -> bytes:
    return bytes(head) + b"".join(struct.pack("<HHIII", 0x001F, tag, 6, size, 0) for tag, size in sizes)


def message(filler: int = 0, attachments: int = 1) -> bytes:
    """A message with names in its strings, its bodies, a binary id, a recipient and attachments."""
    subject, body = (
        _wide("Over Bas Terpstra"),
        _wide("Beste Els Wiersma,\r\n" + "bla " * filler + "Bas Terpstra"),
    )
    children = [
        Entry(TABLE, _table(32, (0x0037, len(subject) + 2), (0x1000, len(body) + 2))),
        Entry("__substg1.0_0037001F", subject),
        Entry("__substg1.0_1000001F", body),
        Entry("__substg1.0_0C190102", b"\0\1SMTP\0bas.terpstra@x.nl\0" + _wide("Bas Terpstra") + b"\0\0"),
        Entry("__substg1.0_10090102", uncompressed_rtf(rb"{\rtf1\ansi Els \b Wiersma}")),
        Entry(
            "__recip_version1.0_#00000000",
            None,
            [Entry(TABLE, _table(8)), Entry("__substg1.0_3001001F", _wide("Els Wiersma"))],
        ),
    ]
    children += [_attachment(number) for number in range(attachments)]
    children.sort(key=lambda child: (len(child.name), child.name.upper()))
    return write_compound(Entry("Root Entry", None, children))


def _attachment(number: int) -> Entry:
    streams = [
        Entry(TABLE, _table(8)),
        Entry("__substg1.0_3703001F", _wide(".txt")),
        Entry("__substg1.0_37010102", b"Ik ben Bas Terpstra."),
    ]
    return Entry(f"__attach_version1.0_#{number:08d}", None, streams)


def _streams(raw: bytes) -> dict[str, bytes]:
    with olefile.OleFileIO(io.BytesIO(raw)) as file:
        return {"/".join(path): file.openstream(path).read() for path in file.listdir()}


@pytest.mark.parametrize(("filler", "attachments"), [(0, 1), (2000, 40)])
def test_a_message_is_rewritten_and_comes_back(filler: int, attachments: int) -> None:
    raw = message(filler, attachments)
    parsed, rendered = rewrite(raw, "x.msg", NAMES)
    assert parsed.format_name == "msg"
    streams = _streams(rendered.raw)
    assert streams["__substg1.0_0037001F"].decode("utf-16-le") == f"Over {LABEL}"
    for content in streams.values():
        for encoding in ("latin-1", "utf-16-le"):
            assert "erpstra" not in content.decode(encoding, "replace")
            assert "Wiersma" not in content.decode(encoding, "replace")
    assert _streams(formats.undo("msg", rendered.raw, rendered.edits)) == _streams(raw)


def test_sizes_in_the_table_of_properties_follow() -> None:
    _, rendered = rewrite(message(), "x.msg", NAMES)
    streams = _streams(rendered.raw)
    (size,) = struct.unpack_from("<I", streams[TABLE], 32 + 8)
    assert size == len(streams["__substg1.0_0037001F"]) + 2


@pytest.mark.parametrize("sizes", [[0], [1, 64, 4095, 4096, 4097], [100_000, 3], [9_000_000, 5]])
def test_compound_files_of_all_sizes(sizes: list[int]) -> None:
    root = Entry(
        "Root Entry", None, [Entry(f"s{n:03d}", bytes([n + 1]) * size) for n, size in enumerate(sizes)]
    )
    raw = write_compound(root)
    assert {name: len(content) for name, content in _streams(raw).items()} == {
        f"s{n:03d}": size for n, size in enumerate(sizes)
    }
    again = read_compound(raw, FormatOptions())
    assert [child.content for child in again.children] == [child.content for child in root.children]


def test_other_compound_files_are_refused() -> None:
    locked = write_compound(Entry("Root Entry", None, [Entry("EncryptedPackage", b"x" * 9)]))
    with pytest.raises(EncryptedDocumentError):
        formats.read(locked, name="x.docx")
    with pytest.raises(UnsupportedInputError, match="a program that is not known"):
        formats.read(write_compound(Entry("Root Entry", None, [Entry("Drawing", b"x")])), name="x.vsd")
