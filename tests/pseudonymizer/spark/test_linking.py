"""Linking on Spark gives what the local linker gives: every identity, link and candidate."""

from functools import partial
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("pyspark", reason="needs the extra nymlink[spark]")

from linkage.codec import FormLinkRow, IdentityRow
from linkage.records import LinkageResult, MentionId, NormalizedMention, PersonName
from linkage.review import Judgement, Verdict
from linkage.sightings import known_people
from linkage.text_forms import TextForms
from pseudonymizer.errors import BatchError
from pseudonymizer.runs.codec import FORM_LINKS, IDENTITIES
from pseudonymizer.spark.linking import LinkingPlan, SparkLinker
from pseudonymizer.vault import known as known_of_vault
from tests.linkage.linker.linker_fakes import Writer
from tests.pseudonymizer.conftest import VaultPlace
from tests.pseudonymizer.spark.spark_fakes import KNOWN, corpus, load_linker

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def everything_in(result: LinkageResult) -> object:
    """Identities with links, open links, candidates and entities, and the judged pairs of forms."""
    return (
        IDENTITIES.encode([IdentityRow.of(identity) for identity in result.identities]),
        FORM_LINKS.encode([FormLinkRow.of(link) for link in result.form_links]),
    )


@pytest.mark.parametrize(
    "plan",
    [LinkingPlan(), LinkingPlan(bucket_mentions=20, driver_edges=0)],
    ids=["in one bucket", "in many buckets"],
)
def test_the_result_is_that_of_the_local_linker(spark: "SparkSession", plan: LinkingPlan) -> None:
    mentions = corpus(60, seed=3)
    local = load_linker().link(mentions, known=KNOWN)
    found = SparkLinker(spark, load_linker, plan).link(mentions, known=KNOWN)
    assert everything_in(found) == everything_in(local)
    assert len(local.identities) > 20


@pytest.mark.parametrize("thresholds", [(0.97, 0.9), (0.4, 0.2)], ids=["stricter", "looser"])
def test_thresholds_of_a_user_are_obeyed_as_by_the_local_linker(
    spark: "SparkSession", thresholds: tuple[float, float]
) -> None:
    mentions = corpus(60, seed=3)
    load = partial(load_linker, *thresholds)
    local = load().link(mentions)
    assert everything_in(local) != everything_in(load_linker().link(mentions))
    found = SparkLinker(spark, load, LinkingPlan(bucket_mentions=20)).link(mentions)
    assert everything_in(found) == everything_in(local)


def test_documents_of_an_earlier_run_are_linked_anew_as_by_the_local_linker(spark: "SparkSession") -> None:
    mentions = corpus(60, seed=3)
    documents = sorted({m.mention.doc_id for m in mentions})
    early = [m for m in mentions if m.mention.doc_id in documents[:30]]
    late = [m for m in mentions if m.mention.doc_id not in documents[:30]]
    known = known_people(load_linker().link(early))
    local = load_linker().link(late, known=known)
    assert any(i.entity_id is not None for i in local.identities)
    plan = LinkingPlan(bucket_mentions=20, driver_edges=0)
    found = SparkLinker(spark, load_linker, plan).link(late, known=known)
    assert everything_in(found) == everything_in(local)


