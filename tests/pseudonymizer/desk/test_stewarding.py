"""What stewards ask of a vault: by their roles, of their project, and on record."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from linkage.records import (
    Detector,
    Document,
    DocumentId,
    Identity,
    IdentityId,
    LinkageResult,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)
from pseudonymizer.desk import stewarding
from pseudonymizer.desk.asked import GivenText, PseudonymizeTexts
from pseudonymizer.desk.models import Models
from pseudonymizer.desk.steward_answered import EventShown
from pseudonymizer.desk.steward_asked import (
    AskForNames,
    AuditPage,
    AuditSearch,
    DenyRequest,
    LookUp,
    OfRequest,
    RevealNames,
    RevealRequested,
    SplitPerson,
)
from pseudonymizer.desk.text_options import ServiceSettings
from pseudonymizer.desk.texts import TextDesk
from pseudonymizer.errors import (
    AccessRefusedError,
    GrantInvalidError,
    PurposeRequiredError,
    SettingsError,
    UnknownProjectError,
    UnknownPseudonymError,
    UnknownRequestError,
)
from pseudonymizer.keyring import FileKey
from pseudonymizer.policy import Role
from pseudonymizer.vault import Vault
from tests.pseudonymizer.batch_fakes import load_fake

PROJECT, OTHER = "study", "other"
TEXT: Final = "Jan Tolsma belde Els Mol."
TEXTS: Final = TextDesk(ServiceSettings(), Models(load_fake), [PROJECT, OTHER])
VaultOf = Callable[[str], Vault]


@pytest.fixture
def vault_of(tmp_path: Path) -> Iterator[VaultOf]:
    """The vault in the name of each role's account; the project wants the approval of somebody else."""
    url, key = f"sqlite:///{tmp_path}/vault.db", FileKey(tmp_path / "kek.key")
    with Vault.create(url, key, actor="maker") as made:
        for project in (PROJECT, OTHER):
            made.ensure_project(project)
        made.change_settings(PROJECT, replace(made.project_settings(PROJECT), single_approval=False))
        for role in Role:
            made.give_role(f"web:{role}", role)
        made.give_role("web:second", Role.REQUESTER)
        made.commit()
    opened: dict[str, Vault] = {}
    with ExitStack() as stack:

        def vault_of(account: str) -> Vault:
            if account not in opened:
                opened[account] = stack.enter_context(Vault.open(url, key, actor=f"web:{account}"))
            return opened[account]

        yield vault_of
        for vault in opened.values():
            TEXTS.forget(vault)


def labels(vault_of: VaultOf, text: str = TEXT) -> list[str]:
    asked = PseudonymizeTexts(texts=(GivenText(text),))
    return [one.label for one in TEXTS.pseudonymize(vault_of("analyst"), PROJECT, asked).texts[0].mentions]


def asked_for(vault_of: VaultOf, *pseudonyms: str, account: str = "requester") -> int:
    """The number of a new request."""
    asked = AskForNames(pseudonyms=pseudonyms, purpose="complaint 7", legal_basis="6(1)(c)", ticket="T-1")
    return stewarding.ask_for_names(vault_of(account), PROJECT, asked).number


def approved(vault_of: VaultOf, number: int) -> str:
    """The grant of a request that was approved."""
    boss = vault_of("approver")
    stewarding.decide(boss, PROJECT, OfRequest(number=number), boss.approve)
    return stewarding.grant(vault_of("requester"), PROJECT, OfRequest(number=number)).grant


# -- requests ------------------------------------------------------------------------------------------------


def test_a_request_is_shown_as_it_stands(vault_of: VaultOf) -> None:
    jan, els = labels(vault_of)
    number = asked_for(vault_of, jan, els)
    shown = stewarding.request(vault_of("requester"), PROJECT, OfRequest(number=number))
    assert (shown.requester, shown.project, shown.pseudonyms, shown.state) == (
        "web:requester", PROJECT, 2, "open",
    )  # fmt: skip
    assert (shown.purpose, shown.legal_basis, shown.ticket) == ("complaint 7", "6(1)(c)", "T-1")
    assert datetime.fromisoformat(shown.expires_at) > datetime.now(UTC)
    boss = vault_of("approver")
    after = stewarding.decide(boss, PROJECT, OfRequest(number=number), boss.approve)
    assert after.approvers == ("web:approver",)
    assert stewarding.requests(boss, PROJECT).requests == (after,)
    assert stewarding.requests(boss, None).requests == (after,)


