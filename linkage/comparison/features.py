"""The table of features, by name and in the order of the vectors, each with a line of explanation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from linkage.comparison.form_features import FORM_FEATURES
from linkage.comparison.word_features import GIVEN_FEATURES, SURNAME_FEATURES
from linkage.comparison.words import Floats


@dataclass(frozen=True, slots=True)
class Feature:
    """part: given, surname or form. explanation: one line for people."""

    part: str
    explanation: str


def _explained(part: str, features: Mapping[str, Callable[..., Floats]]) -> dict[str, Feature]:
    prefix_of = {"given": "given_", "surname": "surname_", "form": ""}[part]
    return {
        f"{prefix_of}{name}": Feature(part, (function.__doc__ or name.replace("_", " ")).splitlines()[0])
        for name, function in features.items()
    }


# Order = column order of the vectors.
FEATURES: Mapping[str, Feature] = {
    **_explained("given", GIVEN_FEATURES),
    **_explained("surname", SURNAME_FEATURES),
    **_explained("form", FORM_FEATURES),
}
