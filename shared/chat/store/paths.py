"""Where each document of Firestore is, of all features. Nothing else names a path.

So whoever adds a collection meets the tests that ask how people are forgotten there, and whether it is archived.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from shared.values.chat_key import ChatKey

if TYPE_CHECKING:  # the webhook names paths, and knows no memories
    from shared.values.memory import MemoryOwner

CHATS = "chats"
INBOX = "inbox"
CONVERSATIONS = "conversations"
SEGMENTS = "segments"
MESSAGES = "messages"
OBSERVATIONS = "observations"
SUMMARIES = "summaries"
INCIDENTS = "incidents"
NOTICES = "notices"
EVENTS = "events"
REQUESTS = "requests"
MEDIA = "media"
REFERENCES = "references"
#: how far the rebuilding came that did not end
REBUILD_CURSOR = "rebuilds/current"
MEMBERSHIPS = "memberships"
MEMORIES = "memories"
USAGE = "usage"
BUDGETS = "budgets"
EXPORTS = "takeouts"
LOOKUPS = "lookups"
#: how far the last sweep came with each kind of left-over
SWEEP_CURSORS = "sweeps/cursors"
DELETIONS = "erasures"
BOTS = "bots"
PAST = "past"
CANARY_REPORT = "canaries/last"  #: of the newest run alone
CANARY_MARK = "canaries/mark"  #: what is erased as soon as it is planted


def chat_path(key: ChatKey) -> str:
    """Where a chat is."""
    return chat_path_of(key.id)


def chat_path_of(chat_id: str) -> str:
    """Where the chat with this document id is."""
    return f"{CHATS}/{chat_id}"


def chat_id_in(path: str) -> str:
    """The id of a chat's document, from its own path or from one below it."""
    return path.split("/")[1]


def inbox_path(key: ChatKey) -> str:
    """The collection of a chat's updates."""
    return f"{chat_path(key)}/{INBOX}"


def update_path(key: ChatKey, update_id: int) -> str:
    """Where an update is: padded, so that the order of the names is the order of the ids."""
    return f"{inbox_path(key)}/{update_id:020d}"


def window_path(key: ChatKey) -> str:
    """Where the newest entries of a chat's conversation are together."""
    return f"{chat_path(key)}/window/current"


def conversation_path(conversation: str) -> str:
    """Where a conversation is."""
    return f"{CONVERSATIONS}/{conversation}"


def pages_path(conversation: str) -> str:
    """The collection of the pages of a conversation's transcript."""
    return f"{conversation_path(conversation)}/{MESSAGES}"


def page_path(conversation: str, first_seq: int) -> str:
    """Where the page is that begins with this entry: padded, as an update's."""
    return f"{pages_path(conversation)}/{first_seq:010d}"


def segment_path(conversation: str, number: int) -> str:
    """Where a segment of a conversation is: padded, so that the names are in order."""
    return f"{conversation_path(conversation)}/{SEGMENTS}/{number:06d}"


def observation_path(conversation: str, observation_id: str) -> str:
    """Where an observation is."""
    return f"{conversation_path(conversation)}/{OBSERVATIONS}/{observation_id}"


def summary_path(chat_id: str, span: str) -> str:
    """Where the last summary of a chat is, of `7day` or `30day`."""
    return f"{SUMMARIES}/{chat_id}-{span}"


def shown_summaries_path(chat_id: str) -> str:
    """Where the summaries are together that prompts show."""
    return f"{SUMMARIES}/{chat_id}-shown"


def compression_path(conversation: str) -> str:
    """Where the summary of a conversation's older part is."""
    return f"{conversation_path(conversation)}/compression/current"


def plan_path(key: ChatKey) -> str:
    """Where a chat's standing or last plan is."""
    return f"plans/{key.id}"


def past_plan_path(key: ChatKey, plan_id: str) -> str:
    """Where a plan is kept that another replaced."""
    return f"{plan_path(key)}/{PAST}/{plan_id}"


def incident_path(incident_id: str) -> str:
    """Where an incident is."""
    return f"{INCIDENTS}/{incident_id}"


def bot_path(agent: str) -> str:
    """Where an agent's bot is: its owner, its access list, and which chats were told to wait."""
    return f"{BOTS}/{agent}"


