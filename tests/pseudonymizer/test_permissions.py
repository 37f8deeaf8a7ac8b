"""The permission matrix whole, through the library's verbs: each role is let in exactly where it says so, and
every refusal is on record with no name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from linkage.records import DocumentId, KnownIdentity, LinkageResult, NormalizedMention, PersonName
from linkage.review import Judgement
from pseudonymizer.assignment import assign
from pseudonymizer.crosslinks import link_projects, request_link
from pseudonymizer.errors import (
    AccessRefusedError,
    GrantInvalidError,
    PseudonymizerError,
    ReceiptInvalidError,
)
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import MATRIX, Role, Verb
from pseudonymizer.records import Rewrite
from pseudonymizer.reidentification import approve, grant, lookup, request, request_restore, restore, reveal
from pseudonymizer.relinks import HowToRelink
from pseudonymizer.runkeys import accept, hand_out
from pseudonymizer.settings import ProjectSettings
from pseudonymizer.values import Value
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role, take_role
from pseudonymizer.vault.assigning.assignment import one_person_a_key
from pseudonymizer.vault.care.links import pseudonym_links
from pseudonymizer.vault.care.merging import merge, unmerge
from pseudonymizer.vault.care.rotation import Rotated, rotate, rotate_kek
from pseudonymizer.vault.care.splitting import Part, split
from pseudonymizer.vault.care.transfer import export_bundle, import_bundle
from pseudonymizer.vault.erasure import erase, erase_unseen_since
from pseudonymizer.vault.ways_back.decoys import add_decoy
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

RESULT = linkage_result({"a": "Jan Tolsma, Els Kok"}, [[("a", "Jan Tolsma")], [("a", "Els Kok")]])
EMPTY = LinkageResult((), ())
PASSPHRASE = "paard batterij nietje"  # noqa: S105  a test's
DECOY = PersonName(given="otto", family="lok")


class NoLinker:
    """Everybody as before."""

    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),
    ) -> LinkageResult:
        del known, judgements
        return one_person_a_key(mentions, lambda mention: mention.mention_id)


Act = Callable[[Vault, "Stage"], object]


class Stage:
    """What an act may need."""

    def __init__(self, place: VaultPlace, jan: str) -> None:
        self.place, self.jan, self.number = place, jan, 0

    def new(self, suffix: str) -> Path:
        self.number += 1
        return self.place.folder / f"n{self.number}{suffix}"

    def imported(self, vault: Vault) -> object:
        url = f"sqlite:///{self.new('.db')}"
        bundle = self.place.folder / "export"
        return import_bundle(bundle, PASSPHRASE, url, provider=self.place.key, actor=vault.actor)


WHY: dict[str, Any] = {"project": "p", "purpose": "toets"}
ACTS: Mapping[Verb, tuple[Act, ...]] = {
    Verb.PSEUDONYMIZE: (
        lambda v, _: assign(EMPTY, v, project="p"),
        lambda v, _: v.work_sealer("p"),
        lambda v, _: v.folder_keys("p", bytes(16), Path("x"), is_new=True),
        lambda v, _: v.settle_folder("p", bytes(16), 2, ()),
        lambda v, _: v.store_rewrite("p", Rewrite(DocumentId("d"), "txt", ()), output=b"x"),
        lambda v, _: accept(v, project="p", run="r@2099-01-01T00:00:00+00:00", parcels=[]),
        lambda v, _: v.assign_values("p", [], {}),
        lambda v, _: v.treatment_key("p"),
    ),
    Verb.GIVE_BACK: (lambda v, s: v.give_back(project="p", receipt="nyr_", labels=[s.jan]),),
    Verb.EXPORT_LINKS: (lambda v, _: list(pseudonym_links(v, "p")),),
    Verb.SEE_NAMES: (
        lambda v, s: split(v, pseudonym=s.jan, part=Part(surfaces=["niets"]), **WHY),
        lambda v, s: merge(v, pseudonyms=[s.jan], **WHY),
        lambda v, s: unmerge(v, pseudonyms=[s.jan], **WHY),
        lambda v, _: v.listed_people("p", purpose="toets"),
    ),
    Verb.RELINK: (lambda v, _: v.relink("p", HowToRelink(), linker=lambda: NoLinker(), purpose="toets"),),
    Verb.REQUEST: (
        lambda v, s: request(v, pseudonyms=[s.jan], **WHY),
        lambda v, _: request_restore(v, outputs=[b"x"], **WHY),
        lambda v, _: request_link(v, other="q", **WHY),
        lambda v, _: grant(v, 1),
    ),
    Verb.APPROVE: (lambda v, _: approve(v, 1),),
    Verb.REVEAL: (lambda v, s: reveal(v, pseudonyms=[s.jan], **WHY),),
    Verb.RESTORE: (lambda v, _: restore(v, outputs=[b"x"], **WHY),),
    Verb.LOOKUP: (
        lambda v, _: lookup(v, name="Els Kok", **WHY),
        lambda v, _: v.lookup_value(value=Value("PHONE", "0201234567"), **WHY),
    ),
    Verb.LINK_PROJECTS: (lambda v, _: link_projects(v, other="q", **WHY),),
    Verb.RUN_KEY: (lambda v, _: hand_out(v, run="r", hours=1, **WHY),),
    Verb.ERASE: (
        lambda v, _: erase(v, pseudonyms=["geen"], **WHY),
        lambda v, _: v.erase_values(values=[Value("PHONE", "0201234567")], **WHY),
        lambda v, _: erase_unseen_since(v, days=9999, **WHY),
        lambda v, _: v.output_folders("p"),
        lambda v, _: v.give_up_folders(folders=["geen"], **WHY),
    ),
    Verb.READ_AUDIT: (lambda v, _: list(v.audit_events()),),
    Verb.VERIFY: (lambda v, _: v.verify(), lambda v, _: v.verify_audit()),
    Verb.ROTATE: (
        lambda v, _: rotate(v, Rotated.TOKEN, project_name="p"),
        lambda v, s: rotate_kek(v, s.place.key),
    ),
    Verb.EXPORT_KEYS: (
        lambda v, s: export_bundle(v, s.new(".keys"), PASSPHRASE, purpose="t", keys_only=True, memory_kib=8),
        lambda v, _: v.add_recovery_key(),
    ),
    Verb.EXPORT_VAULT: (lambda v, s: export_bundle(v, s.new(".all"), PASSPHRASE, purpose="t", memory_kib=8),),
    Verb.IMPORT_VAULT: (lambda v, s: s.imported(v),),
    Verb.MANAGE: (
        lambda v, _: give_role(v, "iemand", Role.AUDITOR),
        lambda v, _: take_role(v, "iemand", Role.AUDITOR),
        lambda v, _: v.change_settings("p", ProjectSettings()),
        lambda v, _: add_decoy(v, project="p", name=DECOY, surface="Otto Lok"),
    ),
}
# What more than one verb opens.
SHARED: tuple[tuple[frozenset[Verb], Act], ...] = (
    (frozenset({Verb.SEE_NAMES, Verb.PSEUDONYMIZE}), lambda v, _: v.known_identities("p")),
    (frozenset({Verb.READ_AUDIT, Verb.VERIFY}), lambda v, _: v.audit_head()),
    (frozenset({Verb.PSEUDONYMIZE, Verb.MANAGE}), lambda v, s: v.ensure_project(f"nieuw {s.new('')}")),
)


def staged(place: VaultPlace) -> Stage:
    with place.create("boss") as vault:
        pseudonyms = assign(RESULT, vault, project="p")
        vault.ensure_project("q")
        vault.commit()
        request(vault, pseudonyms=[pseudonyms[RESULT.mentions[0].mention_id].label], **WHY)
        for role in Role:
            give_role(vault, f"een {role}", role)
        vault.commit()
        jan = pseudonyms[RESULT.mentions[0].mention_id].label
    with place.open(f"een {Role.KEYADMIN}") as vault:
        export_bundle(vault, place.folder / "export", PASSPHRASE, purpose="t", memory_kib=8)
    return Stage(place, jan)


def is_refused(vault: Vault, act: Act, stage: Stage) -> bool:
    try:
        act(vault, stage)
    except (GrantInvalidError, ReceiptInvalidError):
        return False  # the role let it in; it is the request or the grant that lacks
    except AccessRefusedError as error:
        return "Tolsma" not in str(error)
    except PseudonymizerError:
        return False
    finally:
        vault.rollback()
    return False


def test_every_verb_has_an_act() -> None:
    assert set(ACTS) == set(Verb)


@pytest.mark.parametrize("role", list(Role))
def test_each_role_is_let_in_exactly_where_the_matrix_says(sqlite_place: VaultPlace, role: Role) -> None:
    stage = staged(sqlite_place)
    with sqlite_place.open(f"een {role}") as vault:
        acts = [(frozenset({verb}), act) for verb, some in ACTS.items() for act in some]
        for number, (verbs, act) in enumerate([*acts, *SHARED]):
            before = vault.trail.checked_head()[0].sequence
            refused = is_refused(vault, act, stage)
            assert refused is not bool(verbs & MATRIX[role]), (role, set(verbs), number)
            if refused and verbs != {Verb.IMPORT_VAULT}:  # that one has no trail to be recorded on
                last = list(vault.trail.events())[-1]
                assert vault.trail.checked_head()[0].sequence == before + 1, (role, set(verbs), number)
                assert (last.actor, last.outcome) == (vault.actor, "refused:role")
                assert last.action in {str(verb) for verb in verbs}


def test_who_has_no_role_is_let_in_nowhere(place: VaultPlace) -> None:
    stage = staged(place)
    with place.open("vreemde") as vault:
        for verb, some in ACTS.items():
            for act in some:
                assert is_refused(vault, act, stage), verb
        for verbs, act in SHARED:
            assert is_refused(vault, act, stage), verbs


def test_while_nobody_has_a_role_everyone_is_let_in(sqlite_place: VaultPlace) -> None:
    with sqlite_place.create("boss") as vault:
        pseudonyms = assign(RESULT, vault, project="p")
        vault.ensure_project("q")
        vault.commit()
        export_bundle(vault, sqlite_place.folder / "export", PASSPHRASE, purpose="t", memory_kib=8)
    stage = Stage(sqlite_place, pseudonyms[RESULT.mentions[0].mention_id].label)
    with sqlite_place.open("wie dan ook") as vault:
        for verb, some in ACTS.items():
            for act in some:
                assert not is_refused(vault, act, stage), verb


def test_keys_of_another_vault_open_nothing(sqlite_place: VaultPlace) -> None:
    staged(sqlite_place)
    other = FileKey(sqlite_place.folder / "ander.key")
    other.create()
    with pytest.raises(PseudonymizerError):
        Vault.open(sqlite_place.url, other)
