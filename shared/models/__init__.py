"""The values that all packages share; no effects."""
