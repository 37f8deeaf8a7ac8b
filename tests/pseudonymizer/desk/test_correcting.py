"""Corrections: any list of commands keeps the rules of mentions; what cannot be is refused."""

from collections.abc import Sequence
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.judgement import Verdict
from linkage.kinds import Kinds
from linkage.records import PERSON, KindId, Span
from pseudonymizer.desk.commands import (
    Add,
    ChangeKind,
    Command,
    Confirm,
    Make,
    Merge,
    Narrow,
    Pick,
    Reject,
    Split,
    SplitForms,
    Step,
    Widen,
)
from pseudonymizer.desk.corrected import Corrected, CorrectedMention, corrected
from pseudonymizer.desk.correcting import Correcting
from pseudonymizer.errors import CorrectionRefusedError, OutdatedCorrectionError

TEXTS: Final = {
    "a.txt": "Jan de Vries belde. De Graaf en Jan \U0001f44d zagen Jansen; j.jan@x.nl van De Graaf.",
    "b.txt": "De Graaf, De Graafs en de graaf. Jan\r\nde Vries.",
}
CORRECTING: Final = Correcting(TEXTS, Kinds.load())
MOMENT: Final = "2026-01-02T03:04:00+00:00"


def line(document: str, *mentions: tuple[int, int, str]) -> dict[str, object]:
    return {
        "doc_id": document,
        "mentions": [
            {"start": start, "end": end, "text": TEXTS[document][start:end], "kind": kind, "detector": "ner",
             "confidence": 0.5}
            for start, end, kind in mentions
        ],
    }  # fmt: skip


def first() -> Corrected:
    """m1 Jan de Vries, m2 Jan, m3 j.jan@x.nl, m4 jan inside it, m5 De Graaf of b.txt."""
    lines = [
        line("a.txt", (0, 12, "PERSON"), (32, 35, "PERSON"), (52, 62, "EMAIL"), (54, 57, "PERSON")),
        line("b.txt", (0, 8, "PERSON")),
    ]
    state = corrected(lines, {})
    persons = {**state.persons, "m2": state.persons["m1"], "m4": state.persons["m1"]}
    return Corrected(state.mentions, persons, made=state.made)


def step(command: Command) -> Step:
    return Step(command, MOMENT, "mk")


def after(state: Corrected, *commands: Command) -> Corrected:
    for command in commands:
        state, _ = CORRECTING.applied(state, step(command))
    return state


def added(document: str, words: str, *, everywhere: bool = False, kind: str = "PERSON") -> Add:
    start = TEXTS[document].index(words)
    return Add(document, start, start + len(words), words, kind, everywhere)


@st.composite
def commands(draw: st.DrawFn) -> Command:
    mention = st.sampled_from([f"m{number}" for number in range(1, 14)])
    person = st.sampled_from(["pm1", "pm2", "pm5", *(f"p{number}" for number in range(6, 12))])
    document = draw(st.sampled_from(sorted(TEXTS)))
    text = TEXTS[document]
    start = draw(st.integers(0, len(text) - 1))
    end = min(len(text), start + draw(st.integers(1, 14)))
    span = draw(st.sampled_from([(start, end), (0, 12), (0, 3), (20, 28), (32, 35), (7, 12), (54, 62)]))
    words = text[slice(*span)] or "x"
    everywhere = draw(st.booleans())
    kind = draw(st.sampled_from(["PERSON", "EMAIL", "CITY"]))
    made: list[Command] = [
        Add(document, *span, words, kind, everywhere),
        Reject(draw(mention), everywhere),
        Confirm(draw(mention), everywhere),
        Widen(draw(mention), *span, words),
        Narrow(draw(mention), *span, words),
        ChangeKind(draw(mention), kind, everywhere),
        Pick(draw(mention), draw(person)),
        Make(draw(mention)),
        Merge(draw(person), draw(person)),
        Split(tuple(draw(st.lists(mention, min_size=1, max_size=3)))),
    ]
    return draw(st.sampled_from(made))


