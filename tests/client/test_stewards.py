"""Requests, approvals, grants, reveals, look-ups and the trail by the Python client."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from nymlink_client import AccessRefusedError, NotFoundError, Project, WrongRequestError

from pseudonymizer.policy import MATRIX, Role
from tests.pseudonymizer.web.served import PROJECT, fake_service

As = Callable[[str], Project]


@pytest.fixture
def account(tmp_path: Path) -> Iterator[As]:
    """The client of each role's account, in a project that wants the approval of somebody else."""
    with fake_service(tmp_path) as service, ExitStack() as opened:
        with service.open_vault() as vault:
            vault.ensure_project(PROJECT)
            vault.change_settings(PROJECT, replace(vault.project_settings(PROJECT), single_approval=False))
            vault.commit()
        service.give_roles([(f"web:{role}", role) for role in Role])

        def client(role: str) -> Project:
            token = service.token(*MATRIX[Role(role)], account=role)
            return opened.enter_context(Project.open(service.url, token=token, name=PROJECT))

        yield client


def test_names_come_back_by_a_request_that_another_account_approves(account: As) -> None:
    written = account("analyst").pseudonymize("Jan Tolsma belde Els Mol.", kinds=["PERSON"])
    jan, els = (one.label for one in written[0].mentions)
    asker, boss = account("requester"), account("approver")
    made = asker.request(jan, purpose="complaint 7", legal_basis="GDPR art. 6(1)(c)")
    assert (made.requester, made.state, made.pseudonyms) == ("web:requester", "open", 1)
    assert boss.requests() == (made,)
    with pytest.raises(AccessRefusedError):
        asker.grant(made.number)
    assert boss.approve(made.number).approvers == ("web:approver",)
    grant = asker.grant(made.number)
    with pytest.raises(AccessRefusedError):
        asker.reveal([jan, els], purpose="complaint 7", grant=grant)
    (name,) = asker.reveal(jan, purpose="complaint 7", grant=grant)
    assert (name.pseudonym, name.name) == (jan, "Jan Tolsma")
    assert "Tolsma" not in repr(name)
    denied = boss.deny(asker.request(els, purpose="x").number, reason="no basis")
    assert (denied.state, denied.denied_for) == ("denied", "no basis")
    withdrawn = asker.withdraw(asker.request(els, purpose="x").number)
    assert withdrawn.state == "withdrawn"
    with pytest.raises(NotFoundError):
        boss.approve(99)


def test_to_take_people_apart_takes_the_right_and_something_that_stays(account: As) -> None:
    jan = account("analyst").pseudonymize("Jan Tolsma belde.", kinds=["PERSON"])[0].mentions[0].label
    with pytest.raises(AccessRefusedError):
        account("analyst").split(jan, "Jan Tolsma", purpose="x")
    for forms in ("Jan Tolsma", ["Piet Mol"]):  # nothing would stay; nothing would go
        with pytest.raises(WrongRequestError):
            account("curator").split(jan, forms, purpose="x")
    with pytest.raises(NotFoundError):
        account("curator").split("PERSOON-7KQM3", "Jan Tolsma", purpose="x")


def test_the_answer_of_a_split_is_the_new_pseudonym() -> None:
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        return httpx.Response(200, json={"pseudonym": "B", "forms": 1, "mentions": 2, "edits": 3})

    with Project.open("http://127.0.0.1:1", token="t", transport=httpx.MockTransport(answer)) as project:  # noqa: S106
        assert project.split("A", "J. Tolsma", purpose="x").pseudonym == "B"
    assert json.loads(sent[0]) == {"pseudonym": "A", "forms": ["J. Tolsma"], "purpose": "x"}


def test_a_name_is_looked_up_and_the_trail_says_so_without_it(account: As) -> None:
    account("analyst").pseudonymize("Jan Tolsma belde.", kinds=["PERSON"])
    found = account("dpo").lookup("Jan Tolsma", purpose="access request")
    assert len(found.pseudonyms) == 1
    assert "Tolsma" not in repr(found)
    events = account("auditor").audit_events()
    last = [event for event in events if event.action == "lookup"][-1]
    assert (last.sequence, last.actor, last.purpose) == (found.audit_sequence, "web:dpo", "access request")
    assert "Tolsma" not in repr(events)
    assert account("auditor").audit_events(after=events[-1].sequence) == ()
