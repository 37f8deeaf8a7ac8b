"""A linker with rules and lists but without models, and a corpus that gives it something to decide."""

import random
from functools import lru_cache

from linkage.gazetteer import Gazetteer
from linkage.linker import Linker
from linkage.records import EntityId, KnownIdentity, NormalizedMention, PersonName
from linkage.settings import LinkingSettings
from tests.linkage.linker.linker_fakes import FakeScorer, Writer

GIVEN = ["Bert", "Robert", "Albert", "Piet", "Pieter", "Fenna", "Inge", "Sjoerd", "Jitske", "Anneke"]
FAMILY = ["Woudstra", "Woudsma", "Zandvliet", "Zandvleit", "Bakker", "Hoekema", "Hoekstra", "Terpstra"]


@lru_cache(maxsize=4)
def load_linker(link_threshold: float | None = None, short_name_threshold: float | None = None) -> Linker:
    settings = LinkingSettings(link_threshold=link_threshold, short_name_threshold=short_name_threshold)
    return Linker(settings, Gazetteer.load(), FakeScorer())


def corpus(documents: int, seed: int) -> list[NormalizedMention]:
    """Full names, misspelt ones, initials, lone surnames and lone given names, some with attributes."""
    chosen = random.Random(seed)  # noqa: S311  a fixed corpus, no secret
    write = Writer()
    mentions: list[NormalizedMention] = []
    for number in range(documents):
        for _ in range(chosen.randint(1, 4)):
            given, family = chosen.choice(GIVEN), chosen.choice(FAMILY)
            particle = chosen.choice([None, None, "van", "de"])
            name = chosen.choice(
                [
                    PersonName(given=given, family=family, particle=particle),
                    PersonName(given=given, family=family),
                    PersonName(given=given, family=family[:-2] + family[-1] + family[-2]),
                    PersonName(initials=f"{given[0]}.", family=family, particle=particle),
                    PersonName(family=family),
                    PersonName(given=given),
                ]
            )
            attributes = frozenset({("email", "e@example.org")} if chosen.random() < 0.05 else ())
            mentions.append(write(f"d{number:03}", name, attributes=attributes))
    return mentions


KNOWN = [
    KnownIdentity(
        EntityId("vault:1"),
        (PersonName(given="Fenna", family="Woudstra"),),
        frozenset(),
        frozenset({EntityId("vault:2")}),
    ),
    KnownIdentity(EntityId("vault:2"), (PersonName(given="Inge", family="Zandvliet"),)),
]
