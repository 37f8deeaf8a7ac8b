"""Corrections in the files of docs/reference/judgements.md: `run` reads what is written."""

import json
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from linkage.judgement import Judgement, MentionPlace, Verdict
from linkage.judgement_file import read_judgements, write_judgements
from linkage.records import Span
from pseudonymizer.desk.commands import Command, Reject, Split, Widen
from pseudonymizer.desk.corrected import corrected
from pseudonymizer.errors import CorrectionRefusedError
from pseudonymizer.mention_lines import given_mentions
from tests.pseudonymizer.desk.test_correcting import (
    CORRECTING,
    MOMENT,
    TEXTS,
    after,
    commands,
    first,
    line,
    step,
)


@settings(max_examples=80, deadline=None)
@given(given_commands=st.lists(commands(), max_size=8))
def test_what_is_written_comes_back(given_commands: Sequence[Command]) -> None:
    state = first()
    for command in given_commands:
        try:
            state, _ = CORRECTING.applied(state, step(command))
        except CorrectionRefusedError:
            continue
    lines = [json.loads(json.dumps(one)) for one in state.lines(TEXTS)]
    assert [one["doc_id"] for one in lines] == list(TEXTS)
    persons = {state.mentions[key].place: person for key, person in state.persons.items()}
    again = corrected(lines, persons, state.judgements())
    assert list(again.lines(TEXTS)) == lines
    assert set(again.judgements()) == set(state.judgements())
    assert again.others == ()
    for document, mentions in given_mentions(lines).items():
        for one in mentions:
            assert one.span.cut(TEXTS[document]) == one.text


def test_judgements_are_those_of_the_command(tmp_path: Path) -> None:
    state = after(first(), Split(("m2",)))
    write_judgements(tmp_path / "verdicts.jsonl", state.judgements())
    told = read_judgements(tmp_path / "verdicts.jsonl")
    assert set(told) == {
        Judgement(
            "Jan de Vries", "jan", Verdict.ACCEPT, judged_at=MOMENT, judge="mk",
            left_at=MentionPlace("a.txt", 0, 12), right_at=MentionPlace("a.txt", 54, 57),
        ),
        Judgement(
            "Jan", "Jan de Vries", Verdict.REJECT, judged_at=MOMENT, judge="mk",
            left_at=MentionPlace("a.txt", 32, 35), right_at=MentionPlace("a.txt", 0, 12),
        ),
    }  # fmt: skip


def test_a_verdict_follows_its_mention_to_its_new_place() -> None:
    state = after(first(), Split(("m2",)), Widen("m2", 29, 35, "en Jan"))
    rejected = [one for one in state.judgements() if one.verdict is Verdict.REJECT]
    assert [(one.left_form, one.left_at) for one in rejected] == [("en Jan", MentionPlace("a.txt", 29, 35))]


def test_verdicts_of_a_file_are_kept_and_the_latest_of_a_pair_counts() -> None:
    left, right = MentionPlace("a.txt", 0, 12), MentionPlace("b.txt", 0, 8)

    def judged(verdict: Verdict, day: int) -> Judgement:
        return Judgement(
            "Jan de Vries", "De Graaf", verdict, judged_at=f"2026-01-0{day}T00:00:00+00:00",
            left_at=left, right_at=right,
        )  # fmt: skip

    forms = Judgement("A", "B", Verdict.REJECT)
    elsewhere = Judgement("A", "B", Verdict.ACCEPT, left_at=MentionPlace("c.txt", 0, 1), right_at=right)
    told = (judged(Verdict.REJECT, 2), judged(Verdict.ACCEPT, 1), forms, elsewhere)
    lines = [line("a.txt", (0, 12, "PERSON")), line("b.txt", (0, 8, "PERSON"))]
    state = corrected(lines, {}, told)
    assert [one.verdict for one in state.verdicts] == [Verdict.REJECT]
    assert set(state.judgements()) == set(told)


def test_further_fields_of_a_line_stay() -> None:
    raw = line("a.txt", (0, 12, "PERSON"), (32, 35, "PERSON"))
    raw["mentions"][0] |= {"person_id": "r1", "typo_of": "Jan de Fries"}  # type: ignore[index]
    state = after(corrected([raw], {}), Reject("m2"))
    (told,) = state.lines(["a.txt"])
    assert told["mentions"] == [raw["mentions"][0]]  # type: ignore[index]
    assert state.mentions["m1"].span == Span(0, 12)
