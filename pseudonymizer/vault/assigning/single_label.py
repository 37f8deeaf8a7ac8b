"""The label of one person whom no linkage result names: a decoy, or the second one of a split."""

from functools import partial

from pseudonymizer.records import Scope, Style
from pseudonymizer.styles.code import CodeLabels
from pseudonymizer.styles.labels import LabelRequest, LabelSource, TokenLabels
from pseudonymizer.vault.opened import OpenVault
from pseudonymizer.vault.rows import entities, published
from pseudonymizer.vault.rows.published_codes import codes_given
from pseudonymizer.vault.store.projectkeys import ProjectKeys


def new_label(vault: OpenVault, keys: ProjectKeys) -> tuple[Style, str]:
    """(style, label): a code where the project has codes, so that nothing tells a decoy from others; else a
    token.
    """
    styles = vault.project_settings(keys.name).styles
    labels: LabelSource = TokenLabels(keys.token, entropy=vault.entropy)
    if styles.style is Style.CODE:
        labels = CodeLabels(keys.codes, word=styles.tag_word, given=partial(codes_given, vault, keys))
    (label,) = labels.draw([LabelRequest()], taken=partial(published.given_among, vault, keys))
    published.note(vault, keys, labels.style, [label])
    return labels.style, label


def label_of_one(vault: OpenVault, keys: ProjectKeys, entity_id: int) -> str:
    """The label that is drawn and stored for one person, for the whole project."""
    style, label = new_label(vault, keys)
    entities.add_pseudonyms(vault, keys, style, [(entity_id, Scope.PROJECT, b"")], [label])
    return label
