"""A simulated Telegram for development and tests: the Bot API, and behind it people, chats and bots."""
