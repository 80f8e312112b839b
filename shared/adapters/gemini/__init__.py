"""Gemini through its official client."""
