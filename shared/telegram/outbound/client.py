"""The client of one bot, based on python-telegram-bot: time limits, errors of failed calls, uploads and downloads."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any, Final, TypeVar
from urllib.parse import quote

import httpx
from telegram import Bot, File
from telegram.error import NetworkError, TelegramError
from telegram.request import HTTPXRequest

from shared.base.errors import (
    ChannelError,
    ChannelRefused,
    ExportsUnavailable,
    FileTooLarge,
    FileUnknown,
    InvalidSettings,
    NotDelivered,
    OutcomeUnknown,
)
from shared.base.text import FormattedText
from shared.telegram.outbound.errors import classify, read_answer
from shared.values.channel import Recipient, SentMessage
from shared.values.prepared import MOST_FILE_BYTES, TOO_LARGE


@dataclass
class FormUpload:
    """A form with fields and one document (RFC 7578).

    `file_name` is made by lull and has only letters, digits, `-` and `.`, so it needs no escaping.
    """

    fields: Mapping[str, str]
    file_name: str
    size: int
    pieces: AsyncIterator[bytes] = field(repr=False)
    boundary: str = field(default_factory=lambda: token_hex(16))
    #: whether the end of the form was given to the connection; before that, Telegram cannot have carried out the call
    is_given: bool = field(default=False, init=False)

    @property
    def headers(self) -> dict[str, str]:
        """The type and the length of the form; Telegram accepts no form without its length."""
        length = len(self._head) + self.size + len(self._tail)
        return {"Content-Type": f"multipart/form-data; boundary={self.boundary}", "Content-Length": str(length)}

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the body of the form, piece by piece."""
        yield self._head
        async for piece in self.pieces:
            yield piece
        self.is_given = True
        yield self._tail

    @property
    def _head(self) -> bytes:
        parts = [f"{self._begin(name)}\r\n\r\n{value}\r\n" for name, value in self.fields.items()]
        file = f'{self._begin("document")}; filename="{self.file_name}"\r\nContent-Type: application/zip\r\n\r\n'
        return "".join((*parts, file)).encode()

    def _begin(self, name: str) -> str:
        return f'--{self.boundary}\r\nContent-Disposition: form-data; name="{name}"'

    @property
    def _tail(self) -> bytes:
        return f"\r\n--{self.boundary}--\r\n".encode()


def fields_of(to: Recipient, caption: FormattedText | None) -> dict[str, str]:
    """Return the recipient and the caption of a document, as fields of the Bot API's sendDocument."""
    fields = {"chat_id": str(to.chat_id), **{name: str(value) for name, value in to.topic.items()}}
    if caption is not None:
        entities = [entity.to_telegram() for entity in caption.entities]
        fields |= {"caption": caption.text, "caption_entities": json.dumps(entities)}
    return fields


def sent_document(message: Mapping[str, Any]) -> SentMessage:
    """Return the sent message that Telegram's answer describes."""
    document = message.get("document") or {}
    at = datetime.fromtimestamp(message["date"], UTC)
    return SentMessage(message["message_id"], at, document.get("file_id", ""), document.get("file_unique_id", ""))


#: the maximum number of connections: a call and a typing action for each chat that an instance may serve at once
CONNECTIONS = 160
CONNECT_SECONDS = 5.0
#: maximum seconds for a step of a call; Telegram needs far less, but a local Bot API server under load may not
ANSWER_SECONDS = 20.0
#: the maximum seconds for a whole call; the limits above are for each step of the call
WHOLE_SECONDS = 25.0

Result = TypeVar("Result")


