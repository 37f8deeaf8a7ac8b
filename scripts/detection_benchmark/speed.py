"""Speed of detection beside Stanza's NER processor alone, on unique text; short texts, start and memory."""

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from peak_memory import peak_bytes

from linkage.detection import value_mentions
from linkage.evaluation.gold import read_gold
from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.recognition.ner_model import silent_stanza
from linkage.recognition.stanza_ner import StanzaRecognizer
from linkage.records import Document, DocumentId, RecognizedText
from linkage.settings import RecognitionSettings, data_directory

_START = """
import sys, time
start = time.perf_counter()
from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.records import Document, DocumentId
from linkage.settings import RecognitionSettings, data_directory
detector = MentionDetector.load(RecognitionSettings(), Gazetteer.load())
detector.detect([Document(DocumentId("a"), "Beste Sanne, morgen komt Kees Hoekstra langs.")])
wall, cpu = time.perf_counter() - start, time.process_time()
sys.path[:0] = ["scripts"]
from peak_memory import peak_bytes
print(wall, cpu, peak_bytes() / 2**20)
"""

_SHORT = (
    "import sys; sys.path[:0] = ['scripts']; from detection_benchmark import speed; speed.measure_short()"
)
_GIVEN = ("Jan", "Els", "Piet", "Ria", "Bas", "Ko", "Ada", "Sjoerd", "Jet", "Anneke")
_FAMILY = ("Tolsma", "Wiersma", "Hoekema", "Zijlstra", "Terpstra", "Postma", "Douma", "Bouma", "Kooistra")
_SENTENCES = (
    "{a} belde vanmorgen over de aanvraag van {b}.",
    "Het gesprek met {a} ging over de verbouwing van het huis.",
    "Wij spraken af dat {b} de stukken voor vrijdag opstuurt.",
    "De rekening is betaald en het dossier kan worden gesloten.",
    "Volgens {a} was de afspraak met de gemeente verzet naar dinsdag.",
)
_SHORT_TEXTS, _AT_ONCE = 2_000, 250
_PAIRS, _EVERY = 7, 4


def texts(shared: Path) -> list[Document]:
    """Each document once: the office text of the tuning data's kind, press, and parliament."""
    ner = shared / "data" / "ner"
    golds = [*read_gold(ner / "kamerstukken.persons.jsonl"), *read_gold(ner / "ntrex-dev.persons.jsonl")]
    golds += read_gold(ner / "office-train.persons.jsonl")[::12]
    return [gold.document for gold in golds]


def stanza_seconds(documents: Sequence[Document], recognized: Sequence[RecognizedText]) -> float:
    """CPU seconds of Stanza's NER processor with the shipped model on the sentences and tokens given."""
    with silent_stanza():
        import stanza

        models = data_directory() / "languages" / "nl" / "models"
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "resources.json").write_text("{}", encoding="utf-8")
            pipeline = stanza.Pipeline(
                "nl", dir=folder, processors="tokenize,ner", package=None, tokenize_pretokenized=True,
                ner_model_path=str(models / "ner.pt"), ner_pretrain_path=str(models / "vectors.pt"),
                download_method=None, allow_unknown_language=True, use_gpu=False, verbose=False,
            )  # fmt: skip
        sentences: list[list[str]] = []
        for document, text in zip(documents, recognized, strict=True):
            ends = [sentence.end for sentence in text.sentences]
            sentences.append([])
            at = 0
            for token in text.tokens:
                while at < len(ends) and token.start >= ends[at]:
                    at += 1
                    if sentences[-1]:
                        sentences.append([])
                sentences[-1].append(token.cut(document.text))
        sentences = [sentence for sentence in sentences if sentence]
        pipeline(sentences[:5])
        start = time.process_time()
        pipeline(sentences)
        return time.process_time() - start


def run(shared: Path) -> dict[str, Any]:
    """CPU seconds of each on the same text; tokens are the network's. Each reads the text once, cold."""
    documents = texts(shared)
    settings = RecognitionSettings()
    detector = MentionDetector.load(settings, Gazetteer.load())
    detector.detect([documents[0]])  # so that lazy parts are there
    start = time.process_time()
    detector.detect(documents[1:])
    detection_seconds = time.process_time() - start

    network = StanzaRecognizer.load(settings)
    network.recognize(documents[:1])
    start = time.process_time()
    recognized = network.recognize(documents[1:])
    network_seconds = time.process_time() - start
    stanza_alone = stanza_seconds(documents[1:], recognized)
    tokens = sum(len(text.tokens) for text in recognized)
    letters = sum(len(document.text) for document in documents[1:])
    return {
        "documents": len(documents) - 1,
        "tokens": tokens,
        "stanza_ner_processor_tokens_per_cpu_second": round(tokens / stanza_alone),
        "own_recognizer_tokens_per_cpu_second": round(tokens / network_seconds),
        "detection_tokens_per_cpu_second": round(tokens / detection_seconds),
        "detection_letters_per_cpu_second": round(letters / detection_seconds),
        "share_of_stanza_ner_processor_speed": round(stanza_alone / detection_seconds, 3),
        "share_of_own_recognizer_speed": round(network_seconds / detection_seconds, 3),
        "peak_memory_mb": round(peak_bytes() / 2**20),
    }


