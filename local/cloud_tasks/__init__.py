"""lull's own Cloud Tasks: a local server of the v2 API, for the official clients; `server.serve` runs it."""
