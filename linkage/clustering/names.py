"""How well a part of a name fits a fuller one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.constraints import suffixes_differ

Similar = Mapping[str, Mapping[str, float]]  # part -> other part -> match probability, symmetric


@dataclass(frozen=True, slots=True)
class PartLinks:
    """Scored pairs of single name parts.

    full_initials maps a short given name to the first letters of the full forms it may stand for.
    misspelt adds what holds inside one document, where a word few letters off is more likely a typing error.
    """

    given: Similar = field(repr=False)
    family: Similar = field(repr=False)
    full_initials: Mapping[str, frozenset[str]] = field(repr=False)
    misspelt: Similar = field(default_factory=dict, repr=False)

    def given_probability(self, left: str, right: str) -> float:
        return 1.0 if left == right else max(_of(self.given, left, right), _of(self.misspelt, left, right))

    def family_probability(self, left: str, right: str) -> float:
        return 1.0 if left == right else max(_of(self.family, left, right), _of(self.misspelt, left, right))

    def similar(self, word: str) -> set[str]:
        """Parts of either role that are like this one."""
        return {other for table in (self.given, self.family, self.misspelt) for other in table.get(word, ())}


def _of(table: Similar, left: str, right: str) -> float:
    return table[left].get(right, 0.0) if left in table else 0.0


# How well one form fits another: 1.0 is exact; the steps between let an exact fit beat a looser one.
EXACT, ONE_OF_TWO, LATER_NAME, OTHER_ROLE, BY_FULL_FORM = 1.0, 0.95, 0.9, 0.8, 0.7
FURTHER = 0.6  # a short form of a further given name: Wil for Hilda Wilhelmina
OTHER_PARTICLE = 0.65
BOTH_FOR_ONE = 0.3  # "Nijpels-Vos" is seldom meant by who is Vos in full; the other way round is common
BY_LETTER = 0.45  # only the initial is known: worth asking, not linking


def family_fit(left: NameForm, right: NameForm, links: PartLinks) -> float:
    """Fit of the family names in [0, 1]; 0.0 where they differ or either has none."""
    if not left.families or not right.families:
        return 0.0
    if left.glued & right.glued and len(left.families) == len(right.families) == 1:
        return EXACT
    if left.glued == right.glued and set(left.families) == set(right.families):
        return EXACT
    shared = set(left.families) & set(right.families)
    particles = EXACT
    if left.particles and right.particles and not left.particles & right.particles:
        particles = OTHER_PARTICLE  # "te Velde" against "ter Velde": near, but another name
    if len(left.families) == len(right.families) == 2:
        return min(particles, _both_fit(left.families, right.families, links))
    if shared or left.glued & right.glued:
        return min(particles, EXACT if len(left.families) == len(right.families) else ONE_OF_TWO)
    if any(_ends_alike(a, b) for a in left.families for b in right.families):
        return min(particles, ONE_OF_TWO)
    best = max(links.family_probability(a, b) for a in left.families for b in right.families)
    if left.particles or right.particles:  # "El Amrani" and "Elamrani", "vanDijk" and "van Dijk"
        best = max(best, max(links.family_probability(a, b) for a in left.glued for b in right.glued))
    if len(left.families) != len(right.families):
        double, single = (left, right) if len(left.families) == 2 else (right, left)
        best = max(best, links.family_probability(" ".join(double.families[::-1]), single.families[0]))
    return best * particles * OTHER_ROLE


def _ends_alike(left: str, right: str) -> bool:
    """Whether one family name is the end or the beginning of the other: "Graf Waldberg" and "Waldberg"."""
    shorter, longer = sorted((left, right), key=len)
    return longer.endswith(f" {shorter}") or longer.startswith(f"{shorter} ")


def _both_fit(left: tuple[str, ...], right: tuple[str, ...], links: PartLinks) -> float:
    straight = min(links.family_probability(a, b) for a, b in zip(left, right, strict=True))
    crossed = min(links.family_probability(a, b) for a, b in zip(left, right[::-1], strict=True))
    best = max(straight, crossed)
    return best if best == EXACT else best * OTHER_ROLE


def given_fit(left: NameForm, right: NameForm, links: PartLinks) -> float:
    """Fit of given names or initials in [0, 1]; 0.0 where they differ or cannot be compared."""
    if left.call_names and right.call_names:
        return _call_name_fit(left, right, links)
    if left.call_names or right.call_names:
        named, lettered = (left, right) if left.call_names else (right, left)
        return initials_fit(lettered.letters, named, links)
    if left.letters and right.letters:
        if left.letters == right.letters:
            return EXACT
        pairs = zip(left.letters, right.letters, strict=False)
        return LATER_NAME if all(a.startswith(b) or b.startswith(a) for a, b in pairs) else 0.0
    return 0.0


def _call_name_fit(left: NameForm, right: NameForm, links: PartLinks) -> float:
    if left.given == right.given and left.given:
        return EXACT
    if letters_clash(left, right):
        return 0.0
    if len(left.given) > 1 and len(right.given) > 1:
        pairs = list(zip(left.given, right.given, strict=False))
        weakest = min(links.given_probability(a, b) for a, b in pairs)
        whole = links.given_probability(left.given_text, right.given_text) * OTHER_ROLE
        return max(weakest if weakest == EXACT else weakest * OTHER_ROLE, whole)
    if left.given and right.given and left.given[0] == right.given[0]:
        return ONE_OF_TWO
    if set(left.call_names) & set(right.call_names):
        return LATER_NAME
    best = max(
        links.given_probability(a, b) * (EXACT if _may_call(left, a) and _may_call(right, b) else FURTHER)
        for a in left.call_names
        for b in right.call_names
    )
    whole = links.given_probability(left.given_text, right.given_text)
    return max(best, whole) * OTHER_ROLE


def _may_call(name: NameForm, word: str) -> bool:
    """Whether a person is likely called by a word of the name: its first given name or the nickname."""
    return word == name.nickname or word == name.call_names[0]


def initials_fit(letters: tuple[str, ...], named: NameForm, links: PartLinks) -> float:
    """Fit of initials to given names: "J.P." to Jan Pieter, "Th." to Theo, "C." to Kees by Cornelis."""
    if not letters:
        return 0.0
    if named.letters:
        if named.letters == letters:
            return EXACT
        pairs = zip(named.letters, letters, strict=False)
        return LATER_NAME if all(a.startswith(b) or b.startswith(a) for a, b in pairs) else 0.0
    if named.given and all(g.startswith(i) for g, i in zip(named.given, letters, strict=False)):
        return EXACT if len(named.given) == len(letters) else ONE_OF_TWO
    first = letters[0]
    if any(name.startswith(first) for name in named.call_names) and len(letters) == 1:
        return LATER_NAME
    if any(first[:1] in links.full_initials.get(name, ()) for name in named.call_names):
        return BY_FULL_FORM
    return 0.0


def letters_clash(left: NameForm, right: NameForm) -> bool:
    """Whether both have initials and these cannot be one person's."""
    pairs = zip(left.letters, right.letters, strict=False)
    return any(not (a.startswith(b) or b.startswith(a)) for a, b in pairs)


