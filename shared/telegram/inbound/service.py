"""Service messages, which report events, and the agent's own membership in a chat."""

from collections.abc import Iterator

from shared.base.text import PINNED
from shared.telegram.inbound.authors import author_from_user
from shared.telegram.inbound.content import is_said, media_of
from shared.telegram.inbound.envelope import is_id, object_in
from shared.telegram.inbound.text import LONGEST_NAME, clean, text_of
from shared.values.update import InboxUpdate, Json

#: words for Telegram's service messages in a transcript (core.telegram.org/bots/api#message)
NOTES = {
    "new_chat_members": "joined the group",
    "left_chat_member": "left the group",
    "new_chat_title": "renamed the group",
    "new_chat_photo": "changed the group's photo",
    "delete_chat_photo": "removed the group's photo",
    "group_chat_created": "created the group",
    "supergroup_chat_created": "created the group",
    "channel_chat_created": "created the channel",
    "message_auto_delete_timer_changed": "changed how long messages are kept",
    "migrate_to_chat_id": "turned the group into a supergroup",
    "migrate_from_chat_id": "turned the group into a supergroup",
    "pinned_message": PINNED,
    "invoice": "sent an invoice",
    "successful_payment": "paid",
    "refunded_payment": "was refunded",
    "users_shared": "shared people",
    "chat_shared": "shared a chat",
    "connected_website": "connected a website",
    "write_access_allowed": "allowed the agent to write",
    "passport_data": "shared passport data",
    "proximity_alert_triggered": "came near",
    "boost_added": "boosted the chat",
    "chat_background_set": "changed the background",
    "forum_topic_created": "opened a topic",
    "forum_topic_edited": "changed a topic",
    "forum_topic_closed": "closed a topic",
    "forum_topic_reopened": "reopened a topic",
    "general_forum_topic_hidden": "hid the General topic",
    "general_forum_topic_unhidden": "showed the General topic",
    "giveaway_created": "started a giveaway",
    "giveaway": "started a giveaway",
    "giveaway_completed": "ended a giveaway",
    "giveaway_winners": "announced a giveaway's winners",
    "video_chat_scheduled": "scheduled a video chat",
    "video_chat_started": "started a video chat",
    "video_chat_ended": "ended a video chat",
    "video_chat_participants_invited": "invited people to a video chat",
    "web_app_data": "sent data from a web app",
    "gift": "sent a gift",
    "unique_gift": "sent a gift",
    "chat_owner_left": "left the group, which they owned",
    "chat_owner_changed": "handed the group to somebody else",
    "checklist_tasks_done": "ticked off tasks of a checklist",
    "checklist_tasks_added": "added tasks to a checklist",
    "poll_option_added": "added an option to a poll",
    "poll_option_deleted": "removed an option from a poll",
}

#: the new members in an update, each a document in a commit; Telegram adds at most 200 at once (limits.tginfo.me)
MOST_NEW = 200
#: the maximum characters of the object of a note, such as a new title
LONGEST_ABOUT = 300


def service_note(message: Json, bot_id: int) -> str:
    """Return what happened, in words that follow the author's name; "" if the message is not a service message.

    A field counts even if it contains an empty object, as `forum_topic_closed` does.
    """
    if _is_pin_of_agents(message, bot_id):
        return f"{PINNED} of the agent's"
    for name, words in NOTES.items():
        if name in message:
            who = _people(message.get(name), bot_id) if name in {"new_chat_members", "left_chat_member"} else ""
            words = _of_removal(message) if name == "left_chat_member" else words
            about = _about(name, message.get(name), bot_id)
            return f"{who} {words}{f': {about[:LONGEST_ABOUT]}' if about else ''}".strip()
    return "" if is_said(message) else "did something that lull does not know yet"


def _is_pin_of_agents(message: Json, bot_id: int) -> bool:
    """Return whether the agent's own message was pinned. Its text is not repeated, since its sources are unknown."""
    return object_in(object_in(message, "pinned_message"), "from").get("id") == bot_id


def _of_removal(message: Json) -> str:
    """Return words that say whether somebody left a group or was removed."""
    by, gone = object_in(message, "from").get("id"), object_in(message, "left_chat_member").get("id")
    return NOTES["left_chat_member"] if by == gone else "was removed from the group"


def repeats_place(message: Json, bot_id: int) -> bool:
    """Return whether the message only reports that the agent came or left, as a `my_chat_member` update does too."""
    come, gone = message.get("new_chat_members"), message.get("left_chat_member")
    who = [*(come if isinstance(come, list) else ()), *((gone,) if isinstance(gone, dict) else ())]
    return bool(who) and all(isinstance(one, dict) and one.get("id") == bot_id for one in who)


def topic_name(message: Json) -> str:
    """Return the name of the message's topic if the message opens or renames the topic; else "".

    Other messages in a topic contain the message that opened it, but the topic may have another name by now.
    """
    named = (message.get(name) for name in ("forum_topic_created", "forum_topic_edited"))
    return next((clean(value.get("name"), LONGEST_NAME) for value in named if isinstance(value, dict)), "")


