"""Telegram's Bot API through python-telegram-bot."""
