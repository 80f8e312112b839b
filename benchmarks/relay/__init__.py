"""Counting relays between a function's process and the servers that it calls. They number each request, and can have
the process killed at any of them.

There is one for gRPC (Firestore, Cloud Tasks) and one for HTTP (Telegram, Gemini, Cloud Storage). Neither depends on
the server behind it, so another server needs only another line where relays are set up.
"""
