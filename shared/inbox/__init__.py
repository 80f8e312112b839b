"""From the inbox's raw updates to the entries of a transcript."""
