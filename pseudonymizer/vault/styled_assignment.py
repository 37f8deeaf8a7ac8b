"""Pseudonyms of several styles for one result: what the batch asks of a vault, or of the service before it.

It runs where the vault is: invented names must keep clear of the real names of the project, which only the
vault knows.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from linkage.records import KnownIdentity, LinkageResult, MentionId, PersonName
from pseudonymizer.crypto import digest_sha256
from pseudonymizer.name_forms import label_of, parse_label
from pseudonymizer.name_pool import NamePool, ShippedLists
from pseudonymizer.records import Pseudonym, Scope, Style
from pseudonymizer.settings import ONE_WAY, StyleSettings
from pseudonymizer.surrogate_labels import (
    RealNames,
    SurrogateLabels,
    SurrogateRules,
    TagLabels,
    count_clashes,
    family_key,
)
from pseudonymizer.surrogates import LabelSource
from pseudonymizer.vault import published
from pseudonymizer.vault.assignment import assign
from pseudonymizer.vault.identifiers import entity_text
from pseudonymizer.vault.styled import labels_of_style
from pseudonymizer.vault.vault import Vault


class InventedNames:
    """The lists that names are invented from, read when they are first needed, once."""

    def __init__(self, load: Callable[[], ShippedLists]) -> None:
        self._load = load

    @cached_property
    def lists(self) -> ShippedLists:
        return self._load()

    @cached_property
    def pool(self) -> NamePool:
        return NamePool.of(self.lists)


@dataclass(frozen=True, slots=True)
class StyledPseudonyms:
    """clashes: surrogates drawn in earlier runs with a word that is a real name in this result."""

    by_style: Mapping[Style, Mapping[MentionId, Pseudonym]]
    clashes: int = 0


def assign_styled(
    result: LinkageResult,
    vault: Vault,
    *,
    project: str,
    styles: StyleSettings,
    invented: InventedNames,
    scope: Scope = Scope.PROJECT,
    deterministic: bool = False,
    avoid_tags: Collection[str] = (),
    registered: Sequence[KnownIdentity] = (),
) -> StyledPseudonyms:
    """A pseudonym for every mention in each style that has a way back; the caller commits.

    Raises:
        SurrogatesExhaustedError: no unique label can be formed.
    """
    wanted = sorted(styles.styles - ONE_WAY, key=lambda style: style is not styles.style)
    drawing = partial(
        _source, vault=vault, project=project, result=result, styles=styles, invented=invented,
        avoid_tags=avoid_tags, registered=registered,
    )  # fmt: skip
    # Before anything is written: names are read only between units of work.
    sources: dict[Style, LabelSource] = {
        style: drawing(style) for style in wanted if style is not Style.TOKEN
    }
    assigned = partial(assign, result, vault, project=project, scope=scope, deterministic=deterministic)
    by_style: dict[Style, Mapping[MentionId, Pseudonym]] = {}
    clashes = 0
    for style in wanted:
        source = sources.get(style)
        by_style[style] = assigned() if source is None else assigned(labels=source)
        if style is Style.SURROGATE:
            labels = (label for label, _ in labels_of_style(vault, vault.ensure_project(project), style))
            clashes = count_clashes(labels, RealNames.of(mention.name for mention in result.mentions))
    return StyledPseudonyms(by_style, clashes)


def _source(
    style: Style,
    *,
    vault: Vault,
    project: str,
    result: LinkageResult,
    styles: StyleSettings,
    invented: InventedNames,
    avoid_tags: Collection[str],
    registered: Iterable[KnownIdentity],
) -> LabelSource:
    keys = vault.ensure_project(project)

    def stored() -> Collection[str]:
        return set(published.labels_ever(vault, vault.ensure_project(project), style))

    def given(words: Collection[str]) -> Collection[str]:
        return published.given_words(vault, vault.ensure_project(project), words)

    if style is Style.TAG:
        highest = partial(published.highest_tag, vault, keys)
        return TagLabels(word=styles.tag_word, stored=stored, highest=highest, avoid=avoid_tags)
    seen = vault.seen_through.get(project, 0)
    known = vault.known_identities(project)
    vault.seen_through[project] = seen  # the linker saw no more than it did
    names = [
        *(mention.name for mention in result.mentions),
        *(name for person in (*known, *registered) for name in person.names),
    ]
    real = RealNames.of(names, {m.mention.surface for m in result.mentions})
    rules = SurrogateRules(styles.keep_initials, styles.keep_family)
    token = keys.token
    return SurrogateLabels(
        invented.pool, stored=stored, given=given, real=real, rules=rules,
        gender_of=getattr(invented.lists, "gender", _unknown),
        families=_families(vault, project, known) if rules.keep_family else None,
        seed_of=lambda material: digest_sha256((token.derive("surrogate", material).encode(),)),
        entropy=vault.entropy,
    )  # fmt: skip


def _families(vault: Vault, project: str, known: Iterable[KnownIdentity]) -> dict[str, str]:
    """Folded real family names with the family part of the surrogates that their bearers have."""
    labels = {
        entity_text(entity): label
        for label, entity in labels_of_style(vault, vault.ensure_project(project), Style.SURROGATE)
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
