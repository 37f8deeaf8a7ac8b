"""Two words that are both given names: two given names of one person, or a given name and a surname."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.records import Beyond, DocumentId, NormalizedMention


def two_words_reread(
    mentions: Sequence[NormalizedMention],
    form_of: Sequence[int],
    forms: Sequence[NameForm],
    is_given_name: Callable[[str], bool],
    beyond: Beyond | None = None,
) -> Mapping[int, NameForm]:
    """Forms of two words, by number, that initials show to be read otherwise.

    Where the corpus has "X. Martina", and Martina more often as a surname, "Xavier Martina" has a surname.
    Beside "J.C. de Haas", and nobody with the surname Cornelis, "Johannes Cornelis" is given names. beyond:
    how many further names of a larger corpus have a word as a given name and as a surname.
    """
    result: dict[int, NameForm] = {}
    surnames = _Surnames.of(forms, beyond or Beyond())
    for number, form in enumerate(forms):
        if _are_given_names(form) and surnames.has(*form.given):
            given, family = form.given
            result[number] = replace(
                form, kind=NameKind.FULL, given=(given,), letters=(given[0],), families=(family,),
                glued=frozenset({family}),
            )  # fmt: skip
    asked = {n: form for n, form in enumerate(forms) if _is_given_and_surname(form, is_given_name)}
    if not asked:
        return result
    documents: dict[DocumentId, set[int]] = defaultdict(set)
    for mention, number in zip(mentions, form_of, strict=True):
        if number in asked:
            documents[mention.mention.doc_id].add(number)
    beside: dict[DocumentId, set[int]] = defaultdict(set)
    for mention, number in zip(mentions, form_of, strict=True):
        if mention.mention.doc_id in documents and forms[number].kind >= NameKind.INITIALS:
            beside[mention.mention.doc_id].add(number)
    for doc_id, numbers in documents.items():
        for number in numbers:
            form = asked[number]
            if _has_initials(form, beside[doc_id] - {number}, forms):
                given, further = form.given[0], form.families[0]
                result[number] = replace(
                    form, kind=NameKind.GIVEN, given=(given, further), letters=(given[0], further[0]),
                    families=(), glued=frozenset(),
                )  # fmt: skip
    return result


@dataclass(frozen=True, slots=True)
class _Surnames:
    """Words that are a surname more often than a given name, and the initials that stand before them."""

    words: Set[str] = field(repr=False)
    initialled: Set[tuple[str, str]] = field(repr=False)

    @classmethod
    def of(cls, forms: Sequence[NameForm], beyond: Beyond) -> "_Surnames":
        borne = Counter(beyond.families)
        borne.subtract(beyond.given)
        initialled: set[tuple[str, str]] = set()
        for form in forms:
            if form.kind >= NameKind.INITIALS:
                borne.update(form.families)
                borne.subtract(form.given)
            if form.kind is NameKind.INITIALS:
                initialled.update((form.letters[0][0], family) for family in form.families)
        return cls({word for word, more in borne.items() if more > 0}, initialled)

    def has(self, given: str, family: str) -> bool:
        return family in self.words and (given[0], family) in self.initialled


def _are_given_names(form: NameForm) -> bool:
    return form.kind is NameKind.GIVEN and len(form.given) == 2 and not form.nickname


def _is_given_and_surname(form: NameForm, is_given_name: Callable[[str], bool]) -> bool:
    if form.kind is not NameKind.FULL or form.nickname or form.particles or form.suffix:
        return False
    if len(form.given) != 1 or len(form.families) != 1 or " " in form.families[0]:
        return False
    return is_given_name(form.given[0]) and is_given_name(form.families[0])


def _has_initials(form: NameForm, others: Set[int], forms: Sequence[NameForm]) -> bool:
    """Whether another name has the letters of both words, and none the second word as its surname."""
    letters = (form.given[0][0], form.families[0][0])
    found = False
    for n in others:
        if form.families[0] in forms[n].families:
            return False
        is_lettered = forms[n].kind is NameKind.INITIALS and len(forms[n].letters) == 2
        found = found or (is_lettered and tuple(letter[0] for letter in forms[n].letters) == letters)
    return found
