"""The ports of the canary: the deployed functions by HTTP, and what Firestore has of an update."""
