"""A pipeline without models: names are pairs of capitalized words, equal names are one person."""

import os
import re
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import Any

from linkage.gazetteer import WordUse
from linkage.language import Language
from linkage.records import (
    Detector,
    Document,
    Gender,
    Identity,
    IdentityId,
    KnownIdentity,
    LinkageResult,
    Mention,
    MentionId,
    NormalizedMention,
    PersonName,
    Span,
    ValueMention,
)
from linkage.review import Judgement
from pseudonymizer.engine.records import GivenMention
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.keyring import FileKey
from pseudonymizer.runs.run import Batch, BatchSettings, RunTools
from pseudonymizer.vault import Vault

_NAME = re.compile(r"\b[A-Z][a-zë]+ (?:de |van )?[A-Z][a-zë]+\b")
PROJECT = "study-1"


def name_of(surface: str) -> PersonName:
    *before, family = re.split(r"[ ._-]+", surface)
    return PersonName(
        given=before[0] if before else None, particle=" ".join(before[1:]) or None, family=family
    )


class FakeSurname:
    particles = ("van", "de")


class FakeLists:
    """A gazetteer of a few names."""

    language = Language.load("nl")

    def surname(self, text: str) -> FakeSurname | None:
        return FakeSurname() if self.is_surname(text) else None

    def word_use(self, text: str) -> WordUse:
        """Of a few words that are names as well, how they are mostly used."""
        share = {"mol": 0.9, "brief": 1.0, "lijst": 1.0, "els": 0.1}.get(text.lower(), 0.0)
        return WordUse(zipf=4.0 if share else 0.0, classes="", word_share=share)

    def given_name_frequency(self, text: str) -> int:
        return 1_000 if self.is_given_name(text) else 0

    def is_given_name(self, text: str) -> bool:
        return text.lower() in {"els", "jan", "jitske"}

    def is_surname(self, text: str) -> bool:
        return text.lower() in {"wiersma", "douma", "mol", "tolsma"}

    def is_particle(self, text: str) -> bool:
        return text.lower() in {"de", "van"}

    def is_word(self, text: str) -> bool:
        return text.lower() in {"mol", "brief", "lijst"}

    def is_place(self, text: str) -> bool:
        return text.lower() == "breda"

    def gender(self, text: str) -> Gender | None:
        return Gender.FEMALE if text.lower() == "els" else None

    def is_organisation(self, text: str) -> bool:
        return text.lower() == "jan douma"


class FakeLinker:
    def link(
        self,
        mentions: Iterable[NormalizedMention],
        *,
        known: Sequence[KnownIdentity] = (),
        judgements: Sequence[Judgement] = (),  # noqa: ARG002  the interface
    ) -> LinkageResult:
        everything = tuple(mentions)
        groups: dict[PersonName, set[MentionId]] = {}
        for mention in everything:
            groups.setdefault(mention.name, set()).add(mention.mention_id)
        entity_of = {name: person.entity_id for person in known for name in person.names}
        return LinkageResult(
            everything,
            tuple(
                Identity(IdentityId(f"p{number}"), frozenset(group), entity_id=entity_of.get(name))
                for number, (name, group) in enumerate(sorted(groups.items(), key=lambda g: min(g[1])))
            ),
        )


class FakePipeline:
    """Finds `Xxx Yyy`. A text with the word ONTPLOFT is a fault of the detector; DOODT kills the process."""

    def __init__(self) -> None:
        self.linker = FakeLinker()
        self.gazetteer = FakeLists()

    def detect_kinds(
        self, documents: Sequence[Document], *, searched: Callable[[int], None] | None = None
    ) -> tuple[tuple[Mention, ...], ...]:
        for document in documents:
            if "ONTPLOFT" in document.text:
                raise ZeroDivisionError(document.text)
            if "DOODT" in document.text:
                os.kill(os.getpid(), signal.SIGKILL)
            if searched is not None:
                searched(1)
        return tuple(
            tuple(
                Mention.at(document, Span(*found.span()), detector=Detector.NER, confidence=0.9)
                for found in _NAME.finditer(document.text)
            )
            for document in documents
        )

    def normalize(
        self,
        documents: Sequence[Document],
        mentions: Sequence[Sequence[Mention]],
        values: Sequence[Sequence[ValueMention]] | None = None,
    ) -> tuple[NormalizedMention, ...]:
        assert len(documents) == len(mentions)
        assert values is None or len(documents) == len(values)
        return tuple(NormalizedMention(m, name_of(m.surface)) for found in mentions for m in found)


def new_batch(
    sources: Sequence[SourceFile],
    output: Path | None,
    settings: BatchSettings,
    *,
    given: Mapping[str, tuple[GivenMention, ...]] | None = None,
    judgements: Sequence[Judgement] = (),
    **tools: Any,
) -> Batch:
    """A run with these fields of RunTools; those of None are left to their defaults."""
    chosen = {name: value for name, value in tools.items() if value is not None}
    return Batch(sources, output, settings, RunTools(**chosen), given=given, judgements=judgements)


def load_fake() -> FakePipeline:
    return FakePipeline()


def make_vault(folder: Path) -> Callable[[], AbstractContextManager[Vault]]:
    """A new vault with its key in folder, and what opens it."""
    folder.mkdir(parents=True, exist_ok=True)
    url, key = f"sqlite:///{folder / 'vault.db'}", FileKey(folder / "kek.key")
    with Vault.create(url, key) as made:
        made.commit()
    return partial(Vault.open, url, key)
