"""Refused formatting or buttons: the message is sent again once without them, and nothing is lost."""

from typing import Any

import pytest

from shared.base.errors import ButtonsRefused
from shared.media.tasks.send_media import SendMedia
from shared.tasks.graph import with_task
from shared.tasks.outcome import fail_delivery, mark_attempted, task_of, with_deliveries
from shared.tasks.plan import DeliveryState, Plan, PlannedTask, TaskState
from shared.tasks.react import React
from shared.tasks.send import Send
from shared.tasks.task import Task
from shared.telegram.markdown.render import render
from shared.telegram.outbound.errors import BotApiAnswer, classify
from shared.values.channel import Button
from shared.values.evolve import evolve
from shared.values.message import Message
from tests.shared.examples import NOW, plan_of, send
from tests.shared.media.test_rewording import runner_of
from tests.shared.own_words import NOT_SENT
from tests.shared.tasks.test_outcome import RETRYING
from tests.shared.turn.harness import ChatHarness
from tests.shared.turn.test_runner import claimed_session

LOOKS = (
    "Bad Request: can't parse entities: unsupported start tag at byte offset 3",
    "Bad Request: ENTITY_BOUNDS_INVALID",
    "Bad Request: entities too long",
)
BUTTONS = ("Bad Request: BUTTON_DATA_INVALID", "Bad Request: reply markup is too long")
LONG = f"**One.** {'word ' * 900}**Two.**"


async def run(harness: ChatHarness, plan: Plan) -> tuple[Plan, list[Message]]:
    """Run a plan, and return it with the agent's messages."""
    hold = await claimed_session(harness)
    plan = (await runner_of(harness).run(hold, plan, is_final_plan=False, unread=1)).plan
    await hold.commit(plan)
    return plan, [entry for entry in await hold.window() if isinstance(entry, Message) and entry.author.is_agent]


async def after(harness: ChatHarness, *tasks: Task) -> tuple[Plan, list[Message]]:
    return await run(harness, plan_of(*tasks))


async def seen(harness: ChatHarness) -> list[dict[str, Any]]:
    return [m for m in await harness.messages() if m["from"] == harness.backend.bot_id]


@pytest.mark.parametrize("why", LOOKS)
async def test_a_text_whose_look_is_refused_is_sent_in_words_alone(harness: ChatHarness, why: str) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=1, why=why)
    plan, said = await after(harness, send("1", text="**One** and `two`."), send("2", text="**Three.**"))
    assert [(m["text"], len(m["entities"])) for m in await seen(harness)] == [("One and two.", 0), ("Three.", 1)]
    assert [(m.text, len(m.entities)) for m in said] == [("One and two.", 0), ("Three.", 1)]
    assert [t.state for t in plan.tasks] == [TaskState.DONE] * 2
    assert await harness.incidents() == []


@pytest.mark.parametrize(
    ("written", "seen_text"),
    [
        ("See [our site](https://a.example/x?y=1) and **more**.", "See our site (https://a.example/x?y=1) and more."),
        ("[Ann](tg://user?id=5) and [b](https://a.example/b)", "Ann and b (https://a.example/b)"),
        ("<https://a.example/> is it", "https://a.example/ is it"),
        (
            "🙂 [one](https://a.example/1), [二](https://a.example/2)",
            "🙂 one (https://a.example/1), 二 (https://a.example/2)",
        ),
        (f"[here](https://a.example/{'x' * 1500}) {'y' * 2600}", f"here {'y' * 2600}"),
    ],
)
async def test_a_link_keeps_its_address_where_there_is_room(harness: ChatHarness, written: str, seen_text: str) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=1, why=LOOKS[0])
    await after(harness, send("1", text=written))
    assert [m["text"] for m in await seen(harness)] == [seen_text]


async def test_of_a_long_text_only_the_refused_message_is_plain(harness: ChatHarness) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=1, why=LOOKS[0])
    await after(harness, send("1", text=LONG))
    first, second = await seen(harness)
    assert first["entities"] == []
    assert second["entities"] != []


@pytest.mark.parametrize("why", [LOOKS[0], BUTTONS[0]])
async def test_apologises_for_a_repeated_refusal(harness: ChatHarness, why: str) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=2, why=why)
    plan, _ = await after(harness, Send(id="1", text="**One.**", choices=("Yes", "No")))
    assert [m["text"] for m in await seen(harness)] == [NOT_SENT]
    assert task_of(plan, "1").state is TaskState.FAILED


