"""One page to look at: texts with mentions coloured by identity. Holds personal data; needs no network."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Final

from linkage.records import IdentityId, LinkageResult, LinkDecision, Mention, ScoredLink

_STYLE: Final = """
:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;margin:0 auto;max-width:75rem;
padding:1rem 2rem}
.warning{background:#8a1c1c;color:#fff;padding:.6rem 1rem;border-radius:.4rem}
section{border:1px solid #8886;border-radius:.5rem;padding:.6rem 1.2rem;margin:1rem 0;content-visibility:auto;
contain-intrinsic-size:auto 20rem}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit}
section:hover,section:focus-within{content-visibility:visible}pre{position:relative}
mark{color:#111;border-radius:.25rem;padding:0 .15rem}mark:focus{outline:3px solid #06c}
mark span{display:none}mark:hover span,mark:focus span{display:block;position:absolute;left:0;right:0;
width:fit-content;max-width:100%;box-sizing:border-box;margin:.2em auto 0;z-index:9;background:#222;
color:#fff;padding:.4rem .6rem;border-radius:.3rem;white-space:pre-wrap;font-size:.85rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .6rem;
border-bottom:1px solid #8884}
"""


@dataclass(frozen=True, slots=True)
class ViewedText:
    """A text of the page: its title, the text, and its mentions."""

    title: str = field(repr=False)
    text: str = field(repr=False)
    mentions: Sequence[Mention] = field(repr=False)


def view_page(texts: Sequence[ViewedText], result: LinkageResult) -> Iterator[str]:
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
    yield (
        f"<p>{len(texts):,} texts, {len(result.mentions):,} mentions, {len(numbers):,} identities, "
        f"{len(open_links):,} open links. Point at a name, or go to it with the tab key, for its links.</p>"
    )
    yield from _identities(result, numbers)
    yield from _open_links(result, numbers, open_links)
    for shown in texts:
        yield f"<section><h2>{escape(shown.title)}</h2><pre>"
        yield from _text(shown, result, numbers)
        yield "</pre></section>"
    yield "</body></html>\n"


def _text(shown: ViewedText, result: LinkageResult, numbers: dict[IdentityId, int]) -> Iterator[str]:
    read_to = 0
    for mention in sorted(shown.mentions, key=lambda m: m.span):
        identity = result.identity_of(mention.mention_id)
        number = numbers[identity.identity_id]
        links = [
            link for link in (*identity.links, *identity.open_links)
            if mention.mention_id in (link.pair.left, link.pair.right)
        ]  # fmt: skip
        lines = [f"identity {number}, found by {mention.detector.value} ({mention.confidence:.2f})"]
        lines += [_line(link, mention.mention_id, result, numbers) for link in links[:12]]
        yield escape(shown.text[read_to : mention.span.start])
        yield (
            f'<mark tabindex=0 style="background:hsl({number * 137 % 360} 75% 75%)">'
            f"{escape(mention.surface)}<span>{escape(chr(10).join(lines))}</span></mark>"
        )
        read_to = mention.span.end
    yield escape(shown.text[read_to:])


def _line(link: ScoredLink, mine: str, result: LinkageResult, numbers: dict[IdentityId, int]) -> str:
    other = link.pair.right if link.pair.left == mine else link.pair.left
    kind = "" if link.decision is LinkDecision.LINK else " (open)"
    number = numbers[result.identity_of(other).identity_id]
    return f"{link.match_probability:.2f} {result.mention(other).mention.surface} [{number}]{kind}"


def _identities(result: LinkageResult, numbers: dict[IdentityId, int]) -> Iterator[str]:
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
    result: LinkageResult, numbers: dict[IdentityId, int], links: Sequence[ScoredLink]
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
