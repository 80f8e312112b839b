"""A bot over Telegram's Bot API, through python-telegram-bot's client: what it says, and how it is set up."""

import asyncio
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import httpx
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReactionTypeEmoji,
    ReplyParameters,
)
from telegram.constants import ChatAction, ChatMemberStatus
from telegram.error import NetworkError, TelegramError
from telegram.request import HTTPXRequest

from shared.adapters.telegram.errors import AlreadySo, classify, read_answer, safe_description
from shared.errors import ChannelError, OutcomeUnknown, Refused, SettingsWrong
from shared.models.channel import BotIdentity, Button, Recipient, Sent
from shared.models.registration import Menu, MenuEntry, MenuScope, Webhook, WebhookState
from shared.models.text import Entity, FormattedText

#: one call each of as many chats as an instance may serve at once, and their typing beside it
CONNECTIONS = 160
CONNECT_SECONDS = 5.0
#: Telegram answers in well under a second; a local Bot API server under load may not
ANSWER_SECONDS = 20.0
#: for a whole call: the limits above are for each of its steps, and a chat is not held for ever
WHOLE_SECONDS = 25.0

ADMINISTRATORS = {ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR}

Result = TypeVar("Result")


class TelegramChannel:
    """One bot. Its client is made in the loop of the first call; it is never initialized, which would call getMe."""

    def __init__(
        self, token: str, api_url: str, answer_seconds: float = ANSWER_SECONDS, whole_seconds: float = WHOLE_SECONDS
    ) -> None:
        """`api_url` is where the Bot API is, without "/bot"; `answer_seconds` is how long it may be silent, and
        `whole_seconds` how long a call may take.

        Raises SettingsWrong for what is no token.
        """
        #: the number before the colon (core.telegram.org/bots/features#botfather)
        self.bot_id = _bot_id(token)
        self._token, self._api_url = token, api_url.rstrip("/")
        self._answer_seconds, self._whole_seconds = answer_seconds, whole_seconds
        self._request: HTTPXRequest | None = None
        self._bot: Bot | None = None

    async def identity(self) -> BotIdentity:
        """Who the bot is, and how it is set up now. Raises a ChannelError."""
        me = await translated(self._client().get_me())
        return BotIdentity(
            id=me.id,
            username=me.username or "",
            first_name=me.first_name,
            can_read_all_group_messages=bool(me.can_read_all_group_messages),
            can_join_groups=bool(me.can_join_groups),
        )

    async def send_text(
        self, to: Recipient, part: FormattedText, reply_to: int | None, buttons: Sequence[Button] = ()
    ) -> Sent:
        """Write a message, quoting another if given. Raises a ChannelError."""
        call = self._client().send_message(
            chat_id=to.chat_id,
            message_thread_id=to.topic_id or None,
            text=part.text,
            entities=[_telegram_entity(entity) for entity in part.entities],
            link_preview_options=_previewed(part),
            reply_parameters=None if reply_to is None else ReplyParameters(message_id=reply_to),
            reply_markup=_keyboard(buttons),
        )
        message = await translated(call)
        return Sent(message.message_id, message.date)

    async def rewrite(self, to: Recipient, message_id: int, part: FormattedText, buttons: Sequence[Button]) -> None:
        """Write a message of the bot's anew; without buttons it has none any more. Raises a ChannelError."""
        call = self._client().edit_message_text(
            part.text,
            to.chat_id,
            message_id,
            entities=[_telegram_entity(entity) for entity in part.entities],
            link_preview_options=_previewed(part),
            reply_markup=_keyboard(buttons),
        )
        with suppress(AlreadySo):
            await translated(call)

    async def remove_buttons(self, to: Recipient, message_id: int) -> None:
        """Take the buttons below a message of the bot's away. Raises a ChannelError."""
        with suppress(AlreadySo):
            await translated(self._client().edit_message_reply_markup(to.chat_id, message_id))

    async def answer_press(self, query_id: str, text: str) -> None:
        """Answer a callback query. Raises a ChannelError, also for one that is a few minutes old."""
        await translated(self._client().answer_callback_query(query_id, text or None))

    async def is_administrator(self, chat_id: int, person_id: int) -> bool:
        """Whether somebody administers a group, or owns it. Raises a ChannelError."""
        member = await translated(self._client().get_chat_member(chat_id, person_id))
        return member.status in ADMINISTRATORS

    async def member_count(self, chat_id: int) -> int:
        """How many people and bots are in a chat, this one among them. Raises a ChannelError."""
        return await translated(self._client().get_chat_member_count(chat_id))

    async def react(self, to: Recipient, message_id: int, emoji: str) -> None:
        """Put an emoji on a message, in place of the bot's last one. Raises a ChannelError."""
        call = self._client().set_message_reaction(to.chat_id, message_id, ReactionTypeEmoji(emoji))
        await translated(call)

    async def draft(self, to: Recipient, draft_id: int, part: FormattedText) -> None:
        """Show for 30 seconds a message that is still being written, in place of the last draft of the same id.

        For private chats alone; `draft_id` is not 0. Raises a ChannelError.
        """
        call = self._client().send_message_draft(
            chat_id=to.chat_id,
            draft_id=draft_id,
            text=part.text,
            message_thread_id=to.topic_id or None,
            entities=[_telegram_entity(entity) for entity in part.entities],
        )
        await translated(call)

    async def typing(self, to: Recipient) -> bool:
        """Show for 5 seconds that the agent is writing; it only decorates, so a failure is no error."""
        call = self._client().send_chat_action(to.chat_id, ChatAction.TYPING, message_thread_id=to.topic_id or None)
        try:
            await translated(call)
        except ChannelError:
            return False
        return True

    async def aclose(self) -> None:
        """Close the connections; a later call opens new ones."""
        request, self._request, self._bot = self._request, None, None
        if request:
            await request.shutdown()

    def _client(self) -> Bot:
        if self._bot is None:
            self._request = _Request(
                self._whole_seconds,
                connection_pool_size=CONNECTIONS,
                connect_timeout=CONNECT_SECONDS,
                pool_timeout=CONNECT_SECONDS,
                read_timeout=self._answer_seconds,
                write_timeout=self._answer_seconds,
            )
            base_url = f"{self._api_url}/bot"
            self._bot = Bot(self._token, base_url, request=self._request, get_updates_request=self._request)
        return self._bot


