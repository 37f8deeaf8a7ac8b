"""Read the words of a Morfologik dictionary (CFSA2 automaton), the format of LanguageTool's tagger.

The format is documented by the Morfologik project (class CFSA2): a header, a table of frequent labels,
then arcs of
one flag byte, an optional label byte and an optional variable-length address.
"""

from collections.abc import Iterator
from pathlib import Path

_TARGET_NEXT, _LAST_ARC, _FINAL_ARC, _LABEL_MASK = 0x80, 0x40, 0x20, 0x1F


def read_entries(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (form, tag) of every entry.

    Raises:
        ValueError: if the file is no CFSA2 automaton.
    """
    data = path.read_bytes()
    if data[:5] != b"\\fsa\xc6":
        raise ValueError("dictionary is no CFSA2 automaton")
    if int.from_bytes(data[5:7], "big") & 0x0100:
        raise ValueError("automata with numbered nodes are not supported")
    labels = data[8 : 8 + data[7]]
    arcs = data[8 + data[7] :]
    nodes: dict[int, list[tuple[int, bool, int]]] = {}

    def node(offset: int) -> list[tuple[int, bool, int]]:
        """Arcs of a node as (label, is final, destination); destination 0 ends the word."""
        if offset in nodes:
            return nodes[offset]
        found: list[tuple[int, bool, int]] = []
        waiting: list[int] = []
        at = offset
        while True:
            flags = arcs[at]
            at += 1
            if flags & _LABEL_MASK:
                label = labels[flags & _LABEL_MASK]
            else:
                label = arcs[at]
                at += 1
            destination = 0
            if flags & _TARGET_NEXT:
                waiting.append(len(found))
            else:
                shift = 0
                while True:
                    byte = arcs[at]
                    at += 1
                    destination |= (byte & 0x7F) << shift
                    shift += 7
                    if not byte & 0x80:
                        break
            found.append((label, bool(flags & _FINAL_ARC), destination))
            if flags & _LAST_ARC:
                break
        for index in waiting:  # "next" is the node right after this one
            found[index] = (found[index][0], found[index][1], at)
        nodes[offset] = found
        return found

    root = node(0)[0][2]
    stack: list[tuple[bytes, int]] = [(b"", root)]
    while stack:
        prefix, offset = stack.pop()
        for label, is_final, destination in node(offset):
            word = prefix + bytes((label,))
            if is_final:
                form, _, tag = word.partition(b"~")
                yield form.decode("utf-8"), tag.rpartition(b"~")[2].decode("utf-8")
            if destination:
                stack.append((word, destination))
