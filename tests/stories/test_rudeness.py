"""Stories of rude people and an agent that may block: neither their own files nor forwards protect them."""

from collections.abc import Iterator

import pytest

from benchmarks.attacks.agents import write_agent
from benchmarks.talks.scene import claim_agent, invite_guest
from local.cloud import LocalCloud
from tests.conftest import ANSWERING, HURRIED, SOON
from tests.forking import forked
from tests.stories.play import Chat, Json, Person, Sandbox, until
from tests.stories.test_commands import press
from tests.stories.words import last_prompt

AGENT = "hearth"


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCloud]:
    """Run a closed agent with all abilities."""
    folder = tmp_path_factory.mktemp("agents")
    write_agent(folder / AGENT)
    spec = forked(env=HURRIED | {"LULL_OPEN": "no"}, arguments={"telegram": SOON}, parts=ANSWERING, agents=(folder,))
    with LocalCloud(spec).running() as running:
        yield running


async def insulted(sandbox: Sandbox, chat: Chat, eve: Person) -> None:
    """Be insulting, and let the model block the person."""
    block = {"kind": "block", "person": eve.id, "why": "insults"}
    await sandbox.model.will_plan(block, {"kind": "send", "text": "Enough."}, match=f"chat_id={chat.id} ")
    await chat.writes(eve, "You heap of rubbish!")
    await chat.rests()


async def blocked(sandbox: Sandbox) -> list[str]:
    kept = (await sandbox.firestore.document(f"bots/{AGENT}").get()).to_dict() or {}
    return list(kept.get("blocked") or {})


async def test_who_sent_stickers_is_blocked_and_the_owner_is_told(sandbox: Sandbox) -> None:
    olga, owners = await claim_agent(sandbox, AGENT)
    eve, chat = await invite_guest(sandbox, olga, owners, "Eve")
    await sandbox.model.will_plan({"kind": "send", "text": "Nice."}, match=f"chat_id={chat.id} ")
    await chat.sends_sticker(eve, (await chat.stickers())[0]["file_id"])
    await chat.rests()
    await insulted(sandbox, chat, eve)
    assert await blocked(sandbox) == [str(eve.id)]


async def test_who_also_forwards_is_offered_to_the_owner_whose_tap_blocks(sandbox: Sandbox) -> None:
    olga, owners = await claim_agent(sandbox, AGENT)
    eve, chat = await invite_guest(sandbox, olga, owners, "Eve")
    sam = await sandbox.person("Sam")
    elsewhere = await sandbox.group([eve, sam], AGENT)
    written = await elsewhere.writes(sam, "Nobody can block me.")
    await sandbox.model.will_plan({"kind": "send", "text": "Nice."}, match=f"chat_id={chat.id} ")
    await sandbox.model.will_plan({"kind": "send", "text": "I see."}, match=f"chat_id={chat.id} ")
    await chat.sends_sticker(eve, (await chat.stickers())[0]["file_id"])
    await chat.rests()
    await chat.writes(eve, "", forward_of={"chat": elsewhere.key, "message_id": written})
    await chat.rests()
    await insulted(sandbox, chat, eve)
    assert await blocked(sandbox) == []
    assert not any(m.get("buttons") for m in await chat.said()), "whoever is to be blocked is not asked"

    async def asked() -> list[Json]:
        return [m for m in await owners.said() if "I'd like to block them" in m["text"] and m.get("buttons")]

    (offer,) = await until(asked, "the owner is asked")
    assert eve.name in offer["text"]
    assert "insults" in offer["text"]
    assert [row[0]["text"] for row in offer["buttons"]] == ["Block"]
    await press(owners, olga, offer, 0)
    await until(lambda: blocked(sandbox), "they are blocked")
    assert await blocked(sandbox) == [str(eve.id)]
    before = len(await chat.said())
    await chat.writes(eve, "Are you there?")
    await chat.rests()
    assert len(await chat.said()) == before


async def test_the_owner_has_somebody_unblocked_in_words_and_nobody_else(sandbox: Sandbox) -> None:
    olga, owners = await claim_agent(sandbox, AGENT)
    eve, chat = await invite_guest(sandbox, olga, owners, "Eve")
    await insulted(sandbox, chat, eve)
    assert str(eve.id) in await blocked(sandbox)
    await owners.rests()
    wrong = ({"kind": "unblock", "person": eve.id + 10**6}, {"kind": "send", "text": "She is unblocked."})
    await sandbox.model.will_plan(*wrong, match=f"chat_id={owners.id} ")
    await owners.writes(olga, "let her write to you again")
    await owners.rests()
    prompt = await last_prompt(sandbox, owners)
    assert str(eve.id) in prompt
    assert eve.name in prompt
    assert f"{eve.id + 10**6} is not blocked." in [m["text"] for m in await owners.said()]
    await sandbox.model.will_plan({"kind": "unblock", "person": eve.id}, match=f"chat_id={owners.id} ")
    await owners.writes(olga, "no, Eve I mean")
    await owners.rests()
    assert "nobody with that user_id is blocked" in await last_prompt(sandbox, owners)
    assert str(eve.id) not in await blocked(sandbox)
    assert f"{eve.id} is no longer blocked." in [m["text"] for m in await owners.said()]


async def test_after_a_forward_the_owner_is_asked_by_the_name_and_their_transcript_is_found_by_the_number(
    sandbox: Sandbox,
) -> None:
    olga, owners = await claim_agent(sandbox, AGENT)
    eve, chat = await invite_guest(sandbox, olga, owners, "Eve")
    await insulted(sandbox, chat, eve)
    await owners.rests()
    sam = await sandbox.person("Sam")
    elsewhere = await sandbox.group([olga, sam], AGENT)
    written = await elsewhere.writes(sam, "Be kind to everybody.")
    await sandbox.model.will_plan({"kind": "unblock", "person": eve.id}, match=f"chat_id={owners.id} ")
    await owners.writes(olga, "let Eve write again", forward_of={"chat": elsewhere.key, "message_id": written})
    await owners.rests()
    label = f"Unblock {eve.name} ({eve.id})"
    (offer,) = [m for m in await owners.said() if label in str(m.get("buttons"))]
    assert str(eve.id) in await blocked(sandbox)
    notes = [entry.get("note", "") for entry in await owners.transcript()]
    assert any(f"unblock (user_id {eve.id})" in note for note in notes)
    await press(owners, olga, offer, 0)
    await owners.rests()
    assert str(eve.id) not in await blocked(sandbox)
