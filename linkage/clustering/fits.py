"""The groups of the corpus that a name which is not full fits, with how well the names agree."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from linkage.clustering.company import Company
from linkage.clustering.groups import Groups
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import (
    EXACT,
    LATER_NAME,
    OTHER_ROLE,
    PartLinks,
    forenames_clash,
    form_fit,
    letters_clash,
)
from linkage.constraints import OF_ACCEPTED, OF_TWO_MATTERS, sexes_differ

FIT_POWER = 3  # a name that fits half as well counts for an eighth

LEAST = 0.4
_LEAST_OF_OWN = 0.3
_MOST_GROUPS = 60  # candidates for whom company is worked out; of more only those around are looked at
_MOST_COUNTED = 1_000  # groups that bear fitting names, counted by forms; of more none is listed
_MOST_ENTRIES = 3_000_000  # of what is kept of names and forms: those of one common surname are many
_OTHER_GIVEN = 0.1  # what is left of a fit of surnames where the given names in the same document do not fit
_MOST_KEPT = 300_000  # fits of names to groups
# Kinds a form may be linked to across documents: something fuller, or its like.
_LINKABLE_KINDS = {
    NameKind.LETTERS: frozenset({NameKind.LETTERS, NameKind.INITIALS, NameKind.FULL}),
    NameKind.GIVEN: frozenset({NameKind.GIVEN, NameKind.INITIALS, NameKind.FULL}),
    NameKind.FAMILY: frozenset({NameKind.FAMILY, NameKind.INITIALS, NameKind.FULL}),
    NameKind.INITIALS: frozenset({NameKind.INITIALS, NameKind.FULL}),
    NameKind.FULL: frozenset({NameKind.FULL}),
}


@dataclass(frozen=True, slots=True)
class _Crowd:
    """What a name fits where so many groups bear it that they are looked at only from their documents."""

    fitting: Mapping[int, float]  # form -> fit
    clashing: frozenset[int]  # forms whose bearers it cannot be
    kinds: frozenset[NameKind]  # of groups
    weight: float  # sum of the powers of the fits of all groups


class NameFits:
    """Fits of persons to groups, in [0, 1]; what evidence excludes is left out. Forms are compared once."""

    def __init__(self, groups: Groups, company: Company, part_links: PartLinks) -> None:
        self._groups = groups
        self._persons = groups.persons
        self._forms = groups.forms
        self._company = company
        self._part_links = part_links
        self._names_of = groups.names_of
        self._kept_at = -1  # Groups.changes when what is kept of groups was worked out
        self._by_word: dict[int, dict[int, float] | _Crowd] = {}  # names -> group -> fit
        self._by_word_size = 0
        self._near_words: dict[int, frozenset[str]] = {}  # names -> words, and words like them
        self._words_of_group: dict[int, tuple[int, frozenset[str]]] = {}  # group -> its forms then, words
        self._lone: dict[tuple[int, int], tuple[int, float]] = {}  # names, group -> its forms then, fit
        self._fuller: dict[int, tuple[list[tuple[int, float]], list[int]]] = {}
        self._fuller_size = self._fit_cache_size = 0
        self._fit_cache: dict[int, dict[int, float]] = defaultdict(dict)  # form -> fuller form -> fit
        self._forms_by_word: dict[str, list[int]] = defaultdict(list)
        for form, name in enumerate(self._forms):
            for word in name.surname_keys:
                self._forms_by_word[word].append(form)

    def own_candidates(self, number: int) -> set[int]:
        """Groups of the people of its own document whom the document says it may be."""
        found = {self._groups.group_of[other] for other in self._persons[number].candidates}
        return found - {-1, self._groups.group_of[number]}

    def excluded(self, number: int, group: int) -> bool:
        # The gender of a lone given name is only what the lists say of it: the same name counts more.
        person = self._persons[number]
        if person.kind is not NameKind.GIVEN:
            return self._groups.excluded(number, group) or self._groups.rivals(number, group)
        if self._groups.excluded(number, group, OF_ACCEPTED):
            return True
        mine, theirs = person.evidence.gender, self._groups.groups[group].evidence.gender
        return sexes_differ(mine, theirs) and self._lone_fit(number, group) < OTHER_ROLE

    def of_person(self, number: int) -> tuple[dict[int, float], float]:
        """Groups whose names this person's forms fit, with the fit; what evidence excludes is left out.

        The second is what the fits count for of groups that were not looked at, there being too many: the
        sum of their powers, which is what weights are made of.
        """
        person = self._persons[number]
        own = self.own_candidates(number)
        left_out = 0.0
        if person.kind >= NameKind.FAMILY:
            fits, left_out = self._fits_by_word(number)
        else:
            fits = {}
            for group in self._fitting_by_words(number, self._company.groups_around(number)):
                fit = self._lone_fit(number, group)
                if fit >= LEAST:
                    fits[group] = fit
        fits = {g: fit for g, fit in fits.items() if g not in own and not self.excluded(number, g)}
        for group in own:
            spared = OF_ACCEPTED if person.kind is NameKind.GIVEN else OF_TWO_MATTERS
            if not self._groups.excluded(number, group, spared):
                fits[group] = max(self._lone_fit(number, group), _LEAST_OF_OWN)
        if person.kind >= NameKind.FAMILY:
            given, lettered = self._forenames(number)
            if given or lettered:
                fits = {g: fit * self._by_given_name(given, lettered, g) for g, fit in fits.items()}
                fits = {g: fit for g, fit in fits.items() if fit > 0}
        return fits, left_out

    def _fitting_by_words(self, number: int, groups: Iterable[int]) -> list[int]:
        """The groups of a kind that may be linked to, with a word like this lone name's, or its letter."""
        person = self._persons[number]
        allowed = _LINKABLE_KINDS[person.kind]
        near = self._words_like(number) if person.kind is NameKind.GIVEN else None
        of_groups = self._groups.groups
        linkable = [group for group in groups if of_groups[group].kind in allowed]
        if near is None:
            return linkable
        return [group for group in linkable if not near.isdisjoint(self._words(group))]

    def _words_like(self, number: int) -> frozenset[str] | None:
        """What the forms of a person are looked up by, with whatever is like it; None for mere letters."""
        names = self._names_of[number]
        near = self._near_words.get(names)
        if near is None:
            forms = [self._forms[form] for form in self._persons[number].forms]
            if any(form.kind is NameKind.LETTERS for form in forms):
                return None
            words = {word for form in forms for word in form.keys}
            for word in tuple(words):
                words |= self._part_links.similar(word)
            near = self._near_words[names] = frozenset(words)
        return near

    def _words(self, group: int) -> frozenset[str]:
        """What the forms of a group are looked up by."""
        forms = self._groups.groups[group].forms
        known = self._words_of_group.get(group)
        if known is None or known[0] != len(forms):  # forms only come; a group that was emptied stays empty
            words = frozenset(word for form in forms for word in self._forms[form].keys)
            known = self._words_of_group[group] = (len(forms), words)
        return known[1]

    def _lone_fit(self, number: int, group: int) -> float:
        """Best fit of a person's forms to a group's; a given name is no initial where those are known."""
        theirs: Collection[int] = self._groups.groups[group].forms
        key = (self._names_of[number], group)
        size, best = self._lone.get(key, (-1, 0.0))
        if size == len(theirs):
            return best
        if len(self._lone) >= _MOST_KEPT:
            self._lone.clear()
        person = self._persons[number]
        size, best = len(theirs), 0.0
        if person.kind is NameKind.GIVEN and any(self._forms[g].call_names for g in theirs):
            theirs = [g for g in theirs if self._forms[g].kind is not NameKind.INITIALS]
        fullest = [f for f in person.forms if self._forms[f].kind is person.kind] or list(person.forms)
        for form in fullest:
            known = self._fit_cache[form]
            for other in theirs:
                fit = known.get(other)
                if fit is None:
                    fit = self.of_forms(form, other)
                if fit > best:
                    best = fit
        self._lone[key] = (size, best)
        return best

    def _fits_by_word(self, number: int) -> tuple[dict[int, float], float]:
        """Groups whose forms the fullest forms of a person fit; of very many only those around it, with what
        the others count for.
        """
        if self._kept_at != self._groups.changes or self._by_word_size >= _MOST_ENTRIES:
            self._by_word.clear()
            self._by_word_size = 0
            self._kept_at = self._groups.changes
        names = self._names_of[number]
        known = self._by_word.get(names)
        if known is None:
            known = self._by_word[names] = self._fits_of_names(number)
            self._by_word_size += len(known.fitting if isinstance(known, _Crowd) else known)
        if not isinstance(known, _Crowd):
            return known, 0.0
        fits: dict[int, float] = {}
        for group in self._company.groups_around(number):
            forms = self._groups.groups[group].forms
            fit = max((known.fitting[f] for f in forms if f in known.fitting), default=0.0)
            may_be = fit == EXACT or known.clashing.isdisjoint(forms)
            if fit and may_be and self._groups.groups[group].kind in known.kinds:
                fits[group] = fit
        return fits, max(0.0, known.weight - math.fsum(fit**FIT_POWER for fit in fits.values()))

    def _fits_of_names(self, number: int) -> "dict[int, float] | _Crowd":
        """The groups of all, that a person with these names fits; not one by one where they are too many."""
        person = self._persons[number]
        allowed = _LINKABLE_KINDS[person.kind]
        fitting: dict[int, float] = {}
        clashing: set[int] = set()
        for form in person.forms:
            if self._forms[form].kind is not person.kind:
                continue
            found, clashes = self._fuller_forms(form)
            for fuller, fit in found:
                fitting[fuller] = max(fit, fitting.get(fuller, 0.0))
            clashing.update(clashes)
        of_form = self._groups.of_form
        counts = [(fit, len(of_form[fuller])) for fuller, fit in fitting.items() if fuller in of_form]
        if sum(count for _, count in counts) > _MOST_COUNTED:
            weight = math.fsum(count * fit**FIT_POWER for fit, count in counts)
            return _Crowd(fitting, frozenset(clashing), allowed, weight)
        fits: dict[int, float] = {}
        for fuller, fit in fitting.items():
            for group in of_form.get(fuller, ()):
                if fit > fits.get(group, 0.0):
                    fits[group] = fit
        for group in {g for fuller in clashing for g in of_form.get(fuller, ())} if fits else ():
            if fits.get(group, 0.0) < EXACT:  # "A.C. Vrede", called Ton, may well be T. Vrede
                fits.pop(group, None)
        groups = self._groups.groups
        if len(fits) > _MOST_GROUPS:
            weight = math.fsum(fit**FIT_POWER for g, fit in fits.items() if groups[g].kind in allowed)
            return _Crowd(fitting, frozenset(clashing), allowed, weight)
        return {g: fit for g, fit in fits.items() if groups[g].kind in allowed}

    def _forenames(self, number: int) -> tuple[list[int], list[NameForm]]:
        """The lone given names and the lone letters that a person has in its document."""
        forms = self._persons[number].forms
        if len(forms) == 1:  # the fullest form itself
            return [], []
        given = [f for f in forms if self._forms[f].kind is NameKind.GIVEN]
        lettered = [name for f in forms if (name := self._forms[f]).kind is NameKind.LETTERS]
        return given, lettered

    def _by_given_name(self, given: list[int], lettered: list[NameForm], group: int) -> float:
        """1.0 unless given names by which a person is called in its document fit none of the group's."""
        forms = self._groups.groups[group].forms
        if lettered and forenames_clash(lettered, [self._forms[g] for g in forms]):
            return 0.0
        if not given:
            return 1.0
        theirs = [g for g in forms if self._forms[g].call_names]
        if not theirs:
            return 1.0
        return max(_OTHER_GIVEN, *(self.of_forms(f, g) for f in given for g in theirs))

    def _fuller_forms(self, form: int) -> tuple[list[tuple[int, float]], list[int]]:
        """Forms of the corpus that this one fits, with the fit; and those whose initials contradict it."""
        known = self._fuller.get(form)
        if known is not None:
            return known
        name = self._forms[form]
        words = set(name.surname_keys)
        for word in name.surname_keys:
            words |= self._part_links.similar(word)
        fitting: list[tuple[int, float]] = []
        clashing: list[int] = []
        for other in sorted({f for word in words for f in self._forms_by_word.get(word, ())}):
            if name.kind is NameKind.INITIALS and letters_clash(name, self._forms[other]):
                clashing.append(other)
            elif (fit := self.of_forms(form, other)) >= LEAST:
                fitting.append((other, fit))
        if self._fuller_size >= _MOST_ENTRIES:
            self._fuller.clear()
            self._fuller_size = 0
        self._fuller[form] = (fitting, clashing)
        self._fuller_size += len(fitting) + len(clashing)
        return fitting, clashing

    def of_forms(self, form: int, fuller_form: int) -> float:
        fit = self._fit_cache[form].get(fuller_form)
        if fit is None:
            if self._fit_cache_size >= _MOST_ENTRIES:
                self._fit_cache.clear()
                self._fit_cache_size = 0
            name, fuller = self._forms[form], self._forms[fuller_form]
            if form == fuller_form:
                fit = LATER_NAME if name.kind < NameKind.INITIALS else 1.0
            elif fuller.kind < name.kind:
                fit = 0.0
            else:
                fit = form_fit(name, fuller, self._part_links)
            self._fit_cache[form][fuller_form] = fit
            self._fit_cache_size += 1
        return fit
