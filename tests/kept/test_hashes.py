"""Whatever is stored under a hash keeps its hash: what commit 8952b15 made of fixed inputs and fixed keys.

The list of what is hashed, by the name in hashes.json:

- document id: HMAC of the path below the input; work files and paths.tsv name documents by it
- document tag: keyed hash of a document id; finds the mentions and the way back of a document
- content id, part id, mention id: the place of a mention, of which its tag is made
- unit id: one unit of a large file in the work file
- output id, unit output id, output tag: find the way back of an output by place and bytes, or by bytes alone
- mention tag: whom a mention was given to
- form fact, place of a sighting, sighting fact: what is known of a person, read where a vault has it, and no
  longer written; the form tag of such a row is asked for by nobody
- normal form, index tag: find a person by the full name, a registry id, or text that looks like a token
- deterministic material, deterministic token: pseudonyms of deterministic mode, invented names, run keys
- run fingerprint: whether an output was made under the same settings
"""

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from linkage.records import DocumentId, NormalizedMention, PersonName, Span
from linkage.review import Judgement, read_judgements
from linkage.sighting_text import SightingReader
from linkage.sightings import sighting_of
from pseudonymizer.document_ids import part_document_id
from pseudonymizer.engine.file_work import _content_id
from pseudonymizer.engine.records import AnalyzeTask
from pseudonymizer.engine.sources import SourceFile
from pseudonymizer.engine.way_back import output_id
from pseudonymizer.formats.units import Unit
from pseudonymizer.keyring import FileKey
from pseudonymizer.records import Scope
from pseudonymizer.runs.fingerprint import RunTerms
from pseudonymizer.runs.units import unit_id, unit_place
from pseudonymizer.settings import StyleSettings
from pseudonymizer.vault import Vault
from pseudonymizer.vault.rows import documents, forms, indexing, mentions, old_facts
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from tests.kept.material import HERE, unpack
from tests.kept.people import mention

KEPT = json.loads((HERE / "hashes.json").read_text(encoding="utf-8"))
PROJECT = "token"
READ = {"form fact", "form tag", "place of a sighting", "sighting fact"}


class Hashes:
    """The hashes of the present program under the keys of the kept vault."""

    def __init__(self, vault: Vault, judgements: tuple[Judgement, ...]) -> None:
        self._vault, self._judgements = vault, judgements

    @cached_property
    def _keys(self) -> ProjectKeys:
        return self._vault.keys_of(PROJECT)

    def of(self, what: str, given: Any) -> bytes | str:
        return self._makers[what](given)

    @cached_property
    def _makers(self) -> Mapping[str, Callable[[Any], bytes | str]]:
        keys = self._keys
        return {
            "document id": self._document_id,
            "document tag": lambda doc_id: documents.doc_tag(keys, doc_id),
            "content id": lambda given: self._content_id(*given),
            "part id": lambda given: part_document_id(self._content_id(*given[:2]), given[2]),
            "unit id": self._unit_id,
            "output id": lambda given: output_id(self._vault, PROJECT, given[0], given[1].encode()),
            "unit output id": lambda given: output_id(
                self._vault, PROJECT, unit_place(given[0], given[1]), given[2].encode()
            ),
            "output tag": self._output_tag,
            "mention id": lambda given: mention("x" * given[2]).mention_id,
            "mention tag": lambda given: mentions.mention_tags(keys, [mention(given[2])])[0],
            "normal form": lambda given: forms.normal_form(PersonName(*given[1])) or "",
            "index tag": lambda given: indexing.tag_of(keys.index, *given),
            "deterministic material": lambda given: _material(*given),
            "deterministic token": lambda given: keys.token.derive(given[0], _material(*given[1:])),
            "run fingerprint": self._fingerprint,
        }

    def _document_id(self, path: str) -> DocumentId:
        return self._vault.document_id(PROJECT, path)

    def _content_id(self, path: str, text: str) -> DocumentId:
        key = self._vault.document_id(PROJECT, "\0contents of files").encode()[:64]
        return _content_id(AnalyzeTask(self._document_id(path), Path(path), key), text.encode())

    def _unit_id(self, given: Any) -> DocumentId:
        path, number = given
        unit = Unit(number, 10, 15, 40, "jsonl")
        return unit_id(self._document_id(path), SourceFile(Path(path), path, 5, 0, unit))

    def _output_tag(self, given: Any) -> bytes:
        text = given if isinstance(given, str) else given[0] * given[1]
        return documents.output_tag(self._keys, text.encode())

    def _fingerprint(self, given: Any) -> bytes:
        return terms_of(given, self._judgements).fingerprint()


def _normalized(given: Any) -> NormalizedMention:
    _, _, surface, parts = given
    return NormalizedMention(mention(surface), PersonName(*parts))


def _material(normal_form: str, scope_tag: str) -> bytes:
    return forms.deterministic_material(normal_form, bytes.fromhex(scope_tag))


def terms_of(given: Mapping[str, Any], judgements: tuple[Judgement, ...]) -> RunTerms:
    return RunTerms(
        given["project"], Scope(given["scope"]), given["deterministic"], given["settings"],
        StyleSettings.from_mapping(given["styles"]),
        {name: [Span(*span) for span in spans] for name, spans in given["given"].items()},
        judgements if given["judged"] else (),
    )  # fmt: skip


@pytest.fixture(scope="module")
def hashes(tmp_path_factory: pytest.TempPathFactory) -> Hashes:
    folder = unpack("projects", tmp_path_factory.mktemp("hashes"))
    key = FileKey(folder / "vault" / "kek.key")
    with Vault.open(f"sqlite:///{folder}/vault/vault.db", key, actor="keeper") as vault:
        return Hashes(vault, read_judgements(folder / "judgements.jsonl"))


@pytest.mark.parametrize("what", sorted({one["what"] for one in KEPT} - READ))
def test_it_is_what_it_was(what: str, hashes: Hashes) -> None:
    kept = [one for one in KEPT if one["what"] == what]
    made = [hashes.of(what, one["input"]) for one in kept]
    assert [one.hex() if isinstance(one, bytes) else one for one in made] == [one["digest"] for one in kept]


def test_what_was_sealed_of_a_person_is_read() -> None:
    sealed = {
        what: {json.dumps(one["input"]): one["digest"] for one in KEPT if one["what"] == what}
        for what in READ
    }
    assert len(sealed["sighting fact"]) == 5
    for given, place in sealed["sighting fact"].items():
        doc_id, start, surface, parts = json.loads(given)
        form = bytes.fromhex(sealed["form fact"][json.dumps([surface, parts])])
        normalized = _normalized(json.loads(given))
        assert normalized.mention.doc_id == doc_id
        assert normalized.mention.span.start == start
        assert old_facts.facts_of([form, bytes.fromhex(place)], SightingReader()) == [
            forms.SurfaceForm(surface, normalized.name), sighting_of(normalized),
        ]  # fmt: skip
        read = SightingReader().read(surface, normalized.name, sealed["place of a sighting"][given])
        assert read == sighting_of(normalized)


def test_every_setting_makes_another_fingerprint(hashes: Hashes) -> None:
    made = [hashes.of("run fingerprint", one["input"]) for one in KEPT if one["what"] == "run fingerprint"]
    assert len(set(made)) == len(made) == 28
