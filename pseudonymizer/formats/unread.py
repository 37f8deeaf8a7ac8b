"""What was not read in a file, told by kind and place, without names and in few words."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pseudonymizer.formats.records import UnreadContent

# What files hold anywhere and is left in, or taken out, whether unread content may stay or not.
ALWAYS_LEFT = frozenset({"media", "image", "picture without text", "signature taken out"})
_NUMBERED = re.compile(r"(.*?)(\d+)(\D*)", re.DOTALL)


def unread_places(unread: Iterable[UnreadContent]) -> dict[str, int]:
    """How often what was not read where: "image (page 2-4, page 9)". Places with successive numbers are told
    together, so that a file of a thousand scanned pages has one entry.
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
    """What unread_places answered, in words: "2 x image (page 2-3), attachment (part 4)"."""
    return ", ".join(what if count == 1 else f"{count:,} x {what}" for what, count in places.items())


def is_always_left(places: Iterable[str]) -> bool:
    """Whether all of these are of kinds that no option keeps or refuses."""
    return all(what.partition(" (")[0] in ALWAYS_LEFT for what in places)


def _in_ranges(places: Sequence[str]) -> Iterator[str]:
    """The places in their order; those that differ in their last number, counting up by one, as one."""
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
