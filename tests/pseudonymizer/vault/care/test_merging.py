"""Saying that two pseudonyms are one person, and taking it back: links and events, and no pseudonym moves."""

from dataclasses import replace

import pytest

from linkage.judged_mentions import with_judgements
from linkage.review import Judgement
from linkage.told import Verdict
from pseudonymizer.assignment import assign
from pseudonymizer.errors import (
    AccessRefusedError,
    PurposeRequiredError,
    SettingsError,
    UnknownPseudonymError,
)
from pseudonymizer.policy import Role
from pseudonymizer.records import LinkKind
from pseudonymizer.vault import Vault
from pseudonymizer.vault.access import give_role
from pseudonymizer.vault.care.links import pseudonym_links
from pseudonymizer.vault.care.merging import merge, unmerge
from tests.fakes import linkage_result
from tests.pseudonymizer.conftest import VaultPlace

RESULT = linkage_result(
    {"a": "Jan Tolsma, Johan Kok, Els Mol"}, [[("a", "Jan Tolsma")], [("a", "Johan Kok")], [("a", "Els Mol")]]
)


def filled(vault: Vault) -> list[str]:
    found = assign(RESULT, vault, project="p")
    vault.commit()
    return [found[m.mention_id].label for m in RESULT.mentions]


def kinds(vault: Vault) -> list[tuple[set[str], LinkKind]]:
    return [({link.left, link.right}, link.kind) for link in pseudonym_links(vault, "p")]


def test_merge_and_unmerge(vault: Vault) -> None:
    jan, johan, els = filled(vault)
    assert merge(vault, project="p", pseudonyms=[johan, jan], purpose="beoordeling", ticket="T") == 1
    assert merge(vault, project="p", pseudonyms=[jan, johan], purpose="beoordeling") == 0
    assert kinds(vault) == [({jan, johan}, LinkKind.ALSO_KNOWN_AS)]
    with pytest.raises(SettingsError):
        unmerge(vault, project="p", pseudonyms=[jan, els], purpose="beoordeling")
    assert not vault.has_open_work()
    assert unmerge(vault, project="p", pseudonyms=[jan, johan], purpose="vergissing") == 1
    assert kinds(vault) == [({jan, johan}, LinkKind.SPLIT)]
    assert vault.verify().findings == ()
    found = assign(RESULT, vault, project="p")
    assert [found[m.mention_id].label for m in RESULT.mentions] == [jan, johan, els]
    trail = [
        (e.action, set(e.subjects), e.purpose) for e in vault.audit_events() if e.action in {"merge", "split"}
    ]
    assert trail[0] == ("merge", {jan, johan}, "beoordeling")
    assert trail[-1] == ("split", {jan, johan}, "vergissing")


def verdicts(vault: Vault) -> set[Verdict]:
    return {one.verdict for known in vault.known_identities("p") for s in known.sightings for one in s.judged}


def test_merge_and_unmerge_outweigh_what_was_judged_before(vault: Vault) -> None:
    jan, johan = RESULT.mentions[:2]
    told = Judgement(
        jan.mention.surface, johan.mention.surface, Verdict.REJECT, jan.mention_id, johan.mention_id
    )
    judged = replace(RESULT, mentions=with_judgements(RESULT.mentions, [told]))
    found = assign(judged, vault, project="p")
    vault.commit()
    labels = [found[m.mention_id].label for m in (jan, johan)]
    assert verdicts(vault) == {Verdict.REJECT}
    merge(vault, project="p", pseudonyms=labels, purpose="beoordeling")
    assert verdicts(vault) == {Verdict.ACCEPT}
    unmerge(vault, project="p", pseudonyms=labels, purpose="vergissing")
    assert verdicts(vault) == {Verdict.REJECT}
    assert vault.verify().findings == ()


def test_what_is_refused(place: VaultPlace) -> None:
    with place.create() as vault:
        jan, johan, _ = filled(vault)
        with pytest.raises(PurposeRequiredError):
            merge(vault, project="p", pseudonyms=[jan, johan], purpose=" ")
        with pytest.raises(UnknownPseudonymError):
            merge(vault, project="p", pseudonyms=[jan, "P1-X"], purpose="t")
        with pytest.raises(SettingsError):
            merge(vault, project="p", pseudonyms=[jan, jan], purpose="t")
        give_role(vault, "ana", Role.ANALYST)
        give_role(vault, "cor", Role.CURATOR)
        vault.commit()
    with place.open("ana") as vault, pytest.raises(AccessRefusedError):
        merge(vault, project="p", pseudonyms=[jan, johan], purpose="t")
    with place.open("cor") as vault:
        assert merge(vault, project="p", pseudonyms=[jan, johan], purpose="t") == 1
