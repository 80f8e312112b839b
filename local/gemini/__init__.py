"""Gemini's REST API on this machine: Google's behind a recorder, a small model of our own, or a script for tests."""
