"""No message without its Dutch; no Dutch without its message; placeholders are those of the message."""

import re
from typing import Final

from babel.messages.pofile import read_po

from pseudonymizer.web import languages, page_problems, problems, words
from tests.pseudonymizer.web.messages import WEB, messages

# Problems that whoever uses the pages of texts and files can meet.
OF_TEXTS: Final = {
    "no-login", "not-allowed", "refused", "not-found", "too-large", "too-slow", "wrong-value", "too-many",
    "purpose-required", "limit-exceeded", "grant-invalid", "restyle-needed", "foreign-output",
    "not-an-output", "untreated", "vault-busy", "not-ready", "vault-unavailable", "surrogates-exhausted",
    "no-workspaces", "no-work-place", "workspace-full", "not-now", "stale", "outdated", "correction-refused",
}  # fmt: skip
_PLACEHOLDER: Final = re.compile(r"%(?:\(\w+\))?[sd]")


def test_every_message_is_translated_and_nothing_else() -> None:
    with (WEB / "locale" / "nl.po").open("rb") as file:
        dutch = {one.id: one for one in read_po(file, locale="nl") if one.id}
    asked = {one if isinstance(one, str) else tuple(one) for one in messages()}
    assert len(asked) > 120
    assert dutch.keys() == asked
    for message, one in dutch.items():
        english = (message,) if isinstance(message, str) else message
        told = (one.string,) if isinstance(one.string, str) else tuple(one.string or ())
        assert len(told) == len(english)
        assert all(text.strip() for text in told), message
        assert not one.fuzzy
        placeholders = {sign for text in english for sign in _PLACEHOLDER.findall(text)}
        assert {sign for text in told for sign in _PLACEHOLDER.findall(text)} == placeholders, message


def test_plurals_are_those_of_the_language() -> None:
    counted = languages.CATALOGUES["nl"].ngettext
    assert counted("%(num)d person", "%(num)d persons", 1) == "%(num)d persoon"
    assert counted("%(num)d person", "%(num)d persons", 2) == "%(num)d personen"


def test_every_problem_is_said_in_plain_words() -> None:
    assert page_problems.SAID.keys() >= OF_TEXTS
    known = {one.slug for one in vars(problems).values() if isinstance(one, problems.Problem)}
    assert page_problems.SAID.keys() <= known | {one.slug for one in problems.ERRORS.values()}
    for title, advice in (*page_problems.SAID.values(), page_problems.OTHER):
        assert not re.search(r"`|JSON|token|Retry-After|: true", title + advice)


def test_a_language_is_read_from_a_header_whatever_stands_in_it() -> None:
    for header in ("", ";q=", "nl;q=x", ",,,", "*", "\x00", "nl;q=0"):
        assert languages.chosen(None, header) == "en"
    assert languages.chosen(None, "EN;q=0.1, NL") == "nl"


def test_every_shipped_kind_has_a_name() -> None:
    from linkage.kinds import Kinds
    from linkage.records import Detector
    from pseudonymizer.records import Style
    from pseudonymizer.treatments.profiles import Profiles

    kinds = Kinds.load()
    assert set(words.KINDS) == set(kinds)
    assert set(words.CATEGORIES) == set(kinds.categories)
    assert set(words.STYLES) == set(Style)
    assert set(words.PROFILES) == set(Profiles.load().profiles)
    assert set(words.DETECTORS) == set(Detector)
