"""Counting relays between a function's process and the servers that it calls. They number each request, and can have
the process killed at any of them.

There is one relay for gRPC (Firestore, Cloud Tasks) and one for HTTP (Telegram, Gemini, Cloud Storage). Neither relay
depends on the server behind it. So for another server, one more line of code where the relays are set up is enough.
"""
