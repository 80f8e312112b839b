"""/shutdown: the people who may silence a chat, the silence of all chats by the owner, and its end."""

from shared.access.commands.shutdown import EVERYWHERE, ShutdownContext, press, respond
from shared.values.access_action import FOREVER
from shared.values.chat_key import ChatKind
from tests.shared.commands.requests import asked
from tests.shared.examples import GROUP_KEY
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import access_list, answer, labels, own
from tests.shared.letting_in import press as pressed
from tests.shared.turn.harness import ChatHarness


def test_others_silence_only_this_chat_and_the_owner_is_notified() -> None:
    response = respond(
        asked(
            title="Trip", key=GROUP_KEY, kind=ChatKind.SUPERGROUP, result=ShutdownContext(77, "uk", is_elsewhere=True)
        )
    )
    assert response.text.startswith("I've stopped answering here until")
    assert response.changes == {"muted_until": FOREVER}
    (word,) = response.notices
    again = ShutdownContext(77, "uk", is_elsewhere=True, is_told=True)
    assert respond(asked(title="Trip", key=GROUP_KEY, kind=ChatKind.SUPERGROUP, result=again)).notices == ()
    assert word.text.startswith("Trip: мене попросили більше не відповідати")
    assert respond(asked(result=ShutdownContext())).notices == ()


def test_a_button_of_somebody_else_does_nothing() -> None:
    for argument in ("e", "h"):
        assert press(asked(argument, result=ShutdownContext(77))).changes == {}
    assert press(asked("x", result=ShutdownContext(77, is_owner=True))).changes == {}
    assert press(asked("e", result=EVERYWHERE)).buttons[0].text == "Start answering again"


async def test_the_owner_silences_it_everywhere_and_wakes_it(harness: ChatHarness) -> None:
    await own(harness)
    question = await answer(harness, "/shutdown")
    assert labels(question) == ["Everywhere", "Only here"]
    assert (await access_list(harness)).silenced is None
    silent = await pressed(harness, question, "Everywhere")
    assert silent["text"].startswith("I've stopped answering everyone")
    assert (await access_list(harness)).silenced is not None
    assert "I'm not answering anyone" in (await answer(harness, "/people"))["text"]
    again = await pressed(harness, silent, "Start answering again")
    assert again["text"] == "I'm answering again, everywhere."
    assert (await access_list(harness)).silenced is None


async def test_only_here_is_a_mute(harness: ChatHarness) -> None:
    await own(harness)
    await pressed(harness, await answer(harness, "/shutdown"), "Only here")
    assert (await harness.document()).access.muted_until == FOREVER
    assert (await answer(harness, "/wake"))["text"] == "I'm answering again."


async def test_in_a_group_its_administrator_silences_it_there(open_harness: OpenHarness) -> None:
    owner, group = await open_harness(bot="quiet"), await open_harness(bot="quiet", people=1)
    await own(owner)
    bot = group.backend.username
    assert "administrators" in (await answer(group, f"/shutdown@{bot}", **{"from": group.others[0]}))["text"]
    silent = await answer(group, f"/shutdown@{bot}")
    assert silent["text"].startswith("I've stopped answering here until")
    assert "I was asked to stop answering" in (await owner.messages())[-1]["text"]
    assert (await answer(group, f"/wake@{bot}"))["text"] == "I'm answering again."
    assert (await answer(group, f"/shutdown@{bot}"))["text"].startswith("I've stopped answering here until")
    assert len([m for m in await owner.messages() if "I was asked" in m["text"]]) == 1, "once a day"


async def test_below_what_is_said_there_is_a_button_that_ends_it(open_harness: OpenHarness) -> None:
    group = await open_harness(people=1)
    silent = await answer(group, f"/shutdown@{group.backend.username}")
    assert labels(silent) == ["Start answering again"]
    denied = await pressed(group, silent, "Start answering again", **{"from": group.others[0]})
    assert denied["text"] == silent["text"]
    assert (await group.document()).is_muted(group.clock.now)
    assert (await pressed(group, silent, "Start answering again"))["text"] == "I'm answering again."
    assert not (await group.document()).is_muted(group.clock.now)


async def test_the_owner_ends_it_from_their_own_chat(open_harness: OpenHarness) -> None:
    owner, group = await open_harness(bot="far"), await open_harness(bot="far", people=1)
    await own(owner)
    await answer(group, f"/shutdown@{group.backend.username}")
    told = (await owner.messages())[-1]
    assert labels(told) == ["Start answering again"]
    assert (await pressed(owner, told, "Start answering again"))["text"] == "I'm answering again in A room."
    await group.rests()
    assert not (await group.document()).is_muted(group.clock.now)
    assert "A room" not in str(await owner.transcript())


def test_of_a_private_chat_the_owner_is_told_with_whom_it_is() -> None:
    (told,) = respond(asked(result=ShutdownContext(owner=9, is_elsewhere=True))).notices
    assert told.text.startswith("Ann asked me to stop answering in their private chat with me")
