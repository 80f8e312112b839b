"""The border to Telegram: only this folder reads or writes the JSON of the Bot API."""
