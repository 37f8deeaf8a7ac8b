"""Values of other kinds than persons -> pseudonyms. One entity for each kind and normal form of a project.

In bulk, as of persons: what the vault knows of all values is asked first, then everything new is written with
one executemany a table. Equal values have one entity in whatever order they come, for only one process writes
at a time.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from linkage.collector import without_collector
from linkage.records import MentionId
from pseudonymizer.audit import Entry
from pseudonymizer.crypto import Sealer
from pseudonymizer.errors import InvalidRecordError, SettingsError
from pseudonymizer.policy import Verb
from pseudonymizer.records import EntityKind, Pseudonym, Scope, Style
from pseudonymizer.styles.code import CodeLabels
from pseudonymizer.styles.labels import LabelRequest, LabelSource, TokenLabels
from pseudonymizer.styles.surrogate import TagLabels
from pseudonymizer.values import AssignedValues, MetValue, Value, ValueLabels
from pseudonymizer.vault.access import authorize
from pseudonymizer.vault.assigning.value_surrogates import AskCandidates, Drawn, draw_surrogates
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities, mentions, published, values
from pseudonymizer.vault.rows.forms import Fact, Invented, Spelling
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.indexing import INVENTED_LABEL
from pseudonymizer.vault.rows.published_codes import codes_given
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_NO_VALUES: Final = frozenset({"PERSON", "LITERAL"})
_Place = tuple[int, Scope, bytes, Style]  # entity, scope, scope tag, style: what has one pseudonym


@dataclass(frozen=True, slots=True)
class HowToLabel:
    """labels: by kind. avoid_tags: texts of the inputs that look like tags or codes."""

    labels: Mapping[str, ValueLabels]
    ask: AskCandidates | None = field(default=None, repr=False)
    avoid_tags: Collection[str] = ()
    deterministic: bool = False


def assign_values(vault: OpenVault, project: str, met: Sequence[MetValue], how: HowToLabel) -> AssignedValues:
    """A pseudonym for every value whose kind has a style; new values are stored. The caller commits before
    any text carries a label.

    Raises:
        SettingsError: a kind cannot be labelled like this; nothing is stored.
        InvalidRecordError: one mention is given as two values.
        SurrogatesExhaustedError: no candidate can be taken, or there are none.
    """
    _check(met, how)
    with vault.lock:
        authorize(vault, Verb.PSEUDONYMIZE, project_name=project)
        if not met:
            return AssignedValues({}, {})
        keys = vault.begin_in(project)
        with without_collector():
            return _Assignment(vault, keys, met, how).run()


def _check(met: Iterable[MetValue], how: HowToLabel) -> None:
    if how.deterministic:
        raise SettingsError(
            "deterministic pseudonyms are for names only: values such as numbers and dates can all be tried "
            "out under the key of a run; give these kinds the treatment mask, or leave deterministic out"
        )
    if wrong := _NO_VALUES & set(how.labels):
        raise SettingsError(f"{min(wrong)} is no kind of values")
    if unknown := {place.kind for place in met} - set(how.labels):
        raise SettingsError(f"no label is told for values of the kind {min(unknown)}")


class _Assignment:
    def __init__(self, vault: OpenVault, keys: ProjectKeys, met: Sequence[MetValue], how: HowToLabel) -> None:
        self.vault, self.keys, self.how = vault, keys, how
        self.groups = _grouped(met)
        self.is_first = not vault.seen_any(keys)  # nothing to look up in a project without entities
        self.sealers: dict[int, Sealer] = {}

    def run(self) -> AssignedValues:
        vault, keys, groups = self.vault, self.keys, self.groups
        known = {} if self.is_first else values.find_values(vault, keys, groups)
        clashes = {} if self.is_first else values.find_values(vault, keys, groups, label=INVENTED_LABEL)
        new = [value for value in groups if value not in known]
        entity_of = known | self._make_entities(new)
        places = self._places(entity_of)
        label_of = self._stored_labels(places, known)
        drawn = self._draw(places, label_of)
        fresh = self._store_facts(entity_of, known, drawn)
        values.index_values(
            vault,
            keys,
            {v: entity_of[v] for v in new},
            {d.invented: entity_of[d.value] for d in drawn.values()},
        )
        entities.touch(vault, keys, set(known.values()))
        self._record(len(new), fresh)
        return self._assigned(entity_of, places, label_of, len(clashes))

    def _make_entities(self, new: Sequence[Value]) -> dict[Value, int]:
        if not new:
            return {}
        ids, sealers = entities.add_entities(self.vault, self.keys, [EntityKind.VALUE] * len(new))
        self.sealers.update(zip(ids, sealers, strict=True))
        return dict(zip(new, ids, strict=True))

    # -- labels ----------------------------------------------------------------------------------------------

    def _places(self, entity_of: Mapping[Value, int]) -> dict[MentionId, _Place]:
        """By mention, where its pseudonym belongs; mentions whose kind has no style are left out."""
        labels, found = self.how.labels, {}
        documents = mentions.document_tags(
            self.keys,
            {
                m.doc_id
                for v, group in self.groups.items()
                if labels[v.kind].scope is Scope.DOCUMENT
                for m in group
            },
        )
        for value, group in self.groups.items():
            how, entity_id = labels[value.kind], entity_of[value]
            if how.style is None:
                continue
            if how.scope is Scope.OCCURRENCE:
                tags = mentions.place_tags(self.keys, [(m.mention_id, m.surface) for m in group])
            elif how.scope is Scope.DOCUMENT:
                tags = [documents[m.doc_id] for m in group]
            else:
                tags = [b""] * len(group)
            for place, tag in zip(group, tags, strict=True):
                found[place.mention_id] = (entity_id, how.scope, tag, how.style)
        return found

    def _stored_labels(
        self, places: Mapping[MentionId, _Place], known: Mapping[Value, int]
    ) -> dict[_Place, str]:
        wanted = set(places.values())
        old = sorted({entity_id for entity_id, *_ in wanted} & set(known.values()))
        return {
            place: label
            for _, label, entity_id, scope, tag, style in entities.pseudonym_rows(
                self.vault, self.keys, "entity_id", old
            )
            if (place := (entity_id, scope, tag, style)) in wanted
        }

    def _draw(self, places: Mapping[MentionId, _Place], label_of: dict[_Place, str]) -> dict[_Place, Drawn]:
        """Give a label to each place that has none; returns the surrogates that were drawn."""
        missing: dict[Style, dict[_Place, Value]] = {}
        for value, group in self.groups.items():
            for met in group:
                place = places.get(met.mention_id)
                if place is not None and place not in label_of:
                    missing.setdefault(place[3], {})[place] = value
        surrogates: dict[_Place, Drawn] = {}
        for style, owners in sorted(missing.items()):
            if style is Style.SURROGATE:
                drawn = draw_surrogates(
                    self.vault, self.keys, list(owners.values()), self.how.ask, self._apart, self.groups
                )
                surrogates = dict(zip(owners, drawn, strict=True))
                labels = [one.text for one in drawn]
            else:
                requests = [self._request(value) for value in owners.values()]
                labels = self._source(style).draw(requests, taken=self._taken(style))
            published.note(self.vault, self.keys, style, labels)
            wanted = [place[:3] for place in owners]
            entities.add_pseudonyms(self.vault, self.keys, style, wanted, labels)
            label_of.update(zip(owners, labels, strict=True))
        return surrogates

    def _request(self, value: Value) -> LabelRequest:
        how = self.how.labels[value.kind]
        return LabelRequest(letter=how.letter, word=how.word)

    def _source(self, style: Style) -> LabelSource:
        vault, keys = self.vault, self.keys
        if style is Style.TAG:
            return TagLabels(
                stored=lambda: set(published.labels_ever(vault, keys, style)),
                highest=lambda: published.highest_tag(vault, keys),
                avoid=self.how.avoid_tags,
            )
        if style is Style.CODE:
            return CodeLabels(keys.codes, given=lambda: codes_given(vault, keys), avoid=self.how.avoid_tags)
        return TokenLabels(keys.token, entropy=vault.entropy)

    def _taken(self, style: Style) -> Callable[[Collection[str]], Collection[str]]:
        if self.is_first and style is Style.TOKEN:
            return lambda _: ()
        return lambda labels: published.given_among(self.vault, self.keys, labels)

    def _apart(self, value: Value) -> tuple[str, ...]:
        return (value.kind, *self.how.labels[value.kind].apart_from)

    # -- writing ---------------------------------------------------------------------------------------------

    def _store_facts(
        self, entity_of: Mapping[Value, int], known: Mapping[Value, int], drawn: Mapping[_Place, Drawn]
    ) -> int:
        """Store what is new of each value; returns the number of new spellings."""
        self.sealers.update(entities.sealers_of(self.vault, self.keys, sorted(known.values())))
        stored = {
            n: set(facts)
            for n, facts in values.known_facts(self.vault, self.keys, known, self.sealers).items()
        }
        invented: dict[Value, list[Fact]] = {}
        for one in drawn.values():
            invented.setdefault(one.value, []).append(Invented(one.invented.normal))
        told: list[tuple[int, Value, Sequence[Fact], Sealer]] = []
        count = 0
        for value, group in self.groups.items():
            entity_id = entity_of[value]
            before = stored.get(entity_id, ())
            spellings = [s for s in dict.fromkeys(Spelling(m.surface) for m in group) if s not in before]
            count += len(spellings)
            if new := [*spellings, *invented.get(value, ())]:
                told.append((entity_id, value, new, self.sealers[entity_id]))
        values.add_new(self.vault, self.keys, told)
        return count

    def _record(self, new: int, spellings: int) -> None:
        counts = {
            "mentions": sum(map(len, self.groups.values())), "values": len(self.groups), "new_values": new,
            "spellings": spellings,
        }  # fmt: skip
        self.vault.record(Entry("assign.values", project=self.keys.name, counts=counts))

    def _assigned(
        self,
        entity_of: Mapping[Value, int],
        places: Mapping[MentionId, _Place],
        label_of: Mapping[_Place, str],
        clashes: int,
    ) -> AssignedValues:
        name = self.keys.name
        made = {
            place: Pseudonym(label_of[place], entity_text(place[0]), name, place[1])
            for place in set(places.values())
        }
        owners = {}
        for value, group in self.groups.items():
            owner = entity_text(entity_of[value])
            owners.update({met.mention_id: owner for met in group})
        return AssignedValues({m: made[place] for m, place in places.items()}, owners, clashes)


def _grouped(met: Iterable[MetValue]) -> dict[Value, list[MetValue]]:
    """The places of each value, in the order of the mentions, which is no matter of how they were given."""
    by_id: dict[MentionId, MetValue] = {}
    for place in met:
        if by_id.setdefault(place.mention_id, place) != place:
            raise InvalidRecordError(f"mention {place.mention_id} is given as two values")
    groups: dict[Value, list[MetValue]] = {}
    for mention_id in sorted(by_id):
        place = by_id[mention_id]
        groups.setdefault(place.value, []).append(place)
    return groups
