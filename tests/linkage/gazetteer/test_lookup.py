"""What the shipped gazetteer knows, and what it says about damaged lists."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from linkage.errors import GazetteerError, KindsError
from linkage.gazetteer import Gazetteer
from linkage.language import Language
from linkage.records import Gender
from linkage.settings import data_directory

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("written", ["Johannes", "JOHANNES", "johannes"])
def test_given_names_in_any_case(gazetteer: Gazetteer, written: str) -> None:
    entry = gazetteer.given_name(written)
    assert entry is not None
    assert entry.name == "Johannes"
    assert entry.gender is Gender.MALE
    assert entry.frequency > 1000


def test_gender_of_a_compound_is_that_of_its_first_part(gazetteer: Gazetteer) -> None:
    assert gazetteer.gender("Maria Wilhelmina") is Gender.FEMALE
    assert gazetteer.gender("Xqzwv") is None


def test_surname_with_and_without_its_particle(gazetteer: Gazetteer) -> None:
    bare, whole = gazetteer.surname("Vries"), gazetteer.surname("de Vries")
    assert bare is not None
    assert bare == whole
    assert "de" in bare.particles
    assert gazetteer.surname("Xqzwv") is None
    assert gazetteer.surname_frequency("Xqzwv") == 0


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("van der", "van der"), ("VAN DER", "van der"), ("v.d.", "van der"), ("van  het", "van 't"),
        ("\u2019t", "'t"), ("el", "el"), ("Jansen", None),
    ],
)  # fmt: skip
def test_particles(gazetteer: Gazetteer, written: str, usual: str | None) -> None:
    assert gazetteer.canonical_particle(written) == usual
    assert gazetteer.is_particle(written) is (usual is not None)


@pytest.mark.parametrize(
    ("written", "parts"),
    [
        ("van den Berg", ("van den", "Berg")),
        ("van Berg", ("van", "Berg")),
        ("de la Rie", ("de la", "Rie")),
        ("d'Arcy", ("d'", "Arcy")),
        ("de", (None, "de")),
        ("Jansen", (None, "Jansen")),
        ("", (None, "")),
    ],
)
def test_the_longest_particle_is_cut_off(
    gazetteer: Gazetteer, written: str, parts: tuple[str | None, str]
) -> None:
    assert gazetteer.split_particle(written) == parts


def test_titles(gazetteer: Gazetteer) -> None:
    for written in ("mevr.", "Mevr", "MW.", "mevrouw"):
        title = gazetteer.title(written)
        assert title is not None
        assert title.gender is Gender.FEMALE
    assert gazetteer.title("Jansen") is None


def test_use_as_an_ordinary_word(gazetteer: Gazetteer) -> None:
    share = gazetteer.word_share
    assert share("jaar") > 0.95
    assert share("jaar") > share("roos") > share("jaap")
    assert share("mulder") < 0.3  # in the dictionary, but nobody means the miller
    assert gazetteer.is_word("jaar")
    assert not gazetteer.is_word("Jeroen")
    assert gazetteer.zipf("jaar") > gazetteer.zipf("jaap") > gazetteer.zipf("xqzwv") == 0


def test_variants_of_a_given_name(gazetteer: Gazetteer) -> None:
    assert gazetteer.variant_kind("Johannes", "Hans") in ("nickname", "diminutive", "form")
    assert gazetteer.variant_kind("Hans", "Johannes") == gazetteer.variant_kind("Johannes", "Hans")
    assert gazetteer.variant_kind("Johannes", "Petronella") is None
    assert "Elisabeth" in gazetteer.full_forms("bep")
    assert gazetteer.shared_full_forms("Jan", "Hans") >= 1
    assert gazetteer.shared_full_forms("Jan", "Petronella") == 0


def test_places_and_organisations(gazetteer: Gazetteer) -> None:
    assert gazetteer.is_place("Utrecht")
    assert not gazetteer.is_place("Xqzwv")
    assert gazetteer.is_organisation("spotify")


def test_cues_and_markers(gazetteer: Gazetteer) -> None:
    assert "closing" in gazetteer.cues["met vriendelijke groet"]
    assert "disease" in gazetteer.markers["parkinson"]
    assert "bv" in gazetteer.grammar_words("legal_form")
    with pytest.raises(KindsError):
        gazetteer.grammar_words("no such kind")


def test_the_repr_shows_no_name(gazetteer: Gazetteer) -> None:
    assert repr(gazetteer) == "Gazetteer()"
    assert "Johannes" not in repr(gazetteer.given_name("Johannes"))
    assert "entries" in repr(gazetteer.given_names)


def test_a_language_without_lists_is_refused() -> None:
    with pytest.raises(KindsError, match=r"no tables for the language 'xx'"):
        Gazetteer.load("xx")


def test_a_damaged_list_is_named(tmp_path: Path) -> None:
    place = tmp_path / "lexicon" / "given_names"
    place.mkdir(parents=True)
    whole = gzip.compress(b"jan\t\tm\t5\n")
    (place / "names.tsv.gz").write_bytes(whole[:-8])
    damaged = Gazetteer(Language("xx", tmp_path))
    with pytest.raises(GazetteerError, match=r"given_names/names\.tsv\.gz"):
        damaged.is_given_name("Jan")
    (place / "names.tsv.gz").write_bytes(gzip.compress(b"jan\n"))
    with pytest.raises(GazetteerError, match="second column"):
        Gazetteer(Language("xx", tmp_path)).is_given_name("Jan")
    with pytest.raises(GazetteerError, match="missing"):
        damaged.is_surname("Jansen")


def test_every_list_says_where_it_comes_from() -> None:
    folder = data_directory() / "languages" / "nl" / "lexicon"
    for place in sorted(folder.iterdir()):
        text = (place / "SOURCE.md").read_text(encoding="utf-8")
        assert any(licence in text for licence in ("CC0", "CC BY", "MIT")), place.name
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 8_000_000


def test_loading_takes_under_a_second_and_250_megabytes() -> None:
    program = (
        f"import sys, time\nsys.path.insert(0, {str(ROOT / 'scripts')!r})\n"
        "from peak_memory import peak_bytes\n"
        "from linkage.gazetteer import Gazetteer\n"
        "before = peak_bytes()\n"
        "start = time.process_time()\n"
        "g = Gazetteer.load()\n"
        "g.given_names, g.surnames, g.zipf('jan'), g.places, g.organisations, g.cues, g.variants('Jan')\n"
        "print(time.process_time() - start, (peak_bytes() - before) / 2**20)\n"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    seconds, megabytes = (float(value) for value in done.stdout.split())
    assert seconds < 3  # CPU time; 0.4 s on an idle core, and test machines are slow and shared
    assert megabytes < 250


def test_a_process_reads_the_lists_of_a_language_once(tmp_path: Path) -> None:
    assert Gazetteer.load("nl") is Gazetteer.of(Language.load("nl"))
    other = Language("nl", tmp_path)  # another folder is another language
    assert Gazetteer.of(other) is not Gazetteer.load("nl")
    assert Gazetteer.of(other) is Gazetteer.of(other)
