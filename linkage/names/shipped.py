"""Names taken apart by the lists that come with the package, for callers without a gazetteer of their own."""

from functools import cache

from linkage.gazetteer import Gazetteer
from linkage.names.parsing import parse_name
from linkage.records import PersonName

_shipped_lists = cache(Gazetteer.load)  # read when the first name is parsed: most runs parse none this way


def parse_by_shipped_lists(surface: str) -> PersonName:
    """The parts of a name; see linkage.names.parse_name."""
    return parse_name(surface, _shipped_lists())
