"""FEATURES: all that speaks for or against a candidate being a person's name, as numbers for the model.

They are read from what the detectors said, from the words inside and around the span, and from what happens
to the same words elsewhere in the document. The order of the table is the order of the model's columns.
"""

import math
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise

import numpy as np
import numpy.typing as npt

from linkage.language import Language
from linkage.recognition.boundaries import bare_initials_start, initials_start, joins
from linkage.recognition.candidate_view import CandidateView, SpanView, views
from linkage.recognition.evidence import Surroundings
from linkage.recognition.genitives import is_glued_genitive
from linkage.recognition.words import Word

_OfSpan = Callable[[SpanView], float]
_OfCandidate = Callable[[CandidateView], float]


@dataclass(frozen=True, slots=True)
class OfEvidence:
    """A feature that hangs on what detectors say, of the candidate or of others; all others hang on the text
    alone.
    """

    read: _OfCandidate


Feature = _OfSpan | OfEvidence


def _log(value: float) -> float:
    return math.log10(1 + value)


def _cue(view: SpanView, kind: str) -> float:
    if view.before is not None and kind in view.before.facts.cues:
        return 1.0
    return 0.5 if view.before_last is not None and kind in view.before_last.facts.cues else 0.0


def _marker(word: Word | None, kind: str) -> float:
    return float(word is not None and kind in word.facts.markers)


def _title_before(view: SpanView) -> float:
    word = view.before
    return float(word is not None and word.facts.title and not word.all_capitals)


def _before_is(view: SpanView, kind: str) -> float:
    word = view.before
    return float(word is not None and word.surface.lower() in view.scanned.language.words(kind))


@cache
def _street_ends(language: Language) -> tuple[str, ...]:
    return language.endings_for("feature")


def _name_goes_on_before(view: SpanView) -> float:
    """Capitalized word, particle or initial right before, so that the span may begin too late."""
    word, gap = view.previous, view.previous_gap
    if word is None:
        return 0.0
    scanned = view.scanned
    if gap in {".", ". "} and len(word.surface) <= 3 and word.capitalized:
        return 1.0
    if not joins(gap) or "\n" in gap:
        return 0.0
    if word.facts.particle:
        return 0.5 if not word.capitalized else 0.8
    if word.capitalized and not scanned.starts_sentence(view.first - 1) and not word.facts.title:
        return 0.9
    return 0.4 if word.facts.given and word.capitalized else 0.0


def _name_goes_on_after(view: SpanView) -> float:
    word = view.after
    if word is None:
        return 0.0
    gap = view.text[view.end : word.start]
    if not joins(gap):
        return 0.0
    if word.capitalized:
        return 1.0 if word.facts.surname else 0.8
    return 0.5 if word.facts.particle else 0.0


def _in_address(view: SpanView) -> float:
    """Glued to a mark of e-mail addresses, handles, paths: not a mention."""
    before, after = view.mark_before, view.mark_after
    text, end = view.text, view.end
    dotted = after == "." and end + 1 < len(text) and text[end + 1].isalnum() and text[end + 1].islower()
    called = before == "@" and (view.start < 2 or text[view.start - 2].isspace())  # "@Sef" in a chat
    return float((before in "@/\\_#" and not called) or after in "@\\_" or dotted)


def _glued(view: SpanView) -> float:
    before, after = view.mark_before, view.mark_after
    glued_after = after.isalnum() and not is_glued_genitive(view.scanned, view.end)
    return float(before.isalnum()) + 2 * float(glued_after)


def _bracket_after(view: SpanView) -> float:
    """What brackets follow: 1 with figures (a year), 2 with capitals ("Visser (VVD)"), 3 with other words."""
    text, end = view.text, view.end
    if text[end : end + 2] != " (":
        return 0.0
    inside = text[end + 2 : end + 8]
    if inside[:1].isdigit():
        return 1.0
    return 2.0 if sum(character.isupper() for character in inside) >= 2 else 3.0


