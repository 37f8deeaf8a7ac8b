"""The typing-error protocol: a name once right, once wrong, in two sentences; is the wrong one found?

Five kinds of error, one each a name: substitution, deletion, transposition, insertion, replication. Carrier
sentences are our own; names, places of the errors and sentences are drawn with a seed.
"""

import csv
import random
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.records import Document, DocumentId, Mention, Span
from linkage.settings import RecognitionSettings

CARRIERS = (
    "Gisteren sprak ik {} nog op de gang over het nieuwe rooster.",
    "Volgens {} is de rekening van maart op tijd betaald.",
    "De monteur gaf de sleutels aan {} en reed daarna door naar de volgende klant.",
    "Na de vergadering liep {} naar buiten om te bellen.",
    "Wij hebben {} gevraagd om de stukken voor vrijdag terug te sturen.",
    "Toen de bus vertraging had, wachtte {} bij de halte op de anderen.",
    "In het verslag staat dat {} om tien uur is vertrokken.",
    "Het pakket is aangenomen door {}, die op de begane grond woont.",
    "Omdat de lift kapot was, moest {} met de trap naar boven.",
    "Voor vragen over de planning kunt u bij {} terecht.",
    "De verpleegkundige heeft met {} over de medicatie gesproken.",
    "Zoals afgesproken neemt {} de notulen van volgende week op zich.",
    "Aan het einde van de middag bracht {} de formulieren langs.",
    "Dat was niet de bedoeling, zei {} na afloop van de zitting.",
    "Sinds de verhuizing heb ik van {} niets meer gehoord.",
    "De afspraak met {} is verzet naar dinsdag om half drie.",
    "Op de foto staat {} links naast de voorzitter.",
    "Vanmorgen belde {} om zich ziek te melden.",
    "Het voorstel van {} werd zonder discussie aangenomen.",
    "Morgen gaat {} met de trein naar het congres.",
    "Wie de factuur wil inzien, moet dat eerst aan {} laten weten.",
    "Daarom heeft {} besloten om de aanvraag in te trekken.",
    "Of het plan doorgaat, hangt volgens {} af van de begroting.",
    "Bij de opening van het gebouw hield {} een korte toespraak.",
    "Tijdens de controle bleek dat {} de verkeerde map had meegenomen.",
    "Namens de familie bedankte {} iedereen voor de goede zorgen.",
)  # fmt: skip


def substitution(name: str, generator: random.Random) -> str:
    place = generator.randrange(len(name))
    return name[:place] + generator.choice(string.ascii_lowercase) + name[place + 1 :]


def deletion(name: str, generator: random.Random) -> str:
    place = generator.randrange(len(name))
    return name[:place] + name[place + 1 :]


def transposition(name: str, generator: random.Random) -> str:
    place = generator.randrange(len(name) - 1)
    return name[:place] + name[place + 1] + name[place] + name[place + 2 :]


def insertion(name: str, generator: random.Random) -> str:
    place = generator.randrange(len(name) + 1)
    return name[:place] + generator.choice(string.ascii_lowercase) + name[place:]


def replication(name: str, generator: random.Random) -> str:
    place = generator.randrange(len(name))
    return name[:place] + name[place] + name[place:]


ERRORS: Mapping[str, Callable[[str, random.Random], str]] = {
    "substitution": substitution,
    "deletion": deletion,
    "transposition": transposition,
    "insertion": insertion,
    "replication": replication,
}


@dataclass(frozen=True, slots=True)
class Trial:
    """One document of the protocol."""

    kind: str
    document: Document
    right: Span
    wrong: Span


@dataclass(slots=True)
class TypingErrorResult:
    """Counts of one kind of error."""

    trials: int = 0
    found: int = 0  # exactly
    covered: int = 0  # every letter lies in a mention
    right_found: int = 0
    false_spans: int = 0
    words: int = 0
    missed: list[str] = field(default_factory=list, repr=False)

    def as_dict(self) -> dict[str, float]:
        return {
            "trials": self.trials,
            "found": self.found / max(self.trials, 1),
            "covered": self.covered / max(self.trials, 1),
            "right_form_found": self.right_found / max(self.trials, 1),
            "false_per_1000_words": 1000 * self.false_spans / max(self.words, 1),
        }


