"""Names of sheets and ranges in a workbook, and the formulas that use them."""

import re
from collections.abc import Mapping, Sequence
from html import unescape

from pseudonymizer.formats.text.markup import (
    add_text,
    as_reference,
    attributes,
    check_xml,
    decode_markup,
    escaped,
    may_hold_name,
)
from pseudonymizer.formats.text.markup_tokens import Token, TokenKind, inner_range, tokens
from pseudonymizer.formats.tree.nodes import TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import Change

_MAX_SHEET_NAME = 31
_NOT_IN_SHEET_NAME = re.compile(r"[\[\]:*?/\\]")
_NOT_IN_RANGE_NAME = re.compile(r"[^\w.]")
_STRINGS = re.compile(r"(?:&quot;|\")(?P<content>(?:(?!&quot;|\").)+)(?:&quot;|\")")
_USES = re.compile(
    r"(?:&quot;|\")(?:(?!&quot;|\").)*(?:&quot;|\")"  # a string, which uses no name
    r"|(?:'|&apos;)(?P<quoted>(?:[^'&]|''|&(?!apos;)[^;]*;|&apos;&apos;)+)(?:'|&apos;)!"
    r"|(?P<bare>[A-Za-z_\u00c0-\uffff][\w.]*)(?P<sheet>!)?"
)


class _Name:
    """One name: where it is defined, and where it is used. Places are in XML, so escaped."""

    def __init__(self, source: int, start: int, end: int, written: str) -> None:
        self.source, self.start, self.end = source, start, end
        self.plain = unescape(written)
        self.uses: list[tuple[int, int, int]] = []  # source, start, end with quotes and without "!"


