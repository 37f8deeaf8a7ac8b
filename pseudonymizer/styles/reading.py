"""Surrogates in free text, found in the forms in which mentions are written: whole, or a part of one."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from linkage.records import PersonName, Span, fold
from pseudonymizer.styles.name_forms import parse_label

_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_INITIALS_BEFORE: Final = re.compile(r"(?<![^\W\d_])((?:[^\W\d_]\.[ ]?)+)\Z")
_NEXT: Final = re.compile(r"[ ]([^\W\d_]+(?:-[^\W\d_]+)*)")
_FIRST_AFTER: Final = re.compile(r",[ ](?:((?:[^\W\d_]\.[ ]?)+(?<! ))|([^\W\d_]+(?:-[^\W\d_]+)*))")


@dataclass(frozen=True, slots=True)
class FoundSurrogate:
    """Where a surrogate stands, and which parts of its name; form has only those parts."""

    span: Span
    label: str
    form: PersonName = field(repr=False)


class SurrogateReader:
    """Knows the surrogates of a project. A word that two of them share (relatives) is nobody's."""

    def __init__(self, labels: Iterable[str]) -> None:
        owners: dict[str, set[str]] = {}
        self._names: dict[str, PersonName] = {}
        for label in labels:
            name = self._names[label] = parse_label(label)
            both = "-".join(part for part in (name.family, name.partner_family) if part)
            for part in ((name.given or "").split(" ")[0], name.family, name.partner_family, both):
                if part:
                    owners.setdefault(fold(part), set()).add(label)
        self._owners = owners

    def find(self, text: str) -> tuple[FoundSurrogate, ...]:
        """In the order of the text, never overlapping."""
        return tuple(self._found(text))

    def _found(self, text: str) -> Iterator[FoundSurrogate]:
        words = list(_WORD.finditer(text))
        at, free_from = 0, 0
        while at < len(words):
            best = self._at(text, words, at, free_from)
            if best is None:
                at += 1
                continue
            yield best
            free_from = best.span.end
            while at < len(words) and words[at].start() < free_from:
                at += 1

    def _at(self, text: str, words: list[re.Match[str]], at: int, free_from: int) -> FoundSurrogate | None:
        owners = self._owners.get(fold(words[at][0]), set())
        for label in sorted(owners):
            name = self._names[label]
            if fold(words[at][0]) == fold((name.given or "").split(" ")[0]):
                given = self._from_given(text, words, at, label, name)
                if given.form.family is not None or len(owners) == 1:
                    return given
        if len(owners) == 1:
            (label,) = owners
            return self._from_family(text, words, at, free_from, label)
        return None

    def _from_given(
        self, text: str, words: list[re.Match[str]], at: int, label: str, name: PersonName
    ) -> FoundSurrogate:
        """The given name, and the rest of the name where it follows."""
        wanted = fold(" ".join(label.split()[1:])).split()
        start, end = words[at].start(), words[at].end()
        alone = FoundSurrogate(Span(start, end), label, PersonName(given=words[at][0]))
        seen: list[str] = []
        for later in words[at + 1 : at + 8]:
            if text[end : later.start()] not in {" ", "\n", " - "}:
                return alone
            seen += fold(later[0]).split()
            end = later.end()
            if not (set(seen) <= set(wanted)):
                return alone
            if seen[-1] in {fold(name.family or "").split()[-1], wanted[-1]}:
                double = name.partner_family is not None and seen[-1] == wanted[-1]
                form = PersonName(
                    given=words[at][0],
                    particle=name.particle if len(seen) > 1 and name.particle else None,
                    family=name.family,
                    partner_family=name.partner_family if double else None,
                )
                return FoundSurrogate(Span(start, end), label, form)
        return alone

    def _from_family(
        self, text: str, words: list[re.Match[str]], at: int, free_from: int, label: str
    ) -> FoundSurrogate:
        """The family name, with particle and initials before it, or given name or initials after a comma."""
        name = self._names[label]
        start, end = words[at].start(), words[at].end()
        particle: str | None = None
        if name.particle:
            before = text[max(start - len(name.particle) - 1, free_from) : start]
            if before.lower() == f"{name.particle.lower()} ":
                particle, start = name.particle, start - len(before)
        initials = given = None
        if (found := _INITIALS_BEFORE.search(text, max(start - 12, free_from), start)) is not None:
            initials, start = found[1].strip(), found.start()
        elif (after := _FIRST_AFTER.match(text, end)) is not None:
            is_given = after[2] is not None and fold(after[2]) == fold((name.given or "").split(" ")[0])
            beyond = _NEXT.match(text, after.end())
            goes_on = beyond is not None and (
                fold(beyond[1]) in self._owners or beyond[1] == (name.particle or "").split(" ")[0]
            )
            if (after[1] is not None or is_given) and not goes_on:
                initials, given, end = after[1], after[2], after.end()
        is_double = "-" in words[at][0] and name.partner_family is not None
        form = PersonName(
            given=given,
            initials=initials,
            particle=particle,
            family=name.family,
            partner_family=name.partner_family if is_double else None,
        )
        return FoundSurrogate(Span(start, end), label, form)
