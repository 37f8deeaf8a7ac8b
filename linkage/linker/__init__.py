"""Linker: from normalized mentions to identities, and the judgement of single pairs of names."""

import gc
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

import numpy as np

from linkage.blocking import BlockedForms
from linkage.clustering.corpus import resolve_corpus
from linkage.clustering.document import resolve_document
from linkage.clustering.document_joins import Join
from linkage.clustering.further import further_joins
from linkage.clustering.joins import Joins
from linkage.clustering.name_forms import is_full
from linkage.clustering.names import PartLinks, form_fit
from linkage.clustering.people import (
    CorpusRules,
    DocumentRules,
    LocalPerson,
    Person,
    short_of_a_link,
)
from linkage.clustering.rarity import FormCounts, Rarity
from linkage.explanation import Explanation
from linkage.gazetteer import Gazetteer
from linkage.linker.content_order import content_order
from linkage.linker.dense_documents import DenseForms, families_of_dense_documents
from linkage.linker.earlier_runs import link_with_earlier
from linkage.linker.forms import (
    FormTable,
    ScoredPairs,
    form_key,
    full_initials,
    part_links,
    score_forms,
    score_parts,
)
from linkage.linker.judged import JudgedPairs
from linkage.linker.judged_persons import JudgedPersons, judged_persons
from linkage.linker.judgements import DifferentNames, Verdicts
from linkage.linker.lone_words import (
    forms_less_alike,
    less_alike,
    own_names_apart,
    pet_names,
    reread,
    shortened_names,
    signed_words,
    typing_errors_over_corpus,
    words_in_use,
)
from linkage.linker.name_facts import NameFacts
from linkage.linker.people_index import PeopleIndex
from linkage.linker.persons import known_persons, marks_of_documents, placed, with_further_documents
from linkage.linker.result import ResultBuilder
from linkage.linker.roles import RoleReader, probabilities_of_roles
from linkage.linker.scoring import NameTable, PairScorer
from linkage.linker.thresholds import Bounds, Linked, Thresholds, at_thresholds
from linkage.linker.two_words import two_words_reread
from linkage.names import parse_name, render_name
from linkage.records import (
    Beyond,
    DocumentId,
    FormLink,
    KnownIdentity,
    LinkageResult,
    NormalizedMention,
    PersonName,
    fold,
)
from linkage.review import Judgement
from linkage.settings import LinkingSettings

__all__ = ["Linker"]

# Chosen on pairs of full names of office-train: see docs/measurements/linkage.md.
_LINK_THRESHOLD = 0.8


