"""Candidate pairs by joins on blocking keys, and what the classifier says of them."""

from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

from linkage.blocking.forms import (
    FORM_DIVISIONS,
    LARGEST_FORM_BLOCK,
    LARGEST_MEETING,
    PART_DIVISIONS,
    RARE_GRAMS,
)
from pseudonymizer.spark import batches

_SEPARATOR: Final = "\x1f"


def sharing_pairs(keyed: DataFrame, *, divisions: int, max_block_size: int) -> DataFrame:
    """(left, right) with left < right of all items that share a key, each once.

    keyed: item, key, further (for each division the values that divide a block). Keys of more than
    max_block_size items are divided; what is still too large is spread over tasks by a salt, and no pair is
    left out: the pairs are those of linkage.blocking.sharing_pairs over divided_keys.
    """
    keyed = keyed.localCheckpoint()
    for level in range(divisions):
        large = _sizes(keyed).filter(f.col("count") > max_block_size).select("key").localCheckpoint()
        if large.isEmpty():
            break
        divided = f.transform(
            f.col("further")[level],
            lambda value: f.concat(f.col("key"), f.lit(_SEPARATOR).cast("binary"), value),
        )
        keyed = (
            keyed.join(large.withColumn("large", f.expr("true")), "key", "left")
            .select(
                "item",
                f.explode(f.when(f.col("large"), divided).otherwise(f.array("key"))).alias("key"),
                "further",
            )
            .localCheckpoint()
        )
    salts = _sizes(keyed).select("key", f.ceil(f.col("count") / max_block_size).cast("int").alias("salts"))
    # A block of one item has no pair.
    salted = keyed.select("item", "key").join(salts, "key")
    left = salted.select(
        f.col("item").alias("left"),
        "key",
        f.pmod(f.xxhash64("item"), f.col("salts")).cast("int").alias("salt"),
    )
    right = salted.select(
        f.col("item").alias("right"), "key", f.explode(f.sequence(f.lit(0), f.col("salts") - 1)).alias("salt")
    )
    return (
        left.join(right, ["key", "salt"])
        .filter(f.col("left") < f.col("right"))
        .select("left", "right")
        .distinct()
    )


def _sizes(keyed: DataFrame) -> DataFrame:
    return keyed.groupBy("key").count()


def part_pairs(
    parts: DataFrame, load: batches.LoadLinker, *, max_block_size: int, sizes: DataFrame | None = None
) -> DataFrame:
    """Scored pairs of single given names and surnames (batches.PART_PAIRS); parts: item.

    sizes: key, count of how many parts of a larger corpus have each trigram.
    """
    found = parts.mapInArrow(batches.part_key_batches(load), batches.PART_KEYS).localCheckpoint()
    own = found.filter(f.col("source") == "key")
    # A lexicon's variant counts where the corpus has it.
    variants = found.filter(f.col("source") == "variant").join(
        parts.withColumnRenamed("item", "needs"), "needs", "left_semi"
    )
    grams = found.filter(f.col("source") == "gram")
    order = Window.partitionBy("item").orderBy("count", "key")
    counted = _sizes(grams)
    if sizes is not None:
        counted = counted.unionByName(sizes).groupBy("key").agg(f.max("count").alias("count"))
    rare = (
        grams.join(counted, "key")
        .withColumn("place", f.row_number().over(order))
        .filter(f.col("place") <= RARE_GRAMS)
    )
    own, variants, rare = (source.select("item", "key", "further") for source in (own, variants, rare))
    keyed = own.unionByName(variants).unionByName(rare)
    pairs = sharing_pairs(keyed, divisions=len(PART_DIVISIONS), max_block_size=max_block_size)
    return pairs.mapInArrow(batches.score_part_pairs(load), batches.PART_PAIRS)


def both_ways(pairs: DataFrame, *columns: str) -> DataFrame:
    """(one, other, columns): every pair from both its sides."""
    there = pairs.select(f.col("left").alias("one"), f.col("right").alias("other"), *columns)
    return there.unionByName(
        pairs.select(f.col("right").alias("one"), f.col("left").alias("other"), *columns)
    )


