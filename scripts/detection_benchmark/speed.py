"""Speed of the whole detection beside the network alone, in one process on unique text; start and memory."""

import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from linkage.evaluation.gold import read_gold
from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.recognition.stanza_ner import StanzaRecognizer
from linkage.records import Document
from linkage.settings import RecognitionSettings

_START = """
import resource, time
start = time.perf_counter()
from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.records import Document, DocumentId
from linkage.settings import RecognitionSettings
detector = MentionDetector.load(RecognitionSettings(), Gazetteer.load())
detector.detect([Document(DocumentId("a"), "Beste Sanne, morgen komt Kees Hoekstra langs.")])
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(time.perf_counter() - start, time.process_time(), memory)
"""


def texts(shared: Path) -> list[Document]:
    """Each document once: the office text of the tuning data's kind, press, and parliament."""
    ner = shared / "data" / "ner"
    golds = [*read_gold(ner / "kamerstukken.persons.jsonl"), *read_gold(ner / "ntrex-dev.persons.jsonl")]
    golds += read_gold(ner / "office-train.persons.jsonl")[::4]
    return [gold.document for gold in golds]


def run(shared: Path) -> dict[str, Any]:
    """CPU seconds of each on the same text; tokens are the network's."""
    documents = texts(shared)
    settings = RecognitionSettings()
    network = StanzaRecognizer.load(settings)
    network.recognize(documents[:2])  # so that lazy parts are there
    start = time.process_time()
    recognized = network.recognize(documents)
    network_seconds = time.process_time() - start
    tokens = sum(len(text.tokens) for text in recognized)

    detector = MentionDetector.load(settings, Gazetteer.load())
    detector.detect([documents[0]])
    start = time.process_time()
    detector.detect(documents)
    detection_seconds = time.process_time() - start
    letters = sum(len(document.text) for document in documents)
    return {
        "documents": len(documents),
        "tokens": tokens,
        "recognizer_tokens_per_cpu_second": round(tokens / network_seconds),
        "detection_tokens_per_cpu_second": round(tokens / detection_seconds),
        "detection_letters_per_cpu_second": round(letters / detection_seconds),
        "share_of_recognizer_speed": round(network_seconds / detection_seconds, 3),
        "peak_memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def run_start(root: Path) -> dict[str, float]:
    """Seconds from the start of a process to its first mentions, and the memory of that process."""
    finished = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _START], cwd=root, capture_output=True, text=True, check=True
    )
    wall, cpu, memory = map(float, finished.stdout.split())
    return {"seconds": round(wall, 2), "cpu_seconds": round(cpu, 2), "peak_memory_mb": round(memory)}
