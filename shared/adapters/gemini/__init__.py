"""Gemini through its REST API, by a client of lull's own."""
