"""Turn span probabilities into how often such spans are right, on tuning documents."""

import json
import math
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from linkage.recognition.stanza_ner import StanzaRecognizer
from linkage.records import Document, DocumentId
from linkage.settings import RecognitionSettings

_EDGE = 10**-6  # probabilities nearer to 0 or 1 count as this; so does the weight of the penalty


def fit(folder: Path, rows: list[dict[str, object]]) -> tuple[float, float]:
    """(slope, offset) of sigmoid(slope * logit(p) + offset), fitted on person spans of gold rows (Platt
    1999).

    The model in folder must not be calibrated yet.
    """
    recognizer = StanzaRecognizer.load(RecognitionSettings(ner_model=folder), weak_person_confidence=0.0)
    documents = [Document(DocumentId(str(row["doc_id"])), str(row["text"])) for row in rows]
    logits, right = [], []
    for row, found in zip(rows, recognizer.recognize(documents), strict=True):
        gold = {(m["start"], m["end"]) for m in row["mentions"]}  # type: ignore[attr-defined]
        for person in found.persons:
            p = min(max(person.confidence, _EDGE), 1 - _EDGE)
            logits.append(math.log(p / (1 - p)))
            right.append((person.span.start, person.span.end) in gold)
    if len(set(right)) < 2:
        return 1.0, 0.0
    model = LogisticRegression(C=1 / _EDGE).fit(np.array(logits).reshape(-1, 1), right)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def calibrate(folder: Path, rows: list[dict[str, object]]) -> None:
    """Fit and write the result into folder/model.json."""
    card = folder / "model.json"
    values = json.loads(card.read_text(encoding="utf-8"))
    values.update(calibration_slope=1.0, calibration_offset=0.0)
    card.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
    slope, offset = fit(folder, rows)
    values.update(calibration_slope=round(slope, 4), calibration_offset=round(offset, 4))
    card.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")
