"""Formatting: the markdown that a model writes becomes text and entities, in parts that Telegram takes. Pure."""
