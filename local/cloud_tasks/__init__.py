"""lull's own Cloud Tasks: a local server of the v2 API that the official clients can use. `server.serve` runs the
server.
"""
