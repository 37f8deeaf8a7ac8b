"""Plain text and Markdown: the text is the file."""

from linkage.reading import decode
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate


def parse(raw: bytes, reading: Reading) -> TextNode:
    decoded = decode(raw)
    source = reading.new_source()
    separate(reading.prose)
    reading.prose.copied(source, decoded.text, 0)
    return TextNode(source, decoded.text, decoded.encoding, decoded.byte_order_mark)
