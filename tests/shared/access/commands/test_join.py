"""/join: a person is let in by a link, and the owner is notified outside of their conversation."""

import pytest

from shared.access.commands.join import JoinResult, respond
from shared.access.store.invitations import FirestoreInvitations
from shared.values.chat_key import ChatKind
from shared.values.invitation import Redemption, invitation_id
from shared.values.trust import AdmissionSource, AdmittedPerson
from tests.shared.commands.requests import asked
from tests.shared.fixtures import OpenHarness
from tests.shared.letting_in import access_list, answer, labels, own
from tests.shared.letting_in import press as pressed
from tests.shared.turn.harness import ChatHarness


@pytest.mark.parametrize(
    ("came_of", "told"),
    [
        (Redemption.LET_IN, "You're in! "),
        (Redemption.IS_IN, "You're already in"),
        (Redemption.REPEATED, "You're already in"),
        (Redemption.OVER, "This invitation is invalid"),
        (Redemption.FULL, "I can't let anyone else in"),
    ],
)
def test_each_outcome_has_its_words(came_of: Redemption, told: str) -> None:
    response = respond(asked("code", result=JoinResult(came_of)))
    assert response.text.startswith(told)
    assert response.notices == ()


def test_without_a_code_it_says_how_and_in_a_group_where() -> None:
    assert respond(asked()).text.startswith("Open the link")
    assert "private chat" in respond(asked("code", kind=ChatKind.SUPERGROUP)).text


def test_the_owner_is_told_in_their_language() -> None:
    response = respond(asked("code", language="de", result=JoinResult(Redemption.LET_IN, 77, "one", "uk")))
    (word,) = response.notices
    assert response.text.startswith("Du bist dabei")
    assert "за одним із ваших запрошень" in word.text
    assert (word.is_apart, word.offers[0].command) == (True, "people")


async def test_a_link_lets_people_in_and_the_owner_can_undo_it(open_harness: OpenHarness) -> None:
    owner, guest, late = [await open_harness(bot="invited") for _ in range(3)]
    await own(owner)
    link = (await answer(owner, "/invite"))["text"].rsplit("=", 1)[1]
    assert (await answer(guest, f"/start {link}"))["text"].startswith("You're in! ")
    assert set((await access_list(owner)).people) == {guest.person}
    told = (await owner.messages())[-1]
    assert told["text"].startswith("Guest 0 (")
    assert labels(told) == ["Show"]
    assert (await answer(late, f"/start {link}"))["text"].startswith("This invitation is invalid")
    assert (await answer(guest, f"/join {link.removeprefix('invite_')}"))["text"].startswith("You're already in")
    assert len(await owner.messages()) == 2, "the owner is told once"
    assert "joined with" not in str(await owner.transcript())
    shown = await pressed(owner, told, "Show")
    assert "Joined by invitation on" in shown["text"]
    out = await pressed(owner, shown, "Remove access")
    assert "Not approved." in out["text"]
    assert (await access_list(owner)).people == {}


async def test_a_tick_that_died_after_it_let_somebody_in_tells_the_owner_when_it_is_repeated(
    open_harness: OpenHarness,
) -> None:
    owner, guest = [await open_harness(bot="reopened") for _ in range(2)]
    await own(owner)
    code = (await answer(owner, "/invite"))["text"].rsplit("=invite_", 1)[1]
    invitation = invitation_id("lull", code)
    entry = AdmittedPerson(
        id=guest.person, since=owner.clock(), by=owner.person, via=AdmissionSource.INVITATION, invitation=invitation
    )
    # what a tick did that died before it could answer the guest
    invitations = guest.tick_services.agents["lull"].dispatcher.ports[FirestoreInvitations]
    assert await invitations.redeem("lull", invitation, entry) is Redemption.LET_IN
    assert (await answer(guest, f"/join {code}"))["text"].startswith("You're in! ")
    assert "joined with one of your invitations" in (await owner.messages())[-1]["text"]
    assert (await answer(guest, f"/join {code}"))["text"].startswith("You're already in")
    assert len(await owner.messages()) == 2, "the owner is told once"


async def test_of_an_agent_that_nobody_owns_there_is_no_invitation(harness: ChatHarness) -> None:
    assert (await answer(harness, "/start invite_abc"))["text"].startswith("This invitation is invalid")
