"""Says in the metadata of a rewritten file that it is pseudonymized: more edits, undone like the rest.

Each format knows its own mark, and its record names who does. Files within files are marked as well, where
their own format has a place.
"""

from typing import Final

from pseudonymizer.formats.every_format import BY_NAME
from pseudonymizer.formats.format import Stamps
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.tree.nodes import Changes, Node
from pseudonymizer.formats.tree.stamps import stamped

WORD: Final = "nymlink"  # the value of every mark; readers pass it by, it is no text of anybody
PROPERTY: Final = "Pseudonymized"  # the name of every mark that is a property


class MarkedNode:
    """A file that is marked when something in it changes."""

    def __init__(self, node: Node, stamps: Stamps) -> None:
        self._node, self._stamps = node, stamps

    def is_changed(self, changes: Changes) -> bool:
        return self._node.is_changed(changes)

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        first = len(edits)
        raw = self._node.render(changes, location, edits)
        if len(edits) == first:
            return raw
        return stamped(raw, self._stamps(raw), location, edits, first)


def marked(format_name: str, node: Node) -> Node:
    """The node of a file with its mark; as it is where the format has no place for one, or its own way."""
    stamps = BY_NAME[format_name].stamps
    return node if stamps is None else MarkedNode(node, stamps.load())


def is_marked(format_name: str, raw: bytes) -> bool | None:
    """Whether a file carries the mark; None where its format has no place for one."""
    carries = BY_NAME[format_name].is_marked
    return None if carries is None else carries.load()(raw)
