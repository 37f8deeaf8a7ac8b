"""Several gazetteers as one."""

import gzip
from pathlib import Path

import pytest

from linkage.gazetteer import Gazetteer
from linkage.gazetteer.joint import JointGazetteer
from linkage.language import Language
from linkage.language.digests import write_digests
from linkage.records import Gender
from tests.linkage.language.made_up import write_made_up


def _gazetteer(folder: Path, **lists: str) -> Gazetteer:
    """A made-up language with these lists in place of its own."""
    directory = write_made_up(folder)
    for name, text in lists.items():
        (file,) = directory.glob(f"lexicon/{name}/*.gz")
        file.unlink()
        file.write_bytes(gzip.compress(f"{text}\n".encode(), mtime=0))
    write_digests(directory)
    return Gazetteer(Language.read(directory))


@pytest.fixture
def joint(tmp_path: Path) -> JointGazetteer:
    one = _gazetteer(
        tmp_path / "one", given_names="xilo\tXilo\tm\t900\nnico\tNico\tm\t10",
        surnames="kwop\tKwop\tzu\t700", variants="Xilo\tXil\tnickname\thigh\town",
    )  # fmt: skip
    other = _gazetteer(
        tmp_path / "other", given_names="nico\tNico\tf\t70\nbel\tBel\tf\t5",
        surnames="kwop\tKwop\t\t3\nsar\tSar\t\t9", variants="Xilo\tXilou\tform\thigh\town",
    )  # fmt: skip
    return JointGazetteer([one, other])


def test_a_name_of_either_list_is_known_with_the_most_bearers(joint: JointGazetteer) -> None:
    assert [joint.given_name_frequency(name) for name in ("Xilo", "Nico", "Bel", "Zzz")] == [900, 70, 5, 0]
    assert [joint.surname_frequency(name) for name in ("Kwop", "Sar", "Zzz")] == [700, 9, 0]
    assert [joint.is_given_name(name) for name in ("Bel", "Zzz")] == [True, False]
    assert [joint.is_surname(name) for name in ("Sar", "Zzz")] == [True, False]


def test_a_name_of_women_here_and_men_there_is_of_both(joint: JointGazetteer) -> None:
    assert [joint.gender(name) for name in ("Xilo", "Nico", "Bel", "Zzz")] == [
        Gender.MALE, Gender.BOTH, Gender.FEMALE, None,
    ]  # fmt: skip


def test_variants_are_those_of_each(joint: JointGazetteer) -> None:
    assert [variant.name for variant in joint.variants("Xilo")] == ["Xil", "Xilou"]
    assert (joint.variant_kind("Xilo", "Xil"), joint.variant_kind("Xilo", "Xilou")) == ("nickname", "form")
    assert joint.shared_full_forms("Xil", "Xilou") == 1
    assert joint.full_forms("Xil") == ("Xilo",)


def test_the_words_of_the_first_hold_for_what_is_no_list(joint: JointGazetteer) -> None:
    assert joint.language.directory.parent.name == "one"
    assert joint.word_use("ka").zipf == 6.0