def check(state: Corrected) -> None:
    """What holds of every state."""
    assert {key for key, one in state.mentions.items() if one.kind == PERSON} == state.persons.keys()
    for key, one in state.mentions.items():
        assert one.mention_id == key
        assert one.span.cut(TEXTS[one.document]) == one.text
    everyone = list(state.mentions.values())
    for left in everyone:
        for right in everyone:
            if left is not right and left.document == right.document and left.span.overlaps(right.span):
                outer, inner = (left, right) if left.span.contains(right.span) else (right, left)
                assert outer.span.contains(inner.span)
                assert inner.kind in CORRECTING.kinds[outer.kind].holds
    for verdict in state.verdicts:
        assert verdict.left != verdict.right
        assert {verdict.left, verdict.right} <= state.persons.keys()
        if verdict.verdict is Verdict.REJECT:
            assert state.persons[verdict.left] != state.persons[verdict.right]
        else:
            assert state.persons[verdict.left] == state.persons[verdict.right]
    assert len({verdict.pair for verdict in state.verdicts}) == len(state.verdicts)


@settings(max_examples=200, deadline=None)
@given(st.lists(commands(), max_size=12))
def test_any_list_of_commands_keeps_the_rules(given_commands: Sequence[Command]) -> None:
    state = first()
    check(state)
    for command in given_commands:
        try:
            new, count = CORRECTING.applied(state, step(command))
        except CorrectionRefusedError:
            continue
        assert count >= 1
        state = new
        check(state)


def test_everywhere_counts_each_free_place_once() -> None:
    state, count = CORRECTING.applied(first(), step(added("a.txt", "De Graaf", everywhere=True)))
    assert count == 2  # the one of b.txt was found before; "De Graafs" and "de graaf" are other words
    new = [one for one in state.mentions.values() if one.judged]
    assert [(one.document, one.span.start) for one in new] == [("a.txt", 20), ("a.txt", 67)]
    assert len({state.persons[one.mention_id] for one in new}) == 1
    state, count = CORRECTING.applied(state, step(Reject(new[0].mention_id, everywhere=True)))
    assert count == 3
    assert not [one for one in state.mentions.values() if one.text == "De Graaf"]


def test_confirmed_everywhere_is_judged_everywhere() -> None:
    state = after(first(), added("a.txt", "De Graaf"), Confirm("m5", everywhere=True))
    assert {(one.confidence, one.judged) for one in state.mentions.values() if one.text == "De Graaf"} == {
        (1.0, True)
    }


def test_widening_takes_in_what_lies_inside() -> None:
    state = after(first(), Narrow("m1", 0, 3, "Jan"), added("a.txt", "de Vries"))
    wide, count = CORRECTING.applied(state, step(Widen("m1", 0, 12, "Jan de Vries")))
    assert count == 2
    assert [one.text for one in wide.in_document("a.txt") if one.span.start < 12] == ["Jan de Vries"]


def test_a_change_of_kind_takes_the_person_away_and_gives_one() -> None:
    state = after(first(), ChangeKind("m2", "CITY"))
    assert "m2" not in state.persons
    back = after(state, ChangeKind("m2", "PERSON"))
    assert back.persons["m2"] not in set(first().persons.values())


def _verdicts(state: Corrected) -> set[tuple[frozenset[str], Verdict]]:
    return {(one.pair, one.verdict) for one in state.verdicts}


def test_two_people_taken_for_one() -> None:
    state = after(first(), Split(("m2", "m4")))
    assert state.persons["m2"] == state.persons["m4"] != state.persons["m1"]
    assert _verdicts(state) == {
        (frozenset(("m2", "m4")), Verdict.ACCEPT), (frozenset(("m1", "m2")), Verdict.REJECT),
    }  # fmt: skip
    joined = after(state, Merge(state.persons["m1"], state.persons["m2"]))
    assert len({joined.persons[key] for key in ("m1", "m2", "m4")}) == 1
    assert not [one for one in joined.verdicts if one.verdict is Verdict.REJECT]


def test_a_mention_means_another_person_or_a_new_one() -> None:
    state = after(first(), Pick("m2", "pm5"))
    assert state.persons["m2"] == state.persons["m5"] == "pm5"
    assert (frozenset(("m2", "m5")), Verdict.ACCEPT) in _verdicts(state)
    assert (frozenset(("m1", "m2")), Verdict.REJECT) in _verdicts(state)
    alone = after(state, Make("m2"))
    assert alone.persons["m2"] not in (state.persons["m1"], state.persons["m5"])
    assert (frozenset(("m2", "m5")), Verdict.REJECT) in _verdicts(alone)


