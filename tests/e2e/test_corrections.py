"""Corrections as verdicts: the linker makes of them the persons that whoever corrected has seen."""

from collections.abc import Sequence

from linkage.judgement import Judgement, MentionPlace
from linkage.kinds import Kinds
from pseudonymizer.answers import LinkedDocuments
from pseudonymizer.desk.commands import Command, Merge, Pick, Split, Step
from pseudonymizer.desk.corrected import Corrected, corrected
from pseudonymizer.desk.correcting import Correcting
from pseudonymizer.mention_lines import mention_line
from pseudonymizer.project import Project

TEXTS = {
    "text 1": "Jan de Vries belde. Later kwam Jan de Vries langs, en Els Douma ook.",
    "text 2": "Mevrouw Els Douma kende Jan de Vries. Robert Hoekstra kwam een dag later.",
}


def _linked(project: Project, judgements: Sequence[Judgement] = ()) -> LinkedDocuments:
    return project.link(project.find(list(TEXTS.values())), judgements=judgements)


def _persons(linked: LinkedDocuments) -> dict[MentionPlace, str]:
    return {
        MentionPlace(document.name, one.mention.span.start, one.mention.span.end): str(
            linked.result.identity_of(one.mention_id).identity_id
        )
        for document in linked.documents
        for one in document.mentions
    }


def _groups(persons: dict[MentionPlace, str]) -> set[frozenset[MentionPlace]]:
    return {
        frozenset(place for place, one in persons.items() if one == person) for person in persons.values()
    }


def _seen(state: Corrected) -> set[frozenset[MentionPlace]]:
    return _groups({state.mentions[key].place: person for key, person in state.persons.items()})


def test_the_linker_makes_of_corrections_what_was_seen() -> None:
    project = Project.without_vault()
    linked = _linked(project)
    persons = _persons(linked)
    start = corrected([mention_line(one) for one in linked.documents], persons)
    assert _seen(start) == _groups(persons)
    by_place = {one.place: key for key, one in start.mentions.items()}
    jan = [by_place[MentionPlace("text 1", at, at + 12)] for at in (0, 31)]
    els = by_place[MentionPlace("text 1", 54, 63)]
    robert = next(key for key, one in start.mentions.items() if one.text == "Robert Hoekstra")
    lists: list[list[Command]] = [
        [Split((jan[1],))],
        [Merge(start.persons[jan[0]], start.persons[robert])],
        [Pick(jan[1], start.persons[els])],
        [Split((jan[1],)), Merge(start.persons[jan[0]], start.persons[robert])],
    ]
    correcting = Correcting(TEXTS, Kinds.load())
    for commands in lists:
        state = start
        for number, command in enumerate(commands):
            state, _ = correcting.applied(state, Step(command, f"2026-01-02T03:04:0{number}+00:00", "mk"))
        assert _groups(_persons(_linked(project, state.judgements()))) == _seen(state), commands
