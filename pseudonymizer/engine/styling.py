"""From who is who to what stands in the texts: pseudonyms of a run's styles, in the form of each mention."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from linkage.records import (
    EntityId,
    Identity,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
    fold,
)
from pseudonymizer.engine.following import SOMEBODY
from pseudonymizer.engine.records import LabelledPerson
from pseudonymizer.errors import SettingsError
from pseudonymizer.name_forms import name_initials, parse_label, write_name
from pseudonymizer.name_pool import InventedNames, ShippedLists
from pseudonymizer.records import Linked, Pseudonym, Scope, Style
from pseudonymizer.settings import ONE_WAY, StyleSettings
from pseudonymizer.surrogates import TAG_LIKE

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

MASK: Final = "[NAAM]"


@dataclass(frozen=True, slots=True)
class Written:
    """What stands in place of a mention. text None: the name stays. person: the pseudonym as a full name."""

    text: str | None
    person: str
    entity_id: EntityId


class Styled:
    """A linkage result in the styles of a run."""

    def __init__(
        self,
        settings: StyleSettings,
        result: LinkageResult,
        by_style: Mapping[Style, Mapping[MentionId, Pseudonym]],
        scope: Scope,
        clashes: int = 0,
    ) -> None:
        self.clashes = clashes
        self._settings = settings
        self._result = result
        self._by_style = by_style
        self._scope = scope
        self._partners: dict[str, frozenset[str]] = {}

    def entity_of(self, mention_id: MentionId) -> EntityId:
        """Whom a mention means: the vault's person, or without one the identity of this result."""
        for pseudonyms in self._by_style.values():
            return pseudonyms[mention_id].entity_id
        return EntityId(self._result.identity_of(mention_id).identity_id)

    def written(self, mention_id: MentionId, kept: Collection[EntityId] = ()) -> Written:
        """kept: people who stay readable in this document."""
        mention = self._result.mention(mention_id)
        entity_id = self.entity_of(mention_id)
        if entity_id in kept:
            return Written(None, "", entity_id)
        label = self._label(self._settings.style, mention)
        if self._settings.style is not Style.SURROGATE:
            return Written(label, label, entity_id)
        surface = mention.mention.surface
        partners = self._partner_names(self._result.identity_of(mention_id))
        as_partner = fold(mention.name.family or "") in partners and mention.name.partner_family is None
        text = write_name(parse_label(label), mention.name, surface, as_partner=as_partner)
        return Written(text, label, entity_id)

    def readable(self, professionals: Iterable[str]) -> frozenset[EntityId]:
        """The people behind these mentions of one document, where professionals stay readable."""
        if not self._settings.keep_professionals:
            return frozenset()
        return frozenset(self.entity_of(MentionId(mention_id)) for mention_id in professionals)

    def people(self) -> dict[EntityId, LabelledPerson]:
        """Everybody, for identifiers; ambiguous mentions are nobody. Labels of a document stay in it."""
        names: dict[EntityId, dict[PersonName, None]] = {}
        labels: dict[EntityId, tuple[str, dict[str, str]]] = {}
        for identity in self._result.identities:
            if identity.candidates:
                continue
            for mention_id in sorted(identity.mention_ids):
                mention = self._result.mention(mention_id)
                entity_id = self.entity_of(mention_id)
                if entity_id not in labels:
                    labels[entity_id] = self._labels_of_person(mention)
                mine = names.setdefault(entity_id, {})
                mine[mention.name] = None
                # What is taken for a typing error in the text is spelled so in addresses and file names too.
                before = {c.part: c.before for c in mention.corrections if hasattr(mention.name, c.part)}
                if before:
                    mine[replace(mention.name, **before)] = None
        return {
            entity_id: LabelledPerson(entity_id, label, tuple(names[entity_id]), kinds)
            for entity_id, (label, kinds) in labels.items()
        }

    def _labels_of_person(self, mention: NormalizedMention) -> tuple[str, dict[str, str]]:
        if self._scope is not Scope.PROJECT and self._settings.style not in ONE_WAY:
            return SOMEBODY, {}
        label = self._label(self._settings.style, mention)
        kinds = {
            kind: self._label(style, mention)
            for kind, style in self._settings.kinds.items()
            if style is not self._settings.style
        }
        return label, kinds

    def _label(self, style: Style, mention: NormalizedMention) -> str:
        if style is Style.MASK:
            return MASK
        if style is Style.INITIALS:
            return name_initials(mention.name, mention.mention.surface)
        return self._by_style[style][mention.mention_id].label

    def _partner_names(self, identity: Identity) -> frozenset[str]:
        found = self._partners.get(identity.identity_id)
        if found is None:
            members = (self._result.mention(m).name for m in identity.mention_ids)
            found = frozenset(fold(name.partner_family) for name in members if name.partner_family)
            self._partners[identity.identity_id] = found
        return found


class Styling:
    """Draws the pseudonyms of a result. lists are read when invented names are first needed."""

    def __init__(
        self,
        settings: StyleSettings,
        *,
        scope: Scope = Scope.PROJECT,
        deterministic: bool = False,
        lists: Callable[[], ShippedLists],
    ) -> None:
        """Raises SettingsError for styles that cannot be had together."""
        for style in settings.styles - ONE_WAY - {settings.style}:
            if scope is not Scope.PROJECT:
                raise SettingsError(
                    f"identifiers in another style ({style}) than names need the scope project"
                )
        if deterministic and settings.styles & {Style.TAG}:
            raise SettingsError("tags are counted, so they cannot be deterministic; use token or surrogate")
        self.settings = settings
        self.scope = scope
        self._deterministic = deterministic
        self._invented = InventedNames(lists)

    def foreign_looks(self, vault: "VaultApi", project: str, looks: Iterable[str]) -> list[str]:
        """Text of the inputs that looks like a pseudonym and is none of the project: it gets a token of its
        own. Text that looks like a tag counts where tags are in use; a tag has no check letters.
        """
        is_token = vault.tokens(project).is_valid
        seen = list(looks)
        tags = [text for text in seen if TAG_LIKE.fullmatch(text)]
        ours: set[str] = set(tags)
        if tags and Style.TAG in self.settings.styles:
            ours &= set(vault.stored_labels(project, Style.TAG))
        return [text for text in seen if text not in ours and not is_token(text)]

    def styled(
        self,
        vault: "VaultApi",
        project: str,
        linked: Linked,
        *,
        avoid_tags: Collection[str] = (),
        registered: Iterable[KnownIdentity] = (),
    ) -> Styled:
        """Pseudonyms for every mention, stored for the styles that have a way back; the caller commits."""
        from pseudonymizer.settings import StylesWanted

        wanted = StylesWanted(
            self.settings, self.scope, self._deterministic, tuple(avoid_tags), tuple(registered)
        )
        found = vault.assign_styled(
            linked.result, wanted, project=project, invented=self._invented, seen_through=linked.seen_through
        )
        return Styled(self.settings, linked.result, found.by_style, self.scope, found.clashes)