def _about(name: str, value: object, bot_id: int) -> str:
    """Return the words by people in a service message: a new title, the pinned text, the names of shared people."""
    if isinstance(value, str):
        return clean(value) if name == "new_chat_title" else ""
    if not isinstance(value, dict):
        return ""
    match name:
        case "pinned_message":
            return text_of(value) or media_of(value)
        case "users_shared":
            return _people(value.get("users"), bot_id)
        case "web_app_data":
            return clean(value.get("data"))
        case "invoice" | "chat_shared":
            return clean(value.get("title"))
        case "forum_topic_created" | "forum_topic_edited":
            return clean(value.get("name"))
    return ""


def _people(value: object, bot_id: int) -> str:
    users = value if isinstance(value, list) else [value]
    people = [author_from_user(user, bot_id) for user in users if isinstance(user, dict)]
    return clean(", ".join("the agent" if one.is_agent else one.name for one in people[:MOST_NEW]))


#: core.telegram.org/bots/api#chatmember; in a private chat `kicked` means that the person blocked the bot
LEFT_STATUSES = ("left", "kicked")


def place_note(change: Json, bot_id: int) -> str:
    """Return words for the change of the agent's membership in a ChatMemberUpdated; "" if nothing changed."""
    before, now = (str(object_in(change, name).get("status")) for name in ("old_chat_member", "new_chat_member"))
    who = author_from_user(object_in(change, "from"), bot_id)
    if object_in(change, "chat").get("type") == "private":
        return {(True, False): f"{who.name} blocked the agent", (False, True): f"{who.name} unblocked the agent"}.get(
            (now in LEFT_STATUSES, before in LEFT_STATUSES), ""
        )
    if now in LEFT_STATUSES:
        return "the agent left the group" if who.is_agent else f"the agent was removed from the group by {who.name}"
    if before in LEFT_STATUSES:
        return f"the agent was added to the group by {who.name}"
    return "" if now == before else _rights(before, now, who.name)


def adder_of(update: InboxUpdate) -> int:
    """Return the id of the person who added the agent to a group; 0 if there is none."""
    change = object_in(update.raw, "my_chat_member")
    before, now = (str(object_in(change, name).get("status")) for name in ("old_chat_member", "new_chat_member"))
    is_group = object_in(change, "chat").get("type") != "private"
    person = object_in(change, "from").get("id")
    return person if is_group and before in LEFT_STATUSES and now not in LEFT_STATUSES and is_id(person) else 0


def come_by(update: InboxUpdate) -> tuple[int, ...]:
    """Return the ids of all who came into the group, including bots."""
    return tuple(one["id"] for one in _come(update))


def joined_by(update: InboxUpdate) -> tuple[int, ...]:
    """Return the ids of the people (not bots) who came into the group."""
    return tuple(one["id"] for one in _come(update) if one.get("is_bot") is not True)


def _come(update: InboxUpdate) -> Iterator[Json]:
    """Yield the users who came into the group and have an id."""
    come = object_in(update.raw, "message").get("new_chat_members")
    told = [one for one in come[:MOST_NEW] if isinstance(one, dict)] if isinstance(come, list) else []
    return (one for one in (*told, *_changed_members(update, is_in=True)) if is_id(one.get("id")))


def gone_by(update: InboxUpdate) -> tuple[int, ...]:
    """Return the ids of all who left the group or were removed."""
    gone = object_in(object_in(update.raw, "message"), "left_chat_member").get("id")
    changed = (one.get("id") for one in _changed_members(update, is_in=False))
    return tuple(one for one in (gone, *changed) if is_id(one))


def _changed_members(update: InboxUpdate, *, is_in: bool) -> tuple[Json, ...]:
    """Return the member who came into the group (`is_in`) or left it; empty if there is none.

    Telegram reports this to bots that administer the group. A member whose rights changed was in the group before, and
    is left out.
    """
    change = object_in(update.raw, "chat_member")
    before, now = (object_in(change, name) for name in ("old_chat_member", "new_chat_member"))
    if not now or _is_out(now) is is_in or (is_in and before and not _is_out(before)):
        return ()
    return (object_in(now, "user"),)


def _is_out(member: Json) -> bool:
    """Return whether a member is not in the group."""
    # a restricted member may be in the group or not (core.telegram.org/bots/api#chatmemberrestricted)
    return member.get("status") in LEFT_STATUSES or member.get("is_member") is False


def group_title(update: InboxUpdate) -> str:
    """Return the title of the group in an update; "" if there is none."""
    return clean(object_in(object_in(update.raw, update.envelope.kind), "chat").get("title"), LONGEST_NAME)


def _rights(before: str, now: str, who: str) -> str:
    if now == "administrator":
        return f"the agent was made an administrator by {who}"
    if now == "restricted":
        return f"the agent was restricted by {who}"
    return f"the agent is no administrator any more, by {who}" if before == "administrator" else ""
