"""The ports: what the flows need of the world. Small, and each served by one adapter in `shared/adapters`."""
