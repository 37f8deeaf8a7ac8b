"""The rules of evidence, on mentions built by hand and a scorer that needs no model."""

import gc
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.linker.scoring import Indexes, Probabilities
from linkage.records import (
    EntityId,
    Gender,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
    Role,
    RoleClass,
)
from linkage.review import Judgement, Verdict
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, FakeTable, Writer

PIET = PersonName(given="Piet", family="Woudstra")
PIETER = PersonName(given="Pieter", family="Woudstra")
FENNA = PersonName(given="Fenna", family="Woudstra")
INGE = PersonName(given="Inge", family="Zandvliet")


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker(LinkingSettings(), Gazetteer.load(), FakeScorer())


@pytest.fixture
def write() -> Writer:
    return Writer()


def partition(result: LinkageResult) -> set[frozenset[MentionId]]:
    return {identity.mention_ids for identity in result.identities}


def together(result: LinkageResult, *mentions: NormalizedMention) -> bool:
    return len({result.identity_of(m.mention_id).identity_id for m in mentions}) == 1


def born(date: str) -> frozenset[tuple[str, str]]:
    return frozenset({("birth_date", date)})


def test_a_surname_belongs_to_the_one_full_name_that_fits(linker: Linker, write: Writer) -> None:
    full, lone = write("a", PIET), write("a", PersonName(family="Woudstra"))
    assert together(linker.link([full, lone]), full, lone)


@pytest.mark.parametrize(("given", "pet"), [("Kees", "Keesje"), ("Hassan", "Hassanje"), ("Tom", "Tomtje")])
def test_a_diminutive_is_the_one_whose_name_it_is_made_of(
    linker: Linker, write: Writer, given: str, pet: str
) -> None:
    full, lone = write("a", PersonName(given=given, family="Hoekstra")), write("a", PersonName(given=pet))
    assert together(linker.link([full, lone]), full, lone)


def test_a_surname_is_open_if_two_fit(linker: Linker, write: Writer) -> None:
    first, second = write("a", PIET), write("a", FENNA)
    lone = write("a", PersonName(family="Woudstra"))
    result = linker.link([first, second, lone])
    identity = result.identity_of(lone.mention_id)
    assert identity.mention_ids == {lone.mention_id}
    wanted = {result.identity_of(m.mention_id).identity_id for m in (first, second)}
    assert set(identity.candidates) == wanted
    assert len(list(result.open_links())) == 2


def test_a_title_decides_whose_surname_it_is(linker: Linker, write: Writer) -> None:
    he, she = write("a", PIET, gender=Gender.MALE), write("a", FENNA, gender=Gender.FEMALE)
    lone = write("a", PersonName(family="Woudstra"), gender=Gender.FEMALE)
    assert together(linker.link([he, she, lone]), she, lone)


def test_an_initial_never_bridges_two_full_names(linker: Linker, write: Writer) -> None:
    paul = write("a", PersonName(given="Paul", family="Woudstra"))
    piet = write("a", PIET)
    initial = write("a", PersonName(initials="P.", family="Woudstra"))
    result = linker.link([paul, piet, initial])
    assert not together(result, paul, piet)
    assert len(result.identity_of(initial.mention_id).candidates) == 2


def test_a_nickname_of_two_full_names_is_ambiguous_over_the_corpus(linker: Linker, write: Writer) -> None:
    bert, robert, albert = (
        write(doc, PersonName(given=given, family="Woudstra"))
        for doc, given in (("a", "Bert"), ("b", "Robert"), ("c", "Albert"))
    )
    result = linker.link([bert, robert, albert])
    assert not together(result, robert, albert)
    assert result.identity_of(bert.mention_id).mention_ids == {bert.mention_id}
    assert len(result.identity_of(bert.mention_id).candidates) == 2


def test_one_full_name_with_two_birth_dates_is_two_people(linker: Linker, write: Writer) -> None:
    old = write("a", PIET, attributes=born("1931-01-02"))
    young = write("b", PIET, attributes=born("1985-03-04"))
    unclear = write("c", PIET)
    result = linker.link([old, young, unclear])
    assert not together(result, old, young)
    assert set(result.identity_of(unclear.mention_id).candidates) == {
        result.identity_of(m.mention_id).identity_id for m in (old, young)
    }


