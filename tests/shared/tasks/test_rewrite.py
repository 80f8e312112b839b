"""A rewrite changes one message."""

from shared.tasks.rewrite import Rewrite
from shared.tasks.task import TOLD, DeliveryContext
from shared.values.channel import Recipient
from tests.shared.examples import ME, NOW
from tests.shared.turn.harness import ChatHarness


def test_a_rewrite_keeps_the_message_and_the_text() -> None:
    assert Rewrite(message_id=5, text="new").model_dump(exclude={"id", "depends_on"}) == {
        "kind": "rewrite",
        "message_id": 5,
        "text": "new",
        "is_apart": False,
    }


def test_its_loss_is_told_by_what_people_see_of_it() -> None:
    rewrite = Rewrite(message_id=5, text="**new**")
    assert rewrite.in_doubt(0) == ("a message of yours may or may not have been changed to", "new")
    assert rewrite.loss() == "what was chosen with a button could not be shown below it"


async def test_of_a_message_that_is_apart_nothing_is_kept(harness: ChatHarness) -> None:
    await harness.will_plan({"kind": "send", "text": "old"})
    await harness.writes("hello")
    await harness.rests()
    (said,) = [entry for entry in await harness.transcript() if entry.get("plan")]
    context = DeliveryContext(
        channel=harness.tick_services.agents["lull"].runner.channel,
        to=Recipient(chat_id=harness.key.chat_id),
        author=ME,
        clock=lambda: NOW,
    )
    apart = Rewrite(message_id=said["message_id"], text="new", is_apart=True)
    assert (await apart.deliver(0, context)).entries == ()
    assert await harness.said() == ["new"]
    assert (apart.without_text().text, Rewrite(message_id=5, text="new").without_text().text) == (TOLD, "new")
