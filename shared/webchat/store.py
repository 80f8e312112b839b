"""The screens of web conversations in Firestore: `chats/{chat}/screen/current`.

A screen is written by the tick that is handling the chat, but not in the same commits as the chat's state. If a screen
is lost, little harm is done: what the agent said is in the transcript.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from google.api_core import exceptions
from google.cloud.firestore_v1 import DELETE_FIELD
from google.cloud.firestore_v1.async_client import AsyncClient
from google.cloud.firestore_v1.async_document import AsyncDocumentReference
from google.cloud.firestore_v1.base_document import DocumentSnapshot
from pydantic import ValidationError

from shared.base.errors import WriteConflict
from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, CHANGED, RETRY, translate_errors
from shared.values.chat_key import ChatKey
from shared.webchat.screen import Screen, ScreenMessage, message_fields

#: how long a screen is kept after its last change
KEPT: Final = timedelta(days=30)
#: the most attempts to add a message to a screen that others change at the same time
_TRIES: Final = 8


class FirestoreScreens:
    """Reads and writes screens. Every call may raise StoreUnavailable or StoreRefused."""

    def __init__(self, client: AsyncClient, clock: Callable[[], datetime]) -> None:
        """`client` belongs to the running loop."""
        self.client, self._clock = client, clock

    async def screen(self, key: ChatKey) -> Screen:
        """Return the screen of a conversation; an empty one if none is stored."""
        return decode_screen((await self._get(key)).to_dict())

    async def add(self, key: ChatKey, delivery: str, make: Callable[[Screen], ScreenMessage]) -> ScreenMessage:
        """Put the message of a delivery on the screen, unless it is there already. Return the message.

        `make` gets the previous screen. Raises WriteConflict if other writers keep changing the screen.
        """
        for _ in range(_TRIES):
            snapshot = await self._get(key)
            before = decode_screen(snapshot.to_dict())
            if (known := before.sent_by(delivery)) is not None:
                return known
            made = make(before)
            if await self._put(key, snapshot, before, made):
                return made
        raise WriteConflict("other writers keep changing the screen; try again")

    async def change(self, key: ChatKey, fields: Mapping[str, Any]) -> None:
        """Replace fields of a stored screen; `fields` maps paths to values. Do nothing if no screen is stored."""
        with translate_errors("change a screen"):
            try:
                await self._document(key).update(self._with_times(fields), retry=RETRY, timeout=CALL_SECONDS)
            except exceptions.NotFound:
                log("no screen is stored that could be changed", chat=key.id)

    async def show(self, key: ChatKey, fields: Mapping[str, Any]) -> None:
        """Replace some top-level fields of a screen. Create the screen if there is none."""
        with translate_errors("write a screen"):
            await self._document(key).set(self._with_times(fields), merge=True, retry=RETRY, timeout=CALL_SECONDS)

    async def _put(self, key: ChatKey, snapshot: DocumentSnapshot[Any], before: Screen, made: ScreenMessage) -> bool:
        """Add the message `made` to the screen `before`. Return False if the stored screen has changed meanwhile."""
        document, stored = self._document(key), message_fields(made)
        gone = {f"messages.`{one}`": DELETE_FIELD for one in before.oldest()}
        fields = {f"messages.`{made.message_id}`": stored, "draft": None, "activity": None, **gone}
        with translate_errors("put a message on a screen"):
            try:
                if snapshot.exists:
                    unchanged = self.client.write_option(last_update_time=snapshot.update_time)
                    await document.update(self._with_times(fields), unchanged, retry=RETRY, timeout=CALL_SECONDS)
                else:
                    first = self._with_times({"messages": {str(made.message_id): stored}})
                    await document.create(first, retry=RETRY, timeout=CALL_SECONDS)
            except CHANGED:
                return False
        return True

    def _with_times(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        now = self._clock()
        return {**fields, "changed_at": now, layout.EXPIRES: now + KEPT}

    def _document(self, key: ChatKey) -> AsyncDocumentReference:
        return self.client.document(paths.screen_path(key))

    async def _get(self, key: ChatKey) -> DocumentSnapshot[Any]:
        with translate_errors("read a screen"):
            return await self._document(key).get(retry=RETRY, timeout=CALL_SECONDS)


def decode_screen(document: Mapping[str, Any] | None) -> Screen:
    """Return the screen in a document; an empty one if this version cannot read it."""
    try:
        return Screen.model_validate(document or {})
    except ValidationError:
        log("this version cannot read a stored screen; an empty screen is used")
        return Screen()
