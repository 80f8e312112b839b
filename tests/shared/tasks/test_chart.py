"""A chart is drawn when it is sent, and leaves nothing in the conversation."""

from shared.models.channel import Recipient
from shared.tasks.chart import Chart
from shared.tasks.registry import kinds, unlockable
from shared.tasks.task import TOLD, DeliveryContext
from tests.shared.flows.room import Room
from tests.shared.values import ME, NOW

CHART = Chart(id="t", text="Dollars by day", values=(0.1, 0.2), unit="$", reply_to=5)


def test_no_model_plans_it() -> None:
    assert kinds()["chart"] is Chart
    assert "chart" not in unlockable()


def test_a_plan_that_is_over_has_none_of_it() -> None:
    assert CHART.told() == Chart(id="t", text=TOLD, values=(), unit="$", reply_to=5)
    assert CHART.unquoted().reply_to is None


async def test_it_is_sent_as_a_photo_and_leaves_no_entry(here: Room) -> None:
    context = DeliveryContext(
        channel=here.ticker.agents["lull"].runner.channel,
        to=Recipient(chat_id=here.key.chat_id),
        author=ME,
        clock=lambda: NOW,
    )
    delivered = await CHART.unquoted().deliver(0, context)
    assert delivered.entries == ()
    (message_id,) = delivered.message_ids
    (message,) = [m for m in await here.messages() if m["message_id"] == message_id]
    assert message["caption"] == "Dollars by day"
    assert message["photo"]
