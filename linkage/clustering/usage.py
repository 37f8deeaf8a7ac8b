"""How a group is called where it is not named in full: a person is mostly called in one way."""

from rapidfuzz.distance import OSA

from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameForm, NameKind

_LEAST = 2  # mentions of a group that say how it is called
_SMOOTHING = 1.0
_MOST_KEPT = 300_000  # pairs of forms
_CALLED = frozenset({NameKind.GIVEN, NameKind.FAMILY, NameKind.INITIALS})


class Usage:
    """Whether names of a kind agree with the group's other names of that kind; forms are compared once."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._forms = groups.forms
        self._alike: dict[tuple[int, int], bool] = {}

    def agreement(self, number: int, group: int) -> float:
        """Share of the group's mentions of this person's kind that call it as this person is, in (0, 1].

        Slips aside; 1.0 where the group has hardly any such mention. Who is Cor in eleven letters is not
        the Kees of the twelfth, though both are short for Cornelis.
        """
        person = self._groups.persons[number]
        kind = person.kind
        if kind not in _CALLED:
            return 1.0
        mine = [form for form in person.forms if self._forms[form].kind is kind]
        called = called_so = 0
        for form, count in self._groups.groups[group].forms.items():
            if self._forms[form].kind is kind:
                called += count
                if any(self._is_one(own, form) for own in mine):
                    called_so += count
        if called < _LEAST:
            return 1.0
        return (called_so + _SMOOTHING) / (called + _SMOOTHING)

    def _is_one(self, left: int, right: int) -> bool:
        if left == right:
            return True
        key = (left, right) if left < right else (right, left)
        known = self._alike.get(key)
        if known is None:
            if len(self._alike) >= _MOST_KEPT:
                self._alike.clear()
            known = self._alike[key] = _call_alike(self._forms[left], self._forms[right])
        return known


def _call_alike(left: NameForm, right: NameForm) -> bool:
    """Whether two forms of one kind are the same up to a slip; initials are the same or not."""
    if left.kind is NameKind.INITIALS:
        return left.letters == right.letters
    mine, theirs = (
        (left.call_names, right.call_names)
        if left.kind is NameKind.GIVEN
        else (left.families, right.families)
    )
    return any(_near(a, b) for a in mine for b in theirs)


def _near(left: str, right: str) -> bool:
    length = max(len(left), len(right))
    most = 0 if length < 4 else 1 if length < 8 else 2
    return OSA.distance(left, right, score_cutoff=most) <= most
