"""Inspecting: what lull did and why, read for whoever looks at it. It changes nothing, and no tick needs it."""
