"""The tags under which values are found: of a kind and a form, apart from names, the same for ever."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pseudonymizer.crypto import BlindIndex
from pseudonymizer.values import Value
from pseudonymizer.vault.rows.indexing import (
    INVENTED_LABEL,
    LITERAL_LABEL,
    NAME_LABEL,
    REGISTRY_LABEL,
    VALUE_LABEL,
    tag_of,
    value_tags,
)

FROZEN: dict[str, str] = json.loads((Path(__file__).parents[3] / "vectors" / "formats.json").read_text())
INDEX = BlindIndex(bytes.fromhex(FROZEN["key"]), version=1)
ACCOUNT = Value("BANK_ACCOUNT", "NL91ABNA0417164300")
texts = st.text("AB1:", max_size=4)
values = st.builds(Value, texts, texts)


def test_tags_are_what_they_were() -> None:
    for label in (VALUE_LABEL, INVENTED_LABEL):
        (tag,) = value_tags(INDEX, label, [ACCOUNT])
        assert tag.hex() == FROZEN[f"{label}_tag"]


@given(values, values)
def test_only_equal_values_have_equal_tags(one: Value, two: Value) -> None:
    first, second = value_tags(INDEX, VALUE_LABEL, [one, two])
    assert (first == second) is (one == two)


@given(values)
def test_a_value_is_no_name_no_surrogate_and_of_one_version(value: Value) -> None:
    (tag,) = value_tags(INDEX, VALUE_LABEL, [value])
    others = {tag_of(INDEX, label, value.normal) for label in (NAME_LABEL, REGISTRY_LABEL, LITERAL_LABEL)}
    written = f"{len(value.kind)}:{value.kind}{value.normal}"
    others |= {tag_of(INDEX, label, written) for label in (NAME_LABEL, REGISTRY_LABEL, LITERAL_LABEL)}
    others.update(value_tags(INDEX, INVENTED_LABEL, [value]))
    others.update(value_tags(INDEX, VALUE_LABEL, [value], version=2))
    assert tag not in others
