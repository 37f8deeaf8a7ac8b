"""Who may do what: roles and verbs as data, default deny. Pure; the vault asks it with what it has stored."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Final


class Role(StrEnum):
    ANALYST = "analyst"
    CURATOR = "curator"
    REQUESTER = "requester"
    APPROVER = "approver"
    AUDITOR = "auditor"
    KEYADMIN = "keyadmin"
    DPO = "dpo"


class Verb(StrEnum):
    PSEUDONYMIZE = "pseudonymize"
    GIVE_BACK = "give-back"  # what the same actor sent himself, for a receipt of it
    EXPORT_LINKS = "export-links"
    SEE_NAMES = "see-names"  # the linker's known people, and clerical review
    RELINK = "relink"  # the whole project anew: who is one person, who is two
    REQUEST = "request"
    APPROVE = "approve"
    REVEAL = "reveal"
    RESTORE = "restore"
    LOOKUP = "lookup"
    LINK_PROJECTS = "link-projects"  # which pseudonyms of two projects are one person
    RUN_KEY = "run-key"  # who holds one can try names against the pseudonyms of its run
    ERASE = "erase"
    READ_AUDIT = "read-audit"
    VERIFY = "verify"
    ROTATE = "rotate"
    EXPORT_KEYS = "export-keys"
    EXPORT_VAULT = "export-vault"
    IMPORT_VAULT = "import-vault"
    MANAGE = "manage"  # roles, project settings, decoys


# Analysts pseudonymize, and for that the program (not the analyst) compares with the known people.
MATRIX: Final[Mapping[Role, frozenset[Verb]]] = {
    Role.ANALYST: frozenset({Verb.PSEUDONYMIZE, Verb.GIVE_BACK, Verb.EXPORT_LINKS}),
    Role.CURATOR: frozenset(
        {
            Verb.PSEUDONYMIZE,
            Verb.GIVE_BACK,
            Verb.EXPORT_LINKS,
            Verb.SEE_NAMES,
            Verb.RELINK,
            Verb.RUN_KEY,
        }
    ),
    Role.REQUESTER: frozenset({Verb.REQUEST, Verb.REVEAL, Verb.RESTORE, Verb.LINK_PROJECTS}),
    Role.APPROVER: frozenset({Verb.APPROVE}),
    Role.AUDITOR: frozenset({Verb.READ_AUDIT, Verb.VERIFY}),
    Role.KEYADMIN: frozenset(
        {Verb.ROTATE, Verb.EXPORT_KEYS, Verb.EXPORT_VAULT, Verb.IMPORT_VAULT, Verb.VERIFY}
    ),
    Role.DPO: frozenset({Verb.LOOKUP, Verb.ERASE, Verb.READ_AUDIT, Verb.MANAGE}),
}


def allowing_role(roles: Collection[Role], verb: Verb) -> Role | None:
    """The role that allows the verb, the first in the order of Role; None refuses."""
    return next((role for role in Role if role in roles and verb in MATRIX[role]), None)


def approvals_needed(labels: int, *, base: int, extra_above: int) -> int:
    """Approvals besides the requester's own wish: one more where many people are asked for at once."""
    return base + (labels > extra_above)


def refill(tokens: float, *, seconds: float, capacity: int, per_hour: int) -> float:
    """What a token bucket holds after some time. A clock that goes back adds nothing."""
    return min(float(capacity), tokens + max(0.0, seconds) * per_hour / 3600)
