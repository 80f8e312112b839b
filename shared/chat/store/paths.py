"""The paths of all documents in Firestore. No other module names a path.

The tests on deletion and on archives rely on this to find every new collection.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from shared.values.chat_key import ChatKey

if TYPE_CHECKING:  # the webhook imports this module, and does not need memories
    from shared.values.memory import MemoryOwner

CHATS = "chats"
INBOX = "inbox"
SCREEN = "screen"
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
#: the position that an unfinished rebuild has reached
REBUILD_CURSOR = "rebuilds/current"
MEMBERSHIPS = "memberships"
MEMORIES = "memories"
PEOPLE = "people"
CURATIONS = "curations"
USAGE = "usage"
BUDGETS = "budgets"
EXPORTS = "takeouts"
LOOKUPS = "lookups"
#: the positions that the last sweep reached
SWEEP_CURSORS = "sweeps/cursors"
#: the last run of each scheduled job
JOB_RUNS = "sweeps/runs"
DELETIONS = "erasures"
MARKS = "marks"
BOTS = "bots"
ARCHIVES = "archives"
PAST = "past"
COMPRESSIONS = "compression"
#: exchanges with models that are kept word for word, below a chat
EXCHANGES = "exchanges"
CONSOLE_RECORDS = "console_records"
CANARY_REPORT = "canaries/last"  #: only about the newest run
CANARY_MARK = "canaries/mark"  #: written and deleted again at once


def chat_path(key: ChatKey) -> str:
    return chat_path_of(key.id)


def chat_path_of(chat_id: str) -> str:
    return f"{CHATS}/{chat_id}"


def chat_id_in(path: str) -> str:
    """Return the id of the chat to which a path belongs: the path of its document or of a document below it."""
    return path.split("/")[1]


def inbox_path(key: ChatKey) -> str:
    return f"{chat_path(key)}/{INBOX}"


def update_path(key: ChatKey, update_id: int) -> str:
    """Return an update's path. The id is padded with zeros, so that paths sort like ids."""
    return f"{inbox_path(key)}/{update_id:020d}"


def window_path(key: ChatKey) -> str:
    """Return the path of the window: the newest entries of a chat's conversation."""
    return f"{chat_path(key)}/window/current"


def screen_path(key: ChatKey) -> str:
    """Return the path of the screen of a web conversation: what the browser shows of it."""
    return f"{chat_path(key)}/{SCREEN}/current"


def conversation_path(conversation: str) -> str:
    return f"{CONVERSATIONS}/{conversation}"


def pages_path(conversation: str) -> str:
    """Return the path of the collection with a transcript's pages."""
    return f"{conversation_path(conversation)}/{MESSAGES}"


def page_path(conversation: str, first_seq: int) -> str:
    """Return the path of the page that begins with this entry. The number is padded: paths sort like numbers."""
    return f"{pages_path(conversation)}/{first_seq:010d}"


def segment_path(conversation: str, number: int) -> str:
    """Return a segment's path. The number is padded, so that paths sort like numbers."""
    return f"{conversation_path(conversation)}/{SEGMENTS}/{number:06d}"


def observation_path(conversation: str, observation_id: str) -> str:
    return f"{conversation_path(conversation)}/{OBSERVATIONS}/{observation_id}"


def summary_path(chat_id: str, span: str) -> str:
    """Return the path of a chat's last summary of the span `7day` or `30day`."""
    return f"{SUMMARIES}/{chat_id}-{span}"


def shown_summaries_path(chat_id: str) -> str:
    """Return the path of the chat's summaries that are shown in prompts."""
    return f"{SUMMARIES}/{chat_id}-shown"


def compression_path(conversation: str) -> str:
    """Return the path of the summary of a conversation's older part."""
    return f"{compressions_path(conversation)}/current"


def compressions_path(conversation: str) -> str:
    """Return the path of the collection with a conversation's summary and with those that it replaced."""
    return f"{conversation_path(conversation)}/{COMPRESSIONS}"


def replaced_compression_path(conversation: str, up_to_seq: int) -> str:
    """Return the path of a summary that a later one replaced. The number is padded, so that paths sort like numbers."""
    return f"{compressions_path(conversation)}/{up_to_seq:012d}"


def plan_path(key: ChatKey) -> str:
    """Return the path of a chat's current or last plan."""
    return f"plans/{key.id}"


def past_plan_path(key: ChatKey, plan_id: str) -> str:
    """Return the path of a plan that a later one replaced."""
    return f"{plan_path(key)}/{PAST}/{plan_id}"


def exchange_path(key: ChatKey, exchange_id: str) -> str:
    """Return the path of a recorded exchange with a model."""
    return f"{chat_path(key)}/{EXCHANGES}/{exchange_id}"


def incident_path(incident_id: str) -> str:
    return f"{INCIDENTS}/{incident_id}"


