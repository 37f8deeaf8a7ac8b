"""The joins of a whole corpus, each with its probability: what a threshold of the user undoes."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from linkage.clustering.document_joins import DocumentJoins, Join
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.people import Person

if TYPE_CHECKING:
    from linkage.clustering.groups import Groups


class Joins:
    """The joins of a corpus, noted while its people are put together.

    attached are persons that came to a group by all evidence together, not by an equal name.
    """

    def __init__(
        self,
        form_of: Sequence[int],
        forms: Sequence[NameForm],
        fit: Callable[[NameForm, NameForm], float],
    ) -> None:
        """form_of: mention -> form. fit: how well a name fits a fuller one, in [0, 1]."""
        self.form_of, self.forms = form_of, forms
        self.of_document: dict[int, DocumentJoins] = {}  # by the first mention of the document
        self.of_corpus: list[Join] = []
        self.attached: set[int] = set()
        self._fit = fit

    def document(self, first_mention: int) -> DocumentJoins:
        """Where the joins of a document are noted; what was noted of it before is forgotten."""
        found = self.of_document[first_mention] = DocumentJoins(self.forms)
        return found

    # -- while persons come together -----------------------------------------------------------------------

    def attach(self, groups: "Groups", number: int, group: int, probability: float) -> None:
        """Note that a person is about to become one of a group."""
        self.of_corpus.append(self.between(groups, [number], group, probability))
        self.attached.add(number)

    def merge(self, groups: "Groups", group: int, into: int, probability: float) -> None:
        """Note that a group is about to become part of another one."""
        self.of_corpus.append(self.between(groups, groups.groups[group].persons, into, probability))

    def alike(self, groups: "Groups", pairs: Iterable[tuple[int, int, float]]) -> None:
        """Note persons of one name that is not full, who are one by how rare it is or by their company."""
        for *people, probability in pairs:
            left, right = (self.end(groups, n, self._fullest(groups.persons[n])[0]) for n in people)
            self.of_corpus.append(Join(left, right, probability, is_full=False))

    def company(
        self, groups: "Groups", pair: tuple[int, int], forms: tuple[int, int], probability: float
    ) -> None:
        """Note two groups that are about to become one by a full name of each, and their company."""
        self.of_corpus.append(self.of_forms(groups, pair, forms, probability))

    def of_forms(
        self, groups: "Groups", pair: tuple[int, int], forms: tuple[int, int], probability: float
    ) -> Join:
        """The join of two groups by a full name of each."""
        left, right = (
            self.end(groups, self._bearer(groups, group, form), form)
            for group, form in zip(pair, forms, strict=True)
        )
        return Join(left, right, probability, is_full=True)

    # -- ends ----------------------------------------------------------------------------------------------

    def between(self, groups: "Groups", people: Iterable[int], group: int, probability: float) -> Join:
        """The join of the people, by the fullest of their names, with a group, by the name that fits best.

        A full name that fits at all goes before shorter ones, which may be parted from the group themselves.
        """
        number = max(people, key=lambda n: (groups.persons[n].kind, -n))
        theirs = groups.groups[group].forms
        fits = {
            (mine, other): 1.0 if mine == other else self._fit(self.forms[mine], self.forms[other])
            for mine in self._fullest(groups.persons[number])
            for other in theirs
        }
        mine, other = max(fits, key=lambda pair: (self._rank(pair[1], fits[pair]), -pair[0], -pair[1]))
        return Join(
            self.end(groups, number, mine),
            self.end(groups, self._bearer(groups, group, other), other),
            probability,
            self._is_full(mine) and self._is_full(other),
        )

    def end(self, groups: "Groups", number: int, form: int) -> int:
        """The first mention of a person by a form; of a known person, who has no mentions, its own end."""
        mentions = groups.persons[number].mentions
        return next(
            (m for m in mentions if self.form_of[m] == form), mentions[0] if mentions else -1 - number
        )

    def _rank(self, form: int, fit: float) -> tuple[bool, float, NameKind]:
        kind = self.forms[form].kind
        return kind is NameKind.FULL and fit > 0, fit, kind

    def _fullest(self, person: Person) -> list[int]:
        most = max(self.forms[form].kind for form in person.forms)
        return [form for form in person.forms if self.forms[form].kind is most]

    def _bearer(self, groups: "Groups", group: int, form: int) -> int:
        bearers = (n for n in groups.groups[group].persons if form in groups.persons[n].forms)
        first = next(bearers)
        return (
            first
            if first not in self.attached
            else next((n for n in bearers if n not in self.attached), first)
        )

    def _is_full(self, form: int) -> bool:
        return self.forms[form].kind is NameKind.FULL