def test_candidates_of_known_people_are_linked_as_by_the_local_linker(
    spark: "SparkSession", sqlite_place: VaultPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vault fetches them for both by one method; what it has beside them counts for both."""
    monkeypatch.setattr(known_of_vault, "MOST_LINKED", 0)
    mentions = corpus(60, seed=3)
    documents = sorted({m.mention.doc_id for m in mentions})
    early = [m for m in mentions if m.mention.doc_id in documents[:50]]
    late = [m for m in mentions if m.mention.doc_id not in documents[:50]]
    with sqlite_place.create() as vault:
        vault.assign(load_linker().link(early), project="p")
        vault.commit()
        local, linker = load_linker(), SparkLinker(spark, load_linker, LinkingPlan(bucket_mentions=20))
        forms = TextForms.of(late)
        found = vault.known_source("p", linker=lambda: local).candidates(forms)
        assert found.beyond is not None
        assert 0 < len(found.people) < len(vault.known("p").people)
        assert vault.known_source("p", linker=lambda: linker).candidates(forms) == found
        here = vault.linked("p", late, linker=lambda: local)
        there = vault.linked("p", late, linker=lambda: linker)
    assert any(i.entity_id is not None for i in here.result.identities)
    assert everything_in(there.result) == everything_in(here.result)


def test_judgements_are_kept_as_by_the_local_linker(spark: "SparkSession") -> None:
    mentions = corpus(60, seed=3)
    result = load_linker().link(mentions, known=KNOWN)
    # Two people of one name in different documents are held apart; two with nothing in common are joined.
    many = next(i for i in result.identities if len({m.rpartition("@")[0] for m in i.mention_ids}) > 1)
    first, *_, last = sorted(many.mention_ids)
    alone = sorted(min(i.mention_ids) for i in result.identities if len(i.mention_ids) == 1)
    judgements = [
        Judgement("a", "b", Verdict.REJECT, first, last),
        Judgement("a", "b", Verdict.ACCEPT, alone[0], alone[-1]),
    ]
    local = load_linker().link(mentions, known=KNOWN, judgements=judgements)
    assert everything_in(local) != everything_in(result)
    plan = LinkingPlan(bucket_mentions=20, driver_edges=0)
    found = SparkLinker(spark, load_linker, plan).link(mentions, known=KNOWN, judgements=judgements)
    assert everything_in(found) == everything_in(local)


def ids_of(mentions: list[NormalizedMention], name: PersonName) -> list[MentionId]:
    return sorted(m.mention_id for m in mentions if m.name == name)


def test_judgements_of_an_earlier_run_are_kept_as_by_the_local_linker(spark: "SparkSession") -> None:
    """Two accepted as one whose names have nothing in common, and two of one name told apart: all of them are
    in earlier documents, and the later ones name each again.
    """
    fenna, sjoerd = (
        PersonName(given="Fenna", family="Woudstra"),
        PersonName(given="Sjoerd", family="Terpstra"),
    )
    jitske = PersonName(given="Jitske", family="Hoekema")
    write = Writer()
    early = [write("e1", fenna), write("e2", sjoerd), write("e3", jitske), write("e4", jitske)]
    late = [write("l1", fenna), write("l2", sjoerd), write("l3", jitske)]
    one, other = ids_of(early, jitske)
    judgements = [
        Judgement("a", "b", Verdict.ACCEPT, ids_of(early, fenna)[0], ids_of(early, sjoerd)[0]),
        Judgement("a", "b", Verdict.REJECT, one, other),
    ]
    known = known_people(load_linker().link(early, judgements=judgements))
    local = load_linker().link(late, known=known)
    united = next(i for i in local.identities if len(i.mention_ids) == 2)
    assert united.mention_ids == {*ids_of(late, fenna), *ids_of(late, sjoerd)}
    plan = LinkingPlan(bucket_mentions=1)
    found = SparkLinker(spark, load_linker, plan).link(late, known=known)
    assert everything_in(found) == everything_in(local)
    assert found.mentions == local.mentions


def test_rejections_of_this_run_hold_against_earlier_documents_as_by_the_local_linker(
    spark: "SparkSession",
) -> None:
    jitske = PersonName(given="Jitske", family="Hoekema")
    write = Writer()
    early, late = [write("e1", jitske)], [write("l1", jitske), write("l2", jitske)]
    known = known_people(load_linker().link(early))
    judgements = [Judgement("a", "b", Verdict.REJECT, early[0].mention_id, late[0].mention_id)]
    local = load_linker().link(late, known=known, judgements=judgements)
    found = SparkLinker(spark, load_linker).link(late, known=known, judgements=judgements)
    assert everything_in(found) == everything_in(local)
    assert found.mentions == local.mentions


def test_judgements_of_forms_are_refused(spark: "SparkSession") -> None:
    judgement = Judgement("Fenna Woudstra", "Inge Woudstra", Verdict.ACCEPT)
    with pytest.raises(BatchError, match="judgement 1 is about two name forms"):
        SparkLinker(spark, load_linker).link(corpus(2, seed=1), judgements=[judgement])


def test_a_group_that_no_task_could_hold_is_divided_by_full_names(spark: "SparkSession") -> None:
    mentions = corpus(60, seed=3)
    plan = LinkingPlan(bucket_mentions=10, group_mentions=50)
    local = load_linker().link(mentions)
    found = SparkLinker(spark, load_linker, plan).link(mentions)
    assert everything_in(found) != everything_in(local)

    def together(result: LinkageResult) -> set[tuple[str, str]]:
        """Pairs of mentions of one person that have the same full name."""
        name_of = {m.mention.mention_id: m.name for m in mentions}
        return {
            (a, b)
            for identity in result.identities
            for a in identity.mention_ids
            for b in identity.mention_ids
            if a < b and name_of[a] == name_of[b] and name_of[a].is_full
        }

    assert together(local) <= together(found)
    assert len(together(local)) > 5


def test_a_corpus_without_names(spark: "SparkSession") -> None:
    assert SparkLinker(spark, load_linker).link([]) == LinkageResult((), ())
    assert SparkLinker(spark, load_linker).link([], known=KNOWN) == load_linker().link([], known=KNOWN)
