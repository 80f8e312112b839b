"""Stories of people who leave: what they wrote is nowhere any more, and whoever stays can read on."""

from collections.abc import Iterator

import pytest

from local.cloud import CloudSpec, LocalCloud
from tests.conftest import HURRIED, SCHEDULED
from tests.stories.leaving import forgets, found_anywhere
from tests.stories.play import Stage
from tests.stories.test_restore import archived
from tests.stories.words import will_say

MARK = "quixotic zebra 7431907"


@pytest.fixture(scope="module")
def cloud() -> Iterator[LocalCloud]:
    """A local cloud of its own: everything in it is read whole."""
    with LocalCloud(CloudSpec(env=HURRIED, parts=(*SCHEDULED, "storage", "erase"))).running() as running:
        yield running


async def test_who_is_forgotten_is_nowhere_any_more(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat, group = await stage.private(ann), await stage.group([ann, bob])
    await will_say(stage, chat, f"You said: my mark is {MARK}.")
    await chat.writes(ann, f"my mark is {MARK}")
    await chat.answers()
    await chat.rests()
    await will_say(stage, group, f"A fine mark, {MARK}.")
    theirs = await group.writes(ann, f"@lull_bot my mark is {MARK}")
    await group.answers()
    await will_say(stage, group, "I would rather have tea.")
    await group.writes(bob, "@lull_bot tea or a zebra?", reply_to=theirs)
    await group.answers()
    await group.rests()
    await archived(stage)
    assert await found_anywhere(stage, MARK, ann.name)

    done = await forgets(stage, chat, ann)
    assert await found_anywhere(stage, MARK, ann.name) == []
    assert done["counts"]["conversations"] == 1
    spoken = [(e["author"]["name"], e["text"]) for e in await group.spoken()]
    assert spoken == [
        ("[erased]", "[erased]"),
        ("lull", "[erased]"),
        (bob.name, "@lull_bot tea or a zebra?"),
        ("lull", "I would rather have tea."),
    ]
    receipt = (await chat.said())[-1]["text"]
    assert receipt.startswith("I have forgotten you.")
