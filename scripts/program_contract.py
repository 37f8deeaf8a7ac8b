"""What other programs may rely on in nymlink, as flat entries: "option run --style" and the like.

`stated` is what the program says of itself, `shown` what its verbs print and write on a small vault. Both
work on commit 8952b15, of which tests/contract.json was made, and on later versions.
"""

import csv
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Final, get_args, get_origin

Entries = dict[str, Any]
Command = Callable[..., tuple[int, str]]  # runs the program in a folder: exit status, standard output

_PACKAGES: Final = ("linkage", "pseudonymizer", "pseudonymizer.spark", "pseudonymizer.service")
# Objects whose keys are data, such as counts by name of an error.
_OPEN: Final = frozenset({
    "counts", "detectors", "errors", "identifiers", "identifiers_left_in", "mentions_a_file", "unmarked",
    "unread", "values_replaced", "versions",
})  # fmt: skip


# -- what the program says of itself ------------------------------------------------------------------------


def stated() -> Entries:
    """Verbs, options, exit statuses, exported names, numbers of wire and schema."""
    return dict(sorted([*_verbs(), *_statuses(), *_names(), *_numbers()]))


def _verbs() -> Iterator[tuple[str, Any]]:
    from pseudonymizer.cli import app

    yield from _of_group(app, ())


