"""Pseudonyms of several styles for one result.

It runs where the vault is: invented names must keep clear of the real names of the project, which only the
vault knows.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from linkage.records import KnownIdentity, LinkageResult, MentionId, PersonName
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.records import Pseudonym, Style, StyledPseudonyms
from pseudonymizer.settings import ONE_WAY, StylesWanted
from pseudonymizer.styles.code import CodeLabels, CodesGiven
from pseudonymizer.styles.labels import LabelSource
from pseudonymizer.styles.name_forms import label_of, parse_label
from pseudonymizer.styles.name_pool import InventedNames
from pseudonymizer.styles.surrogate import (
    GivenSurrogates,
    RealNames,
    SurrogateLabels,
    SurrogateRules,
    TagLabels,
    count_clashes,
    family_key,
)
from pseudonymizer.vault.assigning.assignment import HowToAssign, assign
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import published
from pseudonymizer.vault.rows.identifiers import entity_text
from pseudonymizer.vault.rows.published_codes import codes_given
from pseudonymizer.vault.rows.styled import labels_of_people
from pseudonymizer.vault.store.projectkeys import ProjectKeys


@dataclass(frozen=True, slots=True)
class Drawing:
    """The styles wanted of a result, and what their labels are drawn from."""

    vault: OpenVault
    project: str
    result: LinkageResult = field(repr=False)
    wanted: StylesWanted
    invented: InventedNames

    @property
    def _keys(self) -> ProjectKeys:
        return self.vault.ensure_keys(self.project)

    def living(self) -> Iterator[str]:
        """The surrogates of people whom the project has."""
        return (label for label, _ in labels_of_people(self.vault, self._keys, Style.SURROGATE))

    def _ever(self, style: Style) -> Collection[str]:
        return set(published.labels_ever(self.vault, self._keys, style))

    def _given(self, words: Collection[str]) -> Collection[str]:
        return published.given_words(self.vault, self._keys, words)

    def _highest(self) -> int:
        return published.highest_tag(self.vault, self._keys)

    def _codes(self) -> CodeLabels:
        return CodeLabels(
            self._keys.codes, word=self.wanted.styles.tag_word, given=self._codes_given,
            avoid=self.wanted.avoid_tags,
        )  # fmt: skip

    def _codes_given(self) -> CodesGiven:
        return codes_given(self.vault, self._keys)

    def source(self, style: Style) -> LabelSource:
        stored = partial(self._ever, style)
        if style is Style.TAG:
            word, avoid = self.wanted.styles.tag_word, self.wanted.avoid_tags
            return TagLabels(word=word, stored=stored, highest=self._highest, avoid=avoid)
        if style is Style.CODE:
            return self._codes()
        vault, project = self.vault, self.project
        known = vault.known(project).people
        names = [
            *(mention.name for mention in self.result.mentions),
            *(name for person in (*known, *self.wanted.registered) for name in person.names),
        ]
        real = RealNames.of(names, {m.mention.surface for m in self.result.mentions})
        rules = SurrogateRules(self.wanted.styles.keep_initials, self.wanted.styles.keep_family)
        families = _families(vault, project, known) if rules.keep_family else {}
        token = self._keys.token
        return SurrogateLabels(
            self.invented.pool, given=GivenSurrogates(stored, self._given, families), real=real, rules=rules,
            gender_of=getattr(self.invented.lists, "gender", _unknown),
            seed_of=lambda material: digest_sha256((token.derive("surrogate", material).encode(),)),
            entropy=vault.entropy,
        )  # fmt: skip


def assign_styled(drawing: Drawing, seen_through: int) -> StyledPseudonyms:
    """A pseudonym for every mention in each style that has a way back; the caller commits.

    Raises:
        SurrogatesExhaustedError: no unique label can be formed.
    """
    wanted, result = drawing.wanted, drawing.result
    styles = sorted(
        wanted.styles.styles - ONE_WAY, key=lambda style: (style is not wanted.styles.style, style)
    )
    # Before anything is written: names are read only between units of work.
    sources: dict[Style, LabelSource] = {
        style: drawing.source(style) for style in styles if style is not Style.TOKEN
    }
    how = HowToAssign(wanted.scope, seen_through, deterministic=wanted.deterministic)
    by_style: dict[Style, Mapping[MentionId, Pseudonym]] = {}
    clashes = 0
    for style in styles:
        by_style[style] = assign(
            result, drawing.vault, how, project=drawing.project, labels=sources.get(style)
        )
        if style is Style.SURROGATE:
            real = RealNames.of(mention.name for mention in result.mentions)
            clashes = count_clashes(drawing.living(), real)
    return StyledPseudonyms(by_style, clashes)


def _families(vault: OpenVault, project: str, known: Iterable[KnownIdentity]) -> dict[str, str]:
    """Folded real family names with the family part of the surrogates that their bearers have."""
    labels = {
        entity_text(entity): label
        for label, entity in labels_of_people(vault, vault.ensure_keys(project), Style.SURROGATE)
    }
    found: dict[str, str] = {}
    for person in known:
        label = labels.get(person.entity_id)
        for name in person.names:
            if label is not None and (key := family_key(name)):
                surrogate = parse_label(label)
                bare = PersonName(particle=surrogate.particle, family=surrogate.family)
                found.setdefault(key, label_of(bare))
    return found


def _unknown(_: str) -> None:
    return None
