"""Options of a project and of a run: what holds where nothing is said, and no name in any repr."""

from linkage.gazetteer import Gazetteer
from linkage.records import EntityId, KnownIdentity, PersonName, Span
from linkage.review import Judgement, MentionPlace, Verdict
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.formats import FormatOptions
from pseudonymizer.project_options import ProjectOptions, RunOptions
from pseudonymizer.records import Scope


def test_where_nothing_is_said_the_project_decides_on_styles_and_names_have_one_label() -> None:
    options = ProjectOptions()
    assert (options.styles, options.scope, options.deterministic) == (None, Scope.PROJECT, False)
    assert (options.load, options.registered, options.formats) == (None, None, FormatOptions())
    assert options.lists == Gazetteer.load


def test_a_run_treats_everything_unless_it_is_told_otherwise() -> None:
    run = RunOptions()
    assert (run.workers, run.limit, run.time_limit, run.mentions, run.machines) == (None,) * 5
    assert (run.retry_failed, run.dry_run, run.judgements) == (False, False, ())


def test_no_repr_tells_a_name() -> None:
    names = (PersonName(given="Jan", family="Tolsma"),)
    place = MentionPlace("Jan Tolsma.txt", 0, 10)
    records = [
        ProjectOptions(registered=[KnownIdentity(EntityId("7"), names)]),
        RunOptions(
            mentions={"brief Jan Tolsma.txt": (GivenMention(Span(0, 10), "Jan Tolsma"),)},
            judgements=[Judgement("Jan Tolsma", "J. Tolsma", Verdict.ACCEPT, left_at=place, right_at=place)],
        ),
    ]
    assert not any("Tolsma" in repr(record) for record in records)
