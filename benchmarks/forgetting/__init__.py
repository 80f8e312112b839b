"""Ways in which data of a person is stored. Each is planted in a separate database; then the person is forgotten."""