class TelegramClient:
    """The client of one bot. The library's bot is created with the first call, in that call's event loop, and without
    `initialize`, which would call getMe.
    """

    def __init__(
        self, token: str, api_url: str, answer_seconds: float = ANSWER_SECONDS, whole_seconds: float = WHOLE_SECONDS
    ) -> None:
        """Create a client; no call is made yet. `api_url` is the address of the Bot API without "/bot".

        `answer_seconds` limits each step of a call, and `whole_seconds` the whole call. Raises InvalidSettings if the
        token is invalid.
        """
        #: the number before the token's colon (core.telegram.org/bots/features#botfather)
        self.bot_id = _bot_id(token)
        self._token, self._api_url = token, api_url.rstrip("/")
        #: the beginning of the addresses of the bot's files (core.telegram.org/bots/api#getfile)
        self._files_url = f"{self._api_url}/file/bot{token}"
        self._answer_seconds, self._whole_seconds = answer_seconds, whole_seconds
        self._request: HTTPXRequest | None = None
        self._bot: Bot | None = None
        self._uploads: httpx.AsyncClient | None = None

    async def aclose(self) -> None:
        """Close the connections. A later call opens new ones."""
        request, self._request, self._bot = self._request, None, None
        if request:
            await request.shutdown()
        uploads, self._uploads = self._uploads, None
        if uploads:
            await uploads.aclose()

    async def _upload(self, method: str, upload: FormUpload) -> Any:
        """Call a method with a form whose file is sent piece by piece, and return the result. Raises ChannelError.

        python-telegram-bot would hold the whole file in memory.
        """
        if self._uploads is None:
            self._uploads = httpx.AsyncClient(timeout=httpx.Timeout(self._answer_seconds, connect=CONNECT_SECONDS))
        address = f"{self._api_url}/bot{self._token}/{method}"
        error: ChannelError
        try:
            async with asyncio.timeout(self._whole_seconds):
                answered = await self._uploads.post(address, content=upload.body(), headers=upload.headers)
        except TimeoutError:
            error = OutcomeUnknown(_late(self._whole_seconds, method))
        except ExportsUnavailable as cause:
            raise NotDelivered(f"the file for {method} could not be read completely") from cause
        except httpx.HTTPError as failed:
            error = classify(failed, method)
        else:
            answer = read_answer(answered.status_code, answered.content)
            if answer.is_success:
                return answered.json()["result"]
            error = classify(answer, method)
        if isinstance(error, OutcomeUnknown) and not upload.is_given:
            error = NotDelivered(f"the call of {method} ended before the file was sent to its end")
        raise error

    def _client(self) -> Bot:
        if self._bot is None:
            self._request = _Request(
                self._whole_seconds,
                connection_pool_size=CONNECTIONS,
                connect_timeout=CONNECT_SECONDS,
                pool_timeout=CONNECT_SECONDS,
                read_timeout=self._answer_seconds,
                write_timeout=self._answer_seconds,
                media_write_timeout=self._answer_seconds,
            )
            self._bot = Bot(
                self._token,
                f"{self._api_url}/bot",
                f"{self._api_url}/file/bot",
                request=self._request,
                get_updates_request=self._request,
            )
        return self._bot


async def translate_failure(call: Awaitable[Result]) -> Result:
    """Await a call. Raise its failure as a ChannelError, without the library's exception as cause or context."""
    try:
        return await call
    except _CallFailed as failed:
        error = failed.error
    except TelegramError as failed:
        kind = type(failed.__cause__ or failed).__name__
        error = OutcomeUnknown(f"the Bot API's client failed ({kind}): it may have been carried out")
    raise error


class _CallFailed(TelegramError):
    """Carries a ChannelError through python-telegram-bot, which passes on only its own errors unchanged."""

    def __init__(self, error: ChannelError) -> None:
        super().__init__(str(error))
        self.error = error


