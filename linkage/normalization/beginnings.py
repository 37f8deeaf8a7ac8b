"""Names that are the beginning of a longer one of their document: "I Wayan" of I Wayan Suardika."""

from collections.abc import Sequence

from linkage.records import Mention, PersonName, fold


def with_beginnings(mentions: Sequence[Mention], names: Sequence[PersonName]) -> list[PersonName]:
    """The names in their order; one read as initials and a surname that a longer name of the document goes on
    from is its initials and given names.
    """
    longer: dict[str, PersonName] = {}
    for mention, name in zip(mentions, names, strict=True):
        if name.initials and name.given and name.family:
            words = fold(mention.surface).split()
            given = fold(name.given).split()[-1]
            if given in words[:-1]:
                longer.setdefault(" ".join(words[: words.index(given) + 1]), name)
    if not longer:
        return list(names)
    return [_read_as(mention, name, longer) for mention, name in zip(mentions, names, strict=True)]


def _read_as(mention: Mention, name: PersonName, longer: dict[str, PersonName]) -> PersonName:
    if name.given is not None or name.initials is None or name.family is None:
        return name
    whole = longer.get(" ".join(fold(mention.surface).split()))
    if whole is None:
        return name
    return PersonName(given=whole.given, initials=whole.initials)
