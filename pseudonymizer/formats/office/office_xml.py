"""XML parts of Office and OpenDocument files: paragraphs as running text, names in attributes, the rest
searched."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pseudonymizer.formats.marking import WORD
from pseudonymizer.formats.office.own_words import is_of_program, searched_length
from pseudonymizer.formats.records import Edit
from pseudonymizer.formats.text.markup import (
    Attribute,
    add_text,
    as_reference,
    attributes,
    check_xml,
    decode_markup,
    escaped,
    has_letters,
    may_hold_name,
)
from pseudonymizer.formats.text.markup_tokens import Token, TokenKind, inner_range, tokens
from pseudonymizer.formats.text.packed_text import add_blob, is_blob, unpacked
from pseudonymizer.formats.tree.nodes import Changes, TextNode
from pseudonymizer.formats.tree.parsing import Reading, separate
from pseudonymizer.formats.tree.textmap import Change, TextBuilder

_BYTES = frozenset({"binData", "binary-data"})  # elements that hold pictures and objects in base64


@dataclass(frozen=True, slots=True)
class Rules:
    """What the elements and attributes of a vocabulary mean; names without their prefixes.

    text: elements whose characters are running text. paragraphs: where running text begins and ends; with
    all_text every character inside them counts. marks: empty elements that stand for characters. apart:
    elements whose text stands outside the paragraph around them. labels: elements that hold a text of their
    own, and what to show before it. shown, labelled: attributes with text for people. searched: attributes
    that may carry a name (all with search_all). values, searched_values: elements whose "val" or "value"
    counts
    as shown or searched.
    """

    text: frozenset[str] = frozenset()
    paragraphs: frozenset[str] = frozenset()
    cells: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    marks: Mapping[str, str] = field(default_factory=dict)
    apart: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    searched: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    searched_values: frozenset[str] = frozenset()
    search_all: bool = False
    all_text: bool = False
    keep_space: bool = True  # white space counts unless the element says otherwise (not so in OpenDocument)
    looks: frozenset[str] = frozenset()  # elements whose names are those of styles
    skips_own_words: bool = False  # texts of the program alone are no text of anybody
    marks_space: bool = False  # text elements need xml:space="preserve" to keep blanks at their ends


class SpacedTextNode(TextNode):
    """XML in which blanks at the ends of a text element get lost unless its tag says that they count."""

    def __init__(
        self, source: int, text: str, encoding: str, mark: bytes, loose: Sequence[tuple[int, int, int]]
    ) -> None:
        super().__init__(source, text, encoding, mark, as_reference)
        self._loose = loose  # content start, content end, where an attribute can be put in

    def render(self, changes: Changes, location: str, edits: list[Edit]) -> bytes:
        own = list(changes.get(self.source, ()))
        added: list[Change] = []
        at = 0
        for start, end, insert_at in self._loose:
            while at < len(own) and own[at].end <= start:
                at += 1
            if at < len(own) and own[at].start < end:
                added.append(Change(insert_at, insert_at, ' xml:space="preserve"', own[at].owner))
        merged = sorted([*own, *added], key=lambda change: (change.start, change.end))
        return super().render({self.source: merged}, location, edits)


def parse_member(
    raw: bytes, rules: Rules, reading: Reading, make_walker: "Callable[..., Walker] | None" = None
) -> TextNode:
    """One XML member of a package. make_walker: what goes through it; None: a Walker."""
    text, encoding, mark = decode_markup(raw)
    check_xml(text)
    source = reading.new_source()
    separate(reading.prose)
    walker = (make_walker or Walker)(text, source, reading, rules)
    walker.walk()
    if rules.marks_space:
        return SpacedTextNode(source, text, encoding, mark, walker.loose)
    return TextNode(source, text, encoding, mark, as_reference)


class Walker:
    """Goes through one XML text, element by element."""

    def __init__(self, text: str, source: int, reading: Reading, rules: Rules) -> None:
        self.text, self.source, self.reading, self.rules = text, source, reading, rules
        self.loose: list[tuple[int, int, int]] = []
        self._builders: list[TextBuilder] = [reading.prose]
        self._open: list[str] = []
        self._depths: list[int] = [0]  # of paragraphs, one for each builder
        self._ignored = 0

    def walk(self) -> None:
        found = list(tokens(self.text))
        for number, token in enumerate(found):
            if token.kind is TokenKind.START:
                self._start(token, found[number + 1] if number + 1 < len(found) else None)
            elif token.kind is TokenKind.END:
                self._end(token.name.rpartition(":")[2])
            elif token.kind is TokenKind.TEXT:
                self._characters(token.start, token.end)
            elif token.kind is TokenKind.CDATA or token.kind is TokenKind.COMMENT:
                self._technical(*inner_range(token))
            elif may_hold_name(self.text[token.start : token.end]) and number:
                self._technical(token.start, token.end)  # an instruction to a program

    @property
    def _builder(self) -> TextBuilder:
        return self._builders[-1]

    def _start(self, token: Token, after: Token | None) -> None:
        rules, name = self.rules, token.name.rpartition(":")[2]
        self._attributes(token, name)
        if name in rules.apart and not token.is_empty:
            self._builders.append(TextBuilder())
            self._depths.append(0)
        elif name in rules.marks and not self._ignored:
            mark = rules.marks[name]
            end = token.end if token.is_empty else self._end_of_empty(token, after)
            if len(mark) == 1 and mark not in "\n\t " and end is not None:
                self._builder.atom(self.source, mark, token.start, end, _as_run_text)
            else:
                self._builder.gap(mark)
        if name in rules.paragraphs or name in rules.cells:
            self._builder.new_field()
        if token.is_empty:
            if name in rules.paragraphs:
                self._break("\n")
            return
        self._open.append(name)
        self._ignored += name in rules.ignored
        self._depths[-1] += name in rules.paragraphs
        if name in rules.labels:
            self._break("\n")
            self._builder.new_field()
            self._builder.gap(rules.labels[name])
        is_space_kept = "xml:space" in self.text[token.start : token.end]
        if rules.marks_space and name in rules.text and not is_space_kept:
            end = after.end if after is not None and after.kind is TokenKind.TEXT else token.end
            self.loose.append((token.end, end, token.end - 1))

    def _end_of_empty(self, token: Token, after: Token | None) -> int | None:
        return (
            after.end
            if after is not None and after.kind is TokenKind.END and after.start == token.end
            else None
        )

    def _end(self, name: str) -> None:
        rules = self.rules
        if self._open:
            self._open.pop()
        self._ignored -= name in rules.ignored
        if name in rules.paragraphs:
            self._depths[-1] -= 1
            self._break("\n")
        elif name in rules.cells:
            self._end_cell()
        elif name in rules.rows or name in rules.labels:
            self._break("\n")
        if name in rules.apart and len(self._builders) > 1:
            inner = self._builders.pop()
            self._depths.pop()
            if inner.length:
                separate(self.reading.aside, "\n")
                self.reading.aside.append(inner)

    def _end_cell(self) -> None:
        if not self._builder.change_gap("\n", "\t"):
            self._builder.gap("\t")
        self._builder.new_field()

    def _characters(self, start: int, end: int) -> None:
        rules, name = self.rules, self._open[-1] if self._open else ""
        if self.text[start:end] == WORD:
            return  # the mark of an output
        if name in _BYTES or (name not in rules.text and is_blob(self.text[start:end].strip())):
            self._packed(start, end)
            return
        in_paragraph = rules.all_text and self._depths[-1] > 0 and not self._ignored
        if (name in rules.labels or rules.skips_own_words) and is_of_program(self.text[start:end]):
            return
        if name in rules.text or in_paragraph or name in rules.labels:
            collapse = not rules.keep_space and name not in rules.labels
            add_text(self._builder, self.source, self.text, start, end, collapse=collapse, named=False)
        elif any(c.isalpha() for c in self.text[start:end]) and not is_of_program(self.text[start:end]):
            self._technical(start, end)

    def _packed(self, start: int, end: int) -> None:
        """Bytes in base64: what is no text is no words, and is told."""
        letters = self.text[start:end]
        blob = unpacked(letters)
        if blob is not None:
            add_blob(blob._replace(start=start, end=end), self.source, self.reading)
        elif letters.strip():
            self._technical(start, end)

    def _technical(self, start: int, end: int) -> None:
        separate(self.reading.technical, "\n")
        add_text(self.reading.technical, self.source, self.text, start, end, collapse=False, named=False)

    def _break(self, gap: str) -> None:
        if self._builder.length and not self._builder.ends_with("\n"):
            self._builder.gap(gap)
        self._builder.new_field()

    def _attributes(self, token: Token, element: str) -> None:
        rules = self.rules
        initials: Attribute | None = None
        author_shown = False
        for attribute, name in self._relevant(token, element):
            if name == "initials":
                initials = attribute
                continue
            is_shown = name in rules.shown or (name in {"val", "value"} and element in rules.values)
            if name == "display-name" and element in rules.looks:
                is_shown = False
            if not is_shown:
                length = searched_length(self.text[attribute.start : attribute.end])
                self._technical(attribute.start, attribute.start + length)
                continue
            aside = self.reading.aside
            separate(aside, "\n")
            aside.gap(rules.shown.get(name, ""))
            add_text(
                aside, self.source, self.text, attribute.start, attribute.end, collapse=False, named=False
            )
            author_shown = author_shown or name in {"author", "name"}
        if initials is not None:
            if author_shown:
                self.reading.aside.attach(self.source, initials.start, initials.end, initials_of)
            else:
                self._technical(initials.start, initials.end)

    def _relevant(self, token: Token, element: str) -> Iterator[tuple[Attribute, str]]:
        rules = self.rules
        tag = self.text[token.start : token.end]
        if "=" not in tag or (element == "Relationship" and 'TargetMode="External"' not in tag):
            return
        for attribute in attributes(self.text, token):
            name = attribute.name.rpartition(":")[2]
            wanted = name in rules.shown or name in rules.searched or name == "initials" or rules.search_all
            if name in {"val", "value"}:
                wanted = wanted or element in rules.values or element in rules.searched_values
            value = self.text[attribute.start : attribute.end]
            wanted = (wanted and not is_of_program(value)) or (
                not wanted and may_hold_name(value) and not is_of_program(value)
            )
            if (
                wanted
                and not attribute.name.startswith("xmlns")
                and has_letters(self.text[attribute.start : attribute.end])
            ):
                yield attribute, name


def initials_of(label: str) -> str:
    """The first letters of the words of a label, for fields that hold somebody's initials."""
    return escaped("".join(word[0] for word in label.split() if word[0].isalpha())[:9].upper() or "X")


def _as_run_text(label: str) -> str:
    return f'<w:t xml:space="preserve">{escaped(label)}</w:t>'
