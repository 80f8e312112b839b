"""The complete state of the local Telegram."""

import time

from local.telegram.callbacks import CallbackQueries
from local.telegram.calls import CallLog
from local.telegram.chats import LocalChat, LocalChats
from local.telegram.counters import Counters
from local.telegram.events import EventLog
from local.telegram.faults import TelegramFaults
from local.telegram.files import FileStore
from local.telegram.messages import LocalMessages
from local.telegram.people import People
from local.telegram.settings import TelegramSettings
from local.telegram.sticker_sets import StickerSets
from local.telegram.store import WorldStore
from local.telegram.updates import UpdateQueues


class World:
    """People, chats, messages and updates for bots. All changes happen in one event loop. Each change is made without
    an await in between, so no locks are needed.

    Call `save` after changes, before a response or an event reports them.
    """

    def __init__(self, settings: TelegramSettings) -> None:
        self.settings = settings
        self.store = WorldStore(settings.data_dir)
        self.counters = Counters(self.store)
        self.people = People(self.store)
        self.chats = LocalChats(self.store)
        self.messages = LocalMessages(self.store)
        self.files = FileStore(self.store, settings.data_dir)
        self.stickers = StickerSets(self.store, self.files, self.counters)
        self.updates = UpdateQueues(self.store, self.counters)
        self.events = EventLog(self.counters.last("event"), settings.recent_events)
        self.calls = CallLog(settings.recent_calls)
        self.faults = TelegramFaults()
        self.callbacks = CallbackQueries()

    def now(self) -> float:
        """Return the time in epoch seconds."""
        return time.time()

    def take_message_id(self, chat: LocalChat) -> int:
        """Return the next message id of a chat. The private chats of a bot share one counter, as on Telegram."""
        return self.counters.next(f"message {chat.bot_id or chat.key}")

    def save(self) -> None:
        """Store all changes so far on disk."""
        self.counters.raise_to("event", self.events.seq)
        self.store.flush()

    def close_waits(self) -> None:
        """End all waiting requests, since no further event will occur."""
        self.events.close()
        self.updates.close()

    def close(self) -> None:
        """Save and release all resources."""
        self.close_waits()
        self.save()
        self.store.close()
