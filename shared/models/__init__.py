"""The nouns of lull as values: one module per word of the glossary, no effects."""
