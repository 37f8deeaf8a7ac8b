"""Content of a file that was not read, told by kind and place in few words, without names."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pseudonymizer.formats.records import UnreadContent

AS_PLAIN_TEXT = "read as plain text"  # of which neither suffix nor beginning says a format
# Kinds of content that are left in, or taken out, whatever the options say of unread content.
ALWAYS_LEFT = frozenset({"media", "image", "picture without text", "signature taken out", AS_PLAIN_TEXT})
_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)


def unread_places(unread: Iterable[UnreadContent]) -> dict[str, int]:
    """The count of unread content by kind and place, such as "image (page 2-4, page 9)".

    Places with successive numbers are one range, so that a file of a thousand scanned pages has one entry.
    """
    counts: defaultdict[str, int] = defaultdict(int)
    places: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for content in unread:
        counts[content.kind] += content.count
        if content.place:
            places[content.kind][content.place] = None
    return {
        f"{kind} ({', '.join(_in_ranges(list(places[kind])))})" if places[kind] else kind: count
        for kind, count in counts.items()
    }


def told(places: Mapping[str, int]) -> str:
    """The answer of unread_places in words: "2 x image (page 2-3), attachment (part 4)"."""
    return ", ".join(what if count == 1 else f"{count:,} x {what}" for what, count in places.items())


def is_always_left(places: Iterable[str]) -> bool:
    """Whether all of these kinds are in ALWAYS_LEFT. places: keys of unread_places."""
    return all(what.partition(" (")[0] in ALWAYS_LEFT for what in places)


def _in_ranges(places: Sequence[str]) -> Iterator[str]:
    """The places in their order; a run of places whose last number counts up by one is one range."""
    first: tuple[str, int, str] | None = None
    last = 0
    for place in [*places, ""]:
        found = _NUMBERED.fullmatch(place)
        here = (found[1], int(found[2]), found[3]) if found is not None else None
        if first is not None:
            if here is not None and (here[0], here[2]) == (first[0], first[2]) and here[1] == last + 1:
                last += 1
                continue
            yield f"{first[0]}{first[1]}{f'-{last}' if last > first[1] else ''}{first[2]}"
        first = here
        if here is not None:
            last = here[1]
        elif place:
            yield place
