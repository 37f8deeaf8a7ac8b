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
