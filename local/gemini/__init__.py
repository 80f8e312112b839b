"""Gemini's REST API on this machine, answered by Google, by a small local model, by a model server, or by a script
for tests. Every exchange is recorded.
"""
