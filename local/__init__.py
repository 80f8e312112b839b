"""The local cloud: lull and every service that it needs, on one machine."""
