"""Recorded exchanges with models in Firestore. They expire, and `/forget` deletes all those of a chat."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from google.cloud.firestore_v1.base_query import FieldFilter
from pydantic import ValidationError

from shared.base.logs import log
from shared.chat.store import layout, paths
from shared.chat.store.calls import CALL_SECONDS, RETRY, FirestoreStore, translate_errors
from shared.chat.store.queries import EXCHANGES_OF_MESSAGE
from shared.chat.store.writes import CommitContext, Record, Write, WriteMode
from shared.values.chat_key import ChatKey
from shared.values.kept_exchange import KeptExchange

#: the most bytes of a compressed exchange: a document holds 1 MiB. A longer one is not kept
MOST_BYTES: Final = 900_000
#: the most exchanges that are read for one message; tool calls and corrections need several
MOST_EXCHANGES: Final = 20


@dataclass(frozen=True, kw_only=True)
class KeptExchangeRecord(Record):
    """The record that stores an exchange with a model until `expires_at`."""

    id: str
    exchange: KeptExchange
    expires_at: datetime

    def writes(self, commit: CommitContext) -> Iterator[Write]:
        """Yield the write that stores the exchange's document; nothing if the exchange is too long for a document."""
        document = encode_exchange(self.exchange, self.expires_at)
        if len(document["body"]) > MOST_BYTES:
            return
        path = paths.exchange_path(commit.chat.key, self.id)
        yield Write(path=path, document=document, mode=WriteMode.SET)


def encode_exchange(exchange: KeptExchange, expires_at: datetime) -> layout.Document:
    """Return an exchange's document with its TTL. The texts are compressed."""
    body = zlib.compress(exchange.model_dump_json(exclude_defaults=True).encode(errors="replace"))
    return {"answers": list(exchange.answers), "at": exchange.at, "body": body, layout.EXPIRES: expires_at}


def decode_exchange(document: layout.Document) -> KeptExchange | None:
    """Return the exchange; None if only another version of lull can read it."""
    try:
        return KeptExchange.model_validate_json(zlib.decompress(document["body"]))
    except (KeyError, TypeError, zlib.error, ValidationError):
        log("a recorded exchange cannot be read and is left out")
        return None


class FirestoreExchanges(FirestoreStore):
    """Reads recorded exchanges. Every method may raise StoreUnavailable or StoreRefused."""

    async def of_message(self, key: ChatKey, message_id: int, now: datetime) -> Sequence[KeptExchange]:
        """Return the exchanges by which a message was answered, the oldest first. Expired ones are left out."""
        query = EXCHANGES_OF_MESSAGE.on(self.client.document(paths.chat_path(key)))
        query = query.where(filter=FieldFilter("answers", "array_contains", message_id)).limit(MOST_EXCHANGES)
        with translate_errors("read kept exchanges"):
            found: list[Any] = await query.get(retry=RETRY, timeout=CALL_SECONDS)
        documents = (one.to_dict() or {} for one in found)
        kept = [decode_exchange(one) for one in documents if one[layout.EXPIRES] > now]
        return sorted((one for one in kept if one is not None), key=lambda one: one.at)
