"""The border to Telegram: its JSON is read here and nowhere above."""
