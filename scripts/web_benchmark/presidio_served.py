"""Presidio's analyzer and anonymizer behind an ASGI server, for scripts/benchmark_web: a text comes as JSON,
the anonymized text goes back. Its patterns and a blank English model: only the time it takes is compared.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import spacy
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
from presidio_analyzer.nlp_engine import SpacyNlpEngine
from presidio_anonymizer import AnonymizerEngine


class BlankEngine(SpacyNlpEngine):  # type: ignore[misc]
    """A blank model: it tells words, and finds nothing by itself."""

    def __init__(self) -> None:
        super().__init__()
        model = spacy.blank("en")
        model.add_pipe("sentencizer")
        self.nlp = {"en": model}


def _analyzer() -> Any:
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    return AnalyzerEngine(nlp_engine=BlankEngine(), registry=registry, supported_languages=["en"])


_ANALYZER, _ANONYMIZER = _analyzer(), AnonymizerEngine()  # type: ignore[no-untyped-call]


async def app(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    """One request."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    text = json.loads(body)["text"]
    found = _ANALYZER.analyze(text=text, language="en")
    answer = json.dumps({"text": _ANONYMIZER.anonymize(text=text, analyzer_results=found).text}).encode()
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]}
    )
    await send({"type": "http.response.body", "body": answer})
