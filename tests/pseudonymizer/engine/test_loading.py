"""The pipeline of a process: made once for its settings, on one thread, its network loaded when needed."""

import gc
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from linkage.gazetteer import Gazetteer
from linkage.recognition.detector import MentionDetector
from linkage.settings import LinkageSettings, RecognitionSettings
from pseudonymizer.engine.loading import OneThreadPipeline, load_pipeline, registered_people


@pytest.fixture(autouse=True)
def _nothing_loaded_before() -> Iterator[None]:
    load_pipeline.cache_clear()
    yield
    load_pipeline.cache_clear()


def test_one_pipeline_is_made_for_the_same_settings() -> None:
    first = load_pipeline(LinkageSettings())
    assert isinstance(first, OneThreadPipeline)
    assert load_pipeline(LinkageSettings()) is first
    other = LinkageSettings(replace(RecognitionSettings(), find_typing_errors=False))
    assert load_pipeline(other) is not first
    assert "detector" not in vars(first)  # the network waits for the first text


def test_the_network_is_loaded_once_and_held_to_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_num_threads=done.append))
    monkeypatch.setattr(gc, "freeze", lambda: done.append("frozen"))
    monkeypatch.setattr(MentionDetector, "load", lambda *_: done.append("loaded"))
    pipeline = load_pipeline(LinkageSettings())
    assert done == []
    assert pipeline.detector is pipeline.detector
    assert done == [1, "loaded", "frozen"]


def test_without_a_registry_nobody_is_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gazetteer, "load", lambda: pytest.fail("no list is needed"))
    assert registered_people(LinkageSettings()) == ()


def test_people_of_the_registry_are_known(tmp_path: Path) -> None:
    place = tmp_path / "people.csv"
    place.write_text("id;voornaam;achternaam\n7;Jan;Tolsma\n8;Els;Wiersma\n", encoding="utf-8")
    people = registered_people(LinkageSettings(RecognitionSettings(persons_file=place)))
    assert [person.entity_id for person in people] == ["7", "8"]
    assert [person.names[0].family for person in people] == ["Tolsma", "Wiersma"]


@pytest.mark.parametrize(("said", "holds"), [(None, "256"), ("32", "32")])
def test_torch_keeps_a_bounded_number_of_programs(
    monkeypatch: pytest.MonkeyPatch, said: str | None, holds: str
) -> None:
    name = "ONEDNN_PRIMITIVE_CACHE_CAPACITY"
    monkeypatch.setenv(name, said or "")
    if said is None:
        monkeypatch.delenv(name)
    met: list[str] = []
    torch = SimpleNamespace(set_num_threads=lambda _: met.append(os.environ[name]))
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(MentionDetector, "load", lambda *_: object())
    assert load_pipeline(LinkageSettings()).detector
    assert met == [holds]  # it stands before torch computes anything