def further_names_clash(left: NameForm, right: NameForm, links: PartLinks) -> bool:
    """Whether two names that begin alike go on with further given names of which neither is a part of the
    other: Jan Pieter and Jan Willem, J.P. and J.W.; but Jan Pieter Maria may be Jan Maria.
    """
    mine, theirs = _forenames(left), _forenames(right)
    if len(mine) < 2 or len(theirs) < 2:
        return False

    def alike(a: str, b: str) -> bool:
        if a.startswith(b) or b.startswith(a):
            return True
        if len(a) == 1 or len(b) == 1:
            word, letter = (a, b) if len(b) == 1 else (b, a)
            return letter in links.full_initials.get(word, ())
        return links.given_probability(a, b) >= _SAME_FORENAME

    def holds(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
        rest = iter(longer)
        return all(any(alike(a, b) for a in rest) for b in shorter)

    longer, shorter = (mine, theirs) if len(mine) >= len(theirs) else (theirs, mine)
    return alike(mine[0], theirs[0]) and not holds(longer[1:], shorter[1:])


def _forenames(name: NameForm) -> tuple[str, ...]:
    """Given names, with the initials that go further than they do: "jan", "p" for Jan P."""
    return (*name.given, *(letter for letter in name.letters[len(name.given) :]))


_SAME_FORENAME = 0.3


def forenames_clash(left: Collection[NameForm], right: Collection[NameForm]) -> bool:
    """Whether lone letters or given names of one stand beside its surname and open none of the other's names.

    A form with "Achternaam: BOS" and "Voorletters: J." is no A. Bos.
    """
    mine = {form.letters[0][0] for form in left if form.kind is NameKind.LETTERS and form.letters}
    if not mine:
        return False
    theirs = {name.letters[0][0] for name in right if name.letters}
    theirs |= {word[0] for name in right for word in name.call_names}
    return bool(theirs) and not mine & theirs


def suffixes_of(numbers: Iterable[int], forms: Sequence[NameForm]) -> frozenset[str]:
    """The generation suffixes of forms, mostly none; forms: of the corpus, by number."""
    return frozenset(suffix for number in numbers if (suffix := forms[number].suffix) is not None)


def form_fit(part: NameForm, fuller: NameForm, links: PartLinks) -> float:
    """How well a form fits a fuller one, or a full name another, in [0, 1]; symmetric in neither argument.

    The words of a lone name may be read in the wrong role, so a match in the other one counts too.
    """
    if suffixes_differ((part.suffix,), (fuller.suffix,)):
        return 0.0
    if part.kind is NameKind.LETTERS:
        return letters_fit(part.letters, fuller)
    if part.kind >= NameKind.INITIALS:
        if fuller.kind < part.kind:
            return 0.0
        return family_fit(part, fuller, links) * given_fit(part, fuller, links)
    if part.surname_letters and _other_surname(part, fuller):
        return 0.0
    fit = _lone_fit(part, fuller, links)
    if fit < OTHER_ROLE and part.words and part.words <= fuller.words:
        return OTHER_ROLE
    return fit


def _other_surname(part: NameForm, fuller: NameForm) -> bool:
    """Whether "Geert K." names the first letter of another surname, or of a further given name."""
    letters = part.surname_letters
    if not fuller.families:
        return bool(fuller.surname_letters) and fuller.surname_letters != letters
    further = {word[0] for word in fuller.given[1:]} | {letter[0] for letter in fuller.letters[1:]}
    return letters not in _surname_endings(fuller) and letters not in further


def _lone_fit(part: NameForm, fuller: NameForm, links: PartLinks) -> float:
    if part.kind is NameKind.FAMILY:
        family = family_fit(part, fuller, links)
        if len(part.families) == 2 and len(fuller.families) == 1 and fuller.kind >= NameKind.INITIALS:
            family *= BOTH_FOR_ONE
        if not family and len(part.families) == 1 and not part.particles:
            lone = part.families[0]
            return OTHER_ROLE * max(
                (links.given_probability(lone, c) for c in fuller.call_names), default=0.0
            )
        return family
    given = _call_name_fit(part, fuller, links) if fuller.call_names else 0.0
    if not given and len(part.given) == 1:
        lone = part.given[0]
        given = OTHER_ROLE * max((links.family_probability(lone, f) for f in fuller.families), default=0.0)
    if not given and fuller.kind is NameKind.INITIALS and part.given:
        return BY_LETTER if part.given[0].startswith(fuller.letters[0]) else 0.0
    return given


def letters_fit(letters: tuple[str, ...], fuller: NameForm) -> float:
    """Fit of lone letters: "J." to Jochem, "JdV" or "J.V." to Jan de Vries."""
    if not letters:
        return 0.0
    first = fuller.given[0] if fuller.given else (fuller.letters[0] if fuller.letters else "")
    if len(letters) == 1 and len(letters[0]) == 1:
        return LATER_NAME if first.startswith(letters[0]) else 0.0
    joined = "".join(letters)
    if joined in signatures(fuller):
        return EXACT
    if (
        fuller.given
        and len(letters) > 1
        and all(g.startswith(i) for g, i in zip(fuller.given, letters, strict=False))
    ):
        return LATER_NAME if len(fuller.given) == len(letters) else 0.0
    return EXACT if fuller.letters == letters else 0.0


def signatures(name: NameForm) -> set[str]:
    """Letters a person may sign with: "jdv", "jv", "jpdv", the surname first, and both surnames of two."""
    firsts = [word[0] for word in name.given] or [word[0] for word in name.letters]
    if not firsts or not name.families:
        return set()
    endings = _surname_endings(name)
    starts = {firsts[0], "".join(firsts)}
    return {start + end for start in starts for end in endings} | {
        end + start for start in starts for end in endings
    }


def _surname_endings(name: NameForm) -> set[str]:
    """First letters of the surname with and without its particle, of either and of both of two."""
    middles = {"".join(word[0] for word in particle.split()) for particle in ("", *name.particles)}
    endings = {middle + family[0] for family in name.families for middle in middles}
    if len(name.families) == 2:
        a, b = name.families[0][0], name.families[1][0]
        endings |= {one + middle + other for one, other in ((a, b), (b, a)) for middle in middles}
    return endings
