"""Where a name begins and ends: titles and possessives outside, particles and initials inside."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from linkage.language import Language
from linkage.language.expressions import any_of
from linkage.recognition.words import Lexicon, ScannedText, Word
from linkage.records import Span

_BARE_INITIALS_BEFORE = re.compile(r"(?<![^\W_.])((?:[A-ZÀ-Þ] ){1,4}|[A-ZÀ-Þ]{1,3} )$")
_SOME = 50
_FREQUENT = 2_000  # bearers; the lists count them for given names, seldom for family names
NO_S_AFTER = "sxz"  # a possessive after these letters is an apostrophe alone: Hans', Max', Jochems'
_POSSESSIVE = re.compile(r"(?:['’‘`´][sS]|(?<=[sxzSXZ])['’‘`´])$")
_POSSESSIVE_ENDS = frozenset("sS'’‘`´\n")
_JOINING_GAP = re.compile(r"[ \u00a0]?-[ \u00a0]?|[ \t\u00a0]|[ \t\u00a0]*\r?\n[ \t\u00a0]*")
_LOWER_INITIAL = re.compile(r"(?<=[\s.])[^\W\d_]\.$")
# What programs put behind the name of a file is no part of a name in it.
_FILE_ENDING = re.compile(
    r"(?<=[^\W\d_]{2})\.(?:csv|docx?|eml|gif|heic|html?|ics|jpe?g|json|md|mp[34]|msg|od[pst]|pdf|png|pptx?|rtf|tiff?|txt"
    r"|vcf|xlsx?|xml|zip)$",
    re.IGNORECASE,
)
_ROOM = re.compile(r",[ \n][^\W\d_A-ZÀ-Þ]\. ?\d")
_OUTER = '¹²³⁰⁴⁵⁶⁷⁸⁹ \t\r\n\u00a0,;:!?.()[]{}<>|/*_=+&"“”„«»‹›•·–—-'  # noqa: RUF001
_SIGNS = frozenset({"So", "Sk", "Sm", "Sc", "Cn", "Co", "Cs", "Cf"})
_PAIRS = {"(": ")", "[": "]", "“": "”", "„": "”", "«": "»", '"': '"'}


@dataclass(frozen=True, slots=True)
class _Ends:
    """Expressions for what a name begins and ends with. suffix_ends: characters that a suffix ends in.
    letters_before: an abbreviation that looks like initials, "t.n.v. J. Bos".
    """

    initials_before: re.Pattern[str]
    initial_at_end: re.Pattern[str]
    suffix: re.Pattern[str]
    suffix_ends: frozenset[str]
    letters_before: re.Pattern[str]


@cache
def _ends(language: Language) -> _Ends:
    grammar = language.grammar
    initial = rf"(?:[^\W\d_a-zß-öø-ÿ]|{any_of(grammar.long_initials)})"
    suffixes = tuple(grammar.suffix_of)
    last = {letter for suffix in suffixes for letter in (suffix[-1].lower(), suffix[-1].upper())}
    return _Ends(
        re.compile(rf"(?<![^\W_])(?:{initial}\.[ \t]?-?)+$"),
        re.compile(rf"(?<![^\W_]){initial}\.$"),
        re.compile(rf"[,\s]+(?:{any_of(suffixes)})\.?$", re.IGNORECASE),
        frozenset({*last, *".\u0130\u0131\n"}),
        re.compile(rf"(?:{any_of(language.name_frames.get('letters_before', ()))})\s+", re.IGNORECASE),
    )


def trim(scanned: ScannedText, span: Span, lexicon: Lexicon) -> Span | None:
    """The span without blanks, punctuation, titles, generation suffix and possessive at its ends.

    None if nothing of a name is left. Detectors propose the same spans again and again: each is trimmed once.
    """
    place = span.start, span.end
    if place not in scanned.trimmed:
        scanned.trimmed[place] = _trimmed(scanned, span, lexicon)
    return scanned.trimmed[place]


def _trimmed(scanned: ScannedText, span: Span, lexicon: Lexicon) -> Span | None:
    text, start, end = scanned.text, span.start, span.end
    while True:
        before = (start, end)
        while start < end and (_is_outer(text[start]) or text[start] == "@"):
            start += 1
        end = _trimmed_end(scanned, start, end)
        if start >= end:
            return None
        start = _after_title(scanned, start, end)
        start = _after_opening_word(scanned, start, end)
        end = _before_title(scanned, start, end, lexicon)
        if start >= end:
            return None
        if (start, end) == before:
            break
    if not any(character.isalpha() for character in text[start:end]):
        return None
    return span if (start, end) == (span.start, span.end) else Span(start, end)


def _is_outer(character: str) -> bool:
    """Whether a character can stand at no end of a name: marks, blanks, signs, pictures."""
    return character in _OUTER or (not character.isascii() and unicodedata.category(character) in _SIGNS)


def _trimmed_end(scanned: ScannedText, start: int, end: int) -> int:
    """End without outer marks; a full stop stays after an initial, a bracket stays when it opens inside."""
    text = scanned.text
    while start < end and _is_outer(text[end - 1]):
        last = text[end - 1]
        if last == "." and _ends_in_initial(scanned, start, end):
            break
        if last in _PAIRS.values() and any(
            opening in text[start : end - 1] for opening, closing in _PAIRS.items() if closing == last
        ):
            break
        end -= 1
    if (
        "." in text[max(end - 5, start) : end]
        and (ending := _FILE_ENDING.search(text[start:end])) is not None
    ):
        end = start + ending.start()
    if end - start > 2 and _is_room(scanned, start, end - 1):
        end -= 3
    # Most names end in no letter that a suffix or a possessive ends in.
    ends = _ends(scanned.language)
    if start < end and text[end - 1] in ends.suffix_ends and (suffix := ends.suffix.search(text, start, end)):
        end = suffix.start()
    if start < end and text[end - 1] in _POSSESSIVE_ENDS:
        possessive = _POSSESSIVE.search(text, start, end)
        if possessive and possessive.start() > start:
            end = possessive.start()
    return end


def _ends_in_initial(scanned: ScannedText, start: int, end: int) -> bool:
    """Whether the full stop at the end belongs to an initial or a particle: "J.", "prins, b.", "v.d."."""
    name = scanned.text[start:end]
    if _ends(scanned.language).initial_at_end.search(name):
        return True
    # A small letter is one in a name without capitals, or behind the comma of "Zee, Sietse v.d.".
    if not (name[0].islower() or "," in name) or _LOWER_INITIAL.search(name) is None:
        return False
    return not _is_room(scanned, start, end - 2)


def _is_room(scanned: ScannedText, start: int, place: int) -> bool:
    """Whether the small letter at place means a room or a page: "dhr. J. Postmus, k. 14".

    Only behind a name that has its given name or an initial already: in "mulder, k. 14 dagen" the letter
    may be the initial itself, and a lost initial is worse than a kept room.
    """
    if place - 2 <= start or scanned.text[place - 2] != "," or _ROOM.match(scanned.text, place - 2) is None:
        return False
    words = scanned.words_in(Span(start, place - 2))
    for word, following in pairwise(words):
        if len(word.surface) == 1:
            return True
        beside = scanned.text[word.end : following.start]
        if word.facts.given and not word.facts.particle and beside.isspace():
            return word.facts.given_frequency > word.facts.surname_frequency
    return False


def _after_title(scanned: ScannedText, start: int, end: int) -> int:
    """Start behind a leading title, such as "dr. " or "mevrouw "."""
    index = scanned.index_from(start)
    words = scanned.words
    if index + 1 >= len(words) or words[index].start != start or words[index + 1].start >= end:
        return start
    word = words[index]
    if len(word.surface) == 1 and (
        cue := _ends(scanned.language).letters_before.match(scanned.text, start, end)
    ):
        return cue.end()
    if "," in scanned.gap(index, index + 1):
        return start  # "prins, b."
    dotted = scanned.text[word.end : word.end + 1] == "."
    facts = word.facts
    names_someone = facts.given or (facts.surname and facts.word_share < 0.5)
    if "courtesy" in facts.cues:
        names_someone = facts.given_frequency >= _SOME  # Herr is a family name, too
    # Two letters may be initials as well ("TC Hazekamp"): then only a given name tells.
    office = is_office(word) and (len(word.surface) > 2 or _is_sure_given_name(words[index + 1]))
    if office and not words[index + 1].all_capitals:
        return words[index + 1].start  # "POH Hazekamp", "TC Sanne"
    if (
        (facts.title or "courtesy" in facts.cues)
        and (not word.capitalized or dotted or not names_someone)
        and len(word.surface) > 1
    ):
        return words[index + 1].start
    return start


def _after_opening_word(scanned: ScannedText, start: int, end: int) -> int:
    """Start behind a first word that only opens the sentence: "Hoi Shirley", "Kan Abdullah", "Zaak BAGCI"."""
    index = scanned.index_from(start)
    words = scanned.words
    if index + 1 >= len(words) or words[index].start != start or words[index + 1].start >= end:
        return start
    word, following = words[index], words[index + 1]
    facts = word.facts
    if facts.particle or not word.capitalized or not following.capitalized or word.all_capitals:
        return start
    greets = "salutation" in facts.cues or "closing" in facts.cues
    if not greets and _is_addressed(scanned, index):
        return start  # "mevr. Wil Boersma"
    common = facts.zipf >= 5.3 and facts.word_share >= 0.9 and facts.given_frequency < 500
    # Inside a sentence, or where a line holds nothing else, no such word opens one: "aan Na Xu".
    common = common and not _follows_small_letter(scanned.text, start)
    common = common and not _fills_line(scanned.text, start, end)
    return following.start if (greets or common) and scanned.gap(index, index + 1) in {" ", ", "} else start


def _follows_small_letter(text: str, start: int) -> bool:
    return start > 1 and text[start - 1] == " " and text[start - 2].islower()


def _fills_line(text: str, start: int, end: int) -> bool:
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    return before in {"", "\n"} and after in {"", "\n"}


def _is_addressed(scanned: ScannedText, index: int) -> bool:
    """Whether a title such as "mevr. " stands right before word index."""
    if index == 0 or scanned.gap(index - 1, index) not in {" ", ". "}:
        return False
    return "courtesy" in scanned.words[index - 1].facts.cues


def _before_title(scanned: ScannedText, start: int, end: int, lexicon: Lexicon) -> int:
    """End before a trailing title, such as " MSc" or " RA"."""
    index = scanned.index_from(end) - 1
    words = scanned.words
    if index <= 0 or words[index].start <= start or words[index].end != end:
        return end
    word = words[index]
    title = lexicon.knowledge.title(word.surface)
    written_so = len(word.surface) > 3 or not word.surface[1:].islower()  # "O. Ba" is no BA
    if (
        title is not None
        and getattr(title, "position", "") == "post"
        and not word.facts.surname
        and written_so
    ):
        return words[index - 1].end
    return end


def initials_start(text: str, start: int, language: Language) -> int:
    """Where the initials begin that stand right before start ("J.P. " or "A B "), or start itself."""
    at = start - 1 - text.endswith("\n", 0, start)  # $ looks past a line end
    at -= at >= 0 and text[at] == "-"
    at -= at >= 0 and text[at] in " \t"
    if at < 0 or text[at] != ".":
        return start
    before = text[max(0, start - 28) : start]
    if match := _ends(language).initials_before.search(before):
        return start - (len(before) - match.start())
    return start


def bare_initials_start(scanned: ScannedText, start: int) -> int:
    """Where initials without dots begin that stand before start ("JP "), or start itself.

    A word or an abbreviation of the language is none.
    """
    at = start - 1 - scanned.text.endswith("\n", 0, start)
    if at < 1 or scanned.text[at] != " " or not scanned.text[at - 1].isupper():
        return start
    before = scanned.text[max(0, start - 10) : start]
    match = _BARE_INITIALS_BEFORE.search(before)
    if match is None:
        return start
    place = start - (len(before) - match.start())
    index = scanned.index_from(place)
    if index < len(scanned.words) and scanned.words[index].start == place:
        facts = scanned.words[index].facts
        single = len(scanned.words[index].surface) == 1
        if (facts.zipf < 3.5 or single) and not facts.title and not facts.place:
            return place
    return start


def joins(gap: str) -> bool:
    """Whether two words with this text between them can be parts of one name."""
    return gap == " " or _JOINING_GAP.fullmatch(gap) is not None


def particles_before(scanned: ScannedText, index: int, *, same_line: bool = False) -> int:
    """Index of the first of the particles that stand right before word index, or index itself."""
    first = index
    while first > 0 and first > index - 4:
        previous = scanned.words[first - 1]
        gap = scanned.gap(first - 1, first)
        dotted = gap in {".", ". "} and len(previous.surface) <= 2  # "v.d. Berg", "v. Dijk"
        if not previous.facts.particle or not (joins(gap) or dotted or (gap == "" and dotted)):
            break
        if same_line and "\n" in gap:
            break
        first -= 1
    return first


def _is_sure_given_name(word: Word) -> bool:
    """Whether a word is hardly a family name, too, as Smit and Wolf are."""
    facts = word.facts
    if not facts.surname:
        return facts.given
    return facts.given_frequency >= _FREQUENT and facts.given_frequency > 5 * facts.surname_frequency


def is_office(word: Word) -> bool:
    """Whether a word in capitals is the abbreviation of an office, such as POH."""
    return word.all_capitals and len(word.surface) <= 4 and "role" in word.facts.cues


def is_name_word(word: Word) -> bool:
    """Whether a word can be a part of a name that is more than an initial or a particle."""
    return word.facts.name_word
