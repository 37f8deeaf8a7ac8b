"""Who is who inside one document: full names first, then what is shorter to the one full name it fits."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace

from linkage.clustering.average import Merge, group_with_doubt
from linkage.clustering.contrast import Contrasts, contrasts_of, of_full_names, with_contrasts
from linkage.clustering.document_joins import DocumentJoins
from linkage.clustering.local_persons import local_persons
from linkage.clustering.misspelling import DENSE_FROM, Currency, typing_errors
from linkage.clustering.name_forms import NameForm, NameKind
from linkage.clustering.names import (
    BY_LETTER,
    LATER_NAME,
    OTHER_ROLE,
    PartLinks,
    Similar,
    family_fit,
    forenames_clash,
    form_fit,
    further_names_clash,
    given_fit,
    letters_clash,
    suffixes_of,
)
from linkage.clustering.nodes import Node, nodes_of
from linkage.clustering.people import DocumentRules, LocalPerson
from linkage.constraints import (
    NONE,
    OF_ACCEPTED,
    OF_LISTED_GENDER,
    Reason,
    reason_apart,
    suffixes_differ,
)
from linkage.records import NormalizedMention, RoleClass

FormLinks = Mapping[int, Mapping[int, float]]  # form -> other form -> match probability; symmetric


def resolve_document(
    indexes: Sequence[int],
    mentions: Sequence[NormalizedMention],
    form_of: Sequence[int],
    forms: Sequence[NameForm],
    form_links: FormLinks,
    part_links: PartLinks,
    currency: Callable[[str], Currency],
    are_called: Callable[[str, str], bool],
    rules: DocumentRules,
    in_use: Collection[str] = frozenset(),
    dense: Collection[str] = frozenset(),
    joins: DocumentJoins | None = None,
) -> list[LocalPerson]:
    """The people of one document. indexes are its mentions; form_of gives the form of every mention;
    currency says of a folded word how current it is as a name; are_called, of two, whether one is a nickname
    or diminutive of the other. dense are family names of documents in which
    chance likeness outweighs typing errors: where all are such, no typing errors are looked for.
    joins, where it is given, gets the joins that make mentions one person.

    The result does not depend on the order of indexes; persons come in the order of their first mentions.
    """
    ordered = sorted(indexes, key=lambda index: (mentions[index].mention.span, mentions[index].mention_id))
    nodes = nodes_of(ordered, mentions, form_of, forms)
    if joins is not None:
        joins.note_nodes(nodes)
    if len(nodes) == 1:
        node = nodes[0]
        return [LocalPerson(node.mentions, node.forms, node.evidence, node.kind)]
    names = [forms[form] for node in nodes for form in node.forms]
    words = {word for name in names for word in (*name.call_names, *name.families, *name.glued)}
    families = {family for name in names for family in name.families}
    is_dense = len(families) >= DENSE_FROM and families.issubset(dense)
    counts = Counter[str]()
    for node in nodes:
        for form, count in node.forms.items():
            counts.update(dict.fromkeys((*forms[form].call_names, *forms[form].families), count))
    near = {} if is_dense else typing_errors(words, currency, counts)
    # in_use has the words of the whole corpus: look up in it, never walk through it for one document.
    for word, found in near.items():
        if word in in_use:
            for other in found:
                if other in in_use:
                    found[other] *= _BOTH_IN_USE
    links = replace(part_links, misspelt=_with(near, part_links.misspelt, words))
    contrasts = contrasts_of(words, counts, links, are_called)
    if contrasts:
        links = with_contrasts(links, contrasts)
    return _Resolver(nodes, forms, form_links, links, rules, contrasts, joins).persons()


_BOTH_IN_USE = 0.4  # two words that several documents have are seldom one name misspelt


def _with(near: dict[str, dict[str, float]], further: Similar, words: Collection[str]) -> Similar:
    """What holds in the document, and what holds in the corpus of its words."""
    for word in words:
        for other, probability in further.get(word, {}).items():
            if other in words and probability > near.get(word, {}).get(other, 0.0):
                near.setdefault(word, {})[other] = probability
    return near


class _Resolver:
    def __init__(
        self,
        nodes: list[Node],
        forms: Sequence[NameForm],
        form_links: FormLinks,
        part_links: PartLinks,
        rules: DocumentRules,
        contrasts: Contrasts,
        joins: DocumentJoins | None,
    ) -> None:
        self._joins = joins
        self._nodes = nodes
        self._forms = forms
        self._form_links = form_links
        self._part_links = part_links
        self._rules = rules
        self._contrasts = contrasts
        self._group_of: dict[int, int] = {}  # node -> group
        self._groups: list[list[int]] = []  # group -> nodes
        self._open: dict[int, tuple[int, ...]] = {}  # node in doubt -> groups
        self._groups_by_word: dict[str, set[int]] = defaultdict(set)

    def persons(self) -> list[LocalPerson]:
        for kind in sorted(NameKind, reverse=True):
            waiting = [n for n, node in enumerate(self._nodes) if node.kind is kind]
            if not waiting:
                continue
            if kind is not NameKind.FULL:
                waiting = self._attach(waiting)
            self._group_among_themselves(waiting)
        return local_persons(self._nodes, self._forms, self._groups, self._open)

    # -- groups --------------------------------------------------------------------------------------------

    def _new_group(self, members: Iterable[int]) -> int:
        number = len(self._groups)
        self._groups.append([])
        for node in members:
            self._join(node, number)
        return number

    def _join(self, node: int, group: int) -> None:
        self._groups[group].append(node)
        self._group_of[node] = group
        for word in self._words(node):
            self._groups_by_word[word].add(group)

    def _words(self, node: int) -> Set[str]:
        forms = self._nodes[node].forms
        if len(forms) == 1:  # nearly always
            return self._forms[next(iter(forms))].keys
        return frozenset().union(*(self._forms[form].keys for form in forms))

    def _group_among_themselves(self, waiting: list[int]) -> None:
        if len(waiting) < 2:
            for node in waiting:
                self._new_group([node])
            return
        links: dict[tuple[int, int], float] = {}
        apart: set[tuple[int, int]] = set()
        for i, j in self._near_pairs(waiting):
            left, right = waiting[i], waiting[j]
            if self._excluded(left, right) or self._go_on_otherwise(left, right):
                apart.add((i, j))
                continue
            probability = max(
                self._pair_probability(a, b)
                for a in self._fullest_forms(self._nodes[left])
                for b in self._fullest_forms(self._nodes[right])
            )
            probability = max(probability, self._by_call_name(left, right), self._by_call_name(right, left))
            if probability > 0:
                links[i, j] = probability
        merges: list[Merge] = []
        labels, doubtful = group_with_doubt(
            len(waiting), links, apart,
            link_threshold=self._rules.link_threshold,
            review_threshold=self._rules.review_threshold,
            margin=self._rules.doubt_log_odds, merges=merges,
        )  # fmt: skip
        if self._joins is not None:
            self._joins.note_merges([(waiting[i], waiting[j], mean) for i, j, mean in merges])
            left_two = [(waiting[i], waiting[j]) for i, j in links if labels[i] != labels[j]]
            self._joins.note_left_two(left_two, self._scored)
        members: dict[int, list[int]] = defaultdict(list)
        for i, label in enumerate(labels):
            if i not in doubtful:
                members[label].append(waiting[i])
        group_of_label = {label: self._new_group(nodes) for label, nodes in members.items()}
        for i, candidates in doubtful.items():
            self._open[waiting[i]] = tuple(group_of_label[c] for c in candidates if c in group_of_label)

    def _by_call_name(self, called: int, full: int) -> float:
        """Fit of a full name to one with a call name in the text: Hendrika Bos, called Riet, and Riet Bos."""
        names = [self._forms[form] for form in self._nodes[called].forms]
        call_names = [name for name in names if name.kind is NameKind.GIVEN]
        surnames = [name for name in names if name.kind is NameKind.FULL]
        others = [self._forms[form] for form in self._fullest_forms(self._nodes[full])]
        if not call_names or not surnames:
            return 0.0
        links = self._part_links
        return max(
            min(family_fit(a, b, links), given_fit(c, b, links))
            for a in surnames
            for b in others
            for c in call_names
        )

    def _fullest_forms(self, node: Node) -> list[int]:
        """Forms of the node's kind: what the text says "El Amrani" to be must not be judged by that alone."""
        return [form for form in node.forms if self._forms[form].kind is node.kind]

    def _near_pairs(self, waiting: list[int]) -> list[tuple[int, int]]:
        """Positions in waiting of nodes that share a word, or a word like it; each pair once."""
        by_word: dict[str, list[int]] = defaultdict(list)
        for i, node in enumerate(waiting):
            for word in self._words(node):
                by_word[word].append(i)
        pairs: set[tuple[int, int]] = set()
        for i, node in enumerate(waiting):
            # Full names that have nothing like the other's surname are not one person.
            words = self._families(node) if self._nodes[node].kind is NameKind.FULL else self._words(node)
            for word in self._with_similar(words):
                pairs.update((min(i, j), max(i, j)) for j in by_word.get(word, ()) if i != j)
            if self._nodes[node].kind is NameKind.LETTERS:
                pairs.update((i, j) for j in range(i + 1, len(waiting)))
        return sorted(pairs)

    def _families(self, node: int) -> set[str]:
        return {family for form in self._nodes[node].forms for family in self._forms[form].families}

    def _with_similar(self, words: Collection[str]) -> set[str]:
        similar = set(words)
        for word in words:
            similar |= self._part_links.similar(word)
        return similar

    def _pair_probability(self, left: int, right: int) -> float:
        """Probability that two forms of one kind are one person, given that they stand in one document."""
        if left == right:
            return 1.0
        a, b = self._forms[left], self._forms[right]
        if suffixes_differ((a.suffix,), (b.suffix,)):
            return 0.0
        if a.kind is NameKind.FULL and b.kind is NameKind.FULL:
            if self._form_links.get(left, {}).get(right) == 0.0:
                return 0.0  # judged by a person to be two
            scored = self._scored(left, right)
            if scored < self._rules.full_name_threshold:
                scored = min(scored, self._rules.link_threshold - 0.01)
            structural = family_fit(a, b, self._part_links) * given_fit(a, b, self._part_links)
            return max(scored, structural) if structural >= self._rules.structural_threshold else scored
        if a.kind is NameKind.LETTERS:
            return LATER_NAME if a.letters == b.letters else 0.0
        return max(form_fit(a, b, self._part_links), form_fit(b, a, self._part_links))

    def _form_fit(self, form: int, fuller: int) -> float:
        return form_fit(self._forms[form], self._forms[fuller], self._part_links)

    def _scored(self, left: int, right: int) -> float:
        """What the classifier says of two full names, less where the document contrasts them."""
        scored = self._form_links.get(left, {}).get(right, 0.0)
        return scored * of_full_names(self._forms[left], self._forms[right], self._contrasts)

    def _excluded(self, left: int, right: int, spared: Set[Reason] = NONE) -> bool:
        a, b = self._nodes[left], self._nodes[right]
        suffixes = suffixes_of(a.forms, self._forms), suffixes_of(b.forms, self._forms)
        is_told = right in a.apart
        return reason_apart(a.evidence, b.evidence, spared, is_told=is_told, suffixes=suffixes) is not None

    def _go_on_otherwise(self, left: int, right: int) -> bool:
        """Whether further given names or initials make two people of names with surnames."""
        a, b = self._nodes[left], self._nodes[right]
        if a.kind < NameKind.INITIALS:
            return False
        pairs = [
            (self._forms[f], self._forms[g]) for f in self._fullest_forms(a) for g in self._fullest_forms(b)
        ]
        return all(further_names_clash(f, g, self._part_links) for f, g in pairs)

    # -- shorter forms -------------------------------------------------------------------------------------

    def _attach(self, waiting: list[int]) -> list[int]:
        """Join each node to the one group it fits, all judged first; returns those that fit none."""
        rest: list[int] = []
        decided: list[tuple[int, int, float]] = []
        for node in waiting:
            fits = self._fits(node)
            best = max(fits.values(), default=0.0)
            if best < self._rules.review_threshold:
                rest.append(node)
                continue
            near = tuple(sorted(g for g, fit in fits.items() if fit >= best - self._rules.margin))
            others = self._titled_namesakes(node, near, waiting) if len(near) > 1 else frozenset()
            near = tuple(g for g in near if g not in others)
            if (
                len(near) == 1
                and best >= self._rules.link_threshold
                and (others or not self._is_otherwise(node, near[0]))
            ):
                decided.append((node, near[0], best))
            else:
                self._open[node] = near
        by_letter = Counter(group for _, group, fit in decided if fit <= BY_LETTER)
        rivals: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for node, group, fit in decided:
            rivals[group].append((node, fit))
        for node, group, fit in decided:
            if fit <= BY_LETTER and by_letter[group] > 1:
                rest.append(node)  # several given names to one initial: it can be none of them
                continue
            against = [
                other_fit
                for other, other_fit in rivals[group]
                if other != node
                and (self._excluded(node, other, OF_ACCEPTED) or self._go_on_otherwise(node, other))
            ]
            if not against or fit > max(against) + self._rules.margin:
                if self._joins is not None:
                    self._joins.note_attached(node, self._groups[group], fit, self._form_fit)
                self._join(node, group)
            elif fit >= max(against) - self._rules.margin:
                self._open[node] = (group,)  # two who cannot both be it fit equally
            else:
                rest.append(node)
        return rest

    def _titled_namesakes(self, node: int, near: Sequence[int], waiting: Sequence[int]) -> frozenset[int]:
        """The groups of a professional whom the document calls by title and surname, unlike this node, where
        others are left: "dhr. Visser" beside "dr. Visser" is not the doctor but the other Visser.
        """
        part = self._nodes[node]
        if part.kind is not NameKind.FAMILY or part.evidence.gender is None or part.evidence.sides():
            return frozenset()
        if not any(
            self._is_professional(other) and not part.forms.keys().isdisjoint(self._nodes[other].forms)
            for other in waiting
        ):
            return frozenset()
        found = frozenset(g for g in near if any(map(self._is_professional, self._groups[g])))
        return found if len(found) < len(near) else frozenset()

    def _is_professional(self, node: int) -> bool:
        return RoleClass.PROFESSIONAL in self._nodes[node].evidence.sides()

    def _is_otherwise(self, node: int, group: int) -> bool:
        """Whether a surname with a title has nothing but the surname in common with the only one it fits.

        "Mevrouw Bos" is then perhaps not the daughter Rowena Bos but her mother, of whom another document
        tells: the corpus decides, and where it has nobody else the only candidate it is.
        """
        part = self._nodes[node]
        if part.kind is not NameKind.FAMILY or part.evidence.gender is None:
            return False
        roles = {role for member in self._groups[group] for role in self._nodes[member].evidence.roles}
        return not roles & part.evidence.roles

    def _fits(self, node: int) -> dict[int, float]:
        part = self._nodes[node]
        if part.kind is NameKind.LETTERS:
            near: Iterable[int] = range(len(self._groups))
        else:
            near = {
                g
                for word in self._with_similar(self._words(node))
                for g in self._groups_by_word.get(word, ())
            }
        fits = {}
        for group in near:
            # The gender of a lone given name is only what the lists say of it: an exact match counts more.
            fit = self._fit(part, group)
            if fit <= 0:
                continue
            is_listed = part.kind is NameKind.GIVEN and fit >= OTHER_ROLE
            spared = OF_LISTED_GENDER if is_listed else NONE
            if not any(self._excluded(node, member, spared) for member in self._groups[group]):
                fits[group] = fit
        return fits

    def _fit(self, part: Node, group: int) -> float:
        best = 0.0
        fuller_names = [
            self._forms[form] for member in self._groups[group] for form in self._nodes[member].forms
        ]
        if any(name.call_names for name in fuller_names) and part.kind is NameKind.GIVEN:
            fuller_names = [name for name in fuller_names if name.kind is not NameKind.INITIALS]
        if forenames_clash([self._forms[form] for form in part.forms], fuller_names):
            return 0.0
        for fuller in fuller_names:
            for form in self._fullest_forms(part):
                name = self._forms[form]
                if name.kind is NameKind.INITIALS and letters_clash(name, fuller):
                    return 0.0
                best = max(best, form_fit(name, fuller, self._part_links))
        return best