class Names:
    """All names of one workbook."""

    def __init__(self) -> None:
        self._sheets: dict[str, _Name] = {}
        self._ranges: dict[str, _Name] = {}
        self._pending: list[tuple[int, str, int, int]] = []

    def read_workbook(self, raw: bytes, reading: Reading) -> TextNode:
        """workbook.xml: sheet names are prose, range names technical, what they refer to is a formula."""
        text, encoding, mark = decode_markup(raw)
        check_xml(text)
        source = reading.new_source()
        element = ""
        for token in tokens(text):
            if token.kind is TokenKind.START:
                element = token.name.rpartition(":")[2]
                self._attributes(text, token, element, source, reading)
            elif token.kind is TokenKind.TEXT and element == "definedName":
                self.add_formula(source, text, token.start, token.end, reading)
                for found in _STRINGS.finditer(text, token.start, token.end):
                    self._technical(text, *found.span("content"), source, reading)
            elif token.kind is TokenKind.COMMENT:
                self._technical(text, *inner_range(token), source, reading)
            elif token.kind is TokenKind.END:
                element = ""
        return TextNode(source, text, encoding, mark, as_reference)

    def _attributes(self, text: str, token: Token, element: str, source: int, reading: Reading) -> None:
        for attribute in attributes(text, token):
            written = text[attribute.start : attribute.end]
            if not any(c.isalpha() for c in written) or attribute.name.startswith("xmlns"):
                continue
            if element == "sheet" and attribute.name == "name":
                separate(reading.prose, "\n")
                reading.prose.gap("Werkblad: ")
                add_text(
                    reading.prose, source, text, attribute.start, attribute.end, collapse=False, named=False
                )
                self._sheets[unescape(written).casefold()] = _Name(
                    source, attribute.start, attribute.end, written
                )
            elif element == "definedName" and attribute.name == "name":
                self._technical(text, attribute.start, attribute.end, source, reading)
                self._ranges[unescape(written).casefold()] = _Name(
                    source, attribute.start, attribute.end, written
                )
            elif may_hold_name(written) or element in {
                "definedName",
                "fileSharing",
                "customWorkbookView",
                "webPublishing",
            }:
                self._technical(text, attribute.start, attribute.end, source, reading)

    @staticmethod
    def _technical(text: str, start: int, end: int, source: int, reading: Reading) -> None:
        separate(reading.technical, "\n")
        add_text(reading.technical, source, text, start, end, collapse=False, named=False)

    def add_formula(self, source: int, text: str, start: int, end: int, reading: Reading) -> None:
        """Note where a formula uses names of this workbook; other names in it (of tables, of files) are
        technical."""
        for found in _USES.finditer(text, start, end):
            if found["quoted"] is not None:
                key = unescape(found["quoted"]).replace("''", "'").casefold()
                if key in self._sheets:
                    self._pending.append((source, f"!{key}", found.start(), found.end() - 1))
                else:
                    self._technical(text, found.start(), found.end(), source, reading)
            elif found["bare"] is not None:
                key = ("!" if found["sheet"] else "") + found["bare"].casefold()
                known = key[1:] in self._sheets if found["sheet"] else key in self._ranges
                if known:
                    self._pending.append((source, key, found.start("bare"), found.end("bare")))
                elif not found["bare"].isupper() and len(found["bare"]) > 3:
                    self._technical(text, found.start("bare"), found.end("bare"), source, reading)

    def renamed(self, changes: Mapping[int, Sequence[Change]]) -> Mapping[int, Sequence[Change]]:
        """changes, with sheet and range names made valid, different from each other, and changed where
        used."""
        for source, key, start, end in self._pending:
            name = self._sheets.get(key[1:]) if key.startswith("!") else self._ranges.get(key)
            if name is not None:
                name.uses.append((source, start, end))
        self._pending.clear()
        result = {source: list(made) for source, made in changes.items()}
        taken = {*self._sheets, *self._ranges}
        for names, is_sheet in ((self._sheets, True), (self._ranges, False)):
            for key, name in names.items():
                taken.discard(key)
                self._rename(name, result, taken, is_sheet=is_sheet)
                taken.add(key)
        return result

    def _rename(
        self, name: _Name, changes: dict[int, list[Change]], taken: set[str], *, is_sheet: bool
    ) -> None:
        own = [c for c in changes.get(name.source, ()) if c.start < name.end and name.start < c.end]
        if not own:
            return
        written, position = "", name.start
        source_text = name.plain if name.end - name.start == len(name.plain) else None
        for change in own:
            if source_text is not None:
                written += source_text[position - name.start : change.start - name.start]
            written += unescape(change.new)
            position = change.end
        if source_text is not None:
            written += source_text[position - name.start :]
        longest = max((unescape(change.new) for change in own), key=len)
        new = _sheet_name(written, longest) if is_sheet else _NOT_IN_RANGE_NAME.sub("_", written)
        if not is_sheet and not (new[:1].isalpha() or new[:1] == "_"):
            new = f"_{new}"
        unique, number = new, 2
        while unique.casefold() in taken:
            suffix = f"_{number}"
            unique = new[: _MAX_SHEET_NAME - len(suffix)] + suffix if is_sheet else new + suffix
            number += 1
        taken.add(unique.casefold())
        owner = own[0].owner
        kept = [c for c in changes[name.source] if c not in own]
        changes[name.source] = [*kept, Change(name.start, name.end, escaped(unique), owner)]
        doubled = unique.replace("'", "''")
        used = escaped(f"'{doubled}'") if is_sheet else escaped(unique)
        for source, start, end in name.uses:
            changes.setdefault(source, []).append(Change(start, end, used, owner))
        for source in {name.source, *(use[0] for use in name.uses)}:
            changes[source].sort(key=lambda change: (change.start, change.end))


def _sheet_name(written: str, label: str) -> str:
    """Excel allows 31 characters, and not all: what is around the label goes first."""
    cleaned = _NOT_IN_SHEET_NAME.sub("_", written).strip("'")
    if len(cleaned) <= _MAX_SHEET_NAME:
        return cleaned
    return _NOT_IN_SHEET_NAME.sub("_", label).strip("'")[:_MAX_SHEET_NAME]
