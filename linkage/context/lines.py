"""The line that a name stands in."""

from linkage.records import Mention

_WIDEST_LABEL = 200  # characters of a line before the name of its label


def line_start(text: str, mention: Mention) -> int:
    """Where its line begins, or as far before it as a label or header can reach: texts without line ends
    would be read again from the beginning for each mention.
    """
    end = mention.span.start
    first = max(0, end - _WIDEST_LABEL)
    return max(text.rfind("\n", first, end) + 1, text.rfind("\r", first, end) + 1, first)


def line_before(text: str, mention: Mention) -> str:
    """What stands before the mention in its line; see line_start."""
    return text[line_start(text, mention) : mention.span.start]
