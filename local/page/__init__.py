"""The page of the local Telegram: a chat client in the browser, and the routes of its side panel."""
