"""A server of Gemini's REST API that says what a script tells it, for tests. Every exchange is recorded."""