class _Request(HTTPXRequest):
    """Makes HTTP requests, and translates failures itself: the library's errors lack HTTP statuses, and quote URLs."""

    def __init__(self, whole_seconds: float, **settings: Any) -> None:
        super().__init__(**settings)
        self._whole_seconds = whole_seconds

    async def do_request(self, url: str, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """Return the status and body of a successful answer. Raises _CallFailed."""
        method = url.rpartition("/")[2]
        try:
            async with asyncio.timeout(self._whole_seconds):
                status, payload = await super().do_request(url, *args, **kwargs)
        except TimeoutError:
            raise _CallFailed(OutcomeUnknown(_late(self._whole_seconds, method))) from None
        except NetworkError as failed:
            raise _CallFailed(_error_behind(failed, method)) from None
        except httpx.InvalidURL:
            wrong = "TELEGRAM_API_URL or the bot's token in LULL_BOT_TOKENS contains characters that a URL cannot have"
            raise _CallFailed(ChannelRefused(wrong)) from None
        except UnicodeError:
            raise _CallFailed(ChannelRefused(f"{method}: the text can't be encoded in UTF-8")) from None
        answer = read_answer(status, payload)
        if not answer.is_success:
            raise _CallFailed(classify(answer, method))
        return status, payload


def _late(whole_seconds: float, method: str) -> str:
    return f"Telegram took more than {whole_seconds:g} s for {method}: it may have been carried out"


def _error_behind(failed: NetworkError, method: str) -> ChannelError:
    cause = failed.__cause__
    if isinstance(cause, httpx.HTTPError):
        return classify(cause, method)
    return OutcomeUnknown(f"the client failed at {method} ({type(failed).__name__}): it may have been carried out")


def _bot_id(token: str) -> int:
    number = token.partition(":")[0]
    if not number.isascii() or not number.isdigit():
        raise InvalidSettings(
            "LULL_BOT_TOKENS has an invalid bot token; expected one like 123456:ABC-DEF, from BotFather"
        )
    return int(number)


METHOD: Final = "getFile"
#: HTTP statuses after which a later try may succeed: a time-out, and too many calls
_LATER: Final = frozenset({408, 429})


class TelegramDownloads(TelegramClient):
    """Downloads files for one bot. Raises ChannelError. No error quotes the URL, since that contains the token."""

    async def download(self, file_id: str, within_s: float) -> bytes:
        """Return a file's content. Raises FileTooLarge, FileUnknown, or NotDelivered after `within_s` seconds."""
        late = f"Telegram took more than {within_s:g} s to give a file"
        try:
            async with asyncio.timeout(within_s):
                found = await translate_failure(self._client().get_file(file_id))
                return await self._fetch(found)
        except TimeoutError:
            raise NotDelivered(late) from None
        except (httpx.HTTPError, httpx.InvalidURL) as failed:
            error = NotDelivered(f"a file could not be downloaded from Telegram ({type(failed).__name__})")
        raise error  # raised here, so that its chain has no foreign error

    async def custom_emoji_file(self, emoji_id: str) -> str:
        """Return the file id of a custom emoji. Raises ChannelError; FileUnknown if there is no such emoji."""
        found = await translate_failure(self._client().get_custom_emoji_stickers([emoji_id]))
        if not found:
            raise FileUnknown("Telegram has no custom emoji with this id")
        return found[0].file_id

    async def _fetch(self, found: File) -> bytes:
        if (found.file_size or 0) > MOST_FILE_BYTES:
            raise FileTooLarge(TOO_LARGE)
        place = (found.file_path or "").removeprefix(f"{self._files_url}/")
        url = f"{self._files_url}/{quote(place)}"
        async with (
            httpx.AsyncClient(timeout=self._answer_seconds, follow_redirects=False) as client,
            client.stream("GET", url, timeout=httpx.Timeout(self._answer_seconds, connect=CONNECT_SECONDS)) as answer,
        ):
            if not answer.is_success:
                raise _download_error(answer.status_code)
            body = bytearray()
            async for chunk in answer.aiter_bytes():
                body += chunk
                if len(body) > MOST_FILE_BYTES:
                    raise FileTooLarge(TOO_LARGE)
        return bytes(body)


def _download_error(status: int) -> ChannelRefused | NotDelivered:
    """Return the error for a failed download. Telegram has just given the file's path, so a 404 may be temporary."""
    if status >= 500 or status in _LATER or status == httpx.codes.NOT_FOUND:
        return NotDelivered(f"Telegram did not give a file that it had named ({status})")
    return ChannelRefused(f"Telegram refused to give a file that it had named ({status})")
