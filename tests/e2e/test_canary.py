"""The command at DEBUG on marked names and broken files: nothing of them outside the files the user named."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

NAMES = (
    "Quirinus Vlasbloem",
    "Vlasbloem",
    "Jorinde Kwakkelstein",
    "Kwakkelstein",
    "vlasbloem",
    "kwakkelstein",
)


def nymlink(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {
        "TMPDIR": str(folder / "tmp"), "HOME": str(folder / "home"), "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "PYTHONDONTWRITEBYTECODE": "1",
    }  # fmt: skip
    command = [sys.executable, "-c", "from pseudonymizer.cli import main; main()", *arguments]
    return subprocess.run(  # noqa: S603  our own interpreter
        command, cwd=folder, env=environment, capture_output=True, timeout=300, check=False
    )


def test_nothing_leaves_the_files_that_the_user_named(tmp_path: Path) -> None:
    for name in ("in", "tmp", "home"):
        (tmp_path / name).mkdir()
    text = "Beste Quirinus Vlasbloem,\n\nMevrouw Jorinde Kwakkelstein belde. Groet, Quirinus\n"
    (tmp_path / "in" / "brief Vlasbloem.txt").write_text(text)
    (tmp_path / "in" / "Kwakkelstein.docx").write_bytes(b"PK\x03\x04 Jorinde Kwakkelstein")
    (tmp_path / "in" / "mix.txt").write_bytes("Zo\u00eb Kwakkelstein ".encode() + b"Ren\xe9 Vlasbloem")
    (tmp_path / "in" / "Vlasbloem.jsonl").write_text('{"doc_id": "x", "text": "Quirinus Vlasbloem"\n')
    asks = ("--project", "p", "--purpose")
    store = ("--vault", "sqlite:///v.db", "--key-file", "k.key")
    said = [nymlink(tmp_path, "vault", "init", *store)]
    run = ("run", "in", "--out", "out", *store, "--project", "p", "--log-level", "debug")
    said.append(nymlink(tmp_path, *run))
    assert said[-1].returncode == 4, said[-1].stderr.decode()
    said.append(nymlink(tmp_path, *run, "--mentions", "in/brief Vlasbloem.txt"))
    said.append(nymlink(tmp_path, "run", "in/Vlasbloem-bestaat-niet.txt", *run[2:]))
    said.append(nymlink(tmp_path, "restore", "out", "--out", "in", *store, *asks, " "))
    said.append(nymlink(tmp_path, "reveal", "Vlasbloem", *store, *asks, "test", "--out", "n"))
    heard = b"".join(one.stdout + one.stderr for one in said)
    assert len(heard) > 200
    kept = {"streams": heard}
    for folder in ("tmp", "home", "out"):
        for path in (tmp_path / folder).rglob("*"):
            kept[f"name of {path.relative_to(tmp_path)}"] = path.name.encode()
            if path.is_file():
                kept[str(path.relative_to(tmp_path))] = path.read_bytes()
    for name in ("v.db", "v.keys.db", "v.db-wal", "v.keys.db-wal"):
        if (tmp_path / name).exists():
            kept[name] = (tmp_path / name).read_bytes()
    assert [(place, name) for place, raw in kept.items() for name in NAMES if name.encode() in raw] == []


@pytest.mark.parametrize("verb", ["run", "detect", "restore", "reveal"])
def test_help_of_a_verb_shows_no_default_of_the_machine(verb: str, tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    said = nymlink(tmp_path, verb, "--help")
    assert said.returncode == 0
    assert str(Path.home()).encode() not in said.stdout or Path.home() == Path("/")
