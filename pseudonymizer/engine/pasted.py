"""Finds pseudonyms of every style (codes, tokens, tags, surrogates) in text that was edited or pasted."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from linkage.detection import find_values
from linkage.language import Language
from linkage.records import EntityId, PersonName, Span
from linkage.spans import SpanCover
from pseudonymizer.identifiers import PSEUDONYM_DOMAIN, IdentifierKind, PersonIndex, find_identifiers
from pseudonymizer.records import LabelState, ReadLabel, Style
from pseudonymizer.styles.looks import kind_words
from pseudonymizer.styles.name_forms import parse_label, write_name
from pseudonymizer.styles.pasted_labels import (
    LONGEST_PASTED,
    LabelPlace,
    Reading,
    label_places,
    label_stretches,
)
from pseudonymizer.styles.reading import FoundSurrogate, SurrogateReader

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

ParseName = Callable[[str], PersonName]
_LANGUAGE: Final = "nl"  # of the patterns of values
_NOT_READ: Final = ReadLabel(LabelState.MALFORMED)
_LEFT_CONTEXT: Final = 256  # characters before a value by which it may be told
_MORE_THAN_LABEL: Final = 32  # characters around a label by which it is read: its end, initials, a comma
_Address = tuple[Span, str, list[str], list[str]]  # place, domain, labels in it, surrogates that it spells
_R = TypeVar("_R", "FoundLabel", "FoundAddress", "LeftLabel")


@dataclass(frozen=True, slots=True)
class TextOrigin:
    """Where edited text comes from, as far as that is known.

    is_confirmed: the user says that it is of this project, so a tag that other projects have issued as well
    is one of this project. persons: those of the outputs from which the text was made; None where these are
    not known. Invented names count for these persons alone, since real people may have the same names.
    """

    is_confirmed: bool = False
    persons: frozenset[EntityId] | None = None


@dataclass(frozen=True, slots=True)
class FoundLabel:
    """A pseudonym in a text.

    surrogate: the parts of an invented name that stand there; None for every other style. surface: the
    characters that stand there.
    """

    span: Span
    label: str
    surrogate: FoundSurrogate | None = field(default=None, repr=False)
    surface: str = field(default="", repr=False)

    def original(self, names: Mapping[str, str], parse: ParseName) -> str | None:
        """The name behind the pseudonym, in the form that the pseudonym has in the text; None without a name.

        names: the fullest name by pseudonym. parse: takes a name apart.
        """
        name = names.get(self.label)
        if name is None or self.surrogate is None:
            return name
        return write_name(parse(name), self.surrogate.form, self.surface)


@dataclass(frozen=True, slots=True)
class FoundAddress:
    """An e-mail address that carries a pseudonym. domain: what stands behind the @, in lower case."""

    span: Span
    label: str
    domain: str = field(repr=False)

    def original(self, addresses: Mapping[str, tuple[str, ...]]) -> str | None:
        """The real address, if the person has exactly one that fits; else None.

        addresses: by pseudonym. A domain that was kept must be that of the real address.
        """
        fitting = addresses.get(self.label, ())
        if self.domain != PSEUDONYM_DOMAIN:
            fitting = tuple(a for a in fitting if a.rpartition("@")[2].casefold() == self.domain)
        return fitting[0] if len(fitting) == 1 else None


@dataclass(frozen=True, slots=True)
class LeftLabel:
    """A place that looks like a label and is not restored: as which label it reads, and why it stays.

    state: UNKNOWN and MALFORMED as the project says; SHARED: somebody else may be meant; ISSUED: a label of
    the project in a form that leaves doubt, or an invented name in a text of which the source is not known.
    """

    label: str
    state: LabelState
    span: Span


@dataclass(frozen=True, slots=True)
class ReadText:
    """What the labels in a text are. None of these overlap, but addresses with the labels in them."""

    labels: tuple[FoundLabel, ...] = ()
    addresses: tuple[FoundAddress, ...] = ()
    left: tuple[LeftLabel, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """What was read in a window of a text. stretches: those through which the text may not be cut, for they
    are, or may be, parts of labels, names or addresses.
    """

    read: ReadText
    stretches: tuple[Span, ...]


class LabelFinder:
    """Finds the pseudonyms of a project."""

    def __init__(self, vault: "VaultApi", project: str, origin: TextOrigin | None = None) -> None:
        self._vault, self._project, self._origin = vault, project, origin or TextOrigin()
        word = vault.project_settings(project).styles.tag_word
        self._words = kind_words() | {word}
        self._tag_words = frozenset({word, "PERSOON", "PERSON"})
        surrogates = vault.stored_labels(project, Style.SURROGATE)
        self._surrogates = SurrogateReader(surrogates)
        self._surrogate_labels = surrogates
        self._in_addresses = PersonIndex((label, [parse_label(label)]) for label in surrogates)
        self._invented_values = frozenset(vault.stored_value_labels(project, Style.SURROGATE))
        self._known: dict[str, ReadLabel] = {}

    def of_origin(self, origin: TextOrigin) -> "LabelFinder":
        """A finder for texts of which more is known; it asks the vault nothing that this one knows."""
        other = copy.copy(self)
        other._origin = origin
        return other

    def persons_of(self, labels: Iterable[str]) -> frozenset[EntityId]:
        """Whose these labels are, of those that stood in texts so far."""
        owners = {one.label: one.entity_id for one in self._known.values() if one.entity_id is not None}
        return frozenset(owners[label] for label in labels if label in owners)

    def find(self, text: str) -> ReadText:
        """The pseudonyms in one text."""
        return self.find_all([text])[0]

    def find_window(self, before: str, text: str) -> Window:
        """The pseudonyms in a window of a longer text. before: what stands before it, at most 256 characters
        of it count. The window begins where nothing that find reads goes over its beginning.
        """
        guard = before[-1:]
        whole = guard + text
        shift = len(guard)
        context = before[-_LEFT_CONTEXT:]
        values = [
            Span(one.start - len(context) + shift, one.end - len(context) + shift)
            for one in self._values_in(context + text)
            if one.start >= len(context)
        ]
        places = label_places(whole, self._words, self._tag_words)
        names = self._surrogates.find(whole)
        addresses = list(self._addresses(whole))
        read = self._read_all([whole], [places], [names], [values], [addresses])[0]
        stretches = [
            *label_stretches(whole), *(one.span for one in names), *values,
            *(one.span for one in find_identifiers(whole)),
        ]  # fmt: skip
        return Window(_moved(read, -shift), tuple(_back(one, shift) for one in stretches if one.end > shift))

    @cached_property
    def longest(self) -> int:
        """The length of the longest pseudonym as a text may have it, in characters that are read."""
        longest = max((len(one) for one in (*self._surrogate_labels, *self._invented_values)), default=0)
        return max(LONGEST_PASTED, longest) + _MORE_THAN_LABEL

    def find_all(self, texts: Sequence[str]) -> tuple[ReadText, ...]:
        """The pseudonyms in each text, in order and without overlap. The vault is asked once for all."""
        places = [label_places(text, self._words, self._tag_words) for text in texts]
        names = [self._surrogates.find(text) for text in texts]
        values = [self._values_in(text) for text in texts]
        return self._read_all(texts, places, names, values, [list(self._addresses(text)) for text in texts])

    def _read_all(
        self,
        texts: Sequence[str],
        places: Sequence[Sequence[LabelPlace]],
        names: Sequence[Sequence[FoundSurrogate]],
        values: Sequence[Sequence[Span]],
        addresses: Sequence[Sequence[_Address]],
    ) -> tuple[ReadText, ...]:
        asked = {reading.text for some in places for place in some for reading in place.readings}
        asked.update(one.label for some in names for one in some)
        asked.update(
            label for some in addresses for _, _, readings, own in some for label in (*readings, *own)
        )
        asked.update(span.cut(text) for text, some in zip(texts, values, strict=True) for span in some)
        self._read(asked)
        return tuple(
            self._read_text(text, some, named, valued, carried)
            for text, some, named, valued, carried in zip(
                texts, places, names, values, addresses, strict=True
            )
        )

    def _read(self, labels: Iterable[str]) -> None:
        new = sorted(set(labels) - self._known.keys())
        if new:
            self._known.update(zip(new, self._vault.read_labels(self._project, new), strict=True))

    def _read_text(
        self,
        text: str,
        places: Sequence[LabelPlace],
        names: Sequence[FoundSurrogate],
        values: Sequence[Span],
        addresses: Sequence[_Address],
    ) -> ReadText:
        found: list[FoundLabel] = []
        left: list[LeftLabel] = []
        for place in places:
            read = self._resolved(place)
            if isinstance(read, FoundLabel):
                found.append(read)
            elif read is not None:
                left.append(read)
        for one in names:
            if self._is_certain(one):
                found.append(FoundLabel(one.span, one.label, one, one.span.cut(text)))
            else:
                state = (
                    LabelState.SHARED if self._state(one.label) is LabelState.SHARED else LabelState.ISSUED
                )
                left.append(LeftLabel(one.label, state, one.span))
        for span in values:
            text_there = span.cut(text)
            if self._is_of_origin(text_there):
                found.append(FoundLabel(span, text_there))
            elif self._state(text_there) in (LabelState.ISSUED, LabelState.SHARED):
                left.append(LeftLabel(text_there, self._state(text_there), span))
        kept = _without_overlap(found)
        cover = SpanCover(one.span for one in kept)
        carried = tuple(
            FoundAddress(span, label, domain)
            for span, domain, readings, own in addresses
            if (label := self._label_in_address(readings, own)) is not None
        )
        remains = [one for one in left if not cover.overlaps(one.span)]
        return ReadText(tuple(kept), carried, tuple(_without_overlap(remains)))

    # -- codes, tokens, tags ---------------------------------------------------------------------------------

    def _resolved(self, place: LabelPlace) -> FoundLabel | LeftLabel | None:
        """What a place is; None for text that is no label."""
        read = [found for reading in place.readings if (found := self._accepted(reading)) is not None]
        if read and len({one.label for one in read}) == 1:
            return read[0]
        states = {self._state(reading.text) for reading in place.readings}
        for state in (LabelState.ISSUED, LabelState.SHARED, LabelState.UNKNOWN):
            if state in states and (place.shown or state is not LabelState.UNKNOWN):
                return LeftLabel(place.shown or place.readings[0].text, state, place.span)
        return LeftLabel(place.shown, LabelState.MALFORMED, place.span) if place.shown else None

    def _accepted(self, reading: Reading) -> FoundLabel | None:
        """The label that a reading is; None where it is none, or not for certain."""
        known = self._known.get(reading.text, _NOT_READ)
        if known.state is LabelState.SHARED:
            if not (self._origin.is_confirmed or known.entity_id in (self._origin.persons or ())):
                return None
        elif known.state is not LabelState.ISSUED or not reading.is_certain:
            return None
        if not reading.word or reading.word == known.label.partition("-")[0]:
            return FoundLabel(reading.span, known.label)
        if not reading.is_plain or reading.code_span is None:
            return None
        # A word that a model translated goes with the code; a word of the text stays.
        return FoundLabel(reading.span if reading.word in self._words else reading.code_span, known.label)

    def _state(self, label: str) -> LabelState:
        return self._known.get(label, _NOT_READ).state

    # -- invented names --------------------------------------------------------------------------------------

    def _is_certain(self, found: FoundSurrogate) -> bool:
        """Whether the whole name stands there, in a text made of outputs that have the person."""
        name = parse_label(found.label)
        is_whole = found.form.given is not None and found.form.family is not None
        is_whole = is_whole and (found.form.particle is not None or name.particle is None)
        return is_whole and self._is_of_origin(found.label)

    def _is_of_origin(self, label: str) -> bool:
        known = self._known.get(label, _NOT_READ)
        return known.state is LabelState.ISSUED and known.entity_id in (self._origin.persons or ())

    # -- invented values -------------------------------------------------------------------------------------

    def _values_in(self, text: str) -> tuple[Span, ...]:
        """The values of a text that are invented ones of the project."""
        if not self._invented_values:
            return ()
        spans = (found.span for found in find_values(text, Language.load(_LANGUAGE)))
        return tuple(span for span in spans if span.cut(text) in self._invented_values)

    # -- addresses -------------------------------------------------------------------------------------------

    def _addresses(self, text: str) -> Iterator[_Address]:
        """(place, domain, labels that may stand in it, surrogates that it spells) of each e-mail address."""
        owner = {m.span: m.keys[0] for m in self._in_addresses.find(text) if len(m.keys) == 1}
        for identifier in find_identifiers(text):
            if identifier.kind is not IdentifierKind.EMAIL:
                continue
            local, _, domain = identifier.span.cut(text).rpartition("@")
            readings = [
                reading.text
                for place in label_places(local, self._words)
                for reading in place.readings
                if reading.is_certain
            ]
            own = owner.get(identifier.span)
            yield identifier.span, domain.casefold(), readings, [str(own)] if own is not None else []

    def _label_in_address(self, readings: Sequence[str], surrogates: Sequence[str]) -> str | None:
        for text in readings:
            known = self._known[text]
            is_shared = known.state is LabelState.SHARED and self._origin.is_confirmed
            if known.state is LabelState.ISSUED or is_shared:
                return known.label
        return next((label for label in surrogates if self._is_of_origin(label)), None)


def _moved(read: ReadText, shift: int) -> ReadText:
    """What was read, without what begins before the window."""

    def all_of(found: Sequence[_R]) -> tuple[_R, ...]:
        return tuple(replace(one, span=_back(one.span, -shift)) for one in found if one.span.start >= -shift)

    return ReadText(all_of(read.labels), all_of(read.addresses), all_of(read.left))


def _back(span: Span, by: int) -> Span:
    return Span(max(0, span.start - by), span.end - by)


class _Placed(Protocol):
    @property
    def span(self) -> Span: ...


_P = TypeVar("_P", bound=_Placed)


def _without_overlap(found: Iterable[_P]) -> list[_P]:
    """In the order of the text; of two that overlap the one that begins first, or is longer."""
    kept: list[_P] = []
    for one in sorted(found, key=lambda one: (one.span.start, -one.span.end)):
        if not kept or one.span.start >= kept[-1].span.end:
            kept.append(one)
    return kept
