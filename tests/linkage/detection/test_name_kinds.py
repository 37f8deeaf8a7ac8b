"""Words of a language that tell the kind of a name."""

import pytest

from linkage.detection.name_kinds import typed_kind
from linkage.kinds import Kinds
from linkage.language import Language
from linkage.texts import KindId

DUTCH = Language.load("nl")


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        ("CITY", "Frankrijk", "COUNTRY"),
        ("CITY", "FRANKRIJK", "COUNTRY"),
        ("PLACE", "Achterhoek", "REGION"),
        ("CITY", "Zwolle", "CITY"),
        ("ORGANIZATION", "Frankrijk", "ORGANIZATION"),
        ("ORGANIZATION", "Streekziekenhuis Xandu", "CARE_PROVIDER"),
        ("ORGANIZATION", "Apotheek Xandu", "CARE_PROVIDER"),
        ("ORGANIZATION", "Xandu College", "SCHOOL"),
        ("CARE_PROVIDER", "Basisschool Xandu", "SCHOOL"),
        ("CITY", "Xandupark", "PLACE"),
        ("ORGANIZATION", "Bakkerij Park en Zoon", "ORGANIZATION"),
        ("DATE", "school", "DATE"),
    ],
)
def test_words_tell_the_kind(kind: str, text: str, told: str) -> None:
    assert typed_kind(KindId(kind), text, DUTCH) == told


def test_the_table_names_shipped_kinds() -> None:
    named = {*DUTCH.name_kinds("whole").values(), *DUTCH.name_kinds("head").values()}
    assert named <= set(Kinds.load())
