"""Places for archives outside of the database."""