def bot_path(agent: str) -> str:
    """Return the path of an agent's bot document: its owner, access list and flood waits."""
    return f"{BOTS}/{agent}"


def curations_path(agent: str) -> str:
    """Return the path of the descriptions of files that an agent's owner wrote in the console."""
    return f"{bot_path(agent)}/{CURATIONS}/current"


def notice_path(notice_id: str) -> str:
    """Return the path of a notice that was sent to an owner. The name is a hash, so that names are spread evenly."""
    return f"{NOTICES}/{hashlib.sha256(notice_id.encode()).hexdigest()[:20]}"


def mark_path(mark: str) -> str:
    """Return the path of an owner's verdict ("mark") on a message."""
    return f"{MARKS}/{mark}"


def request_path(request_id: str) -> str:
    """Return the path of an access request."""
    return f"{REQUESTS}/{request_id}"


def event_path(reminder_id: str) -> str:
    """Return the path of a reminder, or of a notice in the outbox."""
    return f"{EVENTS}/{reminder_id}"


def person_path(person_id: int) -> str:
    """Return the path of a person's profile."""
    return f"{PEOPLE}/{person_id}"


def memories_path(owner: MemoryOwner) -> str:
    """Return the path of the memories of a person, a chat with all its topics, or an agent."""
    if owner.scope == "person":
        return f"{person_path(owner.person)}/{MEMORIES}/{owner.agent}"
    if owner.scope == "chat":
        key = ChatKey(agent=owner.agent, chat_id=owner.chat_id, topic_id=owner.topic_id)
        return f"{chat_path(key)}/{MEMORIES}/current"
    return f"{bot_path(owner.agent)}/{MEMORIES}/current"


def entity_path(key: ChatKey) -> str:
    """Return the path of Telegram's data on a chat and its topics. The name is a hash, to spread names evenly."""
    return f"entities/{hashlib.sha256(f'{key.agent} {key.chat_id}'.encode()).hexdigest()[:20]}"


def sticker_set_path(bot_id: int, name: str) -> str:
    """Return the path of a sticker set as a bot sees it. Upper and lower case in the set's name make no difference."""
    return f"entities/{hashlib.sha256(f'stickers {bot_id} {name.lower()}'.encode()).hexdigest()[:20]}"


def media_path(unique_id: str) -> str:
    """Return the path of a file's description, which is the same for all people and agents."""
    return f"{MEDIA}/{unique_id}"


def reference_path(reference_id: str) -> str:
    """Return the path of a reference: the record that a person sent a file in a chat."""
    return f"{REFERENCES}/{reference_id}"


def membership_path(key: ChatKey, person: int) -> str:
    """Return the path of a person's membership in a group, or in a topic of direct messages.

    The name is a hash, so that names are spread evenly.
    """
    chat = f"{key.chat_id}{key.topic_id if key.is_direct else ''}"
    return f"{MEMBERSHIPS}/{hashlib.sha256(f'{key.agent} {chat} {person}'.encode()).hexdigest()[:20]}"


def export_path(export_id: str) -> str:
    """Return the path of a person's newest export."""
    return f"{EXPORTS}/{export_id}"


def observations_path(conversation: str) -> str:
    return f"{conversation_path(conversation)}/observations"


def segments_path(conversation: str) -> str:
    return f"{conversation_path(conversation)}/{SEGMENTS}"


def archive_cursor_path(archive: str) -> str:
    """Return the path of an archive's cursor. The name is a hash, since the archive's own name is a URL."""
    return f"{ARCHIVES}/{hashlib.sha256(archive.encode()).hexdigest()[:20]}"


def lookup_path(url: str) -> str:
    """Return the path of a service's cached answer. The name is a hash, since addresses contain what people asked."""
    return f"{LOOKUPS}/{hashlib.sha256(url.encode()).hexdigest()[:40]}"


def budget_path(shard: int) -> str:
    """Return the path of the sums and budget leases of the deployment and its agents, or of one shard of them."""
    return f"{BUDGETS}/{shard}"


def account_path(agent: str, person_id: int) -> str:
    """Return the path of a person's sums with an agent. The name is a hash, so that names are spread evenly."""
    return f"accounts/{hashlib.sha256(f'{agent} {person_id}'.encode()).hexdigest()[:20]}"


def usage_path(usage_id: str) -> str:
    """Return the path of a record of usage, by a budget lease or a job."""
    return f"{USAGE}/{usage_id}"


def deletion_path(deletion_id: str) -> str:
    """Return the path of a deletion and its progress."""
    return f"{DELETIONS}/{deletion_id}"


def console_record_path(record_id: str) -> str:
    """Return the path of a record of what an owner did in the console."""
    return f"{CONSOLE_RECORDS}/{record_id}"