def test_names_come_back_once_by_the_grant_of_an_approved_request(vault_of: VaultOf) -> None:
    jan, els = labels(vault_of)
    asker, number = vault_of("requester"), asked_for(vault_of, jan)
    with pytest.raises(AccessRefusedError):
        stewarding.grant(asker, PROJECT, OfRequest(number=number))
    grant = approved(vault_of, number)
    with pytest.raises(GrantInvalidError):
        stewarding.reveal(
            asker, PROJECT, RevealNames(pseudonyms=(jan, els), purpose="complaint 7", grant=grant)
        )
    found = stewarding.reveal(
        asker, PROJECT, RevealNames(pseudonyms=(jan,), purpose="complaint 7", grant=grant)
    )
    (one,) = found.names
    assert (one.pseudonym, one.kind, one.name, one.forms) == (jan, "PERSON", "Jan Tolsma", ("Jan Tolsma",))
    assert found.audit_sequence == asker.last_event > 0
    assert "Tolsma" not in repr(found)
    with pytest.raises(GrantInvalidError):
        stewarding.reveal(asker, PROJECT, RevealNames(pseudonyms=(jan,), purpose="complaint 7", grant=grant))


def test_the_names_of_a_request_come_by_its_number(vault_of: VaultOf) -> None:
    jan, els = labels(vault_of)
    number, other = asked_for(vault_of, jan, els), asked_for(vault_of, jan)
    grant = approved(vault_of, number)
    asker = vault_of("requester")
    with pytest.raises(GrantInvalidError):
        stewarding.reveal_requested(asker, PROJECT, RevealRequested(number=other, grant=grant))
    tampered = grant[:-2] + ("AA" if grant[-2:] != "AA" else "BB")
    with pytest.raises(GrantInvalidError):
        stewarding.reveal_requested(asker, PROJECT, RevealRequested(number=number, grant=tampered))
    found = stewarding.reveal_requested(asker, PROJECT, RevealRequested(number=number, grant=grant))
    assert {one.pseudonym: one.name for one in found.names} == {jan: "Jan Tolsma", els: "Els Mol"}


def test_a_reveal_without_a_grant_or_a_purpose_is_refused_and_on_record(vault_of: VaultOf) -> None:
    (jan, _), asker = labels(vault_of), vault_of("requester")
    with pytest.raises(AccessRefusedError):
        stewarding.reveal(asker, PROJECT, RevealNames(pseudonyms=(jan,), purpose="complaint 7"))
    with pytest.raises(PurposeRequiredError):
        stewarding.reveal(asker, PROJECT, RevealNames(pseudonyms=(jan,), purpose=" "))
    with pytest.raises(AccessRefusedError):
        stewarding.reveal(vault_of("analyst"), PROJECT, RevealNames(pseudonyms=(jan,), purpose="p"))
    found = stewarding.audit_search(vault_of("auditor"), PROJECT, AuditSearch(refused=True))
    assert [one.actor for one in found.events].count("web:requester") == 2
    assert "web:analyst" in {one.actor for one in found.events}
    assert all(one.outcome.startswith("refused") for one in found.events)


def test_a_denied_request_tells_why_and_gives_nothing(vault_of: VaultOf) -> None:
    jan, _ = labels(vault_of)
    number, asker = asked_for(vault_of, jan), vault_of("requester")
    denied = stewarding.deny(
        vault_of("approver"), PROJECT, DenyRequest(number=number, reason="geen grondslag")
    )
    assert (denied.state, denied.denied_for) == ("denied", "geen grondslag")
    assert stewarding.request(asker, PROJECT, OfRequest(number=number)) == denied
    with pytest.raises(AccessRefusedError):
        stewarding.grant(asker, PROJECT, OfRequest(number=number))


def test_a_request_is_withdrawn_by_its_own_account_alone(vault_of: VaultOf) -> None:
    jan, _ = labels(vault_of)
    number, boss, asker = asked_for(vault_of, jan), vault_of("approver"), vault_of("requester")
    with pytest.raises(AccessRefusedError):
        stewarding.decide(boss, PROJECT, OfRequest(number=number), boss.withdraw)
    with pytest.raises(AccessRefusedError):
        stewarding.decide(asker, PROJECT, OfRequest(number=number), asker.approve)
    withdrawn = stewarding.decide(asker, PROJECT, OfRequest(number=number), asker.withdraw)
    assert withdrawn.state == "withdrawn"


