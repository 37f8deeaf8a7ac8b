"""A run in another style writes over outputs only where somebody says so."""

import re
from pathlib import Path

from tests.pseudonymizer.test_cli import STORE, Nymlink, corpus, files_of, nymlink

__all__ = ["corpus", "nymlink"]  # fixtures
RUN = ("run", "in", "--out", "out", *STORE)


def test_outputs_with_a_way_back_are_not_masked_in_silence(nymlink: Nymlink, corpus: Path) -> None:
    assert nymlink(*RUN).status == 0
    before = files_of(corpus / "out")
    refused = nymlink(*RUN, "--style", "mask")
    assert (refused.status, refused.out) == (1, "")
    assert "style code, and mask is asked for" in refused.err
    assert "would lose their way back" in refused.err
    assert "write over them with --restyle\n" in refused.err
    assert files_of(corpus / "out") == before
    assert nymlink("restore", "out", "--out", "back", "--purpose", "x", *STORE).out == "2 exact\n"


def test_it_is_done_where_somebody_says_so(nymlink: Nymlink, corpus: Path) -> None:
    assert nymlink(*RUN, "--style", "tag").status == 0
    refused = nymlink(*RUN, "--style", "token")
    assert refused.status == 1
    assert "lose their way back" not in refused.err
    assert nymlink(*RUN, "--style", "token", "--restyle").status == 0
    assert not re.search(r"<PERSOON", (corpus / "out" / "a.txt").read_text())
    assert nymlink(*RUN, "--style", "token").status == 0


def test_another_folder_and_the_same_style_are_not_refused(nymlink: Nymlink, corpus: Path) -> None:
    assert nymlink(*RUN).status == 0
    assert nymlink(*RUN).status == 0
    assert nymlink("run", "in", "--out", "masked", "--style", "mask", *STORE).status == 0
    assert corpus.exists()


def test_another_style_in_another_folder_of_the_project_is_asked_first(
    nymlink: Nymlink, corpus: Path
) -> None:
    assert nymlink(*RUN, "--style", "tag").status == 0
    there = ("run", "in", "--out", "elsewhere", *STORE)
    refused = nymlink(*there, "--style", "surrogate")
    assert (refused.status, refused.out) == (1, "")
    assert (
        "people of this project have pseudonyms of the style tag, and surrogate is asked for" in refused.err
    )
    assert not (corpus / "elsewhere" / "a.txt").exists()
    text = ("run", "-", "--out", "-", *STORE, "--style", "code")
    assert nymlink(*text, stdin=b"Jan Tolsma").status == 1
    assert nymlink("run", "in/a.txt", "--out", "a.txt", *STORE, "--style", "code").status == 1
    assert nymlink(*there, "--style", "tag").status == 0
    assert nymlink("run", "in", "--out", "third", *STORE, "--style", "surrogate", "--restyle").status == 0
    assert nymlink("run", "in", "--out", "fourth", *STORE, "--style", "surrogate").status == 0
    other = ("run", "in", "--out", "fifth", *STORE[:4], "--project", "q", "--style", "token")
    assert nymlink(*other).status == 0


def test_values_in_another_style_do_not_count(nymlink: Nymlink, corpus: Path) -> None:
    (corpus / "in" / "c.txt").write_text("Jan Tolsma: NL91ABNA0417164300")
    profile = ("--profile", "direct", "--style", "surrogate")
    assert nymlink(*RUN, *profile, "--treat", "bank_account=code").status == 0
    assert nymlink("run", "in", "--out", "more", *STORE, *profile).status == 0
    assert nymlink("run", "in", "--out", "codes", *STORE, "--style", "code").status == 1


def test_an_option_about_something_else_changes_no_style(nymlink: Nymlink, corpus: Path) -> None:
    assert nymlink(*RUN, "--no-mark", "--keep", "domain").status == 0
    assert re.search(r"PERSOON-[0-9A-Z]{5}", (corpus / "out" / "a.txt").read_text())
    assert nymlink("run", "in", "--out", "more", *STORE).status == 0


def test_a_new_project_goes_on_in_the_style_of_its_first_run(nymlink: Nymlink, corpus: Path) -> None:
    assert nymlink(*RUN, "--style", "tag").status == 0
    assert nymlink("run", "in", "--out", "more", *STORE).status == 0
    assert "<PERSOON-" in (corpus / "more" / "a.txt").read_text()
