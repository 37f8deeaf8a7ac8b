"""Surroundings for values, each with a label before the value and without one."""

from dataclasses import dataclass
from typing import Final

from value_benchmark.making import Made

# "{value}" is the value with what belongs beside it, "{label}" the word that announces it.
CARRIERS: Final[dict[str, tuple[str, str]]] = {
    "prose": (
        "In de brief van vorige week staat {label} {value} en dat klopt volgens ons.",
        "In de brief van vorige week staat {value} en dat klopt volgens ons.",
    ),
    "end of a sentence": (
        "Wij noteerden {label}: {value}. Daarna volgde niets.",
        "Wij noteerden {value}. Daarna niets.",
    ),
    "is": (
        "Zoals u weet is het {label} {value}, en verder niets.",
        "Zoals u weet is dit {value}, en verder niets.",
    ),
    "key and value": (
        "status: open\n{label}: {value}\nteam: zuid\n",
        "status: open\nvermeld: {value}\nteam: zuid\n",
    ),
    "key = value": ("status=open\n{label} = {value}\nteam=zuid", "status=open\nvermeld = {value}\nteam=zuid"),
    "form": (
        "Status            : open\n{label:<18}: {value}\nTeam              : zuid",
        "Status            : open\nVermeld           : {value}\nTeam              : zuid",
    ),
    "e-mail header": (
        "Van: receptie\nAan: balie\nOnderwerp: RE: {label} {value}\n\nDag allemaal,",
        "Van: receptie\nAan: balie\nOnderwerp: RE: {value}\n\nDag allemaal,",
    ),
    "signature": (
        "Met vriendelijke groet,\n\nde balie\n{label} {value}\n",
        "Met vriendelijke groet,\n\nde balie\n{value}\n",
    ),
    "quoted mail": ("> Dag,\n> {label}: {value}\n> Groet", "> Dag,\n> {value}\n> Groet"),
    "table by blanks": ("open      {label}     {value}     zuid", "open      ja     {value}     zuid"),
    "table by tabs": ("open\t{label}\t{value}\tzuid", "open\tja\t{value}\tzuid"),
    "table by bars": ("| open | {label} | {value} | zuid |", "| open | ja | {value} | zuid |"),
    "csv": ("open;{label};{value};zuid", "open;ja;{value};zuid"),
    "csv in quotes": ('"open","{label}","{value}","zuid"', '"open","ja","{value}","zuid"'),
    "JSON": (
        '{{"status": "open", "{label}": "{value}", "team": "zuid"}}',
        '{{"status": "open", "veld": "{value}"}}',
    ),
    "next line": ("Status\nopen\n{label}\n{value}\nTeam\nzuid\n", "Status\nopen\n\n{value}\n\nTeam\nzuid\n"),
    "brackets": ("De cliënt ({label} {value}) belde gisteren.", "De cliënt ({value}) belde gisteren."),
    "behind a label in brackets": (
        "Zie de bijlage [{label}: {value}] van gisteren.",
        "Zie de bijlage [{value}] van gisteren.",
    ),
    "OCR": ("open   {label}  :   {value}   zuid", "open   ja  :   {value}   zuid"),
    "list": (
        "- status: open\n- **{label}:** {value}\n- team: zuid",
        "- status: open\n- {value}\n- team: zuid",
    ),
}
_HARD_BLANKS: Final = frozenset({"OCR"})


@dataclass(frozen=True, slots=True)
class Carried:
    """A text with a value in it. start, end: where the value stands."""

    text: str
    start: int
    end: int


def carried(made: Made, label: str | None, carrier: str) -> Carried:
    """The value in a carrier; without a label where that is None.

    In the carrier "OCR" the blanks of the value are ones that no line may end at.
    """
    with_label, without = CARRIERS[carrier]
    value = made.value.replace(" ", "\u00a0") if carrier in _HARD_BLANKS else made.value
    marked = f"{made.before}\0{value}\0{made.after}"
    text = without.format(value=marked) if label is None else with_label.format(label=label, value=marked)
    before, inside, after = text.split("\0")
    return Carried(before + inside + after, len(before), len(before) + len(inside))
