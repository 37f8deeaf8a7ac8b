"""From a linkage result to the text in place of each mention, in the styles of a run."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from linkage.records import (
    EntityId,
    Identity,
    KnownIdentity,
    LinkageResult,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
    fold,
)
from pseudonymizer.engine.following import SOMEBODY
from pseudonymizer.engine.records import Label, LabelledPerson, PartPlaces
from pseudonymizer.engine.subjects import FACTS_OF_SUBJECTS, Named
from pseudonymizer.engine.value_labels import TreatedValues, ValueTools, treat_values
from pseudonymizer.errors import SettingsError
from pseudonymizer.records import LabelState, Linked, Pseudonym, Scope, Style
from pseudonymizer.settings import ONE_WAY, StyleSettings
from pseudonymizer.styles.labels import TAG_LIKE
from pseudonymizer.styles.looks import is_code_look, kind_words
from pseudonymizer.styles.name_forms import name_initials, parse_label, write_name
from pseudonymizer.styles.name_pool import InventedNames, ShippedLists
from pseudonymizer.treatments.plan import Plan

if TYPE_CHECKING:
    from pseudonymizer.vault.api import VaultApi

MASK: Final = "[NAAM]"  # the label of every person in the style mask
# Styles whose labels differ from every name and value. Labels of the other styles look like them: an output
# in such a style that comes in again is known by its digest alone.
_TOLD_IN_TEXT: Final[frozenset[Style | None]] = frozenset({Style.TOKEN, Style.TAG, Style.CODE})


class Styled:
    """A linkage result with the pseudonyms of its mentions, in each style of a run that has a way back."""

    def __init__(
        self,
        settings: StyleSettings,
        result: LinkageResult,
        by_style: Mapping[Style, Mapping[MentionId, Pseudonym]],
        scope: Scope,
        clashes: int = 0,
        *,
        keeps_names: bool = False,
    ) -> None:
        """keeps_names: every name stays, and nothing follows a person."""
        self.clashes = clashes
        self._keeps_names = keeps_names
        self._settings = settings
        self._result = result
        self._by_style = by_style
        self._scope = scope
        self._partners: dict[str, frozenset[str]] = {}

    def entity_of(self, mention_id: MentionId) -> EntityId:
        """The person of a mention: an entity of the vault; in one-way styles the identity of this result."""
        for pseudonyms in self._by_style.values():
            return pseudonyms[mention_id].entity_id
        return EntityId(self._result.identity_of(mention_id).identity_id)

    @property
    def has_lasting_people(self) -> bool:
        """Whether the persons of the result are entities of the vault, whom later runs know."""
        return bool(self._by_style)

    def named(self, mention_id: MentionId) -> Named:
        """The person of a mention, with the number of facts that the text tells there."""
        context = self._result.mention(mention_id).context
        return Named(
            self.entity_of(mention_id), sum(kind in FACTS_OF_SUBJECTS for kind, _ in context.attributes)
        )

    def label(
        self, part_id: str, span: Span, mention_id: MentionId, kept: Collection[EntityId] = ()
    ) -> Label:
        """The label of a mention at this place of a part. kept: persons who stay readable in the document."""
        mention = self._result.mention(mention_id)
        entity_id = self.entity_of(mention_id)
        if self._keeps_names or entity_id in kept:
            return Label(part_id, span, None, entity_id)
        label = self._label(self._settings.style, mention)
        if self._settings.style is not Style.SURROGATE:
            is_one_way = self._settings.style in ONE_WAY
            return Label(part_id, span, label, entity_id, is_one_way=is_one_way)
        surface = mention.mention.surface
        partners = self._partner_names(self._result.identity_of(mention_id))
        as_partner = fold(mention.name.family or "") in partners and mention.name.partner_family is None
        text = write_name(parse_label(label), mention.name, surface, as_partner=as_partner)
        return Label(part_id, span, text, entity_id, person=label if label != text else None)

    def readable(self, professionals: Iterable[str]) -> frozenset[EntityId]:
        """The persons of these mentions of one document; nobody unless the settings keep professionals."""
        if not self._settings.keep_professionals:
            return frozenset()
        return frozenset(self.entity_of(MentionId(mention_id)) for mention_id in professionals)

    def people(self) -> dict[EntityId, LabelledPerson]:
        """Each person with the label for identifiers, by entity. An ambiguous mention is no person here.

        The label is SOMEBODY where labels hold for one document or one occurrence. Nobody where names stay.
        """
        if self._keeps_names:
            return {}
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
                own_names = names.setdefault(entity_id, {})
                own_names[mention.name] = None
                # Addresses and file names may have the spelling that was corrected in the text.
                as_typed = {c.part: c.before for c in mention.corrections if hasattr(mention.name, c.part)}
                if as_typed:
                    own_names[replace(mention.name, **as_typed)] = None
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
        partners = self._partners.get(identity.identity_id)
        if partners is None:
            members = (self._result.mention(m).name for m in identity.mention_ids)
            partners = frozenset(fold(name.partner_family) for name in members if name.partner_family)
            self._partners[identity.identity_id] = partners
        return partners


class Styling:
    """Draws the pseudonyms of linkage results in the styles of a run.

    lists: reads the lists that invented names are made of, when the first surrogate is needed.
    """

    def __init__(
        self,
        settings: StyleSettings,
        *,
        plan: Plan | None = None,
        scope: Scope = Scope.PROJECT,
        deterministic: bool = False,
        language: str = "nl",
        lists: Callable[[], ShippedLists],
    ) -> None:
        """plan: what becomes of each kind; its treatment of persons is their style. None: that of the profile
        "names", with the style of settings. language: of the words in labels of values. Deterministic
        pseudonyms have no codes: they are tokens then, and tokens_for_codes is true.

        Raises:
            SettingsError: the styles do not go together, or a treatment cannot be deterministic.
        """
        chosen = Plan.of_names(settings.style) if plan is None else plan
        self.plan = chosen.for_deterministic() if deterministic else chosen
        self.language = language
        if chosen.person_style is not None:
            settings = replace(settings, style=chosen.person_style)
        for style in settings.styles - ONE_WAY - {settings.style}:
            if scope is not Scope.PROJECT:
                raise SettingsError(
                    f"identifiers in another style ({style}) than names need the scope project"
                )
        if deterministic and settings.styles & {Style.TAG}:
            raise SettingsError("tags are counted, so they cannot be deterministic; use token or surrogate")
        self.settings = settings.for_deterministic if deterministic else settings
        self.tokens_for_codes = self.settings != settings
        self.scope = scope
        self._deterministic = deterministic
        self._invented = InventedNames(lists)

    @property
    def keeps_names(self) -> bool:
        """Whether the names of persons stay."""
        return self.plan.person_style is None

    @property
    def is_told_in_text(self) -> bool:
        """Whether everything that is written is known where it stands, so that an output is known without its
        digest. A code with a word of the user's own is not.
        """
        styles = {treatment.style for treatment in self.plan.written.values()}
        words = {self.plan.kinds[kind].word(self.language) for kind in self.plan.written}
        if not self.keeps_names:
            styles.add(self.settings.style)
            words.add(self.settings.tag_word)
        return styles <= _TOLD_IN_TEXT and (Style.CODE not in styles or words <= kind_words())

    def values_of(
        self,
        vault: "VaultApi",
        project: str,
        parts: Iterable[PartPlaces],
        people: Callable[[], Sequence[LabelledPerson]],
        avoid: Collection[str] = (),
        named: Callable[[MentionId], Named] | None = None,
    ) -> TreatedValues:
        """What is written in place of the values of these texts; see ValueTools and treat_values."""
        tools = ValueTools(self.plan, self.scope, self.language, avoid, people, named)
        return treat_values(vault, project, parts, tools)

    def foreign_looks(self, vault: "VaultApi", project: str, looks: Iterable[str]) -> list[str]:
        """The looks that are no pseudonym of the project, in their order.

        looks: texts of the inputs that look like a token, a tag or a code. A look like a tag counts only if
        the run uses tags: a tag has no check letters, so elsewhere it is taken for text. A look like a code
        is never foreign: unless the project has issued it, it is text.
        """
        is_token = vault.tokens(project).is_valid
        texts = [text for text in looks if not is_code_look(text)]
        tags = [text for text in texts if TAG_LIKE.fullmatch(text)]
        known_tags: set[str] = set(tags)
        if tags and Style.TAG in self.settings.styles:
            known_tags &= set(vault.stored_labels(project, Style.TAG))
        return [text for text in texts if text not in known_tags and not is_token(text)]

    @staticmethod
    def own_codes(vault: "VaultApi", project: str, looks: Iterable[str]) -> frozenset[str]:
        """The looks that are codes which the project has issued, under whatever word."""
        texts = [text for text in looks if is_code_look(text)]
        if not texts:
            return frozenset()
        read = vault.read_labels(project, texts)
        return frozenset(
            text for text, one in zip(texts, read, strict=True) if one.state is LabelState.ISSUED
        )

    def styled(
        self,
        vault: "VaultApi",
        project: str,
        linked: Linked,
        *,
        avoid_tags: Collection[str] = (),
        registered: Iterable[KnownIdentity] = (),
    ) -> Styled:
        """The result with a pseudonym for each mention, in each style that has a way back.

        The pseudonyms are stored in the vault's unit of work; the caller commits. avoid_tags: looks of the
        inputs that no new tag or code may equal. registered: people whose names no surrogate may hold.
        """
        from pseudonymizer.settings import StylesWanted

        if self.keeps_names:
            return Styled(self.settings, linked.result, {}, self.scope, keeps_names=True)
        wanted = StylesWanted(
            self.settings, self.scope, self._deterministic, tuple(avoid_tags), tuple(registered)
        )
        assigned = vault.assign_styled(
            linked.result, wanted, project=project, invented=self._invented, seen_through=linked.seen_through
        )
        return Styled(self.settings, linked.result, assigned.by_style, self.scope, assigned.clashes)