def form_pairs(
    forms: DataFrame, holders: DataFrame, similar: DataFrame, load: batches.LoadLinker
) -> DataFrame:
    """Scored pairs of full forms (batches.FORM_PAIRS): alike in given name and surname, or in their words.

    forms: form, spelt. holders: form, given, family, one row a combination. similar: scored pairs of parts.
    """
    alike = both_ways(similar)
    itself = holders.select(f.col("given").alias("one")).union(holders.select("family")).distinct()
    alike = alike.unionByName(itself.select("one", f.col("one").alias("other")))

    def near(role: str) -> DataFrame:
        return alike.select(f.col("one").alias(role), f.col("other").alias(f"near_{role}"))

    # Only surnames and given names that occur together are looked for, so that a frequent surname is divided
    # by the given names beside it.
    occurring = holders.select(
        f.col("given").alias("near_given"), f.col("family").alias("near_family")
    ).distinct()
    wanted = (
        holders.join(near("family"), "family")
        .join(near("given"), "given")
        .select("form", "near_given", "near_family")
        .join(occurring, ["near_given", "near_family"], "left_semi")
    )
    others = holders.select(
        f.col("form").alias("right"), f.col("given").alias("near_given"), f.col("family").alias("near_family")
    )
    composite = (
        wanted.withColumnRenamed("form", "left")
        .join(others, ["near_given", "near_family"])
        .filter(f.col("left") != f.col("right"))
        .select(f.least("left", "right").alias("left"), f.greatest("left", "right").alias("right"))
    )
    keyed = forms.mapInArrow(batches.form_key_batches, batches.FORM_KEYS)
    by_words = sharing_pairs(keyed, divisions=len(FORM_DIVISIONS), max_block_size=LARGEST_FORM_BLOCK)
    meeting = _meeting_pairs(holders, similar)
    pairs = composite.unionByName(meeting).unionByName(by_words).distinct().localCheckpoint()

    def spelling_of(side: str) -> DataFrame:
        return forms.select(f.col("form").alias(side), f.col("spelt").alias(f"{side}_spelt"))

    named = (
        pairs.join(spelling_of("left"), "left")
        .join(spelling_of("right"), "right")
        .select("left", "right", "left_spelt", "right_spelt")
    )
    return named.mapInArrow(batches.score_form_pairs(load), batches.FORM_PAIRS)


def _meeting_pairs(holders: DataFrame, similar: DataFrame) -> DataFrame:
    """(left, right) of forms of which one has a part and the other one like it, where few have these parts:
    the pairs of linkage.blocking.pairs.meeting_pairs.
    """
    held = holders.select("form", f.col("given").alias("part")).union(holders.select("form", "family"))
    held = held.distinct().localCheckpoint()
    sizes = held.groupBy("part").count()

    def side(name: str) -> DataFrame:
        return sizes.select(f.col("part").alias(name), f.col("count").alias(f"{name}_count"))

    few = (
        similar.select("left", "right")
        .join(side("left"), "left")
        .join(side("right"), "right")
        .filter(f.col("left_count") * f.col("right_count") <= LARGEST_MEETING)
        .select(f.col("left").alias("one"), f.col("right").alias("other"))
    )
    return (
        few.join(held.select(f.col("part").alias("one"), f.col("form").alias("a")), "one")
        .join(held.select(f.col("part").alias("other"), f.col("form").alias("b")), "other")
        .filter(f.col("a") != f.col("b"))
        .select(f.least("a", "b").alias("left"), f.greatest("a", "b").alias("right"))
    )


def combinations(parts: DataFrame) -> DataFrame:
    """(form, given, family) of forms that have both (batches.FORM_PARTS)."""

    def exploded(column: str) -> Column:
        return f.explode(column).alias(column)

    return parts.select("form", exploded("given"), "family").select("form", "given", exploded("family"))