def test_full_names_meet_across_documents_and_lone_given_names_do_not(linker: Linker, write: Writer) -> None:
    first, second = write("a", PIET), write("b", PIETER)
    lone = write("c", PersonName(given="Piet"))
    result = linker.link([first, second, lone])
    assert together(result, first, second)
    assert result.identity_of(lone.mention_id).mention_ids == {lone.mention_id}


def test_a_lone_given_name_is_linked_in_the_same_company(linker: Linker, write: Writer) -> None:
    documents = [write(d, name) for d in ("a", "b") for name in (PIET, INGE)]
    friend, lone = write("c", INGE), write("c", PersonName(given="Piet"))
    assert together(linker.link([*documents, friend, lone]), documents[0], lone)


def test_initials_and_a_rare_surname_are_linked_but_not_a_common_one(linker: Linker, write: Writer) -> None:
    rare = [write(d, PersonName(initials="T.", family="Woudstra")) for d in ("a", "b")]
    common = [write(d, PersonName(initials="T.", family="Bakker")) for d in ("c", "d")]
    result = linker.link([*rare, *common])
    assert together(result, *rare)
    assert not together(result, *common)


def test_names_joined_by_and_are_two_people(linker: Linker, write: Writer) -> None:
    first = write("a", PIET)
    second = write("a", PIETER, joined_with=frozenset({first.mention_id}))
    assert not together(linker.link([first, second]), first, second)


def test_what_the_text_says_is_one_person_is_one(linker: Linker, write: Writer) -> None:
    full = write("a", PersonName(given="Hendrika", family="Woudstra"))
    call = write("a", PersonName(given="Riet"), same_as=frozenset({full.mention_id}))
    later = write("a", PersonName(given="Riet", family="Woudstra"))
    assert together(linker.link([full, call, later]), full, call, later)


def test_a_registry_id_is_decisive(linker: Linker, write: Writer) -> None:
    same = [write("a", PIET, person_id="e1"), write("b", INGE, person_id="e1")]
    other = write("c", PIET, person_id="e2")
    result = linker.link([*same, other])
    assert not together(result, same[0], other)


def test_generation_suffixes_tell_apart(linker: Linker, write: Writer) -> None:
    senior = write("a", PersonName(given="Jan", family="Woudstra", suffix="sr."))
    junior = write("a", PersonName(given="Jan", family="Woudstra", suffix="jr."))
    plain = write("a", PersonName(given="Jan", family="Woudstra"))
    result = linker.link([senior, junior, plain])
    assert not together(result, senior, junior)
    assert len(result.identity_of(plain.mention_id).candidates) == 2


def story(write: Writer) -> list[NormalizedMention]:
    names = [
        PIET, PIETER, FENNA, INGE, PersonName(family="Woudstra"), PersonName(given="Piet"),
        PersonName(initials="P.", family="Woudstra"), PersonName(initials="I.", family="Zandvliet"),
        PersonName(given="Inge", family="Zandvleit"),
    ]  # fmt: skip
    generator = random.Random(7)  # noqa: S311 - a fixed story, no secret
    return [write(doc, generator.choice(names)) for doc in "abcdefgh" for _ in range(5)]


@pytest.mark.parametrize("seed", range(5))
def test_order_does_not_matter(linker: Linker, write: Writer, seed: int) -> None:
    mentions = story(write)
    shuffled = mentions.copy()
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    first, second = linker.link(mentions), linker.link(shuffled)
    assert first.identities == second.identities
    assert first.form_links == second.form_links


def test_every_mention_is_in_one_identity_and_links_are_kept_on_both_sides(
    linker: Linker, write: Writer
) -> None:
    result = linker.link(story(write))
    for identity in result.identities:
        for link in identity.links:
            assert {link.pair.left, link.pair.right} <= identity.mention_ids
        for link in identity.open_links:
            assert len({link.pair.left, link.pair.right} & identity.mention_ids) == 1
            for end in (link.pair.left, link.pair.right):
                assert link in result.identity_of(end).open_links


