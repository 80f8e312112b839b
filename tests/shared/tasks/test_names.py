"""Ids of lull's own tasks, and the stored form of tasks."""

import json

from shared.media.tasks.sticker import Sticker
from shared.tasks.names import answers_command, apology_task_id, as_planned, command_task_id
from shared.tasks.registry import stored_task


def test_an_answer_to_a_command_is_known_by_its_id() -> None:
    assert answers_command(command_task_id(7))
    assert not answers_command(apology_task_id(7))


def test_a_task_is_kept_with_what_it_says_alone() -> None:
    task = Sticker(id="3", depends_on=("2",), sticker="😂", set="Moods")
    kept = json.loads(as_planned(task))
    assert kept == {"kind": "sticker", "sticker": "😂", "set": "Moods"}
    assert stored_task({**kept, "id": "3", "depends_on": ("2",)}) == task
