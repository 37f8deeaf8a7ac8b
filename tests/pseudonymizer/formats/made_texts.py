"""Files of text formats whose notation cuts, escapes or marks names, made for tests."""

import io
import json
import re
import unicodedata
import zipfile
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

_NOT_IN_TEX: Final = re.compile(r"[%$&#_{}~^\\`\"@]")
_MARKED: Final = "\u0308"  # the one accent of the invented names


def srt(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """Subtitles; one line has the marks of looks inside a name, and one says who speaks."""
    cues = "".join(
        f"{n}\n00:00:{n:02},000 --> 00:00:{n:02},900\n<i>{name[:3]}</i>{name[3:]}\n"
        f'<font color="#ff0000">{sentence}</font>\n\n'
        for n, (name, sentence) in enumerate(zip(names, sentences, strict=True), 1)
    )
    return cues.encode()


def toml(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """Values in all four kinds of quotes, letters as codes in every second one."""
    pieces = []
    for n, (name, sentence) in enumerate(zip(names, sentences, strict=True)):
        coded, other = _basic(sentence, coded=n % 2 == 1), _basic(sentence, coded=False)[1:-1]
        pieces.append(
            f"[[mensen]]\nnaam = {_basic(name, coded=n % 2 == 0)} # {name}\nlijst = [{coded}, '']\n"
            f"lang = \"\"\"\n{other}\"\"\"\nzo = '''{_literal(name)}'''\n'{_literal(name)}' = 1\n"
        )
    tables = "".join(pieces)
    return tables.encode()


def _basic(text: str, *, coded: bool) -> str:
    written = json.dumps(text, ensure_ascii=False)
    return "".join(f"\\U{ord(c):08X}" if coded and ord(c) > 126 else c for c in written)


def _literal(text: str) -> str:
    return text.replace("'", "\u2019") if "O'" not in text else "Sanne Terpstra"


def ini(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    sections = "".join(
        f"[{name}]\nnaam = {name}\n; {sentence}\ntekst.{n}: {sentence}\npad = C:\\Users\\{name}\n"
        for n, (name, sentence) in enumerate(zip(names, sentences, strict=True))
    )
    return sections.encode()


def properties(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """Settings of Java, in Latin-1 with codes for all other letters."""
    lines = "".join(
        f"naam.{n}={_java(name)}\ntekst.{n} = {_java(sentence)}\n# {_java(name)}\n"
        for n, (name, sentence) in enumerate(zip(names, sentences, strict=True))
    )
    return lines.encode("ascii")


def _java(text: str) -> str:
    units = text.replace("\\", "\\\\").encode("utf-16-be")
    codes = [int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2)]
    return "".join(chr(code) if 31 < code < 127 else f"\\u{code:04x}" for code in codes)


def bib(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """Entries with all names as authors, one as an editor in the other order, and accents as commands."""
    pieces = []
    for n, (name, sentence) in enumerate(zip(names, sentences, strict=True)):
        authors = " and ".join(_accented(one, n) for one in names)
        title = _accented(_NOT_IN_TEX.sub("", sentence), n)
        pieces.append(
            f'@book{{boek{n},\n  author = {{{authors}}},\n  editor = "{_inverted(_accented(name, n))}",\n'
            f"  title = {{{{{title}}}}},\n  note = {{Voor {_accented(name, n)}}},\n"
            f"  url = {{https://x.example/?q={quote(name)}}}\n}}\n\n"
        )
    entries = "".join(pieces)
    return entries.encode()


def _accented(text: str, number: int) -> str:
    """Umlauts as they are, or as one of the commands of TeX."""
    ways = ("{c}", '{{\\"{b}}}', '\\"{b}', '\\"{{{b}}}')
    made = []
    for c in text:
        bare = unicodedata.normalize("NFD", c)
        made.append(ways[number % 4].format(c=c, b=bare[0]) if bare[1:] == _MARKED else c)
    return "".join(made)


def _inverted(name: str) -> str:
    given, _, family = name.partition(" ")
    return f"{family}, {given}"


def md(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """A head, titles, emphasis inside names, tables, code, links, pages and pictures."""
    pieces = [f"---\nauthor: {names[0]}\ntitle: {json.dumps('Over ' + names[-1])}\n---\n"]
    for name, sentence in zip(names, sentences, strict=True):
        given, _, family = name.partition(" ")
        link = f"[{name}](https://x.example/?q={quote(name)})"
        pieces.append(
            f"# *{given}* **{family}**\n\n{given} {family[:3]}**{family[3:]}** en __{name}__.\n\n{sentence}\n"
            f"\n| naam | tekst |\n|---|---|\n| {name} | {_in_table(sentence)} |\n\n- [ ] ~~{name}~~ {link}\n"
            f'> ![{name}](a.png "{name}") <b>{given}</b> {family} [^1]\n\n    {name}\n\n'
            f"```\n{name}\n```\n`{name}` <!-- {name} -->\n[^1]: {name}\n\n"
        )
    return "".join(pieces).encode()


def _in_table(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def zip_file(names: Sequence[str], sentences: Sequence[str]) -> bytes:
    """Files of some formats in folders, names in the names of files, and an archive inside."""
    inner = io.BytesIO()
    _write(inner, {f"{names[-1]}.txt": "\n".join(sentences).encode("utf-16")})
    outer = io.BytesIO()
    _write(outer, {
        f"brieven/{names[0]}.txt": "\n".join(sentences).encode(),
        "lijst.csv": "\n".join(("naam", *names)).encode(),
        f"{names[-1]}/tekst.json": json.dumps(list(sentences)).encode(), "binnen.zip": inner.getvalue(),
        "leeg/": b"", "tekst.srt": srt(names, sentences), "tekst.md": md(names, sentences),
    })  # fmt: skip
    return outer.getvalue()


def _write(into: io.BytesIO, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


def without_marks(raw: bytes) -> bytes:
    """A text as a reader of Markdown, TeX or subtitles sees it: no marks, and letters for commands of TeX."""
    text = raw.decode("utf-8", "ignore")
    text = re.sub(
        r'\{?\\"\{?([A-Za-z])\}?', lambda found: unicodedata.normalize("NFC", found[1] + _MARKED), text
    )
    return re.sub(r"[*_~{}`\\]|</?[a-z]+[^<>]*>", "", text).encode()
