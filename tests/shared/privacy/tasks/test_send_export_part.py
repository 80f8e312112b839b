"""A part of an export is sent only to its person."""

from typing import Any

import pytest

from shared.base.errors import ChannelRefused
from shared.privacy.tasks.send_export_part import SendExportPart
from shared.tasks.registry import kinds, stored_task, unlockable
from shared.tasks.task import DeliveryContext
from shared.values.channel import Recipient
from shared.values.export import ExportPartRef
from tests.shared.examples import ANN, BOB, ME, NOW

NOBODY: Any = None
PART = ExportPartRef(person=ANN.id, run="r", number=1, of=1, path="r/1")
TASK = SendExportPart(id="t", part=PART, file_name="lull.zip", caption="it is this")


async def test_it_goes_to_nobody_else() -> None:
    context = DeliveryContext(channel=NOBODY, to=Recipient(chat_id=BOB.id), author=ME, clock=lambda: NOW)
    with pytest.raises(ChannelRefused, match="private chat of its person"):
        await TASK.deliver(0, context)


def test_no_model_plans_it_and_a_stored_plan_keeps_it() -> None:
    assert kinds()["hand-over"] is SendExportPart
    assert "hand-over" not in unlockable()
    assert stored_task(TASK.model_dump()) == TASK
    assert TASK.export_part == PART


def test_what_is_said_of_it_names_the_file() -> None:
    assert all("lull.zip" in told for told in (TASK.loss(), TASK.in_doubt(0).what, TASK.summary()))