@pytest.mark.parametrize("project", [OTHER, PROJECT])
def test_requests_of_another_project_or_account_are_not_there(vault_of: VaultOf, project: str) -> None:
    jan, _ = labels(vault_of)
    grant = approved(vault_of, number := asked_for(vault_of, jan))
    asked = OfRequest(number=number if project == OTHER else number + 1)
    boss = vault_of("approver")
    for account in ("requester", "second", "approver"):
        vault = vault_of(account)
        for call in (
            lambda vault=vault: stewarding.request(vault, project, asked),
            lambda vault=vault: stewarding.decide(vault, project, asked, boss.approve),
            lambda vault=vault: stewarding.deny(vault, project, DenyRequest(number=asked.number)),
            lambda vault=vault: stewarding.grant(vault, project, asked),
            lambda vault=vault: stewarding.reveal_requested(
                vault, project, RevealRequested(number=asked.number, grant=grant)
            ),
        ):
            with pytest.raises(UnknownRequestError):
                call()
    assert stewarding.requests(vault_of("second"), PROJECT).requests == ()
    with pytest.raises(UnknownRequestError):
        stewarding.request(vault_of("second"), PROJECT, OfRequest(number=number))
    assert [one.state for one in stewarding.requests(boss, PROJECT).requests] == ["granted"]


def test_who_has_no_part_in_requests_sees_none(vault_of: VaultOf) -> None:
    with pytest.raises(AccessRefusedError):
        stewarding.requests(vault_of("analyst"), PROJECT)


# -- look-ups and splits -------------------------------------------------------------------------------------


def test_a_look_up_finds_pseudonyms_of_a_name_for_who_may(vault_of: VaultOf) -> None:
    jan, _ = labels(vault_of)
    officer = vault_of("dpo")
    project = TEXTS.options_of(officer, PROJECT)
    found = stewarding.look_up(project, LookUp(name="Jan Tolsma", purpose="access request"))
    assert found.pseudonyms == (jan,)
    assert found.audit_sequence == officer.last_event > 0
    nobody = stewarding.look_up(project, LookUp(name="Piet Niemand", purpose="access request"))
    assert (nobody.pseudonyms, nobody.documents) == ((), 0)
    of_analyst = TEXTS.options_of(vault_of("analyst"), PROJECT)
    with pytest.raises(AccessRefusedError):
        stewarding.look_up(of_analyst, LookUp(name="Jan Tolsma", purpose="p"))
    events = stewarding.audit_search(officer, PROJECT, AuditSearch(action="lookup"))
    assert {one.actor for one in events.events} == {"web:dpo", "web:analyst"}
    assert "Tolsma" not in str(events)


def test_a_form_that_is_another_persons_gets_a_pseudonym_of_its_own(vault_of: VaultOf) -> None:
    document = Document(DocumentId("d"), "Jan Tolsma. JAN TOLSMA.")
    spans = (Span(0, 10), Span(12, 22))
    mentions = tuple(
        NormalizedMention(
            Mention.at(document, span, detector=Detector.NER, confidence=0.9),
            PersonName(given="Jan", family="Tolsma"),
        )
        for span in spans
    )
    one_person = Identity(IdentityId("p1"), frozenset(one.mention_id for one in mentions))
    maker, curator, officer = vault_of("analyst"), vault_of("curator"), vault_of("dpo")
    made = maker.assign(LinkageResult(mentions, (one_person,)), project=PROJECT)
    maker.commit()
    (label,) = {one.label for one in made.values()}
    asked = SplitPerson(pseudonym=label, forms=("JAN TOLSMA",), purpose="two people", ticket="T-2")
    split = stewarding.split(curator, PROJECT, asked)
    assert split.pseudonym != label
    assert split.forms == 1
    event = stewarding.audit_search(officer, PROJECT, AuditSearch(account="web:curator")).events[0]
    assert event.sequence == split.audit_sequence == curator.last_event
    assert (event.purpose, event.ticket) == ("two people", "T-2")
    assert "TOLSMA" not in f"{event} {split}".upper()


@pytest.mark.parametrize(
    ("pseudonym", "forms", "error"),
    [
        ("", ("Jan Tolsma",), SettingsError),  # nothing would stay
        ("", ("Piet Niemand",), SettingsError),  # nothing would go over
        ("PERSOON-00000", ("Jan Tolsma",), UnknownPseudonymError),
    ],
)
def test_a_split_that_cannot_be_changes_nothing(
    vault_of: VaultOf, pseudonym: str, forms: tuple[str, ...], error: type[Exception]
) -> None:
    jan, _ = labels(vault_of)
    curator = vault_of("curator")
    asked = SplitPerson(pseudonym=pseudonym or jan, forms=forms, purpose="two people")
    with pytest.raises(error) as caught:
        stewarding.split(curator, PROJECT, asked)
    assert not any(word in str(caught.value) for word in ("Tolsma", "Niemand"))
    assert labels(vault_of)[0] == jan


