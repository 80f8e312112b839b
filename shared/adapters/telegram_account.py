"""What is said to Telegram about a bot, beside what the bot itself says: its webhook and its menus of commands."""

from telegram import BotCommand, BotCommandScope

from shared.adapters.telegram import TelegramChannel, outcome
from shared.adapters.telegram_errors import safe_description
from shared.models.registration import Menu, MenuEntry, MenuScope, Webhook, WebhookState


class TelegramAccount(TelegramChannel):
    """One bot, as its owner sees it. Every call raises a ChannelError, and may be repeated."""

    async def webhook(self) -> WebhookState:
        """Where Telegram sends the bot's updates, and how that went."""
        info = await outcome(self._client().get_webhook_info())
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
        await outcome(call)

    async def remove_webhook(self) -> None:
        """Have the bot's updates sent nowhere; Telegram keeps them for a day."""
        await outcome(self._client().delete_webhook())

    async def menu(self, scope: MenuScope, language: str) -> Menu:
        """The commands that are shown in exactly this scope and language."""
        known = await outcome(self._client().get_my_commands(BotCommandScope(scope.value), language or None))
        entries = tuple(MenuEntry(name=one.command, description=one.description) for one in known)
        return Menu(entries=entries, scope=scope, language=language)

    async def set_menu(self, menu: Menu) -> None:
        """Show these commands in that scope and language."""
        commands = [BotCommand(entry.name, entry.description) for entry in menu.entries]
        await outcome(
            self._client().set_my_commands(commands, BotCommandScope(menu.scope.value), menu.language or None)
        )