def _previewed(part: FormattedText) -> LinkPreviewOptions:
    """Of which link a preview is shown: by itself Telegram would fetch the first one, whoever made it up."""
    return LinkPreviewOptions(url=part.preview) if part.preview else LinkPreviewOptions(is_disabled=True)


class _CallFailed(TelegramError):
    """A failed call on its way through python-telegram-bot, which lets only errors of its own pass unchanged."""

    def __init__(self, error: ChannelError) -> None:
        super().__init__(str(error))
        self.error = error


class _Request(HTTPXRequest):
    """Requests whose failures are classified here: the client forgets HTTP statuses, and names URLs and answers."""

    def __init__(self, whole_seconds: float, **settings: Any) -> None:
        super().__init__(**settings)
        self._whole_seconds = whole_seconds

    async def do_request(self, url: str, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """The status and the body of an answer that says it was done. Raises _CallFailed for any other."""
        method = url.rpartition("/")[2]
        try:
            async with asyncio.timeout(self._whole_seconds):
                status, payload = await super().do_request(url, *args, **kwargs)
        except TimeoutError:
            late = f"Telegram took more than {self._whole_seconds:g} s for {method}: it may have been carried out"
            raise _CallFailed(OutcomeUnknown(late)) from None
        except NetworkError as failed:
            raise _CallFailed(_error_behind(failed, method)) from None
        except httpx.InvalidURL:
            wrong = "TELEGRAM_API_URL or the bot's token in LULL_BOT_TOKENS has characters that no address can have"
            raise _CallFailed(Refused(wrong)) from None
        except UnicodeError:
            raise _CallFailed(Refused(f"{method}: the text can't be encoded in UTF-8")) from None
        answer = read_answer(status, payload)
        if not answer.is_success:
            raise _CallFailed(classify(answer, method))
        return status, payload


def _error_behind(failed: NetworkError, method: str) -> ChannelError:
    cause = failed.__cause__
    if isinstance(cause, httpx.HTTPError):
        return classify(cause, method)
    return OutcomeUnknown(f"the client failed at {method} ({type(failed).__name__}): it may have been carried out")


def _bot_id(token: str) -> int:
    number = token.partition(":")[0]
    if not number.isascii() or not number.isdigit():
        raise SettingsWrong("LULL_BOT_TOKENS has what is no token; BotFather gives one like 123456:ABC-DEF")
    return int(number)


def _keyboard(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    rows = [[InlineKeyboardButton(button.text, callback_data=button.data)] for button in buttons]
    return InlineKeyboardMarkup(rows) if rows else None


def _telegram_entity(entity: Entity) -> MessageEntity:
    return MessageEntity(
        str(entity.type), entity.offset, entity.length, url=entity.url or None, language=entity.language or None
    )


async def translated(call: Awaitable[Result]) -> Result:
    """The result of a call; raises what its failure means, with nothing of the foreign error in its chain."""
    try:
        return await call
    except _CallFailed as failed:
        error = failed.error
    except TelegramError as failed:
        kind = type(failed.__cause__ or failed).__name__
        error = OutcomeUnknown(f"the Bot API's client failed ({kind}): it may have been carried out")
    raise error


class TelegramAccount(TelegramChannel):
    """One bot, as its owner sees it. Every call raises a ChannelError, and may be repeated."""

    async def webhook(self) -> WebhookState:
        """Where Telegram sends the bot's updates, and how that went."""
        info = await translated(self._client().get_webhook_info())
        return WebhookState(
            url=info.url,
            allowed_updates=frozenset(info.allowed_updates or ()),
            max_connections=info.max_connections or 0,
            waiting=info.pending_update_count,
            last_error_at=info.last_error_date,
            last_error=safe_description(info.last_error_message or ""),
        )

    async def set_webhook(self, webhook: Webhook) -> None:
        """Have the bot's updates sent there; those that wait are kept."""
        call = self._client().set_webhook(
            webhook.url,
            max_connections=webhook.max_connections,
            allowed_updates=webhook.allowed_updates,
            secret_token=webhook.secret,
        )
        await translated(call)

    async def remove_webhook(self) -> None:
        """Have the bot's updates sent nowhere; Telegram keeps them for a day."""
        await translated(self._client().delete_webhook())

    async def menu(self, scope: MenuScope, language: str) -> Menu:
        """The commands that are shown in exactly this scope and language."""
        known = await translated(self._client().get_my_commands(BotCommandScope(scope.value), language or None))
        entries = tuple(MenuEntry(name=one.command, description=one.description) for one in known)
        return Menu(entries=entries, scope=scope, language=language)

    async def set_menu(self, menu: Menu) -> None:
        """Show these commands in that scope and language."""
        commands = [BotCommand(entry.name, entry.description) for entry in menu.entries]
        await translated(
            self._client().set_my_commands(commands, BotCommandScope(menu.scope.value), menu.language or None)
        )
