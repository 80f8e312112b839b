"""Wording: lull's own sentences to people, one catalogue for each language. What only the model reads is not here."""
