"""Planning: each file once, no loops, nothing over a source."""

import os
from pathlib import Path

import pytest
from hypothesis import given as hypothesis_given
from hypothesis import strategies as st

from linkage.errors import UnsupportedInputError
from linkage.records import DocumentId
from pseudonymizer.engine.records import AnalyzeTask, SourceFailure
from pseudonymizer.engine.sources import SourceFile, find_sources, read_file, unused_path
from pseudonymizer.errors import BatchError
from pseudonymizer.finding import texts_of
from pseudonymizer.formats import FormatOptions
from pseudonymizer.runs.restore import Restoration
from pseudonymizer.runs.stages import Worker
from tests.pseudonymizer.batch_fakes import load_fake, make_vault
from tests.rights import without_reading_everything


def relatives(sources: tuple[SourceFile, ...]) -> list[str]:
    return [source.relative for source in sources]


def fill(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def test_folders_are_searched_through_in_a_fixed_order(tmp_path: Path) -> None:
    fill(tmp_path / "in", "b.txt", "a.txt", "sub/c.txt", "sub/deep/d.txt", ".nymlink/paths.tsv")
    assert relatives(find_sources([tmp_path / "in"])) == ["a.txt", "b.txt", "sub/c.txt", "sub/deep/d.txt"]


def test_a_folder_given_twice_or_within_another_is_done_once(tmp_path: Path) -> None:
    fill(tmp_path / "in", "a.txt", "sub/c.txt")
    inputs = [tmp_path / "in", tmp_path / "in" / "sub", tmp_path / "in" / "." / "a.txt", tmp_path / "in"]
    assert relatives(find_sources(inputs)) == ["a.txt", "sub/c.txt"]


def test_a_hard_link_is_the_same_file(tmp_path: Path) -> None:
    fill(tmp_path / "in", "a.txt")
    os.link(tmp_path / "in" / "a.txt", tmp_path / "in" / "b.txt")
    assert relatives(find_sources([tmp_path / "in"])) == ["a.txt"]


def test_links_to_folders_are_followed_and_never_in_circles(tmp_path: Path) -> None:
    fill(tmp_path / "in", "a.txt", "sub/c.txt")
    fill(tmp_path / "other", "x.txt")
    (tmp_path / "in" / "sub" / "up").symlink_to(tmp_path / "in", target_is_directory=True)
    (tmp_path / "in" / "self").symlink_to("self")
    (tmp_path / "in" / "away").symlink_to(tmp_path / "other", target_is_directory=True)
    found = relatives(find_sources([tmp_path / "in"], follow_links=True))
    assert [name for name in found if name != "self"] == ["a.txt", "away/x.txt", "sub/c.txt"]


def test_two_inputs_with_one_path_do_not_share_an_output(tmp_path: Path) -> None:
    fill(tmp_path / "one", "a.txt")
    fill(tmp_path / "two", "a.txt", "A.txt")
    fill(tmp_path / "x" / "two", "a.txt")
    inputs = [tmp_path / "one", tmp_path / "two", tmp_path / "x" / "two"]
    found = relatives(find_sources(inputs))
    assert len({name.casefold() for name in found}) == len(found) == 4
    assert found[0] == "a.txt"


@pytest.mark.parametrize("given", ["in", "in/a.txt", "in/../in"])
def test_the_output_folder_is_no_input(tmp_path: Path, given: str) -> None:
    fill(tmp_path / "in", "a.txt")
    with pytest.raises(BatchError) as caught:
        find_sources([tmp_path / given], output=tmp_path / "in")
    assert "a.txt" not in str(caught.value)


def test_an_output_folder_inside_the_input_is_left_out(tmp_path: Path) -> None:
    fill(tmp_path / "in", "a.txt", "out/a.txt", "out/.nymlink/paths.tsv")
    assert relatives(find_sources([tmp_path / "in"], output=tmp_path / "in" / "out")) == ["a.txt"]


def test_a_missing_input_is_an_error_without_its_name(tmp_path: Path) -> None:
    with pytest.raises(BatchError) as caught:
        find_sources([tmp_path / "Jan Terpstra.txt"])
    assert "Terpstra" not in str(caught.value)


def test_a_folder_that_cannot_be_searched_is_named(tmp_path: Path) -> None:
    fill(tmp_path / "in", "a.txt", "closed/b.txt")
    (tmp_path / "in" / "closed").chmod(0)
    try:
        with without_reading_everything():
            assert relatives(find_sources([tmp_path / "in"])) == ["a.txt", "closed"]
    finally:
        (tmp_path / "in" / "closed").chmod(0o700)


def test_dangling_links_are_named_and_litter_is_known(tmp_path: Path) -> None:
    fill(tmp_path / "in", "a.txt", ".DS_Store", "Thumbs.db", "._a.txt", ".verborgen.txt")
    (tmp_path / "in" / "weg.txt").symlink_to(tmp_path / "nowhere")
    found = find_sources([tmp_path / "in"])
    assert {s.relative for s in found if s.is_litter} == {".DS_Store", "Thumbs.db", "._a.txt"}
    assert {"weg.txt", ".verborgen.txt"} <= set(relatives(found))
    assert "verborgen" not in repr(found)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names on POSIX alone")
@pytest.mark.parametrize("inside", [True, False])
def test_a_pipe_fails_and_is_not_passed_by(tmp_path: Path, inside: bool) -> None:
    (tmp_path / "in").mkdir()
    os.mkfifo(tmp_path / "in" / "pipe.txt")
    (source,) = find_sources([tmp_path / "in" if inside else tmp_path / "in" / "pipe.txt"])
    (outcome,) = Worker(load_fake).analyze([AnalyzeTask(DocumentId("a"), source.path)])
    assert isinstance(outcome, SourceFailure)
    assert outcome.reason == "this is no file, or it cannot be reached"
    assert texts_of([source], FormatOptions()) == {}
    report = Restoration(make_vault(tmp_path / "vault"), "p", "test").files([source], tmp_path / "back")
    assert [failure.reason for failure in report.failures] == [outcome.reason]


names = st.sampled_from(["a", "A", "a.txt", "A.txt", ".a"])
paths = st.lists(names, min_size=1, max_size=3).map("/".join)


@hypothesis_given(st.lists(st.tuples(paths, st.sampled_from(["", "a", "B"])), max_size=8))
def test_paths_in_the_output_are_unique_also_where_case_does_not_count(found: list[tuple[str, str]]) -> None:
    taken: set[str] = set()
    for relative, root in found:
        unused = unused_path(relative, root, taken)
        assert unused.casefold() not in taken
        assert (unused == relative) is (relative.casefold() not in taken)
        assert Path(unused).suffix == Path(relative).suffix
        taken.add(unused.casefold())


def test_only_a_file_is_read(tmp_path: Path) -> None:
    fill(tmp_path, "Jan Tolsma.txt")
    assert read_file(tmp_path / "Jan Tolsma.txt") == b"Jan Tolsma.txt"
    for place in (tmp_path, tmp_path / "Tolsma.txt"):
        with pytest.raises(UnsupportedInputError, match="this is no file") as error:
            read_file(place)
        assert "Tolsma" not in str(error.value)