def _bracketed(view: SpanView) -> float:
    """1 alone between brackets, 2 if no more than three letters: "Mäkinen (Fin)"."""
    if view.mark_before != "(" or view.mark_after != ")":
        return 0.0
    return 2.0 if view.end - view.start <= 3 else 1.0


_CELL_MARKS = frozenset(';|\t"')


def _cell(view: SpanView) -> float:
    """Whether a cell of a table begins (1) and ends (2) where the span does."""
    text, start, end = view.text, view.start, view.end
    opens = view.mark_before in _CELL_MARKS or text[max(0, start - 2) : start] in {"  ", "| "}
    closes = view.mark_after in _CELL_MARKS or text[end : end + 2] in {"  ", " |"}
    return float(opens) + 2 * float(closes)


_LINE_OPENINGS = frozenset(" \t-*•>")
_LINE_CLOSINGS = frozenset(" \t,.;:-|")


def _alone_on_line(view: SpanView) -> float:
    text, span = view.text, view
    before = span.start - 1
    while before >= 0 and text[before] in _LINE_OPENINGS:
        before -= 1
    after = span.end
    while after < len(text) and text[after] in _LINE_CLOSINGS:
        after += 1
    # Only what touches the span is read: a line may be a whole text.
    opens = before < 0 or text[before] == "\n"
    closes = after == len(text) or text[after] == "\n"
    return float(opens) + 2 * float(closes)


def _case(view: SpanView) -> float:
    """0 lower case, 1 mixed, 2 capitalized, 3 all capitals."""
    cores = view.cores
    if not cores:
        return 1.0
    capitals = sum(word.capitalized for word in cores)
    if capitals == 0:
        return 0.0
    if capitals < len(cores):
        return 1.0
    return 3.0 if all(word.all_capitals for word in cores) else 2.0


def _vote(view: CandidateView, votes: Mapping[str, float]) -> float:
    return max([votes.get(word.facts.key, 0.0) for word in view.place.cores], default=0.0)


def _word_share_before(view: SpanView) -> float:
    """Of a capitalized word right before, which may belong to the name; -1 if there is none."""
    word, gap = view.previous, view.previous_gap
    if word is None:
        return -1.0
    return word.facts.word_share if word.capitalized and joins(gap) else -1.0


def _widest_gap(view: SpanView) -> float:
    """The oddest thing between two words: 0 blank, 1 hyphen, 2 line end, 3 quotes, 4 comma, 5 columns."""
    odd = 0.0
    for left, right in pairwise(view.words):
        gap = view.text[left.end : right.start]
        if gap == " " or gap in {".", ". "}:
            continue
        if gap == "-":
            odd = max(odd, 1.0)
        elif "  " in gap or "\t" in gap or "\n\n" in gap:
            odd = max(odd, 5.0)
        elif "," in gap or ";" in gap or "|" in gap:
            odd = max(odd, 4.0)
        elif "\n" in gap:
            odd = max(odd, 2.0)
        else:
            odd = max(odd, 3.0)
    return odd


def _genitive_known(view: CandidateView) -> float:
    """1 if the form without its s stands elsewhere as a strong name, -1 if the form with an s does."""
    last = view.place.last_core
    if last is None:
        return 0.0
    counts = view.around.strong_counts
    if view.place.mark_after == "s":  # cut off here
        return 1.0 if last.facts.key in counts else 0.0
    if last.facts.key.endswith("s") and last.facts.key[:-1] in counts:
        return -1.0
    return 0.0


_ENUMERATING = (", ", "/", " & ", ",", " + ")


@cache
def _enumerating(language: Language) -> tuple[str, ...]:
    """The marks and words between members of a list."""
    alone, behind_comma = language.words("list_joint"), language.words("list_joint_behind_comma")
    return (*_ENUMERATING, *(f" {word} " for word in alone), *(f", {word} " for word in behind_comma))


