"""The page of the local Telegram: a chat client in the browser, and the routes from which its side panel gets data."""
