"""A local server of the Cloud Tasks API v2, which the official clients can use like the real service. `server.serve`
runs it.
"""
