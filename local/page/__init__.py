"""The page of the local Telegram: a chat client in the browser, and what its side panel asks."""
