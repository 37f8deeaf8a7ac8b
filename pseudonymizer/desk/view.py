"""One page to look at: texts with names coloured by identity, values by kind, and what a run would write.

It holds personal data, and needs no network.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from linkage.records import (
    PERSON,
    IdentityId,
    KindId,
    LinkageResult,
    LinkDecision,
    Mention,
    ScoredLink,
    Span,
    ValueMention,
)
from linkage.spans import SpanIndex
from pseudonymizer.answers import Foreseen, ForeseenKind
from pseudonymizer.desk.drawing import drawn, first_line_feed
from pseudonymizer.desk.reading import nested, parts_of
from pseudonymizer.treatments.treatment import Treatment, WayBack

_STYLE: Final = """
:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;margin:0 auto;max-width:75rem;
padding:1rem 2rem}
.warning{background:#8a1c1c;color:#fff;padding:.6rem 1rem;border-radius:.4rem}
section{border:1px solid #8886;border-radius:.5rem;padding:.6rem 1.2rem;margin:1rem 0;content-visibility:auto;
contain-intrinsic-size:auto 20rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
section:hover,section:focus-within{content-visibility:visible}pre{position:relative}
mark{color:#111;border-radius:.25rem;padding:0 .15rem}mark:focus{outline:3px solid #06c}
mark.value{border-bottom:.2em solid}mark>i{display:none}
#written:checked~section mark>i{display:inline;background:#111;color:#fff;margin-left:.3em;padding:0 .3em;
border-radius:.2rem;font-size:.85em;font-style:normal}
mark>span{display:none}mark:hover>span,mark:focus>span{display:block;position:absolute;left:0;right:0;
width:fit-content;max-width:100%;box-sizing:border-box;margin:.2em auto 0;z-index:9;background:#222;
color:#fff;padding:.4rem .6rem;border-radius:.3rem;white-space:pre-wrap;font-size:.85rem}
mark:has(mark:hover,mark:focus)>span{display:none}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .6rem;
border-bottom:1px solid #8884}
"""
# Degrees of the colour wheel between two persons, and two kinds, that follow each other in the page.
_PERSONS_APART: Final = 137
_KINDS_APART: Final = 53
_WAYS_BACK: Final = {
    WayBack.TEXT: "in files and in pasted text",
    WayBack.FILE: "in files",
    WayBack.NONE: "never",
}
_MOST_LINKS: Final = 12  # of one name, in its hint


@dataclass(frozen=True, slots=True)
class SeenValue:
    """A value of a text, and what a run would make of it."""

    value: ValueMention = field(repr=False)
    foreseen: Foreseen


@dataclass(frozen=True, slots=True)
class ViewedText:
    """A text of the page: its title, the text, and its mentions of persons and of other kinds."""

    title: str = field(repr=False)
    text: str = field(repr=False)
    mentions: Sequence[Mention] = field(repr=False)
    values: Sequence[SeenValue] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ViewedKinds:
    """What a run would make of the mentions of a page. person: of every name. kinds: those that occur."""

    person: Foreseen
    kinds: Sequence[ForeseenKind]


def view_page(texts: Sequence[ViewedText], result: LinkageResult, kinds: ViewedKinds) -> Iterator[str]:
    """The page, piece by piece, with the texts in this order. result: of linking their mentions."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"  # colours stand at the names themselves
    numbers = {identity.identity_id: n for n, identity in enumerate(result.identities, start=1)}
    yield (
        "<!doctype html><html lang=en><head><meta charset=utf-8>"
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">'
        "<meta name=viewport content='width=device-width'><title>nymlink view</title>"
        f"<style>{_STYLE}</style></head><body><h1>Names and who they are</h1>"
        "<p class=warning role=alert>This page holds personal data: the names and the texts as read. "
        "Keep it where the texts are kept, and delete it after use.</p>"
    )
    open_links = list({link.pair: link for i in result.identities for link in i.open_links}.values())
    values = sum(len(text.values) for text in texts)
    yield (
        f"<p>{len(texts):,} texts, {len(result.mentions):,} mentions, {len(numbers):,} identities, "
        f"{len(open_links):,} open links, {values:,} values of other kinds. Point at a name or a value, or "
        "go to it with the tab key, for its links and for what a run would write.</p>"
    )
    hues = {kind.kind: number * _KINDS_APART % 360 for number, kind in enumerate(kinds.kinds)}
    yield from _legend(kinds.kinds, hues)
    yield from _identities(result, numbers)
    yield from _open_links(result, numbers, open_links)
    yield "<input type=checkbox id=written> <label for=written>Show what a run would write</label>"
    marker = _Marker(result, numbers, kinds.person, hues)
    for shown in texts:
        yield f"<section><h2>{escape(shown.title)}</h2><pre>"
        yield from marker.text(shown)
        yield "</pre></section>"
    yield "</body></html>\n"


def _legend(kinds: Sequence[ForeseenKind], hues: Mapping[KindId, int]) -> Iterator[str]:
    """The kinds with their colours, what becomes of them, and how many mentions would stay."""
    yield "<h2>Kinds</h2><table><tr><th>Kind<th>Treatment<th>Found<th>Would stay<th>Comes back</tr>"
    for kind in kinds:
        name = escape(kind.kind)
        if kind.kind == PERSON:
            name += ", a colour for each person"
        else:
            name = f'<mark class=value style="{_painted(hues[kind.kind])}">{name}</mark>'
        back = "" if kind.left_in == kind.found else _WAYS_BACK[kind.treatment.way_back]
        yield (
            f"<tr><td>{name}<td>{escape(_told(kind.treatment))}<td>{kind.found:,}<td>{kind.left_in:,}"
            f"<td>{back}</tr>"
        )
    yield "</table>"


def _painted(hue: int) -> str:
    return f"background:hsl({hue} 75% 90%);border-color:hsl({hue} 75% 45%)"


def _told(treatment: Treatment) -> str:
    return treatment.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class _Mark:
    """A marked stretch of a text: the tag that opens it, and what stands before the tag that closes it."""

    span: Span
    opening: str
    closing: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Marker:
    """Marks names and values in texts.

    numbers: of identities. person: what becomes of names. hues: of kinds, in degrees.
    """

    result: LinkageResult = field(repr=False)
    numbers: Mapping[IdentityId, int]
    person: Foreseen
    hues: Mapping[KindId, int]

    def text(self, shown: ViewedText) -> Iterator[str]:
        """A text as HTML. A name inside a value, such as an address, is marked inside it; a value that shares
        characters with a name in any other way is not marked.
        """
        names = [self._name(mention) for mention in shown.mentions]
        index = SpanIndex([name.span for name in names])
        values = [
            self._value(seen)
            for seen in shown.values
            if all(
                seen.value.mention.span.contains(names[number].span)
                for number in index.overlapping(seen.value.mention.span)
            )
        ]
        drawable = set(nested([mark.span for mark in (*values, *names)]))
        marks = [mark for mark in (*values, *names) if mark.span in drawable]
        parts = parts_of(shown.text, [mark.span for mark in marks])
        yield first_line_feed(shown.text)
        yield from drawn(parts, lambda number, _: marks[number].opening, lambda number: marks[number].closing)

    def _name(self, mention: Mention) -> _Mark:
        identity = self.result.identity_of(mention.mention_id)
        number = self.numbers[identity.identity_id]
        links = [
            link for link in (*identity.links, *identity.open_links)
            if mention.mention_id in (link.pair.left, link.pair.right)
        ]  # fmt: skip
        lines = [f"identity {number}, found by {mention.detector.value} ({mention.confidence:.2f})"]
        lines += [_line(link, mention.mention_id, self.result, self.numbers) for link in links[:_MOST_LINKS]]
        hue = number * _PERSONS_APART % 360
        opening = f'<mark tabindex=0 style="background:hsl({hue} 75% 75%)">'
        return _Mark(mention.span, opening, self._closing(lines, self.person))

    def _value(self, seen: SeenValue) -> _Mark:
        mention = seen.value.mention
        lines = [f"{mention.kind}, found by {mention.detector.value} ({mention.confidence:.2f})"]
        opening = f'<mark class=value tabindex=0 style="{_painted(self.hues[mention.kind])}">'
        return _Mark(mention.span, opening, self._closing(lines, seen.foreseen))

    def _closing(self, lines: list[str], foreseen: Foreseen) -> str:
        """The hint with these lines, and what a run would write."""
        hint = escape("\n".join([*lines, self._would_be(foreseen)]))
        written = "" if foreseen.stays else f"<i>{escape(self._written(foreseen))}</i>"
        return f"<span>{hint}</span>{written}</mark>"

    def _would_be(self, foreseen: Foreseen) -> str:
        if foreseen.stays:
            return "stays as it is"
        return f"would be written as {self._written(foreseen)} ({_told(foreseen.treatment)})"

    def _written(self, foreseen: Foreseen) -> str:
        """What a run would write, as far as it can be told before the run."""
        if foreseen.treatment is Treatment.FOLLOW:
            if foreseen.follows is None:
                return "the label of somebody"
            return f"the label of identity {self.numbers[foreseen.follows]}"
        return foreseen.text or {
            Treatment.SHIFT: "another date",
            Treatment.RANDOM: "random letters and figures",
        }.get(foreseen.treatment, "an invented one")


def _line(link: ScoredLink, mine: str, result: LinkageResult, numbers: Mapping[IdentityId, int]) -> str:
    other = link.pair.right if link.pair.left == mine else link.pair.left
    kind = "" if link.decision is LinkDecision.LINK else " (open)"
    number = numbers[result.identity_of(other).identity_id]
    return f"{link.match_probability:.2f} {result.mention(other).mention.surface} [{number}]{kind}"


def _identities(result: LinkageResult, numbers: Mapping[IdentityId, int]) -> Iterator[str]:
    yield "<details><summary>Identities</summary><table><tr><th>Nr<th>Names<th>Mentions</tr>"
    for identity in result.identities:
        forms: dict[str, int] = defaultdict(int)
        for mention_id in sorted(identity.mention_ids):
            forms[result.mention(mention_id).mention.surface] += 1
        names = _joined(f"{form} ({count})" for form, count in sorted(forms.items(), key=lambda f: -f[1]))
        note = " ambiguous" if identity.candidates else ""
        row = f"<tr><td>{numbers[identity.identity_id]}{note}<td>{names}<td>{len(identity.mention_ids)}</tr>"
        yield row
    yield "</table></details>"


def _open_links(
    result: LinkageResult, numbers: Mapping[IdentityId, int], links: Sequence[ScoredLink]
) -> Iterator[str]:
    yield "<details><summary>Open links</summary><table><tr><th>Probability<th>Names</tr>"
    for link in sorted(links, key=lambda one: -one.match_probability):
        sides = [
            f"{result.mention(m).mention.surface} [{numbers[result.identity_of(m).identity_id]}]"
            for m in (link.pair.left, link.pair.right)
        ]
        yield f"<tr><td>{link.match_probability:.2f}<td>{_joined(sides)}</tr>"
    yield "</table></details>"


def _joined(texts: Iterable[str]) -> str:
    return escape(", ".join(texts))