def known_of(result: LinkageResult) -> list[KnownIdentity]:
    """What a vault would remember of a result: names, attributes, and who was seen with whom."""
    documents: dict[EntityId, set[str]] = {}
    for identity in result.identities:
        documents[EntityId(f"vault:{identity.identity_id}")] = {
            result.mention(m).mention.doc_id for m in identity.mention_ids
        }
    return [
        KnownIdentity(
            EntityId(f"vault:{identity.identity_id}"),
            tuple({result.mention(m).name for m in identity.mention_ids}),
            frozenset(a for m in identity.mention_ids for a in result.mention(m).context.attributes),
            frozenset(
                other
                for other, theirs in documents.items()
                if other != f"vault:{identity.identity_id}"
                and theirs & documents[EntityId(f"vault:{identity.identity_id}")]
            ),
        )
        for identity in result.identities
        if not identity.candidates
    ]


def test_later_documents_join_the_known_people_as_in_one_go(linker: Linker, write: Writer) -> None:
    early = [write("a", PIET), write("a", INGE), write("b", FENNA), write("b", INGE)]
    late = [write("c", PIETER), write("c", PersonName(initials="F.", family="Woudstra")), write("d", INGE)]
    known = known_of(linker.link(early))
    added = linker.link(late, known=known)
    whole = linker.link([*early, *late])
    entity_of = {m: i.entity_id for i in added.identities for m in i.mention_ids}
    first = {name: k.entity_id for k in known for name in k.names}
    for mention in late:
        fellows = [m for m in early if together(whole, mention, m)]
        assert entity_of[mention.mention_id] == (first[fellows[0].name] if fellows else None)


def test_a_text_that_names_two_known_people_as_one_says_also_known_as(linker: Linker, write: Writer) -> None:
    known = [KnownIdentity(EntityId("vault:1"), (PIET,)), KnownIdentity(EntityId("vault:2"), (INGE,))]
    first = write("a", PIET)
    second = write("a", INGE, same_as=frozenset({first.mention_id}))
    result = linker.link([first, second], known=known)
    identity = result.identity_of(first.mention_id)
    assert identity.entity_id == "vault:1"
    assert together(result, first, second)


def judge(left: NormalizedMention, right: NormalizedMention, verdict: Verdict) -> Sequence[Judgement]:
    return [
        Judgement(left.mention.surface, right.mention.surface, verdict, left.mention_id, right.mention_id)
    ]


def test_judgements_are_kept(linker: Linker, write: Writer) -> None:
    first, second = write("a", PIET), write("b", PIETER)
    stranger = write("c", INGE)
    assert not together(
        linker.link([first, second], judgements=judge(first, second, Verdict.REJECT)), first, second
    )
    accepted = linker.link([first, stranger], judgements=judge(first, stranger, Verdict.ACCEPT))
    assert together(accepted, first, stranger)


def test_compare_and_explain(linker: Linker) -> None:
    link = linker.compare("Piet Woudstra", "Pieter Woudstra")
    assert link.match_probability > 0.8
    explanation = linker.explain("Piet Woudstra", "Pieter Woudstra")
    assert explanation.match_probability == link.match_probability
    assert "oudstra" not in explanation.waterfall_text() + explanation.waterfall_svg() + repr(explanation)


def test_an_accepted_pair_joins_nobody_whom_a_birth_date_or_a_rejection_holds_apart(
    linker: Linker, write: Writer
) -> None:
    old, young = (
        write("a", PIET, attributes=born("1931-01-02")),
        write("b", INGE, attributes=born("1985-03-04")),
    )
    assert not together(linker.link([old, young], judgements=judge(old, young, Verdict.ACCEPT)), old, young)
    first, second, third = write("c", PIET), write("d", INGE), write("e", FENNA)
    verdicts = [
        *judge(first, second, Verdict.ACCEPT), *judge(second, third, Verdict.ACCEPT),
        *judge(first, third, Verdict.REJECT),
    ]  # fmt: skip
    assert not together(linker.link([first, second, third], judgements=verdicts), first, third)


def role(side: RoleClass, calling: str) -> frozenset[Role]:
    return frozenset({Role(side, calling)})


