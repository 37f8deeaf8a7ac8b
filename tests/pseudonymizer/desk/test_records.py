"""Who asks: tokens that live and die, and the names of accounts in the trail."""

from datetime import UTC, datetime, timedelta

from pseudonymizer.desk.records import EVERY_VERB, ApiToken, Principal
from pseudonymizer.policy import Verb

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def token(**changes: datetime) -> ApiToken:
    ends = changes.pop("expires_at", NOW + timedelta(days=1))
    return ApiToken("1", "chat", "study", frozenset({Verb.PSEUDONYMIZE}), NOW, ends, **changes)


def test_a_token_lives_until_its_end_or_until_it_is_revoked() -> None:
    assert token().is_alive(NOW)
    assert not token().is_alive(NOW + timedelta(days=1))
    assert not token(revoked_at=NOW).is_alive(NOW)


def test_no_user_of_the_system_has_the_name_of_an_account() -> None:
    assert token().actor == "web:chat"


def test_who_opened_the_start_page_may_all_that_the_vault_lets_him() -> None:
    assert Principal("local", "tester", is_session=True).verbs == EVERY_VERB == frozenset(Verb)
