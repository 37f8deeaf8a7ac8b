"""The part a person plays in a text: "huisarts Postma", "Postma, huisarts", "cliënt: Postma", "vader Postma".

Roles are soft evidence: one role in common speaks for one person where the names fit already; whoever is
served (client, patient, pupil) is seldom the professional of the same name in the same papers.
"""

import re
from enum import StrEnum

from linkage.records import Mention

ROLE = "role"  # the kind of attribute under which roles are kept


class RoleClass(StrEnum):
    """What a role says about the person's side of the desk."""

    SERVED = "served"
    PROFESSIONAL = "professional"
    KIN = "kin"


_SERVED = (
    "cliënt cliënte client cliente patiënt patiënte patient patiente klant klante aanvrager aanvraagster "
    "leerling scholier student studente bewoner bewoonster verzekerde huurder huurster verdachte slachtoffer "
    "betrokkene gedaagde eiser eiseres verzoeker verzoekster werknemer werkneemster kandidaat "
    "sollicitant belanghebbende debiteur crediteur koper koopster schuldenaar pupil pleegkind minderjarige "
    "pat pt cl overledene erflater erflaatster"
)
# Words of one calling in one group; the first stands for all.
_PROFESSIONS = (
    "arts dokter dr doctor huisarts basisarts kinderarts bedrijfsarts verzekeringsarts keuringsarts "
    "specialist internist cardioloog neuroloog psychiater chirurg uroloog radioloog longarts oogarts "
    "geriater anesthesist dermatoloog gynaecoloog orthopeed poortarts coassistent",
    "verpleegkundige wijkverpleegkundige verpleegster verpleger zuster verzorgende verzorgster nachtzorg "
    "nachtverzorger wijkverpleging thuiszorg thuiszorgmedewerker doktersassistente praktijkondersteuner poh",
    "behandelaar behandelaarster hoofdbehandelaar regiebehandelaar hulpverlener hulpverleenster",
    "apotheker apotheek apothekersassistente apoth", "fysiotherapeut fysiotherapeute fysio",
    "ergotherapeut ergotherapeute ergo", "logopedist logopediste", "diëtist diëtiste",
    "tandarts mondhygiënist",
    "psycholoog psychologe therapeut therapeute orthopedagoog gz-psycholoog gedragskundige",
    "casemanager zorgcoördinator regisseur wijkcoach", "transferverpleegkundige transfer",
    "maatschappelijk werker werkster sociaal werker jeugdbeschermer gezinsvoogd voogd jeugdwerker "
    "gezinscoach reclasseringswerker consulent consulente klantmanager schuldhulpverlener raadsonderzoeker",
    "bewindvoerder curator mentor beschermingsbewindvoerder", "adviseur hypotheekadviseur adviseuse",
    "acceptant taxateur makelaar", "notaris kandidaat-notaris notarisklerk",
    "advocaat advocate raadsman raadsvrouw gemachtigde jurist juriste",
    "rechter kinderrechter voorzitter griffier "
    "raadsheer officier", "officier aanklager",
    "agent agente rechercheur verbalisant wijkagent hoofdagent brigadier",
    "leraar lerares docent docente leerkracht juf meester mentor intern begeleider ib'er conciërge rector "
    "directeur directrice teamleider decaan schoolmaatschappelijk",
    "secretaris secretaresse notulist notuliste penningmeester", "wethouder burgemeester raadslid griffier",
    "manager leidinggevende chef afdelingshoofd afdelingsmanager teamleidster coördinator planner "
    "medewerker medewerkster stagiair stagiaire projectleider hr-adviseur personeelsadviseur "
    "casemanager-verzuim", "monteur installateur aannemer timmerman elektricien",
    "predikant dominee pastoor pastor",
    "inspecteur accountant controller boekhouder boekhoudster", "compliance",
    "schadebehandelaar schade-expert expert",
)  # fmt: skip
_KIN = (
    "vader pa papa", "moeder ma mama mam", "zoon zoontje", "dochter dochtertje", "broer broertje",
    "zus zusje",
    "oom", "tante", "opa grootvader", "oma grootmoeder", "neef", "nicht", "schoonvader", "schoonmoeder",
    "schoonzoon", "schoondochter",
    "zwager", "schoonzus", "buurman buurvrouw", "weduwe weduwnaar",
)  # fmt: skip


def _table() -> dict[str, tuple[RoleClass, str]]:
    found: dict[str, tuple[RoleClass, str]] = {}
    for kind, groups in (
        (RoleClass.SERVED, (_SERVED,)), (RoleClass.PROFESSIONAL, _PROFESSIONS), (RoleClass.KIN, _KIN),
    ):  # fmt: skip
        for group in groups:
            words = group.split()
            for word in words:
                name = words[0] if kind is not RoleClass.SERVED else "served"
                found.setdefault(word, (kind, f"{kind}:{name}"))
    return found


_ROLES = _table()
KIN_WORDS = frozenset(word for group in _KIN for word in group.split())
SERVED_WORDS = frozenset(_SERVED.split())
_WORD = r"[^\W\d_](?:[\w'-]|\.(?=\w))*"
# The look behind changes no match, the first start of a word being tried first; it saves the other starts.
_BEFORE = re.compile(
    rf"(?<![^\W\d_])(?P<word>{_WORD})(?:(?P<dot>\.)|\(en\))?(?:\s*[.]{{2,}})?\s*:?\s*(?:\d\)\s*)?[\"'(]?$"
)
_ABBREVIATED = frozenset({"dr", "pat", "pt", "cl", "apoth"})
_TITLES = re.compile(
    r"\b(?:de\s+)?(?:heer|dhr|hr|mevrouw|mevr|mw|mej|meneer|mijnheer|drs|ir|ing)\.?\s*$", re.IGNORECASE
)
_AFTER = re.compile(
    rf"\s*(?:[,(|/-]|\s)\s*(?:(?:de|het|een|uw|onze|als|senior|junior|hoofd)\s+)?({_WORD})", re.IGNORECASE
)
_LISTED = re.compile(r"\s*(?:,|en\b|$)")
_REACH = 34


def roles_of(text: str, mention: Mention) -> frozenset[str]:
    """Roles of the words right before and after a mention, as "class:calling"; mostly none or one."""
    found: set[str] = set()
    start, end = mention.span.start, mention.span.end
    before = text[max(0, start - _REACH) : start]
    line = re.split(r"[\n;]", before)[-1]
    line = _TITLES.sub("", line)
    if (match := _BEFORE.search(line)) and (role := _ROLES.get(match["word"].lower())):
        found |= {role[1]} if match["dot"] is None or match["word"].lower() in _ABBREVIATED else set()
    after = text[end : end + _REACH].split("\n")[0]
    if (match := _AFTER.match(after)) and (role := _ROLES.get(match[1].lower())):
        separator = after[: match.start(1)]
        # "Postma huisarts" in running text is another clause; in capitals or after two spaces it is a list.
        is_apposition = re.search(r"[,(|/-]", separator) or "  " in separator or match[1].isupper()
        # "ASP, VOS, leerling, vader": the word is one more of those who were there.
        is_listed = (
            "," in separator and _LISTED.match(after, match.end()) and before.rstrip()[-1:] in (",", ":")
        )
        if is_apposition and not is_listed and role[0] is not RoleClass.KIN:
            found.add(role[1])
    return frozenset(found)
