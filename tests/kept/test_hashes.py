"""Whatever is stored under a hash keeps its hash: what commit 8952b15 made of fixed inputs and fixed keys.

The list of what is hashed, by the name in hashes.json:

- document id: HMAC of the path below the input; work files and paths.tsv name documents by it
- document tag: keyed hash of a document id; finds the mentions and the way back of a document
- content id, part id, mention id: the place of a mention, of which its tag is made
- unit id: one unit of a large file in the work file
- output id, unit output id, output tag: find the way back of an output by place and bytes, or by bytes alone
- mention tag: whom a mention was given to
- form fact, place of a sighting, sighting fact, form tag: what is known of a person, each stored once
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
from linkage.sighting_text import place_of
from pseudonymizer.engine.file_work import _content_id
from pseudonymizer.engine.mentions import part_document_id
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
from pseudonymizer.vault.rows import documents, forms, indexing, mentions
from pseudonymizer.vault.store.projectkeys import ProjectKeys
from tests.kept.material import HERE, unpack
from tests.kept.people import mention

KEPT = json.loads((HERE / "hashes.json").read_text(encoding="utf-8"))
PROJECT = "token"


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
            "form fact": lambda given: forms.form_fact(given[0], PersonName(*given[1])),
            "form tag": self._form_tag,
            "place of a sighting": lambda given: place_of(_normalized(given)),
            "sighting fact": self._sighting_fact,
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

    def _form_tag(self, given: Any) -> bytes:
        entity_id, surface, parts = given
        facts = [
            forms.form_fact(surface, PersonName(*parts)), forms.attribute_fact("birth_date", "1980-02-03"),
        ]  # fmt: skip
        return self._keys.binder("form-id").tag(entity_id.to_bytes(8, "big") + forms.pack(facts)[0])

    def _sighting_fact(self, given: Any) -> bytes:
        found = _normalized(given)
        return forms.sighting_fact(found, forms.form_fact(found.mention.surface, found.name))

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


@pytest.mark.parametrize("what", sorted({one["what"] for one in KEPT}))
def test_it_is_what_it_was(what: str, hashes: Hashes) -> None:
    kept = [one for one in KEPT if one["what"] == what]
    made = [hashes.of(what, one["input"]) for one in kept]
    assert [one.hex() if isinstance(one, bytes) else one for one in made] == [one["digest"] for one in kept]


def test_every_setting_makes_another_fingerprint(hashes: Hashes) -> None:
    made = [hashes.of("run fingerprint", one["input"]) for one in KEPT if one["what"] == "run fingerprint"]
    assert len(set(made)) == len(made) == 28
