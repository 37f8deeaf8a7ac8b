"""Plain text and Markdown: the text is the file."""

from linkage.reading import decode
from pseudonymizer.formats.text.escapes import CODES, EMPHASIS, JOINED, QUOTED, WIDE
from pseudonymizer.formats.text.packed_text import add_words
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate

# Ways in which letters come to plain text that no program reads any more.
_WAYS = (CODES, EMPHASIS, JOINED, QUOTED, WIDE)


def parse(raw: bytes, reading: Reading) -> TextNode:
    decoded = decode(raw)
    source = reading.new_source()
    separate(reading.prose)
    if reading.options.as_written:
        reading.prose.copied(source, decoded.text, 0)
    else:
        add_words(reading.prose, source, decoded.text, reading, ways=_WAYS)
    return TextNode(source, decoded.text, decoded.encoding, decoded.byte_order_mark)