def test_patient_and_doctor_of_one_name_in_one_document_are_two(linker: Linker, write: Writer) -> None:
    patient = write("a", PIET, roles=role(RoleClass.SERVED, "served"))
    doctor = write("a", PIETER, roles=role(RoleClass.PROFESSIONAL, "arts"))
    assert not together(linker.link([patient, doctor]), patient, doctor)


def test_who_has_a_courtesy_title_is_not_the_doctor_whom_the_text_calls_so(
    linker: Linker, write: Writer
) -> None:
    surname = PersonName(family=PIETER.family)
    arts = role(RoleClass.PROFESSIONAL, "arts")
    patient = write("a", PIETER, gender=Gender.MALE, roles=role(RoleClass.SERVED, "served"))
    doctor = write("a", PIETER, roles=arts)
    called = write("a", surname, gender=Gender.MALE)
    titled = write("a", surname, roles=arts)
    result = linker.link([patient, doctor, called, titled])
    assert together(result, patient, called)
    assert together(result, doctor, titled)
    assert not together(result, patient, doctor)
    without = linker.link([patient, doctor, called])
    assert not together(without, doctor, called), "nobody is called doctor: open between both, or the patient"


def test_initials_of_two_sons_are_open_but_a_birth_date_decides(linker: Linker, write: Writer) -> None:
    father = write("a", PersonName(given="Jan", family="Woudstra"), attributes=born("1957-04-12"))
    son = write("b", PersonName(given="Joop", family="Woudstra"), attributes=born("1988-09-03"))
    initials = PersonName(initials="J.", family="Woudstra")
    dated, bare = write("c", initials, attributes=born("1988-09-03")), write("d", initials)
    result = linker.link([father, son, dated, bare])
    assert together(result, son, dated)
    assert not together(result, bare, father)
    assert not together(result, bare, son)
    assert len(result.identity_of(bare.mention_id).candidates) == 2


def test_documents_of_one_matter_lend_each_other_their_people(linker: Linker, write: Writer) -> None:
    matter = frozenset({"code:nk 25 0117"})
    full = [write(d, PIET, marks=matter) for d in ("a", "b")]
    lone = write("c", PersonName(given="Piet"), marks=matter)
    stranger = write("d", PersonName(given="Piet"))
    result = linker.link([*full, lone, stranger])
    assert together(result, full[0], lone)
    assert not together(result, full[0], stranger)


def test_a_word_nobody_lists_is_read_as_the_full_names_of_the_corpus_bear_it(
    linker: Linker, write: Writer
) -> None:
    company = [write(d, INGE) for d in ("a", "b", "c")]
    full = [write(d, PersonName(given="Kaszper", family="Woudstra")) for d in ("a", "b")]
    lone = write("c", PersonName(family="Kaszper"))
    assert together(linker.link([*company, *full, lone]), full[0], lone)


def test_lone_names_that_documents_share_are_company(linker: Linker, write: Writer) -> None:
    others = [PersonName(given=name) for name in ("Fenna", "Jorrit", "Maaike", "Douwe")]
    full = [write(d, PIET) for d in ("a", "b")]
    there = [write(d, name) for d in ("a", "b") for name in others]
    chat = [write("c", name) for name in others]
    lone, stranger = write("c", PersonName(given="Piet")), write("d", PersonName(given="Piet"))
    result = linker.link([*full, *there, *chat, lone, stranger])
    assert together(result, full[0], lone)
    assert not together(result, full[0], stranger)


def test_a_signature_is_the_senders_whoever_else_is_called_so(linker: Linker, write: Writer) -> None:
    sender, other = write("a", PIET), write("a", PersonName(given="Piet", family="Hoekstra"))
    spoken_of = write("a", PersonName(given="Piet"))
    signed = write("a", PersonName(given="Piet"), same_as=frozenset({sender.mention_id}))
    result = linker.link([sender, other, spoken_of, signed])
    assert together(result, sender, signed)
    assert not together(result, sender, spoken_of)
    assert not together(result, other, spoken_of)


def test_a_surname_read_as_a_given_name_has_no_gender(linker: Linker, write: Writer) -> None:
    full = [
        write(d, PersonName(given="Fatou", family="Yalmas"), gender=Gender.FEMALE) for d in ("a", "b", "c")
    ]
    company = [write(d, INGE) for d in ("a", "b", "c", "d")]
    lone = write("d", PersonName(given="Yalmas"), gender=Gender.MALE)
    assert together(linker.link([*full, *company, lone]), full[0], lone)


