"""What stands in the blind index: full names, ids of a registry, text that only looks like a token, values.

Each has a label of its own, so that equal texts of two of them have different tags.
"""

from collections.abc import Collection
from typing import Final

from pseudonymizer.crypto import BlindIndex
from pseudonymizer.values import Value
from pseudonymizer.vault.rows.forms import NORMAL_FORM_VERSION, VALUE_FORM_VERSION, Mark
from pseudonymizer.vault.store.projectkeys import ProjectKeys

NAME_LABEL: Final = "name"
REGISTRY_LABEL: Final = "registry"
LITERAL_LABEL: Final = "literal"
VALUE_LABEL: Final = "value"
INVENTED_LABEL: Final = "invented"  # values that stand in texts as the surrogate of another
_REGISTRY_MARK: Final = "registry:"


def tag_of(index: BlindIndex, label: str, text: str) -> bytes:
    return index.tag(label, text, normal_form_version=NORMAL_FORM_VERSION)


def tags_of(keys: ProjectKeys, label: str, text: str) -> dict[int, bytes]:
    """The tag under every key version that lives: while one is replaced, both are written and both are
    found."""
    return {version: tag_of(index, label, text) for version, index in keys.indexes.items()}


def registry_mark(registry_id: str) -> str:
    """Sealed with the person, so that the index can be made anew under another key."""
    return _REGISTRY_MARK + registry_id


def registry_id_of(mark: Mark) -> str | None:
    return mark.kind.removeprefix(_REGISTRY_MARK) if mark.kind.startswith(_REGISTRY_MARK) else None


def value_tags(
    index: BlindIndex, label: str, values: Collection[Value], *, version: int = VALUE_FORM_VERSION
) -> list[bytes]:
    """The tags of values in their order. label: VALUE_LABEL or INVENTED_LABEL. version: of their normal
    forms."""
    return index.tags(
        label, [f"{len(v.kind)}:{v.kind}{v.normal}" for v in values], normal_form_version=version
    )
