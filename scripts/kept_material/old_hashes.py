# mypy: ignore-errors
# ruff: noqa: I001  its modules may be gone
"""Digests as commit 8952b15 makes them, written for the modules of that commit: run it with no other."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kept_material.inputs import LOOKS_LIKE_A_TOKEN
from kept_material.program import PURPOSE, STORE, OldProgram
from linkage.records import (
    Detector,
    Document,
    DocumentId,
    Mention,
    NormalizedMention,
    PersonName,
    Span,
)


def person(text: str) -> NormalizedMention:
    """A mention of a person, "given family", alone in a document of its own."""
    given, _, family = text.partition(" ")
    document = Document(DocumentId("kept-document"), text)
    mention = Mention.at(document, Span(0, len(text)), detector=Detector.REGISTRY, confidence=1.0)
    return NormalizedMention(mention, PersonName(given=given, family=family or None))


def work_with_run_key(old: OldProgram, folder: Path) -> None:
    """A run key, the labels that a worker gives with it, and its parcel, which no vault has taken in yet."""
    from pseudonymizer.runkeys import RunKey, RunWorker

    old("vault", "run-key", *STORE, "--project", "token", "--run", "nacht", "--hours", "168", *PURPOSE,
        "--out", "run.key")  # fmt: skip
    key = RunKey.from_text((folder / "run.key").read_text())
    worker = RunWorker(key)
    mentions = [person("Daan Wiegersma"), person("Sietske Brouwershaven"), person("Daan")]
    labels = list(worker.labels(mentions).values())
    (folder / "parcel.bin").write_bytes(worker.parcel(mentions))
    (folder / "run_labels.json").write_text(json.dumps({"run": key.run, "labels": labels}, indent=1))


def make_hashes(folder: Path) -> list[dict[str, Any]]:
    """What each kept hash is made of, and its digest, under the keys of the kept vault."""
    from linkage.review import read_judgements
    from linkage.sightings import place_of
    from pseudonymizer.batch.mentions import part_document_id
    from pseudonymizer.batch.plan import SourceFile
    from pseudonymizer.batch.stages import _content_id
    from pseudonymizer.batch.tasks import AnalyzeTask
    from pseudonymizer.batch.units import unit_id, unit_place
    from pseudonymizer.batch.writing import output_id
    from pseudonymizer.formats.units import Unit
    from pseudonymizer.keyring import FileKey
    from pseudonymizer.vault import Vault, documents, forms, indexing, mentions

    found: list[dict[str, Any]] = []

    def note(what: str, given: Any, digest: bytes | str) -> None:
        found.append(
            {"what": what, "input": given, "digest": digest.hex() if isinstance(digest, bytes) else digest}
        )

    names = {
        text: PersonName(*parts)
        for text, parts in {
            "Jasmijn Terlouwe": ("Jasmijn", None, None, "Terlouwe"),
            "Fenna van der Hulsbeek": ("Fenna", None, "van der", "Hulsbeek"),
            "J. Terlouwe-de Wit jr.": (None, "J.", None, "Terlouwe", "de", "Wit", "jr."),
            "Ruben": ("Ruben",),
            "ZO\u00cb Oskamp-Vaart": ("Zo\u00eb", None, None, "Oskamp-Vaart"),
        }.items()
    }
    with Vault.open(f"sqlite:///{folder}/vault/vault.db", FileKey(folder / "vault" / "kek.key")) as vault:
        keys = vault.keys_of("token")
        content_key = vault.document_id("token", "\0contents of files").encode()[:64]
        for path in ("brieven/een.txt", "brieven/Fenna van der Hulsbeek.txt", "map/\u00e9\u00e9n.txt"):
            doc_id = vault.document_id("token", path)
            note("document id", path, doc_id)
            note("document tag", doc_id, documents.doc_tag(keys, doc_id))
            whole = _content_id(AnalyzeTask(doc_id, Path(path), content_key), b"de tekst")
            note("content id", [path, "de tekst"], whole)
            note("part id", [path, "de tekst", "rows-2"], part_document_id(whole, "rows-2"))
            unit = SourceFile(Path(path), path, 5, 0, Unit(3, 10, 15, 40, "jsonl"))
            note("unit id", [path, 3], unit_id(doc_id, unit))
            note("output id", [path, "de tekst"], output_id(vault, "token", path, b"de tekst"))
            note("unit output id", [path, 3, "de tekst"],
                 output_id(vault, "token", unit_place(path, 3), b"de tekst"))  # fmt: skip
        for raw in ("", "de tekst", "x" * 3_000_000):
            note("output tag", raw if len(raw) < 100 else [raw[0], len(raw)],
                 documents.output_tag(keys, raw.encode()))  # fmt: skip
        for text, name in names.items():
            mention = person(text).mention
            given = [text, name.parts()]
            note("mention id", [mention.doc_id, 0, len(text)], mention.mention_id)
            note("mention tag", [mention.doc_id, 0, text], mentions.mention_tags(keys, [mention])[0])
            fact = forms.form_fact(text, name)
            note("form fact", given, fact)
            packed = forms.pack([fact, forms.attribute_fact("birth_date", "1980-02-03")])[0]
            note("form tag", [7, *given], keys.binder("form-id").tag((7).to_bytes(8, "big") + packed))
            place = place_of(NormalizedMention(mention, name))
            note("place of a sighting", [mention.doc_id, 0, *given], place)
            note("sighting fact", [mention.doc_id, 0, *given],
                 forms.sighting_fact(NormalizedMention(mention, name), fact))  # fmt: skip
            normal = forms.normal_form(name)
            note("normal form", given, normal or "")
            if normal is not None:
                note("index tag", ["name", normal], indexing.tag_of(keys.index, "name", normal))
                for scope_tag in ("", "00112233445566778899aabbccddeeff"):
                    material = forms.deterministic_material(normal, bytes.fromhex(scope_tag))
                    note("deterministic material", [normal, scope_tag], material)
                    for run in ("", "surrogate", "nacht@2024-01-02T03:04:05+00:00"):
                        note(
                            "deterministic token", [run, normal, scope_tag], keys.token.derive(run, material)
                        )
        for label, text in (("registry", "17"), ("literal", LOOKS_LIKE_A_TOKEN)):
            note("index tag", [label, text], indexing.tag_of(keys.index, label, text))
    judgements = read_judgements(folder / "judgements.jsonl")
    for given in fingerprint_inputs():
        note("run fingerprint", given, fingerprint(given, judgements))
    return found


def fingerprint_inputs() -> list[dict[str, Any]]:
    """Settings of runs, from the plain one on: one of them changed each time."""
    recognition = {
        "language": "nl", "ner_model": None, "names_files": False, "persons_file": None, "allow_file": None,
        "deny_file": None, "find_typing_errors": True, "corpus_consistency": False,
    }  # fmt: skip
    linking = {"classifier": None, "link_threshold": None, "review_threshold": None, "max_block_size": 2000}
    settings: dict[str, Any] = {"recognition": recognition, "linking": linking}
    plain: dict[str, Any] = {
        "project": "token", "scope": "project", "deterministic": False, "settings": settings, "styles": {},
        "given": {}, "judged": False,
    }  # fmt: skip
    changed = [
        {"project": "tag"}, {"scope": "document"}, {"deterministic": True}, {"settings": {}},
        {"judged": True}, {"given": {"een.txt": [[0, 5], [9, 12]], "twee.txt#rows-1": []}},
        {"settings": settings | {"formats": {"columns": 2, "keep_unread": True}}},
        *({"settings": settings | {"recognition": recognition | {name: value}}} for name, value in {
            "language": "en", "ner_model": True, "names_files": True, "persons_file": True,
            "allow_file": True, "deny_file": True, "find_typing_errors": False, "corpus_consistency": True,
        }.items()),
        *({"settings": settings | {"linking": linking | {name: value}}} for name, value in {
            "classifier": True, "link_threshold": 0.93, "review_threshold": 0.4, "max_block_size": 1500,
        }.items()),
        *({"styles": {name: value}} for name, value in {
            "style": "tag", "kinds": {"url": "tag", "email": "token"}, "keep_initials": True,
            "keep_family": True, "keep_professionals": True, "keep_domain": True, "mark": False,
            "tag_word": "MENS",
        }.items()),
    ]  # fmt: skip
    return [plain, *(plain | one for one in changed)]


def fingerprint(given: Mapping[str, Any], judgements: Sequence[Any]) -> bytes:
    """What the commit made of these settings."""
    from pseudonymizer.batch.run import Batch, BatchSettings
    from pseudonymizer.batch.tasks import GivenMention
    from pseudonymizer.records import Scope
    from pseudonymizer.settings import StyleSettings

    batch = Batch(
        [], None,
        BatchSettings(
            given["project"], Scope(given["scope"]), given["deterministic"],
            described={"settings": given["settings"]},
        ),
        load=lambda: None, open_vault=lambda: None,
        given={
            key: tuple(GivenMention(Span(*span), "x" * (span[1] - span[0])) for span in spans)
            for key, spans in given["given"].items()
        } or None,
        judgements=judgements if given["judged"] else (),
    )  # fmt: skip
    batch._styles = StyleSettings.from_mapping(given["styles"])
    return batch._fingerprint()