@pytest.mark.parametrize("why", BUTTONS)
async def test_choices_whose_buttons_are_refused_are_listed(harness: ChatHarness, why: str) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=1, why=why)
    plan, (said,) = await after(harness, Send(id="1", text="**Which one?**", choices=("The *red* one", "None")))
    (message,) = await seen(harness)
    assert (message["text"], message["buttons"]) == ("Which one?\n\n• The red one\n• None", None)
    assert (said.choices, task_of(plan, "1").state) == ((), TaskState.DONE)


async def test_a_text_of_several_messages_has_its_choices_listed_at_its_end(harness: ChatHarness) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=1, why=BUTTONS[0])
    await after(harness, Send(id="1", text=LONG, choices=("Yes", "No")))
    first, second = await seen(harness)
    assert first["text"].startswith("One. word")
    assert second["text"].endswith("• Yes\n• No")


async def test_lulls_own_lists_are_shown_without_the_buttons(harness: ChatHarness) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=1, why=BUTTONS[1])
    own = PlannedTask(task=Send(id="own", text="1. A thing"), is_own=True, buttons=(Button("1", "x:1"),))
    plan, _ = await run(harness, evolve(plan_of(), tasks=(own,)))
    assert [m["text"] for m in await seen(harness)] == ["1. A thing"]
    assert plan.tasks[0].state is TaskState.DONE


async def test_dependents_of_a_plainly_sent_text_go_on(harness: ChatHarness) -> None:
    await harness.writes("hi")
    await harness.fault(kind="400", method="sendMessage", times=1, why=LOOKS[1])
    thumb = React(id="2", emoji="👍", message_id=harness.message_id, depends_on=("1",))
    plan, _ = await after(harness, send("1", text="**One.**"), thumb)
    assert [t.state for t in plan.tasks] == [TaskState.DONE] * 2


@pytest.mark.parametrize(
    "why",
    [
        "Bad Request: wrong file identifier/HTTP URL specified",
        "Bad Request: IMAGE_PROCESS_FAILED",
        "Bad Request: not enough rights to send photos to the chat",
        "Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN",
    ],
)
def test_of_a_photo_that_is_not_taken_the_caption_is_written(why: str) -> None:
    photo = SendMedia(id="1", media="heron", text="My **garden**.", reply_to=5)
    plan = plan_of(photo)
    plan = with_task(plan, mark_attempted(with_deliveries(plan.tasks[0], 1), 0, NOW))
    after = fail_delivery(plan, "1", 0, classify(BotApiAnswer(status=400, description=why), "sendPhoto"), RETRYING)
    assert task_of(after, "1").task == Send(id="1", text="My **garden**.", reply_to=5)
    assert photo.unsent() == "your photo heron could not be sent here; its caption was sent as text instead"


@pytest.mark.parametrize("parts", [2, 3])
@pytest.mark.parametrize("many", [2, 8])
def test_choices_are_listed_also_where_the_messages_before_have_left(parts: int, many: int) -> None:
    choices = tuple(f"{number}, which is one of the choices" for number in range(many))
    asked = Send(id="1", text=f"{'word ' * 800 * (parts - 1)} {'end ' * 1010}", choices=choices)
    assert asked.parts() == parts
    planned = with_deliveries(PlannedTask(task=asked, buttons=(Button("Yes", "x:1"),)), parts)
    sent = tuple(evolve(one, state=DeliveryState.CONFIRMED) for one in planned.deliveries[:-1])
    begun = evolve(planned, deliveries=(*sent, planned.deliveries[-1]))
    plan = with_task(plan_of(asked), mark_attempted(begun, parts - 1, NOW))
    after = task_of(fail_delivery(plan, "1", parts - 1, ButtonsRefused("no"), RETRYING), "1")
    assert [one.text for one in render(after.task.words)][: parts - 1] == [one.text for one in render(asked.text)][:-1]
    assert len(after.deliveries) == after.task.parts() == (parts if many == 2 else parts + 1)
    assert [one.state for one in after.deliveries[: parts - 1]] == [DeliveryState.CONFIRMED] * (parts - 1)
    assert {one.state for one in after.deliveries[parts - 1 :]} == {DeliveryState.PLANNED}
    assert render(after.task.words)[-1].text.endswith(f"• {choices[-1]}")
