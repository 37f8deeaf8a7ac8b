"""Who appears in a text in a professional role: judges, lawyers, doctors, civil servants and the like.

Guidelines for publishing judgments replace the parties and other people but leave those who act by
profession. Only what the text says of a name counts: a role right before it ("rechter: mr. A. Bos") or right
after it ("P. Kok, advocaat te Breda"). A title alone ("mr.", "dr.") is not enough: parties have titles too.
"""

import re
from collections.abc import Iterable
from typing import Final

from linkage.records import Span

_ROLES: Final = (
    r"(?:kanton|kinder|politie|straf|familie|voorzieningen|bestuurs|vreemdelingen|rol|hof)?rechter"
    r"(?:-commissaris)?|raadsheer(?:-commissaris)?|raadsvrouwe?|raadsman|advocaat(?:-generaal)?|advocate"
    r"|(?:vice-)?president van (?:de rechtbank|het gerechtshof|de hoge raad)|procureur(?:-generaal)?"
    r"|officier van justitie|griffier|(?:kandidaat-|toegevoegd )?notaris|curator|bewindvoerder|mentor"
    r"|(?:gerechts)?deurwaarder|(?:gerechts)?tolk|vertaler|reclasseringswerker|verbalisant"
    r"|(?:hoofd|politie|wijk)?agente?|(?:hoofd)?inspecteur|brigadier|rechercheur|(?:gerechts)?secretaris"
    r"|(?:huis|bedrijfs|verzekerings|jeugd|tand|dieren|oog|kinder|vrouwen|zenuw|zaal|basis|long)?arts"
    r"|arts-assistent|(?:verpleegkundig )?specialist|(?:neuro)?chirurg|internist|cardioloog|neuroloog"
    r"|uroloog|oncoloog|radioloog|patholoog|gynaecoloog|dermatoloog|reumatoloog|orthopeed|anesthesioloog"
    r"|psychiater|(?:gz-|klinisch )?psycholoog|psychotherapeut|fysiotherapeut|logopedist|verloskundige"
    r"|apotheker|verpleegkundige|(?:hoofd)?behandelaar|hoogleraar|lector|docente?|leraar|lerares|rector"
    r"|schooldirecteur|mediator|arbiter|deskundige|accountant|taxateur|makelaar|maatschappelijk werker"
    r"|gezinsvoogd|jeugdbeschermer|ambtenaar|gemeentesecretaris|burgemeester|wethouder|gedeputeerde"
    r"|minister|staatssecretaris|commissaris van de koning"
)
# A piece of every role: what holds none of these holds no role.
_STEMS: Final = (
    "recht", "raads", "adv", "raad", "procureur", "justitie", "griffier", "notaris", "curator", "bewind",
    "mentor", "deurwaarder", "tolk", "vertaler", "werker", "verbalisant", "agent", "inspecteur", "brigadier",
    "rechercheur", "secretaris", "arts", "specialist", "chirurg", "internist", "loog", "logopedist",
    "orthopeed",
    "psychiater", "therapeut", "verlos", "apotheker", "verpleeg", "behandelaar", "leraar", "lector",
    "docent", "lerares", "rector", "directeur", "mediator", "arbiter", "deskundige", "accountant",
    "taxateur", "makelaar", "voogd", "beschermer", "ambtenaar", "burgemeester", "wethouder",
    "gedeputeerde", "minister", "commissaris",
)  # fmt: skip
_TITLE: Final = (
    r"(?:dhr|mevr|mw|dr|drs|prof|mr|ir|ing|med|em|bc|de heer|mevrouw|meester|professor|dokter)\b\.?,?\s*"
)
# No comma may stand between: in "mr. Kok, advocaat, Jan Tolsma" the role is that of the name before it.
_BEFORE: Final = re.compile(rf"\b(?:{_ROLES})\s*:?\s*(?:{_TITLE}){{0,4}}\Z", re.IGNORECASE)
# "Jan Tolsma (advocaat: mr. P. Kok)" says nothing of the first name.
_AFTER: Final = re.compile(
    r"(?:,?\s*\(|,\s*(?:als\s+|in (?:haar|zijn) hoedanigheid van\s+|de\s+|onze\s+)?)"
    rf"(?:{_ROLES})\b(?!\s*:)(?!\s+{_TITLE})(?!\s+(?-i:[A-Z]))",
    re.IGNORECASE,
)
_REACH: Final = 80  # characters


def acts_professionally(text: str, span: Span) -> bool:
    """Whether the text says right before or after span that this person acts by profession.

    Within the line and up to a semicolon.
    """
    before = text[max(span.start - _REACH, 0) : span.start]
    after = text[span.end : span.end + _REACH]
    line, rest = re.split(r"[\r\n;]", before)[-1], re.split(r"[\r\n;]", after)[0]
    return (may_hold_role(line) and _BEFORE.search(line) is not None) or (
        may_hold_role(rest) and _AFTER.match(rest) is not None
    )


def may_hold_role(text: str) -> bool:
    """Whether text may hold the word for a role; told quickly, and never wrong where it says no."""
    if not text.isascii():
        return True  # letters may be written in ways that only the patterns know
    letters = text.lower()
    return any(stem in letters for stem in _STEMS)


def professionals(text: str, spans: Iterable[Span]) -> frozenset[Span]:
    """Those of the spans whose people act by profession."""
    return frozenset(span for span in spans if acts_professionally(text, span))