def _enumerated(view: CandidateView) -> float:
    """The highest confidence of what stands beside the span in a list: "Fabian, Storm en Wolf"."""
    text, start, end, around = view.place.text, view.start, view.end, view.around
    best = 0.0
    for mark in _enumerating(view.place.scanned.language):
        if text.startswith(mark, end):
            best = max(best, around.sure_starts.get(end + len(mark), 0.0))
        if text.endswith(mark, 0, start):
            best = max(best, around.sure_ends.get(start - len(mark), 0.0))
    return best


def _listing_cue(view: CandidateView) -> float:
    """Whether a role, a label, a greeting or a title stands before the list the span is in."""
    head, scanned = view.listing.head, view.place.scanned
    place = scanned.index_from(head) - 1
    if head < 0 or place < 0 or head - scanned.words[place].end > 3:
        return 0.0
    facts = scanned.words[place].facts
    return float(facts.title or not facts.cues.isdisjoint(_LISTING_CUES))


_LISTING_CUES = frozenset({"role", "label", "salutation", "courtesy"})
_SHORTEST_COMPOUND, _LONGEST_COMPOUND = 7, 40  # letters; each beginning and end of it is looked up


def _compound(view: SpanView) -> float:
    """How common the parts are of an unlisted last word that is two ordinary ones: "Steunkousen"; 0 = no."""
    last = view.last_core
    if last is None or last.facts.given or last.facts.surname or last.facts.word:
        return 0.0
    key, facts = last.facts.key, view.scanned.facts
    if not _SHORTEST_COMPOUND <= len(key) <= _LONGEST_COMPOUND or not key.isalpha():
        return 0.0
    best = 0.0
    for cut in range(3, len(key) - 2):
        right = facts(key[cut:])
        if not right.word or right.zipf <= best:
            continue
        left = facts(key[:cut])
        if not left.word and key[cut - 1] == "s":
            left = facts(key[: cut - 1])
        if left.word:
            best = max(best, min(left.zipf, right.zipf))
    return best


def _comma_given(view: SpanView) -> float:
    """Whether the word before a comma is rather a given name (then two people) than a family name."""
    if "," not in view.text[view.start : view.end]:
        return math.nan
    before = [word for word in view.cores if "," not in view.text[view.start : word.end]]
    if not before:
        return math.nan
    facts = before[-1].facts
    return _log(facts.given_frequency) - _log(facts.surname_frequency)


def _particle_known(view: CandidateView) -> float:
    """Whether the span's particle, or its want of one, agrees with the same family name elsewhere."""
    if not view.place.words or not view.place.cores:
        return 0.0
    first = view.place.cores[0]
    count = max(-2, min(2, view.around.particle_counts.get(first.facts.key, 0)))
    if view.place.words[0].facts.particle and view.place.words[0] is not first:
        return float(count)
    before = view.place.previous
    beside = before is not None and before.facts.particle and view.place.previous_gap == " "
    return float(-count) if beside else 0.0


def _odd_capitals(view: SpanView) -> float:
    """1 for a capital inside a word ("VenJ"), 2 for a short word in capitals beside others ("Hessel TD")."""
    odd = False
    for word in view.words:
        odd = odd or word.facts.odd_capital
        if word.facts.all_capitals and len(word.surface) <= 4 and _stands_out(view):
            return 2.0
    return float(odd)


def _stands_out(view: SpanView) -> bool:
    """Whether not all words of a span with short ones in capitals are such, nor all its parts in capitals."""
    return not all(
        word.facts.all_capitals and len(word.surface) <= 4 for word in view.words if len(word.surface) > 1
    ) and not all(word.facts.all_capitals for word in view.cores)


_NO_PERSON = frozenset({"disease", "eponym_brand", "month_or_day", "nobody"})


def _facts(word: Word | None, read: Callable[[Word], float]) -> float:
    return math.nan if word is None else read(word)


