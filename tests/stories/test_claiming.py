"""Stories of the owner: the first who opens the link that the deployment prints."""

from collections.abc import AsyncIterator

import pytest
from google.cloud.firestore_v1 import DELETE_FIELD

from shared.values.registration import claim_code
from tests.shared.own_words import HAS_ANOTHER, HOW_TO_CLAIM, IS_OWNER, NOT_HERE, WRONG_CODE
from tests.stories.play import Sandbox


async def disown(sandbox: Sandbox) -> None:
    """Remove the owner as docs/security.md describes."""
    await sandbox.firestore.document("bots/lull").set({"owner": DELETE_FIELD}, merge=True)


@pytest.fixture
async def code(sandbox: Sandbox) -> AsyncIterator[str]:
    """Return the code of the agent lull, which has no owner."""
    await disown(sandbox)
    yield claim_code(sandbox.cloud.webhook_secret, "lull", int(sandbox.cloud.tokens["lull"].split(":")[0]))
    await disown(sandbox)


async def test_who_opens_the_link_first_is_the_owner_and_told_of_the_setup(sandbox: Sandbox, code: str) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    with_ann, with_ben = await sandbox.private(ann), await sandbox.private(ben)
    await with_ben.writes(ben, "/claim open-sesame")
    assert await with_ben.answers() == [WRONG_CODE]

    await with_ann.writes(ann, f"/start claim_{code}")
    (welcome,) = await with_ann.answers()
    assert welcome.startswith(IS_OWNER)
    name = (await sandbox.bot("lull"))["username"]
    assert f"Privacy mode is off: @{name} receives everything written in its groups" in welcome
    assert "@BotFather → /setprivacy → Enable" in welcome
    assert f"Anyone can add @{name} to groups" in welcome

    await with_ben.writes(ben, f"/start claim_{code}")
    assert await with_ben.answers() == [HAS_ANOTHER]
    await with_ben.writes(ben, "/claim")
    assert await with_ben.answers() == [HOW_TO_CLAIM]
    await with_ann.writes(ann, f"/claim {code}")
    assert await with_ann.answers() == [welcome]
    await with_ann.writes(ann, "/whoami")
    assert "Access: you're my owner" in (await with_ann.answers())[0]
    kept = (await sandbox.firestore.document("bots/lull").get()).to_dict() or {}
    assert kept["owner"] == ann.id
    for chat in (with_ann, with_ben):
        assert await sandbox.model.asked(f"chat_id={chat.id} ") == []
    logs = "".join(log.read_text() for log in sandbox.cloud.folder.glob("logs/*.log"))
    assert "runs /claim" in logs
    assert code not in logs

    await disown(sandbox)
    await with_ben.writes(ben, f"/claim {code}")
    assert (await with_ben.answers())[0].startswith(IS_OWNER)


async def test_in_a_group_the_code_is_not_taken(sandbox: Sandbox, code: str) -> None:
    ann, ben = await sandbox.person("Ann"), await sandbox.person("Ben")
    chat = await sandbox.group([ann, ben])
    name = (await sandbox.bot("lull"))["username"]
    for text in (f"/claim@{name} {code}", f"/start@{name} claim_{code}"):
        await chat.writes(ann, text)
        assert await chat.answers() == [NOT_HERE]
    kept = (await sandbox.firestore.document("bots/lull").get()).to_dict() or {}
    assert "owner" not in kept
