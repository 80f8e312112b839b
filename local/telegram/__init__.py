"""lull's own Telegram: a Bot API server with a small world of people, chats and bots behind it."""
