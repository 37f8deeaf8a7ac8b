"""Who is who over a data frame of documents: pairs by joins, candidate groups, and our clustering in each."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as f

from linkage.linker.earlier_runs import link_with_earlier
from linkage.linker.people_index import PeopleIndex
from linkage.records import (
    Beyond,
    DocumentId,
    FormLink,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    LinkDecision,
    NormalizedMention,
)
from linkage.review import Judgement
from pseudonymizer.errors import BatchError
from pseudonymizer.spark import batches
from pseudonymizer.spark.components import connected_components
from pseudonymizer.spark.faults import FAILURES, told
from pseudonymizer.spark.keys import FAMILY, GIVEN, form_of, to_key, to_text
from pseudonymizer.spark.pairs import both_ways, combinations, form_pairs, part_pairs

# What an edge of the graph of candidate groups rests on, from the strictest on.
_TIE, _FULL, _ALIKE, _SHORT = "tie", "full", "alike", "short"


@dataclass(frozen=True, slots=True)
class LinkingPlan:
    """Sizes. bucket_mentions: how many mentions are put together in one task, where groups allow it.

    A group of documents that hang together is not divided, so that the result is the local engine's, unless
    it has more than group_mentions, which one task could hardly hold (2.3 kB a mention). Then documents hang
    together by equal or alike names and attributes alone, and if that is too much by equal ones: shorter
    names find nobody outside their new group.
    """

    bucket_mentions: int = 200_000
    driver_edges: int = 5_000_000
    group_mentions: int = 3_000_000


@dataclass(frozen=True, slots=True)
class LinkedFrames:
    """identities: batches.IDENTITIES with the bucket; units: unit, bucket; links: batches.FORM_PAIRS."""

    identities: DataFrame
    units: DataFrame
    links: DataFrame


def link_frames(
    units: DataFrame,
    load: batches.LoadLinker,
    plan: LinkingPlan | None = None,
    judgements: Sequence[Judgement] = (),
    beyond: Beyond | None = None,
) -> LinkedFrames:
    """Identities of all people in units (batches.UNITS: documents with mentions, and known people).

    judgements about mentions are kept; their documents come into one group. beyond: as of the linker.
    Each step is settled (a local checkpoint, encrypted like every spill): the plan of the next starts anew.
    """
    plan = plan or LinkingPlan()
    linker = load()
    names = units.mapInArrow(batches.unit_names, batches.NAMES).localCheckpoint()
    # The name that stands for a form is the first by spelling, as in the local engine.
    forms = names.groupBy("form").agg(f.min("spelt").alias("spelt")).localCheckpoint()
    parts = forms.mapInArrow(batches.form_parts, batches.FORM_PARTS).localCheckpoint()
    items = parts.select(f.explode(f.concat("given", "family")).alias("item")).distinct()
    sizes = None if beyond is None else _gram_sizes(units, beyond)
    similar = part_pairs(items, load, max_block_size=linker.settings.max_block_size, sizes=sizes)
    similar = similar.localCheckpoint()
    links = form_pairs(forms, combinations(parts), similar, load).localCheckpoint()
    worth = links.filter(f.col("probability") >= linker.review_threshold)
    edges = _edges(units, names, forms, similar, worth, _judged_units(judgements))
    groups = _groups(edges, units, plan)
    total = units.agg(f.sum("mentions")).first()
    mentions = int(total[0] or 0) if total is not None else 0
    buckets = max(1, math.ceil(mentions / plan.bucket_mentions))
    # Units without a name stand alone.
    placed = (
        units.select("unit", _node("U", "unit").alias("node"))
        .join(groups, "node", "left")
        .select(
            "unit",
            f.pmod(f.xxhash64(f.coalesce("component", "node")), f.lit(buckets)).cast("int").alias("bucket"),
        )
        .localCheckpoint()
    )
    rows = _bucket_rows(units, names, forms, parts, similar, worth, placed)
    identities = rows.groupBy("bucket").applyInArrow(
        batches.link_bucket(load, judgements, beyond), batches.IDENTITIES
    )
    return LinkedFrames(identities.localCheckpoint(), placed, links)


def _gram_sizes(units: DataFrame, beyond: Beyond) -> DataFrame:
    """(key, count) of the trigrams of a project, for part_pairs."""
    counted = ((GIVEN, beyond.given_trigrams), (FAMILY, beyond.family_trigrams))
    rows = [
        (role + b"g" + to_key(gram), count)
        for role, sizes in counted
        for gram, count in (sizes or {}).items()
    ]
    return units.sparkSession.createDataFrame(rows, "key binary, count bigint").localCheckpoint()


def _judged_units(judgements: Sequence[Judgement]) -> dict[bytes, list[str]]:
    """By unit, one text for each judgement about a mention in it."""
    found: dict[bytes, list[str]] = defaultdict(list)
    for number, judgement in enumerate(judgements):
        for mention_id in (judgement.left_mention, judgement.right_mention):
            if mention_id is not None:
                found[to_key(mention_id.rpartition("@")[0])].append(str(number))
    return dict(found)


def _refuse_forms(judgements: Sequence[Judgement]) -> None:
    """Raises BatchError for a judgement of two name forms, wherever they occur: only the local engine keeps
    those.
    """
    for number, judgement in enumerate(judgements, start=1):
        if judgement.left_mention is None or judgement.right_mention is None:
            raise BatchError(
                f"judgement {number} is about two name forms and not about two places; with the engine "
                "spark only places can be judged"
            )


def _edges(
    units: DataFrame,
    names: DataFrame,
    forms: DataFrame,
    similar: DataFrame,
    worth: DataFrame,
    judged: Mapping[bytes, Sequence[str]],
) -> DataFrame:
    """The graph whose components are the candidate groups: what the linker may put together hangs together.

    Nodes are units, forms, words and ties. Equal forms tie their documents, except lone given names, which
    mean somebody only beside others; alike forms are tied; a form without given name is tied to all forms
    that have its surname, or one like it; and attributes, ids and company tie units. by: what an edge rests
    on.
    """
    words = forms.mapInArrow(batches.form_words, batches.FORM_WORDS)
    tying = words.filter(f.col("shared") & (f.length("word") == 0)).select("form", "lone")
    unit_form = names.join(tying, "form").select(
        _node("U", "unit").alias("one"),
        _node("F", "form").alias("other"),
        f.when(f.col("lone"), f.lit(_SHORT)).otherwise(f.lit(_FULL)).alias("by"),
    )
    alike = worth.select(
        _node("F", "left").alias("one"), _node("F", "right").alias("other"), f.lit(_ALIKE).alias("by")
    )
    spelled = words.filter(f.length("word") > 0)
    sought = spelled.filter("seeks").select("form", "word").distinct()
    near = both_ways(similar).select(
        f.expr("substring(one, 2)").alias("word"), f.expr("substring(other, 2)").alias("near")
    )
    reached = sought.join(near.distinct(), "word").select("form", f.col("near").alias("word"))
    seeking = sought.unionByName(reached).distinct()
    having = spelled.select("form", "word").join(seeking.select("word").distinct(), "word", "left_semi")
    by_word = seeking.unionByName(having.select("form", "word")).select(
        _node("F", "form").alias("one"), _node("W", "word").alias("other"), f.lit(_SHORT).alias("by")
    )
    ties = units.mapInArrow(batches.unit_ties(judged), batches.LINKS).select(
        _node("U", "unit").alias("one"), _node("T", "node").alias("other"), f.lit(_TIE).alias("by")
    )
    return unit_form.unionByName(alike).unionByName(by_word).unionByName(ties)


def _groups(edges: DataFrame, units: DataFrame, plan: LinkingPlan) -> DataFrame:
    """(node, component) of the candidate groups; those that are too large are divided by stricter ties."""
    edges = edges.localCheckpoint()
    groups = connected_components(edges.select("one", "other"), driver_edges=plan.driver_edges)
    for kept in ((_TIE, _FULL, _ALIKE), (_TIE, _FULL)):
        large = (
            units.select(_node("U", "unit").alias("node"), "mentions")
            .join(groups, "node")
            .groupBy("component")
            .agg(f.sum("mentions").alias("mentions"))
            .filter(f.col("mentions") > plan.group_mentions)
            .select("component")
            .localCheckpoint()
        )
        if large.isEmpty():
            break
        inside = groups.join(large, "component", "left_semi").select(f.col("node").alias("one"))
        stricter = edges.filter(f.col("by").isin(*kept)).join(inside, "one", "left_semi")
        finer = connected_components(stricter.select("one", "other"), driver_edges=plan.driver_edges)
        # What has no stricter tie stands alone: it is in no group any more.
        groups = groups.join(large, "component", "left_anti").select("node", "component").unionByName(finer)
        groups = groups.localCheckpoint()
    return groups


def _node(kind: str, column: str) -> Column:
    """64 bits for a node. Two that fall together would only make a group larger."""
    return f.xxhash64(f.lit(kind), f.col(column))


def _bucket_rows(
    units: DataFrame,
    names: DataFrame,
    forms: DataFrame,
    parts: DataFrame,
    similar: DataFrame,
    worth: DataFrame,
    placed: DataFrame,
) -> DataFrame:
    """Everything that the linker needs in a bucket (batches.BUCKET_ROWS)."""
    nothing, no_number = f.lit(None).cast("binary"), f.lit(None).cast("double")
    unit_rows = units.join(placed, "unit").select(
        "bucket",
        "kind",
        "payload",
        nothing.alias("left"),
        nothing.alias("right"),
        no_number.alias("probability"),
    )
    form_in = names.select("unit", "form").join(placed, "unit").select("bucket", "form").distinct()
    form_in = form_in.localCheckpoint()
    spelled = form_in.join(forms, "form").select(
        "bucket", f.lit(batches.SPELLING).alias("kind"), f.col("spelt").alias("payload"),
        nothing.alias("left"), nothing.alias("right"), no_number.alias("probability"),
    )  # fmt: skip
    part_in = (
        form_in.join(parts, "form")
        .select("bucket", f.explode(f.concat("given", "family")).alias("item"))
        .distinct()
    )

    def inside(pairs: DataFrame, members: DataFrame, column: str, kind: str) -> DataFrame:
        left = members.select("bucket", f.col(column).alias("left"))
        right = members.select("bucket", f.col(column).alias("right"))
        found = (
            pairs.select("left", "right", "probability").join(left, "left").join(right, ["bucket", "right"])
        )
        return found.select(
            "bucket", f.lit(kind).alias("kind"), nothing.alias("payload"), "left", "right", "probability"
        )

    return (
        unit_rows.unionByName(spelled)
        .unionByName(inside(worth, form_in, "form", batches.FORM_PAIR))
        .unionByName(inside(similar, part_in, "item", batches.PART_PAIR))
    )


def numbered(rows: Iterable[Row]) -> Iterator[Identity]:
    """Identities in the order of their first mentions, with ids and candidates as the linker gives them."""
    ordered = sorted(rows, key=lambda row: bytes(row["first"]))
    id_of = {
        to_text(row["first"]): IdentityId(f"p{number:06d}") for number, row in enumerate(ordered, start=1)
    }
    for row in ordered:
        found = batches.IDENTITY.decode(bytes(row["identity"])).identity()
        candidates = sorted(id_of[candidate] for candidate in found.candidates)
        yield replace(found, identity_id=id_of[found.identity_id], candidates=tuple(candidates))


class SparkLinker:
    """What a run calls in place of the local linker; its result is the same."""

    def __init__(
        self, spark: SparkSession, load: batches.LoadLinker, plan: LinkingPlan | None = None
    ) -> None:
        self._spark = spark
        self._load = load
        self._plan = plan

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
        beyond: Beyond | None = None,
    ) -> LinkageResult:
        """beyond: what the project has beside the known people, where these are candidates.

        Raises:
            BatchError: a judgement is of name forms, or linking failed on the workers.
        """
        _refuse_forms(judgements)
        return link_with_earlier(mentions, known, judgements, self._resolve, beyond)

    def people_index(self) -> PeopleIndex:
        """An empty index of known people, as that of the local linker: the driver has it."""
        return self._load().people_index()

    def _resolve(
        self,
        everything: tuple[NormalizedMention, ...],
        known: Sequence[KnownIdentity],
        judgements: Sequence[Judgement],
        *,
        beyond: Beyond | None,
    ) -> LinkageResult:
        """The people of all mentions, as linkage.linker.Linker.resolve gives them."""
        if not everything and not known:
            return LinkageResult((), ())
        by_document: dict[DocumentId, list[NormalizedMention]] = defaultdict(list)
        for mention in everything:
            by_document[mention.mention.doc_id].append(mention)
        units = [
            (to_key(doc_id), batches.DOCUMENT, batches.document_unit(found), len(found))
            for doc_id, found in by_document.items()
        ]
        units += [(to_key(f"\0{k.entity_id}"), batches.KNOWN, batches.known_unit(k), 0) for k in known]
        try:
            frame = self._spark.createDataFrame(units, batches.UNITS).localCheckpoint()
            frames = link_frames(frame, self._load, self._plan, judgements, beyond)
            rows, pairs = frames.identities.collect(), frames.links.collect()
        except FAILURES as error:
            raise BatchError(f"linking on Spark failed: {told(error)}") from None
        identities = tuple(numbered(rows))
        links = sorted(pairs, key=lambda row: (form_of(row["left"]), form_of(row["right"])))
        return LinkageResult(everything, identities, tuple(map(_form_link, links)))


def _form_link(row: Row) -> FormLink:
    return FormLink(
        to_text(row["left_text"]), to_text(row["right_text"]), row["probability"],
        LinkDecision(row["decision"]), row["variant"], row["partial_ratio"],
    )  # fmt: skip
