"""Deliveries have the same states after they are stored and read."""

import pytest

from shared.tasks.plan import Delivery, DeliveryState
from tests.shared.examples import NOW


@pytest.mark.parametrize("state", DeliveryState)
def test_a_delivery_comes_back_from_its_document(state: DeliveryState) -> None:
    delivery = Delivery(part=1, method="sendMessage", state=state, message_ids=(5,), why="because", attempted_at=NOW)
    assert Delivery.model_validate(delivery.model_dump(mode="json")) == delivery


def test_a_delivery_begins_as_planned() -> None:
    assert Delivery(part=0, method="sendMessage").state is DeliveryState.PLANNED
