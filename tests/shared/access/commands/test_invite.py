"""/invite: its arguments, who may use it, and that the link is stored nowhere."""

from datetime import timedelta

import pytest

from shared.access.commands.invite import InvitationResult, OpenInvitations, press, respond, uses_and_span
from shared.values.chat_key import ChatKind
from tests.shared.commands.requests import asked
from tests.shared.letting_in import answer, labels, own
from tests.shared.letting_in import press as pressed
from tests.shared.turn.harness import ChatHarness

WEEK = timedelta(days=7)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("", (1, WEEK)),
        ("5", (5, WEEK)),
        ("2d", (1, timedelta(days=2))),
        ("30 m", (1, timedelta(minutes=30))),
        ("500 1d 12h", (500, timedelta(days=1.5))),
        ("0", None),
        ("501", None),
        ("5 apples", None),
        ("2d 5", None),
        ("-1", None),
        ("9999999 1d", None),
    ],
)
def test_reads_uses_and_length(written: str, meant: object) -> None:
    assert uses_and_span(written) == meant


def test_refuses_anybody_but_the_owner() -> None:
    assert "/invite" in respond(asked()).text
    assert respond(asked()).buttons == ()
    assert press(asked()).notice == "This button is for someone else."


def test_reports_unclear_arguments_and_a_full_list() -> None:
    assert "/invite 5 2d" in respond(asked(result=InvitationResult(None, is_unclear=True))).text
    full = respond(asked(result=InvitationResult(None)))
    assert "50" in full.text
    assert [button.text for button in full.buttons] == ["Invitations"]
    assert press(asked(result=OpenInvitations(()))).text.startswith("There are no open invitations")


async def test_the_owner_gets_a_link_takes_it_back_and_the_conversation_keeps_nothing(harness: ChatHarness) -> None:
    await own(harness)
    said = await answer(harness, "/invite 3 2d")
    link = said["text"].rsplit(" ", 1)[1]
    assert said["text"].startswith("This link lets 3 people in. It works until ")
    assert link.startswith(f"t.me/{harness.backend.username}?start=invite_")
    code = link.removeprefix(f"t.me/{harness.backend.username}?start=invite_")
    assert labels(said) == ["Revoke", "Invitations"]
    for kept in (await harness.transcript(), (await harness.plan()).model_dump(), await harness.document()):
        assert code not in str(kept)
    listed = await pressed(harness, said, "Invitations")
    assert labels(listed)[0].startswith("3 of 3 left, until ")
    after = await pressed(harness, listed, "3 of 3")
    assert after["text"].startswith("That link no longer lets anyone in.")
    assert labels(after) == []


async def test_somebody_else_gets_none(harness: ChatHarness) -> None:
    said = await answer(harness, "/invite")
    assert said["text"] == "Only my owner can use /invite."


def test_it_is_for_private_chats_alone() -> None:
    assert "private" in respond(asked(kind=ChatKind.SUPERGROUP)).text
