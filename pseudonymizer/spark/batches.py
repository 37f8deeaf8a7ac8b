"""Functions over Arrow batches, as mapInArrow calls them, around the functions of the local engine.

Each takes what loads models or a linker, so that a worker process loads it once and a row never carries it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Protocol

import numpy as np
import pyarrow as pa

from linkage.blocking.forms import (
    FORM_DIVISIONS,
    PART_DIVISIONS,
    family_parts,
    given_parts,
    part_keys,
    variant_keys,
    word_keys,
)
from linkage.blocking.keys import gram_keys
from linkage.clustering.groups import SHARED_KINDS
from linkage.clustering.name_forms import NameForm, NameKind, is_full
from linkage.codec import Codec, IdentityRow, MentionReader, MentionRow
from linkage.known_rows import KnownReader, KnownRow
from linkage.linker.forms import form_key, judged_forms, judged_parts, part_names, spelling
from linkage.linker.judged import JudgedPairs
from linkage.linker.people_index import PeopleIndex
from linkage.linker.result import form_links
from linkage.linker.scoring import Indexes, PairScorer
from linkage.linker.thresholds import Bounds
from linkage.names import render_name
from linkage.records import (
    Beyond,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    LinkDecision,
    NormalizedMention,
    PersonName,
)
from linkage.review import Judgement
from linkage.settings import LinkingSettings
from pseudonymizer.runs.codec import MENTIONS
from pseudonymizer.spark.keys import FAMILY, GIVEN, form_of, name_of, parts_key, to_key, to_text

Batches = Iterator[pa.RecordBatch]
_SHORT_SURNAMES: Final = frozenset({NameKind.FAMILY, NameKind.INITIALS})


class JudgingLinker(Protocol):
    """What Spark needs of linkage.pipeline.Linker."""

    settings: LinkingSettings
    scorer: PairScorer
    bounds: Bounds

    @property
    def review_threshold(self) -> float: ...
    def variants(self, part: str) -> set[str]: ...
    def people_index(self) -> PeopleIndex: ...
    def resolve(
        self,
        everything: tuple[NormalizedMention, ...],
        known: Sequence[KnownIdentity],
        judgements: Sequence[Judgement],
        judged: JudgedPairs | None = None,
        *,
        beyond: Beyond | None = None,
    ) -> LinkageResult: ...


LoadLinker = Callable[[], JudgingLinker]


def table_of(
    names: Sequence[str], rows: Sequence[Sequence[Any]], types: Sequence[pa.DataType]
) -> pa.RecordBatch:
    """A batch of rows; types one a column."""
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [() for _ in names]
    arrays = [pa.array(column, type=kind) for column, kind in zip(columns, types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=list(names))


def rows_of(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


# -- units: documents with their mentions, and people who are known already ------------------------------

DOCUMENT, KNOWN = "document", "known"
UNITS = "unit binary, kind string, payload binary, mentions int"


_KNOWN_ROW: Final = Codec(KnownRow)
IDENTITY: Final = Codec(IdentityRow)


def document_unit(mentions: Sequence[NormalizedMention]) -> bytes:
    """The payload of a document."""
    return MENTIONS.encode([MentionRow.of(mention) for mention in mentions])


def known_unit(known: KnownIdentity) -> bytes:
    """The payload of a known person; where the person was met is left out."""
    return _KNOWN_ROW.encode(KnownRow.of(replace(known, sightings=(), unclear=(), apart=frozenset())))


def _names_in(kind: str, payload: bytes) -> list[PersonName]:
    """The names in a unit, each once."""
    if kind == KNOWN:
        return [row.name() for row in dict.fromkeys(_KNOWN_ROW.decode(payload).names)]
    return [row.name() for row in dict.fromkeys(mention.name for mention in MENTIONS.decode(payload))]


NAMES = "unit binary, form binary, spelt binary"


def unit_names(batches: Batches) -> Batches:
    """(unit, form, spelling) of every name that stands in a unit, each once."""
    for batch in batches:
        rows = [
            (unit, parts_key(form_key(name)), parts_key(spelling(name)))
            for unit, kind, payload, _ in rows_of(batch)
            for name in _names_in(kind, payload)
        ]
        yield table_of(("unit", "form", "spelt"), rows, (pa.binary(),) * 3)


LINKS = "unit binary, node binary"


def unit_ties(judged: Mapping[bytes, Sequence[str]]) -> Callable[[Batches], Batches]:
    """What ties units together besides names: attributes that people rarely share, ids, known company, and
    judgements (judged: by unit, one text a judgement).
    """

    def ties_of(batches: Batches) -> Batches:
        return _unit_ties(batches, judged)

    return ties_of


def _unit_ties(batches: Batches, judged: Mapping[bytes, Sequence[str]]) -> Batches:
    for batch in batches:
        rows: list[tuple[bytes, bytes]] = []
        for unit, kind, payload, _ in rows_of(batch):
            if kind == KNOWN:
                person = _KNOWN_ROW.decode(payload)
                ties = {f"A{a}\0{b}" for a, b in person.attributes if a in SHARED_KINDS}
                # Two who were seen together are tied by a node of the pair, whichever is first.
                ties |= {"M" + "\0".join(sorted((person.entity_id, other))) for other in person.seen_with}
                ties.add(f"P{person.entity_id}")
            else:
                ties = {f"J{one}" for one in judged.get(bytes(unit), ())}
                for mention in MENTIONS.decode(payload):
                    ties |= {f"A{a}\0{b}" for a, b in mention.attributes if a in SHARED_KINDS}
                    if mention.person_id is not None:
                        ties.add(f"P{mention.person_id}")
            rows += [(unit, to_key(tie)) for tie in sorted(ties)]
        yield table_of(("unit", "node"), rows, (pa.binary(),) * 2)


# -- parts of names --------------------------------------------------------------------------------------

FORM_PARTS = "form binary, given array<binary>, family array<binary>"


def form_parts(batches: Batches) -> Batches:
    """The given names and surnames of each form (form, spelt), as items of both roles."""
    lists = pa.list_(pa.binary())
    for batch in batches:
        rows = []
        for form, spelt in rows_of(batch):
            name = name_of(spelt)
            given = [GIVEN + to_key(part) for part in given_parts(name)]
            family = [FAMILY + to_key(part) for part in family_parts(name)]
            rows.append((form, given, family))
        yield table_of(("form", "given", "family"), rows, (pa.binary(), lists, lists))


PART_KEYS = "item binary, source string, key binary, needs binary, further array<array<binary>>"


def part_key_batches(load: LoadLinker) -> Callable[[Batches], Batches]:
    """Blocking keys of parts. source: key (as it is), gram (the rarest), variant (if needs is a part)."""

    def keys(batches: Batches) -> Batches:
        linker = load()
        lists = pa.list_(pa.list_(pa.binary()))
        for batch in batches:
            rows: list[tuple[bytes, str, bytes, bytes, list[list[bytes]]]] = []
            for (item,) in rows_of(batch):
                role, part = item[:1], to_text(item[1:])
                further = [[to_key(v) for v in division(part)] for division in PART_DIVISIONS]
                rows += [
                    (item, "key", role + to_key(key), item, further) for key in dict.fromkeys(part_keys(part))
                ]
                rows += [
                    (item, "gram", role + b"g" + to_key(gram), item, further) for gram in gram_keys(part)
                ]
                if role == GIVEN:
                    for variant in {part, *linker.variants(part)}:
                        key = variant_keys(variant, ())[0]
                        rows.append((item, "variant", role + to_key(key), role + to_key(variant), further))
            yield table_of(
                ("item", "source", "key", "needs", "further"),
                rows,
                (pa.binary(), pa.string(), pa.binary(), pa.binary(), lists),
            )

    return keys


PART_PAIRS = "left binary, right binary, probability double"


def score_part_pairs(load: LoadLinker) -> Callable[[Batches], Batches]:
    """The pairs of parts worth keeping, with what the classifier says of them: score_parts of the linker."""

    def score(batches: Batches) -> Batches:
        linker = load()
        for batch in batches:
            rows: list[tuple[bytes, bytes, float]] = []
            pairs = [(bytes(left), bytes(right)) for left, right in rows_of(batch)]
            for role in (GIVEN, FAMILY):
                mine = [pair for pair in pairs if pair[0][:1] == role]
                if mine:
                    rows += _scored_parts(linker.scorer, mine, given=role == GIVEN)
            yield table_of(("left", "right", "probability"), rows, (pa.binary(), pa.binary(), pa.float64()))

    return score


def _scored_parts(
    scorer: PairScorer, pairs: Sequence[tuple[bytes, bytes]], *, given: bool
) -> list[tuple[bytes, bytes, float]]:
    items = sorted({item for pair in pairs for item in pair})
    texts = [to_text(item[1:]) for item in items]
    table = scorer.table(part_names(texts, given=given))
    scored = judged_parts(table, texts, *_numbered(pairs, items))
    rows = zip(scored.left.tolist(), scored.right.tolist(), scored.probabilities.tolist(), strict=True)
    return [(items[left], items[right], probability) for left, right, probability in rows]


def _numbered(pairs: Sequence[tuple[bytes, bytes]], items: Sequence[bytes]) -> tuple[Indexes, Indexes]:
    """The positions in items of the left and of the right sides."""
    number = {item: n for n, item in enumerate(items)}
    left = np.asarray([number[a] for a, _ in pairs], dtype=np.int64)
    right = np.asarray([number[b] for _, b in pairs], dtype=np.int64)
    return left, right


# -- forms of names --------------------------------------------------------------------------------------

FORM_KEYS = "item binary, key binary, further array<array<binary>>"


def form_key_batches(batches: Batches) -> Batches:
    """Keys of whole forms (form, spelt), in which order and spaces fall away."""
    lists = pa.list_(pa.list_(pa.binary()))
    for batch in batches:
        rows = []
        for form, spelt in rows_of(batch):
            name = name_of(spelt)
            further = [[to_key(v) for v in division(name)] for division in FORM_DIVISIONS]
            rows += [(form, to_key(key), further) for key in dict.fromkeys(word_keys(name))]
        yield table_of(("item", "key", "further"), rows, (pa.binary(), pa.binary(), lists))


FORM_PAIRS = (
    "left binary, right binary, probability double, left_text binary, right_text binary, decision string, "
    "variant string, partial_ratio double"
)


def score_form_pairs(load: LoadLinker) -> Callable[[Batches], Batches]:
    """(left, right, left_spelt, right_spelt) -> the pairs that the classifier judges, as FormLinks."""

    def score(batches: Batches) -> Batches:
        linker = load()
        for batch in batches:
            pairs = list(rows_of(batch))
            forms = {bytes(form): bytes(spelt) for a, b, c, d in pairs for form, spelt in ((a, c), (b, d))}
            ordered = sorted(forms)
            names = [name_of(forms[form]) for form in ordered]
            table = linker.scorer.table(names)
            sides = _numbered([(bytes(pair[0]), bytes(pair[1])) for pair in pairs], ordered)
            scored = judged_forms([sides], table, len(names))
            texts = [render_name(name) for name in names]
            links = form_links(table, scored, texts, partial(_decide, linker.bounds, names))
            rows = [
                (
                    ordered[a], ordered[b], link.match_probability, to_key(link.left), to_key(link.right),
                    link.decision.value, link.variant, link.partial_ratio,
                )
                for a, b, link in zip(scored.left.tolist(), scored.right.tolist(), links, strict=True)
            ]  # fmt: skip
            yield table_of(
                (
                    "left", "right", "probability", "left_text", "right_text", "decision", "variant",
                    "partial_ratio",
                ),
                rows,
                (
                    pa.binary(), pa.binary(), pa.float64(), pa.binary(), pa.binary(), pa.string(),
                    pa.string(), pa.float64(),
                ),
            )  # fmt: skip

    return score


def _decide(
    bounds: Bounds, names: Sequence[PersonName], left: int, right: int, probability: float
) -> LinkDecision:
    return bounds.decide(probability, is_full=is_full(names[left]) and is_full(names[right]))


FORM_WORDS = "form binary, word binary, shared boolean, seeks boolean, lone boolean"


def form_words(batches: Batches) -> Batches:
    """How forms (form, spelt) hang together without being alike: a shorter one seeks fuller ones by a word.

    shared: forms of this name in two documents may be one person by the name alone, so that the form itself
    ties them. lone: the form is a surname alone. A row with no word says only that.
    """
    for batch in batches:
        rows: list[tuple[bytes, bytes, bool, bool, bool]] = []
        for form, spelt in rows_of(batch):
            name = NameForm.of(name_of(spelt))
            shared = name.kind >= NameKind.FAMILY
            seeks, lone = name.kind in _SHORT_SURNAMES, name.kind is NameKind.FAMILY
            rows += [(form, to_key(word), shared, seeks, lone) for word in {"", *name.surname_keys}]
        yield table_of(
            ("form", "word", "shared", "seeks", "lone"),
            rows,
            (pa.binary(), pa.binary(), pa.bool_(), pa.bool_(), pa.bool_()),
        )


# -- clustering ------------------------------------------------------------------------------------------

IDENTITIES = "first binary, identity binary"
BUCKET_ROWS = "bucket int, kind string, payload binary, left binary, right binary, probability double"
FORM_PAIR, PART_PAIR, SPELLING = "form", "part", "spelling"


def link_bucket(
    load: LoadLinker, judgements: Sequence[Judgement] = (), beyond: Beyond | None = None
) -> Callable[[pa.Table], pa.Table]:
    """The identities of one bucket: whole candidate groups, put together by the linker itself.

    Each comes with its first mention; its candidates are named by their first mention too, and it has no id
    yet: those are given when all are known.
    """

    def link(table: pa.Table) -> pa.Table:
        linker = load()
        reader, known_reader = MentionReader(), KnownReader()
        mentions: list[NormalizedMention] = []
        known: list[KnownIdentity] = []
        parts: dict[bytes, list[tuple[str, str, float]]] = {GIVEN: [], FAMILY: []}
        forms: list[tuple[tuple[str, ...], tuple[str, ...], float]] = []
        names: list[PersonName] = []
        for _, kind, payload, left, right, probability in zip(
            *(table.column(n).to_pylist() for n in range(6)), strict=True
        ):
            if kind == DOCUMENT:
                mentions += reader.read(MENTIONS.decode(payload))
            elif kind == KNOWN:
                known += known_reader.read([_KNOWN_ROW.decode(payload)])
            elif kind == SPELLING:
                names.append(name_of(payload))
            elif kind == FORM_PAIR:
                forms.append((form_of(left), form_of(right), probability))
            else:
                parts[left[:1]].append((to_text(left[1:]), to_text(right[1:]), probability))
        judged = JudgedPairs(tuple(parts[GIVEN]), tuple(parts[FAMILY]), tuple(forms), tuple(names))
        # Sorted, so that nothing depends on how Spark's rows happened to come.
        mentions.sort(key=lambda m: m.mention.mention_id)
        known.sort(key=lambda k: k.entity_id)
        result = linker.resolve(tuple(mentions), known, judgements, judged, beyond=beyond)
        first = {i.identity_id: min(i.mention_ids) for i in result.identities}
        rows = []
        for identity in result.identities:
            named = replace(
                identity,
                identity_id=IdentityId(first[identity.identity_id]),
                candidates=tuple(IdentityId(first[candidate]) for candidate in identity.candidates),
            )
            rows.append((to_key(named.identity_id), IDENTITY.encode(IdentityRow.of(named))))
        batch = table_of(("first", "identity"), rows, (pa.binary(), pa.binary()))
        return pa.Table.from_batches([batch])

    return link