def test_a_verdict_goes_over_to_another_mention_of_the_person() -> None:
    state = after(first(), Split(("m2",)), Reject("m1"))
    assert _verdicts(state) == {(frozenset(("m2", "m4")), Verdict.REJECT)}
    assert after(state, Reject("m4")).verdicts == ()


@pytest.mark.parametrize(
    "command",
    [
        Add("a.txt", 0, 3, "Jan"),  # inside another name
        Add("a.txt", 8, 15, "ries be"),
        Add("a.txt", 32, 35, "Jan", "CITY"),  # the same stretch
        Add("a.txt", 52, 62, "j.jan@x.nl", "CITY"),
        Widen("m1", 0, 34, TEXTS["a.txt"][:34]),
        Widen("m1", 0, 3, "Jan"),
        Narrow("m1", 0, 13, "Jan de Vries "),
        Narrow("m1", 0, 12, "Jan de Vries"),
        ChangeKind("m2", "PERSON"),
        ChangeKind("m2", "NO_SUCH_KIND"),
        Add("a.txt", 20, 28, "De Graaf", "NO_SUCH_KIND"),
        Make("m5"),  # nobody would be left
        Split(("m1", "m2", "m4")),
        Split(("m1", "m5")),  # of two persons
        Make("m3"),  # no person
        Merge("pm1", "pm1"),
        Pick("m1", "pm1"),
    ],
)
def test_what_overlaps_or_changes_nothing_is_refused(command: Command) -> None:
    with pytest.raises(CorrectionRefusedError) as caught:
        CORRECTING.applied(first(), step(command))
    assert not isinstance(caught.value, OutdatedCorrectionError)


@pytest.mark.parametrize(
    "command",
    [
        Add("a.txt", 20, 28, "De Graav"),
        Add("a.txt", 20, 99, "De Graaf"),
        Add("none.txt", 0, 3, "Jan"),
        Widen("m2", 28, 35, "en Jan"),
        Reject("m99"),
        Confirm("m99", everywhere=True),
        Merge("pm1", "p99"),
        Pick("m1", "p99"),
        Make("m99"),
        Split(("m99",)),
    ],
)
def test_what_is_not_there_by_now_is_refused(command: Command) -> None:
    with pytest.raises(OutdatedCorrectionError) as caught:
        CORRECTING.applied(first(), step(command))
    assert "Graa" not in str(caught.value)
    assert "Jan" not in str(caught.value)


def test_no_record_shows_a_name() -> None:
    shown = repr(
        [first(), added("a.txt", "De Graaf"), step(added("a.txt", "De Graaf")), *first().mentions.values()]
    )
    assert not any(word in shown for word in ("Graaf", "Jan", "Vries", ".txt"))


def test_a_name_may_stand_inside_an_address() -> None:
    bare = after(first(), Reject("m4"))
    inside = after(bare, Add("a.txt", 54, 57, "jan"))
    assert len(inside.mentions) == len(first().mentions)
    assert KindId("PERSON") in CORRECTING.kinds[KindId("EMAIL")].holds
    assert CorrectedMention("x", "a.txt", Span(0, 3), "Jan").place.end == 3


def test_forms_are_split_off() -> None:
    state = after(first(), SplitForms("pm1", ("Jan", "jan")))
    assert state.persons["m1"] == "pm1"
    assert state.persons["m2"] == state.persons["m4"] != "pm1"
    with pytest.raises(OutdatedCorrectionError):
        after(state, SplitForms("pm1", ("Jan",)))
    with pytest.raises(CorrectionRefusedError):  # nobody would be left
        after(first(), SplitForms("pm1", ("Jan", "jan", "Jan de Vries")))


def test_the_first_free_place_of_words() -> None:
    state = first()
    order = ["a.txt", "b.txt"]
    assert CORRECTING.first_free(state, order, "De Graaf", "PERSON") == ("a.txt", TEXTS["a.txt"].index("De"))
    assert CORRECTING.first_free(state, ["b.txt"], "De Graaf", "PERSON") is None  # it is marked, or longer
    assert CORRECTING.first_free(state, order, "nowhere", "PERSON") is None
    assert CORRECTING.first_free(state, order, "Jan", "PERSON") == ("b.txt", TEXTS["b.txt"].index("Jan"))
    with pytest.raises(CorrectionRefusedError):
        CORRECTING.first_free(state, order, "Jan", "NO_SUCH_KIND")