def test_letters_that_somebody_of_the_corpus_signs_with_are_no_surname(linker: Linker, write: Writer) -> None:
    full = write("a", PersonName(given="Fenna", family="Woudstra"))
    signed = write("a", PersonName(family="Fw"))
    other = write("a", PersonName(family="Qw"))
    result = linker.link([full, signed, other])
    assert together(result, full, signed)
    assert not together(result, full, other)


def test_letters_with_a_vowel_may_be_a_surname_unless_the_document_has_who_signs_so(
    linker: Linker, write: Writer
) -> None:
    full = write("a", PersonName(given="Ulfert", family="Quist"))
    signed = write("a", PersonName(family="Uq"))
    assert together(linker.link([full, signed]), full, signed)
    company = [write(d, PIET) for d in ("c", "d")]
    elsewhere, lone = (
        write("c", PersonName(given="Ulfert", family="Quist")),
        write("d", PersonName(family="Uq")),
    )
    assert not together(linker.link([*company, elsewhere, lone]), elsewhere, lone)


def test_the_search_for_garbage_goes_on_after_linking_also_after_a_failure(
    linker: Linker, write: Writer
) -> None:
    def broken() -> Iterator[NormalizedMention]:
        yield write("a", PIET)
        raise OSError("the source of the mentions failed")

    assert gc.isenabled()
    linker.link([write("a", PIET)])
    assert gc.isenabled()
    with pytest.raises(OSError, match="source"):
        linker.link(broken())
    assert gc.isenabled()


def test_who_stands_beside_a_namesake_is_left_open_and_the_others_are_one(
    linker: Linker, write: Writer
) -> None:
    name = PersonName(given="Gerben", family="Zandwijk")
    alone = [write(f"d{number}", name) for number in range(4)]
    first, second = write("both", name), write("both", name)
    told = [
        replace(first, context=replace(first.context, joined_with=frozenset({second.mention_id}))),
        replace(second, context=replace(second.context, joined_with=frozenset({first.mention_id}))),
    ]
    result = linker.link([*alone, *told])
    assert together(result, *alone)
    assert partition(result) == {
        frozenset(m.mention_id for m in alone), frozenset({first.mention_id}), frozenset({second.mention_id}),
    }  # fmt: skip
    known = result.identity_of(alone[0].mention_id).identity_id
    for mention in told:
        assert known in result.identity_of(mention.mention_id).candidates


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (PersonName(given="Fenna", family="Dekker"), PersonName(given="Fenna", family="Bekker")),
        (
            PersonName(given="Fenna", particle="van", family="Veen"),
            PersonName(given="Fenna", particle="van der", family="Veen"),
        ),
    ],
)
def test_two_current_surnames_nearly_alike_are_a_question_over_documents(
    linker: Linker, write: Writer, left: PersonName, right: PersonName
) -> None:
    alike = Linker(linker.settings, linker.gazetteer, _AllAlike())
    mentions = [write("one", left), write("two", right)]
    result = alike.link(mentions)
    assert not together(result, *mentions)
    assert list(result.open_links())


def test_two_spellings_of_one_sound_are_one_person_over_documents(linker: Linker, write: Writer) -> None:
    alike = Linker(linker.settings, linker.gazetteer, _AllAlike())
    mentions = [
        write("one", PersonName(given="Fenna", particle="van der", family="Heijden")),
        write("two", PersonName(given="Fenna", particle="van den", family="Heyden")),
    ]
    assert together(alike.link(mentions), *mentions)


class _AllAlikeTable(FakeTable):
    def probabilities(self, left: Indexes, right: Indexes) -> Probabilities:
        return np.full(min(len(left), len(right)), 0.95)


class _AllAlike(FakeScorer):
    def table(self, names: Sequence[PersonName]) -> FakeTable:
        return _AllAlikeTable(names)


