"""Stories of a closed agent that has nothing to do with strangers: it ignores them, and leaves their groups."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from local.cloud import LocalCloud
from tests.conftest import ANSWERING, HURRIED, SOON
from tests.forking import forked
from tests.stories.play import Json, Sandbox, until
from tests.stories.test_access import Owned, owned

__all__ = ["owned"]

FRONT = "name: lull\nusername: lull_bot\naliases: []\nprompts: [all]\npace: instant\nstrangers: ignore\ngroups: leave\n"


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    """Run a cloud with one agent, whose access is as closed as possible."""
    folder: Path = tmp_path_factory.mktemp("agents")
    (folder / "lull" / "prompts").mkdir(parents=True)
    (folder / "lull" / "agent.md").write_text(f"---\n{FRONT}---\nYou are lull.\n")
    (folder / "lull" / "prompts" / "all.md").write_text("---\nunlocks: [send]\n---\nDo what you are asked.\n")
    env = HURRIED | {"LULL_OPEN": "no"}
    spec = forked(env=env, arguments={"telegram": SOON}, parts=ANSWERING, agents=(folder,))
    with LocalCloud(spec).running() as running:
        yield running


async def test_a_stranger_is_told_nothing_and_the_owner_neither(sandbox: Sandbox, owned: Owned) -> None:
    eve = await sandbox.person("Eve")
    chat = await sandbox.private(eve)
    await chat.writes(eve, "hello?")
    await chat.rests()
    (refused,) = await chat.spoken()
    assert refused["decision"]["reason"] == "a stranger, whom nobody let in"
    assert await chat.said() == []
    await owned.chat.rests()
    assert len(await owned.chat.said()) == 1, "that it is claimed, and nothing else"
    assert [one async for one in sandbox.firestore.collection("requests").list_documents()] == []
    assert await sandbox.model.asked(eve.name) == []


async def test_a_strangers_group_is_left_and_the_owner_told_once_a_day(sandbox: Sandbox, owned: Owned) -> None:
    eve = await sandbox.person("Eve")
    for title in ("Evil plans", "More of them"):
        group = await sandbox.group([eve], title=title)

        async def left(group_id: int = group.id) -> list[Json]:
            calls = (await sandbox.telegram.get("/world/calls")).json()["calls"]
            return [c for c in calls if c["method"] == "leaveChat" and str(c["params"].get("chat_id")) == str(group_id)]

        await until(left, "the group is left")
        await group.rests()
        assert await group.said() == []

    async def told() -> list[str]:
        return [m["text"] for m in await owned.chat.said() if "I've left" in m["text"]]

    await until(told, "the owner is told")
    await owned.chat.rests()
    assert await told() == ["I've left the group Evil plans."]
    assert await sandbox.model.asked(eve.name) == []
    assert "Evil plans" not in str(await owned.chat.transcript())