FEATURES: Mapping[str, Feature] = {
    "ner": OfEvidence(lambda v: v.candidate.ner),
    "listed": OfEvidence(lambda v: v.candidate.listed),
    "consistent": OfEvidence(lambda v: v.candidate.consistent),
    "misspelt": OfEvidence(lambda v: v.candidate.misspelt),
    "derived": OfEvidence(lambda v: v.candidate.derived),
    "derived_around": OfEvidence(lambda v: v.derived_around),
    "ner_around": OfEvidence(lambda v: v.ner_around),
    "ner_inside": OfEvidence(lambda v: v.ner_inside),
    "ner_crossing": OfEvidence(lambda v: v.ner_crossing),
    "listed_around": OfEvidence(lambda v: v.listed_around),
    "listed_inside": OfEvidence(lambda v: v.listed_inside),
    "consistent_around": OfEvidence(lambda v: v.consistent_around),
    "consistent_inside": OfEvidence(lambda v: v.consistent_inside),
    "other_name": OfEvidence(lambda v: v.other_name),
    "other_name_around": OfEvidence(lambda v: v.other_name_around),
    "person_vote": OfEvidence(lambda v: _vote(v, v.around.person_votes)),
    "other_name_vote": OfEvidence(lambda v: _vote(v, v.around.name_votes)),
    "strong_elsewhere": OfEvidence(
        lambda v: float(
            max([v.around.strong_counts.get(word.facts.key, 0) for word in v.place.cores], default=0)
        )
    ),
    "words": lambda v: float(len(v.words)),
    "core_words": lambda v: float(len(v.cores)),
    "letters": lambda v: float(v.end - v.start),
    "case": _case,
    "sentence_start": lambda v: float(
        v.first < len(v.scanned.words) and v.scanned.starts_sentence(v.first)
    ),
    "word_share_first": lambda v: v.words[0].facts.word_share if v.words else 0.0,
    "word_share_before": _word_share_before,
    "gap": _widest_gap,
    "genitive_known": OfEvidence(_genitive_known),
    "word_share_highest": lambda v: max([w.facts.word_share for w in v.cores], default=0.0),
    "word_share_lowest": lambda v: min([w.facts.word_share for w in v.cores], default=0.0),
    "zipf_highest": lambda v: max([w.facts.zipf for w in v.cores], default=0.0),
    "zipf_last": lambda v: _facts(v.last_core, lambda w: w.facts.zipf),
    "is_word_last": lambda v: _facts(v.last_core, lambda w: float(w.facts.word)),
    "given_first": lambda v: float(bool(v.cores) and v.cores[0].facts.given),
    "given_frequency_first": lambda v: _log(v.cores[0].facts.given_frequency) if v.cores else 0.0,
    "surname_last": lambda v: _facts(v.last_core, lambda w: float(w.facts.surname)),
    "surname_frequency_last": lambda v: _facts(v.last_core, lambda w: _log(w.facts.surname_frequency)),
    "surname_frequency_first": lambda v: _log(v.cores[0].facts.surname_frequency) if v.cores else 0.0,
    "given_frequency_last": lambda v: _facts(v.last_core, lambda w: _log(w.facts.given_frequency)),
    "small_elsewhere": OfEvidence(
        lambda v: float(
            max([v.around.small_counts.get(word.facts.key, 0) for word in v.place.cores], default=0)
        )
    ),
    "place": lambda v: sum([w.facts.place for w in v.cores]) / max(len(v.cores), 1),
    "organisation": lambda v: sum([w.facts.organisation for w in v.cores]) / max(len(v.cores), 1),
    "unknown_words": lambda v: float(sum([not w.facts.given and not w.facts.surname for w in v.cores])),
    "digits": lambda v: float(any(w.facts.has_digit for w in v.words)),
    "particle_inside": lambda v: float(sum([w.facts.particle for w in v.words])),
    "initials_inside": lambda v: float(sum([len(w.surface) == 1 and w.facts.capitalized for w in v.words])),
    "line_break_inside": lambda v: float("\n" in v.text[v.start : v.end]),
    "title_before": _title_before,
    "salutation_before": lambda v: _cue(v, "salutation"),
    "closing_before": lambda v: _cue(v, "closing"),
    "signing_before": lambda v: _cue(v, "signing"),
    "label_before": lambda v: _cue(v, "label"),
    "role_before": lambda v: _cue(v, "role"),
    "speech_after": lambda v: float((w := v.after) is not None and "speech" in w.facts.cues),
    "speech_before": lambda v: _cue(v, "speech"),
    "preposition_before": lambda v: _before_is(v, "place_before"),
    "article_before": lambda v: _before_is(v, "determiner"),
    "organisation_before": lambda v: _marker(v.before, "before_organisation"),
    "organisation_after": lambda v: _marker(v.after, "after_organisation"),
    "work_before": lambda v: _marker(v.before, "before_work"),
    "work_after": lambda v: _marker(v.after, "after_work"),
    "place_before": lambda v: _marker(v.before, "before_place"),
    "disease_or_brand": lambda v: float(
        any(not _NO_PERSON.isdisjoint(w.facts.markers) for w in v.cores)
    ),
    "street_ending": lambda v: float(
        (last := v.last_core) is not None and last.facts.key.endswith(_street_ends(v.scanned.language))
    ),
    "number_after": lambda v: float((w := v.after) is not None and w.surface.isdigit()),
    "name_goes_on_before": _name_goes_on_before,
    "name_goes_on_after": _name_goes_on_after,
    "initials_before": lambda v: float(
        initials_start(v.text, v.start, v.scanned.language) < v.start
        or bare_initials_start(v.scanned, v.start) < v.start
    ),
    "hyphen_after": lambda v: float(v.mark_after == "-"),
    "in_address": _in_address,
    "glued": _glued,
    "alone_on_line": _alone_on_line,
    "bracket_after": _bracket_after,
    "bracketed": _bracketed,
    "cell": _cell,
    "rivals": OfEvidence(lambda v: float(v.rivals)),
    "enumerated": OfEvidence(_enumerated),
    "listing_best": OfEvidence(lambda v: v.listing.best),
    "listing_sure_share": OfEvidence(lambda v: v.listing.sure_share),
    "listing_cue": OfEvidence(_listing_cue),
    "compound": _compound,
    "comma_given": _comma_given,
    "particle_known": OfEvidence(_particle_known),
    "odd_capitals": _odd_capitals,
    "slot_left": lambda v: v.scanned.name_slots.score("L", v.start, v.end),
    "slot_right": lambda v: v.scanned.name_slots.score("R", v.start, v.end),
}  # fmt: skip