def test_who_may_not_curate_splits_nobody(vault_of: VaultOf) -> None:
    jan, _ = labels(vault_of)
    asked = SplitPerson(pseudonym=jan, forms=("Jan Tolsma",), purpose="two people")
    with pytest.raises(AccessRefusedError):
        stewarding.split(vault_of("analyst"), PROJECT, asked)
    found = stewarding.audit_search(vault_of("auditor"), PROJECT, AuditSearch(account="web:analyst"))
    assert found.events[0].outcome.startswith("refused")


# -- the trail -----------------------------------------------------------------------------------------------


def test_pages_together_are_the_trail_of_a_project_and_a_refused_look_is_on_record(vault_of: VaultOf) -> None:
    jan, _ = labels(vault_of)
    asked_for(vault_of, jan)
    auditor = vault_of("auditor")
    whole = stewarding.audit_page(auditor, PROJECT, AuditPage(limit=1_000)).events
    seen, after = list[EventShown](), 0
    while (page := stewarding.audit_page(auditor, PROJECT, AuditPage(limit=2, after=after))).events:
        assert len(page.events) <= 2
        assert page.last == page.events[-1].sequence
        seen += page.events
        after = page.last
    assert seen == list(whole)
    assert len(whole) > 2
    assert {one.project for one in whole} == {PROJECT}
    everything = stewarding.audit_page(auditor, None, AuditPage(limit=1_000)).events
    assert [one.sequence for one in everything] == list(range(1, len(everything) + 1))
    beyond = stewarding.audit_page(auditor, PROJECT, AuditPage(after=10_000))
    assert (beyond.events, beyond.last) == ((), 10_000)
    with pytest.raises(AccessRefusedError):
        stewarding.audit_page(vault_of("analyst"), PROJECT, AuditPage())
    refused = stewarding.audit_search(auditor, PROJECT, AuditSearch()).events[0]
    assert (refused.actor, refused.outcome.split(":")[0]) == ("web:analyst", "refused")


def test_a_search_gives_the_latest_that_fit(vault_of: VaultOf) -> None:
    jan, _ = labels(vault_of)
    for _ in range(3):
        asked_for(vault_of, jan)
    auditor = vault_of("auditor")

    def search(only: str | None = PROJECT, **options: object) -> list[int]:
        found = stewarding.audit_search(auditor, only, AuditSearch(**options))  # type: ignore[arg-type]
        return [one.sequence for one in found.events]

    mine = search(account="web:requester")
    assert mine == sorted(mine, reverse=True)
    assert len(mine) == 3
    assert search(account="web:requester", before=mine[0]) == mine[1:]
    found = stewarding.audit_search(auditor, PROJECT, AuditSearch(account="web:requester", limit=2))
    assert ([one.sequence for one in found.events], found.has_more) == (mine[:2], True)
    exact = stewarding.audit_search(auditor, PROJECT, AuditSearch(account="web:requester", limit=3))
    assert not exact.has_more
    assert search(action=exact.events[0].action, account="web:requester") == mine
    assert search(action="none") == []
    today = datetime.now(UTC).date()
    assert search(account="web:requester", since=today - timedelta(days=1)) == mine
    assert search(since=today + timedelta(days=2)) == []
    assert search(OTHER, account="web:requester") == []
    with pytest.raises(AccessRefusedError):
        stewarding.audit_page(vault_of("analyst"), OTHER, AuditPage())
    with pytest.raises(UnknownProjectError):  # only of the caller's project
        stewarding.audit_search(auditor, OTHER, AuditSearch(project=PROJECT))
    of_own = stewarding.audit_search(auditor, OTHER, AuditSearch(project=OTHER))
    assert {one.project for one in of_own.events} == {OTHER}
    assert search(None, project=PROJECT, account="web:requester") == mine
    assert search(None, account="web:requester") == mine


def test_a_trail_that_was_changed_is_found_out(vault_of: VaultOf, tmp_path: Path) -> None:
    labels(vault_of)
    auditor = vault_of("auditor")
    before = stewarding.verify_trail(auditor)
    assert before.is_whole
    assert before.events > 0
    assert stewarding.verify_trail(auditor).events >= before.events
    with closing(sqlite3.connect(tmp_path / "vault.db")) as file:
        file.execute("UPDATE audit_event SET actor = 'web:nobody' WHERE sequence = 2")
        file.commit()
    after = stewarding.verify_trail(auditor)
    assert (after.is_whole, after.events) == (False, 0)
    with pytest.raises(AccessRefusedError):
        stewarding.verify_trail(vault_of("analyst"))
