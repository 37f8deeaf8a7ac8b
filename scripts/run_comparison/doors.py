"""The three doors of a recording: `nymlink run` on files, `nymlink run -`, and LinkagePipeline.link.

Only public doors are used: the command, called in this process, and what the packages export. So the same
script records older code.
"""

import contextlib
import hashlib
import io
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from run_comparison.conditions import SeededEntropy
from run_comparison.content import parts_of, renamed, stretches
from run_comparison.inputs import InputSet
from run_comparison.records import DoorRun, Link, Linked, LinkedGold, Output, SetRecord

if TYPE_CHECKING:
    from linkage import Document, LinkagePipeline, LinkageResult, Mention

_TEXT_SUFFIXES: Final = frozenset({"txt", "md"})
_MOST_LINKS: Final = 20_000  # of a group; of more, which only cases of scale have, the digest is kept
_MOST_SHOWN: Final = 20_000  # characters of a document that is kept for examples
_PLACES: Final = 6  # decimals of a probability
_NOT_COUNTED: Final = frozenset(
    {"seconds", "seconds_rewrite", "described", "probabilities", "ocr_confidence"}
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the command gave: exit status and standard output."""

    status: int
    output: bytes = field(repr=False)


def nymlink(*words: str, given: bytes = b"") -> Answer:
    """The command in this process, with given on standard input. Its messages for people are dropped."""
    from pseudonymizer.cli import main

    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    sys.argv = ["nymlink", *words]
    sys.stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
    sys.stdout, sys.stderr = output, io.StringIO()
    status = 0
    try:
        main()
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else int(left.code is not None)
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    output.flush()
    return Answer(status, output.buffer.getvalue() if isinstance(output.buffer, io.BytesIO) else b"")


class Doors:
    """Records sets of documents. Each set has a vault of its own, each group and door a project in it."""

    def __init__(self, entropy: SeededEntropy) -> None:
        self._entropy = entropy

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Options of run beside places: the style, and the profile `names` where the command has profiles."""
        shown = nymlink("run", "--help").output.decode()
        return ("--style", "token", *(("--profile", "names") if "--profile" in shown else ()))

    @cached_property
    def _pipeline(self) -> "LinkagePipeline":
        from linkage import LinkagePipeline, LinkageSettings

        return LinkagePipeline.load(LinkageSettings())

    def record(self, name: str, documents: InputSet, *, readable: bool) -> SetRecord:
        """The set through every door. readable: texts may be kept for examples."""
        # Commands run in that folder: none finds the settings of somebody's project above its own.
        with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
            session = _Session(Path(place), name, self._entropy, self.options, readable=readable)
            files = [session.files(group, raws) for group, raws in documents.groups.items()]
            text = [session.texts(group, raws) for group, raws in documents.groups.items()]
            python: list[Linked] = []
            texts: dict[str, str] = {}
            for group, raws in documents.groups.items():
                read, unread = _read(session.inputs(group, raws), raws)
                python.append(self._linked(group, read, unread))
                if readable:
                    texts |= {f"{group}/{d.doc_id}": d.text[:_MOST_SHOWN] for d in read}
        gold = documents.gold and self._gold(Path(documents.gold), over_corpus=documents.over_corpus)
        return SetRecord(
            {f"{group}/{file}": _digest(raw) for group, raws in documents.groups.items()
             for file, raw in raws.items()},
            files, [run for run in text if run.outputs],
            [linked for linked in python if linked.documents or linked.unread],
            gold or None, texts,
        )  # fmt: skip

    def _linked(self, group: str, read: "Sequence[Document]", unread: list[str]) -> Linked:
        result = self._pipeline.link(read)
        found = [item.mention for item in result.mentions]
        identities, links = _identities(result, [mention.mention_id for mention in found])
        rows = [
            (str(m.doc_id), m.span.start, m.span.end, str(m.detector), round(m.confidence, _PLACES))
            for m in found
        ]
        left_out = "" if len(links) <= _MOST_LINKS else _digest(json.dumps(links).encode())
        return Linked(group, len(read), rows, identities, [] if left_out else links, left_out, unread)

    def _gold(self, path: Path, *, over_corpus: bool) -> LinkedGold:
        """The identities of gold mentions, each document by itself and, if over_corpus, over all of them."""
        from linkage.evaluation.gold import gold_mentions, read_gold

        documents: list[Document] = []
        mentions: list[Sequence[Mention]] = []
        counted: list[Mention] = []
        for gold in read_gold(path):
            own, entities = gold_mentions(gold)
            documents.append(gold.document)
            mentions.append(own)
            counted += (mention for mention in own if mention.mention_id in entities)
        ids = [mention.mention_id for mention in counted]
        corpus = None
        if over_corpus:
            corpus, _ = _identities(self._pipeline.link(documents, mentions), ids)
        alone: dict[Any, tuple[str, int]] = {}
        for document, found in zip(documents, mentions, strict=True):
            if found:
                here = [mention.mention_id for mention in found]
                numbers, _ = _identities(self._pipeline.link([document], [found]), here)
                alone |= {i: (str(document.doc_id), n) for i, n in zip(here, numbers, strict=True)}
        clusters = {cluster: n for n, cluster in enumerate(dict.fromkeys(alone[i] for i in ids))}
        return LinkedGold(
            [(str(m.doc_id), m.span.start, m.span.end) for m in counted],
            [clusters[alone[i]] for i in ids],
            corpus,
        )


class _Session:
    """The folders, vault and key of one set."""

    def __init__(
        self, root: Path, name: str, entropy: SeededEntropy, options: Sequence[str], *, readable: bool
    ) -> None:
        self._root, self._name, self._entropy, self._readable = root, name, entropy, readable
        self._vault = ("--vault", f"sqlite:///{root / 'vault.db'}", "--key-file", str(root / "kek.key"))
        self._options = (*self._vault, "--actor", "recorder", *options)
        entropy.restart(f"{name}: vault")
        if nymlink("vault", "init", *self._vault).status:
            raise RuntimeError("nymlink vault init failed; try it by hand with this code")

    def inputs(self, group: str, raws: Mapping[str, bytes]) -> Path:
        folder = self._root / "in" / group
        folder.mkdir(parents=True, exist_ok=True)
        for name, raw in raws.items():
            (folder / name).write_bytes(raw)
        return folder

    def files(self, group: str, raws: Mapping[str, bytes]) -> DoorRun:
        """The batch: one run over the folder of the group."""
        out = self._root / "out" / group
        self._entropy.restart(f"{self._name}: files of {group}")
        answer = nymlink(
            "run", str(self.inputs(group, raws)), "--out", str(out), *self._options,
            "--project", f"files-{group}", "--workers", "1", "--json",
        )  # fmt: skip
        outputs = {}
        where = (*self._vault, "--actor", "recorder", "--project", f"files-{group}")
        shown = nymlink("paths", str(out), "--out", "-", *where)
        for name, written, counts in _treated(out, shown.output.decode("utf-8", "surrogateescape")):
            raw = (out / written).read_bytes() if written else b""
            outputs[name] = (raw, written, raws.get(name, b""), counts)
        counts = _counts(json.loads(answer.output)) if answer.output.startswith(b"{") else {}
        return DoorRun(group, answer.status, counts, self._outputs(outputs))

    def texts(self, group: str, raws: Mapping[str, bytes]) -> DoorRun:
        """The text path: each plain text of the group, one after the other, in one project."""
        outputs, highest = {}, 0
        for name, raw in raws.items():
            if name.rpartition(".")[2] not in _TEXT_SUFFIXES:
                continue
            self._entropy.restart(f"{self._name}: text {name} of {group}")
            answer = nymlink(
                "run", "-", "--out", "-", *self._options, "--project", f"text-{group}", given=raw
            )
            outputs[name] = (answer.output, "", raw, {"status": answer.status})
            highest = max(highest, answer.status)
        return DoorRun(group, highest, {}, self._outputs(outputs))

    def _outputs(self, outputs: Mapping[str, tuple[bytes, str, bytes, dict[str, int]]]) -> dict[str, Output]:
        """Outputs by the name of their input: (output, its place, input, counts) each."""
        numbers: dict[str, int] = {}
        made = {}
        for name in sorted(outputs):
            raw, written, before, counts = outputs[name]
            parts, tokens = renamed([written.encode(), *parts_of(raw, name)])
            content = b"\0".join(parts)
            labels = [(part, numbers.setdefault(token, len(numbers))) for part, token in tokens]
            made[name] = Output(
                _digest(raw), _digest(content), labels, _text_stretches(before, raw), counts,
                content.decode("utf-8", "backslashreplace")[:_MOST_SHOWN] if self._readable else None,
            )  # fmt: skip
        return made


def _treated(out: Path, paths: str) -> Iterator[tuple[str, str, dict[str, int]]]:
    """(input, output or "", counts) of each file of a run, by its own records.

    paths: what `nymlink paths` prints; commit 8952b15, which lacks it, has the table in a file.
    """
    records = out / ".nymlink"
    if (records / "paths.tsv").is_file():
        paths = (records / "paths.tsv").read_text(encoding="utf-8")
    if not (records / "documents.jsonl").is_file():
        return
    lines = (json.loads(line) for line in (records / "documents.jsonl").read_text("utf-8").splitlines())
    counts = {line["id"]: _counts(line) for line in lines}
    for row in paths.splitlines()[1:]:
        doc_id, name, written = row.split("\t")
        yield name, written, counts.get(doc_id, {})


def _counts(given: Mapping[str, Any], before: str = "") -> dict[str, int]:
    """Every count of a report by its path in it; times and settings are left out; a word counts as one."""
    found: dict[str, int] = {}
    for key, value in given.items():
        if key in _NOT_COUNTED:
            continue
        if isinstance(value, Mapping):
            found |= _counts(value, f"{before}{key}.")
        elif isinstance(value, int):
            found[f"{before}{key}"] = int(value)
        elif key in {"status", "error", "format"}:
            found[f"{before}{key}.{value}"] = 1
    return found


def _text_stretches(before: bytes, after: bytes) -> list[tuple[int, int]] | None:
    try:
        return stretches(before.decode(), after.decode())
    except UnicodeDecodeError:
        return None


def _read(folder: Path, raws: Mapping[str, bytes]) -> "tuple[list[Document], list[str]]":
    """(the plain texts of a group, names of those that cannot be read)."""
    from linkage import LinkageError, read_document

    read, unread = [], []
    for name in raws:
        if name.rpartition(".")[2] in _TEXT_SUFFIXES:
            try:
                document = read_document(folder / name)
            except LinkageError:
                unread.append(name)
            else:
                read.append(_named(document, name))
    return read, unread


def _named(document: "Document", name: str) -> "Document":
    return type(document)(type(document.doc_id)(name), document.text)


def _identities(result: "LinkageResult", mentions: Sequence[Any]) -> tuple[list[int], list[Link]]:
    """(identity of each mention, numbered as they first come; links and open candidates between mentions)."""
    place = {mention_id: number for number, mention_id in enumerate(mentions)}
    numbers: dict[Any, int] = {}
    identity_of = {m: identity for identity in result.identities for m in identity.mention_ids}
    clusters = [numbers.setdefault(identity_of[m].identity_id, len(numbers)) for m in mentions]
    links: set[Link] = set()
    first = {i.identity_id: min(i.mention_ids) for i in result.identities}
    for identity in result.identities:
        for link in (*identity.links, *identity.open_links):
            left, right = place.get(link.pair.left, -1), place.get(link.pair.right, -1)
            links.add((left, right, round(link.match_probability, _PLACES), str(link.decision)))
        for candidate in identity.candidates:
            pair = place.get(first[identity.identity_id], -1), place.get(first[candidate], -1)
            links.add((*pair, 0.0, "candidate"))
    return clusters, sorted(links)


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:32]
