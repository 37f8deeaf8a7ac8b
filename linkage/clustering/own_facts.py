"""Values that several people have, and nobody alone: a household's telephone, the number of an office."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations, islice

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import PartLinks
from linkage.clustering.people import Person
from linkage.constraints import DECISIVE_KINDS

_MOST_PAIRS = 2_000  # pairs of names that are looked at of one value

Value = tuple[str, str]  # kind and value, as attributes of people are


def values_of_several(
    persons: Iterable[Person], forms: Sequence[NameForm], part_links: PartLinks
) -> frozenset[Value]:
    """The attributes that people of different names have; a birth date or a citizen number never is one.

    Names differ that have two given names which are no forms of one, or two surnames and other first letters.
    """
    holders: dict[Value, set[int]] = defaultdict(set)
    for person in persons:
        for attribute in person.evidence.attributes:
            if attribute[0] not in DECISIVE_KINDS:
                holders[attribute].update(form for form in person.forms if _tells(forms[form]))
    return frozenset(
        value
        for value, found in holders.items()
        if len(found) > 1 and _differ(sorted(found), forms, part_links)
    )


def _tells(form: NameForm) -> bool:
    return form.kind >= NameKind.INITIALS and bool(form.families)


def _differ(found: Sequence[int], forms: Sequence[NameForm], part_links: PartLinks) -> bool:
    pairs = islice(combinations(found, 2), _MOST_PAIRS)
    return any(_are_two(forms[left], forms[right], part_links) for left, right in pairs)


def _are_two(left: NameForm, right: NameForm, part_links: PartLinks) -> bool:
    if left.call_names and right.call_names:
        mine, theirs = left.call_names[0], right.call_names[0]
        return mine != theirs and theirs not in part_links.similar(mine)
    if left.glued & right.glued or not left.letters or not right.letters:
        return False
    return left.letters[0] != right.letters[0]
