"""What is said of a command line that nobody understands: never what was typed there, which may be a name."""

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from linkage.meant import meant, question

_WHAT_WAS_GIVEN: Final = "what was given"
# Messages of click that end with what was typed, as it was typed.
_ENDING: Final = re.compile(
    r"(unexpected extra arguments?|No such option:?|No such command:?)\b(.*)", re.DOTALL
)
_ENDED: Final = {
    "unexpected extra argument": "more arguments than it takes",
    "unexpected extra arguments": "more arguments than it takes",
    "No such option": "there is no such option",
    "No such command": "there is no such verb",
}
_NO_CHOICE: Final = re.compile(r"(?:Value error, )?(?P<typed>.+?) is not one of (?P<known>'.*')\.?")
_QUOTED: Final = re.compile(r"(['\"])(.*?)\1")
# Messages about numbers, in our words.
_NUMBERS: Final[Mapping[str, str]] = {
    r"Input should be a valid integer, .*": "it is no whole number",
    r"Input should be a valid number, .*": "it is no number",
    r"Input should be greater than or equal to (-?[\d.]+)": r"it is less than \1",
    r"Input should be greater than (-?[\d.]+)": r"it is not more than \1",
    r"Input should be less than or equal to (-?[\d.]+)": r"it is more than \1",
    r"Input should be less than (-?[\d.]+)": r"it is not less than \1",
}
_SEVERAL: Final = 3  # verbs that may be meant
_LIKE_A_VERB: Final = 0.7  # likeness, 0 to 1: below it short words of many verbs are like each other


def shown_usage_error(error: Any, given: Iterable[str], verbs: Iterable[str] = ()) -> str:
    """What an error of click shows, without the words and values that were typed.

    given: the words of the command line; of --option=value the value counts as well. verbs: all verbs,
    such as "vault roles list", of which one may be meant.
    """
    if not hasattr(error, "message"):
        return _shown(error)
    message = str(error.message)
    if found := _ENDING.search(message):
        message = message[: found.start()] + _ended(found[1].rstrip(":"), found[2].strip(), error, verbs)
    message = _in_our_words(message)
    known = set(_options_of(error))
    for word in sorted(_typed(given) - known, key=len, reverse=True):
        message = message.replace(repr(word), _WHAT_WAS_GIVEN)
    error.message, error.possibilities = message, None
    text = _shown(error)
    if "Missing option" in text and (told := getattr(getattr(error, "param", None), "help", "")):
        text = f"{text.rstrip().rstrip('.')}: {told}\n"
    return text


def _ended(what: str, typed: str, error: Any, verbs: Iterable[str]) -> str:
    """What is said in place of a message that ends with what was typed."""
    said = _ENDED[what]
    if what == "No such command":
        quoted = _QUOTED.match(typed)  # click's own question may stand behind it
        near = _verbs_meant(quoted[2], verbs) if quoted is not None else []
        return f"{said}; did you mean {' or '.join(near)}?" if near else said
    possible = sorted(getattr(error, "possibilities", None) or ())
    return f"{said}; there is {', '.join(possible)}" if what == "No such option" and possible else said


def _verbs_meant(typed: str, verbs: Iterable[str]) -> list[str]:
    """Verbs whose last word is what was typed, or else those that are near to it."""
    known = list(verbs)
    if same := [verb for verb in known if verb.split()[-1] == typed.casefold()]:
        return same[:_SEVERAL]
    by_word = {word: verb for verb in reversed(known) for word in (verb.split()[-1], verb.split()[0], verb)}
    return list(
        dict.fromkeys(by_word[word] for word in meant(typed, by_word, least=_LIKE_A_VERB, most=_SEVERAL))
    )


def _in_our_words(message: str) -> str:
    """A message about a value that is no choice, or a number out of bounds."""
    head, colon, why = message.partition(": ")
    if found := _NO_CHOICE.fullmatch(why if colon else message):
        known = re.findall(r"'([^']*)'", found["known"])
        near = question(found["typed"].strip("'\""), known)
        told = f"it is none of {', '.join(known)}" if not near else f"{near}known: {', '.join(known)}"
        return f"{head}: {told}" if colon else told
    for pattern, words in _NUMBERS.items():
        message = re.sub(pattern, words, message)
    return message


def _options_of(error: Any) -> Iterator[str]:
    """The options of the verb that an error is of."""
    if name := getattr(error, "option_name", None):
        yield name
    command = getattr(getattr(error, "ctx", None), "command", None)
    for parameter in getattr(command, "params", ()):
        yield from (*getattr(parameter, "opts", ()), *getattr(parameter, "secondary_opts", ()))


def _typed(given: Iterable[str]) -> set[str]:
    words = set(given)
    return words | {word.partition("=")[2] for word in words if word.startswith("-")} - {""}


def _shown(error: Any) -> str:
    text = io.StringIO()
    error.show(file=text)
    return text.getvalue()
