"""Data of each bot in Firestore: its names, the agent's owner, notices sent to the owner, and flood waits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from google.api_core.exceptions import AlreadyExists
from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.base_document import DocumentSnapshot

from shared.base.errors import StoreUnavailable
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, FirestoreStore, translate_errors
from shared.values.channel import BotName
from shared.values.chat_key import ChatKey

#: longer than the day on which a stored notice prevents another one
KEPT_NOTICES: Final = timedelta(days=2)


@dataclass(frozen=True, kw_only=True)
class SentOwnerNotice:
    """A notice to an owner. All notices of one kind on one day (UTC) share an id, so only the first is sent."""

    agent: str
    kind: str
    at: datetime

    @property
    def id(self) -> str:
        """The id, made of the agent, the kind and the day."""
        return f"{self.agent} {self.kind} {self.at:%Y-%m-%d}"


class FirestoreFloods(FirestoreStore):
    """The flood waits of all bots. They are written only when Telegram demands a wait. Every method may raise
    StoreUnavailable or StoreRefused.
    """

    async def waits(self, agent: str) -> Mapping[int, datetime]:
        """Return the end of each chat's flood wait, by chat id. Some of the waits may be over."""
        with translate_errors("read flood waits"):
            snapshot = await self.client.document(paths.bot_path(agent)).get(retry=RETRY, timeout=CALL_SECONDS)
        return decode_waits(snapshot.to_dict())

    async def note_wait(self, agent: str, chat_id: int, until: datetime, over: Sequence[int]) -> None:
        """Store the wait of a chat, and delete the waits of the chats in `over`, which have ended."""
        document = encode_waits({**dict.fromkeys(over, DELETE_FIELD), chat_id: until})
        with translate_errors("store a flood wait"):
            await self.client.document(paths.bot_path(agent)).set(
                document, merge=True, retry=RETRY, timeout=CALL_SECONDS
            )


#: tries to write; few are enough, since the document changes only when the agent is claimed or a flood wait is stored
TRIES = 5


