from collections import defaultdict
from pathlib import Path

import pytest
from training.storylines import HELD_OUT, StoryMentions, parts, read_storylines

from linkage.gazetteer import Gazetteer

ROOT = Path(__file__).resolve().parents[2]


def test_held_out_storylines_share_neither_documents_nor_people_with_the_others(tmp_path: Path) -> None:
    found = parts(read_storylines(ROOT, tmp_path))  # without the shared folder: what the project has itself
    assert {d.storyline for d in found["held out"]} == {"k04", "k08", "k12"} < HELD_OUT
    people = {
        part: {m.entity for d in documents for m in d.gold.mentions if m.entity}
        for part, documents in found.items()
    }
    assert people["training"]
    assert people["held out"]
    assert people["training"].isdisjoint(people["held out"])


def test_people_occur_over_the_documents_and_groups_of_their_storyline_alone(tmp_path: Path) -> None:
    storylines, groups = defaultdict(set), defaultdict(set)
    for document in read_storylines(ROOT, tmp_path):
        for mention in document.gold.mentions:
            if mention.entity is not None and document.storyline.startswith("k"):
                storylines[mention.entity].add(document.storyline)
                groups[mention.entity].add(document.group)
    assert all(len(found) == 1 for found in storylines.values())
    assert any(len(found) > 1 for found in groups.values())


@pytest.mark.parametrize("groups", [False, True])
def test_mentions_say_their_group_only_where_that_is_asked_for(tmp_path: Path, *, groups: bool) -> None:
    documents = [d for d in read_storylines(ROOT, tmp_path) if d.storyline == "k04"][:3]
    told = StoryMentions.of(documents, Gazetteer.load(), groups=groups)
    marks = {mark for mention in told.mentions for mark in mention.context.marks}
    assert any(mark.startswith("group:") for mark in marks) is groups
    assert set(told.entities) <= {mention.mention_id for mention in told.mentions}
