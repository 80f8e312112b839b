"""Counting relays: they stand between a function's process and the servers it calls, number each request, and can have
the process killed at any one of them.

There is one for gRPC (Firestore, Cloud Tasks) and one for HTTP (Telegram, Gemini, Cloud Storage). Neither knows the
server behind it: one more is one more line where relays are set up.
"""