_NAMED = tuple(FEATURES.values())
_SPAN_COLUMNS = [column for column, feature in enumerate(_NAMED) if not isinstance(feature, OfEvidence)]
_OF_SPAN = [feature for feature in _NAMED if not isinstance(feature, OfEvidence)]
_EVIDENCE_COLUMNS = [column for column, feature in enumerate(_NAMED) if isinstance(feature, OfEvidence)]
_OF_EVIDENCE = [feature.read for feature in _NAMED if isinstance(feature, OfEvidence)]
_ROWS_AT_A_TIME = 1_000


def feature_values(around: Surroundings) -> npt.NDArray[np.float32]:
    """Shape (n_candidates, n_features); NaN where the span has no word."""
    values = np.empty((len(around.candidates), len(FEATURES)), dtype=np.float32)
    # In parts: a long text has very many candidates, and Python's numbers take eight times the space.
    read = views(around)
    for first in range(0, len(values), _ROWS_AT_A_TIME):
        part = list(islice(read, _ROWS_AT_A_TIME))
        rows = values[first : first + len(part)]
        rows[:, _SPAN_COLUMNS] = [_of_span(view.place) for view in part]
        rows[:, _EVIDENCE_COLUMNS] = [[feature(view) for feature in _OF_EVIDENCE] for view in part]
    return values


def _of_span(view: SpanView) -> Sequence[float]:
    """Values of the features that hang on the text alone, shape (n_span_features,): read once for a span."""
    if view.values is None:
        view.values = array("f", [feature(view) for feature in _OF_SPAN])
    return view.values
