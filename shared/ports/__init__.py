"""The ports: what the domain needs from outside, as small protocols, and the values that these take and return."""
