"""Ordinary talks with lull: what people send of their own, what they ask for, and what came of that."""