class Linker:
    """Tells who is who. Needs no text: everything it knows about a mention is in its record."""

    def __init__(
        self,
        settings: LinkingSettings,
        gazetteer: Gazetteer,
        scorer: PairScorer,
    ) -> None:
        self.settings = settings
        self.gazetteer = gazetteer
        self.scorer = scorer
        # People are put together at the shipped thresholds; those of the settings part and join them then.
        self._shipped_link = min(scorer.link_threshold, _LINK_THRESHOLD)
        review = settings.review_threshold
        self._review = min(self._shipped_link, scorer.review_threshold if review is None else review)
        self._thresholds = Thresholds(settings.link_threshold, settings.short_name_threshold)
        self.bounds = _bounds(self._thresholds, self._shipped_link, self._review)
        self._document_rules = DocumentRules()
        self._corpus_rules = CorpusRules(self._shipped_link, self._review)
        self._facts = NameFacts(gazetteer)
        self._roles = RoleReader.of(gazetteer)

    @classmethod
    def load(cls, settings: LinkingSettings, gazetteer: Gazetteer) -> Self:
        """Read the classifier: the shipped one, or the one that settings name.

        Raises:
            ModelNotFoundError, ModelDamagedError, FeatureMismatchError: as the classifier does.
        """
        # Imported here: training and tests use Linker with another scorer and need no model file.
        from linkage.linker.model import ModelScorer

        return cls(settings, gazetteer, ModelScorer.load(gazetteer, settings.classifier))

    @property
    def model_version(self) -> str:
        return self.scorer.version

    @property
    def link_threshold(self) -> float:
        """The least probability of a link of two full names."""
        return self.bounds.link

    @property
    def review_threshold(self) -> float:
        """The least probability of an open link."""
        return self.bounds.review

    def variants(self, part: str) -> set[str]:
        """Folded variants that the lexicon knows of a folded given name, full forms among them."""
        return self._facts.variants(part)

    def people_index(self) -> PeopleIndex:
        """An empty index of known people, by the keys that this linker looks for."""
        return PeopleIndex(self._facts.variants)

    # -- the corpus ----------------------------------------------------------------------------------------

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
        beyond: Beyond | None = None,
    ) -> LinkageResult:
        """Identities of all people mentioned, whatever the order of mentions and documents.

        known are people of earlier runs or of a registry: identities found to be one of them carry its id.
        Where it is kept of them where they were met (linkage.sightings), that is linked anew with the rest:
        the people are those of one go over all documents.
        judgements are kept: what was accepted is one person, what was rejected is not. They go along with the
        mentions of the result (linkage.judged_mentions), so that later documents keep them, too.
        beyond: what the project has beside the known people, where these are candidates.
        """
        with _no_collection():
            return link_with_earlier(mentions, known, judgements, self.resolve, beyond)

    def resolve(
        self,
        everything: tuple[NormalizedMention, ...],
        known: Sequence[KnownIdentity],
        judgements: Sequence[Judgement],
        judged: JudgedPairs | None = None,
        *,
        beyond: Beyond | None = None,
    ) -> LinkageResult:
        """Identities of all these mentions, those of earlier documents among them; known have no other names.

        judged takes the place of blocking and scoring: pairs of the corpus, or of a larger one that has it.
        """
        facts = self._facts
        names = [*(m.name for m in everything), *(name for k in known for name in k.names)]
        table = FormTable.of([*names, *_first_spellings(judged, names)])
        given_order, form_of = everything, [table.number_of[m.name] for m in everything]
        # From here on a mention or a document is its place in this order; ids are looked at no more.
        order = content_order(everything, form_of)
        everything = tuple([given_order[index] for index in order])
        form_of = [form_of[index] for index in order]
        plain_forms = table.name_forms()
        two_words = two_words_reread(everything, form_of, plain_forms, facts.is_mostly_given, beyond)
        plain_forms = [two_words.get(number, form) for number, form in enumerate(plain_forms)]
        words = {word for form in plain_forms for word in (*form.call_names, *form.families)}
        if beyond is not None:
            words.update(beyond.given, beyond.families)
        dense = families_of_dense_documents(everything, form_of, plain_forms)
        misspelt = typing_errors_over_corpus(words, facts.currency, apart=dense)
        signed = signed_words(everything, form_of, plain_forms, facts.is_listed)
        forms = reread(plain_forms, misspelt, facts.is_listed, signed, beyond)
        blocked = BlockedForms(table.names, self.settings.max_block_size, *_trigrams(beyond))
        name_table = self.scorer.table(table.names)
        apart = DenseForms(dense)
        given, family, scored = (
            self._scored(blocked, name_table, apart) if judged is None else judged.of(blocked, table, apart)
        )
        initials = full_initials(blocked.given.parts, facts.full_forms)
        parts = part_links(blocked, given, family, initials)
        # A lone word that the corpus reads as a given name has been compared as the surname it seemed to be.
        given_words = sorted({*blocked.given.parts, *(word for form in forms for word in form.call_names)})
        for further in (
            pet_names(given_words, self.gazetteer.language),
            shortened_names(given_words, facts.currency),
        ):
            for short, longer in further.items():
                for name, probability in longer.items():
                    misspelt.setdefault(short, {}).setdefault(name, probability)
        in_use = words_in_use(everything, form_of, forms, beyond)
        parts = replace(
            parts,
            given=own_names_apart(
                less_alike(parts.given, in_use, facts.is_nickname, facts.share_full_form_only),
                facts.is_womans_own,
            ),
            family=less_alike(parts.family, in_use, facts.is_nickname),
            misspelt=own_names_apart(less_alike(misspelt, in_use, facts.is_nickname), facts.is_womans_own),
        )
        verdicts = Verdicts.of(
            judgements, everything, lambda text: table.find(parse_name(text, self.gazetteer))
        )
        form_links = forms_less_alike(
            scored.adjacency(self._review), forms, in_use, facts.is_nickname, facts.are_two_names,
            facts.are_two_surnames, short_of_a_link(self._shipped_link),
        )  # fmt: skip
        form_links = verdicts.with_form_links(form_links)

        joins = None
        if self._thresholds:
            joins = Joins(form_of, forms, lambda name, fuller: form_fit(name, fuller, parts))

        def resolve(indexes: Sequence[int], told: Sequence[NormalizedMention]) -> list[LocalPerson]:
            return resolve_document(
                indexes, told, form_of, forms, form_links, parts, facts.currency, facts.are_called,
                self._document_rules, in_use, dense, None if joins is None else joins.document(indexes[0]),
            )  # fmt: skip

        person_ids = {m.mention.person_id for m in everything if m.mention.person_id is not None}
        known_people = known_persons(known, table, forms, person_ids, first_document=len(everything))
        documents = _by_document(everything)
        if verdicts:
            differ = DifferentNames(forms, form_links, parts, self._review)
            people_judged = judged_persons(
                everything, form_of, documents, resolve, known_people, verdicts, differ
            )
        else:
            persons: list[Person] = []
            for number, indexes in enumerate(documents.values()):
                persons += placed(resolve(indexes, everything), number, len(persons))
            people_judged = JudgedPersons([*persons, *known_people])
        persons = people_judged.persons
        if beyond is not None and beyond.further:
            with_further_documents(persons, everything, beyond.further)
        rarity = Rarity(
            self.scorer.surname_shares(blocked.family.parts),
            facts.given_shares(blocked.given.parts),
            beyond=None if beyond is None else FormCounts.of(beyond, table.number_of),
        )
        marks = marks_of_documents(everything, known)
        people = resolve_corpus(persons, forms, form_links, parts, rarity, self._corpus_rules, marks, joins)
        if joins is not None:
            linked = Linked(everything, forms, people_judged, people, joins, form_links, verdicts)
            people_judged, people = at_thresholds(
                linked, self._further(linked, parts, documents), self._thresholds, review=self.bounds.review
            )
        builder = ResultBuilder(everything, form_of, forms, table, name_table, self.bounds)
        texts = [render_name(name) for name in table.names]
        return LinkageResult(
            given_order, builder.identities(people_judged, people, scored), builder.form_links(scored, texts)
        )

    def _further(
        self, linked: Linked, parts: PartLinks, documents: Mapping[DocumentId, Sequence[int]]
    ) -> list[Join]:
        """Joins at which the settings ask for less than was shipped."""
        rules = self._corpus_rules
        asked = (
            (self._thresholds.link, rules.link_threshold),
            (self._thresholds.short_name, rules.shorter_threshold),
        )
        if not any(given is not None and given < shipped for given, shipped in asked):
            return []
        document_of = {m: number for number, indexes in enumerate(documents.values()) for m in indexes}
        return further_joins(
            linked.judged.persons, linked.forms, linked.people, linked.form_links, parts, linked.joins,
            document_of, rules,
        )  # fmt: skip

    def _scored(
        self, blocked: BlockedForms, name_table: NameTable, dense: DenseForms
    ) -> tuple[ScoredPairs, ScoredPairs, ScoredPairs]:
        """The given names, surnames and full forms that blocking proposes as pairs, judged."""
        given = score_parts(blocked.given, self.scorer, given=True, variants=self._facts.variants)
        family = score_parts(blocked.family, self.scorer, given=False, variants=None, dense=dense)
        return given, family, score_forms(blocked, given, family, name_table, dense)

    # -- single pairs --------------------------------------------------------------------------------------

    def compare(self, left: str, right: str) -> FormLink:
        """Judge two names as written, without any text around them."""
        return self.compare_many([(left, right)])[0]

    def compare_many(self, pairs: Sequence[tuple[str, str]]) -> tuple[FormLink, ...]:
        """Judge pairs of names in one go; names alone in every role that both may have.

        Of the others, those that a cheap filter rules out get the probability 0.0.
        """
        texts = {text: parse_name(text, self.gazetteer) for pair in pairs for text in pair}
        lone = [self._roles.pair(a, b, texts) for a, b in pairs]
        read = [
            (texts[a], texts[b]) if alone is None else alone.read()
            for (a, b), alone in zip(pairs, lone, strict=True)
        ]
        position: dict[PersonName, int] = {}
        left, right = (
            np.array([position.setdefault(names[side], len(position)) for names in read], dtype=np.int64)
            for side in (0, 1)
        )
        table = self.scorer.table(list(position))
        rows = [row for row, alone in enumerate(lone) if alone is not None]
        others = [row for row, alone in enumerate(lone) if alone is None]
        found = np.zeros(len(pairs))
        found[others] = table.probabilities(left[others], right[others])
        found[rows] = probabilities_of_roles([alone for alone in lone if alone is not None], self.scorer)
        found = np.nan_to_num(found, nan=0.0)
        same = [fold(a) == fold(b) for a, b in pairs]
        both_full = [is_full(a) and is_full(b) for a, b in read]
        least = np.asarray([self.bounds.of(is_full=both) for both in both_full])
        found = np.where(same, np.maximum(found, least), found)
        kinds = table.variant_kinds(left, right)
        ratios = table.partial_ratios(left, right)
        return tuple(
            FormLink(a, b, float(p), self.bounds.decide(float(p), is_full=both), kind, float(ratio))
            for (a, b), p, both, kind, ratio in zip(pairs, found, both_full, kinds, ratios, strict=True)
        )  # fmt: skip

    def explain(self, left: str, right: str) -> Explanation:
        """The judgement of a pair of names, with every feature and what it added; of names alone in their
        likeliest role.
        """
        link = self.compare(left, right)
        texts = {text: parse_name(text, self.gazetteer) for text in (left, right)}
        alone = self._roles.pair(left, right, texts)
        names = (texts[left], texts[right]) if alone is None else alone.read()
        base, contributions = self.scorer.contributions(*names)
        return Explanation(
            left, right, link.match_probability, link.decision, link.variant, link.partial_ratio, base,
            tuple(contributions),
        )  # fmt: skip


def _bounds(given: Thresholds, link: float, review: float) -> Bounds:
    """The thresholds that are given, else the shipped ones; a question never needs more than a link."""
    full = link if given.link is None else given.link
    shorter = link if given.short_name is None else given.short_name
    return Bounds(full, shorter, min(full, shorter, review))


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the search for cycles of garbage: none are made here, and it goes through all that is kept."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _trigrams(beyond: Beyond | None) -> tuple[Mapping[str, int] | None, Mapping[str, int] | None]:
    return (None, None) if beyond is None else (beyond.given_trigrams, beyond.family_trigrams)


def _first_spellings(judged: JudgedPairs | None, names: Iterable[PersonName]) -> list[PersonName]:
    """The names that stand for the forms of names in the corpus that was judged."""
    if judged is None:
        return []
    mine = {form_key(name) for name in names}
    return [name for name in judged.names if form_key(name) in mine]


def _by_document(mentions: Sequence[NormalizedMention]) -> dict[DocumentId, list[int]]:
    found: dict[DocumentId, list[int]] = defaultdict(list)
    for index, mention in enumerate(mentions):
        found[mention.mention.doc_id].append(index)
    return found
