"""Surrogates of values: the first candidate of the caller that is new to the project and not real there."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pseudonymizer.errors import SettingsError, SurrogatesExhaustedError
from pseudonymizer.styles.code import code_of
from pseudonymizer.styles.labels import LABEL_LIKE
from pseudonymizer.values import Candidate, Candidates, Value
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import published, values
from pseudonymizer.vault.rows.indexing import INVENTED_LABEL
from pseudonymizer.vault.store.projectkeys import ProjectKeys

_MOST_ATTEMPTS: Final = 200  # times that more candidates are asked of the caller for one value
# The candidates of each of these values, which was asked about so many times before.
AskCandidates = Callable[[Sequence[tuple[Value, int]]], Sequence[Sequence[Candidate]]]


class CandidatesWantedError(Exception):
    """Somebody else has the candidates: what must be asked there. Nothing that was written may be kept."""

    def __init__(self, wanted: Sequence[tuple[Value, int]]) -> None:
        super().__init__(f"candidates for {len(wanted)} values are wanted")
        self.wanted = tuple(wanted)


def asking(candidates: Candidates) -> AskCandidates:
    """Asks this function for each value."""
    return lambda asked: [candidates(value, attempt) for value, attempt in asked]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A surrogate: the value for which it stands, its text, and which value it seems to be."""

    value: Value
    text: str = field(repr=False)
    invented: Value = field(repr=False)


def draw_surrogates(
    vault: OpenVault,
    keys: ProjectKeys,
    owners: Sequence[Value],
    ask: AskCandidates | None,
    apart: Callable[[Value], Collection[str]],
    real: Collection[Value],
) -> list[Drawn]:
    """A surrogate for each of owners, in their order. apart: the kinds of which no surrogate of a value may
    be a real one. real: values that are not stored yet.

    Raises:
        SurrogatesExhaustedError: the caller has no candidate that can be taken.
    """
    if ask is None:
        raise SettingsError("surrogates of values are taken from candidates, and none are given")
    taken = _Taken(vault, keys, apart, real)
    drawn: dict[int, Drawn] = {}
    attempts: dict[Value, int] = {}
    while left := [number for number in range(len(owners)) if number not in drawn]:
        asked: list[tuple[Value, int]] = []
        for number in left:
            attempt = attempts.get(owners[number], 0)
            attempts[owners[number]] = attempt + 1
            asked.append((owners[number], attempt))
        offered = dict(zip(left, ask(asked), strict=True))
        for value, attempt in asked:
            if attempt >= _MOST_ATTEMPTS:
                raise _exhausted(value)
        for number, some in offered.items():
            if not some:
                raise _exhausted(owners[number])
        taken.look_up({number: (owners[number], some) for number, some in offered.items()})
        for number, some in offered.items():
            chosen = next((one for one in some if taken.is_free(owners[number], one)), None)
            if chosen is not None:
                drawn[number] = taken.take(owners[number], chosen)
    published.note_invented(vault, keys, [one.invented for one in drawn.values()])
    return [drawn[number] for number in range(len(owners))]


def _exhausted(value: Value) -> SurrogatesExhaustedError:
    return SurrogatesExhaustedError(
        f"no unique surrogate can be formed for a value of the kind {value.kind}; use another style for it"
    )


def _looks_like_a_label(text: str) -> bool:
    """Whether a text has the form of a token, a tag or a code, which readers would take it for."""
    return LABEL_LIKE.fullmatch(text) is not None or code_of(text) is not None


class _Taken:
    """What no surrogate may be: a label, a real value, or a value that was invented before."""

    def __init__(
        self,
        vault: OpenVault,
        keys: ProjectKeys,
        apart: Callable[[Value], Collection[str]],
        real: Collection[Value],
    ) -> None:
        self._vault, self._keys, self._apart = vault, keys, apart
        self._labels: set[str] = set()
        self._values: set[Value] = set(real)

    def look_up(self, offered: Mapping[int, tuple[Value, Sequence[Candidate]]]) -> None:
        """Ask the stores about all these candidates at once."""
        vault, keys = self._vault, self._keys
        texts = {one.text for _, some in offered.values() for one in some}
        invented = {Value(owner.kind, one.normal) for owner, some in offered.values() for one in some}
        whole = {v for owner, some in offered.values() for one in some for v in self._values_of(owner, one)}
        self._labels |= published.given_among(vault, keys, texts)
        self._values |= values.find_values(vault, keys, whole).keys()
        self._values |= values.find_values(vault, keys, invented, label=INVENTED_LABEL).keys()
        self._values |= published.invented_among(vault, keys, invented)

    def is_free(self, owner: Value, one: Candidate) -> bool:
        if not one.text or one.text in self._labels or _looks_like_a_label(one.text):
            return False
        return self._values.isdisjoint(self._values_of(owner, one))

    def take(self, owner: Value, one: Candidate) -> Drawn:
        invented = Value(owner.kind, one.normal)
        self._labels.add(one.text)
        self._values.add(invented)
        return Drawn(owner, one.text, invented)

    def _values_of(self, owner: Value, one: Candidate) -> list[Value]:
        return [Value(kind, one.normal) for kind in self._apart(owner)]
