"""Pseudonyms for the people of a linkage result, as functions of a vault that is open here or of a client."""

from collections.abc import Mapping

from linkage.records import LinkageResult, MentionId
from pseudonymizer.records import Pseudonym, Scope
from pseudonymizer.vault.api import VaultApi
from pseudonymizer.vault.assigning.assignment import one_person_a_key

__all__ = ["assign", "literal_label", "one_person_a_key"]


def assign(
    result: LinkageResult,
    vault: VaultApi,
    *,
    project: str,
    scope: Scope = Scope.PROJECT,
    deterministic: bool = False,
    run: str = "",
    seen_through: int | None = None,
) -> Mapping[MentionId, Pseudonym]:
    """A token for every mention; new people are stored. The caller commits before any text carries one.

    deterministic: tokens are derived from the full name under the project's token key and `run`, so that
    workers which share nothing agree; namesakes then are one person. seen_through: what the linker has seen
    of the project's people (Known.seen_through, Linked.seen_through); None: what the last known_identities of
    this vault gave out.

    Raises:
        LinkageOutdatedError: a person of the result was erased since; link again.
    """
    return vault.assign(
        result, project=project, scope=scope, deterministic=deterministic, run=run, seen_through=seen_through
    )


def literal_label(vault: VaultApi, project: str, text: str) -> Pseudonym:
    """The token of the project that stands for text which only looks like one: so it comes back unchanged."""
    return vault.literal_label(project, text)