def _of_group(group: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """group: a Typer, read by what it was made with, since its commands differ between versions of typer."""
    if group.registered_callback is not None:
        yield from _of_verb(" ".join(("nymlink", *path)), group.registered_callback.callback)
    for command in group.registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")
        yield from _of_verb(" ".join((*path, name)), command.callback)
    for inner in group.registered_groups:
        yield from _of_group(inner.typer_instance, (*path, inner.name))


def _of_verb(name: str, callback: Any) -> Iterator[tuple[str, Any]]:
    arguments = []
    for parameter in inspect.signature(callback).parameters.values():
        kind, info = parameter.annotation, None
        if get_origin(kind) is Annotated:
            kind, info = get_args(kind)
        if getattr(kind, "__name__", "") == "Context":  # which typer gives, and no user
            continue
        told = _parameter(kind, info, parameter.default)
        if info is None or type(info).__name__ == "ArgumentInfo":
            placeholder = getattr(info, "metavar", None) or parameter.name.upper()
            arguments.append(placeholder)
            yield f"argument {name} {placeholder}", told
            continue
        # typer takes the first name for the default until it makes the command.
        first = [info.default] if isinstance(info.default, str) else []
        spellings = [*first, *(info.param_decls or ())] or [f"--{parameter.name.replace('_', '-')}"]
        yield f"option {name} {spellings[0].partition('/')[0]}", told | {"spelled": spellings}
        if info.envvar is not None:
            yield f"environment {info.envvar}", spellings[0]
    yield f"verb {name}", arguments


def _parameter(kind: Any, info: Any, default: Any) -> dict[str, Any]:
    plain = (
        [one for one in get_args(kind) if one is not type(None)] if get_origin(kind) is UnionType else [kind]
    )
    several = get_origin(plain[0]) is list
    (one,) = get_args(plain[0]) if several else plain
    told: dict[str, Any] = {"type": _type(one)}
    low, high = getattr(info, "min", None), getattr(info, "max", None)
    if (low, high) != (None, None):
        told["from"], told["to"] = low, high
    if several:
        told["several"] = True
    if default is inspect.Parameter.empty:
        return told | {"required": True}
    return told | {"default": default.value if isinstance(default, Enum) else default}


def _type(kind: Any) -> str:
    if issubclass(kind, Enum):
        return "|".join(str(one.value) for one in kind)
    return str(kind.__name__)


def _statuses() -> Iterator[tuple[str, Any]]:
    from pseudonymizer import cli

    yield from {
        "status done": cli.DONE, "status our error": cli.OUR_ERROR, "status wrong usage": cli.WRONG_USAGE,
        "status refused": cli.REFUSED, "status some files failed": cli.options.SOME_FAILED,
    }.items()  # fmt: skip


def _names() -> Iterator[tuple[str, Any]]:
    for package in _PACKAGES:
        module = import_module(package)
        for name in getattr(module, "__all__", ()):
            yield f"name {package}.{name}", "class" if isinstance(getattr(module, name), type) else "function"


def _numbers() -> Iterator[tuple[str, Any]]:
    from pseudonymizer.schema import VAULT_FORMAT
    from pseudonymizer.vault import wire
    from pseudonymizer.vault.care import transfer
    from pseudonymizer.vault.rows.forms import NORMAL_FORM_VERSION
    from pseudonymizer.vault.store import migration
    from pseudonymizer.vault.store.stores import store_addresses
    from pseudonymizer.work_files import store as work_store

    vault, keys = store_addresses("sqlite:///any.db", None)
    yield "number wire protocol", wire.PROTOCOL
    yield "number vault revision", migration.head_revision(vault)
    yield "number key store revision", migration.head_revision(keys)
    yield "number vault format", VAULT_FORMAT
    yield "number normal form", NORMAL_FORM_VERSION
    yield "number work file", work_store.VERSION
    yield "number bundle", transfer._MAGIC.decode().strip()


# -- what its verbs print and write -------------------------------------------------------------------------

STORE: Final = ("--vault", "sqlite:///vault/vault.db", "--key-file", "vault/kek.key", "--actor", "keeper")
PURPOSE: Final = ("--purpose", "contract")
_SHAPE: Final = frozenset({"verb", "status", "items"})  # fields of what any verb prints with --json
# Verbs with --json whose output is not looked at here, and why.
NOT_SHOWN: Final[Mapping[str, str]] = {
    "vault roles give": "prints the role and whose it is",
    "vault roles take": "prints the role and whose it is",
    "vault roles mend": "prints how many roles, requests and limits are gone",
    "vault accept-put-back": "prints that it is on record",
    "vault merge": "prints how many links were made",
    "web account create": "reads a password; tests/pseudonymizer/cli/test_web_accounts.py looks at it",
    "web account list": "needs an account, and so a password, too",
    "web account password": "reads a password",
    "web account end": "needs an account, and so a password, too",
}


def shown(folder: Path, command: Command) -> Entries:
    """Fields of everything that the verbs print as JSON, and the files that they write, with their modes.

    folder: tests/kept/projects.tar.xz unpacked. command: runs the program in it.
    """
    looked = _Looked(folder, command)
    for look in (_runs, _finding, _access, _vault, _moves):
        look(looked)
    return dict(sorted(looked.entries.items()))


class _Looked:
    """Runs verbs and notes what comes of them."""

    def __init__(self, folder: Path, command: Command) -> None:
        self.folder = folder
        self._command = command
        self.entries: Entries = {}

    def run(self, *arguments: str, status: int = 0) -> str:
        found, out = self._command(*arguments)
        if found != status:
            raise RuntimeError(f"{arguments}: status {found}, expected {status}")
        return out

    def prints(self, verb: str, *arguments: str) -> Any:
        """Notes the fields of what a verb prints with --json; returns it."""
        found = json.loads(self.run(*verb.split(), *arguments, "--json"))
        self.note(f"json {verb}", [found])
        return found

    def prints_list(self, verb: str, *arguments: str) -> None:
        """The same of a verb that printed a line for each item once."""
        lines = [json.loads(line) for line in self.run(*verb.split(), *arguments, "--json").splitlines()]
        if len(lines) == 1 and "items" in lines[0]:
            self.note(f"json {verb}", lines)
        else:
            self.note(f"lines {verb} --json", lines)

    def has_verb(self, verb: str) -> bool:
        """Whether this version has a verb."""
        return any(key.startswith(f"verb {verb}") for key in stated())

    def note(self, where: str, values: Iterable[Any]) -> None:
        for path, kinds in fields_of(values).items():
            self.entries[f"{where} {path}"] = "|".join(sorted(kinds))

    def lines(self, verb: str, file: str) -> None:
        """Notes the fields of a file with a line of JSON each."""
        text = (self.folder / file).read_text(encoding="utf-8")
        self.note(f"lines {verb}", map(json.loads, text.splitlines()))

    def wrote(self, verb: str, *files: str) -> None:
        for file in files:
            self.entries[f"file {verb} {file.rpartition('out/new/')[2]}"] = oct(
                (self.folder / file).stat().st_mode & 0o777
            )


def fields_of(values: Iterable[Any]) -> dict[str, set[str]]:
    """By path of a field, such as "mentions[].start", the kinds of its values."""
    found: dict[str, set[str]] = {}

    def walk(value: Any, path: str) -> None:
        kind = _KINDS[type(value)]
        found.setdefault(path or ".", set()).add(kind)
        if kind == "list":
            for one in value:
                walk(one, f"{path}[]")
        elif kind == "object" and path.rpartition(".")[2] not in _OPEN:
            for name, one in value.items():
                walk(one, f"{path}.{name}" if path else name)

    for value in values:
        walk(value, "")
    return found


_KINDS: Final = {
    dict: "object", list: "list", str: "string", int: "number", float: "number", bool: "true or false",
    type(None): "null",
}  # fmt: skip


def _runs(looked: _Looked) -> None:
    here = (*STORE, "--project", "new")
    looked.prints("run", "in", "--out", "out/new", *here, "--workers", "1")
    records = looked.folder / "out" / "new" / ".nymlink"
    looked.wrote("run", *(f"out/new/.nymlink/{place.name}" for place in sorted(records.iterdir())))
    looked.note("report.json", [json.loads((records / "report.json").read_text(encoding="utf-8"))])
    looked.lines("run documents.jsonl", "out/new/.nymlink/documents.jsonl")
    if (records / "paths.tsv").is_file():  # 8952b15
        looked.entries["columns run paths.tsv"] = _first_line(records / "paths.tsv")
    else:
        looked.run("paths", "out/new", *here, "--out", "table.tsv")
        looked.entries["columns paths"] = _first_line(looked.folder / "table.tsv")
        looked.wrote("paths", "table.tsv")
    looked.prints("restore", "out/new", "--out", "out/back", *here, *PURPOSE)


def _finding(looked: _Looked) -> None:
    told = looked.run("detect", "in", "--out", "found.jsonl", "--workers", "1", "--json")
    if told:  # 8952b15 printed nothing
        looked.note("json detect", [json.loads(told)])
    looked.lines("detect", "found.jsonl")
    looked.prints("link", "in", "--out", "linked.jsonl", "--links", "pairs.jsonl", "--workers", "1")
    looked.lines("link", "linked.jsonl")
    looked.lines("link --links", "pairs.jsonl")
    looked.wrote("detect and link", "found.jsonl", "linked.jsonl", "pairs.jsonl")
    (looked.folder / "names.tsv").write_text("name_a\tname_b\nJan Tolsma\tJ. Tolsma\n", encoding="utf-8")
    looked.run("compare", "names.tsv", "--out", "scored.tsv")
    looked.entries["columns compare"] = _first_line(looked.folder / "scored.tsv")
    looked.prints("explain", "Jan Tolsma", "J. Tolsma")
    looked.prints("columns", "in/tabel.csv")
    looked.prints("kinds")
    (looked.folder / "gold.bio").write_text("Jan B-PER\nTolsma I-PER\nkwam O\n. O\n\n", encoding="utf-8")
    looked.prints("evaluate", "gold.bio")
    looked.prints("models list")


def _access(looked: _Looked) -> None:
    labels = json.loads((looked.folder / "labels.json").read_text(encoding="utf-8"))
    name, label = next(iter(labels.items()))
    here = (*STORE, "--project", "life")
    looked.run("lookup", name, *here, *PURPOSE, "--out", "answer.json")
    looked.note("json lookup", [json.loads((looked.folder / "answer.json").read_text(encoding="utf-8"))])
    looked.run("reveal", label, *here, *PURPOSE, "--json", "--out", "name.json")
    revealed = json.loads((looked.folder / "name.json").read_text(encoding="utf-8"))
    looked.note("json reveal items", revealed.get("items", ()))
    looked.note("json reveal label", [value for key, value in revealed.items() if key not in _SHAPE])
    looked.wrote("lookup and reveal", "answer.json", "name.json")
    if looked.has_verb("people"):
        looked.run("people", *here, *PURPOSE, "--json", "--out", "people.json")
        told = json.loads((looked.folder / "people.json").read_text(encoding="utf-8"))
        looked.note("json people", [told])
        looked.wrote("people", "people.json")
    if looked.has_verb("relink"):
        looked.prints("relink", *here, *PURPOSE)
    asked = looked.prints("request", label, *here, *PURPOSE)
    looked.prints("approve", str(asked["request"]), *STORE)
    looked.prints("requests show", str(asked["request"]), *STORE)
    looked.prints_list("requests list", *STORE)
    for verb in ("deny", "requests withdraw"):
        again = json.loads(looked.run("request", label, *here, *PURPOSE, "--json"))
        looked.prints(verb, str(again["request"]), *STORE)
    looked.prints_list("audit list", *STORE)
    looked.prints("audit verify", *STORE)
    looked.run("audit", "export-head", *STORE, "--out", "signed.json")
    looked.note("json audit export-head", [json.loads((looked.folder / "signed.json").read_text())])


def _vault(looked: _Looked) -> None:
    here = (*STORE, "--project", "new")
    (looked.folder / "made").mkdir()
    looked.prints("vault init", "--vault", "sqlite:///made/vault.db", "--key-file", "made/kek.key")
    looked.wrote("vault init", "made/vault.db", "made/vault.keys.db", "made/kek.key")
    looked.prints("vault status", *STORE[:2])
    looked.prints("vault verify", *STORE)
    looked.prints("vault projects", *STORE)
    looked.prints("vault migrate", *STORE[:2])
    looked.prints("vault rotate", "wrap", *here)
    looked.prints("vault export", *here, "--out", "links.csv")
    looked.entries["columns vault export"] = _first_line(looked.folder / "links.csv")
    looked.note("json vault settings", [json.loads(looked.run("vault", "settings", *here))])
    looked.prints("vault link-projects", *here, "--other", "token", *PURPOSE, "--out", "same.csv")
    looked.entries["columns vault link-projects"] = _first_line(looked.folder / "same.csv")
    looked.prints("vault accept", *_parcel(looked), *STORE, "--project", "token")
    first = next(iter(_labels_of(looked, "Daan Wiegersma")))
    looked.prints("vault split", first, *here, *PURPOSE, "--document", "out/new/bericht.eml")
    looked.prints("vault erase", first, *here, *PURPOSE)
    looked.prints("vault folders", *here)
    looked.prints("vault give-up", "out/new", *here, *PURPOSE)


def _moves(looked: _Looked) -> None:
    passphrase = ("--passphrase-file", "passphrase.txt")
    for verb in ("export-vault", "export-keys"):
        looked.prints(f"vault {verb}", *STORE, *PURPOSE, "--out", f"{verb}.new", *passphrase)
        looked.wrote(f"vault {verb}", f"{verb}.new")
    looked.prints(
        "vault import", "export-vault.new", "--vault", "sqlite:///other.db", *STORE[2:], *passphrase
    )
    looked.run("vault", "roles", "give", "second", "auditor", *STORE)
    looked.prints("vault roles list", *STORE)
    token = ("--project", "new", "--account", "chat")
    made = looked.prints("web token create", "--vault", STORE[1], *token)
    looked.prints("web token list", "--vault", STORE[1])
    looked.prints("web token revoke", made["id"], "--vault", STORE[1])


def _labels_of(looked: _Looked, name: str) -> Sequence[str]:
    looked.run("lookup", name, *STORE, "--project", "new", *PURPOSE, "--out", "answer.json")
    found = json.loads((looked.folder / "answer.json").read_text(encoding="utf-8"))
    return list(found["pseudonyms"])


def _parcel(looked: _Looked) -> tuple[str, ...]:
    """A sealed file of a worker, with an option that names its run."""
    from linkage.records import Detector, Document, DocumentId, Mention, NormalizedMention, PersonName, Span
    from pseudonymizer.runkeys import RunKey, RunWorker

    looked.run("vault", "run-key", *STORE, "--project", "token", "--run", "r", "--hours", "1", *PURPOSE,
               "--out", "r.key")  # fmt: skip
    key = RunKey.from_text((looked.folder / "r.key").read_text(encoding="utf-8"))
    document, span = Document(DocumentId("d"), "Jan Tolsma"), Span(0, 10)
    mention = Mention.at(document, span, detector=Detector.REGISTRY, confidence=1.0)
    parcel = RunWorker(key).parcel([NormalizedMention(mention, PersonName("Jan", family="Tolsma"))])
    (looked.folder / "r.parcel").write_bytes(parcel)
    looked.wrote("vault run-key", "r.key")
    return "r.parcel", "--run", key.run


def _first_line(file: Path) -> list[str]:
    delimiter = "," if file.suffix == ".csv" else "\t"
    with file.open(encoding="utf-8", newline="") as lines:
        return next(csv.reader(lines, delimiter=delimiter))