def run_kinds(shared: Path) -> dict[str, Any]:
    """CPU seconds of all kinds found by rule beside those of detection with names alone, in turns.

    The share is the median of the pairs, so that other work on the machine counts little.
    """
    documents = texts(shared)[::_EVERY]
    detector = MentionDetector.load(RecognitionSettings(), Gazetteer.load())
    pairs = []
    for _ in range(_PAIRS + 1):
        start = time.process_time()
        found = detector.detect(documents)
        names = time.process_time() - start
        start = time.process_time()
        for document, mentions in zip(documents, found, strict=True):
            value_mentions(document, persons=[mention.span for mention in mentions])
        pairs.append((names, time.process_time() - start))
    del pairs[0]  # reads models and tables
    shares = [values / names for names, values in pairs]
    return {
        "documents": len(documents),
        "letters": sum(len(document.text) for document in documents),
        "names_cpu_seconds": round(statistics.median(names for names, _ in pairs), 3),
        "values_cpu_seconds": round(statistics.median(values for _, values in pairs), 3),
        "share": round(statistics.median(shares), 3),
        "least_share": round(min(shares), 3),
        "greatest_share": round(max(shares), 3),
    }


def run_start(root: Path) -> dict[str, float]:
    """Seconds from the start of a process to its first mentions, and the memory of that process."""
    finished = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _START], cwd=root, capture_output=True, text=True, check=True
    )
    wall, cpu, memory = map(float, finished.stdout.split())
    return {"seconds": round(wall, 2), "cpu_seconds": round(cpu, 2), "peak_memory_mb": round(memory)}


def run_short(root: Path) -> dict[str, float]:
    """Detection alone on 2,000 texts of three sentences, in a process of its own: speed, networks, memory."""
    finished = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _SHORT], cwd=root, capture_output=True, text=True, check=True
    )
    figures: dict[str, float] = json.loads(finished.stdout)
    return figures


def measure_short() -> None:
    """Print the figures of this process. The networks are torch's layers, without the decoding of the CRF."""
    chosen = random.Random(1)
    people = [f"{given} {family}" for given in _GIVEN for family in _FAMILY]
    documents = []
    for number in range(_SHORT_TEXTS):
        a, b = chosen.choice(people), chosen.choice(people)
        text = " ".join(sentence.format(a=a, b=b) for sentence in chosen.sample(_SENTENCES, 3))
        documents.append(Document(DocumentId(f"short{number}"), text))
    detector = MentionDetector.load(RecognitionSettings(), Gazetteer.load())
    detector.detect(documents[:10])  # so that lazy parts are there
    loaded = _resident_mb()
    with _network_seconds() as spent:
        start = time.process_time()
        mentions = 0
        for first in range(0, len(documents), _AT_ONCE):
            mentions += sum(map(len, detector.detect(documents[first : first + _AT_ONCE])))
        seconds = time.process_time() - start
    figures = {
        "documents": len(documents),
        "mentions": mentions,
        "cpu_milliseconds_a_document": round(seconds / len(documents) * 1000, 2),
        "share_outside_networks": round(1 - sum(spent) / seconds, 3),
        "memory_mb_after_load": round(loaded),
        "memory_mb_at_end": round(_resident_mb()),
        "peak_memory_mb": round(peak_bytes() / 2**20),
    }
    print(json.dumps(figures))


@contextmanager
def _network_seconds() -> Iterator[list[float]]:
    """CPU seconds of each outermost call of a torch module while the context is open."""
    from torch.nn.modules import module

    spent: list[float] = []
    started: list[float] = []

    def enter(_module: Any, _given: Any) -> None:
        started.append(time.process_time())

    def leave(_module: Any, _given: Any, _output: Any) -> None:
        began = started.pop()
        if not started:
            spent.append(time.process_time() - began)

    hooks = [
        module.register_module_forward_pre_hook(enter),
        module.register_module_forward_hook(leave, always_call=True),
    ]
    try:
        yield spent
    finally:
        for hook in hooks:
            hook.remove()


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20
