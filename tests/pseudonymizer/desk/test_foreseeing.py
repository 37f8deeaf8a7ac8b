"""What a writing would make of each kind: counted, in the order of kinds, and nothing is stored for it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linkage.kinds import LITERAL, PERSON
from pseudonymizer.desk.asked import TreatOptions
from pseudonymizer.desk.commands import Reject, Step
from pseudonymizer.desk.corrected import Corrected, corrected
from pseudonymizer.desk.correcting import Correcting
from pseudonymizer.desk.foreseeing import foreseen
from pseudonymizer.desk.workspace_answered import KindForeseen
from pseudonymizer.project import Project
from pseudonymizer.treatments.treatment import Treatment
from tests.pseudonymizer.desk.filled_desk import ANNA, PROJECT, FilledDesk

WORDS = [
    ("PHONE", "06-12345678"), ("PERSON", "Els Mol"), ("PERSON", "Jan Tolsma"), ("PERSON", "Jan Tolsma"),
    ("PERSON", "Piet Douma"), ("PHONE", "06-12345678"), ("PERSON", "Els Mol"), ("PERSON", "Jan Tolsma"),
    ("EMAIL", "j.tolsma@x.nl"),
]  # fmt: skip


def state_of(*words: tuple[str, str]) -> Corrected:
    """Mentions of these kinds and words, one behind the other."""
    mentions: list[dict[str, Any]] = []
    start = 0
    for kind, text in words:
        end = start + len(text)
        mentions.append(
            {"start": start, "end": end, "text": text, "kind": kind, "detector": "ner", "confidence": 0.9}
        )
        start = end + 1
    return corrected([{"doc_id": "a", "mentions": mentions}], {})


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FilledDesk]:
    made = FilledDesk(tmp_path)
    yield made
    made.close()


def project_of(desk: FilledDesk, **options: Any) -> Project:
    return desk.texts.project_of(desk.vault(ANNA.actor), PROJECT, TreatOptions(**options))


def shown(desk: FilledDesk, *words: tuple[str, str], **options: Any) -> dict[str, KindForeseen]:
    return {one.kind: one for one in foreseen(project_of(desk, **options), state_of(*words))}


def test_kinds_are_counted_in_the_order_of_the_table(desk: FilledDesk) -> None:
    project = project_of(desk)
    found = foreseen(project, state_of(*WORDS))
    assert {one.kind: one.found for one in found} == {"PERSON": 6, "PHONE": 2, "EMAIL": 1}
    order = [str(one) for one in project.plan().kinds]
    assert [one.kind for one in found] == sorted((one.kind for one in found), key=order.index)


def test_examples_are_the_commonest_values(desk: FilledDesk) -> None:
    found = shown(desk, *WORDS)
    assert [one.text for one in found["PERSON"].examples] == ["Jan Tolsma", "Els Mol"]
    assert [one.text for one in found["PHONE"].examples] == ["06-12345678"]
    assert "Tolsma" not in repr(found["PERSON"].examples[0])


def test_persons_have_the_look_of_the_style(desk: FilledDesk) -> None:
    for style, is_drawn in (("code", True), ("mask", False)):
        (kind,) = shown(desk, ("PERSON", "Jan Tolsma"), style=style, restyle=True).values()
        (one,) = kind.examples
        assert kind.treatment == style
        assert one.becomes is not None
        assert "Tolsma" not in one.becomes
        assert ("\u2026" in one.becomes) is is_drawn
        assert not one.stays
    (drawn,) = shown(desk, ("PERSON", "Jan Tolsma"), style="surrogate", restyle=True)["PERSON"].examples
    assert (drawn.becomes, drawn.stays) == (None, False)


def test_what_is_not_asked_for_stays(desk: FilledDesk) -> None:
    found = shown(desk, *WORDS, kinds=("PHONE",), restyle=True)
    assert {kind: one.examples[0].stays for kind, one in found.items()} == {
        "PERSON": True, "PHONE": False, "EMAIL": True,
    }  # fmt: skip
    assert found["PERSON"].treatment == found["EMAIL"].treatment == Treatment.KEEP


def test_of_values_that_follow_a_person_only_the_run_can_tell(desk: FilledDesk) -> None:
    found = shown(desk, ("EMAIL", "j.tolsma@x.nl"), treatments={"EMAIL": "follow"}, restyle=True)
    (one,) = found["EMAIL"].examples
    assert (found["EMAIL"].treatment, one.becomes, one.stays) == ("follow", None, False)


def test_a_treatment_is_applied_to_the_value(desk: FilledDesk) -> None:
    found = shown(desk, ("DATE", "12 maart 1984"), treatments={"DATE": "year"}, restyle=True)
    (one,) = found["DATE"].examples
    assert (found["DATE"].treatment, one.stays) == ("year", False)
    assert one.becomes is not None
    assert "1984" in one.becomes
    assert "maart" not in one.becomes


def test_literals_and_nothing_are_not_shown(desk: FilledDesk) -> None:
    assert shown(desk) == {}
    assert shown(desk, (str(LITERAL), "Jan Tolsma")) == {}


def test_corrections_count(desk: FilledDesk) -> None:
    state = state_of(*WORDS)
    jan = next(one for one in state.mentions.values() if one.text == "Jan Tolsma")
    step = Step(Reject(jan.mention_id, everywhere=True), "2026-01-01T00:00:00+00:00", "mk")
    after, _ = Correcting({}, desk.texts.kinds).applied(state, step)
    (people, *_) = (one for one in foreseen(project_of(desk), after) if one.kind == PERSON)
    assert (people.found, people.examples[0].text) == (3, "Els Mol")


def test_nothing_is_stored(desk: FilledDesk) -> None:
    project = project_of(desk)
    before = project.vault.last_event
    assert foreseen(project, state_of(*WORDS))
    assert project.vault.projects() == ()
    assert project.vault.last_event == before