def notice_path(notice_id: str) -> str:
    """Where it is kept that an owner was told of something; hashed, so that the names spread."""
    return f"{NOTICES}/{hashlib.sha256(notice_id.encode()).hexdigest()[:20]}"


def request_path(request_id: str) -> str:
    """Where it is kept that somebody waits to be let in."""
    return f"{REQUESTS}/{request_id}"


def event_path(reminder_id: str) -> str:
    """Where a reminder is."""
    return f"{EVENTS}/{reminder_id}"


def person_path(person_id: int) -> str:
    """Where it is kept what a person told of themselves."""
    return f"people/{person_id}"


def memories_path(owner: MemoryOwner) -> str:
    """Where the memories of a person with one agent are, of a chat with all its topics, or of an agent."""
    if owner.scope == "person":
        return f"{person_path(owner.person)}/{MEMORIES}/{owner.agent}"
    if owner.scope == "chat":
        key = ChatKey(agent=owner.agent, chat_id=owner.chat_id, topic_id=owner.topic_id)
        return f"{chat_path(key)}/{MEMORIES}/current"
    return f"{bot_path(owner.agent)}/{MEMORIES}/current"


def entity_path(key: ChatKey) -> str:
    """Where it is kept what Telegram said of a chat, whatever topic of it; hashed, so that the names spread."""
    return f"entities/{hashlib.sha256(f'{key.agent} {key.chat_id}'.encode()).hexdigest()[:20]}"


def sticker_set_path(bot_id: int, name: str) -> str:
    """Where it is kept what Telegram told a bot of a sticker set, whose name is the same in any case."""
    return f"entities/{hashlib.sha256(f'stickers {bot_id} {name.lower()}'.encode()).hexdigest()[:20]}"


def media_path(unique_id: str) -> str:
    """Where it is kept what a file shows, whoever sent it to whatever agent."""
    return f"{MEDIA}/{unique_id}"


def reference_path(reference_id: str) -> str:
    """Where it is kept that a person sent a file in a chat."""
    return f"{REFERENCES}/{reference_id}"


def membership_path(key: ChatKey, person: int) -> str:
    """Where it is kept that a person was seen in a group, whatever topic of it, or in a topic of direct messages.

    Hashed, so that the names spread.
    """
    chat = f"{key.chat_id}{key.topic_id if key.is_direct else ''}"
    return f"{MEMBERSHIPS}/{hashlib.sha256(f'{key.agent} {chat} {person}'.encode()).hexdigest()[:20]}"


def export_path(export_id: str) -> str:
    """Where it is kept how far a person's newest export is."""
    return f"{EXPORTS}/{export_id}"


def observations_path(conversation: str) -> str:
    """The collection of what was observed in a conversation."""
    return f"{conversation_path(conversation)}/observations"


def segments_path(conversation: str) -> str:
    """The collection of the segments of a conversation."""
    return f"{conversation_path(conversation)}/{SEGMENTS}"


def archive_cursor_path(archive: str) -> str:
    """Where it is kept how far an archive came; named by a hash, since the archive's name is a URL."""
    return f"archives/{hashlib.sha256(archive.encode()).hexdigest()[:20]}"


def lookup_path(url: str) -> str:
    """Where it is kept what a service said at an address; a hash names it: addresses hold what people asked."""
    return f"{LOOKUPS}/{hashlib.sha256(url.encode()).hexdigest()[:40]}"


def budget_path(shard: int) -> str:
    """Where the sums of the deployment and of its agents are, or a part of them, and what is lent."""
    return f"{BUDGETS}/{shard}"


def account_path(agent: str, person_id: int) -> str:
    """Where the sums of a person with an agent are; hashed, so that the names spread."""
    return f"accounts/{hashlib.sha256(f'{agent} {person_id}'.encode()).hexdigest()[:20]}"


def usage_path(usage_id: str) -> str:
    """Where it is what an allowance, or a job, was used for."""
    return f"{USAGE}/{usage_id}"


def deletion_path(deletion_id: str) -> str:
    """Where it is kept that somebody asked to be forgotten, and how far that has come."""
    return f"{DELETIONS}/{deletion_id}"