class FirestoreOwners(FirestoreStore):
    """The owners of all agents. Every method may raise StoreUnavailable or StoreRefused."""

    async def owner(self, agent: str) -> int | None:
        """Return the owner's id; None if the agent has none."""
        return decode_owner((await self._read(agent)).to_dict())

    async def language(self, agent: str, owner: int) -> str:
        """Return the language of the owner's app as an IETF tag, read from their private chat; "" if unknown."""
        chat = self.client.document(paths.chat_path(ChatKey(agent=agent, chat_id=owner)))
        with translate_errors("read an owner's language"):
            found = await chat.get(["last_language"], retry=RETRY, timeout=CALL_SECONDS)
        return str((found.to_dict() or {}).get("last_language", ""))

    async def claim(self, agent: str, person_id: int, at: datetime) -> int:
        """Make a person the owner if the agent has no owner. Return the owner's id. May be repeated. Of several
        simultaneous claims the first wins.
        """
        for _ in range(TRIES):
            seen = await self._read(agent)
            owner = decode_owner(seen.to_dict())
            if owner is not None:
                return owner
            with translate_errors("store an agent's owner"):
                if await self._wrote(seen, encode_owner(person_id, at)):
                    return person_id
        raise StoreUnavailable("Firestore did not store the agent's owner: the bot's document kept changing; try again")

    async def keep_notice(self, notice: SentOwnerNotice) -> bool:
        """Store that a notice was sent. Return False if one with its id was sent before."""
        document = self.client.document(paths.notice_path(notice.id))
        with translate_errors("store an owner's notice"):
            try:
                await document.create(encode_notice(notice), retry=RETRY, timeout=CALL_SECONDS)
            except AlreadyExists:
                return False
        return True

    async def console(self, agent: str) -> str:
        """Return the address at which the owner signs in to the console; empty if there is none."""
        url = ((await self._read(agent)).to_dict() or {}).get("console_url")
        return url if isinstance(url, str) else ""

    async def keep_console(self, agent: str, url: str) -> None:
        """Store the console's address, so that the agent can send it to its owner."""
        document = self.client.document(paths.bot_path(agent))
        with translate_errors("store the console's address"):
            await document.set({"console_url": url}, merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def end_console(self, agent: str, at: datetime) -> None:
        """Store that console sign-ins of the agent's owner from `at` or earlier are no longer valid."""
        document = self.client.document(paths.bot_path(agent))
        with translate_errors("end the sign-ins at the console"):
            await document.set(encode_console_off(at), merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def _read(self, agent: str) -> DocumentSnapshot[Any]:
        with translate_errors("read an agent's owner"):
            return await self.client.document(paths.bot_path(agent)).get(retry=RETRY, timeout=CALL_SECONDS)

    async def _wrote(self, seen: DocumentSnapshot[Any], fields: dict[str, object]) -> bool:
        """Write the fields; return False if the document changed since it was read."""
        document = self.client.document(seen.reference.path)
        try:
            if seen.exists:
                same = self.client.write_option(last_update_time=seen.update_time)
                await document.update(fields, option=same, retry=RETRY, timeout=CALL_SECONDS)
            else:
                await document.create(fields, retry=RETRY, timeout=CALL_SECONDS)
        except CHANGED:
            return False
        return True


#: how long an instance caches the names of an agent's bots
FRESH: Final = timedelta(minutes=5)


class FirestoreBotNames:
    """The usernames of all bots, cached by this instance. Raises StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` belongs to the running loop."""
        self.client = client
        self.clock = clock
        self._known: dict[str, tuple[datetime, Mapping[int, BotName]]] = {}

    async def names(self, agent: str) -> Mapping[int, BotName]:
        """Return the names of an agent's bots by id. Costs a read every few minutes."""
        now, known = self.clock(), self._known.get(agent)
        if known is not None and now - known[0] < FRESH:
            return known[1]
        with translate_errors("read the names of an agent's bots"):
            document = self.client.document(paths.bot_path(agent))
            found = (await document.get(["names"], retry=RETRY, timeout=CALL_SECONDS)).to_dict()
        names = {int(bot): BotName(bot_id=int(bot), **name) for bot, name in layout.names_in(found).items()}
        self._known[agent] = now, names
        return names

    async def keep_name(self, agent: str, name: BotName) -> None:
        """Store a bot's name in place of its previous one."""
        document = self.client.document(paths.bot_path(agent))
        with translate_errors("store the name of a bot"):
            await document.set(encode_name(name), merge=True, retry=RETRY, timeout=CALL_SECONDS)
        self._known.pop(agent, None)


def encode_waits(waits: Mapping[int, Any]) -> layout.Document:
    """Return flood waits as fields of a bot's document. A wait whose value is DELETE_FIELD is removed."""
    return {"waits": {str(chat_id): until for chat_id, until in waits.items()}}


def decode_waits(document: layout.Document | None) -> dict[int, datetime]:
    """Return the end of each chat's flood wait, by chat id."""
    kept = (document or {}).get("waits")
    waits = kept.items() if isinstance(kept, Mapping) else ()
    return {
        int(chat_id): until for chat_id, until in waits if layout.ID.fullmatch(chat_id) and isinstance(until, datetime)
    }


def encode_owner(person_id: int, at: datetime) -> layout.Document:
    return {"owner": person_id, "claimed_at": at}


def decode_owner(document: layout.Document | None) -> int | None:
    """Return the owner's id; None if the agent has none."""
    owner = (document or {}).get("owner")
    return owner if isinstance(owner, int) and not isinstance(owner, bool) else None


def encode_console_off(at: datetime) -> layout.Document:
    return {"console_off_at": at}


def decode_console_off(document: layout.Document | None) -> datetime | None:
    """Return the time of the last `/console off`, which ended all earlier sign-ins; None if there was none."""
    at = (document or {}).get("console_off_at")
    return at if isinstance(at, datetime) else None


def encode_name(name: BotName) -> layout.Document:
    """Return a bot's username as a field of its agent's document."""
    return {"names": {str(name.bot_id): {"username": name.username, "at": name.at, "in_persona": name.in_persona}}}


def encode_notice(notice: SentOwnerNotice) -> layout.Document:
    """Return the notice's document with its TTL."""
    return asdict(notice) | {layout.EXPIRES: notice.at + KEPT_NOTICES}