def test_a_given_name_and_initials_of_one_circle_are_a_question(linker: Linker, write: Writer) -> None:
    circle = [PersonName(given="Klaas", family="Zandvliet"), PersonName(given="Inge", family="Woudstra")]
    filip = PersonName(given="Filip")
    peeters = PersonName(initials="F.", family="Oosterling")
    mentions = [write(document, name) for document in ("one", "two", "three") for name in circle]
    asked = [write("one", peeters), write("two", filip)]
    result = linker.link([*mentions, *asked])
    assert not together(result, *asked)
    assert {m.mention.mention_id for m in asked} in [
        {link.pair.left, link.pair.right} for link in result.open_links()
    ]
    alone = linker.link([write("four", peeters), write("five", filip)])
    assert not list(alone.open_links())


def test_a_surname_may_be_whoever_has_it_with_initials_as_well(linker: Linker, write: Writer) -> None:
    fenna = write("d", FENNA)
    initials = write("d", PersonName(initials="M.", family="Woudstra"))
    surname = write("d", PersonName(family="Woudstra"))
    result = linker.link([fenna, initials, surname])
    assert len(result.identities) == 3
    asked = result.identity_of(surname.mention_id).candidates
    assert set(asked) == {result.identity_of(m.mention_id).identity_id for m in (fenna, initials)}


def test_who_signs_by_the_call_name_is_the_one_with_other_initials(linker: Linker, write: Writer) -> None:
    inge = write("one", PersonName(given="Inge", family="Woudstra"))
    formal = write(
        "one", PersonName(initials="A.C.", family="Woudstra"), same_as=frozenset({inge.mention_id})
    )
    short = write("two", PersonName(initials="I.", family="Woudstra"))
    other = write("three", PersonName(initials="B.", family="Woudstra"))
    result = linker.link([inge, formal, short, other])
    assert together(result, inge, formal, short)
    assert not together(result, inge, other)


def test_two_who_exclude_each_other_are_not_both_the_one_they_fit(linker: Linker, write: Writer) -> None:
    inge = write("d", PersonName(given="Inge", family="Zandvliet"))
    short = PersonName(initials="I.", family="Zandvliet")
    older = write("d", short, attributes=frozenset({("birth_date", "1950-02-01")}))
    younger = write("d", short, attributes=frozenset({("birth_date", "1980-02-01")}))
    result = linker.link([inge, older, younger])
    assert len(result.identities) == 3
    for mention in (older, younger):
        known = result.identity_of(inge.mention_id).identity_id
        assert known in result.identity_of(mention.mention_id).candidates


def test_a_chain_does_not_join_two_who_stand_side_by_side(linker: Linker, write: Writer) -> None:
    jan, johan = write("d", PersonName(given="Bert")), write("d", PersonName(given="Robert"))
    jan = replace(jan, context=replace(jan.context, joined_with=frozenset({johan.mention_id})))
    full = write("d", PersonName(given="Robert", family="Zandvliet"))
    result = linker.link([jan, johan, full])
    assert together(result, johan, full)
    assert not together(result, jan, full)


def test_one_given_name_does_not_make_two_full_names_one_rival(linker: Linker, write: Writer) -> None:
    kees = PersonName(given="Kees", family="Oosterling")
    fenna = PersonName(given="Fenna")
    mentions = [write(document, kees) for document in ("one", "two", "three")]
    lone = write("one", fenna)
    mentions += [write("two", PersonName(given="Fenna", family="Zandvliet"))]
    mentions += [write("three", PersonName(given="Fenna", family="Woudstra"))]
    result = linker.link([*mentions, lone])
    assert len(result.identity_of(lone.mention_id).mention_ids) == 1


@pytest.mark.parametrize("place", [0, 2])
def test_who_of_two_namesakes_is_named_again_stays_open(linker: Linker, write: Writer, place: int) -> None:
    name = PersonName(given="Gerben", family="Zandwijk")
    mentions = [write("d", name) for _ in range(3)]
    again = mentions.pop(place)
    first, second = mentions
    told = [
        replace(first, context=replace(first.context, joined_with=frozenset({second.mention_id}))),
        replace(second, context=replace(second.context, joined_with=frozenset({first.mention_id}))),
    ]
    result = linker.link([*told, again])
    assert len(result.identities) == 3
    both = {result.identity_of(m.mention_id).identity_id for m in told}
    assert set(result.identity_of(again.mention_id).candidates) == both
