"""Which person of the registry each name of a document is."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from linkage.recognition.name_grammar import Unit, UnitKind
from linkage.recognition.name_judgement import JudgedName
from linkage.recognition.name_tokens import Token
from linkage.recognition.phrases import PhraseMatcher
from linkage.recognition.registry import NameParts, Registry


@dataclass(frozen=True, slots=True)
class Recognized:
    """person_id is None where several persons of the registry fit."""

    person_id: str | None = field(repr=False)
    confidence: float


class KnownPersons:
    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._aliases = PhraseMatcher(registry.alias_phrases)

    def aliases(self, tokens: Sequence[Token]) -> Iterator[tuple[int, int, frozenset[str]]]:
        """(first token, token after the last, ids) of the aliases in the text."""
        for first, last, ids in self._aliases.find(tokens):
            facts = tokens[first].facts
            if last - first > 1 or facts is None or facts.is_capital or not facts.is_ordinary:
                yield first, last, ids

    def recognize(
        self, tokens: Sequence[Token], names: Sequence[JudgedName]
    ) -> Mapping[tuple[int, int], Recognized]:
        """(start, end) in the view -> person, for the names that are somebody's of the registry.

        A full name decides by itself. A family name alone is the one person's who has it, unless the document
        names a stranger of that name. A given name alone is a person's whom the document names otherwise too.
        """
        fits = [self._fits(tokens, name) for name in names]
        anchored = {next(iter(ids)) for ids, kind in fits if kind == "full" and len(ids) == 1}
        strangers: Counter[tuple[str, ...]] = Counter()
        for name, (ids, _) in zip(names, fits, strict=True):
            if not ids and name.confidence >= 0.5:
                strangers.update(
                    parts.surname for parts in _readings(tokens, name) if parts.given or parts.initials
                )
        found: dict[tuple[int, int], Recognized] = {}
        for name, (ids, kind) in zip(names, fits, strict=True):
            if not ids:
                continue
            place = (tokens[name.first].start, tokens[name.last - 1].end)
            if kind == "full":
                found[place] = Recognized(next(iter(ids)) if len(ids) == 1 else None, 0.95)
                continue
            here = ids & anchored
            if kind == "surname":
                alone = len(ids) == 1 and not any(p.surname in strangers for p in _readings(tokens, name))
                who = next(iter(here)) if len(here) == 1 else (next(iter(ids)) if alone else None)
            else:
                who = next(iter(here)) if len(here) == 1 else None
            sure = name.confidence if _is_ordinary(name) and not here else 0.8
            found[place] = Recognized(who, sure)
        return found

    def _fits(self, tokens: Sequence[Token], name: JudgedName) -> tuple[frozenset[str], str]:
        """Ids of the persons that fit, and how: "full", "surname" or "given"."""
        for parts in _readings(tokens, name):
            ids = self._registry.matches(parts)
            if ids:
                if not parts.surname:
                    return ids, "given" if len(parts.given) == 1 else "full"
                return ids, "full" if parts.given or parts.initials else "surname"
        return frozenset(), ""


def _readings(tokens: Sequence[Token], name: JudgedName) -> Iterator[NameParts]:
    """The ways to take a name apart, the likeliest first."""
    cores = [unit for unit in name.units if unit.kind is UnitKind.CORE]
    initials = "".join(
        tokens[at].text[0].lower()
        for unit in name.units
        if unit.kind is UnitKind.INITIALS
        for at in range(unit.first, unit.last)
        if tokens[at].is_word
    )
    if len(initials) == 1:
        unit = next(unit for unit in name.units if unit.kind is UnitKind.INITIALS)
        word = tokens[unit.first].text
        initials = word.lower() if word.isupper() and len(word) > 1 else initials
    particle = next((unit.particle for unit in name.units if unit.kind is UnitKind.PARTICLE), "")
    if not cores:
        return
    if name.surname_first or (len(cores) > 1 and cores[0].given < 0.3 and cores[-1].given >= 0.5):
        yield NameParts(_given(cores[1:]), initials, particle, _surname(cores[0]))
    if len(cores) == 1:
        yield NameParts((), initials, particle, _surname(cores[0]))
        if not particle and not initials:
            yield NameParts(_given(cores))
        return
    yield NameParts(_given(cores[:-1]), initials, particle, _surname(cores[-1]))
    yield NameParts(
        _given(cores[:1]), initials, particle, tuple(key for core in cores[1:] for key in _surname(core))
    )
    yield NameParts(_given(cores))


def _given(cores: Sequence[Unit]) -> tuple[str, ...]:
    return tuple(word.key for core in cores for word in core.words)


def _surname(core: Unit) -> tuple[str, ...]:
    return tuple(word.key for word in core.words)


def _is_ordinary(name: JudgedName) -> bool:
    return all(unit.is_ordinary for unit in name.units if unit.kind is UnitKind.CORE) and not name.cue
