"""Values of other kinds than persons: found by the blind index, read, added in bulk."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pseudonymizer.crypto import BlindIndex, Sealer
from pseudonymizer.errors import VaultDamagedError
from pseudonymizer.records import EntityKind
from pseudonymizer.values import Value
from pseudonymizer.vault.rows import entities
from pseudonymizer.vault.rows.fact_rows import add_facts, stored_facts
from pseudonymizer.vault.rows.forms import VALUE_FORM_VERSION, Fact, Invented, Spelling, ValueForm
from pseudonymizer.vault.rows.indexing import INVENTED_LABEL, VALUE_LABEL, value_tags
from pseudonymizer.vault.rows.row_form import NO_FACTS
from pseudonymizer.vault.store.core import VaultCore
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from pseudonymizer.vault.store.stores import in_chunks

_TOGETHER = 5_000  # entities whose facts are opened at once


def find_values(
    vault: VaultCore, keys: ProjectKeys, values: Collection[Value], *, label: str = VALUE_LABEL
) -> dict[Value, int]:
    """The entity of each of these values that the project has. label INVENTED_LABEL: the entity of which the
    value is a surrogate.
    """
    wanted = list(values)
    by_tag: dict[bytes, Value] = {}
    for index in keys.indexes.values():
        by_tag.update(zip(value_tags(index, label, wanted), wanted, strict=True))
    found: dict[Value, int] = {}
    for tag, owners in entities.find_index(vault, keys, by_tag).items():
        value = by_tag[tag]
        found[value] = min(found.get(value, owners[0]), owners[0])
    return found


def index_values(
    vault: VaultCore, keys: ProjectKeys, real: Mapping[Value, int], invented: Mapping[Value, int]
) -> None:
    """Let these values be found. real: by value, its entity. invented: by surrogate, the entity for which it
    stands.
    """
    rows: list[tuple[int, int, bytes]] = []
    for version, index in keys.indexes.items():
        for label, owners in ((VALUE_LABEL, real), (INVENTED_LABEL, invented)):
            made = value_tags(index, label, owners)
            rows += zip([version] * len(made), owners.values(), made, strict=True)
    entities.add_index(vault, keys, rows)


def add_new(
    vault: VaultCore, keys: ProjectKeys, told: Iterable[tuple[int, Value, Sequence[Fact], Sealer]]
) -> None:
    """Store facts of values. told: the entity, what it is, what is new of it, its sealer."""
    add_facts(
        vault,
        keys,
        [
            (entity_id, [ValueForm(value.kind, value.normal, VALUE_FORM_VERSION), *new], sealer)
            for entity_id, value, new, sealer in told
        ],
    )


def value_in(facts: Iterable[Fact]) -> Value | None:
    """What is told here of a value; None for facts of a person."""
    return next((Value(fact.kind, fact.normal) for fact in facts if isinstance(fact, ValueForm)), None)


def spellings_in(facts: Iterable[Fact]) -> tuple[str, ...]:
    """How the value was written, in the order in which that was stored."""
    return tuple([fact.surface for fact in facts if isinstance(fact, Spelling)])


def invented_in(facts: Iterable[Fact]) -> tuple[str, ...]:
    """The normal forms of the surrogates of a value."""
    return tuple([fact.normal for fact in facts if isinstance(fact, Invented)])


def tags_in(index: BlindIndex, facts: Iterable[Fact]) -> Iterator[bytes]:
    """The tags under which the index has a value and its surrogates. Facts of a person give none."""
    kept = list(facts)
    what = next((fact for fact in kept if isinstance(fact, ValueForm)), None)
    if what is None:
        return
    yield from value_tags(index, VALUE_LABEL, [Value(what.kind, what.normal)], version=what.version)
    surrogates = [Value(what.kind, normal) for normal in invented_in(kept)]
    yield from value_tags(index, INVENTED_LABEL, surrogates, version=what.version)


def known_facts(
    vault: VaultCore, keys: ProjectKeys, values: Mapping[Value, int], sealers: Mapping[int, Sealer]
) -> dict[int, list[Fact]]:
    """What is sealed of these values, by entity.

    Raises:
        VaultDamagedError: the index leads to another value, or to a person.
    """
    facts = stored_facts(vault, keys, {entity_id: sealers[entity_id] for entity_id in values.values()})
    for value, entity_id in values.items():
        if value_in(facts[entity_id]) != value:
            raise VaultDamagedError(NO_FACTS)
    return facts


def all_values(vault: VaultCore, keys: ProjectKeys) -> Iterator[tuple[int, list[Fact]]]:
    """Every value of the project with all that is sealed of it, in chunks."""
    for numbers in _value_numbers(vault, keys):
        yield from stored_facts(vault, keys, entities.sealers_of(vault, keys, numbers)).items()


def _value_numbers(vault: VaultCore, keys: ProjectKeys) -> Iterator[list[int]]:
    numbers = [
        number
        for (number,) in vault.store.rows(
            "SELECT entity_id FROM entity WHERE project_id = ? ORDER BY entity_id", (keys.project_id,)
        )
    ]
    for chunk in in_chunks(numbers, _TOGETHER):
        kinds = entities.entity_kinds(vault, keys, chunk)  # by their bindings, not as the column says
        if some := [number for number in chunk if kinds[number][0] is EntityKind.VALUE]:
            yield some


def owners_of(vault: VaultCore, keys: ProjectKeys, value: Value) -> set[int]:
    """The entities of a value: by its normal form, or by a spelling that was met, of which case and blanks do
    not count. The second takes about 15 seconds a million values.
    """
    if (found := find_values(vault, keys, [value])) != {}:
        return set(found.values())
    wanted = _folded(value.normal)
    return {
        entity_id
        for entity_id, facts in all_values(vault, keys)
        if (known := value_in(facts)) is not None
        and known.kind == value.kind
        and wanted in {_folded(text) for text in (known.normal, *spellings_in(facts))}
    }


def _folded(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())
