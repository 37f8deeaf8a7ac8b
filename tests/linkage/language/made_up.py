"""A made-up language of ten words, xx: a whole folder that tests may change."""

import gzip
from pathlib import Path
from typing import Final

from linkage.language.digests import write_digests

_TABLES: Final = {
    "titles.tsv": (
        "title\tcategory\tposition\tgender\tvariants\tuses\n"
        "dona\tcourtesy\tpre\tf\t\tphrase behind_role"
    ),
    "kin.tsv": "word\tgender\trole\tuses\nmadu\tf\tmadu\trelative another",
    "roles.tsv": "word\tgender\trole\tuses\nklientu\t\tserved\t",
    "professions.tsv": "word\tgender\trole\tuses\nmediku\t\tmediku\tacts",
    "particles.tsv": "particle\tcanonical\tuses\nzu\tzu\tlisted",
    "name_cues.tsv": "cue\tkind\tuses\nsalu\tsalutation\tletter given",
    "markers.tsv": "marker\tkind",
    "name_kinds.tsv": "kind\tplace\ttext\nCOUNTRY\twhole\tXandaland\nSCHOOL\thead\txlyceum\n",
    "patterns.tsv": (
        "meaning\tplace\texpression\nand\tbetween\tka\nnamed\tbetween\tdita\n"
        "kin\tbetween\t\\s+es\\s+{KIN}\\s+zu\nsender\tline\tda\nreceiver\tline\tpa"
    ),
    "words.tsv": "word\tkind\n" + "\n".join(
        f"-\t{kind}"
        for kind in (
            "abbreviation", "adjective", "degree", "degree_or_name",
            "either_gender", "list_joint",
            "list_joint_behind_comma", "named_after", "no_calling", "no_role",
        )
    ),
    "name_frames.tsv": "frame\tword",
    "grammar.toml": "",
    "street_endings.tsv": "ending\tstrength\tuses",
    "columns.tsv": "kind\tpart\tabout\theader",
    "labels.tsv": "what\tlabel",
    "empty_values.tsv": "value",
    "cues.tsv": "kind\tplace\tcue",
    "slots.tsv": (
        "slot\tregex\nTHE\t(?:lu\\s+)?\nTITLE\t{THE}{TITLE_WORD}\nTITLES\t(?:{TITLE}\\s+)?\n"
        "ROLE_TITLE\t{ROLE_TITLE_WORD}\nSOMEBODY\t[a-z]+\nKIN\t{KIN_WORD}"
    ),
    "months.tsv": "word\tnumber\tshort",
    "weekdays.tsv": "word\tnumber\tshort",
    "numerals.tsv": "word\tnumber",
    "ordinals.tsv": "word\tnumber",
    "feasts.tsv": "word\tday",
    "multiples.tsv": "word\tnumber",
    "currencies.tsv": "word\tcode",
    "times.tsv": "what\tphrase\tmeans",
    "quotes.tsv": "language\tshort",
    "lexicon/given_names/names.tsv.gz": "xilo\tXilo\tm\t900\nyara\tYara\tf\t800",
    "lexicon/surnames/names.tsv.gz": "kwop\tKwop\tzu\t700",
    "lexicon/words/words.tsv.gz": "ka\t600\to\t99",
    "lexicon/variants/pairs.tsv.gz": "Xilo\tXil\tnickname\thigh\town",
    "lexicon/places/places.txt.gz": "bimbur",
    "lexicon/organisations/organisations.txt.gz": "grolp",
    "lexicon/name_slots/name_slots.tsv": "slot\tlog_odds",
}  # fmt: skip


def write_made_up(folder: Path) -> Path:
    """The folder xx in a folder, with every table that a language needs."""
    directory = folder / "xx"
    for name, text in _TABLES.items():
        file = directory / name
        file.parent.mkdir(parents=True, exist_ok=True)
        raw = (text + "\n").encode()
        file.write_bytes(gzip.compress(raw, mtime=0) if file.suffix == ".gz" else raw)
    write_digests(directory)
    return directory
