"""Surrogates: drawn from the shipped lists, unique, no real name, in the form of each mention; tags."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkage.gazetteer import Gazetteer
from linkage.names import parse_name
from linkage.records import Gender, PersonName, Span
from pseudonymizer.errors import SurrogatesExhaustedError
from pseudonymizer.professionals import acts_professionally
from pseudonymizer.records import Style
from pseudonymizer.settings import StyleSettings
from pseudonymizer.styles.labels import LabelRequest
from pseudonymizer.styles.name_forms import label_of, name_initials, parse_label, write_name
from pseudonymizer.styles.name_pool import FamilyWord, NamePool, is_reserved
from pseudonymizer.styles.reading import SurrogateReader
from pseudonymizer.styles.surrogate import (
    GivenSurrogates,
    RealNames,
    SurrogateLabels,
    SurrogateRules,
    TagLabels,
    count_clashes,
)


@cache
def gazetteer() -> Gazetteer:
    return Gazetteer.load()


@cache
def pool() -> NamePool:
    return NamePool.of(gazetteer())


def named(text: str) -> PersonName:
    return parse_name(text, gazetteer())


def drawn(*texts: str, rules: SurrogateRules | None = None, seed: bytes | None = None) -> list[str]:
    names = [named(text) for text in texts]
    source = SurrogateLabels(
        pool(), given=GivenSurrogates(), real=RealNames.of(names), rules=rules, gender_of=gazetteer().gender,
        seed_of=None if seed is None else lambda material: seed + material,
    )  # fmt: skip
    requests = [
        LabelRequest((name,), (), None, None if seed is None else text.encode())
        for name, text in zip(names, texts, strict=True)
    ]
    return source.draw(requests, taken=lambda _: ())


def test_no_word_of_the_pool_is_part_of_another() -> None:
    words = {w.lower() for names in pool().given.values() for w in names} | {
        f.word.lower() for f in pool().families
    }
    assert len(words) > 20_000
    for word in words:
        parts = {word[a:b] for a in range(len(word)) for b in range(a + 4, len(word) + 1)} - {word}
        assert not parts & words


@pytest.mark.parametrize(
    ("surface", "expected"),
    [
        ("Jan", "Yona"), ("JAN DE VRIES", "YONA VAN HOORNE"), ("jan de vries", "yona van hoorne"),
        ("J. de Vries", "Y. van Hoorne"), ("De Vries", "Van Hoorne"), ("de Vries", "van Hoorne"),
        ("Vries, Jan de", "Hoorne, Yona van"), ("DE VRIES, J.", "VAN HOORNE, Y."), ("Vries", "Hoorne"),
        ("Jna de Vreis", "Yona van Hoorne"), ("Jan's", "Yona's"), ("J.", "Y."),
    ],
)  # fmt: skip
def test_a_surrogate_takes_the_form_of_the_mention(surface: str, expected: str) -> None:
    assert write_name(parse_label("Yona van Hoorne"), named(surface), surface) == expected


def test_surrogates_are_unique_and_no_real_names() -> None:
    texts = [
        f"{a} {b}" for a in ("Jan", "Piet", "Sanne", "Els") for b in ("de Vries", "Bakker", "van Dijk", "Mol")
    ]
    labels = drawn(*texts)
    words = Counter(word for label in labels for word in label.split() if word[0].isupper())
    assert max(words.values()) == 1
    real = RealNames.of(map(named, texts))
    assert count_clashes(labels, real) == 0
    assert all(
        (" " in text.split(" ", 1)[1]) == (len(label.split()) > 2)
        for text, label in zip(texts, labels, strict=True)
    )


def test_gender_is_kept_and_initials_only_when_asked() -> None:
    names = pool()
    for label in drawn(*["Jan Mol", "Kees Mol"] * 10):
        assert label.split()[0] in names.given[Gender.MALE]
    kept = drawn("Sanne de Boer", rules=SurrogateRules(keep_initials=True))[0]
    assert kept[0] == "S"
    assert kept.split()[-1][0] == "B"


def test_relatives_share_a_family_name_when_asked() -> None:
    first, second = drawn("Jan de Boer", "Els de Boer", rules=SurrogateRules(keep_family=True))
    assert first.split(" ", 1)[1] == second.split(" ", 1)[1]
    first, second = drawn("Jan de Boer", "Els de Boer")
    assert first.split()[-1] != second.split()[-1]


def test_deterministic_surrogates_do_not_depend_on_order() -> None:
    texts = ["Jan de Boer", "Els Mol", "Sanne Bakker"]
    forward, backward = drawn(*texts, seed=b"k"), drawn(*texts[::-1], seed=b"k")
    assert forward == backward[::-1]
    assert forward != drawn(*texts, seed=b"other")


def test_words_run_out_into_double_names_and_then_an_error() -> None:
    single = next(w for w in ("Tolbert", "Tolberd", "Tolbarg") if not is_reserved(w))
    doubles = [f.word for f in pool().families if is_reserved(f.word)][:2]
    given = [w for w in pool().given[Gender.MALE] if not is_reserved(w)][:4]
    small = NamePool(
        {Gender.MALE: tuple(given), Gender.FEMALE: (), Gender.BOTH: ()},
        tuple(FamilyWord(word) for word in (single, *doubles)),
    )
    source = SurrogateLabels(small, given=GivenSurrogates(), real=RealNames.of([]))
    request = LabelRequest((PersonName(given="Jan", family="Mol"),), (), Gender.MALE)
    labels = source.draw([request] * 3, taken=lambda _: ())
    assert sorted(label.split()[1] for label in labels) == sorted(
        [single, "-".join(doubles), "-".join(doubles[::-1])]
    )
    with pytest.raises(SurrogatesExhaustedError):
        source.draw([request] * 4, taken=lambda _: ())


@given(
    st.sampled_from(["Yona van Hoorne", "Dima Safdar", "Windy el Ouasghiri", "Harley Quinta van der Gragt"])
)
def test_a_label_and_its_parts_are_the_same(label: str) -> None:
    assert label_of(parse_label(label)) == label


def test_surrogates_are_found_in_text_and_give_the_real_name_in_their_form() -> None:
    reader = SurrogateReader(["Yona van Hoorne", "Dima Safdar"])
    text = "Yona kwam. Dhr. Van Hoorne, Y. van Hoorne en YONA VAN HOORNE; Safdar, Dima."
    found = reader.find(text)
    real = {"Yona van Hoorne": named("Jan de Vries"), "Dima Safdar": named("Els Mol")}
    written = [write_name(real[one.label], one.form, one.span.cut(text)) for one in found]
    assert written == ["Jan", "De Vries", "J. de Vries", "JAN DE VRIES", "Mol, Els"]


def test_tags_count_on_and_leave_numbers_of_the_text_out() -> None:
    tags = TagLabels(stored=lambda: ["<PERSOON-2>"], avoid=["<PERSOON-4>"])
    labels = tags.draw([LabelRequest()] * 3, taken=lambda _: ())
    assert labels == ["<PERSOON-3>", "<PERSOON-5>", "<PERSOON-6>"]


def test_first_letters() -> None:
    assert name_initials(named("Jan de Vries"), "Jan de Vries") == "J.d.V."


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("rechter: mr. A. Bos; getuige Els Mol", "A. Bos", True),
        ("rechter: mr. A. Bos; getuige Els Mol", "Els Mol", False),
        ("mr. P. Kok, advocaat te Breda", "P. Kok", True),
        ("Jan Tolsma (advocaat: mr. P. Kok)", "Jan Tolsma", False),
        ("mr. P. Kok, advocaat, Jan Tolsma, eiser", "Jan Tolsma", False),
        ("mr. Jan Tolsma kwam", "Jan Tolsma", False),
    ],
)
def test_professionals(text: str, name: str, expected: bool) -> None:
    start = text.index(name)
    assert acts_professionally(text, Span(start, start + len(name))) is expected


def test_settings_of_styles_travel_as_data() -> None:
    settings = StyleSettings(Style.SURROGATE, {"email": Style.TOKEN}, keep_family=True)
    assert StyleSettings.from_mapping(settings.to_mapping()) == settings
    assert StyleSettings(Style.INITIALS, {"email": Style.MASK}).is_one_way
    assert not StyleSettings(kinds={"email": Style.MASK}).is_one_way