def misspell(name: str, kind: str, generator: random.Random) -> str:
    """The name with one error of this kind, its first letter in the case it was in; never the name itself."""
    while True:
        wrong = ERRORS[kind](name.lower(), generator)
        if wrong != name.lower():
            return wrong[0].upper() + wrong[1:] if name[0].isupper() else wrong


def trials(names: Sequence[str], *, seed: int) -> list[Trial]:
    """For each name and kind one document: a sentence with the right form, one with the wrong form."""
    generator = random.Random(seed)
    made: list[Trial] = []
    for number, name in enumerate(names):
        for kind in ERRORS:
            first, second = generator.sample(CARRIERS, 2)
            wrong = misspell(name, kind, generator)
            start = first.index("{}")
            text = first.replace("{}", name) + " "
            wrong_start = len(text) + second.index("{}")
            text += second.replace("{}", wrong)
            made.append(
                Trial(
                    kind,
                    Document(DocumentId(f"{number}-{kind}"), text),
                    Span(start, start + len(name)),
                    Span(wrong_start, wrong_start + len(wrong)),
                )
            )
    return made


def judge(made: Sequence[Trial], detected: Sequence[Sequence[Mention]]) -> dict[str, TypingErrorResult]:
    results = {kind: TypingErrorResult() for kind in ERRORS}
    for trial, mentions in zip(made, detected, strict=True):
        result = results[trial.kind]
        spans = [mention.span for mention in mentions]
        result.trials += 1
        exact = trial.wrong in spans
        result.found += exact
        result.covered += any(span.contains(trial.wrong) for span in spans)
        result.right_found += trial.right in spans
        result.false_spans += sum(
            not span.overlaps(trial.wrong) and not span.overlaps(trial.right) for span in spans
        )
        result.words += len(trial.document.text.split())
        if not exact:
            result.missed.append(trial.document.text)
    return results


def draw_names(
    candidates: Sequence[str], *, count: int, least_letters: int, most_letters: int, seed: int
) -> list[str]:
    """Distinct names of plain letters and this length, drawn with the seed from the sorted candidates."""
    fitting = sorted(
        {name for name in candidates if name.isalpha() and least_letters <= len(name) <= most_letters}
    )
    return random.Random(seed).sample(fitting, min(count, len(fitting)))


def run(shared: Path, *, count: int, seed: int, misses: Path | None) -> dict[str, Any]:
    """The protocol on count names outside the lists, count inside, and 100 short ones."""
    gazetteer = Gazetteer.load()
    detector = MentionDetector.load(RecognitionSettings(), gazetteer)
    listed, unlisted = _names(shared, gazetteer)
    groups = {
        "unlisted": draw_names(unlisted, count=count, least_letters=5, most_letters=15, seed=seed),
        "listed": draw_names(listed, count=count, least_letters=5, most_letters=15, seed=seed),
        "short (3-4 letters, listed)": draw_names(
            listed, count=100, least_letters=3, most_letters=4, seed=seed
        ),
    }
    report: dict[str, Any] = {}
    missed: list[str] = []
    for group, names in groups.items():
        made = trials(names, seed=seed)
        results = judge(made, detector.detect([trial.document for trial in made]))
        report[group] = {kind: result.as_dict() for kind, result in results.items()}
        words = sum(result.words for result in results.values())
        false = sum(result.false_spans for result in results.values())
        report[group]["false_per_1000_words"] = 1000 * false / max(words, 1)
        missed += [f"{group}\t{kind}\t{text}" for kind, result in results.items() for text in result.missed]
    if misses is not None:
        misses.write_text("\n".join(missed) + "\n", encoding="utf-8")
    return report


def _names(shared: Path, gazetteer: Gazetteer) -> tuple[list[str], list[str]]:
    """Names inside and outside the shipped lists, from larger lists that do not ship; no words."""
    folder = shared / "data" / "names"
    names = []
    for file, column in (("given_names_nl.tsv", "name"), ("surnames_nl.tsv", "core")):
        with (folder / file).open(encoding="utf-8", newline="") as rows:
            table = csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE)
            names += [row[column] for row in table if row[column] and row[column].istitle()]
    is_listed = {name: gazetteer.is_given_name(name) or gazetteer.is_surname(name) for name in names}
    ordinary = {name for name in names if gazetteer.is_word(name) or gazetteer.is_place(name)}
    listed = [name for name in names if is_listed[name] and name not in ordinary]
    return listed, [name for name in names if not is_listed[name] and name not in ordinary]
