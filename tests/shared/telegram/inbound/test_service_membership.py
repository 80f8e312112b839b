"""The agent's own membership in words."""

import pytest

from shared.telegram.inbound.entries import entry_of
from shared.telegram.inbound.service import come_by, gone_by, place_note
from shared.values.message import Event
from shared.values.update import Json
from tests.shared.examples import ANN, BOB, GROUP, ME, message_update, update_of, user

PRIVATE = {"id": ANN.id, "type": "private"}


def change(before: str, now: str, chat: Json, by: Json) -> Json:
    return {"chat": chat, "from": by, "old_chat_member": {"status": before}, "new_chat_member": {"status": now}}


@pytest.mark.parametrize(
    ("before", "now", "chat", "note"),
    [
        ("member", "kicked", GROUP, "the agent was removed from the group by Ann"),
        ("administrator", "left", GROUP, "the agent was removed from the group by Ann"),
        ("left", "member", GROUP, "the agent was added to the group by Ann"),
        ("kicked", "administrator", GROUP, "the agent was added to the group by Ann"),
        ("member", "administrator", GROUP, "the agent was made an administrator by Ann"),
        ("administrator", "member", GROUP, "the agent is no administrator any more, by Ann"),
        ("member", "restricted", GROUP, "the agent was restricted by Ann"),
        ("administrator", "administrator", GROUP, ""),
        ("restricted", "member", GROUP, ""),
        ("member", "kicked", PRIVATE, "Ann blocked the agent"),
        ("kicked", "member", PRIVATE, "Ann unblocked the agent"),
        ("member", "member", PRIVATE, ""),
    ],
)
def test_what_became_of_it_is_told_with_who_did_it(before: str, now: str, chat: Json, note: str) -> None:
    told = change(before, now, chat, user(ANN))
    assert place_note(told, ME.id) == note
    entry = entry_of(update_of({"update_id": 1, "my_chat_member": told}), ME.id)
    assert isinstance(entry, Event)
    assert (entry.kind, entry.note) == ("my_chat_member", note)


def test_who_leaves_is_not_removed() -> None:
    assert place_note(change("member", "left", GROUP, user(ME)), ME.id) == "the agent left the group"


def test_odd_changes_tell_nothing() -> None:
    assert place_note({}, ME.id) == ""


@pytest.mark.parametrize(
    ("now", "come", "gone"),
    [
        ({"status": "member"}, [BOB.id], []),
        ({"status": "administrator"}, [BOB.id], []),
        ({"status": "restricted", "is_member": True}, [BOB.id], []),
        ({"status": "restricted", "is_member": False}, [], [BOB.id]),
        ({"status": "left"}, [], [BOB.id]),
        ({"status": "kicked"}, [], [BOB.id]),
    ],
)
def test_an_administering_bot_is_told_who_comes_and_goes(now: Json, come: list[int], gone: list[int]) -> None:
    told = {"chat": GROUP, "from": user(ANN), "date": 1, "new_chat_member": {**now, "user": user(BOB)}}
    update = update_of({"update_id": 1, "chat_member": told})
    assert (list(come_by(update)), list(gone_by(update))) == (come, gone)


@pytest.mark.parametrize(
    ("before", "come"),
    [
        ({"status": "left"}, [BOB.id]),
        ({"status": "kicked"}, [BOB.id]),
        ({"status": "restricted", "is_member": False}, [BOB.id]),
        ({"status": "restricted", "is_member": True}, []),
        ({"status": "member"}, []),
        ({"status": "administrator"}, []),
    ],
)
def test_who_only_gets_other_rights_was_there_before(before: Json, come: list[int]) -> None:
    old, now = ({**one, "user": user(BOB)} for one in (before, {"status": "member"}))
    told = {"chat": GROUP, "from": user(ANN), "date": 1, "old_chat_member": old, "new_chat_member": now}
    assert list(come_by(update_of({"update_id": 1, "chat_member": told}))) == come


def test_others_hear_of_it_by_messages() -> None:
    come = update_of(message_update(1, "", chat=GROUP, new_chat_members=[user(ANN), user(BOB), None, {"id": "x"}]))
    assert (come_by(come), gone_by(come)) == ((ANN.id, BOB.id), ())
    gone = update_of(message_update(1, "", chat=GROUP, left_chat_member=user(BOB)))
    assert (come_by(gone), gone_by(gone)) == ((), (BOB.id,))
    odd = update_of({"update_id": 1, "chat_member": {"chat": GROUP, "new_chat_member": {"status": "left", "user": 7}}})
    assert (come_by(odd), gone_by(odd)) == ((), ())
