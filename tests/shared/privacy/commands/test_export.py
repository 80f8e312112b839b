"""The command /export: its answer in each state of an export and in each kind of chat."""

from datetime import timedelta

import pytest

from shared.base.wording.words import words_in
from shared.chat.store.people import FirestorePeople
from shared.llm.ports.world import PortRegistry
from shared.privacy.commands.export import COMMAND, ExportStatus, request_export, respond
from shared.privacy.export.service import ExportService
from shared.reminders.times.rule_text import moment_text
from shared.values.chat_key import ChatKey, ChatKind
from shared.values.export import Export, ExportPart, ExportState, PartOutcome
from tests.shared.commands.requests import asked as request_of
from tests.shared.examples import ANN, BOB, NOW
from tests.shared.exports import ExportHarness, somebody

EXPORT = Export(person=ANN.id, agent="lull", run="r", asked_at=NOW, done=3, total=9)
PARTS = (ExportPart(number=1, size=3, path="r/1"),)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "I'm preparing your export"),
        ({"parts": PARTS}, "3 of 9 conversations"),
        ({"state": ExportState.READY}, "on its way here"),
        (
            {"state": ExportState.READY, "parts": PARTS, "outcomes": {"1": PartOutcome.SENT}},
            "You can ask for it again from",
        ),
        ({"state": ExportState.CLEARED}, moment_text(words_in("en"), NOW + timedelta(days=1), "UTC")),
        ({"state": ExportState.FAILED}, "ask for it again with /export"),
    ],
)
def test_each_state_is_told_and_while_it_is_gathered_there_is_a_button(fields: dict[str, object], said: str) -> None:
    response = respond(request_of(result=ExportStatus(EXPORT.model_copy(update=fields))))
    assert said in response.text
    assert bool(response.buttons) == (fields.get("state") is None)


def test_in_a_group_it_says_where_and_without_a_bucket_whom_to_ask() -> None:
    assert "private chat" in respond(request_of(kind=ChatKind.SUPERGROUP)).text
    assert "isn't available here" in respond(request_of()).text


async def test_nobody_asks_for_another(export_harness: ExportHarness) -> None:
    ports = PortRegistry({ExportService: export_harness.desk, FirestorePeople: FirestorePeople(export_harness.client)})
    for request in (request_of(kind=ChatKind.SUPERGROUP), request_of(person=BOB)):
        assert await request_export(request, COMMAND.ports_of(ports)) is None
    assert export_harness.asked.jobs == []
    somebody_new = somebody("Cat")
    key = ChatKey(agent="lull", chat_id=somebody_new.id)
    found = await request_export(request_of(key=key, person=somebody_new, language="de"), COMMAND.ports_of(ports))
    assert found is not None
    assert (found.export.person, found.export.language) == (somebody_new.id, "de")
