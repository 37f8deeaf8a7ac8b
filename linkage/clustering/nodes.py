"""What a document says of its mentions before names are compared: one form with one evidence is one node."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from linkage.clustering.name_forms import NameForm, NameKind
from linkage.constraints import Evidence, reason_apart
from linkage.records import MentionId, NormalizedMention


@dataclass(slots=True)
class Node:
    """Mentions of one form with the same evidence, or what the text says is the same person."""

    mentions: list[int]
    forms: dict[int, int]
    evidence: Evidence
    kind: NameKind
    apart: set[int] = field(default_factory=set)  # nodes


def nodes_of(
    ordered: Sequence[int],
    mentions: Sequence[NormalizedMention],
    form_of: Sequence[int],
    forms: Sequence[NameForm],
) -> list[Node]:
    """Mentions put together by form and evidence; joined or marked apart where text or ids say so."""
    by_key: dict[tuple[object, ...], list[int]] = {}
    nodes: list[Node] = []
    node_of: dict[MentionId, int] = {}
    contrasted = _beside_namesakes(ordered, mentions, form_of)
    for index in sorted(ordered, key=lambda index: index not in contrasted):
        mention = mentions[index]
        evidence = Evidence.of(mention)
        form = form_of[index]
        is_lone_given = mention.name.given is not None and mention.name.family is None
        if is_lone_given and forms[form].kind in (NameKind.FAMILY, NameKind.INITIALS):
            evidence.gender = None  # what lists say of "Yilmaz" as a given name, which it is not here
        # A lone name under a letter is the sender's, whoever else of that name the letter speaks of.
        same_as = mention.context.same_as if forms[form].kind < NameKind.INITIALS else frozenset()
        key: tuple[object, ...]
        key = (
            form, evidence.gender, mention.mention.person_id, evidence.decisive(), same_as, evidence.sides(),
        )  # fmt: skip
        others = mention.context.joined_with
        if index not in contrasted and len(by_key.get(key, ())) > 1:
            key = (*key, "either")  # of two namesakes: a node of its own, which fits both
        for number in by_key.setdefault(key, []):
            node = nodes[number]
            if not others or not any(mentions[i].mention_id in others for i in node.mentions):
                node.mentions.append(index)
                node.forms[form] += 1
                node.evidence.add(evidence)
                break
        else:
            number = len(nodes)
            nodes.append(Node([index], {form: 1}, evidence, forms[form].kind))
            by_key[key].append(number)
        node_of[mention.mention_id] = number
    return _joined(nodes, node_of, mentions)


def _beside_namesakes(
    ordered: Sequence[int], mentions: Sequence[NormalizedMention], form_of: Sequence[int]
) -> frozenset[int]:
    """Mentions that the text tells apart from another of the same form."""
    place = {mentions[index].mention_id: index for index in ordered if mentions[index].context.joined_with}
    return frozenset(
        index
        for index in place.values()
        if any(
            o in place and form_of[place[o]] == form_of[index] for o in mentions[index].context.joined_with
        )
    )


def _joined(
    nodes: list[Node], node_of: Mapping[MentionId, int], mentions: Sequence[NormalizedMention]
) -> list[Node]:
    """Nodes that the text, or a registry id, says are one person, made one; those it tells apart marked."""
    parent = list(range(len(nodes)))

    def find(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    apart: set[tuple[int, int]] = set()
    by_person: dict[str, int] = {}
    for number, node in enumerate(nodes):
        for index in node.mentions:
            context = mentions[index].context
            for other in context.joined_with:
                if other in node_of and node_of[other] != number:
                    apart.add((number, node_of[other]))
            for other in sorted(context.same_as):
                if other in node_of and reason_apart(node.evidence, nodes[node_of[other]].evidence) is None:
                    left, right = sorted((find(number), find(node_of[other])))
                    parent[right] = left
        for person_id in sorted(node.evidence.person_ids):
            left, right = sorted((find(by_person.setdefault(person_id, number)), find(number)))
            parent[right] = left
    merged: dict[int, Node] = {}
    for number, node in enumerate(nodes):
        root = find(number)
        if root not in merged:
            merged[root] = node
        else:
            into = merged[root]
            into.mentions += node.mentions
            for form, count in node.forms.items():
                into.forms[form] = into.forms.get(form, 0) + count
            into.evidence.add(node.evidence)
            into.kind = max(into.kind, node.kind)
    renumbered = {root: position for position, root in enumerate(merged)}
    result = list(merged.values())
    for left, right in apart:
        a, b = renumbered[find(left)], renumbered[find(right)]
        if a != b:
            result[a].apart.add(b)
            result[b].apart.add(a)
    return result
